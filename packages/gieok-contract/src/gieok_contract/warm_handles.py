"""A handle that has read and written before answers as one that reads everything for the first time."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Any, Final

from gieok.domain.emotion import Felt
from gieok.domain.memory import Change
from gieok.domain.noticed import Noticed
from gieok.domain.operation import Learn
from gieok.domain.state import Alias, Key, Move, Note, StateRecord
from gieok.ports import MemoryFilter, Store, Topic, View
from gieok.testing.builders import claim, day, entry_for, index_of, memory, turn
from gieok.testing.scribe import Scribe
from gieok_contract.base import LETIA, VECTORS, Contract, read
from gieok_contract.state import person, scene, trusting
from gieok_contract.stories import VALUES, tell

_TEXT: Final = " ".join(value for values in VALUES.values() for value in values) + " 지훈이 아빠"
_SAYINGS: Final = [claim(name, value).saying for name, values in VALUES.items() for value in values]
_KEYS: Final = [("relationship", "pair"), ("entity", "0"), ("entity", "1"), ("alias", "1"), ("note", "director")]


def asked(view: View) -> dict[str, Any]:
    """Return the answers to all that is asked again and again."""
    turns = view.turns(9)
    said = [utterance.id for turn in turns for utterance in turn.utterances]
    now, likes = day(400), ("likes", "dislikes")
    return {
        "turns": [view.turns(limit) for limit in (0, 1, 3)] + [turns],
        "version": view.cached("version", lambda: view.version),
        "turn": [view.turn(f"t{number}") for number in range(4)],
        "operation of": [view.operation_of(f"t{number}") for number in range(4)],
        "unread": view.unread_turns(2),
        "left open": view.open_turns(2),
        "latest at": view.latest_at,
        "noticed": [view.noticed(limit=2), view.noticed(since=2, limit=3)],
        "heard": view.times_heard(_SAYINGS),
        "listed": [
            view.memories(MemoryFilter(pinned=True, current_at=now)),
            view.memories(MemoryFilter(subject="other")),
            view.memories(MemoryFilter(doubtful=True, current_at=now)),
            view.memories(MemoryFilter(subject="other", doubtful=False)),
            *(view.memories(MemoryFilter(attribute=name)) for name in VALUES),
            *(view.memories(MemoryFilter(content_type=kind)) for kind in ("fact", "preference", "note")),
            *(view.memories(MemoryFilter(subject="user", attribute=name, current_at=now)) for name in VALUES),
            *(
                view.memories(MemoryFilter(subject="user", attribute=name, speaker="user", current_at=now))
                for name in VALUES
            ),
        ],
        "about": [
            view.memories_about([Topic(subject="user", subject_id="user", attributes=likes)]),
            view.memories_about(
                [Topic(subject="user", subject_id="user", attributes=("favorite.",), values=("고양이",))]
            ),
            view.memories_about([Topic(subject="other", subject_id="지훈이", attributes=("job",), values=("의사",))]),
        ],
        "concluded": view.conclusions(),
        "mentioned": view.mentioned_facts(_TEXT),
        "people": {name: sorted(refs) for name, refs in view.people(_TEXT).items()},
        "read from": view.read_from(said),
        "forgotten words": view.forgotten_words(),
        "items": view.items(view.refs([*said, "m0", "m1"]).values()),
        "counts": [view.counts(learned_since=since, said_since=2 * since) for since in (0, 1, 3)],
        "vectorless": view.vectorless(3),
        "state": [view.state_records_by_key(_KEYS), view.state_records("entity", "scene")],
        "last state": view.last_state_records("scene", 2),
        "names": view.known_names(),
    }


def _live(scribe: Scribe, dice: Random) -> None:
    """Write a turn in which something is noticed, and something moves beside memories."""
    with scribe.store.view(scribe.scope) as view:
        before = view.state_records()
    number = dice.choice("01")
    after: dict[Key, StateRecord | None] = {
        ("relationship", "pair"): trusting(dice.random()),
        ("entity", number): person(dice.choice(("지훈", "수진")), interactions=dice.randint(1, 9)),
        ("scene", f"0000000{dice.randint(1, 4)}"): scene(dice.randint(1, 9)),
        ("alias", "1"): Alias(of="0"),
        ("note", "director"): dice.choice((None, Note(text="천천히", turn_number=dice.randint(1, 9)))),
    }
    keys = dice.sample(sorted(after), 3)
    moves = [Move(kind=key[0], id=key[1], before=before.get(key), after=after[key]) for key in keys]
    noticed = Noticed(felt=(Felt(speaker="user", emotion=dice.choice(("happy", "sad")), intensity=0.5),))
    spoken = turn("음", id=f"t{dice.randint(0, 3)}-{dice.random()}", at=scribe.clock.now())
    entry = entry_for(spoken, index=index_of(spoken, (), VECTORS) if dice.random() < 0.7 else {})
    request = Learn(noticed=dice.choice((None, noticed)))
    operation = replace(entry.operation, request=request, moves=tuple(moves))
    flags: dict[str, Any] = {"unread": dice.random() < 0.2, "left_open": dice.random() < 0.2}
    with scribe.store.locked(scribe.scope) as room:
        moment = replace(operation.moment, turn_number=room.turn_number + 1)
        room.apply(replace(entry, operation=replace(operation, moment=moment), moves=tuple(moves), **flags))


def _read_later(scribe: Scribe, dice: Random) -> None:
    """Read a turn that waits to be read, by rules or by a model."""
    with scribe.store.locked(scribe.scope) as room:
        unread, left_open = room.unread_turns(1), room.open_turns(1)
        if unread:
            room.apply(replace(entry_for(turn_id=unread[0].id), caught_up=unread[0].id))
        elif left_open:
            room.apply(replace(entry_for(turn_id=left_open[0].id), deepened=left_open[0].id))


def _change_memory(scribe: Scribe, dice: Random) -> None:
    """Make a memory of somebody else, or something else of it."""
    with scribe.store.locked(scribe.scope) as room:
        name = dice.choice(("m0", "m1"))
        before = room.memories_by_id([name]).get(name)
        fields: dict[str, Any] = {
            "subject_id": dice.choice(("지훈이", "아빠")),
            "attribute": dice.choice(("job", "likes")),
            "value": dice.choice(("의사", "고양이")),
            "origin": dice.choice(("rule", "reflection")),
            "closed_by": dice.choice((None, "m0", "m1")),
            "pinned": dice.random() < 0.3,
            "doubtful": dice.random() < 0.3,
            "faded_at": dice.choice((None, None, day(3))),
            "forgotten_at": dice.choice((None, None, None, day(3))),
        }
        some = dict(dice.sample(sorted(fields.items()), 2))
        after = (
            before.changed(**some)
            if before
            else memory("누구", id=name, subject="other", **{"subject_id": "아빠", **fields})
        )
        change = Change(before=before, after=after)
        room.apply(entry_for(memories=(change,), index=index_of(None, (change,), VECTORS)))


def _read_more(scribe: Scribe, dice: Random) -> None:
    """Read one more memory from the last utterance."""
    with scribe.store.locked(scribe.scope) as room:
        said = [utterance.id for turn in room.turns(1) for utterance in turn.utterances]
        fields: dict[str, Any] = {"sources": tuple(said), "forgotten_at": dice.choice((None, day(3)))}
        memories = tuple(memory("말한 것", id=f"{each}-{dice.random()}", **fields) for each in said)
        room.apply(entry_for(memories=memories))


_STEPS: Final[tuple[Callable[[Scribe, Random], object], ...]] = (
    lambda scribe, dice: tell(scribe, dice, steps=1),
    lambda scribe, dice: tell(scribe, dice, steps=1),
    _live,
    _read_later,
    _change_memory,
    _read_more,
)


class WarmHandles(Contract):
    """What a store promises of a handle that is used for long."""

    def test_whatever_was_written_a_handle_that_read_before_answers_as_one_that_did_not(
        self, store: Store, second_handle: Store, rounds: int
    ) -> None:
        for seed in range(rounds):
            dice, scope = Random(seed), LETIA.beside(f"세라 {seed}")  # a story, no secret
            scribe = Scribe(store, scope, vectors=VECTORS)
            for step in range(12):
                dice.choice(_STEPS)(scribe, dice)
                scribe.clock.advance(hours=1)
                warm, cold = read(store, scope, asked), read(second_handle, scope, asked)
                different = [name for name in warm if warm[name] != cold[name]]
                assert not different, f"story {seed}, step {step}"
