"""The journal: operations come back as they were applied, and a rewind takes them back."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from gieok.domain.claim import Brought
from gieok.domain.decision import Ignore, Reinforce, Remember, Retract, Supersede
from gieok.domain.entity import Face, Note
from gieok.domain.model_conclusions import Conflict, Insight, Retelling, evidence_for
from gieok.domain.operation import Arrive, Direct, Operation, Think
from gieok.domain.relationship import Relationship
from gieok.domain.state import Delta
from gieok.domain.turn import Turn
from gieok.ports import MemoryFilter, Store
from gieok.testing.builders import claim, day, entry_for, note
from gieok.testing.scribe import EVERYTHING, Scribe, replayed
from gieok_contract.base import LETIA, OTHER_USER, Contract, layout_ids, near, read, word_matches
from gieok_contract.stories import tell


def every_kind_of_operation(scribe: Scribe) -> list[Operation]:
    """Write an entry of each kind, with every kind of decision; return the operations."""
    unsure = note("아마 비가 왔다", certainty=0.0, importance=0.0, content_type="note", tags=("날씨",))
    return [
        scribe.observe("나 고양이 좋아해", "저도요!", id="t1", claims=[claim("likes", "고양이", id="c1"), unsure]),
        scribe.observe("고양이 좋다니까", id="t2", claims=[claim("likes", "고양이", certainty=0.9)], used=["c1"]),
        scribe.observe("나 서울 살아", claims=[claim("residence", "서울", id="c2", valid_at=day(-90))]),
        scribe.observe("부산으로 이사했어", claims=[claim("residence", "부산", id="c3")]),
        scribe.observe("뻥이야", claims=[claim("residence", "부산", act="retract")]),
        scribe.remember(claim("allergy", "땅콩", id="c4", origin="person", details=("땅콩",))),
        scribe.correct("c1", "길고양이를 좋아함", value="길고양이", surface="길냥이"),
        scribe.pin("c1"),
        scribe.forget("c3"),
        scribe.think(every_thought(scribe)),
        scribe.direct(
            "t1", Direct(note="먼저 들어 줄 것", deltas=(Delta(axis="trust", points=1.5, words="털어놓았다"),))
        ),
        scribe.arrive(every_arrival()),
        scribe.rewind("t2"),
    ]


def every_arrival() -> Arrive:
    """Return a person and a relationship with every field set."""
    notes = (Note(text="AI 윤리", source="u1", times=3),)
    person = Face(
        name="하늘봇",
        channel="moltbook",
        kind="thing",
        display_name="하늘",
        summary="기술 이야기를 좋아한다",
        interests=notes,
        personality=(Note(text="다정하다"),),
        interactions=12,
        felt=2,
        sentiment=0.5,
        trust=60.0,
        first_seen=day(-9),
        last_seen=day(-1),
        last_turn=1,
    )
    standing = Relationship(
        trust=45.0, affection=70.0, respect=30.0, rivalry=5.0, familiarity=60.0, level="friend", met_at=day(-90)
    )
    return Arrive(person=person, relationship=standing, turns=99)


def every_thought(scribe: Scribe) -> Think:
    """Return one conclusion of each kind, based on current memories."""
    cat, other, peanut = (scribe.memory(memory_id) for memory_id in ("c1", "c2", "c4"))
    return Think(
        insights=(
            Insight(
                content="늘 조심하며 산다",
                about="조심",
                importance=0.7,
                grounds=(evidence_for(cat), evidence_for(peanut)),
            ),
        ),
        retellings=(Retelling(content="나도 조심하게 된다", ground=evidence_for(peanut)),),
        conflicts=(Conflict(newer=evidence_for(peanut), older=evidence_for(other)),),
        over=("reflect", "interpret", "conflict"),
    )


class Journal(Contract):
    """Operations in the journal."""

    def test_the_last_operations_are_read_page_by_page(self, scribe: Scribe) -> None:
        every_kind_of_operation(scribe)
        with scribe.store.view(LETIA) as view:
            everything = view.operations(in_force=False)
            assert view.last_operations(100) == everything
            last = view.last_operations(3)
            assert last == everything[-3:]
            assert view.last_operations(2, before=last[0].number) == everything[-5:-3]
            assert view.last_operations(5, before=1) == []

    def test_an_operation_comes_back_as_it_was_applied(self, scribe: Scribe) -> None:
        applied = every_kind_of_operation(scribe)
        kept = {each.id: each for each in read(scribe.store, LETIA, lambda view: view.operations(in_force=False))}
        first, fifth = kept[applied[0].id], kept[applied[4].id]
        assert first == applied[0]
        assert [type(decision) for decision in first.decisions] == [Remember, Ignore]
        assert [type(decision) for decision in fifth.decisions] == [Retract]
        assert kept[applied[1].id] == replace(applied[1], undone=True)
        assert isinstance(applied[1].decisions[0], Reinforce)
        assert isinstance(kept[applied[3].id].decisions[0], Supersede)
        assert kept[applied[-1].id] == applied[-1]
        assert set(kept) == {each.id for each in applied}

    def test_conclusions_and_directions_of_a_model_come_back_as_they_were_applied(self, scribe: Scribe) -> None:
        tastes = [claim("likes", "고양이", id="c1"), claim("likes", "견과", id="c2")]
        scribe.observe("나 고양이랑 견과 좋아해", id="t1", claims=tastes)
        scribe.observe("땅콩 못 먹어", id="t2", claims=[claim("allergy", "땅콩", id="c4")])
        thought = scribe.think(every_thought(scribe))
        directed = scribe.direct(
            "t2", Direct(note="조심", deltas=(Delta(axis="trust", points=1.5, words="털어놓았다"),))
        )
        kept = {each.id: each for each in read(scribe.store, LETIA, lambda view: view.operations())}
        assert [each.action for each in thought.kept] == ["settle", "retell", "reflect"]
        assert (kept[thought.id], kept[directed.id]) == (thought, directed)
        assert (directed.turn_id, [move.kind for move in directed.moves]) == ("t2", ["relationship", "note"])
        with scribe.store.view(LETIA) as view:
            assert view.state_records("note") == {("note", "director"): directed.moves[-1].after}
            thoughts = {("pass", f"ponder/{name}") for name in ("reflect", "interpret", "conflict")}
            assert thoughts <= view.state_records().keys()

    def test_imported_operations_are_known_by_their_ids_also_when_undone(self, scribe: Scribe) -> None:
        brought = Brought(pinned=True, uses=4, mentions=2, strength=0.5, kind="emotional", interpretation="놀랐구나")
        scribe.observe("나 고양이 좋아해", claims=[claim("likes", "고양이", id="c1")])
        first = scribe.remember(note("거미를 보았다", id="c2", origin="import", brought=brought), id="import-1")
        second = scribe.arrive(every_arrival(), id="import-2")
        with scribe.store.view(LETIA) as view:
            assert view.operations()[1:] == [first, second]
            known = view.memories_by_id(["c2"])["c2"]
        assert (known.pinned, known.uses, known.mentions, known.strength) == (True, 4, 2, 0.5)
        assert (known.kind, known.interpretation) == ("emotional", "놀랐구나")
        scribe.undo("import-1")
        with scribe.store.view(LETIA) as view:
            assert view.imported_operations() == [(first.number, "import-1"), (second.number, "import-2")]
            assert view.imported_operations(second.number) == [(second.number, "import-2")]
            assert view.imported_operations(second.number + 1) == []
        with scribe.store.view(OTHER_USER) as view:
            assert view.imported_operations() == []

    def test_without_a_rewind_all_operations_are_in_force(self, scribe: Scribe) -> None:
        applied = [
            scribe.observe("나 서울 살아", claims=[claim("residence", "서울", id="c1")], at=day(1)),
            scribe.observe("부산으로 이사했어", claims=[claim("residence", "부산", id="c2")], at=day(2)),
            scribe.observe("음", at=day(3)),
            scribe.pin("c2", at=day(4)),
            scribe.pin("없는 기억", at=day(5)),
        ]
        with scribe.store.view(LETIA) as view:
            assert view.operations() == view.operations(in_force=False) == applied

    def test_operations_are_numbered_from_one(self, scribe: Scribe) -> None:
        applied = every_kind_of_operation(scribe)
        assert [each.number for each in applied] == list(range(1, len(applied) + 1))
        kept = read(scribe.store, LETIA, lambda view: view.operations(in_force=False))
        assert [each.number for each in kept] == [each.number for each in applied]

    def test_who_when_and_why_are_kept(self, scribe: Scribe) -> None:
        with scribe.store.locked(LETIA) as room:
            asked = entry_for(at=day(3)).operation
            asked = replace(asked, who="korean/1", why="사용자가 부탁했다", moment=replace(asked.moment, channel="웹"))
            applied = room.apply(replace(entry_for(), operation=asked))
        assert applied == replace(asked, number=1)
        assert read(scribe.store, LETIA, lambda view: view.operations()) == [applied]

    def test_operations_in_force_leave_out_rewinds_and_what_they_undid(self, scribe: Scribe) -> None:
        applied = every_kind_of_operation(scribe)
        with scribe.store.view(LETIA) as view:
            in_force = view.operations()
            assert [each.id for each in in_force] == [each.id for each in applied if each.turn_id != "t2"][:-1]
            assert not any(each.undone for each in in_force)

    def test_operations_can_be_read_from_a_number_on(self, scribe: Scribe) -> None:
        every_kind_of_operation(scribe)
        with scribe.store.view(LETIA) as view:
            assert [each.number for each in view.operations(since=4, limit=3)] == [4, 5, 6]
            assert [each.number for each in view.operations(limit=2)] == [1, 3]
            assert [each.number for each in view.operations(since=2, limit=1, in_force=False)] == [2]
            assert view.operations(since=99) == []

    def test_the_operation_that_observed_a_turn_is_known(self, scribe: Scribe) -> None:
        first = scribe.observe("하나", id="t1")
        scribe.observe("둘", id="t2")
        with scribe.store.view(LETIA) as view:
            assert view.operation_of("t1") == first
            assert view.operation_of("t3") is None

    def test_every_heard_claim_is_counted_whether_believed_or_not(self, scribe: Scribe) -> None:
        doubtful = {"certainty": 0.0, "content_type": "note", "importance": 0.0}
        likes, rain = claim("likes", "고양이").saying, note("비가 왔다").saying
        scribe.observe("고양이", claims=[claim("likes", "고양이"), note("비가 왔다", **doubtful)])
        scribe.observe("고양이 고양이", claims=[claim("likes", "고양이"), claim("likes", "고양이")])
        scribe.remember(claim("likes", "고양이", subject="character", subject_id="레티아"))
        with scribe.store.view(LETIA) as view:
            assert dict(view.times_heard([likes, rain])) == {likes: 3, rain: 1}
            assert view.times_heard([likes, likes])[likes] == 3
            assert view.times_heard([likes], before=2)[likes] == 1
            assert view.times_heard([likes], before=1)[likes] == 0
            assert view.times_heard([claim("likes", "강아지").saying])[claim("likes", "강아지").saying] == 0
            assert not view.times_heard([])

    def test_a_claim_that_a_model_made_up_is_not_counted_as_heard(self, scribe: Scribe) -> None:
        likes, rain = claim("likes", "고양이").saying, note("비가 왔다").saying
        made_up = [claim("likes", "고양이", flaw="ungrounded"), note("비가 왔다", flaw="unsure")]
        scribe.observe("고양이", claims=[claim("likes", "고양이"), *made_up])
        with scribe.store.view(LETIA) as view:
            assert dict(view.times_heard([likes, rain])) == {likes: 1}

    def test_claims_of_a_rewound_turn_no_longer_count_as_heard(self, scribe: Scribe) -> None:
        likes = claim("likes", "고양이").saying
        for number in (1, 2, 3):
            scribe.observe("고양이", id=f"t{number}", claims=[claim("likes", "고양이")])
        scribe.rewind("t2")
        with scribe.store.view(LETIA) as view:
            assert view.times_heard([likes])[likes] == 2
            assert view.times_heard([likes], before=3)[likes] == 1

    @pytest.mark.parametrize("value", ["", "c++", "'; --", '"', "고양이\n강아지", "%", "\\", "💕"])
    def test_heard_claims_are_counted_by_their_exact_value(self, store: Store, value: str) -> None:
        scribe = Scribe(store, LETIA)
        scribe.observe("말", claims=[claim("likes", value), claim("likes", value + "!"), note(f"{value} 말")])
        exact = claim("likes", value).saying
        assert read(store, LETIA, lambda view: view.times_heard([exact])[exact]) == 1


def values(store: Store, attribute: str) -> list[str | None]:
    """Return what is true on day 99, oldest first."""
    which = MemoryFilter(attribute=attribute, current_at=day(99))
    return [each.value for each in read(store, LETIA, lambda view: view.memories(which))]


class Rewind(Contract):
    """Rewinding turns and undoing operations."""

    def test_a_rewound_turn_leaves_the_log_and_every_search(self, scribe: Scribe) -> None:
        scribe.observe("우리 동네 이야기", id="t1")
        scribe.observe("비밀 이야기", "비밀 지킬게요", id="t2", claims=[claim("likes", "비밀 기지", id="c2")])
        assert set(word_matches(scribe.store, "비밀")) == {"t2/0", "t2/1", "c2"}
        scribe.rewind("t2")
        store = scribe.store
        with store.view(LETIA) as view:
            assert not any((view.turn("t2"), view.operation_of("t2")))
            assert [each.id for each in view.turns(9)] == ["t1"]
            assert view.memories_by_id(["c2"]) == {}
            assert view.memories(EVERYTHING) == view.believed_at(day(99)) == []
        assert word_matches(store, "비밀", "기지") == word_matches(store, prefixes=["비", "기"]) == []
        assert near(store, "비밀 이야기") == ["t1/0"]

    def test_an_unread_turn_can_be_rewound(self, scribe: Scribe) -> None:
        scribe.observe("못 읽은 말", id="t1", unread=True)
        scribe.rewind("t1")
        assert read(scribe.store, LETIA, lambda view: view.unread_turns(9)) == []

    def test_a_turn_whose_reading_is_undone_waits_to_be_read_again(self, scribe: Scribe) -> None:
        scribe.observe("못 읽은 말", id="t1", unread=True)
        with scribe.store.locked(LETIA) as room:
            reading = room.apply(replace(entry_for(at=day(2), kind="read", turn_id="t1"), caught_up="t1"))
        assert read(scribe.store, LETIA, lambda view: view.unread_turns(9)) == []
        scribe.undo(reading.id)
        assert [each.id for each in read(scribe.store, LETIA, lambda view: view.unread_turns(9))] == ["t1"]

    def test_a_rewound_turn_frees_its_id(self, scribe: Scribe) -> None:
        scribe.observe("나 스물다섯", id="t1", claims=[claim("age", "25", id="c1")])
        for age in ("26", "27"):
            scribe.rewind("t1")
            scribe.observe(f"나 {age}살", id="t1", claims=[claim("age", age, id="c1")])
        with scribe.store.view(LETIA) as view:
            assert [each.utterances[0].text for each in view.turns(9)] == ["나 27살"]
            assert view.memories_by_id(["c1"])["c1"].value == "27"
        assert word_matches(scribe.store, "26살", "27살") == ["t1/0"]
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
        assert "c2" in word_matches(scribe.store, "고양이", memories_only=True)

    def test_undoing_a_correction_makes_the_old_words_findable_again(self, scribe: Scribe) -> None:
        scribe.observe("라면 좋아", claims=[claim("likes", "라면", id="c1", content="라면 좋아함")])
        corrected = scribe.correct("c1", "김밥 좋아함", value="김밥")
        assert word_matches(scribe.store, "라면", "김밥", memories_only=True) == ["c1"]
        assert word_matches(scribe.store, "라면", memories_only=True) == []
        scribe.undo(corrected.id)
        assert word_matches(scribe.store, "라면", memories_only=True) == ["c1"]
        assert word_matches(scribe.store, "김밥", memories_only=True) == []

    def test_the_remaining_turns_are_numbered_without_gaps(self, scribe: Scribe) -> None:
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

    def test_a_rewind_raises_the_version(self, scribe: Scribe) -> None:
        scribe.observe("말", id="t1")
        before = read(scribe.store, LETIA, lambda view: view.version)
        scribe.rewind("t1")
        assert read(scribe.store, LETIA, lambda view: view.version) > before

    def test_a_rewound_utterance_is_not_an_item(self, scribe: Scribe) -> None:
        for number in (1, 2, 3):
            scribe.observe(f"말 {number}", id=f"t{number}")
        scribe.rewind("t2")
        with scribe.store.view(LETIA) as view:
            assert set(view.refs(["t1/0", "t2/0", "t3/0"])) == {"t1/0", "t3/0"}
            assert layout_ids(view) == ["t1/0", "t3/0"]

    def test_after_any_story_the_scope_equals_a_replay_of_what_is_in_force(self, store: Store, rounds: int) -> None:
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
            assert set(word_matches(store, *everybody, scope=scope, memories_only=True)) == visible
