"""Craps said to people: sentences, the stick's calls, rule cards, names, prices and figures."""
