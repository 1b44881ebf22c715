"""SQLite files of a social bot (`bot_memory` …) and of a desktop character (`chat_turns` …)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from gieok.domain.attributes import ContentType
from gieok.domain.record import shown
from gieok.domain.scope import Scope
from gieok.domain.turn import CHARACTER, USER
from gieok.errors import ErrorText, InvalidImport
from gieok.interop.importers.fields import Row, scope_of, unique
from gieok.interop.importers.files import open_sqlite, table_names, table_rows
from gieok.interop.importers.records import ImportedMemory, ImportedPerson, ImportedTurn, Item, Skipped, Whose


@contextmanager
def _tables(path: Path, *wanted: str) -> Iterator[Callable[[str], Iterator[Row]]]:
    """Open a file; yield a function that returns the rows of a table, or none if it does not exist."""
    with open_sqlite(path) as connection:
        names = table_names(connection)
        if not names.intersection(wanted):
            raise InvalidImport(ErrorText("import.no_tables", name=path.name, known=", ".join(wanted)))
        yield lambda name: table_rows(connection, name) if name in names else iter(())


_SENTIMENTS: Final = {
    "very_negative": -0.9, "hostile": -0.9, "negative": -0.5, "neutral": 0.0, "mixed": 0.0, "positive": 0.5,
    "friendly": 0.5, "very_positive": 0.9,
}  # fmt: skip
_BOOKMARKED: Final = 0.8  #: importance
_SHORT: Final = 500  #: characters of the message that an answer belongs to


def read_social(path: Path, whose: Whose) -> Iterator[Item]:
    """Read the data of a social bot. All of it goes to the bot's scope without a user, as in `gieok.interop.social`."""
    if whose.character is None:
        raise InvalidImport(ErrorText("import.bot_name"))
    scope = scope_of("the file", whose)
    with _tables(path, "bot_memory", "collected_info", "good_examples") as tables:
        for row in tables("bot_memory"):
            yield _person(row, scope)
        for row in tables("collected_info"):
            yield _collected(row, scope, whose)
        top = max((row.number("engagement_score") for row in tables("good_examples")), default=0.0)
        for row in tables("good_examples"):
            yield _example(row, scope, whose, top)


def _person(row: Row, scope: Scope) -> ImportedPerson | Skipped:
    name = _author(row.name("entity_name", "name"), scope)
    if name is None:
        return Skipped(where=row.where, why=ErrorText("skip.nameless"), scope=scope)
    platform = row.name("platform")
    return ImportedPerson(
        scope=scope,
        origin=f"bot_memory {platform} {name}",
        where=row.where,
        name=name,
        platform=platform,
        first_seen=row.moment("first_seen_at"),
        last_seen=row.moment("last_interaction_at"),
        meetings=row.count("interaction_count"),
        topics=_topics(row),
        sentiment=_sentiment(row),
        summary=row.name("relationship_notes"),
    )


def _author(name: str | None, scope: Scope) -> str | None:
    """Return the name of a person. Another person with the bot's name or a role word gets an "@"."""
    return f"@{name}" if name in (USER, CHARACTER, "world", scope.character, scope.world) and name else name


def _topics(row: Row) -> dict[str, int]:
    """Return topics with counts, from a list of words or an object of counts."""
    found: dict[str, int] = {}
    for part in row.items("topics"):
        counts = part if isinstance(part, Mapping) else {Row({"a topic": part}, row.where).text("a topic"): 1}
        for topic in counts:
            found[str(topic)] = found.get(str(topic), 0) + Row(counts, row.where).count(topic)
    return {topic: times for topic, times in found.items() if topic.strip()}


def _sentiment(row: Row) -> float | None:
    label = row.text("sentiment").casefold()
    score: float | None = _SENTIMENTS.get(label)
    if row.get("sentiment_score") is not None:
        score = row.number("sentiment_score")
    elif label and score is None:
        try:
            score = float(label)
        except ValueError as cause:
            raise row.error(ErrorText("import.sentiment", label=shown(label), known=", ".join(_SENTIMENTS))) from cause
    return None if score is None else max(-1.0, min(1.0, score))


def _collected(row: Row, scope: Scope, whose: Whose) -> ImportedMemory:
    title, content = row.text("title"), row.text("content")
    return ImportedMemory(
        scope=scope,
        origin=f"collected_info {row.get('id')}",
        where=row.where,
        content=content if not title or title in content else f"{title}\n{content}".strip(),
        about="world",
        type="fact",
        said_by=_author(row.name("author"), scope),
        importance=_BOOKMARKED if row.get("bookmarked") in (1, "1", "true", "TRUE") else None,
        at=row.moment("timestamp", "created_at"),
        tags=unique((row.text("category"), *row.words("tags"), row.text("platform"), row.text("source_url"))),
        vector=row.vector("embedding"),
        embedder=whose.embedder,
    )


def _example(row: Row, scope: Scope, whose: Whose, top: float) -> ImportedMemory:
    """Return an answer that was liked; its importance grows with the likes."""
    asked = row.text("context_title") or row.text("context_content")[:_SHORT]
    answer = row.text("bot_response")
    score = row.number("engagement_score")
    counts = [f"{name}:{row.count(name)}" for name in ("reply_count", "upvote_count") if row.count(name)]
    return ImportedMemory(
        scope=scope,
        origin=f"good_examples {row.get('id')}",
        where=row.where,
        content=f"{asked}\n→ {answer}" if asked and answer else answer,
        about=CHARACTER,
        type="event",
        kind="episodic",
        said_by=CHARACTER,
        importance=0.5 + 0.5 * max(score, 0.0) / top if top > 0 else None,
        at=row.moment("created_at"),
        tags=("good_example", *(each for each in (row.text("action_type"), row.text("platform")) if each), *counts),
        vector=row.vector("embedding"),
        embedder=whose.embedder,
    )


_USERS: Final = ("user", "human")
_CHARACTERS: Final = ("assistant", "character", "bot", "ai")
_ABOUT: Final = {"user": USER, "assistant": CHARACTER, "character": CHARACTER, "pair": USER}
_TYPES: Final[dict[str, ContentType]] = {
    "promise": "promise", "boundary": "constraint", "fact": "fact", "relationship": "personal", "plan": "todo",
    "preference": "preference", "emotion": "opinion", "event": "event",
}  # fmt: skip
_PINNED: Final = ("promise", "boundary")
_PROMOTED: Final = ("promoted", "slot", "merged")


def read_vtuber(path: Path, whose: Whose) -> Iterator[Item]:
    """Read the turns, slots (stored memories) and candidates (rejected ones) of a desktop character.

    A promoted candidate is merged into its slot, which gets its certainty and emotion. The vectors come from a
    classifier and are not imported.
    """
    if whose.user is None or whose.character is None:
        raise InvalidImport(ErrorText("import.both_names"))
    scope = scope_of("the file", whose)
    with _tables(path, "chat_turns", "memory_candidates", "memory_slots") as tables:
        yield from _turns(tables("chat_turns"), scope)
        weighed = {_slot_key(row): _weights(row) for row in tables("memory_candidates")}
        for row in tables("memory_slots"):
            origin = f"memory_slots {row.get('session_id')} {row.get('id')}"
            yield _memory(row, scope, origin, weighed.get(_slot_key(row), {}), believed=True)
        for row in tables("memory_candidates"):
            if row.text("status").casefold() in _PROMOTED:
                yield Skipped(where=row.where, why=ErrorText("skip.promoted"), scope=scope)
            else:
                yield _memory(row, scope, f"memory_candidates {row.get('id')}", _weights(row), believed=False)


def _slot_key(row: Row) -> tuple[object, object]:
    return (row.get("session_id"), row.get("key"))


def _weights(row: Row) -> dict[str, float]:
    return {"certainty": row.share("confidence", default=1.0), "emotion_intensity": row.share("emotion_intensity")}


def _turns(rows: Iterator[Row], scope: Scope) -> Iterator[ImportedTurn | Skipped]:
    """Yield turns: the user's message, and the character's answer in the same turn."""
    said: Row | None = None
    for row in rows:
        role = row.text("role", "speaker").casefold()
        answers = role in _CHARACTERS and said is not None and _turn_key(said) == _turn_key(row)
        if said is not None and not answers:
            yield _turn(said, None, scope)
            said = None
        if role in _CHARACTERS:
            yield _turn(said, row, scope)
            said = None
        elif role in _USERS:
            said = row
        elif role == "system":
            yield Skipped(where=row.where, why=ErrorText("skip.program"), scope=scope)
        else:
            raise row.error(ErrorText("import.role", role=shown(role)))
    if said is not None:
        yield _turn(said, None, scope)


def _turn_key(row: Row) -> tuple[object, object]:
    return (row.get("session_id"), row.get("turn_idx"))


def _turn(said: Row | None, answer: Row | None, scope: Scope) -> ImportedTurn:
    first = said or answer
    assert first is not None, "one of the two is there"
    return ImportedTurn(
        scope=scope,
        origin=f"chat_turns {first.get('id')}",
        where=first.where,
        text=said.name("text", "content") if said else None,
        reply=answer.name("text", "content") if answer else None,
        at=first.moment("ts", "created_at"),
        session=first.name("session_id"),
    )


def _memory(row: Row, scope: Scope, origin: str, weights: Mapping[str, Any], *, believed: bool) -> ImportedMemory:
    kind, subject = row.text("type").casefold(), row.text("subject")
    key, value = row.text("key").replace("_", " "), row.text("value", "content")
    return ImportedMemory(
        scope=scope,
        origin=origin,
        where=row.where,
        content=value if not key or key in value or not value else f"{key}: {value}",
        about=_ABOUT.get(subject.casefold(), subject or USER),
        type=_TYPES.get(kind, "fact"),
        importance=row.share("score") if row.get("score") is not None else None,
        at=row.moment("updated_at", "created_at"),
        tags=unique((kind, key, subject if subject == "pair" else None)),
        pinned=believed and kind in _PINNED,
        believed=believed,
        **weights,
    )
