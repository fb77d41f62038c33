"""A live table as one pure machine, below every store: what is asked, what is answered, what is known afterwards."""
