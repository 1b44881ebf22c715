"""A client of the chat: it hears server-sent events, may hang up in the middle, and come back."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import httpx2

from support.misbehaving import Misbehaving, streaming

LETIA = {"user": "minsu", "character": "letia"}
SAID = "나 고양이 좋아해"
ALL = ["context", "delta", "emotion", "memory_update", "relationship", "done"]
LONGEST = 20  #: seconds until a test that hangs is given up


@dataclass(frozen=True)
class Heard:
    """One event as it came."""

    id: str
    name: str
    data: dict[str, Any]


def events_in(lines: Iterator[str], comments: list[str] | None = None) -> Iterator[Heard]:
    """Read a stream as a browser does; comments are put aside."""
    fields: dict[str, str] = {}
    for line in lines:
        if line.startswith(":"):
            if comments is not None:
                comments.append(line)
        elif line:
            name, _, value = line.partition(": ")
            fields[name] = value
        elif fields:
            yield Heard(fields["id"], fields["event"], json.loads(fields["data"]))
            fields = {}


class Chatter:
    """Somebody who chats in one scope."""

    def __init__(self, url: str, **scope: str) -> None:
        self.http = httpx2.Client(base_url=url, params=scope or LETIA, timeout=30)

    def __enter__(self) -> Chatter:
        return self

    def __exit__(self, *_: object) -> None:
        self.http.close()

    @contextmanager
    def hearing(
        self, method: str, path: str, last: str | None = None, comments: list[str] | None = None, **options: Any
    ) -> Iterator[Iterator[Heard]]:
        headers = {**options.pop("headers", {}), **({} if last is None else {"Last-Event-ID": last})}
        with self.http.stream(method, path, headers=headers, **options) as answer:
            if answer.status_code != 200:
                answer.read()
            assert answer.status_code == 200, answer.text
            assert answer.headers["content-type"].startswith("text/event-stream")
            yield events_in(answer.iter_lines(), comments)

    def saying(self, turn_id: str = "t1", text: str = SAID, last: str | None = None, **more: Any) -> Any:
        """Say something, and hear the events in a `with` block."""
        return self.hearing("POST", "/v1/chat", last, json={"text": text, "turn_id": turn_id, **more})

    def say(self, turn_id: str = "t1", text: str = SAID, last: str | None = None, **more: Any) -> list[Heard]:
        """Say something, and hear all of it."""
        with self.saying(turn_id, text, last, **more) as events:
            return list(events)

    def hear(self, turn_id: str = "t1", last: str | None = None) -> list[Heard]:
        """Hear a reply by its turn."""
        with self.hearing("GET", f"/v1/chat/{turn_id}/events", last) as events:
            return list(events)


def until(events: Iterator[Heard], enough: Callable[[list[Heard]], bool]) -> list[Heard]:
    """Hear events until there are enough of them."""
    heard: list[Heard] = []
    for event in events:
        heard.append(event)
        if enough(heard):
            break
    return heard


def names(events: list[Heard]) -> list[str]:
    """Return the names of the events, several deltas in a row as one."""
    return [
        each.name
        for before, each in zip([None, *events], events, strict=False)
        if before is None or each.name != "delta" or before.name != "delta"
    ]


def deltas(events: list[Heard]) -> str:
    return "".join(each.data["text"] for each in events if each.name == "delta")


def of(events: list[Heard], name: str) -> dict[str, Any]:
    """Return the data of the one event of that name."""
    [found] = [each.data for each in events if each.name == name]
    return found


def replies_asked(model: Misbehaving) -> int:
    return sum(streaming(asked) for asked in model.asked)


def first_deltas(many: int) -> Callable[[list[Heard]], bool]:
    return lambda heard: sum(each.name == "delta" for each in heard) == many
