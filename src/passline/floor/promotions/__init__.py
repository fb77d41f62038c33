"""Promotional prizes: what is offered, how it is drawn and paid, and what is kept; by the house's own rules."""
