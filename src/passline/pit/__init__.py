"""Live tables: `decide` behind a journal, with dice that can be checked, whatever stops and starts in between."""

from passline.engine import commands
from passline.engine.values import Roll
from passline.journal.memory import MemoryJournal
from passline.journal.sqlite import SqliteJournal
from passline.live.requests import Ask
from passline.pit.keys import Keys, keys_at, new_keys, read_keys
from passline.pit.table import LiveTable

__all__ = [
    "Ask",
    "Keys",
    "LiveTable",
    "MemoryJournal",
    "Roll",
    "SqliteJournal",
    "commands",
    "keys_at",
    "new_keys",
    "read_keys",
]
