"""The books: every move of money between named accounts, double entry, in whole grains."""
