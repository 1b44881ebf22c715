"""Public objects: a bank of memories, and the mind of one character for one user."""

from gieok.bank.memory_bank import MemoryBank, SystemClock, open_bank
from gieok.bank.mind import Mind
from gieok.bank.services import is_begun, iter_scopes

__all__ = ["MemoryBank", "Mind", "SystemClock", "is_begun", "iter_scopes", "open_bank"]
