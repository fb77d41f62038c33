"""Exact answers in fractions: what a wager costs, what a hand holds, what a session brings."""
