"""The old tables of a social bot: whom it met (`bot_memory`), what it gathered, and its best answers.

All of it is the bot's own: it goes to the scope of the bot without a user, as `gieok.interop.social` has it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from gieok.domain.scope import Scope
from gieok.domain.turn import CHARACTER, USER
from gieok.errors import InvalidImport
from gieok.interop.importers.files import (
    Row,
    count_of,
    list_of,
    moment_of,
    number_of,
    rows,
    scope_for,
    tables_of,
    text_of,
    vector_of,
    words_of,
)
from gieok.interop.importers.files import named_values as named
from gieok.interop.importers.files import opened_tables as opened
from gieok.interop.importers.files import shown_values as shown
from gieok.interop.importers.records import Acquaintance, Arrival, Known, LeftOut, Whose

if TYPE_CHECKING:
    import apsw


_TABLES: Final = ("bot_memory", "collected_info", "good_examples")
_SENTIMENTS: Final = {
    "very_negative": -0.9, "hostile": -0.9, "negative": -0.5, "neutral": 0.0, "mixed": 0.0, "positive": 0.5,
    "friendly": 0.5, "very_positive": 0.9,
}  # fmt: skip
_BOOKMARKED: Final = 0.8  #: the importance of what somebody put a mark on
_SHORT: Final = 500  #: characters of what an answer was given to


def read_social(path: Path, whose: Whose) -> Iterator[Arrival]:
    """Yield what the bot knew, table by table."""
    if whose.character is None:
        raise InvalidImport("the file does not say what the bot is called; give its name with --character")
    scope = scope_for(whose, "the file")
    with opened(path) as connection:
        there = tables_of(connection)
        if not there.intersection(_TABLES):
            raise InvalidImport(f"{path.name!r} has none of the tables {', '.join(_TABLES)}")
        if "bot_memory" in there:
            for where, row in rows(connection, "bot_memory"):
                yield _acquaintance(row, scope, where)
        if "collected_info" in there:
            for where, row in rows(connection, "collected_info"):
                yield _gathered(row, scope, whose, where)
        if "good_examples" in there:
            yield from _examples(connection, scope, whose)


def _acquaintance(row: Row, scope: Scope, where: str) -> Acquaintance | LeftOut:
    name = _stranger(row.get("entity_name") or row.get("name"), scope, where)
    if name is None:
        return LeftOut(where=where, why="it has no name", scope=scope)
    platform = named(row.get("platform"), "platform", where)
    return Acquaintance(
        scope=scope,
        origin=f"bot_memory {platform} {name}",
        where=where,
        name=name,
        platform=platform,
        first_seen=moment_of(row.get("first_seen_at"), where),
        last_seen=moment_of(row.get("last_interaction_at"), where),
        meetings=count_of(row.get("interaction_count"), "interaction_count", where),
        topics=_topics(row.get("topics"), where),
        sentiment=_sentiment(row, where),
        summary=text_of(row.get("relationship_notes"), "relationship_notes", where) or None,
    )


def _stranger(value: Any, scope: Scope, where: str) -> str | None:
    """Return what somebody is called: anybody can call themself as the bot is called, and is not the bot."""
    name = named(value, "a name", where)
    return f"@{name}" if name in (USER, CHARACTER, "world", scope.character, scope.world) and name else name


def _topics(value: Any, where: str) -> dict[str, int]:
    """Return topics with how often each came up, from a list of words or an object of counts."""
    found: dict[str, int] = {}
    for part in list_of(value, "topics", where):
        if isinstance(part, Mapping):
            for topic, times in part.items():
                found[str(topic)] = found.get(str(topic), 0) + count_of(times, f"topic {shown(topic)}", where)
        elif topic := text_of(part, "a topic", where):
            found[topic] = found.get(topic, 0) + 1
    return {topic: times for topic, times in found.items() if topic.strip()}


def _sentiment(row: Row, where: str) -> float | None:
    if row.get("sentiment_score") is not None:
        return max(-1.0, min(1.0, number_of(row["sentiment_score"], "sentiment_score", where)))
    label = text_of(row.get("sentiment"), "sentiment", where).casefold()
    if label and label not in _SENTIMENTS:
        try:
            return max(-1.0, min(1.0, float(label)))
        except ValueError as cause:
            raise InvalidImport(
                f"sentiment is {shown(label)}, none of {', '.join(_SENTIMENTS)}", where=where
            ) from cause
    return _SENTIMENTS.get(label)


def _gathered(row: Row, scope: Scope, whose: Whose, where: str) -> Known:
    title = text_of(row.get("title"), "title", where)
    content = text_of(row.get("content"), "content", where)
    platform, category = (text_of(row.get(name), name, where) for name in ("platform", "category"))
    tags = (category, *words_of(row.get("tags"), "tags", where), platform, _link(row, where))
    return Known(
        scope=scope,
        origin=f"collected_info {row.get('id')}",
        where=where,
        content=content if not title or title in content else f"{title}\n{content}".strip(),
        about="world",
        type="fact",
        said_by=_stranger(row.get("author"), scope, where),
        importance=_BOOKMARKED if row.get("bookmarked") in (1, "1", "true", "TRUE") else None,
        at=moment_of(row.get("timestamp") or row.get("created_at"), where),
        tags=tuple(dict.fromkeys(tag for tag in tags if tag)),
        vector=vector_of(row.get("embedding"), where),
        embedder=whose.embedder,
    )


def _link(row: Row, where: str) -> str:
    return text_of(row.get("source_url"), "source_url", where)


def _examples(connection: apsw.Connection, scope: Scope, whose: Whose) -> Iterator[Known]:
    """Yield the answers that were liked; the best of them is the most important."""
    top = max(
        (number_of(row.get("engagement_score"), "engagement_score", where) for where, row in _liked(connection)),
        default=0.0,
    )
    for where, row in _liked(connection):
        yield _example(row, scope, whose, top, where)


def _liked(connection: apsw.Connection) -> Iterator[tuple[str, Row]]:
    return rows(connection, "good_examples")


def _example(row: Row, scope: Scope, whose: Whose, top: float, where: str) -> Known:
    asked = text_of(row.get("context_title"), "context_title", where)
    asked = asked or text_of(row.get("context_content"), "context_content", where)[:_SHORT]
    answer = text_of(row.get("bot_response"), "bot_response", where)
    score = number_of(row.get("engagement_score"), "engagement_score", where)
    counted = (
        f"{name}:{times}" for name in ("reply_count", "upvote_count") if (times := count_of(row.get(name), name, where))
    )
    described = (text_of(row.get(name), name, where) for name in ("action_type", "platform"))
    return Known(
        scope=scope,
        origin=f"good_examples {row.get('id')}",
        where=where,
        content=f"{asked}\n→ {answer}" if asked and answer else answer,
        about=CHARACTER,
        type="event",
        kind="episodic",
        said_by=CHARACTER,
        importance=0.5 + 0.5 * max(score, 0.0) / top if top > 0 else None,
        at=moment_of(row.get("created_at"), where),
        tags=("good_example", *(each for each in described if each), *counted),
        vector=vector_of(row.get("embedding"), where),
        embedder=whose.embedder,
    )
