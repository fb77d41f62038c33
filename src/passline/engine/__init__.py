"""The game itself: pure, synchronous, standard library only; no clock, no dice, no files."""
