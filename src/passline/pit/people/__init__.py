"""Who is who: accounts, guests, tokens, roles, and what each role may do."""
