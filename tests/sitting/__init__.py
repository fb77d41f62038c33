"""A person at a table, without a screen."""
