"""One person at a table: company, dice, amounts, the felt's plan, hints, words, the reckoning; no screen is needed."""
