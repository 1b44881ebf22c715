"""Lists of memories outlast what changes nothing in them, and are what the file says after every write."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

import gieok
from gieok.bank import MemoryBank
from gieok.domain.scope import Scope
from gieok.ports import MemoryFilter, Topic
from gieok.stores.sqlite.connection import Connection

SCOPE = Scope(user="민수")
NOW = datetime(2100, 1, 1, tzinfo=UTC)
HOME = Topic(subject="user", subject_id="user", attributes=("residence",))


def listed(bank: MemoryBank) -> list[list[str]]:
    with bank.services.store.view(SCOPE) as view:
        lists = (
            view.memories(MemoryFilter(pinned=True, current_at=NOW)),
            view.memories(MemoryFilter(subject="user", attribute="likes", current_at=NOW)),
            view.memories_about([HOME]),
            view.concluded(),
        )
        return [[memory.content for memory in each] for each in lists]


def test_lists_follow_every_write(tmp_path: Path) -> None:
    place = tmp_path / "bank.db"
    with (
        gieok.open(place, embedder="hashing", upkeep="off") as bank,
        gieok.open(place, embedder="hashing", upkeep="off") as beside,
    ):
        mind = bank.mind(SCOPE)

        def look() -> list[list[str]]:
            with gieok.open(place, embedder="hashing", upkeep="off") as fresh:
                expected = listed(fresh)
            assert listed(bank) == listed(beside) == expected
            return expected

        before = look()
        turn = mind.observe("나 합정 살아. 라면 좋아해").turn
        for change in (
            lambda: mind.observe("나 이제 판교 살아"),
            lambda: mind.pin(mind.facts(attribute="likes")[0].id),
            lambda: mind.correct(mind.facts(attribute="likes")[0].id, "김밥을 좋아함"),
            lambda: beside.mind(SCOPE).remember("만두를 좋아함", attribute="likes", value="만두"),
            lambda: mind.forget(mind.facts(attribute="likes")[0].id),
            lambda: mind.rewind(turn.id),
        ):
            change()
            after = look()
            assert after != before
            before = after


def test_a_turn_that_only_uses_memories_leaves_the_lists_as_they_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    rows = Connection.rows
    with gieok.open(tmp_path / "bank.db", embedder="hashing", upkeep="off") as bank:
        mind = bank.mind(SCOPE)
        mind.observe("나 합정 살아. 라면 좋아해")
        before = listed(bank)
        mind.observe("오늘 뭐 먹지?", reply="글쎄요", context=mind.context("오늘 뭐 먹지?"))
        assert mind.facts(attribute="residence")[0].uses == 1
        monkeypatch.setattr(
            Connection, "rows", lambda *query, **values: asked.append(query[1]) or rows(*query, **values)
        )
        assert listed(bank) == before
    assert not [query for query in asked if query.startswith("find_")]
