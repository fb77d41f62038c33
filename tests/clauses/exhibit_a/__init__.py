"""The clauses of Exhibit A, one test or more for each."""
