"""Many at once: nothing is lost, nobody sees half of anything."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier, Event, Thread

import pytest

from gieok.domain.scope import Scope
from gieok.ports import MemoryFilter, ScopeMoved, Store
from gieok.testing.builders import claim, day, entry_for, turn
from gieok.testing.scribe import Scribe
from gieok_contract.base import LETIA, SERA, VECTORS, Contract, everything, held, near, read, saying

THREADS = 16
TURNS = 5
PATIENCE = 30.0  #: seconds; only a store that hangs ever waits so long


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
    """What a store promises when several threads or processes use it."""

    def test_sixteen_threads_each_in_a_scope_of_their_own(self, store: Store) -> None:
        def talk(number: int) -> None:
            scribe = Scribe(store, Scope(user=f"사용자 {number}", character="레티아"))
            for count in range(TURNS):
                scribe.observe(f"말 {number}-{count}", claims=[claim("age", str(count))])
                assert saying(store, f"{number}-{count}", scope=scribe.scope)

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
        assert len(near(store, "말")) == len(saying(store, "말", "age:"))

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

    def test_what_others_add_and_search_meanwhile_does_not_show_in_a_view(self, scribe: Scribe) -> None:
        scribe.observe("고양이 하나", id="t1")
        with scribe.store.view(LETIA) as view:
            assert view.version > 0
            scribe.observe("고양이 둘", id="t2", claims=[claim("likes", "고양이", id="c2")])
            assert len(near(scribe.store, "고양이")) == len(saying(scribe.store, "고양이")) == 3
            assert len(view.dense(VECTORS.vector("고양이"), 9)) == len(view.layout().refs) == 1
            assert held(view, *view.occurrences(["고양이"]), *view.beginnings(["고"])) == {"t1/0": 2}
            assert set(view.refs(["t1/0", "t2/0", "c2"])) == {"t1/0"}

    def test_a_view_of_nothing_stays_a_view_of_nothing(self, scribe: Scribe) -> None:
        with scribe.store.view(LETIA) as view:
            assert view.version == 0
            scribe.observe("고양이 좋아")
            assert (view.version, view.turns(9), view.dense(VECTORS.vector("고양이"), 9)) == (0, [], [])

    def test_a_view_read_for_the_first_time_late_is_still_of_one_piece(self, scribe: Scribe) -> None:
        scribe.observe("하나")
        with scribe.store.view(LETIA) as view:
            scribe.observe("둘")
            seen = view.version
            scribe.observe("셋")
            turns = view.turns(9)
            assert (view.version, view.turn_number) == (seen, len(turns))
            assert len(view.operations()) == len(turns) == len(view.dense(VECTORS.vector("하나"), 9))

    def test_readers_see_each_entry_whole(self, store: Store) -> None:
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

    def test_one_scope_held_does_not_hold_up_another(self, store: Store) -> None:
        with store.locked(LETIA) as room, ThreadPoolExecutor(1) as pool:
            pool.submit(lambda: Scribe(store, SERA).observe("세라야 안녕")).result(PATIENCE)
            assert room.apply(entry_for(turn("레티아 안녕"))).number == 1

    def test_a_room_keeps_other_threads_waiting(self, store: Store) -> None:
        with ThreadPoolExecutor(1) as pool:
            with store.locked(LETIA) as room:
                other = pool.submit(lambda: Scribe(store, LETIA).observe("나중 말", id="나중"))
                with pytest.raises(TimeoutError):
                    other.result(0.2)
                room.apply(entry_for(turn("먼저 한 말", id="먼저")))
            other.result(PATIENCE)
        assert [each.id for each in read(store, LETIA, lambda view: view.turns(9))] == ["먼저", "나중"]

    def test_a_write_of_another_process_either_waits_or_is_noticed(self, store: Store, second_handle: Store) -> None:
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
            assert len(near(handle, "말")) == len(saying(handle, "말", "age:"))
