"""The bank as a whole: its lifetime, hooks, counted model calls, and many users at once."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from random import Random
from threading import Barrier, Event, Thread
from typing import Any

import pytest

from gieok.domain.answer import ModelCall
from gieok.domain.operation import Operation
from gieok.domain.scope import Scope
from gieok.errors import BankClosed
from gieok.ports import Entry, Hooks, MemoryFilter, ScopeMoved, ScopeSummary, Store, View
from gieok.testing.builders import WALL, claim, day, entry_for, turn
from gieok.testing.scribe import Scribe
from gieok_contract.base import (
    LETIA,
    OTHER_VECTORS,
    SERA,
    VECTORS,
    Contract,
    Reopen,
    everything,
    held,
    near,
    read,
    turn_of,
    word_matches,
)
from gieok_contract.stories import VALUES, tell


def look(store: Store, scope: Scope) -> None:
    with store.view(scope) as view:
        view.turns(1)


def hold(store: Store, scope: Scope) -> None:
    with store.locked(scope) as room:
        room.turns(1)


class Lifetime(Contract):
    """Opening, closing and what a bank reports about itself."""

    def test_a_new_bank_reports_what_it_is_made_of(self, store: Store) -> None:
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
    def test_a_closed_bank_raises_bank_closed(self, scribe: Scribe, use: Callable[[Store], object]) -> None:
        scribe.observe("안녕")
        scribe.store.close()
        with pytest.raises(BankClosed):
            use(scribe.store)

    def test_closing_twice_does_no_harm(self, store: Store) -> None:
        store.close()
        store.close()


class HookCalls(Contract):
    """Hooks around reading and writing."""

    def test_the_entering_hook_runs_before_the_scope_is_read_or_locked(self, store: Store) -> None:
        scribe = Scribe(store, LETIA, vectors=VECTORS)
        scribe.remember(claim("likes", "고양이", id="c1"))
        asked: list[Scope] = []

        def work() -> None:
            handle_scribe.forget("c1")

        def forget_c1(scope: Scope, view: View) -> Callable[[], None] | None:
            asked.append(scope)
            found = view.memories_by_id(["c1"])
            return work if found and not found["c1"].hidden else None

        handle = store.hooked(Hooks(on_enter=forget_c1))
        handle_scribe = Scribe(handle, LETIA, name="h", vectors=VECTORS)
        with handle.locked(LETIA) as room:
            assert room.memories_by_id(["c1"])["c1"].hidden
        assert asked == [LETIA], "not while its own work runs"
        scribe.remember(claim("likes", "강아지", id="c2"))
        assert asked == [LETIA], "not for other handles"
        assert read(handle, SERA, lambda view: view.version) == 0
        assert asked == [LETIA, SERA]

    def test_the_writing_hook_sees_the_state_before_and_the_operation_after(self, store: Store) -> None:
        told: list[tuple[int, int, int]] = []

        def on_apply(scope: Scope, room: View, entry: Entry) -> Callable[[Operation], None]:
            before = room.version
            return lambda done: told.append((before, read(store, scope, lambda view: view.version), done.number))

        handle = store.hooked(Hooks(on_apply=on_apply))
        Scribe(handle, LETIA, vectors=VECTORS).observe("하나")
        Scribe(store, LETIA, name="x", vectors=VECTORS).observe("둘")
        assert told == [(0, 1, 1)]

    def test_a_masked_handle_masks_every_utterance_and_nothing_else(self, store: Store) -> None:
        scribe = Scribe(store, LETIA, vectors=VECTORS)
        scribe.observe("번호는 1234야", claims=[claim("phone", "1234", id="c1")], id="t1", session="s", index={})
        scribe.observe("또 1234", id="t2", unread=True, left_open=True, session="s")
        handle = store.hooked(Hooks(mask=lambda text: text.replace("1234", "****")))

        def texts(view: View) -> set[str]:
            turns = [*view.turns(9), *view.turns(9, before=9), *view.turns_of(session="s", limit=9)]
            turns += [*view.unread_turns(9), *view.open_turns(9), *filter(None, [view.turn("t1")])]
            said = [utterance for turn in turns for utterance in turn.utterances]
            items = view.items(view.refs([utterance.id for utterance in said]).values()).values()
            assert len(items) == 2
            return {each.text for each in (*said, *items, *view.vectorless(9)) if hasattr(each, "text")}

        plain = {"번호는 1234야", "또 1234"}
        assert read(handle, LETIA, texts) >= {"번호는 ****야", "또 ****"}
        assert not read(handle, LETIA, texts) & plain
        assert read(store, LETIA, texts) >= plain
        assert any("****" in each.text for each in handle.unembedded(9))
        assert read(handle, LETIA, lambda view: view.memories_by_id(["c1"])["c1"].value) == "1234"


CALL = ModelCall(
    task="extract", model="작은 모델", at=WALL, seconds=0.5, prompt_tokens=100, answer_tokens=20, cost=0.25
)


class ModelCalls(Contract):
    """Counted calls of models."""

    def test_a_bank_that_never_asked_a_model_has_no_calls(self, store: Store) -> None:
        assert store.model_calls() == []

    def test_calls_of_one_day_task_model_and_outcome_add_up(self, store: Store) -> None:
        store.note_call(CALL)
        store.note_call(CALL)
        (summed,) = store.model_calls()
        assert (summed.day, summed.task, summed.model, summed.failure) == (
            WALL.date().isoformat(), "extract", "작은 모델", None,
        )  # fmt: skip
        assert (summed.calls, summed.prompt_tokens, summed.answer_tokens) == (2, 200, 40)
        assert summed.seconds == pytest.approx(1.0)
        assert summed.cost == pytest.approx(0.5)

    def test_failures_and_other_days_are_counted_separately(self, store: Store) -> None:
        store.note_call(CALL)
        store.note_call(ModelCall(task="extract", model="작은 모델", at=WALL, seconds=30.0, failure="timeout"))
        store.note_call(ModelCall(task="extract", model="작은 모델", at=WALL + timedelta(days=1), seconds=1.0))
        assert [(each.failure, each.calls) for each in store.model_calls()] == [(None, 1), ("timeout", 1), (None, 1)]

    def test_counted_calls_survive_reopening(self, store: Store, reopen: Reopen) -> None:
        store.note_call(CALL)
        assert [each.calls for each in reopen().model_calls()] == [1]


THREADS = 16
TURNS = 5
PATIENCE = 30.0  #: seconds; only a hanging store waits so long


def together(work: Callable[[int], None]) -> None:
    """Run `work(0)` … `work(15)` at the same time, and raise what any of them raises."""
    start = Barrier(THREADS)

    def run(number: int) -> None:
        start.wait(PATIENCE)
        work(number)

    with ThreadPoolExecutor(THREADS) as pool:
        for done in [pool.submit(run, number) for number in range(THREADS)]:
            done.result(PATIENCE)


class Concurrency(Contract):
    """Several threads or processes at once."""

    def test_sixteen_threads_each_in_a_scope_of_their_own(self, store: Store) -> None:
        def talk(number: int) -> None:
            scribe = Scribe(store, Scope(user=f"사용자 {number}", character="레티아"))
            for count in range(TURNS):
                scribe.observe(f"말 {number}-{count}", claims=[claim("age", str(count))])
                assert word_matches(store, f"{number}-{count}", scope=scribe.scope)

        together(talk)
        for number in range(THREADS):
            scope = Scope(user=f"사용자 {number}", character="레티아")
            with store.view(scope) as view:
                assert [each.utterances[0].text for each in view.turns(99)] == [
                    f"말 {number}-{count}" for count in range(TURNS)
                ]
                current = view.memories(MemoryFilter(attribute="age", current_at=day(9)))
                assert [each.value for each in current] == [str(TURNS - 1)]

    def test_sixteen_threads_in_one_scope_lose_no_turn(self, store: Store) -> None:
        def talk(number: int) -> None:
            scribe = Scribe(store, LETIA, name=f"{number}-")
            for count in range(TURNS):
                scribe.observe(f"말 {number} {count}", claims=[claim("age", str(number * TURNS + count))])
                near(store, f"말 {number}")

        together(talk)
        everyone = {f"말 {number} {count}" for number in range(THREADS) for count in range(TURNS)}
        with store.view(LETIA) as view:
            turns = view.turns(999)
            assert [each.number for each in turns] == list(range(1, THREADS * TURNS + 1))
            assert {each.utterances[0].text for each in turns} == everyone
            assert [each.number for each in view.operations()] == list(range(1, THREADS * TURNS + 1))
            assert len(view.memories(MemoryFilter(attribute="age", current_at=day(9)))) == 1
        assert len(near(store, "말")) == len(word_matches(store, "말", "age:"))

    def test_a_view_is_a_snapshot(self, scribe: Scribe) -> None:
        scribe.observe("고양이 좋아", id="t1", claims=[claim("likes", "고양이", id="c1")])

        def look(store: Store) -> dict[str, object]:
            return read(store, LETIA, lambda view: everything(view, words=["고양이", "강아지"], moments=[day(9)]))

        with scribe.store.view(LETIA) as view:
            before = everything(view, words=["고양이", "강아지"], moments=[day(9)])
            scribe.observe("강아지 좋아", id="t2", claims=[claim("likes", "강아지", id="c2")])
            scribe.forget("c1")
            scribe.rewind("t1")
            assert everything(view, words=["고양이", "강아지"], moments=[day(9)]) == before
        after = look(scribe.store)
        assert after != before
        assert [each.id for each in read(scribe.store, LETIA, lambda view: view.turns(9))] == ["t2"]

    def test_a_view_does_not_show_what_others_add_meanwhile(self, scribe: Scribe) -> None:
        scribe.observe("고양이 하나", id="t1")
        with scribe.store.view(LETIA) as view:
            assert view.version > 0
            scribe.observe("고양이 둘", id="t2", claims=[claim("likes", "고양이", id="c2")])
            assert len(near(scribe.store, "고양이")) == len(word_matches(scribe.store, "고양이")) == 3
            assert len(view.dense(VECTORS.vector("고양이"), 9)) == len(view.layout().refs) == 1
            assert held(view, *view.occurrences(["고양이"]), *view.prefix_occurrences(["고"])) == {"t1/0": 2}
            assert set(view.refs(["t1/0", "t2/0", "c2"])) == {"t1/0"}

    def test_a_view_of_an_empty_scope_stays_empty(self, scribe: Scribe) -> None:
        with scribe.store.view(LETIA) as view:
            assert view.version == 0
            scribe.observe("고양이 좋아")
            assert (view.version, view.turns(9), view.dense(VECTORS.vector("고양이"), 9)) == (0, [], [])

    def test_a_view_that_is_read_late_is_still_consistent(self, scribe: Scribe) -> None:
        scribe.observe("하나")
        with scribe.store.view(LETIA) as view:
            scribe.observe("둘")
            seen = view.version
            scribe.observe("셋")
            turns = view.turns(9)
            assert (view.version, view.turn_number) == (seen, len(turns))
            assert len(view.operations()) == len(turns) == len(view.dense(VECTORS.vector("하나"), 9))

    def test_readers_never_see_half_an_entry(self, store: Store) -> None:
        stop = Event()
        torn: list[str] = []

        def watch() -> None:
            while not stop.is_set():
                with store.view(LETIA) as view:
                    turns, current = view.turns(999), view.memories(MemoryFilter(attribute="age", current_at=day(9)))
                    [found] = view.occurrences(["말"])
                    places = len(found.places)
                    if not len(turns) == view.turn_number == places or len(current) != min(len(turns), 1):
                        torn.append(f"{len(turns)} {view.turn_number} {places} {len(current)}")

        readers = [Thread(target=watch) for _ in range(3)]
        for reader in readers:
            reader.start()
        try:
            scribe = Scribe(store, LETIA)
            for count in range(30):
                scribe.observe(f"말 {count}", claims=[claim("age", str(count))])
        finally:
            stop.set()
            for reader in readers:
                reader.join(PATIENCE)
        assert torn == []

    def test_a_locked_scope_does_not_block_another(self, store: Store) -> None:
        with store.locked(LETIA) as room, ThreadPoolExecutor(1) as pool:
            pool.submit(lambda: Scribe(store, SERA).observe("세라야 안녕")).result(PATIENCE)
            assert room.apply(entry_for(turn("레티아 안녕"))).number == 1

    def test_a_locked_scope_makes_other_threads_wait(self, store: Store) -> None:
        with ThreadPoolExecutor(1) as pool:
            with store.locked(LETIA) as room:
                other = pool.submit(lambda: Scribe(store, LETIA).observe("나중 말", id="나중"))
                with pytest.raises(TimeoutError):
                    other.result(0.2)
                room.apply(entry_for(turn("먼저 한 말", id="먼저")))
            other.result(PATIENCE)
        assert [each.id for each in read(store, LETIA, lambda view: view.turns(9))] == ["먼저", "나중"]

    def test_a_write_of_another_process_waits_or_is_noticed(self, store: Store, second_handle: Store) -> None:
        Scribe(store, LETIA).observe("처음", id="처음")
        other = Thread(target=lambda: Scribe(second_handle, LETIA, name="b").observe("끼어든 말", id="남"))
        mine = entry_for(turn("내 말", id="나", at=day(2)))
        with store.locked(LETIA) as room:
            other.start()
            other.join(3.0)
            if other.is_alive():
                room.apply(mine)
            else:
                with pytest.raises(ScopeMoved):
                    room.apply(mine)
                assert read(store, LETIA, lambda view: view.turn("나")) is None
        other.join(PATIENCE)
        if read(store, LETIA, lambda view: view.turn("나")) is None:
            with store.locked(LETIA) as room:
                room.apply(mine)
        for handle in (store, second_handle):
            turns = read(handle, LETIA, lambda view: view.turns(9))
            assert {each.id for each in turns} == {"처음", "남", "나"}
            assert [each.number for each in turns] == [1, 2, 3]

    def test_two_processes_lose_nothing(self, store: Store, second_handle: Store) -> None:
        def talk(number: int) -> None:
            scribe = Scribe(second_handle if number % 2 else store, LETIA, name=f"{number}-")
            for count in range(2):
                scribe.observe(f"말 {number} {count}", claims=[claim("age", f"{number}{count}")])

        together(talk)
        for handle in (store, second_handle):
            with handle.view(LETIA) as view:
                assert [each.number for each in view.turns(999)] == list(range(1, THREADS * 2 + 1))
                assert len(view.memories(MemoryFilter(attribute="age", current_at=day(9)))) == 1
            assert len(near(handle, "말")) == len(word_matches(handle, "말", "age:"))
