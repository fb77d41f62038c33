school-title = Schule
school-about = Aufgaben aus echten Stellungen, im Haus deiner Wahl. Die Antwort kommt von der Engine, auf den Chip genau, mit der Klausel dahinter.
school-wanted = Was gefragt wird
school-house = Haus
school-drill = Übung
school-due = Was fällig oder neu ist
school-trains = { $trains ->
    [player] Für Spieler
   *[dealer] Für Dealer
 }
school-level = Stufe
school-any = Jede Stufe
school-level-is = Stufe { $level }, { $about }
school-timed = Nach der Uhr
school-clock = Zeit bisher
school-link = Ein Link zu dieser Aufgabe
school-check = Prüfen
school-next = Weiter
school-another = Eine andere
school-tray = Chips
school-chip = Ein Chip zu { $chip } mehr
school-less = Ein Chip zu { $chip } weniger
school-take = Eingezogen statt gezahlt
school-clear = Löschen
school-order = Drücke sie der Reihe nach; noch einmal nimmt einen zurück.
school-how = Antwort:
school-right = Richtig.
school-wrong = Richtig ist { $right }, nicht { $given }.
school-all-right = Richtig.
school-some-right = { $score } von { $of } richtig.
school-dice = Die Würfel zeigen { $first } und { $second }
school-box = Das Feld des Stickman
school-float = Float
school-sheet = Notenblatt
school-sum = { $right } von { $asked }
school-score = Richtig
school-mean = Mittlere Zeit
school-best = Beste Zeit
school-rung = Sprosse
school-rung-of = Sprosse { $rung } von 5
school-again = Wieder
school-due-now = jetzt
school-due-minutes = in { $minutes } Min.
school-due-hours = in { $hours } Std.
school-due-days = in { $days } { $days ->
    [one] Tag
   *[other] Tagen
 }
school-rule = Richtig bringt eine Übung eine Sprosse höher, falsch wieder auf die erste. Das Blatt bleibt in diesem Browser; sonst sieht es niemand.
school-forget = Von vorn beginnen
school-nothing = In diesem Haus wurde noch nichts beantwortet.
