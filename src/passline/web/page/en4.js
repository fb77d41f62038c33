var e=`night-title = Tonight
night-parts = Parts of the night
night-day = gaming day { $day }
night-waiting = What waits
night-tables = Tables
night-people = People
night-cage = Cage
night-promotions = Promotions
night-reports = Reports
night-journal = Download the journal
night-journal-about = Every entry of tonight and before, for “passline verify house.jsonl”.
night-nothing = You have no work in this house tonight. Host a table of your own, or have two people of the house give you a role.
night-open = Open a table
night-waits = What waits
night-waits-none = Nothing waits.
night-look = Look
night-dispute = { $table }: { $person } disputes something
night-dispute-waits = This waits for: { $who }.
night-held = { $table }: the roll is held
night-owing = { $table }: { $name } may not bet here
night-owing-about = Their part of a void roll has not arrived. The device that keeps it shows it as soon as it is back at the table; if it is lost, they play at another table with the same wallet, or here after 100 more rolls.
night-uncounted = { $table }: the float was not counted
night-uncounted-about = The box counts it with another before the first bet.
night-stopped = { $table } was stopped
night-stopped-about = Nothing more is dealt there. Two people give everyone their chips back, and what their bets on the felt are worth.
night-return-chips = Give the chips back
night-stuck = { $table }: bets are up, and there is no one to throw
night-stuck-about = Whoever left may come back; or two of the crew give every bet back.
night-sign = { $table }: other limits to come
night-closing = { $table } is to close
night-draw-due = { $promotion }: a prize is to be drawn
night-draw-due-about = Entries closed { $time }.
night-promotions-none = No promotion is registered; the book of this house says nothing of any.
night-winner = { $item }: { $stands }
night-drawer = { $cashier }’s drawer is open
night-since = since { $time }
night-duty = On duty
night-duty-none = No one has come on duty.
night-money = for the house’s money
night-play = for play
night-is-closing = last hand
night-in-play = { $amount } in play
night-counted = float counted, { $slips ->
    [0] no slips
    [one] one slip
   *[other] { $slips } slips
 }
night-not-counted = float not counted
night-run = Run it
night-no-tables = No table is open.
night-gone = This table is over, or not yours to run.
night-seats = Seats
night-seats-none = No one sits here.
night-away = away
night-chips = { $rail } on the rail, { $up } up
night-refused = no { $wager }
night-invite = Invite players
night-bank = The table’s bank
night-bank-none = Counted by the box, filled by a cashier: nothing for you to do here now.
night-conduct = Conduct
night-conduct-none = No one was reported.
night-excluded-are = Not to play: { $names }
night-drawers = Drawers
night-drawers-none = No drawer is open.
night-drawer-first = Open your drawer before you take or pay money.
night-cage-about = Payments above { $amount } take a second person. What should be there is shown only after the count.
night-chip-bank = Chip bank
night-chip-bank-about = The chips that lie at the cage. Fills go out of it, credits come back; count it with another at the end of the shift.
night-wallets = Wallets
night-wallets-empty = No one has money here yet.
night-wallets-none = No one of that name has money here.
night-seek = Find someone
night-excluded = excluded
night-people-about = Everyone makes their account on their own device. Roles are given by two people, one of whom signs here or brings a code.
night-people-none = No one of that name.
night-grant = Give a role
night-grant-to = A role for { $name }
night-withdraw = Take a role back
night-withdraw-from = Take a role of { $name } back
night-sign-out = Sign out everywhere
night-role = Role
night-where = Where
night-whole-house = the whole house
night-title-of = Title
night-promotion = { $prizes } · { $starts } to { $closes } · { $entrants ->
    [0] no entrants
    [one] one entrant
   *[other] { $entrants } entrants
 }
night-crew = The crew
night-person-does = What can be done
night-crew-more = Give someone work here
night-grant-none = That is work at a table, and none is open yet.
night-excluded-sits = { $table }: { $name } at seat { $seat } may not play any more
night-excluded-about = { $chips } in chips. They leave the table, the chips come to the wallet, and the cashier pays it out.
night-filed = terms filed { $time }
night-drawn = Prize { $prize }, { $item }: { $winner }

own-limits = Your limits
own-deposit = You pay in at most { $most } in a day; { $so } so far today.
own-deposit-none = No limit to what you pay in.
own-loss = You lose at most { $most } in a day: { $so } bought and not brought back so far today, at all tables.
own-loss-held = The chips that you hold at tables, { $chips }, can still be lost: this limit is of buying more.
own-loss-none = No limit to what you lose.
own-stop = You play until { $time }, and again on the next gaming day.
own-stop-none = No time at which you stop.
own-waits = A looser limit, asked for { $time }, holds 24 hours later.
own-about = A limit of 0 allows nothing; leave it empty for no limit. A stricter limit holds at once, a looser one after 24 hours. A time to stop is not moved back before it is over.
own-away = Stay away
own-away-about = You play at no table of this house from now on. What is in your wallet is paid out to you, and your chips too once you have left the table. Two people of the house let you in again; you cannot yourself.
own-excluded = You do not play in this house. What is in your wallet, { $wallet }, is paid out to you by the cashier.
own-excluded-chips = At { $table } you have { $chips }. Leave that table: your chips come to the wallet, and are paid out too.
own-entered = entered
own-open = entries from { $starts } to { $closes }
own-statement = Your statement
own-complain = How to complain
own-complain-about = At a table, under “Speak up”: say what you do not accept. The box or a supervisor decides, somebody higher reviews it when you ask, and you are told where else you can go. It is kept, and no one can remove it.
own-rules = The rules of the houses

field-deposit = Most to pay in on a day (empty: no limit)
field-loss = Most to lose on a day (empty: no limit)
field-stop_at = When to stop (empty: no time)
field-given = The player gives
field-received = The player gets
field-scrutineer = Scrutineer (empty: the second person)
`;export{e as default};