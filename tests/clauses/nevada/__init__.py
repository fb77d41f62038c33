"""What the two houses of Nevada share: the same crew, dice, sign and centre, by clauses of the same names."""
