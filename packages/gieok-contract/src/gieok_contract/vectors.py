"""Search by meaning: exact cosine over what may be found."""

from __future__ import annotations

import math

import numpy as np
import pytest

from gieok.errors import EmbedderMismatch
from gieok.ports import IndexEntry, Store
from gieok.testing.builders import claim, entry_for, memory, note, turn
from gieok.testing.scribe import Scribe
from gieok_contract.base import (
    LETIA,
    OTHER_VECTORS,
    VECTORS,
    Contract,
    held,
    ids,
    laid_out,
    near,
    read,
    saying,
)

WORDS = "고양이 강아지 라면 김밥 바다 산 여름 겨울 노래 그림 학교 시험 비 눈".split()


class Vectors(Contract):
    """What a store promises about dense search."""

    def test_the_nearest_come_first_with_their_exact_cosine(self, scribe: Scribe) -> None:
        texts = [f"{a} {b} {c}" for a, b, c in zip(WORDS, WORDS[3:], WORDS[7:], strict=False)] * 3
        texts = [f"{text} {number}" for number, text in enumerate(texts)]
        for number, text in enumerate(texts):
            scribe.observe(text, id=f"t{number}")
        query = VECTORS.vector("고양이 바다 노래")
        cosines = {f"t{number}/0": float(VECTORS.vector(text) @ query) for number, text in enumerate(texts)}
        best = sorted(cosines, key=lambda item_id: -cosines[item_id])
        with scribe.store.view(LETIA) as view:
            matches = view.dense(query, len(texts))
            assert ids(view, matches) == best
            assert [each.score for each in matches] == pytest.approx([cosines[i] for i in best], abs=1e-4)
            assert ids(view, view.dense(query, 4)) == best[:4]
            assert ids(view, view.dense(query, 10_000)) == best
            assert view.dense(query, 0) == []

    def test_every_item_of_the_layout_has_its_exact_cosine(self, scribe: Scribe) -> None:
        query = VECTORS.vector("고양이 바다 노래")
        written: list[str] = []
        for number, (a, b) in enumerate(zip(WORDS, WORDS[3:], strict=False)):
            written += [f"{a} {b}", f"{b} 이야기 {number}"]
            scribe.observe(written[-2], claims=[note(written[-1])])
            with scribe.store.view(LETIA) as view:
                expected = [float(VECTORS.vector(text) @ query) for text in written]
                assert view.cosines(query).tolist() == pytest.approx(expected, abs=1e-4)

    def test_of_several_rows_the_nearest_is_the_cosine_and_without_a_vector_it_is_minus_one(self, store: Store) -> None:
        against = -VECTORS.vector("라면")
        index = {
            "t1/0": IndexEntry(terms=(), vectors=VECTORS.embed(["고양이 라면", "고양이", "라면"])),
            "t1/1": IndexEntry(terms=("라면",), vectors=None),
            "t1/2": IndexEntry(terms=(), vectors=np.stack([against, VECTORS.vector("바다")])),
            "t1/3": IndexEntry(terms=(), vectors=against[np.newaxis]),
        }
        with store.locked(LETIA) as room:
            room.apply(entry_for(turn(*"가나다라", id="t1"), index=index))
        with store.view(LETIA) as view:
            apart = float(VECTORS.vector("바다") @ VECTORS.vector("라면"))
            assert laid_out(view) == ["t1/0", "t1/1", "t1/2", "t1/3"]
            assert view.cosines(VECTORS.vector("라면")).tolist() == pytest.approx([1.0, -1.0, apart, -1.0], abs=1e-4)

    def test_vectors_of_another_embedder_are_compared_with_nothing(self, store: Store, second_handle: Store) -> None:
        Scribe(store, LETIA, vectors=VECTORS).observe("고양이 라면", id="t1")
        second_handle.begin_reindex(OTHER_VECTORS.name, OTHER_VECTORS.dimension)
        [left] = second_handle.unembedded(9)
        second_handle.put_vectors([left.key], [OTHER_VECTORS.embed([left.text])])
        with store.view(LETIA) as view:
            assert view.cosines(VECTORS.vector("고양이 라면")).tolist() == pytest.approx([1.0], abs=1e-4)
        second_handle.finish_reindex()
        with store.view(LETIA) as view:
            with pytest.raises(EmbedderMismatch):
                view.cosines(VECTORS.vector("라면"))
            assert held(view, *view.occurrences(["라면"])) == {"t1/0": 1}
        with second_handle.view(LETIA) as view:
            assert view.cosines(OTHER_VECTORS.vector("고양이 라면")).tolist() == pytest.approx([1.0], abs=1e-4)

    def test_memories_and_utterances_are_found_together_or_memories_alone(self, scribe: Scribe) -> None:
        scribe.observe("나 고양이 좋아해", id="t1", claims=[claim("likes", "고양이", id="c1")])
        assert set(near(scribe.store, "고양이")) == {"t1/0", "c1"}
        assert near(scribe.store, "고양이", memories_only=True) == ["c1"]

    def test_what_has_no_vector_yet_is_never_found_by_meaning(self, store: Store) -> None:
        said = turn("고양이 하나", "고양이 둘", id="t1")
        index = {
            "t1/0": IndexEntry(terms=("고양이", "하나"), vectors=None),
            "t1/1": IndexEntry(terms=("고양이", "둘"), vectors=VECTORS.embed(["고양이 둘"])),
        }
        with store.locked(LETIA) as room:
            room.apply(entry_for(said, index=index))
        assert near(store, "고양이") == ["t1/1"]
        assert saying(store, "고양이") == ["t1/0", "t1/1"]

    def test_a_text_or_question_without_direction_gives_no_broken_score(self, store: Store) -> None:
        said = turn("…", "고양이", id="t1")
        nothing = np.zeros(VECTORS.dimension, dtype=np.float32)
        index = {
            "t1/0": IndexEntry(terms=(), vectors=nothing[np.newaxis]),
            "t1/1": IndexEntry(terms=("고양이",), vectors=VECTORS.embed(["고양이"])),
        }
        with store.locked(LETIA) as room:
            room.apply(entry_for(said, index=index))
        with store.view(LETIA) as view:
            assert ids(view, view.dense(VECTORS.vector("고양이"), 9))[0] == "t1/1"
            scores = [each.score for each in (*view.dense(nothing, 9), *view.dense(VECTORS.vector("고양이"), 9))]
            scores += [*view.cosines(nothing).tolist(), *view.cosines(VECTORS.vector("고양이")).tolist()]
            assert all(math.isfinite(score) for score in scores)

    def test_one_passage_of_an_item_is_enough_to_find_it(self, store: Store) -> None:
        said = turn("고양이 라면", "고양이 김밥 바다 산", id="t1")
        rows = VECTORS.embed(["고양이 라면", "고양이", "라면"])
        index = {
            "t1/0": IndexEntry(terms=(), vectors=rows),
            "t1/1": IndexEntry(terms=(), vectors=VECTORS.embed(["고양이 김밥 바다 산"])),
        }
        with store.locked(LETIA) as room:
            room.apply(entry_for(said, index=index))
        with store.view(LETIA) as view:
            matches = view.dense(VECTORS.vector("라면"), 9)
            assert ids(view, matches) == ["t1/0", "t1/1"]
            assert matches[0].score == pytest.approx(1.0, abs=1e-4)

    def test_an_item_that_was_never_indexed_is_not_found(self, store: Store) -> None:
        with store.locked(LETIA) as room:
            room.apply(entry_for(turn("비밀", id="t1"), memories=(memory("비밀", id="m1"),), index={}))
        assert near(store, "비밀") == []
        assert saying(store, "비밀", prefixes=["비"]) == []
        assert set(read(store, LETIA, lambda view: view.cosines(VECTORS.vector("비밀"))).tolist()) <= {-1.0}

    def test_a_past_memory_is_still_found(self, scribe: Scribe) -> None:
        scribe.observe("서울 살아", claims=[claim("residence", "서울", id="c1")])
        scribe.observe("부산 살아", claims=[claim("residence", "부산", id="c2")])
        assert set(near(scribe.store, "서울", memories_only=True)) == {"c1", "c2"}

    def test_a_hidden_memory_is_found_by_no_search_until_it_is_shown_again(self, scribe: Scribe) -> None:
        scribe.observe("라면 먹었어", claims=[note("라면 먹음", id="c1"), claim("likes", "라면", id="c2")])

        def found() -> list[set[str]]:
            with scribe.store.view(LETIA) as view:
                dense = view.dense(VECTORS.vector("라면 먹음"), 9, memories_only=True)
                words = saying(scribe.store, "라면", "먹음", prefixes=["라"], memories_only=True)
                there = view.items(view.layout().refs[view.layout().is_memory].tolist())
                assert set(words) == {each.id for each in there.values()}
                return [set(ids(view, dense)), set(words)]

        forgotten = scribe.forget("c1")
        assert found() == [{"c2"}, {"c2"}]
        lie = scribe.observe("뻥이야", claims=[claim("likes", "라면", act="retract")])
        assert found() == [set(), set()]
        scribe.undo(forgotten.id)
        assert found() == [{"c1"}, {"c1"}]
        scribe.undo(lie.id)
        assert found() == [{"c1", "c2"}, {"c1", "c2"}]

    def test_a_corrected_memory_is_found_by_its_new_words(self, scribe: Scribe) -> None:
        scribe.observe("말", claims=[note("고양이 만남", id="c1"), note("바다 여행", id="c2")])
        assert near(scribe.store, "고양이 바다 여행 만남 만남", memories_only=True)[0] == "c1"
        scribe.correct("c1", "겨울 노래")
        assert near(scribe.store, "겨울 노래", memories_only=True)[0] == "c1"
        assert near(scribe.store, "고양이 바다 여행 만남 만남", memories_only=True)[0] == "c2"

    def test_an_item_is_read_by_its_ref_and_found_by_its_id(self, scribe: Scribe) -> None:
        scribe.observe("나 고양이 좋아해", id="t1", claims=[claim("likes", "고양이", id="c1")])
        with scribe.store.view(LETIA) as view:
            refs = view.refs(["t1/0", "c1", "없음"])
            assert set(refs) == {"t1/0", "c1"}
            items = view.items(refs.values())
            kept = view.turn("t1")
            assert kept is not None
            assert items[refs["t1/0"]] == kept.utterances[0]
            assert items[refs["c1"]] == view.memories_by_id(["c1"])["c1"]
