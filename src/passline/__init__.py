"""Passline."""
