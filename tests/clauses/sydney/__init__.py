"""The clauses of the New South Wales rules: Win Line and Don't Win, and the 2 is barred."""
