"""A bank's lifetime: what it tells about itself, closing and opening again."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from random import Random
from typing import Any

import pytest

from gieok.domain.scope import Scope
from gieok.errors import BankClosed
from gieok.ports import ScopeSummary, Store
from gieok.testing.builders import claim, day
from gieok.testing.scribe import Scribe
from gieok.testing.stories import VALUES, tell
from gieok_contract.base import (
    LETIA,
    OTHER_VECTORS,
    SERA,
    VECTORS,
    Contract,
    Reopen,
    everything,
    near,
    read,
    turn_of,
)  # fmt: skip


def look(store: Store, scope: Scope) -> None:
    with store.view(scope) as view:
        view.turns(1)


def hold(store: Store, scope: Scope) -> None:
    with store.locked(scope) as room:
        room.turns(1)


class Lifetime(Contract):
    """What a store promises about the bank as a whole."""

    def test_a_new_bank_tells_what_it_is_made_of(self, store: Store) -> None:
        info = store.info()
        assert (info.embedder, info.dimension) == (VECTORS.name, VECTORS.dimension)
        assert info.engine
        assert info.location
        assert info.schema >= 1
        assert info.size_bytes >= 0
        names = {"scopes", "turns", "utterances", "memories", "operations", "unembedded"}
        assert {name: info.counts[name] for name in names} == dict.fromkeys(names, 0)
        assert not any((store.scopes(), store.problems(), store.unembedded(9)))

    def test_a_bank_counts_what_is_in_it(self, scribe: Scribe) -> None:
        scribe.observe("하나", "둘", claims=[claim("age", "25", id="c1")], at=day(1))
        scribe.observe("셋", claims=[claim("age", "26"), claim("likes", "고양이", id="c3")], at=day(2))
        scribe.pin("c3", at=day(3))
        Scribe(scribe.store, SERA).observe("넷", at=day(1))

        counts = scribe.store.info().counts
        assert (counts["scopes"], counts["turns"], counts["utterances"], counts["operations"]) == (2, 3, 4, 4)
        assert (counts["memories"], counts["unembedded"]) == (3, 0)
        by_scope = {summary.scope: summary for summary in scribe.store.scopes()}
        assert by_scope == {
            LETIA: ScopeSummary(scope=LETIA, turns=2, memories=3, utterances=3, latest_at=day(3)),
            SERA: ScopeSummary(scope=SERA, turns=1, memories=0, utterances=1, latest_at=day(1)),
        }

    def test_a_forgotten_memory_and_a_rewound_turn_no_longer_count(self, scribe: Scribe) -> None:
        scribe.observe("하나", claims=[claim("age", "25", id="c1")])
        scribe.observe("둘", "셋", id="t2")
        scribe.forget("c1")
        scribe.rewind("t2")
        (summary,) = scribe.store.scopes()
        assert (summary.turns, summary.memories, summary.utterances) == (1, 0, 1)

    @pytest.mark.parametrize("names", [("민수",), ("민수", "레티아"), (None, "레티아"), (None, None, "아카데미")])
    def test_a_scope_is_listed_under_its_own_name(self, store: Store, names: tuple[str | None, ...]) -> None:
        scope = Scope(**dict(zip(("user", "character", "world"), names, strict=False)))
        Scribe(store, scope).observe("안녕")
        assert [summary.scope for summary in store.scopes()] == [scope]

    def test_closing_and_opening_again_keeps_everything(self, store: Store, reopen: Reopen) -> None:
        for seed, scope in enumerate((LETIA, SERA)):
            tell(Scribe(store, scope), Random(seed), steps=25)
        words = [word for values in VALUES.values() for word in values]
        moments: list[datetime] = [day(number) for number in (1, 3, 8, 20)]

        def inside(store: Store, scope: Scope) -> dict[str, Any]:
            return read(store, scope, lambda view: everything(view, words=words, moments=moments))

        def picture(store: Store) -> list[Any]:
            whole = [store.scopes(), store.info().counts, near(store, "고양이 별")]
            return [*whole, inside(store, LETIA), inside(store, SERA)]

        before = picture(store)
        again = reopen()
        assert picture(again) == before
        assert again.problems() == []
        Scribe(again, LETIA, name="b").observe("다시 만났네", id="t-new")
        assert turn_of(again, "t-new").number == before[3]["turn_number"] + 1

    @pytest.mark.parametrize(
        "use",
        [
            lambda store: store.info(),
            lambda store: store.scopes(),
            lambda store: store.problems(),
            lambda store: look(store, LETIA),
            lambda store: hold(store, LETIA),
            lambda store: store.unembedded(1),
            lambda store: store.begin_reindex(OTHER_VECTORS.name, OTHER_VECTORS.dimension),
            lambda store: store.put_vectors([1], [VECTORS.embed(["고양이"])]),
            lambda store: store.finish_reindex(),
        ],
        ids=["info", "scopes", "problems", "view", "locked", "unembedded", "begin", "put", "finish"],
    )
    def test_a_closed_bank_says_so(self, scribe: Scribe, use: Callable[[Store], object]) -> None:
        scribe.observe("안녕")
        scribe.store.close()
        with pytest.raises(BankClosed):
            use(scribe.store)

    def test_closing_twice_is_closing_once(self, store: Store) -> None:
        store.close()
        store.close()
