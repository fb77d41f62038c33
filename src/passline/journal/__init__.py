"""What happened at every table, written once and for ever: entries in a chain, whatever keeps them."""
