var e=`felt-bar = bar
sign-limits = { $says }, in
sign-closing = The table closes in
sign-limits-due = { $says }: any moment now
sign-closing-due = The table closes any moment now
sign-own = Your own limits: { $says }
felt-put = PUT
felt-puck = { $point ->
    [0] The puck is off
   *[other] The puck is on { $point }
 }
felt-number = { $point ->
    [6] SIX
    [9] NINE
   *[other] { $point }
 }

table-felt = The felt
table-box = Stick’s box
table-box-short = Box
table-call = The call
table-about = About the table
table-first = Bets down, please; the dice are coming out
table-why = Why?
table-more = More bets
table-fewer = Fewer bets
table-deeper = More below ▾
table-higher = More above ▴
table-look = Explain a bet
table-close = Close
table-tab-truth = This bet
table-tab-rolls = Rolls
table-tab-evening = My evening
table-log = Log
table-spoken = Bets, rolls and answers
table-money = Rail { $amount }.
table-all-up = Up: { $bets }.
table-up-on = { $amount } on { $name }
table-off = { $bet }, off
table-in-hand = Chip in hand: { $value }.
table-no-chip = There is no such chip.
table-nothing = { $what }: nothing to do now.
table-looking = Explain a bet: on. Choose a bet to hear about it.
table-looked = Explain a bet: off.
table-sound = Sound
table-voice = Voice
table-animated = Animate the dice
table-players = Players
table-shooter = shooter
table-spot = { $name }, { $price }, edge { $edge }
table-spot-plain = { $name }, { $price }
table-spot-up = { $amount } up
table-spot-no = Not now: { $why }
table-bets-closed = Bets are closed
table-clock = { $seconds } s to bet, from the first bet
table-closes = Bets close in { $seconds } s
table-rail = Your rail
table-chips = Chip in hand
table-chip = { $value }, key { $key }
table-chip-short = { $value }, more than your rail, key { $key }
table-bank = Rail
table-on-felt = Felt
table-last = Last
table-odds = Odds
table-undo = Undo
table-redo = Redo
table-repeat = Repeat
table-double = Double
table-press = Press
table-clear = Clear
table-roll = Roll
table-shoot = Take the dice
table-shoot-short = Take
table-decline = Decline the dice
table-decline-short = Decline
table-pass = Pass the dice
table-first-die = First die
table-second-die = Second die
table-cage = Chips
table-buy = Buy chips
table-wallet = { $amount } is in your wallet.
table-wallet-empty = Nothing is in your wallet: a cashier takes your money first.
table-buy-do = Buy
table-leave = Leave the table
table-lobby = To the lobby, chips stay
table-throws = { $name } throws.
table-offered = The dice are offered to { $name }.
table-excluded = You may not play in this house any more. Leave the table: your chips come to your wallet, and what is up plays on.
table-excluded-away = You may not play in this house. What is in your wallet is paid out at the cage.
table-as = You sit down as { $name }: the name by which the cashier pays in for you.
table-watching = You are watching.
table-sit = Sit down
table-left = You have left the table; your bets play on.
table-sit-again = Sit down again
table-forbidden = Played for money by this book: no chances, edges, past rolls or hints are shown.
table-info = Info
table-sounds = Sound and voice
table-sound-try = Sound?
table-keep = Keep my line bet up

talk-label = Tell the dealers
talk-example = “32 across”

ask-no = No
ask-dice = The dice are offered to you.
ask-all = { $amount } on { $name } is all you have.
ask-all-yes = Bet it all
ask-much = { $what }: { $amount } is more than half of your rail.
ask-much-yes = Put it up

leave-title = Leave the table?
leave-up = You have { $amount } on the felt. What may come down comes down with you; the rest plays on without you.
leave-stay = Stay
leave-card = Your evening
leave-bought = Bought
leave-home = Taken home
leave-best = Best roll
leave-longest = Longest hand
leave-rolls = { $rolls ->
    [one] one roll
   *[other] { $rolls } rolls
 }
leave-share = Share a hand
leave-lobby = To the lobby

truth-none = Point at a bet, or press Explain a bet and then the bet, to see how it wins, what it pays and what it costs.
truth-tap = Tap a bet: your chip goes there, and what it pays and costs is shown. Hold it: the bet comes down. Explain a bet needs no chip.
truth-line-edge = house edge { $edge }
truth-figures = Chances and edges
truth-stands = As it stands, from here on
truth-win = Wins
truth-lose = Loses
truth-per-bet = House edge per bet
truth-per-decision = per decision
truth-per-roll = per roll
truth-edges = What the edges mean
truth-edges-about = The edge is what the house keeps on average: of every bet made, of every bet that was decided (pushes are not counted), and of what lies on the felt at each roll.
truth-rolls = { $rolls ->
    [1.00] Decided on the next roll.
   *[other] Decided after { $rolls } rolls on average.
 }
truth-exact = Exact fractions
truth-on = Call on
truth-off = Call off
truth-take = Take down
truth-most = Full odds: { $amount }
truth-clauses = The clauses

rolls-strip = Last rolls, newest first
rolls-none = No roll yet.
rolls-hand = This hand: { $rolls ->
    [one] one roll
   *[other] { $rolls } rolls
 }, { $points ->
    [one] one point made
   *[other] { $points } points made
 }.
rolls-total = Total
rolls-came = Came
rolls-expected = Expected
rolls-whole = All rolls of the table

why-title = Why the chips moved
why-others = The others
why-nothing = Nothing of yours was decided.

evening-chart = Profit over the rolls. { $line }
evening-about = The line is yours. Of all evenings with the same chips, roll by roll, half lie above the dashed one, and the bands hold half and nine in ten.

keys-title = Keys
keys-space = Space
keys-roll = Roll; Space where nothing has the focus
keys-chip = Choose a chip
keys-move = Move over the felt
keys-bet = Bet the chip there
keys-strips = Bet the line, against it, the come, the don’t come, the field
keys-numbers = Place the number; 0 is the ten
keys-talk = Tell the dealers: “press the six”, “max odds”
keys-take = Take down what is there
keys-odds = Full odds
keys-repeat = Repeat the last bets
keys-double = Double everything
keys-press = Press the winner
keys-clear = Take all down
keys-dice = Take the dice; decline or pass them
keys-tell = Hear your money and what of yours is up

dice-yours = { $others ->
    [0] Checked: yours and the house’s
    [one] Checked: yours too, and one other’s
   *[other] Checked: yours too, and { $others } others’
}
dice-others = { $others ->
    [one] Checked: one hand in it, none of yours
   *[other] Checked: { $others } hands in it, none of yours
}
dice-alone = Checked, but made by the house alone: no hand of yours
dice-wrong = These dice do not follow from what was shown
dice-misfit = The house contradicts what it signed to you.
dice-misfit-what = The past of this table is not the one it signed before. Play no further; keep this file, compare it with the other players, and show it to whoever licenses the house.
dice-broken = The house broke a rule of its own dice ({ $fault }). Play no further; keep this file, compare it with the other players, and show it to whoever licenses the house.
dice-absent = Your part of that roll did not arrive in time. The roll is void, and your bets were settled at what they were worth; this page takes part again from the next roll on. This device heard of the closing at { $closed } and of the void at { $void } by its own clock, and the house waits 20 seconds: if there is less between, and your line was good, keep this file and show it to whoever licenses the house.
dice-denied = The house took this page’s part of that roll at { $taken } by this device’s clock, { $closed } being when it heard of the closing, and says that it did not arrive. Your bets were settled at what they were worth. Keep this file, and show it to whoever licenses the house.
dice-open = The bets were closed at { $closed } by this device’s clock, and there is neither a roll nor a void since. The house can know those dice by now. Ask it why; if it was not away meanwhile, keep this file, and show it to whoever licenses the house.
dice-unasked = The house asked this page for a part of the dice that is not due, or not under its signature, and got none. Keep this file, and show it to whoever licenses the house.
dice-stranger = A hand is in the dice in your name that this page did not give. If no other device or program of yours did, the house makes those dice alone and says that you take part: keep this file, and show it to whoever licenses the house.
dice-key = This table is signed with another key than the one that this device first saw of the house. Ask the house for its key, by another way than this page, before you play for anything.
dice-waiting = Waiting for the part of { $names } in the dice: 20 seconds, then there is no roll.
dice-checking = Every roll so far is checked first, { $share } % by now: your part is in the dice after that
dice-first-protocol = First protocol: the house knows these dice before you bet
dice-unknown = Dice by a protocol that this page does not know: no hand of yours
dice-given = These dice were typed in, not drawn: no one can check them
dice-misfit-keep = Save what was signed
`;export{e as default};