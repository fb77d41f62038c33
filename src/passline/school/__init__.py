"""The school: exercises from real positions, answered by the engine, graded to the chip; and when to ask again."""
