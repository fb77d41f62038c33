-- Postings are read out of the entries they stand in: kept once they cannot differ, and a commit writes a page less.
DROP TABLE postings
