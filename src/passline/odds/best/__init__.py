"""The best that a player can do: the player's choices left open, and the exact optimum over all of them."""
