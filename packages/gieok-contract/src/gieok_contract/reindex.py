"""Re-embedding a bank: the old vectors answer until every new one is there."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

import pytest

from gieok.domain.scope import Scope
from gieok.errors import EmbedderMismatch, GieokError
from gieok.ports import IndexEntry, Store, Unembedded
from gieok.testing.builders import claim, entry_for, memory, note, turn
from gieok.testing.scribe import Scribe
from gieok.testing.stand_ins import HashVectors
from gieok_contract.base import LETIA, OTHER_VECTORS, SERA, VECTORS, Contract, Reopen, apply_entry, ids, near


def begin(store: Store) -> int:
    return store.begin_reindex(OTHER_VECTORS.name, OTHER_VECTORS.dimension)


def embed(store: Store, limit: int, vectors: HashVectors = OTHER_VECTORS) -> list[str]:
    """Embed the next items, and return their texts."""
    batch = store.unembedded(limit)
    if batch:
        store.put_vectors([each.key for each in batch], [vectors.embed([each.text]) for each in batch])
    return [each.text for each in batch]


def unembedded_turn(store: Store, scope: Scope, *said: str) -> None:
    """Store a turn without vectors."""
    index = {f"t1/{place}": IndexEntry(terms=("말",), vectors=None) for place in range(len(said))}
    with store.locked(scope) as room:
        room.apply(entry_for(turn(*said, id="t1"), index=index))


def embed_all(store: Store, vectors: HashVectors = OTHER_VECTORS) -> Iterator[str]:
    while batch := embed(store, 3, vectors):
        yield from batch


def nearest_new(store: Store, text: str) -> list[str]:
    with store.view(LETIA) as view:
        return ids(view, view.dense(OTHER_VECTORS.vector(text), 99))


class Reindex(Contract):
    """Missing vectors, and a change of embedder."""

    @pytest.fixture
    def told(self, store: Store) -> Store:
        scribe = Scribe(store, LETIA)
        liking = claim("likes", "고양이", id="c1", content="고양이 좋음")
        scribe.observe("고양이 좋아", "저도요", id="t1", claims=[liking])
        scribe.observe("바다 가자", id="t2", claims=[note("바다 여행", id="c2")])
        Scribe(store, SERA).observe("세라 안녕", id="t1")
        return store

    def test_a_bank_with_all_its_vectors_has_nothing_to_embed(self, told: Store) -> None:
        assert told.unembedded(99) == []
        assert told.info().counts["unembedded"] == 0

    def test_vectors_that_were_missing_are_filled_in_later(self, store: Store) -> None:
        index = {f"t1/{n}": IndexEntry(terms=("말",), vectors=None) for n in (0, 1)}
        apply_entry(store, turn("고양이 좋아", "바다 가자", id="t1"), index=index)
        assert store.info().counts["unembedded"] == 2
        assert len(store.unembedded(1)) == 1
        assert {each.text for each in store.unembedded(99)} == {"고양이 좋아", "바다 가자"}
        assert near(store, "바다") == []

        assert set(embed_all(store, VECTORS)) == {"고양이 좋아", "바다 가자"}
        assert near(store, "바다 가자") == ["t1/1", "t1/0"]
        assert store.unembedded(99) == []
        assert (store.info().counts["unembedded"], store.info().embedder) == (0, VECTORS.name)

    def test_a_scope_lists_items_without_vectors_and_takes_them(self, store: Store) -> None:
        unembedded_turn(store, LETIA, "고양이 좋아", "바다 가자")
        unembedded_turn(store, SERA, "세라 안녕")
        with store.view(LETIA) as view:
            assert [each.text for each in view.vectorless(9)] == ["고양이 좋아", "바다 가자"]
            first, second = view.vectorless(9)
            assert view.vectorless(1) == [first]
        store.fill_vectors([first.key, second.key], [VECTORS.embed([each.text]) for each in (first, second)])
        with store.view(LETIA) as view:
            assert view.vectorless(9) == []
        assert near(store, "바다 가자") == ["t1/1", "t1/0"]
        assert store.info().counts["unembedded"] == 1

    def test_an_existing_vector_is_not_replaced(self, told: Store) -> None:
        key = {each.text: each.key for each in self._of_all(told)}["바다 가자"]
        told.fill_vectors([key, 1 << 60], [VECTORS.embed(["세라 안녕"]), VECTORS.embed(["누구?"])])
        assert near(told, "바다 가자")[0] == "t2/0"

    def test_missing_vectors_can_be_filled_in_during_a_reindex(self, store: Store) -> None:
        unembedded_turn(store, LETIA, "고양이 좋아", "바다 가자")
        with store.view(LETIA) as view:
            waiting = view.vectorless(9)
        begin(store)
        store.fill_vectors([each.key for each in waiting], [VECTORS.embed([each.text]) for each in waiting])
        assert near(store, "바다 가자") == ["t1/1", "t1/0"]
        assert [each.text for each in store.unembedded(9)] == ["고양이 좋아", "바다 가자"]

    def test_vectors_of_a_replaced_embedder_are_refused(self, store: Store, second_handle: Store) -> None:
        unembedded_turn(store, LETIA, "고양이 좋아")
        with second_handle.view(LETIA) as view:
            [late] = view.vectorless(9)
        begin(store)
        list(embed_all(store))
        store.finish_reindex()
        with pytest.raises(EmbedderMismatch):
            second_handle.fill_vectors([late.key], [VECTORS.embed([late.text])])

    @staticmethod
    def _of_all(store: Store) -> list[Unembedded]:
        begin(store)
        found = store.unembedded(99)
        store.begin_reindex(VECTORS.name, VECTORS.dimension)
        return found

    def test_a_memory_is_embedded_by_its_findable_text(self, store: Store) -> None:
        his = memory("직업은 의사임", id="m1", subject="other", subject_id="지훈")
        named = memory("지훈이라는 친구가 있음", id="m2", subject="other", subject_id="지훈")
        index = {each.id: IndexEntry(terms=(), vectors=None) for each in (his, named)}
        apply_entry(store, memories=(his, named), index=index)
        wanted = [his.findable, named.findable]
        assert [each.text for each in store.unembedded(9)] == wanted
        begin(store)
        assert [each.text for each in store.unembedded(9)] == wanted
        assert "지훈" in wanted[0]

    def test_the_old_vectors_answer_until_the_switch(self, told: Store) -> None:
        before = near(told, "바다 가자")
        assert begin(told) == 6
        assert near(told, "바다 가자") == before
        assert set(embed_all(told)) == {"고양이 좋아", "저도요", "고양이 좋음", "바다 가자", "바다 여행", "세라 안녕"}
        assert near(told, "바다 가자") == before
        assert told.info().embedder == VECTORS.name

        told.finish_reindex()
        assert (told.info().embedder, told.info().dimension) == (OTHER_VECTORS.name, OTHER_VECTORS.dimension)
        assert nearest_new(told, "바다 가자")[0] == "t2/0"
        assert len(nearest_new(told, "바다 가자")) == 5
        assert told.unembedded(99) == []

    def test_an_interrupted_reindex_goes_on_where_it_stopped(self, told: Store, reopen: Reopen) -> None:
        begin(told)
        done = embed(told, 2)
        store = reopen()
        assert store.info().embedder == VECTORS.name
        assert near(store, "고양이 좋아")[0] == "t1/0"
        assert begin(store) == 4
        rest = list(embed_all(store))
        assert sorted([*done, *rest]) == ["고양이 좋아", "고양이 좋음", "바다 가자", "바다 여행", "세라 안녕", "저도요"]
        store.finish_reindex()

        store = reopen(OTHER_VECTORS)
        assert store.info().embedder == OTHER_VECTORS.name
        assert nearest_new(store, "고양이 좋아")[0] == "t1/0"
        assert store.problems() == []
        with pytest.raises(EmbedderMismatch):
            reopen(VECTORS)

    def test_switching_too_early_changes_nothing(self, told: Store) -> None:
        begin(told)
        embed(told, 2)
        with suppress(GieokError):
            told.finish_reindex()
        assert told.info().embedder == VECTORS.name
        assert near(told, "고양이 좋아")[0] == "t1/0"

    def test_turns_during_a_reindex_are_found_at_once_and_embedded_again(self, told: Store) -> None:
        begin(told)
        list(embed_all(told))
        scribe = Scribe(told, LETIA, name="b")
        scribe.observe("겨울 노래", id="t3")
        scribe.correct("c2", "겨울 바다 여행")
        assert near(told, "겨울 노래")[0] == "t3/0"
        assert set(embed_all(told)) == {"겨울 노래", "겨울 바다 여행"}
        told.finish_reindex()
        assert nearest_new(told, "겨울 노래")[0] == "t3/0"
        assert nearest_new(told, "겨울 바다 여행")[0] == "c2"

    def test_turns_rewound_during_a_reindex_are_not_found(self, told: Store) -> None:
        begin(told)
        listed = told.unembedded(99)
        Scribe(told, LETIA, name="b").rewind("t2")
        told.put_vectors([each.key for each in listed], [OTHER_VECTORS.embed([each.text]) for each in listed])
        list(embed_all(told))
        told.finish_reindex()
        assert set(nearest_new(told, "바다 가자")) == {"t1/0", "t1/1", "c1"}

    def test_a_memory_forgotten_before_a_reindex_can_be_found_when_restored(self, told: Store) -> None:
        scribe = Scribe(told, LETIA, name="b", vectors=OTHER_VECTORS)
        forgotten = Scribe(told, LETIA, name="a").forget("c2")
        begin(told)
        list(embed_all(told))
        told.finish_reindex()
        assert "c2" not in nearest_new(told, "바다 여행")
        scribe.undo(forgotten.id)
        list(embed_all(told))
        assert nearest_new(told, "바다 여행")[0] == "c2"

    def test_after_the_switch_new_turns_carry_new_vectors(self, told: Store) -> None:
        begin(told)
        list(embed_all(told))
        told.finish_reindex()
        Scribe(told, LETIA, name="b", vectors=OTHER_VECTORS).observe("겨울 노래", id="t3")
        assert nearest_new(told, "겨울 노래")[0] == "t3/0"

    def test_an_empty_bank_changes_its_embedder_at_once(self, store: Store) -> None:
        assert begin(store) == 0
        store.finish_reindex()
        assert store.info().embedder == OTHER_VECTORS.name
