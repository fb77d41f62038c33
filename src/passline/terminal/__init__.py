"""A table to sit at: an evening of craps in a terminal, drawn on felt or told line by line."""
