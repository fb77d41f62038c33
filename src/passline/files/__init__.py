"""Files and what people write in them: TOML, faults found, files written whole, amounts of money."""
