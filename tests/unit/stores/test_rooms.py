"""Views and rooms: what may be done in them, and what they leave behind."""

from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import replace

import pytest

from gieok.errors import InvalidText, ScopeFull
from gieok.stores.sqlite.file import open_for_writing
from gieok.stores.sqlite.writer import LogLength
from gieok.stores.tables.columns import MOST
from gieok.testing import Scribe, entry_for, turn


def test_a_view_answers_only_inside_its_block(scribe, letia):
    with scribe.store.view(letia) as view:
        pass
    with pytest.raises(RuntimeError, match="left"):
        view.turns(1)


def test_a_room_takes_one_entry(store, letia):
    with store.locked(letia) as room:
        room.apply(entry_for(turn("하나", id="t1")))
        with pytest.raises(RuntimeError, match="again"):
            room.apply(entry_for(turn("둘", id="t2")))
        with pytest.raises(RuntimeError, match="again"):
            room.turns(1)
    with store.view(letia) as view:
        assert [each.id for each in view.turns(9)] == ["t1"]


def test_threads_may_share_a_view(scribe, letia):
    for number in range(20):
        scribe.observe(f"말 {number}", "그래")

    def read(view):
        [found] = view.occurrences(["말"])
        return len(found.places), len(view.layout().refs), len(view.turns(99))

    with scribe.store.view(letia) as view, ThreadPoolExecutor(8) as pool:
        assert set(pool.map(read, [view] * 200)) == {(20, 40, 20)}


def test_connections_for_reading_do_not_pile_up(store, letia):
    with ExitStack() as stack:
        for _ in range(12):
            stack.enter_context(store.view(letia))
    assert len(store._readers._idle) == 4


def test_a_view_that_is_open_while_the_bank_closes_ends_in_peace(scribe, letia):
    scribe.observe("안녕", id="t1")
    with scribe.store.view(letia) as view:
        scribe.store.close()
        assert view.turn("t1") is not None


def test_a_full_scope_says_so_and_its_neighbours_go_on(store, scribe, letia):
    scribe.observe("안녕", id="t1")
    store._writer.write(lambda it: it.script(f"UPDATE scopes SET next_seq = {MOST}"))
    with pytest.raises(ScopeFull, match="another scope"):
        scribe.observe("하나", "둘", id="t2")
    with store.view(letia) as view:
        assert [each.id for each in view.turns(9)] == ["t1"]
    Scribe(store, letia.beside("세라")).observe("안녕")


def test_a_text_that_cannot_be_stored_is_refused_whole(store, letia):
    broken = replace(turn("안녕", id="t1"), session="\ud800")
    with pytest.raises(InvalidText, match="surrogate"), store.locked(letia) as room:
        room.apply(entry_for(broken))
    assert store.scopes() == []


def test_sessions_are_what_the_turns_in_force_make_them(store, scribe):
    for number, session in enumerate(["아침", "아침", "저녁", None]):
        scribe.observe("말", id=f"t{number}", session=session)
    scribe.rewind("t1")
    rows = store._read(lambda it: it.script("SELECT label, turns, started_at = last_at FROM sessions ORDER BY label"))
    assert rows == [("아침", 1, 1), ("저녁", 1, 1)]


def test_a_long_log_is_emptied_once_no_old_reader_is_left(path, opened, letia):
    connection = open_for_writing(path, None, embedder="hash-32", dimension=32, create=True)
    log, length = path.with_name(f"{path.name}-wal"), LogLength(connection, long=1)
    connection.run("insert_scope", user="민수", character="", world="")
    store = opened()
    with store.view(letia) as view:
        view.turns(1)
        connection.run("insert_scope", user="지영", character="", world="")
        length.check()
        assert log.stat().st_size > 1
    length.check()
    assert log.stat().st_size > 1  # a try takes time: the next one waits for the log to grow on
    connection.run("insert_scope", user="세라", character="", world="")
    length.check()
    assert log.stat().st_size == 0
    connection.close()


def test_a_single_thread_keeps_the_log_short(store, scribe, path):
    log = path.with_name(f"{path.name}-wal")
    for _ in range(400):
        scribe.observe("오늘도 라면을 먹었어", "또 라면이에요?")
    assert log.stat().st_size < 10_000_000
