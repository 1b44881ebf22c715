"""A bank behind the proxy, over real HTTP, in front of a model that does as it is told."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Condition
from typing import Any

import openai

import gieok
from gieok.access.caller import Caller
from gieok.proxy.routes import ChatMemory
from gieok.serve.app import create_app
from support.api import let_in_as
from support.clients import Pair
from support.misbehaving import Misbehaving
from support.serving import served


class Turns:
    """A watch over a bank that wakes whoever waits for a turn to be kept."""

    def __init__(self) -> None:
        self._kept = Condition()

    def took(self, what: str, part: str, seconds: float) -> None:
        if what == "observe":
            with self._kept:
                self._kept.notify_all()

    def counted(self, what: str, part: str, by: float = 1.0) -> None: ...

    def until(self, holds: Callable[[], bool], within: float = 30.0) -> bool:
        """Wait until `holds`, looking after every turn that is kept."""
        with self._kept:
            return self._kept.wait_for(holds, within)


@dataclass(frozen=True)
class Proxied:
    """What a test holds."""

    url: str  #: of gieok, with /v1
    bank: gieok.MemoryBank
    model: Misbehaving
    client: openai.OpenAI
    turns: Turns
    memory: ChatMemory

    def ask(self, messages: list[dict[str, Any]], *, model: str = "gieok/letia", **more: Any) -> str | None:
        """Send messages as the official client does, and return the reply."""
        answer: Any = self.client.chat.completions.create(model=model, messages=messages, **more)  # type: ignore[arg-type]  # plain dicts, as apps send them
        return answer.choices[0].message.content

    def mind(self, character: str = "letia", user: str = "user") -> gieok.Mind:
        return self.bank.scope(user=user, character=character)

    def sessions(self, character: str = "letia") -> dict[str | None, list[Pair]]:
        """Return what the log holds, by session, in its order."""
        found: dict[str | None, list[Pair]] = {}
        for turn in self.mind(character).turns(1_000):
            words = {each.speaker: each.text for each in turn.utterances}
            found.setdefault(turn.session, []).append((words.get("user"), words.get("character")))
        return found

    def talk(self, character: str = "letia") -> list[Pair]:
        """Return the only session."""
        found = self.sessions(character)
        assert len(found) <= 1, found
        return next(iter(found.values()), [])


@cache
def _warmed() -> None:
    """Load what a first turn, context and rewind load: it takes seconds, and memory must not be late."""
    with TemporaryDirectory() as folder, gieok.open(Path(folder) / "warm.db", embedder="hashing") as bank:
        bank.warm()
        mind = bank.scope(user="u", character="c")
        turn = mind.observe("나 고양이 좋아해", reply="저도요").turn
        mind.context("고양이", shown=())
        mind.rewind(turn.id)


@contextmanager
def proxied(folder: Path, caller: Caller | None = None, **settings: Any) -> Iterator[Proxied]:
    """Serve a new bank, whose model misbehaves on demand."""
    with Misbehaving() as model:
        given = {"embedder": "hashing", "proxy_url": model.url, "proxy_key": "upstream-key", "proxy_model": "small"}
        turns = Turns()
        with gieok.open(folder / "bank.db", watch=turns, **{**given, **settings}) as bank:
            _warmed()
            app = create_app(bank)
            with (
                served(let_in_as(app, caller or Caller())) as url,
                openai.OpenAI(base_url=f"{url}/v1", api_key="gk-client", max_retries=0) as client,
            ):
                yield Proxied(f"{url}/v1", bank, model, client, turns, app.state.proxy.memory)
