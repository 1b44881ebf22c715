"""The layout: every item that may be found, in the order it came in, with what recall wants to know of all of them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

from gieok.domain.memory import Change
from gieok.ports import NO_SITTING, IndexEntry, Mark, Party, Store
from gieok.testing.builders import DAY_1, claim, day, entry_for, memory, note, turn
from gieok.testing.scribe import Scribe
from gieok_contract.base import LETIA, SERA, Contract, laid_out, read

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def microseconds(moment: datetime) -> int:
    return (moment - EPOCH) // timedelta(microseconds=1)


def order(store: Store) -> list[str]:
    return read(store, LETIA, laid_out)


def sittings(store: Store) -> dict[str, int]:
    """Return which sitting each item belongs to."""
    with store.view(LETIA) as view:
        return dict(zip(laid_out(view), view.layout().sittings.tolist(), strict=True))


class Layouts(Contract):
    """What a store promises about the layout of a scope."""

    def test_the_items_come_in_the_order_they_were_written(self, scribe: Scribe) -> None:
        scribe.observe("하나", "둘", id="t1", at=day(5))
        scribe.observe(("character", "셋"), id="t2", at=day(1))
        scribe.remember(claim("likes", "고양이", id="c1"))
        scribe.observe("넷", id="t3", at=day(3))
        assert order(scribe.store) == ["t1/0", "t1/1", "t2/0", "c1", "t3/0"]
        with scribe.store.view(LETIA) as view:
            layout = view.layout()
            assert set(layout.refs.tolist()) == set(view.refs(laid_out(view)).values())
            assert layout.is_memory.tolist() == [False, False, False, True, False]

    def test_all_its_arrays_are_parallel(self, scribe: Scribe) -> None:
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

    def test_it_grows_with_what_is_said(self, scribe: Scribe) -> None:
        seen = []
        for number in range(1, 4):
            scribe.observe(f"말 {number}", id=f"t{number}", session=f"{number // 2}")
            seen.append(sittings(scribe.store))
        assert seen == [{"t1/0": 0}, {"t1/0": 0, "t2/0": 1}, {"t1/0": 0, "t2/0": 1, "t3/0": 1}]

    def test_what_is_hidden_forgotten_or_rewound_is_not_in_it(self, scribe: Scribe) -> None:
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

    def test_a_past_memory_is_still_in_it(self, scribe: Scribe) -> None:
        scribe.observe("서울 살아", id="t1", claims=[claim("residence", "서울", id="c1")])
        scribe.observe("부산 살아", id="t2", claims=[claim("residence", "부산", id="c2")])
        assert order(scribe.store) == ["t1/0", "c1", "t2/0", "c2"]

    def test_it_tells_the_length_in_terms_and_the_marks(self, store: Store) -> None:
        every = sum(Mark)
        index = {
            "t/0": IndexEntry(terms=("라면", "라면", "먹다"), marks=Mark.TELLS, vectors=None),
            "t/1": IndexEntry(terms=(), tags=("food",) * 8, vectors=None),
            "t/2": IndexEntry(terms=("말",) * 300, marks=every, vectors=None),
            "m": IndexEntry(terms=("고양이",), marks=Mark.ASKS | Mark.HOLDS_TIME, vectors=None),
        }
        with store.locked(LETIA) as room:
            room.apply(entry_for(turn(*"말말말", id="t"), memories=(memory(id="m"),), index=index))
        with store.view(LETIA) as view:
            layout = view.layout()
            assert laid_out(view) == ["t/0", "t/1", "t/2", "m"]
            assert layout.lengths.tolist() == [3, 0, 300, 1]
            assert layout.marks.tolist() == [Mark.TELLS, 0, every, Mark.ASKS | Mark.HOLDS_TIME]

    def test_a_corrected_memory_has_the_length_of_its_new_words(self, scribe: Scribe) -> None:
        scribe.observe("말", claims=[note("고양이를 처음 만난 날", id="c1")])
        scribe.correct("c1", "겨울 노래")
        with scribe.store.view(LETIA) as view:
            assert (view.layout().lengths[view.layout().is_memory]).tolist() == [2]

    def test_it_tells_whose_an_utterance_is_and_whom_a_memory_is_about(self, store: Store) -> None:
        said = turn(("user", "가"), ("character", "나"), ("세라", "다"), ("민수", "라"), id="t")
        about = tuple(
            memory(id=f"m{number}", subject=subject, subject_id=subject)
            for number, subject in enumerate(("user", "character", "other"))
        )
        with store.locked(LETIA) as room:
            room.apply(entry_for(said, memories=about))
        with store.view(LETIA) as view:
            parties = dict(zip(laid_out(view), view.layout().parties.tolist(), strict=True))
        user, character, other = Party.USER, Party.CHARACTER, Party.OTHER
        assert [parties[f"t/{number}"] for number in range(4)] == [user, character, other, other]
        assert [parties[f"m{number}"] for number in range(3)] == [user, character, other]

    def test_it_tells_when_something_was_said_and_since_when_it_is_true(self, store: Store) -> None:
        at = datetime(2026, 3, 1, 21, 30, 15, 999_999, tzinfo=timezone(timedelta(hours=-9, minutes=-30)))
        since = datetime(1969, 7, 20, 20, 17, 40, 1, tzinfo=UTC)
        with store.locked(LETIA) as room:
            room.apply(entry_for(turn("말", id="t", at=at), memories=(memory(id="m", valid_at=since),)))
        with store.view(LETIA) as view:
            assert laid_out(view) == ["t/0", "m"]
            assert view.layout().moments.tolist() == [microseconds(at), microseconds(since)]

    def test_a_memory_that_turns_out_to_be_older_or_about_another_says_so(self, store: Store) -> None:
        thought, known = memory(id="m", valid_at=day(9)), memory(id="n", valid_at=day(9))
        with store.locked(LETIA) as room:
            room.apply(entry_for(memories=(thought, known)))
        assert read(store, LETIA, lambda view: view.layout().moments.tolist()) == [microseconds(day(9))] * 2

        older = Change(before=thought, after=thought.changed(valid_at=day(2)))
        with store.locked(LETIA) as room:
            room.apply(entry_for(memories=(older,)))
        moments = [microseconds(day(2)), microseconds(day(9))]
        assert read(store, LETIA, lambda view: view.layout().moments.tolist()) == moments

        hers = Change(before=known, after=known.changed(subject="character", subject_id="character"))
        with store.locked(LETIA) as room:
            room.apply(entry_for(memories=(hers,)))
        assert read(store, LETIA, lambda view: view.layout().parties.tolist()) == [Party.USER, Party.CHARACTER]

    def test_one_session_is_one_sitting_however_long_its_silences(self, scribe: Scribe) -> None:
        scribe.observe("안녕", "안녕하세요", id="t1", session="첫날", at=day(1))
        scribe.observe("아직 있어?", id="t2", session="첫날", at=day(4))
        scribe.observe("또 왔어", id="t3", session="둘째 날", at=day(4) + timedelta(minutes=1))
        assert sittings(scribe.store) == {"t1/0": 0, "t1/1": 0, "t2/0": 0, "t3/0": 1}

    def test_a_label_begins_a_sitting_and_so_does_the_lack_of_one(self, scribe: Scribe) -> None:
        for number, label in enumerate((None, "저녁", None, "밤", "새벽")):
            scribe.observe("말", "네", id=f"t{number}", session=label, at=DAY_1 + timedelta(minutes=number))
        assert [sittings(scribe.store)[f"t{number}/1"] for number in range(5)] == [0, 1, 2, 3, 4]

    def test_without_a_label_an_hours_silence_parts_two_sittings(self, scribe: Scribe) -> None:
        for number, minutes in enumerate((0, 59, 118, 180, 181)):
            scribe.observe("말", id=f"t{number}", at=DAY_1 + timedelta(minutes=minutes))
        assert sittings(scribe.store) == {"t0/0": 0, "t1/0": 0, "t2/0": 0, "t3/0": 1, "t4/0": 1}

    def test_a_memory_belongs_to_no_sitting_and_parts_none(self, scribe: Scribe) -> None:
        scribe.observe("고양이 좋아", id="t1", session="저녁", claims=[claim("likes", "고양이", id="c1")])
        scribe.remember(claim("allergy", "땅콩", id="c2"), at=day(30))
        scribe.observe("또 왔어", id="t2", session="저녁")
        assert sittings(scribe.store) == {"t1/0": 0, "c1": NO_SITTING, "c2": NO_SITTING, "t2/0": 0}

    def test_sittings_are_counted_as_if_a_rewound_turn_had_never_been(self, scribe: Scribe) -> None:
        for number, label in enumerate(("저녁", "밤", "저녁"), start=1):
            scribe.observe("말", id=f"t{number}", session=label)
        scribe.rewind("t2")
        assert sittings(scribe.store) == {"t1/0": 0, "t3/0": 0}
