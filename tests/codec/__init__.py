"""Lines of JSON, both ways."""
