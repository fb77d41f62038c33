"""A second, independent reading of the rules, and random records to compare it by."""
