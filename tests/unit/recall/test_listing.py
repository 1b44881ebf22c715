"""Listing what is known, without ranking, and the last turns."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import gieok
from gieok.bank.history import facts_in
from gieok.domain.memory import Memory
from gieok.domain.scope import Scope
from gieok.ports import MemoryFilter
from gieok.stores.sqlite import SqliteStore, open_store
from gieok.testing import HashVectors, Scribe, claim, day, entry_for, memory, note

VECTORS = HashVectors(32)
SCOPE = Scope(user="minsu", character="letia")


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    store = open_store(tmp_path / "bank.db", embedder=VECTORS.name, dimension=VECTORS.dimension)
    yield store
    store.close()


@pytest.fixture
def scribe(store: SqliteStore) -> Scribe:
    return Scribe(store, SCOPE, vectors=VECTORS)


def listed(scribe: Scribe, now: float = 100, history: bool = False, **options: Any) -> list[str]:
    moments = {name: options.pop(name, None) for name in ("as_of", "known_at")}
    with scribe.store.view(SCOPE) as view:
        found = facts_in(view, MemoryFilter(**options), day(now), ever=history, **moments)
    return [each.content for each in found]


def write(scribe: Scribe, *memories: Memory) -> None:
    with scribe.store.locked(SCOPE) as room:
        room.apply(entry_for(memories=memories, vectors=VECTORS))


def moved(scribe: Scribe) -> None:
    scribe.remember(claim("residence", "서울"), at=day(2))
    scribe.remember(claim("residence", "부산"), at=day(6))


def test_the_present_is_the_newest_turn_or_the_clock_whichever_is_further(open_mind: Callable[..., gieok.Mind]) -> None:
    mind = open_mind()
    assert mind.present() == day(6), "nothing was ever said"
    mind.observe("안녕", at=day(5))
    assert mind.present() == day(6)
    mind.observe("안녕", at=day(7))
    assert mind.present() == day(7)


def test_facts_are_what_is_true_now_or_was_at_another_moment_or_ever(scribe: Scribe) -> None:
    moved(scribe)

    assert listed(scribe) == ["residence: 부산"]
    assert listed(scribe, as_of=day(4)) == ["residence: 서울"]
    assert listed(scribe, as_of=day(1)) == []
    assert listed(scribe, history=True) == ["residence: 서울", "residence: 부산"]


def test_what_was_believed_then_is_told_of_then_or_of_another_moment(scribe: Scribe) -> None:
    moved(scribe)

    assert listed(scribe, known_at=day(4)) == ["residence: 서울"]
    assert listed(scribe, known_at=day(4), as_of=day(50)) == ["residence: 서울"]
    assert listed(scribe, known_at=day(4), as_of=day(1)) == []
    assert listed(scribe, known_at=day(50), as_of=day(4)) == ["residence: 서울"]
    assert listed(scribe, known_at=day(50), history=True) == ["residence: 서울", "residence: 부산"]


def test_the_history_holds_what_faded_but_not_what_was_forgotten_or_never_true(scribe: Scribe) -> None:
    write(
        scribe,
        memory("남음"),
        memory("흐려짐", faded_at=day(2)),
        memory("잊음", forgotten_at=day(2)),
        memory("거짓", retracted=True),
    )

    assert listed(scribe) == ["남음"]
    assert sorted(listed(scribe, history=True)) == ["남음", "흐려짐"]


def test_conclusions_are_listed_only_where_their_type_is_asked_for(scribe: Scribe) -> None:
    drawn = {"origin": "reflection", "extractor": "upkeep/1"}
    write(scribe, memory("사실"), memory("요약", content_type="summary", **drawn))

    assert listed(scribe) == ["사실"]
    assert listed(scribe, history=True) == ["사실"]
    assert listed(scribe, content_type="summary") == ["요약"]


@pytest.mark.parametrize(
    ("which", "found"),
    [
        ({}, ["아빠", "나"]),
        ({"subject": "other"}, ["아빠"]),
        ({"subject_id": "user"}, ["나"]),
        ({"speaker": "character"}, ["아빠"]),
        ({"content_type": "event"}, ["나"]),
        ({"attribute": "job"}, ["아빠"]),
        ({"learned_since": day(3)}, ["나"]),
        ({"learned_since": day(2)}, ["아빠", "나"]),
    ],
)
def test_an_earlier_belief_is_narrowed_down_like_todays(
    scribe: Scribe, which: dict[str, Any], found: list[str]
) -> None:
    of_dad = {"subject": "other", "subject_id": "아빠", "speaker": "character"}
    scribe.remember(claim("job", "의사", content="아빠", content_type="fact", **of_dad), at=day(2))
    scribe.remember(note("나", content_type="event"), at=day(3))

    assert listed(scribe, known_at=day(9), **which) == listed(scribe, **which) == found


@pytest.mark.parametrize(
    ("settings", "now", "told"),
    [
        ({"recent_turns": 2}, 9, "셋 넷 다섯 여섯"),
        ({"recent_turns": 9}, 9, "하나 둘 셋 넷 다섯 여섯"),
        ({"recent_turns": 9}, 2, "하나 둘 셋 넷"),
        ({"recent_turns": 9}, 1.9, "하나 둘"),
        ({"recent_turns": 1, "recent_messages": 1}, 9, "여섯"),
        ({"recent_turns": 1, "recent_messages": 3}, 9, "넷 다섯 여섯"),
        ({"recent_turns": 1, "recent_messages": 30}, 9, "하나 둘 셋 넷 다섯 여섯"),
    ],
)
def test_the_last_turns_or_messages_are_quoted_oldest_first_as_far_as_they_are_past(
    open_mind: Callable[..., gieok.Mind], settings: dict[str, int], now: float, told: str
) -> None:
    mind = open_mind(**settings)
    mind.observe("하나", reply="둘", at=day(1))
    mind.observe("셋", reply="넷", at=day(2))
    mind.observe("다섯", reply="여섯", at=day(3))

    [talk] = [block for block in mind.context("안녕", at=day(now)).blocks if block.name == "talk"]
    assert " ".join(line.partition(": ")[2] for line in talk.text.splitlines()[1:]) == told
