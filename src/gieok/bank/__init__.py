"""The objects users hold: a bank of memories, and the mind of one character for one user."""

from gieok.bank.memory_bank import MemoryBank, SystemClock, open_bank
from gieok.bank.mind import Mind

__all__ = ["MemoryBank", "Mind", "SystemClock", "open_bank"]
