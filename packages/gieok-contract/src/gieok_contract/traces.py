"""How turns came about: kept with the turn, for the last ones, and gone with it."""

from __future__ import annotations

from dataclasses import replace

from gieok.domain.answer import Found, Gathered, Injected, LeftOut, ModelCall, Read, Scored, Trace
from gieok.domain.scope import Scope
from gieok.domain.scoring import Parts
from gieok.domain.turn import Turn
from gieok.ports import Store
from gieok.testing.builders import WALL, day, entry_for
from gieok.testing.builders import turn as make_turn
from gieok.testing.scribe import Scribe
from gieok_contract.base import LETIA, Contract, Reopen, read, refused

OTHER = Scope(user="지호", character="letia")
TRACE = Trace(
    budget=1200,
    tokens=31,
    gathered=(Gathered(source="dense", hits=1, seconds=0.002), Gathered(source="keyword")),
    scored=(Scored(item_id="m1", score=0.7, parts=Parts(keyword=0.5), why=(Found(source="dense", rank=1),)),),
    injected=(
        Injected(name="memories", tokens=7, items=("m1",), left_out=(LeftOut(item_id="m2", why="over_budget"),)),
    ),
    used=("m1",),
    degraded=("memory is late",),
    emotions=(Read(speaker="character", emotion="happy", intensity=0.5, by="emotion/1 m", raw='{"happy": 1} 좋아!'),),
    calls=(ModelCall(task="reply", model="m", at=WALL, seconds=0.5, prompt_tokens=7, answer_tokens=3, cost=0.01),),
)


def keep(store: Store, turn: Turn, trace: Trace | None = TRACE, *, left: int = 9, scope: Scope = LETIA) -> None:
    with store.locked(scope) as room:
        room.apply(replace(entry_for(turn), trace=trace, traces=left))


def traced(store: Store, *turn_ids: str, scope: Scope = LETIA) -> list[str]:
    """Return those of the turns that have a trace."""
    with store.view(scope) as view:
        return [each for each in turn_ids if view.trace(each) is not None]


class Traces(Contract):
    """What a store keeps of how turns came about."""

    def test_a_trace_is_kept_with_its_turn(self, store: Store, reopen: Reopen) -> None:
        keep(store, make_turn("안녕", id="t1"))
        assert read(reopen(), LETIA, lambda view: view.trace("t1")) == TRACE

    def test_a_turn_may_have_none(self, store: Store) -> None:
        keep(store, make_turn("안녕", id="t1"), None)
        assert traced(store, "t1", "t2") == []

    def test_the_last_ones_are_left(self, store: Store) -> None:
        ids = [f"t{number}" for number in range(1, 6)]
        for number, turn_id in enumerate(ids, start=1):
            keep(store, make_turn("안녕", id=turn_id, at=day(number)), left=3)
        assert traced(store, *ids) == ids[-3:]
        keep(store, make_turn("안녕", id="t6", at=day(6)), left=1)
        assert traced(store, *ids, "t6") == ["t6"]

    def test_scopes_do_not_crowd_each_other_out(self, store: Store) -> None:
        keep(store, make_turn("안녕", id="t1"), left=1)
        keep(store, make_turn("안녕", id="t1"), Trace(tokens=5), left=1, scope=OTHER)
        assert read(store, LETIA, lambda view: view.trace("t1")) == TRACE
        assert read(store, OTHER, lambda view: view.trace("t1")) == Trace(tokens=5)

    def test_a_trace_goes_with_a_rewind(self, store: Store, scribe: Scribe) -> None:
        scribe.observe("안녕", id="t0")
        keep(store, make_turn("잘 자", id="t1", at=day(2)))
        scribe.rewind("t1")
        assert traced(store, "t1") == []
        keep(store, make_turn("좋은 아침", id="t1", at=day(3)), Trace(tokens=1))
        assert read(store, LETIA, lambda view: view.trace("t1")) == Trace(tokens=1)

    def test_what_is_not_written_leaves_no_trace(self, store: Store) -> None:
        keep(store, make_turn("안녕", id="t1"))
        with refused():
            keep(store, make_turn("또 안녕", id="t1"), Trace(tokens=1), left=1)
        assert read(store, LETIA, lambda view: view.trace("t1")) == TRACE
