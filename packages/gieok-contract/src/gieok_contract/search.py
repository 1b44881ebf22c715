"""Search: the layout of a scope, vectors, words, and words ranked by the store."""

from __future__ import annotations

import math
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta, timezone

import numpy as np
import pytest

from gieok.domain.memory import Change
from gieok.domain.scope import Scope
from gieok.errors import EmbedderMismatch
from gieok.ports import NO_SITTING, IndexEntry, Mark, Occurrences, Party, Store, View, WordWeights
from gieok.testing.builders import DAY_1, claim, day, entry_for, memory, note, turn
from gieok.testing.scribe import Scribe
from gieok_contract.base import (
    LETIA,
    OTHER_VECTORS,
    SERA,
    VECTORS,
    Contract,
    apply_entry,
    held,
    ids,
    layout_ids,
    near,
    read,
    word_matches,
)

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def microseconds(moment: datetime) -> int:
    return (moment - EPOCH) // timedelta(microseconds=1)


def order(store: Store) -> list[str]:
    return read(store, LETIA, layout_ids)


def sittings(store: Store) -> dict[str, int]:
    """Return the sitting of each item."""
    with store.view(LETIA) as view:
        return dict(zip(layout_ids(view), view.layout().sittings.tolist(), strict=True))


class Layout(Contract):
    """The layout of a scope: every item that may be found, in order."""

    def test_the_layout_lists_items_in_the_order_they_were_written(self, scribe: Scribe) -> None:
        scribe.observe("하나", "둘", id="t1", at=day(5))
        scribe.observe(("character", "셋"), id="t2", at=day(1))
        scribe.remember(claim("likes", "고양이", id="c1"))
        scribe.observe("넷", id="t3", at=day(3))
        assert order(scribe.store) == ["t1/0", "t1/1", "t2/0", "c1", "t3/0"]
        with scribe.store.view(LETIA) as view:
            layout = view.layout()
            assert set(layout.refs.tolist()) == set(view.refs(layout_ids(view)).values())
            assert layout.is_memory.tolist() == [False, False, False, True, False]

    def test_the_arrays_of_the_layout_are_parallel(self, scribe: Scribe) -> None:
        for number in range(70):
            scribe.observe(f"말 {number}", claims=[note(f"일 {number}")] if number % 3 == 0 else [])
        with scribe.store.view(LETIA) as view:
            layout = view.layout()
            columns = (layout.is_memory, layout.lengths, layout.marks, layout.parties, layout.moments, layout.sittings)
            assert {len(column) for column in columns} == {len(layout.refs)} == {70 + 24}

    def test_a_scope_without_items_has_an_empty_layout(self, store: Store) -> None:
        Scribe(store, SERA).observe("옆방 이야기")
        with store.view(LETIA) as view:
            assert (view.layout().refs.tolist(), view.layout().sittings.tolist()) == ([], [])

    def test_the_layout_grows_with_every_turn(self, scribe: Scribe) -> None:
        seen = []
        for number in range(1, 4):
            scribe.observe(f"말 {number}", id=f"t{number}", session=f"{number // 2}")
            seen.append(sittings(scribe.store))
        assert seen == [{"t1/0": 0}, {"t1/0": 0, "t2/0": 1}, {"t1/0": 0, "t2/0": 1, "t3/0": 1}]

    def test_hidden_forgotten_and_rewound_items_are_not_in_the_layout(self, scribe: Scribe) -> None:
        scribe.observe("라면 먹었어", id="t1", claims=[note("라면 먹음", id="c1"), claim("likes", "라면", id="c2")])
        scribe.observe("비밀 이야기", "쉿", id="t2")
        forgotten = scribe.forget("c1")
        assert order(scribe.store) == ["t1/0", "c2", "t2/0", "t2/1"]
        lie = scribe.observe("뻥이야", id="t3", claims=[claim("likes", "라면", act="retract")])
        assert order(scribe.store) == ["t1/0", "t2/0", "t2/1", "t3/0"]
        scribe.rewind("t2")
        assert order(scribe.store) == ["t1/0", "t3/0"]
        scribe.undo(forgotten.id, lie.id)
        assert sorted(order(scribe.store)) == ["c1", "c2", "t1/0"]

    def test_a_past_memory_stays_in_the_layout(self, scribe: Scribe) -> None:
        scribe.observe("서울 살아", id="t1", claims=[claim("residence", "서울", id="c1")])
        scribe.observe("부산 살아", id="t2", claims=[claim("residence", "부산", id="c2")])
        assert order(scribe.store) == ["t1/0", "c1", "t2/0", "c2"]

    def test_the_layout_has_the_number_of_terms_and_the_marks(self, store: Store) -> None:
        every = sum(Mark)
        index = {
            "t/0": IndexEntry(terms=("라면", "라면", "먹다"), marks=Mark.TELLS, vectors=None),
            "t/1": IndexEntry(terms=(), tags=("food",) * 8, vectors=None),
            "t/2": IndexEntry(terms=("말",) * 300, marks=every, vectors=None),
            "m": IndexEntry(terms=("고양이",), marks=Mark.ASKS | Mark.HOLDS_TIME, vectors=None),
        }
        apply_entry(store, turn(*"말말말", id="t"), memories=(memory(id="m"),), index=index)
        with store.view(LETIA) as view:
            layout = view.layout()
            assert layout_ids(view) == ["t/0", "t/1", "t/2", "m"]
            assert layout.lengths.tolist() == [3, 0, 300, 1]
            assert layout.marks.tolist() == [Mark.TELLS, 0, every, Mark.ASKS | Mark.HOLDS_TIME]

    def test_a_corrected_memory_has_the_length_of_its_new_words(self, scribe: Scribe) -> None:
        scribe.observe("말", claims=[note("고양이를 처음 만난 날", id="c1")])
        scribe.correct("c1", "겨울 노래")
        with scribe.store.view(LETIA) as view:
            assert (view.layout().lengths[view.layout().is_memory]).tolist() == [2]

    def test_the_layout_has_the_party_of_every_item(self, store: Store) -> None:
        said = turn(("user", "가"), ("character", "나"), ("세라", "다"), ("민수", "라"), id="t")
        about = tuple(
            memory(id=f"m{number}", subject=subject, subject_id=subject)
            for number, subject in enumerate(("user", "character", "other"))
        )
        apply_entry(store, said, memories=about)
        with store.view(LETIA) as view:
            parties = dict(zip(layout_ids(view), view.layout().parties.tolist(), strict=True))
        user, character, other = Party.USER, Party.CHARACTER, Party.OTHER
        assert [parties[f"t/{number}"] for number in range(4)] == [user, character, other, other]
        assert [parties[f"m{number}"] for number in range(3)] == [user, character, other]

    def test_the_layout_has_the_moment_of_every_item(self, store: Store) -> None:
        at = datetime(2026, 3, 1, 21, 30, 15, 999_999, tzinfo=timezone(timedelta(hours=-9, minutes=-30)))
        since = datetime(1969, 7, 20, 20, 17, 40, 1, tzinfo=UTC)
        apply_entry(store, turn("말", id="t", at=at), memories=(memory(id="m", valid_at=since),))
        with store.view(LETIA) as view:
            assert layout_ids(view) == ["t/0", "m"]
            assert view.layout().moments.tolist() == [microseconds(at), microseconds(since)]

    def test_the_layout_follows_changes_of_moment_and_subject(self, store: Store) -> None:
        thought, known = memory(id="m", valid_at=day(9)), memory(id="n", valid_at=day(9))
        apply_entry(store, memories=(thought, known))
        assert read(store, LETIA, lambda view: view.layout().moments.tolist()) == [microseconds(day(9))] * 2

        older = Change(before=thought, after=thought.changed(valid_at=day(2)))
        apply_entry(store, memories=(older,))
        moments = [microseconds(day(2)), microseconds(day(9))]
        assert read(store, LETIA, lambda view: view.layout().moments.tolist()) == moments

        hers = Change(before=known, after=known.changed(subject="character", subject_id="character"))
        apply_entry(store, memories=(hers,))
        assert read(store, LETIA, lambda view: view.layout().parties.tolist()) == [Party.USER, Party.CHARACTER]

    def test_a_session_is_one_sitting_whatever_its_pauses(self, scribe: Scribe) -> None:
        scribe.observe("안녕", "안녕하세요", id="t1", session="첫날", at=day(1))
        scribe.observe("아직 있어?", id="t2", session="첫날", at=day(4))
        scribe.observe("또 왔어", id="t3", session="둘째 날", at=day(4) + timedelta(minutes=1))
        assert sittings(scribe.store) == {"t1/0": 0, "t1/1": 0, "t2/0": 0, "t3/0": 1}

    def test_a_changed_session_label_begins_a_sitting(self, scribe: Scribe) -> None:
        for number, label in enumerate((None, "저녁", None, "밤", "새벽")):
            scribe.observe("말", "네", id=f"t{number}", session=label, at=DAY_1 + timedelta(minutes=number))
        assert [sittings(scribe.store)[f"t{number}/1"] for number in range(5)] == [0, 1, 2, 3, 4]

    def test_without_a_label_a_pause_of_an_hour_begins_a_sitting(self, scribe: Scribe) -> None:
        for number, minutes in enumerate((0, 59, 118, 180, 181)):
            scribe.observe("말", id=f"t{number}", at=DAY_1 + timedelta(minutes=minutes))
        assert sittings(scribe.store) == {"t0/0": 0, "t1/0": 0, "t2/0": 0, "t3/0": 1, "t4/0": 1}

    def test_a_memory_belongs_to_no_sitting(self, scribe: Scribe) -> None:
        scribe.observe("고양이 좋아", id="t1", session="저녁", claims=[claim("likes", "고양이", id="c1")])
        scribe.remember(claim("allergy", "땅콩", id="c2"), at=day(30))
        scribe.observe("또 왔어", id="t2", session="저녁")
        assert sittings(scribe.store) == {"t1/0": 0, "c1": NO_SITTING, "c2": NO_SITTING, "t2/0": 0}

    def test_sittings_do_not_count_rewound_turns(self, scribe: Scribe) -> None:
        for number, label in enumerate(("저녁", "밤", "저녁"), start=1):
            scribe.observe("말", id=f"t{number}", session=label)
        scribe.rewind("t2")
        assert sittings(scribe.store) == {"t1/0": 0, "t3/0": 0}


WORDS = "고양이 강아지 라면 김밥 바다 산 여름 겨울 노래 그림 학교 시험 비 눈".split()


class Vectors(Contract):
    """Dense search: exact cosine."""

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

    def test_the_nearest_of_several_rows_counts_and_a_missing_vector_gives_minus_one(self, store: Store) -> None:
        against = -VECTORS.vector("라면")
        index = {
            "t1/0": IndexEntry(terms=(), vectors=VECTORS.embed(["고양이 라면", "고양이", "라면"])),
            "t1/1": IndexEntry(terms=("라면",), vectors=None),
            "t1/2": IndexEntry(terms=(), vectors=np.stack([against, VECTORS.vector("바다")])),
            "t1/3": IndexEntry(terms=(), vectors=against[np.newaxis]),
        }
        apply_entry(store, turn(*"가나다라", id="t1"), index=index)
        with store.view(LETIA) as view:
            apart = float(VECTORS.vector("바다") @ VECTORS.vector("라면"))
            assert layout_ids(view) == ["t1/0", "t1/1", "t1/2", "t1/3"]
            assert view.cosines(VECTORS.vector("라면")).tolist() == pytest.approx([1.0, -1.0, apart, -1.0], abs=1e-4)

    def test_bounds_of_cosines_are_none_too_low_and_the_cosines_where_they_were_measured(self, scribe: Scribe) -> None:
        for number in range(12):
            scribe.observe(f"고양이 바다 {number}", id=f"t{number}")
        query = VECTORS.vector("바다 고양이 3")
        with scribe.store.view(LETIA) as view:
            bounded = getattr(view, "nearness", None)
            if bounded is None:
                pytest.skip("this store works out every cosine")
            cosines, near = view.cosines(query), bounded(query)
            assert (near.most >= cosines - 1e-4).all()
            places = np.array([3, 7])
            near.measure(places)
            assert near.measured[places].all()
            assert near.most[places].tolist() == pytest.approx(cosines[places].tolist(), abs=1e-6)

    def test_vectors_of_another_embedder_are_never_compared(self, store: Store, second_handle: Store) -> None:
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

    def test_dense_search_finds_memories_and_utterances_or_memories_only(self, scribe: Scribe) -> None:
        scribe.observe("나 고양이 좋아해", id="t1", claims=[claim("likes", "고양이", id="c1")])
        assert set(near(scribe.store, "고양이")) == {"t1/0", "c1"}
        assert near(scribe.store, "고양이", memories_only=True) == ["c1"]

    def test_an_item_without_a_vector_is_not_found_by_dense_search(self, store: Store) -> None:
        said = turn("고양이 하나", "고양이 둘", id="t1")
        index = {
            "t1/0": IndexEntry(terms=("고양이", "하나"), vectors=None),
            "t1/1": IndexEntry(terms=("고양이", "둘"), vectors=VECTORS.embed(["고양이 둘"])),
        }
        apply_entry(store, said, index=index)
        assert near(store, "고양이") == ["t1/1"]
        assert word_matches(store, "고양이") == ["t1/0", "t1/1"]

    def test_a_zero_vector_gives_finite_scores(self, store: Store) -> None:
        said = turn("…", "고양이", id="t1")
        nothing = np.zeros(VECTORS.dimension, dtype=np.float32)
        index = {
            "t1/0": IndexEntry(terms=(), vectors=nothing[np.newaxis]),
            "t1/1": IndexEntry(terms=("고양이",), vectors=VECTORS.embed(["고양이"])),
        }
        apply_entry(store, said, index=index)
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
        apply_entry(store, said, index=index)
        with store.view(LETIA) as view:
            matches = view.dense(VECTORS.vector("라면"), 9)
            assert ids(view, matches) == ["t1/0", "t1/1"]
            assert matches[0].score == pytest.approx(1.0, abs=1e-4)

    def test_an_item_that_was_never_indexed_is_not_found(self, store: Store) -> None:
        apply_entry(store, turn("비밀", id="t1"), memories=(memory("비밀", id="m1"),), index={})
        assert near(store, "비밀") == []
        assert word_matches(store, "비밀", prefixes=["비"]) == []
        assert set(read(store, LETIA, lambda view: view.cosines(VECTORS.vector("비밀"))).tolist()) <= {-1.0}

    def test_a_past_memory_is_still_found(self, scribe: Scribe) -> None:
        scribe.observe("서울 살아", claims=[claim("residence", "서울", id="c1")])
        scribe.observe("부산 살아", claims=[claim("residence", "부산", id="c2")])
        assert set(near(scribe.store, "서울", memories_only=True)) == {"c1", "c2"}

    def test_a_hidden_memory_is_found_by_no_search_until_it_is_restored(self, scribe: Scribe) -> None:
        scribe.observe("라면 먹었어", claims=[note("라면 먹음", id="c1"), claim("likes", "라면", id="c2")])

        def found() -> list[set[str]]:
            with scribe.store.view(LETIA) as view:
                dense = view.dense(VECTORS.vector("라면 먹음"), 9, memories_only=True)
                words = word_matches(scribe.store, "라면", "먹음", prefixes=["라"], memories_only=True)
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


#: Words that are syntax somewhere, or look like another scope's words in an index with scope prefixes.
ODD_WORDS = (
    '"', '""', '" OR *', "*", "라면*", "OR", "AND", "NOT", "NEAR", "NEAR(a,b)", "-라면", "+라면", "^라면", "c++", "c#",
    "(", ")", "{a}:b", "a:b", "terms:라면", "'", "';--", "\\", "%", "_", "a@7x라면",
    "#7x비밀", "💕7x비밀", "7x라면", "1x비밀", "&", "|", "!", "라면&비밀", "<->", "라면:*",
    "👨‍👩‍👧", "é", "１２３", "$1", "?", "%s",
)  # fmt: skip

#: Words with something inside that no index takes as part of a word.
BROKEN_WORDS = (
    "라면\n비밀", "라면\x00비밀", "라면 비밀", "\t", "\x00", " ", "", "\u3000", "라면\u00a0비밀", "\r\n7x비밀",
)  # fmt: skip


def keep(store: Store, *texts: tuple[str, ...]) -> None:
    """Store one turn whose utterance number n has the words `texts[n]`."""
    said = turn(*("말" for _ in texts), id="t")
    index = {
        f"t/{number}": IndexEntry(terms=terms, vectors=VECTORS.embed([" ".join(terms)]))
        for number, terms in enumerate(texts)
    }
    apply_entry(store, said, index=index)


def counts(found: Occurrences) -> dict[int, int]:
    """Return the number of occurrences by place."""
    return dict(zip(found.places.tolist(), found.times.tolist(), strict=True))


def everywhere(view: View, *words: str) -> dict[str, int]:
    """Return what `words` find as words, prefixes or tags."""
    return held(view, *view.occurrences(words), *view.prefix_occurrences(words), *view.tagged(words))


class Keywords(Contract):
    """Words, prefixes and tags."""

    def test_a_word_finds_what_holds_it_and_nothing_else(self, store: Store) -> None:
        keep(store, ("라면", "먹다"), ("김밥", "먹다"), ("라면집", "가다"))
        assert word_matches(store, "라면") == ["t/0"]
        assert word_matches(store, "먹다") == ["t/0", "t/1"]
        assert word_matches(store, "라면", "김밥") == ["t/0", "t/1"]

    def test_each_word_has_its_own_answer_in_the_order_asked(self, store: Store) -> None:
        keep(store, ("비", "눈", "비"), ("눈", "오다"), ("해",), ("비", "비", "비", "눈"))
        with store.view(LETIA) as view:
            assert layout_ids(view) == ["t/0", "t/1", "t/2", "t/3"]
            found = view.occurrences(["눈", "비", "없다", "눈", "해"])
            snow, rain = {0: 1, 1: 1, 3: 1}, {0: 2, 3: 3}
            assert [counts(each) for each in found] == [snow, rain, {}, snow, {2: 1}]

    def test_places_follow_the_layout_after_removals(self, scribe: Scribe) -> None:
        scribe.observe("비밀 하나", id="t1", claims=[note("비밀 기지", id="c1"), note("비밀 비밀 친구", id="c2")])
        scribe.observe("비밀 둘", id="t2")
        scribe.observe("비밀 셋", id="t3")
        scribe.forget("c1")
        scribe.rewind("t2")
        with scribe.store.view(LETIA) as view:
            assert layout_ids(view) == ["t1/0", "c2", "t3/0"]
            assert [counts(each) for each in view.occurrences(["비밀", "셋"])] == [{0: 1, 1: 2, 2: 1}, {2: 1}]
            longer = view.prefix_occurrences(["비", "기", "둘"])
            assert [counts(each) for each in longer] == [{0: 1, 1: 2, 2: 1}, {}, {}]

    def test_a_hidden_item_is_found_by_no_word_prefix_or_tag(self, store: Store) -> None:
        entry = IndexEntry(terms=("비밀번호",), tags=("secret",), vectors=None)
        index = {"t/0": entry, "m": entry, "n": entry}
        hidden = memory(id="n", retracted=True)
        apply_entry(store, turn("말", id="t"), memories=(memory(id="m"), hidden), index=index)
        with store.view(LETIA) as view:
            for found in (view.occurrences(["비밀번호"]), view.prefix_occurrences(["비밀"]), view.tagged(["secret"])):
                assert held(view, *found) == {"t/0": 1, "m": 1}

    def test_tags_are_separate_from_words(self, store: Store) -> None:
        vectors = VECTORS.embed(["라면"])
        index = {
            "t/0": IndexEntry(terms=("라면",), tags=("residence",), vectors=vectors),
            "t/1": IndexEntry(terms=("라면",), tags=("residence",) * 3 + ("pet",), vectors=None),
            "t/2": IndexEntry(terms=("residence",), vectors=vectors),
            "t/3": IndexEntry(terms=(), tags=("pet",), vectors=None),
        }
        apply_entry(store, turn(*"말말말말", id="t"), index=index)
        with store.view(LETIA) as view:
            tagged = view.tagged(["residence", "없음", "pet", "", "resid"])
            assert [counts(each) for each in tagged] == [{0: 1, 1: 3}, {}, {1: 1, 3: 1}, {}, {}]
            assert held(view, *view.occurrences(["residence"])) == {"t/2": 1}
            assert held(view, *view.prefix_occurrences(["resid"])) == {"t/2": 1}
            assert view.layout().lengths.tolist() == [1, 1, 1, 0]
        with store.view(SERA) as view:
            assert [counts(each) for each in view.tagged(["residence"])] == [{}]

    def test_unknown_words_and_no_words_find_nothing(self, store: Store) -> None:
        keep(store, ("라면", "먹다"))
        assert word_matches(store, "짜장면") == word_matches(store) == word_matches(store, prefixes=["짜"]) == []
        assert word_matches(store, "짜장면", "라면") == ["t/0"]
        with store.view(LETIA) as view:
            assert (view.occurrences([]), view.prefix_occurrences([]), view.tagged([])) == ([], [], [])

    def test_words_that_cannot_be_indexed_have_empty_answers(self, store: Store) -> None:
        keep(store, ("라면", "라면집", "먹다"))
        nothing = ["", " ", "\n", "\x00", "\u3000"]
        with store.view(LETIA) as view:
            for search, word in ((view.occurrences, "먹다"), (view.prefix_occurrences, "라면")):
                found = [counts(each) for each in search([*nothing, word, *nothing])]
                assert found == [{}] * len(nothing) + [{0: 1}] + [{}] * len(nothing)
            assert [counts(each) for each in view.tagged([*nothing, "먹다"])] == [{}] * (len(nothing) + 1)

    def test_a_prefix_finds_longer_words_but_not_itself(self, store: Store) -> None:
        keep(store, ("김밥천국", "김밥집"), ("김밥", "먹다"), ("김", "굽다"), ("참치김밥",), ("김밥천국", "김밥"))
        with store.view(LETIA) as view:
            found = [counts(each) for each in view.prefix_occurrences(["김밥", "김", "참치", "굽다"])]
            assert found == [{0: 2, 4: 1}, {0: 2, 1: 1, 4: 2}, {3: 1}, {}]
        assert word_matches(store, "굽다", prefixes=["김밥"]) == ["t/0", "t/2", "t/4"]

    def test_words_of_another_scope_do_not_count(self, store: Store) -> None:
        keep(store, ("비", "비바람"), ("눈", "비"))
        with store.view(LETIA) as view:
            alone = [*view.occurrences(["비", "눈"]), *view.prefix_occurrences(["비"])]
        other = Scribe(store, SERA)
        for _ in range(6):
            other.observe("비 비 비 비바람 눈사람 오는 날")
        with store.view(LETIA) as view:
            among_others = [*view.occurrences(["비", "눈"]), *view.prefix_occurrences(["비"])]
            assert list(map(counts, among_others)) == list(map(counts, alone)) == [{0: 1, 1: 1}, {1: 1}, {0: 1}]
            assert [counts(each) for each in view.prefix_occurrences(["눈"])] == [{}]

    def test_a_word_that_everything_holds_finds_everything(self, store: Store) -> None:
        keep(store, *[("고양이",)] * 300)
        with store.view(LETIA) as view:
            assert [counts(each) for each in view.occurrences(["고양이"])] == [dict.fromkeys(range(300), 1)]

    def test_words_find_memories_and_utterances_or_memories_only(self, scribe: Scribe) -> None:
        scribe.observe("고양이 좋아", id="t1", claims=[claim("likes", "고양이", id="c1")])
        assert word_matches(scribe.store, "고양이") == ["t1/0", "c1"]
        assert word_matches(scribe.store, "고양이", memories_only=True) == ["c1"]

    @pytest.mark.parametrize("word", ODD_WORDS)
    def test_a_word_that_looks_like_query_syntax_is_an_ordinary_word(self, store: Store, word: str) -> None:
        keep(store, (word, "하나", word), ("라면", "비밀"), ("하나", "둘"))
        assert word_matches(store, word) == ["t/0"]
        assert "t/1" not in word_matches(store, prefixes=[word])
        assert word_matches(store, word, "라면") == ["t/0", "t/1"]
        with store.view(LETIA) as view:
            assert [counts(each) for each in view.occurrences([word, "라면"])] == [{0: 2}, {1: 1}]
            assert held(view, *view.tagged([word])) == {}

    @pytest.mark.parametrize("word", ODD_WORDS)
    def test_a_tag_that_looks_like_query_syntax_is_an_ordinary_tag(self, store: Store, word: str) -> None:
        index = {
            "t/0": IndexEntry(terms=("하나",), tags=(word, word), vectors=None),
            "t/1": IndexEntry(terms=("라면", "비밀"), vectors=None),
        }
        apply_entry(store, turn("말", "말", id="t"), index=index)
        with store.view(LETIA) as view:
            assert [counts(each) for each in view.tagged([word, "하나"])] == [{0: 2}, {}]
            assert held(view, *view.occurrences([word])) == {}
        with store.view(SERA) as view:
            assert everywhere(view, word, "비밀", "하나") == {}

    @pytest.mark.parametrize("word", BROKEN_WORDS)
    def test_a_word_with_separators_does_no_harm(self, store: Store, word: str) -> None:
        keep(store, (word, "하나"), ("둘", "셋"))
        with store.view(LETIA) as view:
            assert set(everywhere(view, word)) <= {"t/0"}
            assert [counts(each) for each in view.occurrences([word, "셋", word, "하나"])][1::2] == [{1: 1}, {0: 1}]
        with store.view(SERA) as view:
            assert everywhere(view, word, "비밀", "하나") == {}


#: Words that want to be a query, another scope's words, or more than an index holds.
HOSTILE = (
    *ODD_WORDS, *BROKEN_WORDS, '" OR 1x', '") OR ("', '\\"', '"\\', "\\\\", "라면\\", '라면"', "-", "~라면", ">라면",
    "<라면", "column:@x", "_key:^1", "라면 OR 비밀", "1x", "1x*", "*D+", "^", "$", "{}", "[]", "`", "🍜", "👩‍🚀",
    "라면\ufffe비밀", "\ufffe", "\ue000", "010-1234-5678", "C++", "ㅋㅋㅋ", "가" * 8_000, "a" * 3_000, "\U0010ffff",
)  # fmt: skip


def weighed(view: View, words: Sequence[str]) -> list[dict[int, float]]:
    """Return the weights of each word by place."""
    found = view.word_weights(words)
    assert found is not None, "this store has no ranking of its own"
    return [_by_place(each) for each in found]


def _by_place(each: WordWeights) -> dict[int, float]:
    assert len(each.places) == len(each.weights) == len(set(each.places.tolist())), "each item is named once"
    assert all(weight > 0 for weight in each.weights.tolist())
    return dict(zip(each.places.tolist(), each.weights.tolist(), strict=True))


def found_by_both(view: View, words: Sequence[str]) -> bool:
    """Whether ranking and counting find each word in the same places."""
    return [set(each) for each in weighed(view, words)] == [set(counts(each)) for each in view.occurrences(words)]


class Rankings(Contract):
    """Only for stores that rank words themselves; not part of `StoreContract`."""

    def test_each_word_is_weighed_where_it_occurs_in_the_order_asked(self, store: Store) -> None:
        keep(store, ("라면", "먹다"), ("김밥", "먹다"), ("라면집", "가다"))
        with store.view(LETIA) as view:
            found = weighed(view, ["먹다", "라면", "없다", "", "먹다", "라"])
            assert [set(each) for each in found] == [{0, 1}, {0}, set(), set(), {0, 1}, set()]
            assert weighed(view, []) == []

    def test_rarer_and_more_frequent_words_weigh_more(self, store: Store) -> None:
        keep(store, ("비", "눈"), ("비",), ("비", "비", "비"), ("비", "해"), *[("달",)] * 12)
        with store.view(LETIA) as view:
            rain, snow = weighed(view, ["비", "눈"])
            assert rain[0] == pytest.approx(rain[1]) == pytest.approx(rain[3])
            assert rain[2] > rain[0]
            assert snow[0] > rain[0]

    def test_words_that_look_like_query_syntax_are_weighed_where_they_occur(self, store: Store) -> None:
        keep(store, *[(word, "하나") for word in HOSTILE], ("라면", "비밀"), ("하나", "둘"))
        Scribe(store, SERA).observe("라면 비밀 하나")
        with store.view(LETIA) as view:
            assert found_by_both(view, HOSTILE)
            assert found_by_both(view, [*HOSTILE[::-1], "둘"])

    def test_many_words_are_weighed_at_once(self, store: Store) -> None:
        words = [f"말{number}" for number in range(200)]
        keep(store, *[tuple(words[start : start + 3]) for start in range(0, 200, 7)])
        with store.view(LETIA) as view:
            assert found_by_both(view, words)

    def test_scopes_with_similar_numbers_do_not_find_each_other(self, store: Store) -> None:
        scopes = [Scope(user="민수", character=f"인물 {number}") for number in range(12)]
        for number, scope in enumerate(scopes):
            entry = IndexEntry(terms=("비밀", f"{number}", f"{number}x비밀", f"1{number}x비밀"), vectors=None)
            with store.locked(scope) as room:
                room.apply(entry_for(turn("말", id="t"), index={"t/0": entry}))
        words = ["비밀", "1x비밀", "11x비밀", *(f"{number}" for number in range(12))]
        for scope in scopes:
            with store.view(scope) as view:
                assert found_by_both(view, words)
                assert set(weighed(view, ["비밀"])[0]) == {0}
        with store.view(LETIA) as view:
            assert not any(weighed(view, words))

    def test_hidden_forgotten_rewound_and_erased_items_are_not_weighed(self, scribe: Scribe) -> None:
        scribe.observe("비밀 하나", id="t1", claims=[note("비밀 기지", id="c1"), note("비밀 비밀 친구", id="c2")])
        scribe.observe("비밀 둘", id="t2")
        scribe.forget("c1")
        with scribe.store.view(LETIA) as view:
            assert found_by_both(view, ["비밀", "기지", "둘"])
            assert weighed(view, ["기지"]) == [{}]
        scribe.rewind("t2")
        with scribe.store.view(LETIA) as view:
            assert found_by_both(view, ["비밀", "둘"])
            assert weighed(view, ["둘"]) == [{}]
        scribe.store.erase(LETIA, datetime.now(UTC))
        with scribe.store.view(LETIA) as view:
            assert weighed(view, ["비밀", "하나", "친구"]) == [{}, {}, {}]

    def test_a_corrected_memory_is_weighed_by_its_new_words(self, scribe: Scribe) -> None:
        scribe.observe("말", claims=[note("고양이 만난 날", id="c1")])
        scribe.correct("c1", "겨울 노래")
        with scribe.store.view(LETIA) as view:
            assert found_by_both(view, ["고양이", "겨울", "노래"])
            assert weighed(view, ["고양이"]) == [{}]

    def test_a_view_weighs_the_words_of_its_snapshot(self, scribe: Scribe) -> None:
        scribe.observe("비밀 하나", id="t1")
        with scribe.store.view(LETIA) as view:
            assert set(weighed(view, ["비밀"])[0]) == {0}
            scribe.observe("비밀 둘", id="t2")
            assert set(weighed(view, ["비밀"])[0]) == {0}

    def test_tags_are_not_weighed_as_words(self, store: Store) -> None:
        index = {"m": IndexEntry(terms=("라면",), tags=("food", "food"), vectors=None)}
        apply_entry(store, memories=(memory(id="m"),), index=index)
        with store.view(LETIA) as view:
            assert [set(each) for each in weighed(view, ["food", "라면"])] == [set(), {0}]
