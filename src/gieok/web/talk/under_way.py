"""Replies that are under way in open pages: a server that stops has each of them kept as it stands."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from gieok.conversation.interrupting import Interruptible

_under_way: dict[Interruptible, asyncio.Event] = {}


@contextmanager
def noted(speaking: Interruptible) -> Iterator[None]:
    """Note a reply for as long as it lasts, and until it is kept."""
    over = _under_way[speaking] = asyncio.Event()
    try:
        yield
    finally:
        del _under_way[speaking]
        over.set()


async def end_all(seconds: float = 3.0) -> None:
    """Break off all replies, and wait so long until what was said is kept."""
    waited = [over.wait() for over in _under_way.values()]
    for speaking in list(_under_way):
        speaking.break_off()
    with suppress(TimeoutError):
        await asyncio.wait_for(asyncio.gather(*waited), seconds)
