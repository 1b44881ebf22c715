"""Memories: every field comes back, and every way to list and look them up."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import MISSING, fields
from datetime import UTC, datetime, timedelta, timezone
from itertools import pairwise
from random import Random
from typing import Any

import pytest

from gieok.domain.memory import Change, Memory
from gieok.domain.scope import Scope
from gieok.ports import BrowseFilter, Leaf, MemoryFilter, RelatedFilter, Store, Topic
from gieok.testing.builders import claim, day, memory, note
from gieok.testing.scribe import EVERYTHING, Scribe, replayed
from gieok_contract.base import LETIA, SERA, Contract, apply_entry, read
from gieok_contract.stories import tell

FULL = memory(
    "고양이 \"나비\"를 '무척' 좋아함\n그리고 겁낸다",
    id="m-full",
    speaker="세라",
    subject="other",
    subject_id="아빠",
    content_type="preference",
    kind="emotional",
    attribute="favorite.animal",
    value="고양이",
    surface="꼬냥이",
    value_class="animal",
    polarity="-",
    certainty=0.1 + 0.2,
    importance=1 / 3,
    emotion_intensity=0.7,
    strength=0.123456789012345,
    touched_turn=7,
    valid_at=datetime(1987, 5, 10, 2, 59, 59, 999_999, tzinfo=timezone(timedelta(hours=8, minutes=30))),
    invalid_at=datetime(2038, 1, 19, 3, 14, 8, 1, tzinfo=UTC),
    known_at=datetime(2026, 3, 1, 9, 0, 0, 500_000, tzinfo=timezone(timedelta(hours=-3))),
    recorded_at=datetime(2026, 3, 1, 12, 0, 0, 123_456, tzinfo=UTC),
    retracted=True,
    forgotten_at=datetime(2026, 3, 2, 0, 0, 0, 7, tzinfo=timezone(timedelta(hours=5, minutes=45))),
    faded_at=datetime(2026, 3, 3, 1, tzinfo=timezone(timedelta(hours=5, minutes=45))),
    made_from=("m-1", "m-2"),
    closed_by="m-other",
    mentions=3,
    uses=5,
    last_used_at=datetime(2026, 3, 2, 1, 0, 0, 42, tzinfo=UTC),
    pinned=True,
    origin="person",
    extractor="korean/1",
    sources=("t1/0", "t2/1"),
    tags=("반려동물", "집"),
    details=("나비", "3"),
    channel="discord",
    interpretation="귀엽다고 생각한다 💕",
    pii_flags=("phone",),
    doubtful=True,
    version=9,
)

MANY = (
    memory("이름은 민수", attribute="name", value="민수", pinned=True, content_type="personal", touched_turn=3),
    memory("고양이를 좋아했음", attribute="likes", value="고양이", invalid_at=day(30), known_at=day(2)),
    memory("강아지를 좋아함", attribute="likes", value="강아지", valid_at=day(30), known_at=day(30)),
    memory("아빠는 의사", attribute="job", value="의사", subject="other", subject_id="아빠", valid_at=day(3)),
    memory("저도 고양이 좋아해요", speaker="character", subject="character", subject_id="레티아"),
    memory("오빠는 따뜻한 사람", speaker="character", content_type="opinion", known_at=day(5), touched_turn=4),
    memory("전화는 010-0000-0000", attribute="phone", value="01000000000", pii_flags=("phone",), valid_at=day(2)),
    memory("마을은 평화로움", speaker="세라", subject="world", subject_id="world", valid_at=day(-300)),
    memory("거짓말이었음", attribute="age", value="99", retracted=True, touched_turn=5),
    memory("잊은 일", content_type="event", forgotten_at=day(8), valid_at=day(4)),
    memory("부산에 사는 듯함", attribute="residence", value="부산", doubtful=True),
    memory("다음 달에 이사", attribute="plan", value="이사", valid_at=day(60), known_at=day(30)),
)
NOON = timedelta(hours=3)


def _topic(who: tuple[str, str], attributes: tuple[str, ...] = (), values: tuple[str, ...] = ()) -> Topic:
    return Topic(subject=who[0], subject_id=who[1], attributes=attributes, values=values)


class Memories(Contract):
    """Fields, filters and listings of memories."""

    @pytest.fixture
    def many(self, store: Store) -> Store:
        apply_entry(store, memories=MANY)
        return store

    def test_the_memory_of_this_suite_leaves_no_field_at_its_default(self) -> None:
        for field in fields(Memory):
            assert field.default is MISSING or getattr(FULL, field.name) != field.default

    @pytest.mark.parametrize("kept", [FULL, memory(id="m-plain")], ids=["every field", "plain"])
    def test_a_memory_comes_back_with_every_field(self, store: Store, kept: Memory) -> None:
        apply_entry(store, memories=(kept,))
        with store.view(LETIA) as view:
            assert view.memories(EVERYTHING) == [kept]
            assert view.memories_by_id([kept.id, "없는 기억"]) == {kept.id: kept}
            assert view.believed_at(day(1)) in ([kept], [])  # a hidden one may be left out here
            ((operation, change),) = view.history(kept.id)
            assert change == Change(before=None, after=kept)
            assert operation.changes == (change,)
            assert list(view.items(view.refs([kept.id]).values()).values()) == [kept]

    def test_a_changed_memory_replaces_what_it_was(self, store: Store) -> None:
        plain = memory(id="m")
        others = [field.name for field in fields(Memory) if field.name not in ("id", "version")]
        later = plain.changed(**{name: getattr(FULL, name) for name in others})
        for change in (Change(before=None, after=plain), Change(before=plain, after=later)):
            apply_entry(store, memories=(change,))
        assert read(store, LETIA, lambda view: view.memories(EVERYTHING)) == [later]

    @pytest.mark.parametrize(
        ("which", "expected"),
        [
            (MemoryFilter(), lambda m: True),
            (MemoryFilter(subject="user"), lambda m: m.subject == "user"),
            (MemoryFilter(subject="world"), lambda m: m.subject == "world"),
            (MemoryFilter(subject_id="아빠"), lambda m: m.subject_id == "아빠"),
            (MemoryFilter(subject="user", subject_id="아빠"), lambda m: False),
            (MemoryFilter(speaker="character"), lambda m: m.speaker == "character"),
            (MemoryFilter(speaker="세라"), lambda m: m.speaker == "세라"),
            (MemoryFilter(subject="user", speaker="character"), lambda m: m.content.startswith("오빠는")),
            (MemoryFilter(content_type="opinion"), lambda m: m.content_type == "opinion"),
            (MemoryFilter(attribute="likes"), lambda m: m.attribute == "likes"),
            (MemoryFilter(attribute="lik%"), lambda m: False),
            (MemoryFilter(pinned=True), lambda m: m.pinned),
            (MemoryFilter(pinned=False), lambda m: not m.pinned),
            (MemoryFilter(doubtful=True), lambda m: m.doubtful),
            (MemoryFilter(doubtful=False), lambda m: not m.doubtful),
            (MemoryFilter(doubtful=True, pinned=True), lambda m: False),
            (
                MemoryFilter(doubtful=True, subject="user", subject_id="user", attribute="residence"),
                lambda m: m.doubtful,
            ),
            (MemoryFilter(doubtful=True, current_at=day(1)), lambda m: m.doubtful),
            (MemoryFilter(learned_since=day(5)), lambda m: m.known_at >= day(5)),
            (MemoryFilter(learned_since=day(5) + NOON), lambda m: m.known_at > day(5)),
            (MemoryFilter(touched_since=3), lambda m: m.touched_turn >= 3),
            (MemoryFilter(touched_since=3, subject="user"), lambda m: m.touched_turn >= 3 and m.subject == "user"),
            (MemoryFilter(touched_since=3, pinned=True), lambda m: m.touched_turn >= 3 and m.pinned),
            *(
                (
                    MemoryFilter(loose=often),
                    lambda m, often=often: (
                        (not m.pinned and (m.attribute is None or m.doubtful))
                        or (m.kind == "episodic" and m.mentions + m.uses >= often)
                    ),
                )
                for often in (0, 1, 3)
            ),
            (MemoryFilter(attribute="likes", current_at=day(15)), lambda m: m.value == "고양이"),
            (MemoryFilter(attribute="likes", current_at=day(45)), lambda m: m.value == "강아지"),
        ],
    )
    def test_a_filter_finds_the_memories_it_describes_and_no_hidden_ones(
        self, many: Store, which: MemoryFilter, expected: Callable[[Memory], bool]
    ) -> None:
        found = {each.content for each in read(many, LETIA, lambda view: view.memories(which))}
        assert found == {each.content for each in MANY if not each.hidden and expected(each)}

    @pytest.mark.parametrize(
        ("which", "expected"),
        [
            (BrowseFilter(present=day(40)), lambda m: True),
            (
                BrowseFilter(state="current", present=day(40)),
                lambda m: not m.hidden and (m.invalid_at is None or m.invalid_at > day(40)),
            ),
            (
                BrowseFilter(state="past", present=day(40)),
                lambda m: m.forgotten_at is None and (m.retracted or m.value == "고양이"),
            ),
            (BrowseFilter(state="past", present=day(29)), lambda m: m.retracted),
            (BrowseFilter(state="forgotten", present=day(40)), lambda m: m.forgotten_at is not None),
            (BrowseFilter(words=("고양이",), present=day(40)), lambda m: "고양이" in m.content),
            (BrowseFilter(words=("저도", "고양이"), present=day(40)), lambda m: m.content.startswith("저도")),
            (BrowseFilter(words=("고양이", "없는 말"), present=day(40)), lambda m: False),
            (BrowseFilter(since=day(4), present=day(40)), lambda m: m.valid_at >= day(4)),
            (BrowseFilter(until=day(4), present=day(40)), lambda m: m.valid_at < day(4)),
            (BrowseFilter(subject="other", subject_id="아빠", present=day(40)), lambda m: m.subject_id == "아빠"),
            (BrowseFilter(content_type="opinion", present=day(40)), lambda m: m.content_type == "opinion"),
            (BrowseFilter(attribute="likes", present=day(40)), lambda m: m.attribute == "likes"),
            (BrowseFilter(origin="person", present=day(40)), lambda m: m.origin == "person"),
            (BrowseFilter(pinned=True, present=day(40)), lambda m: m.pinned),
            (BrowseFilter(pinned=False, present=day(40)), lambda m: not m.pinned),
            (BrowseFilter(pinned=True, state="forgotten", present=day(40)), lambda m: False),
            (BrowseFilter(doubtful=True, present=day(40)), lambda m: m.doubtful),
            (BrowseFilter(doubtful=False, present=day(40)), lambda m: not m.doubtful),
            (BrowseFilter(doubtful=True, state="forgotten", present=day(40)), lambda m: False),
            (BrowseFilter(pii=True, present=day(40)), lambda m: m.attribute == "phone"),
            (BrowseFilter(pii=False, present=day(40)), lambda m: m.attribute != "phone"),
            (
                BrowseFilter(subject="user", subject_id="user", attribute="likes", words=("강아지",), present=day(40)),
                lambda m: m.value == "강아지",
            ),
        ],
    )
    def test_a_listing_finds_the_memories_it_describes(
        self, many: Store, which: BrowseFilter, expected: Callable[[Memory], bool]
    ) -> None:
        found = [leaf.memory for leaf in read(many, LETIA, lambda view: view.browse(which, 100))]
        fitting = [each for each in reversed(MANY) if expected(each)]
        assert found == fitting
        told = [leaf.memory for leaf in read(many, LETIA, lambda view: view.browse_by_date(which, 100))]
        assert told == sorted(fitting, key=lambda each: each.valid_at, reverse=True)
        assert sum(read(many, LETIA, lambda view: view.count_by_quarter_hour(which)).values()) == len(fitting)

    def test_a_timeline_continues_where_its_last_page_ended(self, many: Store) -> None:
        which = BrowseFilter(present=day(40))
        told: list[Leaf] = []
        with many.view(LETIA) as view:
            while page := view.browse_by_date(which, 3, before=told[-1] if told else None):
                assert len(page) <= 3
                told += page
            assert told == view.browse_by_date(which, 100)
        assert len(told) == len(MANY)
        assert read(many, LETIA.beside("세라"), lambda view: view.browse_by_date(which, 3)) == []

    def test_memories_are_counted_by_the_quarter_hour_they_became_true_in(self, store: Store) -> None:
        moments = [datetime(1969, 12, 31, 23, 59, 59, tzinfo=UTC), datetime(1970, 1, 1, tzinfo=UTC)]
        moments += [datetime(2026, 3, 1, 9, 14, 59, 999_999, tzinfo=UTC), datetime(2026, 3, 1, 9, tzinfo=UTC)]
        apply_entry(store, memories=tuple(memory(str(at), valid_at=at) for at in moments))
        assert read(store, LETIA, lambda view: view.count_by_quarter_hour(BrowseFilter(present=day(40)))) == {
            datetime(1969, 12, 31, 23, 45, tzinfo=UTC): 1,
            datetime(1970, 1, 1, tzinfo=UTC): 1,
            datetime(2026, 3, 1, 9, tzinfo=UTC): 2,
        }

    def test_subjects_are_counted_with_hidden_memories(self, many: Store) -> None:
        found = read(many, LETIA, lambda view: view.subjects())
        assert {(each.subject, each.subject_id): each.memories for each in found} == Counter(
            (each.subject, each.subject_id) for each in MANY
        )
        assert [each.memories for each in found] == sorted((each.memories for each in found), reverse=True)
        assert read(many, LETIA.beside("세라"), lambda view: view.subjects()) == []

    def test_the_memories_that_a_memory_closed_are_found(self, store: Store) -> None:
        older = (
            memory("서울에 살았음", id="m-1", closed_by="m-3", valid_at=day(1)),
            memory("대구에 살았음", id="m-2", closed_by="m-3", valid_at=day(0), retracted=True),
        )
        apply_entry(store, memories=(*older, memory("부산에 삶", id="m-3")))
        assert [each.id for each in read(store, LETIA, lambda view: view.closed_by("m-3"))] == ["m-2", "m-1"]
        assert read(store, LETIA, lambda view: view.closed_by("m-1")) == []
        assert read(store, LETIA.beside("세라"), lambda view: view.closed_by("m-3")) == []

    def test_a_page_continues_correctly_while_others_write(self, many: Store) -> None:
        which = BrowseFilter(present=day(40))
        first = read(many, LETIA, lambda view: view.browse(which, 4))
        apply_entry(many, memories=(memory("늦게 온 기억"),))
        rest = read(many, LETIA, lambda view: view.browse(which, 100, before=first[-1].place))

        assert [leaf.memory for leaf in (*first, *rest)] == list(reversed(MANY))
        places = [leaf.place for leaf in (*first, *rest)]
        assert places == sorted(places, reverse=True)
        assert read(many, LETIA, lambda view: view.browse(which, 100, before=0)) == []
        assert read(many, LETIA.beside("세라"), lambda view: view.browse(which, 100)) == []

    @pytest.mark.parametrize("moment", [day(-301), day(-300), day(1), day(29.9), day(30), day(60), day(900)])
    def test_a_memory_is_true_from_its_start_until_before_its_end(self, many: Store, moment: datetime) -> None:
        found = read(many, LETIA, lambda view: view.memories(MemoryFilter(current_at=moment)))
        assert {each.content for each in found} == {each.content for each in MANY if each.true_at(moment)}

    def test_a_moment_may_be_given_in_any_time_zone(self, many: Store) -> None:
        moment = day(30).astimezone(timezone(timedelta(hours=-11)))
        which = MemoryFilter(attribute="likes", current_at=moment, learned_since=moment)
        found = read(many, LETIA, lambda view: view.memories(which))
        assert [each.value for each in found] == ["강아지"]

    def test_hidden_memories_are_listed_when_asked_for(self, many: Store) -> None:
        found = read(many, LETIA, lambda view: view.memories(EVERYTHING))
        assert {each.id for each in found} == {each.id for each in MANY}
        lies = read(many, LETIA, lambda view: view.memories(MemoryFilter(attribute="age", include_hidden=True)))
        assert [each.content for each in lies] == ["거짓말이었음"]

    def test_memories_come_in_the_order_in_which_they_became_true(self, many: Store) -> None:
        found = read(many, LETIA, lambda view: view.memories(EVERYTHING))
        assert all(earlier.valid_at <= later.valid_at for earlier, later in pairwise(found))

    def test_judging_sees_everything_ever_known_about_a_subject(self, many: Store) -> None:
        def known(*topics: Topic) -> set[str | None]:
            return {each.value for each in read(many, LETIA, lambda view: view.memories_about(topics))}

        user, father = ("user", "user"), ("other", "아빠")
        assert known(_topic(user, attributes=("likes",))) == {"고양이", "강아지"}
        assert known(_topic(user, attributes=("age", "name"))) == {"99", "민수"}
        assert known(_topic(user, values=("고양이", "이사"))) == {"고양이", "이사"}
        assert known(_topic(user, attributes=("plan",), values=("민수",))) == {"이사", "민수"}
        assert known(_topic(father, attributes=("job", "likes"))) == {"의사"}
        assert known(_topic(father, attributes=("job",)), _topic(user, attributes=("name",))) == {"의사", "민수"}
        assert known(_topic(("other", "user"), attributes=("likes",))) == known(_topic(user)) == known() == set()

    def test_a_family_of_attributes_is_looked_up_by_its_first_word(self, scribe: Scribe) -> None:
        scribe.remember(
            claim("favorite.food", "김밥"),
            claim("favorite.color", "파랑"),
            claim("likes", "파랑"),
            claim("hobby", "산책"),
        )
        topic = _topic(("user", "user"), attributes=("favorite.",))
        found = read(scribe.store, LETIA, lambda view: view.memories_about([topic]))
        assert {each.attribute for each in found} == {"favorite.food", "favorite.color"}

    def test_judging_sees_what_a_memory_closed(self, scribe: Scribe) -> None:
        scribe.observe("고양이 좋아", claims=[claim("likes", "고양이", id="c1")], at=day(1))
        scribe.observe("이젠 고양이 싫어", claims=[claim("dislikes", "고양이", id="c2")], at=day(2))
        topic = _topic(("user", "user"), attributes=("dislikes",))
        found = read(scribe.store, LETIA, lambda view: view.memories_about([topic]))
        assert {each.id: each.closed_by for each in found} == {"c1": "c2", "c2": None}

    def test_a_memory_without_an_attribute_is_not_found_by_attributes(self, scribe: Scribe) -> None:
        scribe.observe("같이 별을 봤지", claims=[note("같이 별을 봤다", id="c1")])
        with scribe.store.view(LETIA) as view:
            assert view.memories_about([_topic(("user", "user"), attributes=("event", "note"))]) == []
            assert list(view.memories_by_id(["c1"])) == ["c1"]


A_MICROSECOND = timedelta(microseconds=1)


def believed(store: Store, moment: datetime, scope: Scope = LETIA) -> dict[str, Memory]:
    found = read(store, scope, lambda view: view.believed_at(moment))
    return {each.id: each for each in found if not each.hidden}


class EarlierBeliefs(Contract):
    """What was believed at an earlier moment (the second clock)."""

    def test_an_earlier_belief_is_read_as_it_stood(self, scribe: Scribe) -> None:
        for number, (value, when) in enumerate([("24", 1), ("25", 10), ("26", 20)]):
            scribe.observe(f"나 {value}살이야", claims=[claim("age", value, id=f"c{number}")], at=day(when))

        def ages(moment: datetime) -> dict[str | None, str | None]:
            return {each.value: each.closed_by for each in believed(scribe.store, moment).values()}

        assert ages(day(0)) == {}
        assert ages(day(5)) == {"24": None}
        assert ages(day(15)) == {"24": "c1", "25": None}
        assert ages(day(25)) == {"24": "c1", "25": "c2", "26": None}

    def test_a_belief_begins_at_the_very_moment_of_its_operation(self, scribe: Scribe) -> None:
        scribe.observe("나 고양이 좋아해", claims=[claim("likes", "고양이", id="c1")], at=day(1))
        scribe.pin("c1", at=day(2))
        assert believed(scribe.store, day(1) - A_MICROSECOND) == {}
        assert believed(scribe.store, day(1))["c1"].pinned is False
        assert believed(scribe.store, day(2) - A_MICROSECOND)["c1"].version == 1
        assert believed(scribe.store, day(2))["c1"].pinned is True

    def test_a_fact_told_late_was_not_believed_before(self, scribe: Scribe) -> None:
        scribe.observe("나 부산 살아", claims=[claim("residence", "부산", id="c1")], at=day(10))
        late = claim("residence", "서울", id="c2", valid_at=day(-100))
        scribe.observe("전에는 서울 살았어", claims=[late], at=day(20))
        assert set(believed(scribe.store, day(15))) == {"c1"}
        assert set(believed(scribe.store, day(20))) == {"c1", "c2"}

    def test_a_forgotten_memory_was_believed_until_then(self, scribe: Scribe) -> None:
        scribe.observe("나 고양이 좋아해", claims=[claim("likes", "고양이", id="c1")], at=day(1))
        scribe.forget("c1", at=day(5))
        assert set(believed(scribe.store, day(4))) == {"c1"}
        assert believed(scribe.store, day(5)) == {}

    def test_a_rewound_fact_was_never_believed(self, scribe: Scribe) -> None:
        scribe.observe("나 스물다섯", id="t1", claims=[claim("age", "25", id="c1")], at=day(1))
        scribe.observe("나 스물여섯", id="t2", claims=[claim("age", "26", id="c2")], at=day(2))
        scribe.observe("나 스물일곱", id="t3", claims=[claim("age", "27", id="c3")], at=day(3))
        scribe.rewind("t2", at=day(9))
        assert {each.id: each.closed_by for each in believed(scribe.store, day(2)).values()} == {"c1": None}
        assert {each.id: each.closed_by for each in believed(scribe.store, day(3)).values()} == {
            "c1": "c3",
            "c3": None,
        }

    def test_after_a_rewind_of_the_first_mention_the_repetition_counts_as_first(self, scribe: Scribe) -> None:
        scribe.observe("고양이 좋아", id="t1", claims=[claim("likes", "고양이", id="c1")], at=day(1))
        scribe.observe("고양이 좋다니까", id="t2", claims=[claim("likes", "고양이", id="c2")], at=day(2))
        assert set(believed(scribe.store, day(2))) == {"c1"}
        scribe.rewind("t1", at=day(3))
        assert believed(scribe.store, day(1)) == {}
        assert set(believed(scribe.store, day(2))) == {"c2"}

    def test_beliefs_at_any_moment_equal_a_replay_up_to_then(self, store: Store, rounds: int) -> None:
        for seed in range(max(rounds // 10, 1)):
            scope = LETIA.beside(f"레티아 {seed}")
            scribe = Scribe(store, scope)
            tell(scribe, Random(seed), steps=50)
            operations = read(store, scope, lambda view: view.operations())
            for last in operations[::5]:
                until = [each for each in operations if each.moment.at <= last.moment.at]
                expected = replayed(until, scribe.carrier.policy)[0].all().values()
                visible = {each.id: each for each in expected if not each.hidden}
                assert believed(store, last.moment.at, scope) == visible

    def test_the_history_of_a_memory_is_a_chain_from_nothing_to_now(self, scribe: Scribe) -> None:
        said = claim("likes", "고양이", id="c1")
        first = scribe.observe("고양이 좋아", claims=[said], at=day(1))
        again = [claim("likes", "고양이"), claim("likes", "고양이")]
        scribe.observe("고양이 좋다고, 고양이", claims=again, used=["c1"], at=day(2))
        scribe.pin("c1", at=day(3))
        scribe.correct("c1", "길고양이를 좋아함", at=day(4))
        last = scribe.observe("이젠 별로야", claims=[claim("dislikes", "고양이", id="c2")], at=day(5))

        with scribe.store.view(LETIA) as view:
            past = view.history("c1")
            assert [operation.kind for operation, _ in past] == [
                "observe", "observe", "observe", "observe", "pin", "correct", "observe",
            ]  # fmt: skip
            assert (past[0][0], past[-1][0]) == (first, last)
            afters = [change.after for _, change in past]
            assert [change.before for _, change in past] == [None, *afters[:-1]]
            assert afters[-1] == view.memories_by_id(["c1"])["c1"]
            assert [operation for operation, _ in view.history("c2")] == [last]

    def test_the_history_in_force_forgets_what_was_rewound(self, scribe: Scribe) -> None:
        scribe.observe("고양이 좋아", id="t1", claims=[claim("likes", "고양이", id="c1")])
        scribe.observe("고양이 좋다고", id="t2", claims=[claim("likes", "고양이")])
        scribe.observe("고양이!", id="t3", claims=[claim("likes", "고양이")])
        scribe.rewind("t2")
        past = read(scribe.store, LETIA, lambda view: view.history("c1"))
        in_force = [(operation.turn_id, change) for operation, change in past if not operation.undone]
        assert [(turn_id, change.after and change.after.mentions) for turn_id, change in in_force] == [
            ("t1", 0),
            ("t3", 1),
        ]


USER = ("user", "user")
JIHUN = ("other", "지훈")


def touched(store: Store, limit: int = 9, **asked: Any) -> list[Memory]:
    with store.view(LETIA) as view:
        return view.related(RelatedFilter(**{"present": day(2), **asked}), limit)


def ids_of(found: list[Memory]) -> list[str]:
    return [each.id for each in found]


class MemoryLookups(Contract):
    """Memories about a subject, by name, and by what closed them."""

    def test_memories_of_a_subject_come_with_the_most_important_first(self, store: Store) -> None:
        apply_entry(
            store,
            memories=(
                memory("하나", id="faint", importance=0.9, strength=0.2),
                memory("둘", id="strong", importance=0.5),
                memory("셋", id="pinned", importance=0.1, pinned=True),
                memory("지훈은 의사임", id="of another", subject="other", subject_id="지훈"),
            ),
        )
        found = touched(store, subjects=(USER,))
        assert ids_of(found) == ["pinned", "strong", "faint"]
        assert ids_of(touched(store, 2, subjects=(USER,))) == ["pinned", "strong"]
        assert set(ids_of(touched(store, subjects=(USER, JIHUN)))) == {"faint", "strong", "pinned", "of another"}
        assert touched(store) == touched(store, subjects=(("user", "지훈"),)) == []

    def test_only_true_and_visible_memories_of_a_subject_are_found(self, store: Store) -> None:
        apply_entry(
            store,
            memories=(
                memory("지금", id="now"),
                memory("끝남", id="over", valid_at=day(0), invalid_at=day(1)),
                memory("나중", id="later", valid_at=day(9)),
                memory("아님", id="never", retracted=True),
                memory("잊음", id="forgotten", forgotten_at=day(1)),
                memory("바램", id="faded", faded_at=day(1)),
            ),
        )
        assert ids_of(touched(store, subjects=(USER,))) == ["now"]
        assert set(ids_of(touched(store, subjects=(USER,), present=day(9)))) == {"now", "later"}
        with store.view(LETIA) as view:
            assert view.relations([USER], day(2)) == {"fact": 1}

    def test_memories_of_a_subject_can_be_limited_to_some_relations(self, store: Store) -> None:
        apply_entry(
            store,
            memories=(
                memory("고양이를 좋아함", id="likes", attribute="likes", value="고양이"),
                memory("개를 좋아함", id="likes too", attribute="likes", value="개", importance=0.4),
                memory("의사임", id="job", attribute="job", value="의사"),
                memory("바다에 다녀옴", id="event", content_type="event"),
            ),
        )
        assert ids_of(touched(store, subjects=(USER,), relations=("likes",))) == ["likes", "likes too"]
        assert set(ids_of(touched(store, subjects=(USER,), relations=("event", "job")))) == {"event", "job"}
        assert ids_of(touched(store, subjects=(USER,), relations=())) == []
        assert "event" not in ids_of(touched(store, subjects=(USER,), without=("event", "summary")))
        with store.view(LETIA) as view:
            assert view.relations([USER], day(2)) == {"likes": 2, "event": 1, "job": 1}
            assert list(view.relations([USER], day(2))) == ["likes", "event", "job"]
            assert view.relations([JIHUN], day(2)) == view.relations([], day(2)) == {}

    def test_a_name_is_found_in_the_text_of_true_memories(self, store: Store) -> None:
        apply_entry(
            store,
            memories=(
                memory("지훈이랑 바다에 다녀옴", id="named", attribute="event"),
                memory("지훈이랑 싸움", id="over", valid_at=day(0), invalid_at=day(1)),
                memory("100% 수진 이야기", id="another"),
            ),
        )
        assert ids_of(touched(store, names=("지훈",))) == ["named"]
        assert set(ids_of(touched(store, names=("지훈", "수진")))) == {"named", "another"}
        assert ids_of(touched(store, names=("지%",))) == []
        assert ids_of(touched(store, names=("지훈",), relations=())) == ["named"], "relations narrow what is told alone"

    def test_a_closed_memory_is_found_by_the_one_that_closed_it(self, store: Store) -> None:
        apply_entry(
            store,
            memories=(
                memory("서울에 삶", id="old", valid_at=day(0), invalid_at=day(1), closed_by="new"),
                memory("부산에 삶", id="new"),
                memory("대구에 삶", id="forgotten", invalid_at=day(1), closed_by="new", forgotten_at=day(1)),
            ),
        )
        assert ids_of(touched(store, closers=("new",))) == ["old"]
        assert ids_of(touched(store, closers=("old", "'); --"))) == []

    def test_lookups_do_not_reach_another_scope(self, store: Store) -> None:
        apply_entry(
            store,
            memories=(
                memory("지훈이랑 친함", id="m"),
                memory("옛일", id="o", closed_by="m"),
            ),
        )
        everything = RelatedFilter(present=day(2), subjects=(USER,), names=("지훈",), closers=("m",))
        with store.view(SERA) as view:
            assert view.related(everything, 9) == []
            assert view.relations([USER], day(2)) == {}
