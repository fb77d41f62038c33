"""The books of the house: what a journal says of a shift, its takings, voids and players; read, never written."""
