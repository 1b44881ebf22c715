"""Hooks: what happens around reading and writing for one handle on a bank."""

from __future__ import annotations

from collections.abc import Callable

from gieok.domain.operation import Operation
from gieok.domain.scope import Scope
from gieok.ports import Entry, Hooks, Store, View
from gieok.testing.builders import claim
from gieok.testing.scribe import Scribe
from gieok_contract.base import LETIA, SERA, VECTORS, Contract, read


class HookCalls(Contract):
    """What a store promises of its hooks."""

    def test_work_of_the_entering_hook_is_done_before_the_scope_is_read_or_held(self, store: Store) -> None:
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

    def test_the_writing_hook_sees_what_was_before_and_is_told_what_was_written(self, store: Store) -> None:
        told: list[tuple[int, int, int]] = []

        def on_apply(scope: Scope, room: View, entry: Entry) -> Callable[[Operation], None]:
            before = room.version
            return lambda done: told.append((before, read(store, scope, lambda view: view.version), done.number))

        handle = store.hooked(Hooks(on_apply=on_apply))
        Scribe(handle, LETIA, vectors=VECTORS).observe("하나")
        Scribe(store, LETIA, name="x", vectors=VECTORS).observe("둘")
        assert told == [(0, 1, 1)]

    def test_a_masked_handle_reads_every_utterance_masked_and_nothing_else_is(self, store: Store) -> None:
        scribe = Scribe(store, LETIA, vectors=VECTORS)
        scribe.observe("번호는 1234야", claims=[claim("phone", "1234", id="c1")], id="t1", session="s", index={})
        scribe.observe("또 1234", id="t2", unread=True, left_open=True, session="s")
        handle = store.hooked(Hooks(mask=lambda text: text.replace("1234", "****")))

        def texts(view: View) -> set[str]:
            turns = [*view.turns(9), *view.turns(9, before=9), *view.turns_of(session="s", limit=9)]
            turns += [*view.unread(9), *view.left_open(9), *filter(None, [view.turn("t1")])]
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
