"""What the tests of dice share."""

from tests.journal.closed import closed_journals

__all__ = ["closed_journals"]
