lobby-title = Stell dich an den Tisch
lobby-about = Sechs Häuser, jedes nach seinem eigenen Regelbuch. Ein Übungstisch öffnet sofort: ohne Konto, mit Spielgeld, in deinem Tempo.
lobby-practise = Hier üben
lobby-tables = Offene Tische
lobby-you = Du
