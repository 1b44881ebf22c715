"""What was believed earlier, and what happened to a memory since."""

from __future__ import annotations

from datetime import datetime, timedelta
from random import Random

from gieok.domain.memory import Memory
from gieok.domain.scope import Scope
from gieok.ports import Store
from gieok.testing.builders import claim, day
from gieok.testing.scribe import Scribe, replayed
from gieok.testing.stories import tell
from gieok_contract.base import LETIA, Contract, read

A_MICROSECOND = timedelta(microseconds=1)


def believed(store: Store, moment: datetime, scope: Scope = LETIA) -> dict[str, Memory]:
    found = read(store, scope, lambda view: view.believed_at(moment))
    return {each.id: each for each in found if not each.hidden}


class EarlierBeliefs(Contract):
    """What a store promises about the second clock."""

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

    def test_what_is_told_late_was_not_believed_before_it_was_told(self, scribe: Scribe) -> None:
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

    def test_a_rewound_belief_was_never_held(self, scribe: Scribe) -> None:
        scribe.observe("나 스물다섯", id="t1", claims=[claim("age", "25", id="c1")], at=day(1))
        scribe.observe("나 스물여섯", id="t2", claims=[claim("age", "26", id="c2")], at=day(2))
        scribe.observe("나 스물일곱", id="t3", claims=[claim("age", "27", id="c3")], at=day(3))
        scribe.rewind("t2", at=day(9))
        assert {each.id: each.closed_by for each in believed(scribe.store, day(2)).values()} == {"c1": None}
        assert {each.id: each.closed_by for each in believed(scribe.store, day(3)).values()} == {
            "c1": "c3",
            "c3": None,
        }

    def test_a_repetition_whose_first_telling_was_rewound_is_the_first_telling(self, scribe: Scribe) -> None:
        scribe.observe("고양이 좋아", id="t1", claims=[claim("likes", "고양이", id="c1")], at=day(1))
        scribe.observe("고양이 좋다니까", id="t2", claims=[claim("likes", "고양이", id="c2")], at=day(2))
        assert set(believed(scribe.store, day(2))) == {"c1"}
        scribe.rewind("t1", at=day(3))
        assert believed(scribe.store, day(1)) == {}
        assert set(believed(scribe.store, day(2))) == {"c2"}

    def test_at_any_moment_the_belief_is_what_a_replay_up_to_then_gives(self, store: Store, rounds: int) -> None:
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
