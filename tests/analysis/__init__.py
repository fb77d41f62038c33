"""The way in for analysts."""
