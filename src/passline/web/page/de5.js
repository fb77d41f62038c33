var e=`home = Passline, Startseite
nav = Seiten
skip = Zum Inhalt
wait = Einen Augenblick…
reload = Neu laden
not-loaded = Diese Seite ließ sich nicht laden: Die Leitung war unterbrochen, oder es gibt eine neuere Fassung.
theme = Farben: { $theme ->
    [dark] dunkel
    [light] hell
   *[system] wie dein Gerät
 }
language = English
cut = Die Leitung ist unterbrochen. Neuer Versuch; nichts ist verloren.
no-answer = Der Tisch antwortet nicht. Prüfe die Leitung und versuche es noch einmal.

view-lobby = Lobby
view-table = Tisch
view-school = Schule
view-lab = Labor
view-replay = Wiederholung
view-fair = Faire Würfel
view-box = Box
view-join = Dazusetzen
view-houses = Häuser
view-host = Tisch eröffnen
view-me = Konto
view-learn = Erster Besuch
`;export{e as default};