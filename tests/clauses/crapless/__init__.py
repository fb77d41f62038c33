"""The clauses of the crapless house."""
