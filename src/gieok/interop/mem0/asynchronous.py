"""mem0's `AsyncMemory`: the same calls, each forwarded to a thread."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Mapping
from types import TracebackType
from typing import Any, Self

from gieok.bank import MemoryBank
from gieok.interop.mem0.memory import Memory
from gieok.interop.mem0.shapes import Item


class AsyncMemory:
    """A `Memory` whose calls are awaited. `sync` is the memory behind it."""

    def __init__(self, config: object = None, *, bank: MemoryBank | str | os.PathLike[str] | None = None) -> None:
        self.sync = Memory(config, bank=bank)
        self.bank = self.sync.bank

    @classmethod
    def from_config(cls, config_dict: Mapping[str, Any]) -> Self:
        """Return a memory as mem0's configuration describes it."""
        return cls(config_dict)

    async def add(self, messages: Any, **options: Any) -> dict[str, list[Item]]:
        return await asyncio.to_thread(self.sync.add, messages, **options)

    async def search(self, query: str, **options: Any) -> dict[str, list[Item]]:
        return await asyncio.to_thread(self.sync.search, query, **options)

    async def get(self, memory_id: str) -> Item | None:
        return await asyncio.to_thread(self.sync.get, memory_id)

    async def get_all(self, **options: Any) -> dict[str, list[Item]]:
        return await asyncio.to_thread(self.sync.get_all, **options)

    async def update(self, memory_id: str, *arguments: Any, **options: Any) -> dict[str, str]:
        return await asyncio.to_thread(self.sync.update, memory_id, *arguments, **options)

    async def delete(self, memory_id: str) -> dict[str, str]:
        return await asyncio.to_thread(self.sync.delete, memory_id)

    async def delete_all(self, **options: Any) -> dict[str, str]:
        return await asyncio.to_thread(self.sync.delete_all, **options)

    async def history(self, memory_id: str) -> list[Item]:
        return await asyncio.to_thread(self.sync.history, memory_id)

    async def reset(self) -> None:
        await asyncio.to_thread(self.sync.reset)

    def close(self) -> None:
        """Close the bank, if it was opened here."""
        self.sync.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await asyncio.to_thread(self.sync.close)
