"""What a strategy can say: its file, its words, and the records they become."""
