"""Conversations for asyncio: each turn runs in its own thread, and its events are awaited."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Generator, Iterable
from contextlib import closing
from contextvars import copy_context
from threading import Event as Signal
from threading import Thread
from typing import Any

from gieok.conversation.conversation import Conversation
from gieok.conversation.events import Event


class AsyncConversation:
    """A `Conversation` with awaitable events. `sync` is the underlying conversation.

    It does not use the loop's thread pool: a turn that waits for another one would block a thread that the other needs.
    """

    def __init__(self, conversation: Conversation) -> None:
        self.sync = conversation

    def say(self, text: str, **options: Any) -> AsyncGenerator[Event, None]:
        """Answer `text` as `Conversation.say` does; cancelling or closing the generator interrupts the reply."""
        return _awaited(self.sync.say(text, **options))

    def regenerate(self, turn_id: str | None = None, *, include: Iterable[str] = ()) -> AsyncGenerator[Event, None]:
        return _awaited(self.sync.regenerate(turn_id, include=include))

    def edit(self, turn_id: str, text: str, *, include: Iterable[str] = ()) -> AsyncGenerator[Event, None]:
        return _awaited(self.sync.edit(turn_id, text, include=include))


async def _awaited(events: Generator[Event, None, None]) -> AsyncGenerator[Event, None]:
    loop = asyncio.get_running_loop()
    heard: asyncio.Queue[Event | BaseException | None] = asyncio.Queue()  # None: end of stream
    gone = Signal()

    def hand_over(news: Event | BaseException | None) -> None:
        try:
            loop.call_soon_threadsafe(heard.put_nowait, news)
        except RuntimeError:  # the loop is closed: there is no listener
            gone.set()

    def talk() -> None:
        try:
            with closing(events):
                for event in events:
                    if gone.is_set():
                        break
                    hand_over(event)
        except BaseException as error:  # noqa: BLE001 - it is raised again where the events are awaited
            hand_over(error)
        else:
            hand_over(None)

    # No daemon: at exit, the program waits until the turn is stored, which ends at the model's next piece.
    Thread(target=copy_context().run, args=(talk,), name="gieok-talk").start()
    try:
        while (news := await heard.get()) is not None:
            if isinstance(news, BaseException):
                raise news
            yield news
    finally:
        gone.set()
