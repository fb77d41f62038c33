var e=`school-title = School
school-about = Exercises from real positions, in the house you choose. The engine has the answer, to the chip, and the clause behind it.
school-wanted = What to ask
school-house = House
school-drill = Drill
school-due = What is due, or new
school-trains = { $trains ->
    [player] For players
   *[dealer] For dealers
 }
school-level = Level
school-any = Any level
school-level-is = Level { $level }, { $about }
school-timed = By the clock
school-clock = Time so far
school-link = A link to this exercise
school-check = Check
school-next = Next
school-another = Another one
school-tray = Chips
school-chip = A chip of { $chip } more
school-less = A chip of { $chip } less
school-take = Taken, not paid
school-clear = Clear
school-order = Press them in order, first to last; press again to take one back.
school-how = Answer:
school-right = Right.
school-wrong = It is { $right }, not { $answer }.
school-all-right = Right.
school-some-right = { $score } of { $of } right.
school-dice = The dice show { $first } and { $second }
school-box = The stick's box
school-float = Float
school-sheet = Score sheet
school-sum = { $right } of { $asked }
school-score = Right
school-mean = Mean time
school-best = Best time
school-rung = Rung
school-rung-of = rung { $rung } of 5
school-again = Again
school-due-now = now
school-due-minutes = in { $minutes } min
school-due-hours = in { $hours } h
school-due-days = in { $days } { $days ->
    [one] day
   *[other] days
 }
school-rule = Right moves a drill that is due one rung up, wrong puts it back on the first. This browser keeps the sheet; no one else sees it.
school-forget = Start over
school-nothing = Nothing has been answered in this house yet.
`;export{e as default};