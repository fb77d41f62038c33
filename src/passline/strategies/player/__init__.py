"""Who follows a strategy: it sees a table, remembers, and asks the dealers for the difference."""
