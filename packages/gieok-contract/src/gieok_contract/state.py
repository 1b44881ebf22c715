"""State records beside memories, what was noticed in turns, and the lease of upkeep."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import numpy as np

from gieok.domain.emotion import Felt
from gieok.domain.entity import Entity, Face, entity_id
from gieok.domain.judgement import Moment
from gieok.domain.noticed import Mention, Noticed
from gieok.domain.operation import Learn, Operation, Undo
from gieok.domain.relationship import Habit, Manners, Relationship, Speech, new_relationship
from gieok.domain.scene import Scene
from gieok.domain.scope import Scope
from gieok.domain.state import KINDS, Alias, Cause, Move, Note, StateRecord, net_moves
from gieok.domain.upkeep import Ran
from gieok.errors import GieokError
from gieok.ports import Entry, Store, View
from gieok.testing.builders import WALL, claim, day, entry_for, made_id, memory, turn
from gieok.testing.scribe import Scribe
from gieok_contract.base import LETIA, OTHER_USER, SERA, VECTORS, Contract, apply_entry, read

PAIR = "pair"
UNKNOWN = Scope(user="모르는 사람")


def trusting(trust: float) -> Relationship:
    return replace(new_relationship(), trust=trust)


def person(name: str, channel: str | None = None, **fields: Any) -> Entity:
    face: dict[str, Any] = {"name": name, "channel": channel, "first_seen": day(1), "last_seen": day(1), **fields}
    return Entity(faces=(Face(**face),))


def scene(number: int) -> Scene:
    at = day(number)
    return Scene(id=f"scene-{number}", started_at=at, last_at=at, first_turn=number, last_turn=number)


def one_of_each() -> dict[tuple[str, str], StateRecord]:
    """Return a record of every kind."""
    polite = Speech(style=Habit(value="formal", at=day(1), turn_number=1, asked_by="user"))
    return {
        ("relationship", PAIR): trusting(12.5),
        ("manners", PAIR): Manners(user=polite),
        ("entity", "who-1"): person("수진", interactions=3, sentiment=-0.25, kind="person"),
        ("alias", "who-2"): Alias(of="who-1"),
        ("scene", "00000001"): replace(scene(1), place="카페", participants=("user", "레티아")),
        ("pass", "merge"): Ran(turn_number=7, at=day(3)),
        ("note", "director"): Note(text="오늘은 먼저 사과하게 하자", turn_number=7, at=day(3), by="director/1 큰 모델"),
    }


def move(kind: str, id: str, after: StateRecord | None, before: StateRecord | None = None, *causes: Cause) -> Move:
    return Move(kind=kind, id=id, before=before, after=after, causes=causes)


def write(
    store: Store,
    *moves: Move,
    scope: Scope = LETIA,
    turn_id: str | None = None,
    at: datetime | None = None,
    noticed: Noticed | None = None,
) -> Operation:
    """Write `moves` as one operation, with a turn if `turn_id` is given."""
    said = turn("안녕", id=turn_id, at=at or day(1)) if turn_id is not None else None
    with store.locked(scope) as room:
        number = room.turn_number + (said is not None)
        entry = entry_for(
            said,
            at=at,
            moment=Moment(at=at or day(1), recorded_at=WALL, turn_number=number),
            request=Learn(noticed=noticed),
            moves=moves,
            vectors=VECTORS,
        )
        return room.apply(replace(entry, moves=moves))


def take_back(store: Store, turn_id: str, scope: Scope = LETIA) -> None:
    """Rewind the last turn."""
    with store.locked(scope) as room:
        gone = room.operation_of(turn_id)
        assert gone is not None
        things = room.state_records()
        after = dict(things)
        for each in gone.moves:
            after.pop(each.key, None)
            if each.before is not None:
                after[each.key] = each.before
        operation = Operation(
            id=made_id("operation"),
            kind="rewind",
            moment=Moment(at=day(9), recorded_at=WALL, turn_number=room.turn_number - 1),
            who="person",
            request=Undo(operations=(gone.id,)),
        )
        revised = (replace(gone, undone=True),)
        room.apply(Entry(operation=operation, index={}, revised=revised, moves=net_moves(things, after)))


def everything(view: View) -> list[Any]:
    """Return all records of a scope."""
    keys = list(one_of_each())
    moved = [view.moves(kind) for kind in KINDS]
    latest = [view.last_state_records(kind, 9) for kind in KINDS]
    return [view.state_records(), view.state_records_by_key(keys), view.known_names(), view.noticed(), moved, latest]


class StateRecords(Contract):
    """State records, noticed values and leases."""

    def test_a_record_of_every_kind_comes_back_as_it_was(self, store: Store) -> None:
        things = one_of_each()
        assert {kind for kind, _ in things} == set(KINDS)
        write(store, *(move(*key, thing) for key, thing in things.items()))
        with store.view(LETIA) as view:
            assert view.state_records() == things
            for key, thing in things.items():
                assert view.state_records(key[0]) == {key: thing}
                assert view.state_records_by_key([key]) == {key: thing}

    def test_records_survive_reopening(self, store: Store, reopen: Any) -> None:
        things = one_of_each()
        write(store, *(move(*key, thing) for key, thing in things.items()))
        with reopen().view(LETIA) as view:
            assert view.state_records() == things

    def test_a_record_has_the_value_of_its_last_change(self, store: Store) -> None:
        key = ("relationship", PAIR)
        write(store, move(*key, trusting(10.0)))
        write(store, move(*key, trusting(20.0), trusting(10.0)))
        assert read(store, LETIA, lambda view: view.state_records()) == {key: trusting(20.0)}
        write(store, move(*key, None, trusting(20.0)))
        assert read(store, LETIA, lambda view: view.state_records()) == {}

    def test_only_existing_records_are_found_by_key(self, store: Store) -> None:
        write(store, move("entity", "who-1", person("수진")), move("alias", "who-1", Alias(of="who-2")))
        asked = [("entity", "who-1"), ("entity", "who-9"), ("scene", "who-1"), ("entity", "'); --")]
        found = read(store, LETIA, lambda view: view.state_records_by_key(asked))
        assert found == {("entity", "who-1"): person("수진")}
        assert read(store, LETIA, lambda view: view.state_records_by_key([])) == {}

    def test_the_latest_records_are_those_with_the_highest_ids(self, store: Store) -> None:
        numbers = (1, 2, 9, 10)
        write(store, *(move("scene", f"{number:08d}", scene(number)) for number in numbers))
        with store.view(LETIA) as view:
            assert view.last_state_records("scene") == [("00000010", scene(10))]
            assert view.last_state_records("scene", 3) == [(f"{each:08d}", scene(each)) for each in numbers[1:]]
            assert [id for id, _ in view.last_state_records("scene", 99)] == [f"{each:08d}" for each in numbers]
            assert view.last_state_records("scene", 0) == view.last_state_records("entity", 5) == []

    def test_people_are_known_by_all_their_names(self, store: Store) -> None:
        both = Entity(faces=(*person("수진").faces, *person("수지", "디스코드").faces))
        write(store, move("entity", "who-1", both), move("entity", "who-2", person("코코", kind="pet")))
        assert read(store, LETIA, lambda view: view.known_names()) == {
            "수진": "person",
            "수지": "person",
            "코코": "pet",
        }

    def test_changes_come_oldest_first_with_their_turns_and_causes(self, store: Store) -> None:
        thanks = Cause(name="thanks", speaker="user", words="고마워", axis="trust", amount=0.5)
        first, second, third = trusting(1.0), trusting(2.0), trusting(3.0)
        write(store, move("relationship", PAIR, first), turn_id="t1", at=day(1))
        write(store, move("relationship", PAIR, second, first, thanks), move("entity", "a", person("수진")), at=day(2))
        write(store, move("relationship", PAIR, third, second), turn_id="t2", at=day(3))
        with store.view(LETIA) as view:
            told = view.moves("relationship")
            assert [(each.turn_id, each.turn_number, each.at) for each in told] == [
                ("t1", 1, day(1)), (None, 1, day(2)), ("t2", 2, day(3)),
            ]  # fmt: skip
            assert [(each.move.before, each.move.after) for each in told] == [
                (None, first), (first, second), (second, third),
            ]  # fmt: skip
            assert told[1].move.causes == (thanks,)
            assert view.moves("relationship", PAIR) == told
            assert view.moves("relationship", limit=2) == told[1:]
            assert view.moves("relationship", "someone else") == view.moves("relationship", limit=0) == []
            assert [each.move.id for each in view.moves("entity")] == ["a"]

    def test_changes_are_read_page_by_page(self, store: Store) -> None:
        for number in range(1, 6):
            earlier = trusting(number - 1) if number > 1 else None
            write(store, move("relationship", PAIR, trusting(number), earlier), turn_id=f"t{number}", at=day(number))
        with store.view(LETIA) as view:
            told = view.moves("relationship", PAIR)
            assert [each.number for each in told] == [1, 2, 3, 4, 5]
            assert view.moves("relationship", PAIR, limit=2, before=4) == told[1:3]
            assert view.moves("relationship", before=4) == told[:3]
            assert view.moves("relationship", PAIR, before=1) == view.moves("relationship", PAIR, before=-9) == []

    def test_a_long_history_is_sampled_evenly(self, store: Store) -> None:
        for number in range(1, 13):
            earlier = trusting(number - 1) if number > 1 else None
            write(
                store, move("relationship", PAIR, trusting(number), earlier), move("entity", "a", person(f"{number}"))
            )
        write(store, move("entity", "b", person("나비")))
        with store.view(LETIA) as view:
            told = view.moves("relationship", PAIR)
            assert [each.number for each in view.sampled_moves("relationship", [PAIR], 5)] == [1, 4, 7, 10, 12]
            assert view.sampled_moves("relationship", [PAIR], 12) == told
            assert view.sampled_moves("relationship", [PAIR], 99) == told
            assert view.sampled_moves("relationship", [PAIR], 2) == view.sampled_moves("relationship", [PAIR], -1)
            assert view.sampled_moves("relationship", [PAIR], 2) == [told[0], told[-1]]
            both = view.sampled_moves("entity", ["a", "b", "a", "c"], 2)
            assert [(each.move.id, each.number) for each in both] == [("a", 1), ("a", 12), ("b", 13)]
            assert view.sampled_moves("entity", [], 5) == []

    def test_turning_points_are_where_a_part_changed(self, store: Store) -> None:
        def speaking(style: str | None, *heard: str) -> Manners:
            habit = None if style is None else Habit(value=style, at=day(1), turn_number=1)
            return Manners(user=Speech(style=habit, styles_heard=heard))  # type: ignore[arg-type]  # any word will do

        course = [
            speaking(None, "formal"),
            speaking("formal", "formal"),
            speaking("formal", "formal", "casual"),
            speaking("casual"),
            speaking("casual", "casual"),
            speaking(None, "casual"),
        ]
        for earlier, later in zip([None, *course], course, strict=False):
            write(store, move("manners", PAIR, later, earlier))
        with store.view(LETIA) as view:
            turned = view.turning_points("manners", PAIR, ["user.style", "character.style"])
            assert [each.number for each in turned] == [1, 2, 4, 6]
            assert turned[2] == view.moves("manners", PAIR)[3]
            assert [each.number for each in view.turning_points("manners", PAIR, ["character"])] == [1]
            assert view.turning_points("manners", "nobody", ["user.style"]) == []

    def test_operations_hold_their_changes(self, store: Store) -> None:
        moves = tuple(move(*key, thing, None, Cause(name="turn")) for key, thing in one_of_each().items())
        done = write(store, *moves, turn_id="t1")
        [kept] = read(store, LETIA, lambda view: view.operations())
        assert kept.moves == done.moves == moves

    def test_noticed_values_are_listed_by_turn(self, store: Store) -> None:
        noticed = [
            Noticed(
                felt=(Felt(speaker="user", emotion="happy", intensity=0.5, valence=0.25),),
                mentions=(Mention(name=f"{number}번", valence=-0.5),),
                place="카페" if number == 2 else None,
                farewell=number == 3,
            )
            for number in (1, 2, 3)
        ]
        for number, each in enumerate(noticed, 1):
            write(store, turn_id=f"t{number}", at=day(number), noticed=each)
        write(store, at=day(4))
        with store.view(LETIA) as view:
            told = view.noticed()
            assert [each.noticed for each in told] == noticed
            assert [(each.turn_id, each.turn_number, each.at) for each in told] == [
                ("t1", 1, day(1)), ("t2", 2, day(2)), ("t3", 3, day(3)),
            ]  # fmt: skip
            assert view.noticed(since=1) == view.noticed(limit=2) == told[1:]
            assert view.noticed(since=1, limit=1) == told[2:]
            assert view.noticed(since=3) == view.noticed(limit=0) == []
            assert view.noticed(before=3) == told[:2]
            assert view.noticed(before=3, limit=1) == view.noticed(since=1, before=3) == told[1:2]

    def test_vectors_are_found_by_item(self, scribe: Scribe) -> None:
        scribe.observe("고양이 이야기", id="t1", claims=[claim("likes", "고양이", id="c1")])
        words = {"t1/0": "고양이 이야기", "c1": "likes: 고양이"}
        found = read(scribe.store, LETIA, lambda view: view.vectors([*words, "nobody"]))
        assert set(found) == set(words)
        for item_id, text in words.items():
            assert float(np.dot(found[item_id], VECTORS.vector(text))) > 0.99
        assert read(scribe.store, LETIA, lambda view: view.vectors([])) == {}

    def test_a_hidden_memory_keeps_its_vector_and_one_without_has_none(self, scribe: Scribe) -> None:
        scribe.observe("고양이", id="t1", claims=[claim("likes", "고양이", id="c1")])
        scribe.observe("강아지", id="t2", claims=[claim("likes", "강아지", id="c2")], index={})
        scribe.forget("c1")
        assert set(read(scribe.store, LETIA, lambda view: view.vectors(["c1", "c2", "t2/0"]))) == {"c1"}

    def test_upkeep_counts_what_was_learned_and_said_since(self, scribe: Scribe) -> None:
        scribe.observe("하나", "둘", id="t1", claims=[claim("likes", "고양이", id="c1")], at=day(1))
        scribe.observe("셋셋셋", id="t2", claims=[claim("likes", "강아지", id="c2")], at=day(2))
        with scribe.store.view(LETIA) as view:
            whole, since = view.counts(learned_since=0, said_since=0), view.counts(learned_since=1, said_since=1)
        assert (whole.learned, whole.letters, whole.began_at) == (2, 6, day(1))
        assert (since.learned, since.letters, since.began_at) == (1, 3, day(1))
        scribe.forget("c2")
        assert read(scribe.store, LETIA, lambda view: view.counts(learned_since=0, said_since=9)).learned == 1

    def test_what_upkeep_made_itself_is_not_counted_as_learned(self, store: Store) -> None:
        made = memory("자주 고양이 얘기를 함", origin="reflection", touched_turn=3)
        apply_entry(store, memories=(made, memory("고양이를 좋아함", touched_turn=3)), vectors=VECTORS)
        assert read(store, LETIA, lambda view: view.counts(learned_since=0, said_since=0)).learned == 1

    def test_an_unknown_scope_has_no_records(self, store: Store) -> None:
        with store.view(UNKNOWN) as view:
            assert not any(any(part) if isinstance(part, list) else part for part in everything(view))
            assert view.vectors(["t1/0"]) == {}
            counted = view.counts(learned_since=0, said_since=0)
            assert (counted.learned, counted.letters, counted.began_at) == (0, 0, None)

    def test_another_scope_reads_nothing_and_changes_nothing(self, store: Store) -> None:
        things = one_of_each()
        felt = Noticed(felt=(Felt(speaker="user", emotion="sad", intensity=1.0, valence=-1.0),))
        write(store, *(move(*key, thing) for key, thing in things.items()), turn_id="t1", noticed=felt)
        before = read(store, LETIA, everything)
        for scope in (SERA, OTHER_USER, Scope(user="민수"), Scope(character="레티아", world="아카데미")):
            with store.view(scope) as view:
                assert not any(any(part) if isinstance(part, list) else part for part in everything(view))
                assert view.vectors(["t1/0"]) == {}
                assert view.counts(learned_since=0, said_since=0).letters == 0
            write(store, move("relationship", PAIR, trusting(99.0)), scope=scope, turn_id="t1")
            write(store, move("entity", "who-1", None, person("수진")), scope=scope)
        assert read(store, LETIA, everything) == before

    def test_a_rewind_takes_back_changes_and_noticed_values(self, store: Store) -> None:
        happy = Noticed(felt=(Felt(speaker="user", emotion="happy", intensity=1.0, valence=1.0),))
        first, second = trusting(1.0), trusting(2.0)
        write(store, move("relationship", PAIR, first), turn_id="t1", noticed=happy)
        before = read(store, LETIA, everything)
        write(
            store,
            move("relationship", PAIR, second, first),
            move("entity", entity_id("수진"), person("수진")),
            turn_id="t2",
            noticed=happy,
        )
        assert read(store, LETIA, everything) != before
        take_back(store, "t2")
        assert read(store, LETIA, everything) == before
        with store.view(LETIA) as view:
            assert view.counts(learned_since=0, said_since=0).letters == len("안녕")
            assert view.vectors(["t2/0"]) == {}
            gone = [each for each in view.operations(in_force=False) if each.undone]
            assert [len(each.moves) for each in gone] == [2]

    def test_a_refused_entry_leaves_every_record_as_it_was(self, store: Store) -> None:
        write(store, move("relationship", PAIR, trusting(1.0)), turn_id="t1")
        before = read(store, LETIA, everything)
        try:
            write(store, move("relationship", PAIR, trusting(2.0), trusting(1.0)), turn_id="t1")
        except GieokError:
            assert read(store, LETIA, everything) == before
        else:
            raise AssertionError("a turn id in force was given to another turn")

    def test_one_holder_at_a_time_does_the_upkeep(self, scribe: Scribe) -> None:
        store, now = scribe.store, day(1)
        scribe.observe("안녕")
        later = now + timedelta(minutes=5)
        assert store.lease(LETIA, "하나", until=later, now=now)
        assert not store.lease(LETIA, "둘", until=later, now=now)
        assert store.lease(LETIA, "하나", until=later, now=now), "holding it again prolongs it"
        store.release(LETIA, "둘")
        assert not store.lease(LETIA, "둘", until=later, now=now), "what another one holds cannot be let go of"
        store.release(LETIA, "하나")
        assert store.lease(LETIA, "둘", until=later, now=now)

    def test_a_lease_expires(self, scribe: Scribe) -> None:
        store, now = scribe.store, day(1)
        scribe.observe("안녕")
        later = now + timedelta(minutes=5)
        assert store.lease(LETIA, "하나", until=later, now=now)
        assert not store.lease(LETIA, "둘", until=day(2), now=later - timedelta(microseconds=1))
        assert store.lease(LETIA, "둘", until=day(2), now=later)
        assert not store.lease(LETIA, "하나", until=day(3), now=later)

    def test_a_lease_from_a_future_clock_does_not_block(self, scribe: Scribe) -> None:
        store, span = scribe.store, timedelta(minutes=5)
        scribe.observe("안녕")
        assert store.lease(LETIA, "하나", until=day(400) + span, now=day(400))
        assert store.lease(LETIA, "둘", until=day(1) + span, now=day(1))
        assert not store.lease(LETIA, "셋", until=day(1), now=day(1) - span), "clocks may differ by a little"

    def test_every_known_scope_has_its_own_lease(self, scribe: Scribe) -> None:
        store, until = scribe.store, day(2)
        scribe.observe("안녕")
        Scribe(store, SERA).observe("안녕")
        version = read(store, LETIA, lambda view: view.version)
        assert store.lease(LETIA, "하나", until=until, now=day(1))
        assert store.lease(SERA, "둘", until=until, now=day(1))
        assert not store.lease(UNKNOWN, "하나", until=until, now=day(1))
        store.release(UNKNOWN, "하나")
        assert {each.scope for each in store.scopes()} == {LETIA, SERA}
        assert read(store, LETIA, lambda view: view.version) == version, "a lease moves nothing"

    def test_another_process_sees_a_lease(self, scribe: Scribe, second_handle: Store) -> None:
        scribe.observe("안녕")
        assert scribe.store.lease(LETIA, "하나", until=day(2), now=day(1))
        assert not second_handle.lease(LETIA, "둘", until=day(2), now=day(1))
        scribe.store.release(LETIA, "하나")
        assert second_handle.lease(LETIA, "둘", until=day(2), now=day(1))
