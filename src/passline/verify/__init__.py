"""Whether an exported journal is true: every check by itself, from docs/journal.md and docs/dice.md alone."""
