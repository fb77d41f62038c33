"""The tests; a package, so that what they share can be imported as `tests.…`."""
