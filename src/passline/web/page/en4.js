var e=`night-title = Tonight
night-parts = Parts of the night
night-day = gaming day { $day }
night-waiting = What waits
night-tables = Tables
night-people = People
night-cage = Cage
night-promotions = Promotions
night-reports = Reports
night-nothing = You have no work in this house tonight. Host a table of your own, or have two of the house give you a role.
night-open = Open a table
night-waits = What waits
night-waits-none = Nothing waits.
night-look = Look
night-dispute = { $table }: { $person } disputes something
night-held = { $table }: the roll is held
night-uncounted = { $table }: the float was not counted
night-uncounted-about = The box counts it with another before the first bet.
night-sign = { $table }: other limits to come
night-closing = { $table } is to close
night-winner = { $item }: { $stands }
night-drawer = { $cashier }’s drawer is open
night-since = since { $time }
night-duty = On duty
night-duty-none = Nobody has come on duty.
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
night-seats-none = Nobody sits here.
night-away = away
night-chips = { $rail } on the rail, { $up } up
night-refused = no { $wager }
night-invite = Invite players
night-bank = The table’s bank
night-bank-none = Counted by the box, filled by a cashier: nothing for you to do here now.
night-conduct = Conduct
night-conduct-none = Nobody was reported.
night-excluded-are = Not to play: { $names }
night-drawers = Drawers
night-drawers-none = No drawer is open.
night-drawer-first = Open your drawer before you take or pay money.
night-cage-about = Payments above { $amount } take a second person. Whoever counts is told afterwards what must have been there.
night-wallets = Wallets
night-wallets-none = Nobody of that name has money here.
night-seek = Find somebody
night-excluded = excluded
night-people-about = Everybody makes their account on their own device. Roles are given by two people, one of whom signs here or brings a code.
night-people-none = Nobody of that name.
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
    [0] nobody has entered
    [one] one entrant
   *[other] { $entrants } entrants
 }
night-filed = terms filed { $time }
night-drawn = Prize { $prize }, { $item }: { $winner }

act-close = Announce the last hand
act-hand_over = Hand over to officials
act-hand_drawer_over = Hand the drawer over
act-pay_in = Pay in
act-pay_out = Pay out
act-open_drawer = Open your drawer
act-close_drawer = Count and close your drawer
act-count_float = Count the float
act-fill_float = Fill
act-credit_float = Credit
act-colour_up = Colour up
act-exclude = Exclude
act-readmit = Let play again
act-sign_player_limits = Own limits
act-lift_player_limits = Lift own limits
act-decide_dispute = Decide
act-review_dispute = Review
act-ask_review = Ask for a review
act-say_dissatisfied = Still not satisfied
act-raise_dispute = Raise a dispute
act-report_conduct = Report somebody
act-sanction = Sanction
act-invalidate = Have the last outcome not count
act-enter_promotion = Enter somebody
act-doubt_promotion = Cannot be trusted
act-trust_promotion = Can be trusted again
act-limit_oneself = Set limits
act-exclude_oneself = Do not let me play
act-register_promotion = Register a promotion

own-limits = Your limits
own-deposit = The cage takes at most { $most } of yours in a day; { $so } so far today.
own-deposit-none = No limit to what the cage takes of yours.
own-loss = You lose at most { $most } in a day: { $so } bought and not brought back so far today, at all tables.
own-loss-none = No limit to what you lose.
own-stop = You play until { $time }, and again on the next gaming day.
own-stop-none = No time at which you stop.
own-waits = A looser limit, asked for { $time }, holds 24 hours later.
own-about = A stricter limit holds at once, a looser one after 24 hours. A time to stop is not moved back before it is over.
own-away = Stay away
own-away-about = You play at no table of this house from now on. What lies in your wallet is paid out to you. Two people of the house let you in again; you cannot yourself.
own-excluded = You do not play in this house. What lies in your wallet is paid out at the cage.
own-entered = entered
own-open = entries from { $starts } to { $closes }
own-statement = Your statement
own-complain = How to complain
own-complain-about = At a table, under “Speak up”: say what you do not accept. The box or a supervisor decides, somebody higher looks at it again when you ask, and you are told where else you can go. It is kept, and nobody can take it out.
own-rules = The rules of the houses
`;export{e as default};