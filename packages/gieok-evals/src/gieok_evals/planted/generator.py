"""Scripts from the planted language: plant, bury in noise, change, ask, bury again, ask again. Pure, by seed."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta, timezone
from typing import Final

from gieok.domain.attributes import SCHEMA
from gieok.errors import InvalidQuery
from gieok_evals.planted.casting import Cast, Fact, cast
from gieok_evals.planted.language import IDENTITY, LIFESTYLE, Language, Probe
from gieok_evals.planted.script import Checkpoint, Conversation, Line, Question, Script
from gieok_evals.planted.sentences import Sentences, Spoken

#: A favourite is also liked and a sport a pastime, so nobody can say that these were never spoken of.
_ALWAYS_TOUCHED: Final = frozenset({"likes", "dislikes", "hobby", "exercise", "family", "gender", "habit", "friend"})
_OWN_NAMES: Final = {"phone_number": "phone"}  #: of attributes, by the authors of the probes
_NEVER_SAID: Final = 6
_SEOUL: Final = timezone(timedelta(hours=9))
_START: Final = datetime(2025, 3, 3, 9, tzinfo=_SEOUL)
_SIDES: Final[tuple[Conversation, ...]] = ("uB", "vA")
_SIDE_TURNS: Final = 14  #: of each of the two other conversations


def questions(words: Language, people: Cast, dice: random.Random) -> tuple[Question, ...]:
    """Return the questions of one checkpoint, in a fixed order."""
    return (*_planted(words, people, dice), *_abstaining(words, people, dice))


def _planted(words: Language, people: Cast, dice: random.Random) -> Iterator[Question]:
    for slot, _ in people.facts["uA"]:
        for kind in ("direct", "indirect"):
            fitting = [probe for probe in words.probes if probe.slot == slot and probe.kind == kind]
            if fitting:
                probe = dice.choice(fitting)
                yield Question(text=probe.text, slot=slot, kind="direct" if kind == "direct" else "indirect")


def _abstaining(words: Language, people: Cast, dice: random.Random) -> list[Question]:
    """Return questions about the user that nothing answers and whose attribute the schema knows."""
    unknown = {slot for slot in people.unplanted if slot not in _ALWAYS_TOUCHED}
    asked = [
        Question(text=probe.text, slot=slot, kind="abstain")
        for probe in words.probes
        if (slot := _asked_for(probe)) is not None and (probe.kind == "abstain" or slot in unknown)
    ]
    return dice.sample(asked, k=min(_NEVER_SAID, len(asked)))


def _asked_for(probe: Probe) -> str | None:
    """Return the attribute of the user that a question without an answer asks for; None where the schema has none."""
    if probe.kind == "direct":
        return probe.slot
    if probe.kind != "abstain" or probe.attribute_if_abstain is None:
        return None
    named = _OWN_NAMES.get(probe.attribute_if_abstain, probe.attribute_if_abstain)
    return named if named in SCHEMA else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """Where in a script things happen; numbers are places of the scored conversation, from 1."""

    turns: int
    identity: tuple[int, int] = (1, 13)
    lifestyle: tuple[int, int] = (14, 25)
    noise: tuple[int, int]  #: with traps and changes
    probes: tuple[int, int]
    late_noise: tuple[int, int]  #: with one more change
    late_probes: tuple[int, int]
    traps: int
    changes: int


SHAPES: Final = {
    101: Shape(
        turns=101, noise=(26, 75), probes=(76, 81), late_noise=(82, 98), late_probes=(99, 101), traps=14, changes=6
    ),
    1000: Shape(
        turns=1000,
        noise=(26, 974),
        probes=(975, 980),
        late_noise=(981, 997),
        late_probes=(998, 1000),
        traps=140,
        changes=12,
    ),
}


def script(words: Language, seed: str, *, turns: int = 101) -> Script:
    """Return the script of `seed`; the same seed always gives the same script."""
    if turns not in SHAPES:
        raise InvalidQuery(f"turns={turns}: a script has {' or '.join(map(str, SHAPES))} turns")
    shape = SHAPES[turns]
    dice = random.Random(f"{words.split}/{seed}/{turns}")
    sentences = Sentences(words, dice)
    people = cast(words, dice, changes=shape.changes + 1)
    main = _scored(shape, people, sentences, dice)
    sides = [_side(name, people, sentences, dice) for name in _SIDES]
    lines = tuple(_dated(_woven(main, sides, shape, dice), dice))
    return Script(seed=seed, lines=lines, checkpoints=_checkpoints(words, people, shape, dice))


def _scored(shape: Shape, people: Cast, sentences: Sentences, dice: random.Random) -> list[Spoken]:
    """Return the conversation of u with A."""
    spoken: list[Spoken] = []
    for slots, (first, last) in ((IDENTITY, shape.identity), (LIFESTYLE, shape.lifestyle)):
        facts = [fact for fact in people.facts["uA"] if fact[0] in slots]
        dice.shuffle(facts)
        for group in _spread(facts, last - first + 1, dice):
            spoken.append(sentences.planting(group, answers=bool(spoken)))
    burying = shape.noise[1] - shape.noise[0] + 1
    traps = sentences.traps(people, shape.traps)
    spoken += _ordered(burying, traps, [sentences.changing(each) for each in people.changes[:-1]], sentences, dice)
    spoken += sentences.asking(shape.probes[1] - shape.probes[0] + 1, people)
    late = shape.late_noise[1] - shape.late_noise[0] + 1
    spoken += _ordered(late, [], [sentences.changing(people.changes[-1])], sentences, dice)
    spoken += sentences.asking(shape.late_probes[1] - shape.late_probes[0] + 1, people)
    return spoken


def _side(conversation: Conversation, people: Cast, sentences: Sentences, dice: random.Random) -> list[Spoken]:
    """Return a conversation that is there to leak."""
    facts = list(people.facts[conversation])
    groups = _spread(facts, len(facts), dice)
    planting = [sentences.planting(group, answers=number > 0) for number, group in enumerate(groups)]
    talk = [sentences.small_talk() for _ in range(_SIDE_TURNS - len(planting))]
    return [*planting, *talk]


def _spread(facts: Sequence[Fact], turns: int, dice: random.Random) -> list[list[Fact]]:
    """Spread `facts` over `turns`, 0–3 a turn."""
    groups: list[list[Fact]] = [[] for _ in range(turns)]
    for fact in facts:
        dice.choice([group for group in groups if len(group) < 3]).append(fact)
    return groups


def _ordered(
    turns: int, traps: Sequence[Spoken], changes: Sequence[Spoken], sentences: Sentences, dice: random.Random
) -> list[Spoken]:
    """Mix traps and changes into small talk; changes keep their order."""
    rest = [*traps, *(sentences.small_talk() for _ in range(turns - len(traps) - len(changes)))]
    dice.shuffle(rest)
    for place, change in zip(sorted(dice.sample(range(turns), k=len(changes))), changes, strict=True):
        rest.insert(place, change)
    return rest


def _woven(
    main: Sequence[Spoken], sides: Sequence[Sequence[Spoken]], shape: Shape, dice: random.Random
) -> Iterator[tuple[Conversation, int, Spoken]]:
    """Yield all conversations in one order; the others end before the first probes."""
    keyed: list[tuple[float, Conversation, int, Spoken]] = [
        (float(number), "uA", number, spoken) for number, spoken in enumerate(main, start=1)
    ]
    for name, side in zip(_SIDES, sides, strict=True):
        places = sorted(dice.uniform(1, shape.noise[1]) for _ in side)
        keyed += (
            (place, name, number, spoken)
            for number, (place, spoken) in enumerate(zip(places, side, strict=True), start=1)
        )
    for _, conversation, number, spoken in sorted(keyed, key=lambda each: each[:3]):
        yield conversation, number, spoken


def _dated(woven: Iterator[tuple[Conversation, int, Spoken]], dice: random.Random) -> Iterator[Line]:
    """Yield lines with dates, and with the question that a line answers as the reply before it."""
    lines: list[Line] = []
    latest: dict[Conversation, int] = {}
    at = _START + timedelta(days=dice.randrange(300))
    for conversation, number, spoken in woven:
        at += timedelta(minutes=dice.randint(1, 9))
        if dice.random() < 0.08:
            at += timedelta(days=dice.randint(1, 3), minutes=dice.randrange(300))
        if spoken.ask is not None and conversation in latest:
            asked = latest[conversation]
            lines[asked] = replace(lines[asked], reply=spoken.ask)
        latest[conversation] = len(lines)
        lines.append(spoken.line(conversation, number, at))
    return iter(lines)


def _checkpoints(words: Language, people: Cast, shape: Shape, dice: random.Random) -> tuple[Checkpoint, ...]:
    starts = (shape.probes[0], shape.late_probes[0])
    return tuple(Checkpoint(before=start, questions=questions(words, people, dice)) for start in starts)
