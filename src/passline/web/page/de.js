var e=`around-you = Du

lobby-title = Stell dich an den Tisch
lobby-about = Sechs Häuser, jedes nach seinem eigenen Regelbuch. Ein Übungstisch öffnet sofort: ohne Konto, mit Spielgeld, in deinem Tempo.
lobby-learn = In einer Minute gelernt
lobby-compare = Häuser nebeneinander
lobby-host = Tisch eröffnen
lobby-replay = Spiel nachspielen
lobby-practise = Hier üben
lobby-tables = Offene Tische
lobby-yours = Deine Tische sind noch offen
lobby-houses = Üben am eigenen Tisch
lobby-name = Dein Name am Tisch
lobby-company = Wer spielt mit
lobby-regulars = { $count ->
    [0] niemand, nur du
    [one] ein Computerspieler
   *[other] { $count } Computerspieler
 }
lobby-hosted = { $host } lädt ein, nach dem Buch von { $house }
lobby-dice = { $dice ->
    [fair] prüfbare Würfel
    [real] echte Würfel
   *[given] Würfel werden eingegeben
 }
lobby-seats = { $seats ->
    [0] noch niemand da
    [one] ein Spieler
   *[other] { $seats } Spieler
 }
lobby-enter = Zum Tisch
lobby-guest = Du spielst als { $name }, zu Gast.
lobby-account = Angemeldet als { $name }.

houses-title = Häuser nebeneinander
houses-about = Dasselbe Spiel, sechs Bücher. Was jedes zahlt, was es im Mittel von einer Wette behält und was es auf seine Art macht.
houses-which = Welche Häuser
houses-alike = Auch was gleich ist
houses-prices = Was sie behalten
houses-key = Der Anteil des Hauses an einer Wette und seine Quoten. ★ wenige behalten weniger, ▾ wenige mehr.
houses-best = am wenigsten
houses-worst = am meisten
houses-wager = Wette
houses-none = nicht im Angebot
houses-more = Alle { $count } zeigen
houses-ways = Was sie auf ihre Art machen
houses-rule = Regel
houses-silent = sagt nichts

host-title = Tisch eröffnen
host-about = Du führst ihn. Schick den Link oder zeig den Code: Wer ihn hat, spielt mit, mit Namen und ohne Konto.
host-house = Haus
host-name = Name des Tisches
host-name-hint = Kleine Buchstaben, Ziffern, - und _. Leer gelassen bekommt er einen Namen.
host-sign = Was auf dem Schild steht
host-sign-hint = Was leer bleibt, gilt, wie es das Haus hat.
host-min = Minimum
host-max = Maximum
host-odds = Odds, Vielfache der Wette
host-dice = Würfel
host-fair = Gezogen und prüfbar
host-fair-hint = Vor den Wetten versprochen, danach von jedem zu prüfen.
host-real = Echte Würfel
host-real-hint = Ihr werft sie; zwei lesen sie unabhängig ab.
host-countdown = Zeit zum Setzen
host-seconds = { $seconds ->
    [0] kein Countdown
   *[other] { $seconds } Sekunden nach einem Wurf
 }
host-second = Wer mit dir arbeitet
host-second-hint = Der Name von jemandem mit Konto. Ungültig erklären und echte Würfel brauchen zwei Leute.
host-role = Als
host-listed = In der Lobby zeigen
host-listed-hint = Für Gastgeber mit Konto.
host-submit = Tisch eröffnen
host-open = Dein Tisch ist offen
host-go = Zum Tisch
host-box = An die Box

invite-about = Jeder mit diesem Link darf sich an den Tisch setzen. Er gilt eine Woche.
invite-link = Link
invite-alone = Nur dieser Rechner kann den Link öffnen: 127.0.0.1 ist für jeden das eigene Gerät. Für Telefone und andere den Server beenden und so starten, dass das Netz ihn hört:
invite-from = Adresse dieses Rechners
invite-copy = Kopieren
invite-share = Senden
invite-copied = Kopiert.
invite-code = Der Link als QR-Code

join-title = Du bist eingeladen
join-invited = { $host } lädt dich zu einem Abend Craps nach dem Regelbuch von { $house } ein.
join-about = Ein Platz ist für dich frei. Spielgeld, kein Konto.
join-name-hint = Ein Wort. Die anderen sehen es.
join-submit = Platz nehmen
join-watch = Nur zuschauen
join-watcher = Gast

me-title = Konto
me-enter = Anmelden oder ein Konto anlegen
me-about = Du findest deine Tische in jedem Browser wieder, und wer einen Tisch leitet, kann dich als Dealer oder Stick nennen.
me-name = Name
me-password = Passwort
me-password-hint = Mindestens zwölf Zeichen für ein neues Konto.
me-sign-in = Anmelden
me-new = Konto anlegen
me-sign-out = Abmelden
me-guest = Gast
me-tables = Deine Tische
me-practice = Übung
me-opened = eröffnet { $when }
me-close = Schließen
me-closed = Geschlossene Tische
me-wallet = { $amount } in deiner Börse
role-player = Spieler
role-dealer = Dealer
role-stick = Stick
role-box = Box
role-supervisor = Aufsicht
role-inspector = Inspektor
role-administrator = Verwaltung

fair-title = Waren die Würfel fair?
fair-about = Dein Browser rechnet es selbst nach: jeden Seed gegen sein Versprechen, jeden Wurf aus den Seeds, jeden Eintrag gegen seinen Hash.
fair-again = Noch einmal prüfen
fair-end = Seed jetzt zeigen
fair-table = Zum Tisch
fair-file = Exportierte Datei prüfen
fair-no-file = In dieser Datei ist kein Tisch: nimm eine, die \`passline journal export\` geschrieben hat.
fair-busy = Wird geprüft…
fair-all-right = Alles stimmt
fair-early = Kein Wurf lässt sich prüfen, bevor der Seed gezeigt ist
fair-tampered = Hier wurde etwas verändert
fair-counts = { $rolls ->
    [one] Ein Wurf
   *[other] { $rolls } Würfe
 } nachgerechnet, { $sealed } warten auf ihren Seed, { $entries } Einträge in der Kette.
fair-hidden = { $count ->
    [one] Einer davon ist, was jemand anderem verweigert wurde: Sein Platz ist geprüft, seine Worte werden nicht gezeigt.
   *[other] { $count } davon sind, was anderen verweigert wurde: Ihr Platz ist geprüft, ihre Worte werden nicht gezeigt.
 }
fair-not-drawn = { $dice ->
    [real] Echte Würfel, von zweien abgelesen: Es gibt keine Seeds zu prüfen.
   *[given] Die Würfel wurden eingegeben: Es gibt keine Seeds zu prüfen.
 }
fair-head = Der letzte Eintrag:
fair-signed = Das Haus hat diese Kette { $heads ->
    [one] einmal
   *[other] { $heads }-mal
 } mit seinem Schlüssel unterschrieben (Ed25519), zuletzt bis Eintrag { $entry }, { $when }: Bis dahin ist ihr Ende nicht abgeschnitten und nichts davor neu geschrieben.
fair-forged = Was das Haus unterschrieben hat, ist nicht diese Kette: Sie wurde abgeschnitten oder neu geschrieben, oder ein anderer Schlüssel hat unterschrieben.
fair-unsigned = Das Haus hat diese Kette noch nicht unterschrieben.
fair-unable = Dieser Browser kennt kein Ed25519, die { $heads } Unterschriften des Hauses sind also nicht geprüft; \`passline verify\` prüft sie.
fair-key = Der öffentliche Schlüssel des Hauses, zum Vergleich mit dem, unter dem du es kennst:
fair-insecure = Auf einer Seite, die unverschlüsselt von einem anderen Rechner kam, prüft dieser Browser nichts. Öffne sie über HTTPS, oder exportiere den Tisch und nimm \`passline verify\`.
fair-epoch = Epoche { $epoch }
fair-commitment = Seed des Hauses wie versprochen
fair-mix = Seeds gemischt wie gesagt
fair-player = Seed von { $player } wie versprochen
fair-right = stimmt
fair-wrong = falsch
fair-sealed = versiegelt bis zum Ende der Epoche
fair-limits = Es beweist, dass die Würfel vor den Wetten feststanden, durch die gezeigten Seeds. Es kann nicht beweisen, dass niemand im Haus sie vorher kannte.

replay-title = Spiel nachspielen
replay-about = Ein Protokoll ist Text: füg eines ein oder öffne eine .craps-Datei. Es wird nach dem Buch seines Hauses noch einmal gespielt; nichts wird aufbewahrt.
replay-table = Was an { $table } geschah
replay-table-about = Hand für Hand, die neueste zuerst.
replay-of = Ein Spiel bei { $house }, nachgespielt
replay-record = Protokoll
replay-play = Abspielen
replay-file = Datei öffnen
replay-example = Ein Beispiel zeigen
replay-other = Anderes Protokoll
replay-cut = Dieser Link ist nicht vollständig: bitte noch einmal darum.
replay-hand = { $rolls ->
    [one] { $shooter }: ein Wurf
   *[other] { $shooter }: { $rolls } Würfe
 }
replay-running = läuft noch
replay-none = Hier wurde noch keine Hand gespielt.
replay-ask = Bitte um die Aufzeichnung, wer den Link geschickt hat, oder melde dich als jemand von diesem Tisch an.
replay-tables = Zu den Tischen
replay-download = Protokoll laden
replay-refused = Der Dealer sagt nein
replay-share = Link kopieren
replay-share-table = Nur für alle, die diesen Tisch sehen dürfen: Kein Link kann es tragen. Andere nehmen das Protokoll.
replay-share-carried = Das Spiel steckt im Link: Wer ihn hat, sieht diesen Tisch bis zum Ende dieser Hand, mit den Namen der Spieler, und sonst nichts.
replay-long = Zu lang für einen Link: schick die Datei.
replay-prove = Beweis prüfen
replay-proved = { $entries } Einträge, jeder was sein Hash sagt und jeder nach dem davor; die Würfel sind die der Einträge.
replay-broken = In diesen { $entries } Einträgen wurde etwas verändert.
replay-start = Zum Anfang
replay-roll-back = Zum Wurf davor
replay-back = Einen Schritt zurück
replay-run = Ablaufen lassen
replay-pause = Anhalten
replay-next = Einen Schritt weiter
replay-roll-on = Zum nächsten Wurf
replay-end = Zum Ende
replay-step = Schritt

learn-title = Deine erste Minute am Tisch
learn-lessons = Lektionen
learn-about-line = Eine Wette genügt, um mitzuspielen. Sie steht und fällt mit den Würfeln; alle, die sie machen, gewinnen und verlieren gemeinsam.
learn-about-odds = Sobald es einen Point gibt, lässt sich die Linie verstärken. Es ist die fairste Wette des Hauses.
learn-about-come = Was die Linie vor einem Point ist, ist sie danach: eine eigene Wette mit eigenem Point.
learn-about-place = Oder wähl dir selbst eine Zahl, wann immer du willst.
learn-bet = Leg { $amount } auf { $name }.
learn-wins = { $stake } würden { $wins } gewinnen.
learn-roll = Dein Chip liegt. Wirf die Würfel.
learn-roll-again = Wirf noch einmal.
learn-over = Das war { $name }.
learn-do-bet = { $amount } auf { $name }
learn-do-roll = Würfeln
learn-next = Weiter: { $name }
learn-done = Zu den Tischen
learn-progress = Wie weit du bist

near-fair = Würfel prüfen
near-past = Frühere Hände
near-box = An die Box
near-speak = Etwas sagen
near-speak-about = Eine Entscheidung anfechten, eine Prüfung oder das Regelbuch verlangen: Die Crew hört es, und es wird festgehalten.
box-invite-others = Andere einladen
`;export{e as default};