"""Builders of domain values: `turn("안녕", "안녕하세요!")`, `claim("likes", "고양이")`.

Ids are unique within a run; everything else is the same in every run.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta, timezone
from itertools import count
from typing import Any, Final

from gieok.domain.attributes import attribute as schema_of
from gieok.domain.claim import Claim
from gieok.domain.judgement import Moment
from gieok.domain.memory import Change, Memory
from gieok.domain.operation import Learn, Operation
from gieok.domain.turn import CHARACTER, USER, Turn, Utterance
from gieok.ports import Entry, IndexEntry
from gieok.testing.stand_ins import HashVectors

SEOUL: Final = timezone(timedelta(hours=9))
DAY_1: Final = datetime(2026, 3, 1, 9, 0, tzinfo=SEOUL)
WALL: Final = datetime(2026, 10, 1, 0, 0, 0, 123_456, tzinfo=UTC)

_numbers: Final = count(1)


def made_id(prefix: str) -> str:
    return f"{prefix}-{next(_numbers)}"


def day(number: float) -> datetime:
    """Return the morning of the story's day `number`; `day(1)` is `DAY_1`."""
    return DAY_1 + timedelta(days=number - 1)


def turn(
    *lines: str | tuple[str, str],
    id: str | None = None,
    at: datetime = DAY_1,
    recorded_at: datetime = WALL,
    session: str | None = None,
    channel: str | None = None,
    present: tuple[str, ...] = (),
    cut_off: bool = False,
) -> Turn:
    """Return an exchange: plain lines are by user and character in turn, pairs name their speaker."""
    turn_id = id or made_id("turn")
    by_turns = (USER, CHARACTER)
    said = [line if isinstance(line, tuple) else (by_turns[i % 2], line) for i, line in enumerate(lines)]
    utterances = tuple(
        Utterance(
            id=f"{turn_id}/{position}",
            turn_id=turn_id,
            speaker=speaker,
            text=text,
            at=at,
            position=position,
            session=session,
        )
        for position, (speaker, text) in enumerate(said)
    )
    return Turn(
        id=turn_id,
        utterances=utterances,
        at=at,
        recorded_at=recorded_at,
        session=session,
        channel=channel,
        present=present,
        cut_off=cut_off,
    )


def claim(attribute: str, value: str | None, **fields: Any) -> Claim:
    """Return a claim of the user about themself: `claim("likes", "고양이")`; `fields` override any field."""
    about = {
        **_about_user("claim"),
        "content": f"{attribute}: {value}",
        "content_type": schema_of(attribute).content_type,
        "surface": value,
    }
    return Claim(**{**about, "attribute": attribute, "value": value, **fields})


def note(content: str, **fields: Any) -> Claim:
    """Return a claim without an attribute that is important enough to be remembered."""
    about = {**_about_user("claim"), "content_type": "event", "importance": 0.8}
    return Claim(**{**about, "content": content, **fields})


def memory(content: str = "고양이를 좋아함", **fields: Any) -> Memory:
    """Return a belief about the user, true and known since `DAY_1`."""
    about = {
        **_about_user("memory"),
        "content_type": "fact",
        "kind": "semantic",
        "valid_at": DAY_1,
        "known_at": DAY_1,
        "recorded_at": WALL,
    }
    return Memory(**{**about, "content": content, **fields})


def _about_user(prefix: str) -> dict[str, Any]:
    return {"id": made_id(prefix), "speaker": USER, "subject": "user", "subject_id": "user"}


def entry_for(
    turn: Turn | None = None,
    *,
    memories: tuple[Memory | Change, ...] = (),
    at: datetime | None = None,
    index: Mapping[str, IndexEntry] | None = None,
    unread: bool = False,
    vectors: HashVectors | None = None,
    **fields: Any,
) -> Entry:
    """Return an entry that logs `turn` and writes `memories` without judging them.

    Utterances and new or changed memories are indexed by their words, unless `index` is given.
    """
    moment = at or (turn.at if turn else DAY_1)
    changes = tuple(each if isinstance(each, Change) else Change(before=None, after=each) for each in memories)
    about: dict[str, Any] = {
        "id": made_id("operation"),
        "kind": "observe" if turn else "remember",
        "moment": Moment(at=moment, recorded_at=WALL, turn_number=0),
        "who": "person",
        "request": Learn(),
        "turn_id": turn.id if turn else None,
        "changes": changes,
    }
    return Entry(
        operation=Operation(**{**about, **fields}),
        turn=turn,
        unread=unread,
        index=index if index is not None else index_of(turn, changes, vectors or HashVectors()),
        memories=changes,
    )


def index_of(turn: Turn | None, changes: tuple[Change, ...], vectors: HashVectors) -> dict[str, IndexEntry]:
    """Return the index entries of a turn's utterances and of the memories whose words are new."""
    texts = {utterance.id: utterance.text for utterance in turn.utterances} if turn else {}
    for change in changes:
        after, before = change.after, change.before
        if after is not None and (before is None or before.content != after.content):
            texts[after.id] = after.content
    return {
        item_id: IndexEntry(terms=tuple(text.split()), vectors=vectors.embed([text])) for item_id, text in texts.items()
    }
