"""The dice: vectors, statistics, secrecy, and what they must not see."""
