"""mem0's classes over a bank: whoever used mem0 changes one import."""

from gieok.interop.mem0.asynchronous import AsyncMemory
from gieok.interop.mem0.memory import Memory

__all__ = ["AsyncMemory", "Memory"]
