"""The floor: what people decide around a table, by the rules of the house.

`decide` and `evolve` as in the engine: a command in the imperative becomes events in the past, or a refusal. Who acts
and when arrive with the command. What an act of the floor does to the game is asked of the engine and stands beside the
floor's own events in the same answer.
"""
