"""Rewinding: what was taken back is as if it had never been said."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from gieok.domain.turn import Turn
from gieok.ports import MemoryFilter, Store
from gieok.testing.builders import claim, day, entry_for
from gieok.testing.scribe import EVERYTHING, Scribe, replayed
from gieok.testing.stories import tell
from gieok_contract.base import LETIA, Contract, laid_out, near, read, saying


def values(store: Store, attribute: str) -> list[str | None]:
    """Return what is true on day 99, oldest first."""
    which = MemoryFilter(attribute=attribute, current_at=day(99))
    return [each.value for each in read(store, LETIA, lambda view: view.memories(which))]


class Rewinding(Contract):
    """What a store promises about taking back."""

    def test_a_rewound_turn_leaves_the_log_and_every_search(self, scribe: Scribe) -> None:
        scribe.observe("우리 동네 이야기", id="t1")
        scribe.observe("비밀 이야기", "비밀 지킬게요", id="t2", claims=[claim("likes", "비밀 기지", id="c2")])
        assert set(saying(scribe.store, "비밀")) == {"t2/0", "t2/1", "c2"}
        scribe.rewind("t2")
        store = scribe.store
        with store.view(LETIA) as view:
            assert not any((view.turn("t2"), view.operation_of("t2")))
            assert [each.id for each in view.turns(9)] == ["t1"]
            assert view.memories_by_id(["c2"]) == {}
            assert view.memories(EVERYTHING) == view.believed_at(day(99)) == []
        assert saying(store, "비밀", "기지") == saying(store, prefixes=["비", "기"]) == []
        assert near(store, "비밀 이야기") == ["t1/0"]

    def test_an_unread_turn_can_be_rewound(self, scribe: Scribe) -> None:
        scribe.observe("못 읽은 말", id="t1", unread=True)
        scribe.rewind("t1")
        assert read(scribe.store, LETIA, lambda view: view.unread(9)) == []

    def test_a_turn_whose_reading_is_undone_waits_to_be_read_again(self, scribe: Scribe) -> None:
        scribe.observe("못 읽은 말", id="t1", unread=True)
        with scribe.store.locked(LETIA) as room:
            reading = room.apply(replace(entry_for(at=day(2), kind="read", turn_id="t1"), caught_up="t1"))
        assert read(scribe.store, LETIA, lambda view: view.unread(9)) == []
        scribe.undo(reading.id)
        assert [each.id for each in read(scribe.store, LETIA, lambda view: view.unread(9))] == ["t1"]

    def test_a_rewound_turn_frees_its_id(self, scribe: Scribe) -> None:
        scribe.observe("나 스물다섯", id="t1", claims=[claim("age", "25", id="c1")])
        for age in ("26", "27"):
            scribe.rewind("t1")
            scribe.observe(f"나 {age}살", id="t1", claims=[claim("age", age, id="c1")])
        with scribe.store.view(LETIA) as view:
            assert [each.utterances[0].text for each in view.turns(9)] == ["나 27살"]
            assert view.memories_by_id(["c1"])["c1"].value == "27"
        assert saying(scribe.store, "26살", "27살") == ["t1/0"]
        assert near(scribe.store, "나 스물다섯", memories_only=True) == ["c1"]

    def test_rewinding_the_last_turn_brings_back_what_it_closed(self, scribe: Scribe) -> None:
        scribe.observe("서울 살아", id="t1", claims=[claim("residence", "서울", id="c1")])
        scribe.observe("부산으로 갔어", id="t2", claims=[claim("residence", "부산", id="c2")])
        assert values(scribe.store, "residence") == ["부산"]
        scribe.rewind("t2")
        assert values(scribe.store, "residence") == ["서울"]

    def test_rewinding_a_turn_in_the_middle_judges_the_later_ones_again(self, scribe: Scribe) -> None:
        scribe.observe("고양이 좋아", id="t1", claims=[claim("likes", "고양이", id="c1")], at=day(1))
        scribe.observe("고양이 좋다고", id="t2", claims=[claim("likes", "고양이", id="c2")], at=day(2))
        scribe.observe("이젠 싫어", id="t3", claims=[claim("dislikes", "고양이", id="c3")], at=day(3))
        scribe.rewind("t1", at=day(4))
        with scribe.store.view(LETIA) as view:
            kept = view.memories_by_id(["c1", "c2", "c3"])
            assert {each.id: (each.valid_at, each.closed_by) for each in kept.values()} == {
                "c2": (day(2), "c3"),
                "c3": (day(3), None),
            }
            assert view.operation_of("t2") != view.operation_of("t3")
            assert [type(each).__name__ for each in view.operation_of("t2").decisions] == ["Remember"]  # type: ignore[union-attr]  # it is in force
        assert "c2" in near(scribe.store, "likes: 고양이", memories_only=True)
        assert "c2" in saying(scribe.store, "고양이", memories_only=True)

    def test_undoing_a_correction_makes_the_old_words_findable_again(self, scribe: Scribe) -> None:
        scribe.observe("라면 좋아", claims=[claim("likes", "라면", id="c1", content="라면 좋아함")])
        corrected = scribe.correct("c1", "김밥 좋아함", value="김밥")
        assert saying(scribe.store, "라면", "김밥", memories_only=True) == ["c1"]
        assert saying(scribe.store, "라면", memories_only=True) == []
        scribe.undo(corrected.id)
        assert saying(scribe.store, "라면", memories_only=True) == ["c1"]
        assert saying(scribe.store, "김밥", memories_only=True) == []

    def test_the_turns_that_stay_are_numbered_as_if_it_had_never_been(self, scribe: Scribe) -> None:
        for number in range(1, 6):
            scribe.observe(f"말 {number}", id=f"t{number}")
        scribe.rewind("t2", "t5")
        scribe.observe("말 6", id="t6")

        def numbered(turns: list[Turn]) -> list[tuple[str, int]]:
            return [(each.id, each.number) for each in turns]

        with scribe.store.view(LETIA) as view:
            assert numbered(view.turns(9)) == [("t1", 1), ("t3", 2), ("t4", 3), ("t6", 4)]
            assert numbered(view.turns(1, before=3)) == [("t3", 2)]
            assert view.turn_number == 4
            for each in view.turns(9):
                operation = view.operation_of(each.id)
                assert operation is not None
                assert operation.moment.turn_number == each.number

    def test_a_rewind_moves_the_version_on(self, scribe: Scribe) -> None:
        scribe.observe("말", id="t1")
        before = read(scribe.store, LETIA, lambda view: view.version)
        scribe.rewind("t1")
        assert read(scribe.store, LETIA, lambda view: view.version) > before

    def test_a_rewound_utterance_stands_beside_nobody_and_is_no_item(self, scribe: Scribe) -> None:
        for number in (1, 2, 3):
            scribe.observe(f"말 {number}", id=f"t{number}")
        scribe.rewind("t2")
        with scribe.store.view(LETIA) as view:
            assert set(view.refs(["t1/0", "t2/0", "t3/0"])) == {"t1/0", "t3/0"}
            assert laid_out(view) == ["t1/0", "t3/0"]

    def test_after_any_story_the_scope_is_what_its_survivors_make_it(self, store: Store, rounds: int) -> None:
        for seed in range(max(rounds // 4, 1)):
            scope = LETIA.beside(f"레티아 {seed}")
            scribe = Scribe(store, scope)
            tell(scribe, Random(seed), steps=40)
            with store.view(scope) as view:
                beliefs, outcomes = replayed(view.operations(), scribe.carrier.policy)
                assert view.operations() == outcomes
                assert {each.id: each for each in view.memories(EVERYTHING)} == beliefs.all()
                assert [each.number for each in view.turns(1_000)] == list(range(1, view.turn_number + 1))
                visible = {each.id for each in beliefs.all().values() if not each.hidden}
            assert set(near(store, "무엇이든", scope, memories_only=True)) == visible
            everybody = {word for each in beliefs.all().values() for word in each.content.split()}
            assert set(saying(store, *everybody, scope=scope, memories_only=True)) == visible
