"""Decisions that were made after the first release, as records."""
