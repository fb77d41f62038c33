"""A game as text: reading, writing, replaying, and the words the crew says over it."""
