var e=`lobby-title = Take a place at the rail
lobby-about = Six houses, each by its own book. A practice table opens at once: no account, play money, your pace.
lobby-learn = Learn it in a minute
lobby-compare = Houses side by side
lobby-host = Host a table
lobby-replay = Replay a game
lobby-practise = Practise here
lobby-first = Start here
lobby-house = { $house ->
    [adelaide] A South Australian table: low minimum, long odds, numbers placed to win or to lose.
    [sydney] A New South Wales table: the win line, twos barred, Big 6 and 8, splits.
    [strip] An American table with everything on it: hardways, hops, lays, buys and side bets.
    [fire-bonus] An American table with the Fire Bet and the Bonus bets beside the usual game.
    [crapless] No come-out roll loses; every number but the 7 can be the point.
    [exhibit-a] Few bets and short prices, by a strict American book: for comparing.
   *[other] By its own book.
 }
lobby-tables = Open tables
lobby-yours = Your tables are still open
lobby-houses = Practise at a table of your own
lobby-name = Your name at the table
lobby-company = Who plays along
lobby-regulars = { $count ->
    [0] no one, just you
    [one] one computer player
   *[other] { $count } computer players
 }
lobby-hosted = { $host } hosts, by the book of { $house }
lobby-dice = { $dice ->
    [fair] dice you can check
    [real] real dice
   *[given] dice are entered
 }
lobby-seats = { $seats ->
    [0] no one there yet
    [one] one player
   *[other] { $seats } players
 }
lobby-money = for the house’s money
lobby-play = for play
lobby-enter = Go to the table
lobby-guest = Playing as { $name }, a guest.
lobby-account = Signed in as { $name }.

houses-title = Houses side by side
houses-about = The same game, six books. What each pays, what it keeps of a bet on average, and what it does its own way.
houses-which = Which houses
houses-alike = Also what is alike
houses-prices = What they keep
houses-key = The house’s share of a bet made, and the prices it pays. ★ among the lowest, ▾ among the highest.
houses-best = least
houses-worst = most
houses-wager = Bet
houses-none = not offered
houses-more = Show all { $count }
houses-ways = What they do their own way
houses-rule = Rule
houses-silent = says nothing

host-title = Host a table
host-about = You run it. Send the link or show the code: whoever has it plays along, with a name and no account.
host-house = House
host-name = Name of the table
host-name-hint = Small letters, digits, - and _. Left empty, it gets a name.
host-sign = Table limits
host-sign-hint = Leave blank for the house’s own.
host-min = Minimum
host-max = Maximum
host-odds = Odds, times the bet
host-dice = Dice
host-fair = Computer dice, provably fair
host-fair-hint = Promised before the bets, checked by anyone afterwards.
host-real = Real dice
host-real-hint = You throw them; two people read them independently.
host-countdown = Time to bet
host-seconds = { $seconds ->
    [0] no countdown
   *[other] { $seconds } seconds after a roll
 }
host-second = Who works with you
host-second-hint = The name of someone with an account. Voids and real dice take two people.
host-role = As
host-listed = Show it in the lobby
host-listed-hint = For hosts with an account.
host-wallets = For the house’s money
host-wallets-hint = Chips come out of wallets that the cage keeps, and go back into them.
host-submit = Open the table
host-open = Your table is open
host-go = Go to the table
host-box = Run this table

invite-about = Everyone with this link may sit down at the table. It lasts a week.
invite-as = They see you as { $name }.
invite-link = Link
invite-closed = Only this computer can open the table now. Phones and computers on the same network can play along: they come to this table by its link, and to nothing else here.
invite-let-in = Let phones on this network in
invite-open = Phones and computers on this network can come in by the link or the code.
invite-keep-out = Stop letting them in
invite-from = This computer’s address
invite-copy = Copy
invite-share = Send
invite-copied = Copied.
invite-code = The link as a QR code

join-title = You are invited
join-invited = { $host } invites you to an evening of craps by the book of { $house }.
join-about = Play money, no account.
join-money = For the house’s money: a cashier takes what you pay in, and your chips come out of that.
join-as = You come as { $name }.
join-account = You have an account here? Sign in first, then open this link again.
join-name-hint = One word. The others see it.
join-submit = Sit down
join-watch = Only watch
join-watcher = Guest

me-title = Account
me-enter = Sign in, or make an account
me-about = You find your tables again in any browser, and a host can name you as dealer or stick.
me-name = Name
me-password = Password
me-password-hint = At least twelve characters for a new account.
me-sign-in = Sign in
me-new = Make an account
me-sign-out = Sign out
me-guest = guest
me-tables = Your tables
me-practice = practice
me-opened = opened { $when }
me-close = Close it
me-closed = Closed tables
me-wallet = { $amount } in your wallet
role-player = player
role-dealer = dealer
role-stick = stick
role-box = box
role-cashier = cashier
role-supervisor = supervisor
role-inspector = inspector
role-administrator = administrator

fair-title = Were the dice fair?
fair-about = Your browser works it out itself: every link and every player’s value against the one before, every roll from them, every entry against its hash.
fair-again = Check again
fair-table = To the table
fair-file = Check an exported file
fair-no-file = There is no table in this file: take one that \`passline journal export\` wrote.
fair-busy = Checking…
fair-all-right = Everything checks
fair-early = No roll can be checked before the seed is shown
fair-tampered = This was tampered with
fair-counts = { $rolls ->
    [one] One roll
   *[other] { $rolls } rolls
 } worked out again, { $sealed ->
    [0] { $entries } entries in the chain.
   *[other] { $sealed } waiting for their seed, { $entries } entries in the chain.
 }
fair-hidden = { $count ->
    [one] One of them is a refusal to another player: its place is checked, its words are not shown.
   *[other] { $count } of them are refusals to other players: their place is checked, their words are not shown.
 }
fair-not-drawn = { $dice ->
    [real] Real dice, read by two people: there are no seeds to check.
   *[given] The dice were entered: there are no seeds to check.
 }
fair-head = The last entry:
fair-signed = The house has signed this chain { $heads ->
    [one] once
   *[other] { $heads } times
 } with its key (Ed25519), last up to entry { $entry }, { $when }: nothing up to that entry was removed or rewritten.
fair-forged = What the house signed is not this chain: it was cut off or rewritten, or another key signed it.
fair-unsigned = The house has not signed this chain yet.
fair-key = The house’s public key, to compare with the one you know it by:
fair-alone = { $count ->
    [one] One roll was made by the house alone: no player’s hand was in it, so nothing shows that it was not chosen.
   *[other] { $count } rolls were made by the house alone: no player’s hand was in them, so nothing shows that they were not chosen.
}
fair-silent = { $name }’s value did not arrive { $count ->
    [one] once
   *[other] { $count } times
}, and the roll was void.
fair-undone = What came to nothing: { $void ->
    [one] one roll
   *[other] { $void } rolls
}, { $restores ->
    [one] one backup put back
   *[other] { $restores } backups put back
}, { $stops ->
    [one] one stop
   *[other] { $stops } stops
}; all bets given back at their stakes between rolls: { $returns }.
fair-epoch = Epoch { $epoch }
fair-right = right
fair-wrong = wrong
fair-sealed = sealed until the epoch ends
fair-limits = Where a hand of yours is in a roll, no one knew its dice before the bets were closed, the house included. Where none is, the house could have: it made those dice alone, or with names of its own.
fair-first-protocol = These dice are drawn by the first protocol: they were fixed before the bets, but the house knew each of them, and no hand of yours is in them.
fair-save = Save what this device was shown

replay-title = Replay a game
replay-about = A record is text: paste one, or open a .craps file. It is played again by its house’s book; nothing is kept.
replay-table = What happened at { $table }
replay-table-about = Hand by hand, the newest first.
replay-of = A game at { $house }, played again
replay-record = Record
replay-play = Play it
replay-file = Open a file
replay-example = Show an example
replay-other = Another record
replay-cut = This link is not whole: ask for it again.
replay-hand = { $rolls ->
    [one] { $shooter }: one roll
   *[other] { $shooter }: { $rolls } rolls
 }
replay-running = still going on
replay-none = No hand has been played here yet.
replay-ask = Ask who sent the link for the record (Download the record), or sign in as someone at that table.
replay-tables = To the tables
replay-download = Download the record
replay-refused = The dealer says no
replay-share = Copy the link
replay-share-table = Only for those who may see this table: no link can carry it. Others take the record.
replay-share-carried = The game is in the link: whoever has it sees this table up to the end of this hand, with its players’ names, and nothing else.
replay-long = Too long for a link: send the file.
replay-prove = Check the proof
replay-proved = { $entries } entries, each what its hash says and each after the one before; the dice are those of the entries.
replay-broken = Something in these { $entries } entries was changed.
replay-start = To the start
replay-roll-back = To the roll before
replay-back = A step back
replay-run = Run
replay-pause = Pause
replay-next = A step on
replay-roll-on = To the next roll
replay-end = To the end
replay-step = Step

learn-title = Your first minute at the table
learn-lessons = Lessons
learn-about-line = One bet is enough to play. It stands or falls with the dice; everyone who makes it wins and loses together.
learn-about-odds = Once there is a point, the line can be backed. It is the fairest bet in the house.
learn-about-come = What the line is before a point, this is after it: a bet of its own, with a point of its own.
learn-about-place = Or pick a number yourself, whenever you like.
learn-bet = Put { $amount } on { $name }.
learn-wins = { $stake } to win { $wins }.
learn-roll = Your chip is up. Roll the dice.
learn-roll-again = Roll again.
learn-over = That was { $name }.
learn-do-bet = Put { $amount } on { $name }
learn-do-roll = Roll
learn-next = Next: { $name }
learn-done = To the tables
learn-progress = How far you are

near-fair = Check the dice
near-past = Past hands
near-box = Run this table
near-speak = Speak up
near-speak-about = Dispute a decision, ask for a review or for the rules: the crew hears it, and it is kept.
box-invite-others = Invite others
`;export{e as default};