"""The service, from outside."""
