"""The live machine."""
