"""The clauses of the American guide with the Fire Bet and Bonus Craps, one test or more for each."""
