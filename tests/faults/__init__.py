"""Breakage on purpose, with a seed: every kind of fault a live table must survive."""
