"""One test or more for every clause of every rule book, each marked with the clause that it proves."""
