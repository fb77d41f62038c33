var e=`felt-bar = bar
felt-number = { $point ->
    [6] SIX
    [9] NINE
   *[other] { $point }
 }

table-felt = Das Tuch
table-box = Box des Stickman
table-call = Die Ansage
table-about = Zum Tisch
table-first = Einsätze bitte; die Würfel kommen
table-why = Warum?
table-more = Lay, Buy und „to lose“ zeigen
table-fewer = Lay, Buy und „to lose“ verbergen
table-deeper = Weiter unten mehr ▾
table-look = Fragen, ohne zu setzen
table-close = Schließen
table-tab-truth = Diese Wette
table-tab-rolls = Würfe
table-tab-evening = Mein Abend
table-log = Was gesagt wurde
table-sound = Ton
table-voice = Stimme
table-throws = Geworfene Würfel
table-players = Spieler
table-shooter = wirft
table-spot = { $name }, { $price }, Hausvorteil { $edge }
table-spot-plain = { $name }, { $price }
table-spot-up = { $amount } gesetzt
table-spot-no = Jetzt nicht: { $why }
table-bets-closed = Einsätze geschlossen
table-clock = { $seconds } s zum Setzen, vom ersten Einsatz an
table-closes = Einsätze schließen in { $seconds } s
table-rail = Deine Bande
table-chips = Chip in der Hand
table-chip = { $value }, Taste { $key }
table-bank = Bande
table-on-felt = Tuch
table-last = Zuletzt
table-odds = Odds
table-undo = Zurück
table-redo = Wieder
table-repeat = Nochmal
table-double = Doppelt
table-press = Erhöhen
table-clear = Leeren
table-roll = Würfeln
table-shoot = Würfel nehmen
table-decline = Würfel ablehnen
table-pass = Würfel abgeben
table-first-die = Erster Würfel
table-second-die = Zweiter Würfel
table-cage = Chips
table-buy = Chips kaufen
table-buy-do = Kaufen
table-leave = Tisch verlassen
table-throws = { $name } wirft.
table-offered = Die Würfel werden { $name } angeboten.
table-watching = Du siehst zu.
table-sit = Hinsetzen

truth-none = Zeige auf ein Feld: Hier steht dann, wie es gewinnt, was es zahlt und was es kostet.
truth-figures = Chancen und Hausvorteil
truth-stands = Wie es steht, von hier an
truth-win = Gewinnt
truth-lose = Verliert
truth-per-bet = Vorteil
truth-per-decision = je Entscheid
truth-per-roll = je Wurf
truth-edges = Was die Vorteile bedeuten
truth-edges-about = Der Vorteil ist, was das Haus im Mittel behält: von jedem Einsatz, von jedem entschiedenen Einsatz (Unentschiedenes zählt nicht) und bei jedem Wurf von dem, was auf dem Tuch liegt.
truth-rolls = Dauert im Mittel { $rolls } Würfe.
truth-exact = Genaue Brüche
truth-on = Einschalten
truth-off = Ausschalten
truth-take = Abnehmen
truth-most = Volle Odds: { $amount }
truth-clauses = Die Klauseln

rolls-strip = Letzte Würfe, neueste zuerst
rolls-none = Noch kein Wurf.
rolls-hand = Diese Hand: { $rolls ->
    [one] ein Wurf
   *[other] { $rolls } Würfe
 }, { $points ->
    [one] ein Point gemacht
   *[other] { $points } Points gemacht
 }.
rolls-total = Summe
rolls-came = Gekommen
rolls-expected = Erwartet
rolls-whole = Alle Würfe des Tisches

why-title = Warum sich die Chips bewegt haben
why-others = Die anderen
why-nothing = Von dir wurde nichts entschieden.

evening-chart = Gewinn über die Würfe. { $line }
evening-about = Die Linie ist deine; in den Bändern liegen die Hälfte und neun von zehn aller Abende mit denselben Chips, Wurf für Wurf.

keys-title = Tasten
keys-space = Leertaste
keys-roll = Würfeln
keys-chip = Chip wählen
keys-move = Über das Tuch gehen
keys-bet = Den Chip dort setzen
keys-strips = Auf Line, Don’t Line, Come, Field setzen
keys-numbers = Auf die Zahl setzen; 0 ist die Zehn
keys-take = Abnehmen, was dort liegt
keys-odds = Volle Odds
keys-repeat = Die letzten Einsätze noch einmal
keys-double = Alles verdoppeln
keys-press = Den Gewinner erhöhen
keys-clear = Das Tuch leeren
`;export{e as default};