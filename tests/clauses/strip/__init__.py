"""The strip's clauses, which its file carries itself."""
