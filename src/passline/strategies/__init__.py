"""Strategies as data: what should be up, when, for how much; and the player who asks for it."""
