"""Generates scripts: facts are told, buried in small talk, changed, asked for, buried again, and asked for again.

The same seed always gives the same script.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from datetime import datetime, timedelta, timezone
from typing import Final, Literal

from gieok.domain.attributes import SCHEMA
from gieok.errors import InvalidQuery
from gieok_evals.planted.language import (
    IDENTITY,
    LIFESTYLE,
    NOISES,
    Adversarial,
    Frame,
    Language,
    Noise,
    Piece,
    Probe,
    Said,
    Update,
    UpdateKind,
    Value,
    joined,
    pieces,
    typed,
)
from gieok_evals.planted.script import (
    SCORED,
    SIDES,
    Change,
    Checkpoint,
    Conversation,
    Line,
    Planted,
    Question,
    Script,
    Spoken,
    Trap,
    same,
)
from gieok_evals.statements import Expected, Statement, fold

Fact = tuple[str, Value]  #: slot and value
_PROBE_KINDS: Final[tuple[Literal["direct", "indirect"], ...]] = ("direct", "indirect")

_IDENTITY_FACTS: Final = 12
_LIFESTYLE_FACTS: Final = 13
_SHARED_SLOTS: Final = 5  #: slots of a side conversation that the scored one also has
_OWN_SLOTS: Final = 3  #: slots of a side conversation that it need not have
_SIDE_TURNS: Final = 14
_NOISY: Final = 0.3  #: share of turns with typing noise
_NEVER_SAID: Final = 6  #: questions without an answer, at each checkpoint
_CENTIMETRES: Final = 3  #: how much a height may change
_NEXT_STATUS: Final = {
    "솔로": ("연애중",),
    "연애중": ("이별", "기혼", "솔로"),
    "이별": ("연애중", "솔로"),
    "기혼": ("이혼",),
    "이혼": ("연애중", "솔로"),
}
_MEASURES: Final = frozenset({"age", "height", "birthday", "blood_type", "mbti"})  #: short values: 25 is also in 125
#: A favourite is also liked and a sport is a hobby: nobody can say that these were never spoken of.
_ALWAYS_TOUCHED: Final = frozenset({"likes", "dislikes", "hobby", "exercise", "family", "gender", "habit", "friend"})
_PROBE_NAMES: Final = {"phone_number": "phone"}  #: attributes that the probes name differently
_START: Final = datetime(2025, 3, 3, 9, tzinfo=timezone(timedelta(hours=9)))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Shape:
    """Numbers of turns of the scored conversation, in order."""

    identity: int = 13
    lifestyle: int = 12
    noise: int  #: with the traps and all changes but one
    probes: int = 6
    late_noise: int = 17  #: with one more change
    late_probes: int = 3
    traps: int
    changes: int

    @property
    def first_probe(self) -> int:
        return self.identity + self.lifestyle + self.noise + 1

    @property
    def first_late_probe(self) -> int:
        return self.first_probe + self.probes + self.late_noise


_SHAPES: Final = {101: _Shape(noise=50, traps=14, changes=6), 1000: _Shape(noise=949, traps=140, changes=12)}


@dataclass(frozen=True, slots=True, kw_only=True)
class _PlannedChange:
    """A change of the scored conversation, before it is put into words."""

    update: Update
    old: Value
    new: Value | None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Cast:
    """Everything that is decided before a word is said."""

    facts: Mapping[Conversation, tuple[Fact, ...]]
    changes: tuple[_PlannedChange, ...]
    unplanted: tuple[str, ...]  #: slots that the scored conversation never speaks of
    used: frozenset[str]  #: spellings of every value that the scored conversation ever holds


def script(words: Language, seed: str, *, turns: int = 101) -> Script:
    """Return the script of `seed`, with 101 or 1,000 turns in the scored conversation."""
    if turns not in _SHAPES:
        raise InvalidQuery(f"turns={turns}: a script has {' or '.join(map(str, _SHAPES))} turns")
    shape = _SHAPES[turns]
    dice = random.Random(f"{words.split}/{seed}/{turns}")
    sentences = _Sentences(words, dice)
    cast = _cast(words, dice, changes=shape.changes + 1)
    main = _scored(shape, cast, sentences, dice)
    sides = {name: _side(cast.facts[name], sentences, dice) for name in SIDES}
    lines = tuple(_dated(_interleaved(main, sides, shape, dice), dice))
    checkpoints = tuple(
        Checkpoint(before=start, questions=(*_probes(words, cast, dice), *_unanswerable(words, cast, dice)))
        for start in (shape.first_probe, shape.first_late_probe)
    )
    return Script(seed=seed, lines=lines, checkpoints=checkpoints)


class _Values:
    """Draws values that cannot be mistaken for one another."""

    def __init__(self, words: Language, dice: random.Random) -> None:
        self._words = words
        self._dice = dice
        self._taken: set[str] = set()

    def draw(self, slot: str, among: Sequence[Value] | None = None) -> Value | None:
        """Return a value of `slot` that resembles no drawn value; None if there is none left."""
        pool = list(self._words.values[slot] if among is None else among)
        self._dice.shuffle(pool)
        chosen = next((value for value in pool if not self._resembles(slot, value)), None)
        if chosen is not None:
            self._taken |= _keys(slot, chosen)
        return chosen

    def facts(self, slots: Iterable[str]) -> tuple[Fact, ...]:
        return tuple((slot, value) for slot in slots if (value := self.draw(slot)) is not None)

    def _resembles(self, slot: str, value: Value) -> bool:
        keys = _keys(slot, value)
        if slot in _MEASURES:
            return bool(keys & self._taken)
        return any(
            new == old or (min(len(new), len(old)) > 1 and (new in old or old in new))
            for new in keys
            for old in self._taken
        )


def _keys(slot: str, value: Value) -> set[str]:
    """Return what values are compared by; a measure only within its slot (25살, 25일)."""
    return {f"{slot}:{text}" if slot in _MEASURES else text for text in value.spellings}


def _cast(words: Language, dice: random.Random, *, changes: int) -> _Cast:
    """Decide who is told what. Small slots may repeat a value between conversations when they run out."""
    main = [*dice.sample(IDENTITY, k=_IDENTITY_FACTS), *dice.sample(LIFESTYLE, k=_LIFESTYLE_FACTS)]
    values = _Values(words, dice)
    facts = values.facts(main)
    planned = _planned_changes(words, facts, values, dice, changes)
    rest = [slot for slot in words.values if slot not in main]
    sides = {
        name: values.facts([*dice.sample(main, k=_SHARED_SLOTS), *dice.sample(rest, k=_OWN_SLOTS)]) for name in SIDES
    }
    used = [value for _, value in facts] + [each.new for each in planned if each.new is not None]
    return _Cast(
        facts={SCORED: facts, **sides},
        changes=planned,
        unplanted=tuple(rest),
        used=frozenset(text for value in used for text in value.spellings),
    )


def _planned_changes(
    words: Language, facts: Sequence[Fact], values: _Values, dice: random.Random, count: int
) -> tuple[_PlannedChange, ...]:
    """Plan `count` changes, each of another slot until every slot has changed."""
    current: dict[str, Value] = dict(facts)
    planned: list[_PlannedChange] = []
    while len(planned) < count:
        before = len(planned)
        slots = list(current)
        dice.shuffle(slots)
        for slot in slots:
            change = _planned_change(words, slot, current[slot], values, dice) if len(planned) < count else None
            if change is not None:
                planned.append(change)
                current.pop(slot)
                if change.new is not None:
                    current[slot] = change.new
        if len(planned) == before:
            raise ValueError("the language has too few updates for this many changes")
    return tuple(planned)


def _planned_change(
    words: Language, slot: str, old: Value, values: _Values, dice: random.Random
) -> _PlannedChange | None:
    updates = [update for update in words.updates if update.slot == slot]
    dice.shuffle(updates)
    for update in updates:
        if "{new}" not in update.text:
            return _PlannedChange(update=update, old=old, new=None)
        new = values.draw(slot, successors(slot, old, update.kind, words.values[slot]))
        if new is not None:
            return _PlannedChange(update=update, old=old, new=new)
    return None


def successors(slot: str, old: Value, kind: UpdateKind, pool: Sequence[Value]) -> tuple[Value, ...]:
    """Return the values of `pool` that may follow `old` in an update or a correction."""
    others = tuple(value for value in pool if not same(value, old) and not _overlap(value, old))
    if slot == "age":
        steps = (1,) if kind == "update" else (-2, -1, 1, 2)
        return tuple(value for value in others if int(value.gold) - int(old.gold) in steps)
    if slot == "height":
        return tuple(value for value in others if abs(int(value.gold) - int(old.gold)) <= _CENTIMETRES)
    if slot == "relationship_status" and kind == "update":
        return tuple(value for value in others if value.gold in _NEXT_STATUS.get(old.gold, ()))
    return others


def _overlap(one: Value, other: Value) -> bool:
    """Whether a spelling of one contains a spelling of the other (한여름, 여름)."""
    return any(a in b or b in a for a in one.spellings for b in other.spellings if len(a) > 1 and len(b) > 1)


class _Sentences:
    """Puts facts, changes, traps and questions into words, and repeats small talk as late as possible."""

    def __init__(self, words: Language, dice: random.Random) -> None:
        self._words = words
        self._dice = dice
        self._talk = _endless(words.small_talk, dice)
        self._replies = _endless(words.replies, dice)

    def small_talk(self) -> Spoken:
        noise = self._noise()
        text = joined(typed([Piece(text=next(self._talk))], noise, self._dice))
        return Spoken(kind="small_talk", text=text, reply=next(self._replies), typing=noise)

    def facts(self, facts: Sequence[Fact], *, answers: bool = True) -> Spoken:
        """State `facts`, each in a sentence; the first may answer a question if `answers`."""
        if not facts:
            return self.small_talk()
        noise = self._noise()
        frames = [self._frame(slot, answers=answers and place == 0) for place, (slot, _) in enumerate(facts)]
        said: list[tuple[Piece, ...]] = []
        planted: list[Planted] = []
        for (slot, value), frame in zip(facts, frames, strict=True):
            parts = pieces(frame.text, {"v": value}, drop_particles=noise == "particles")
            planted.append(self._planted(slot, value, parts))
            said.append(parts)
        return Spoken(
            kind="facts",
            text=self._turn(said, noise),
            reply=next(self._replies),
            ask=frames[0].ask,
            facts=tuple(planted),
            typing=noise,
        )

    def change(self, change: _PlannedChange) -> Spoken:
        noise = self._noise()
        update = change.update
        values = {"old": change.old} | ({"new": change.new} if change.new is not None else {})
        parts = pieces(update.text, values, drop_particles=noise == "particles")
        new = None
        if change.new is not None:
            new = Planted(slot=update.slot, value=change.new, surfaces=(change.new.written,))
        return Spoken(
            kind="update",
            text=joined(typed(parts, noise, self._dice)),
            reply=next(self._replies),
            facts=(new,) if new is not None else (),
            change=Change(
                slot=update.slot, kind=update.kind, old=change.old, new=new, names_old="{old}" in update.text
            ),
            typing=noise,
        )

    def traps(self, used: frozenset[str], count: int) -> list[Spoken]:
        """Return `count` adversarial turns, family by family, none with a value in `used` or one used before."""
        taken = set(used)
        drawn: list[Spoken] = []
        for adversarial in self._by_family():
            if len(drawn) == count:
                break
            trap = self._trap(adversarial, taken)
            if trap is not None:
                drawn.append(trap)
        return drawn

    def probes(self, count: int, slots: set[str]) -> list[Spoken]:
        """Return `count` turns in which the user asks for one of `slots`."""
        probes = [probe for probe in self._words.probes if probe.slot in slots and probe.kind in _PROBE_KINDS]
        drawn = self._dice.sample(probes, k=count)
        return [Spoken(kind="probe", text=probe.text, reply=next(self._replies)) for probe in drawn]

    def _frame(self, slot: str, *, answers: bool) -> Frame:
        frames = [frame for frame in self._words.frames if frame.slot == slot and (answers or frame.ask is None)]
        return self._dice.choice(frames)

    def _planted(self, slot: str, value: Value, parts: Iterable[Piece]) -> Planted:
        """Return the fact with the words that state it, without those that also mean another value."""
        others = [other for other in self._words.values[slot] if not same(other, value)]
        ambiguous = {fold(form) for other in others for form in other.forms.values()}
        surfaces = tuple(part.text for part in parts if part.value and fold(part.text) not in ambiguous)
        return Planted(slot=slot, value=value, surfaces=surfaces)

    def _by_family(self) -> Iterator[Adversarial]:
        families: dict[str, list[Adversarial]] = {}
        for adversarial in self._dice.sample(self._words.adversarial, k=len(self._words.adversarial)):
            families.setdefault(adversarial.family, []).append(adversarial)
        while any(families.values()):
            for family in self._dice.sample(sorted(families), k=len(families)):
                if families[family]:
                    yield families[family].pop()

    def _trap(self, adversarial: Adversarial, taken: set[str]) -> Spoken | None:
        """Return the turn, or None if it would speak of a value in `taken`; its own values are added to `taken`."""
        values = {}
        if "{v" in adversarial.text:
            free = [each for each in self._words.values[adversarial.slot] if not each.spellings & taken]
            if not free:
                return None
            values["v"] = self._dice.choice(free)
        must_not = tuple(_expected(said, values) for said in adversarial.must_not)
        spellings = {fold(text) for each in must_not for text in each.accepted}
        if spellings & taken:
            return None
        taken |= spellings
        noise = self._noise()
        parts = pieces(adversarial.text, values, drop_particles=noise == "particles")
        expect = tuple(_expected(said, values) for said in adversarial.expect)
        return Spoken(
            kind="adversarial",
            text=joined(typed(parts, noise, self._dice)),
            reply=next(self._replies),
            ask=adversarial.ask,
            trap=Trap(family=adversarial.family, must_not=must_not, expect=expect),
            typing=noise,
        )

    def _noise(self) -> Noise | None:
        return self._dice.choice(NOISES) if self._dice.random() < _NOISY else None

    def _turn(self, said: Sequence[Sequence[Piece]], noise: Noise | None) -> str:
        """Join sentences into one turn; laughter and drawn-out endings only come at its end."""
        texts = []
        for place, parts in enumerate(said, start=1):
            skip = noise in ("tail", "drawn_out") and place < len(said)
            texts.append(joined(parts if skip else typed(parts, noise, self._dice)))
        ended = [f"{text}." if "가" <= text[-1] <= "힣" else text for text in texts[:-1]]
        return " ".join([*ended, texts[-1]])


def _expected(said: Said, values: Mapping[str, Value]) -> Expected:
    named = said.value == "{v}"
    value = values["v"].gold if named else said.value
    accepted = values["v"].accepted if named else (said.value,)
    return Expected(said=Statement(subject=said.subject, attribute=said.attribute, value=value), accepted=accepted)


def _endless(texts: Sequence[str], dice: random.Random) -> Iterator[str]:
    while True:
        yield from dice.sample(texts, k=len(texts))


def _scored(shape: _Shape, cast: _Cast, sentences: _Sentences, dice: random.Random) -> list[Spoken]:
    """Return the conversation of u with A."""
    spoken: list[Spoken] = []
    for slots, turns in ((IDENTITY, shape.identity), (LIFESTYLE, shape.lifestyle)):
        facts = [fact for fact in cast.facts[SCORED] if fact[0] in slots]
        dice.shuffle(facts)
        for group in _spread(facts, turns, dice):
            spoken.append(sentences.facts(group, answers=bool(spoken)))
    asked = {slot for slot, _ in cast.facts[SCORED]}
    traps = sentences.traps(cast.used, shape.traps)
    changes = [sentences.change(each) for each in cast.changes[:-1]]
    spoken += _mixed(shape.noise, traps, changes, sentences, dice)
    spoken += sentences.probes(shape.probes, asked)
    spoken += _mixed(shape.late_noise, [], [sentences.change(cast.changes[-1])], sentences, dice)
    spoken += sentences.probes(shape.late_probes, asked)
    return spoken


def _side(facts: Sequence[Fact], sentences: _Sentences, dice: random.Random) -> list[Spoken]:
    """Return a conversation whose facts must not leak."""
    groups = _spread(facts, len(facts), dice)
    told = [sentences.facts(group, answers=number > 0) for number, group in enumerate(groups)]
    return [*told, *(sentences.small_talk() for _ in range(_SIDE_TURNS - len(told)))]


def _spread(facts: Sequence[Fact], turns: int, dice: random.Random) -> list[list[Fact]]:
    """Spread `facts` over `turns`, 0–3 a turn."""
    groups: list[list[Fact]] = [[] for _ in range(turns)]
    for fact in facts:
        dice.choice([group for group in groups if len(group) < 3]).append(fact)
    return groups


def _mixed(
    turns: int, traps: Sequence[Spoken], changes: Sequence[Spoken], sentences: _Sentences, dice: random.Random
) -> list[Spoken]:
    """Mix traps and changes into small talk; changes keep their order."""
    rest = [*traps, *(sentences.small_talk() for _ in range(turns - len(traps) - len(changes)))]
    dice.shuffle(rest)
    for place, change in zip(sorted(dice.sample(range(turns), k=len(changes))), changes, strict=True):
        rest.insert(place, change)
    return rest


def _interleaved(
    main: Sequence[Spoken], sides: Mapping[Conversation, Sequence[Spoken]], shape: _Shape, dice: random.Random
) -> Iterator[tuple[Conversation, int, Spoken]]:
    """Yield all conversations in one order; the sides end before the first probes."""
    keyed: list[tuple[float, Conversation, int, Spoken]] = [
        (float(number), SCORED, number, spoken) for number, spoken in enumerate(main, start=1)
    ]
    for name, side in sides.items():
        places = sorted(dice.uniform(1, shape.first_probe - 1) for _ in side)
        keyed += (
            (place, name, number, spoken)
            for number, (place, spoken) in enumerate(zip(places, side, strict=True), start=1)
        )
    for _, conversation, number, spoken in sorted(keyed, key=lambda each: each[:3]):
        yield conversation, number, spoken


def _dated(spoken: Iterable[tuple[Conversation, int, Spoken]], dice: random.Random) -> list[Line]:
    """Return lines with dates; the question that a line answers becomes the reply before it."""
    lines: list[Line] = []
    latest: dict[Conversation, int] = {}
    at = _START + timedelta(days=dice.randrange(300))
    for conversation, number, each in spoken:
        at += timedelta(minutes=dice.randint(1, 9))
        if dice.random() < 0.08:
            at += timedelta(days=dice.randint(1, 3), minutes=dice.randrange(300))
        if each.ask is not None and conversation in latest:
            asked = latest[conversation]
            lines[asked] = replace(lines[asked], reply=each.ask)
        latest[conversation] = len(lines)
        own = {field.name: getattr(each, field.name) for field in fields(each)}
        lines.append(Line(conversation=conversation, number=number, at=at, **own))
    return lines


def _probes(words: Language, cast: _Cast, dice: random.Random) -> Iterator[Question]:
    """Yield a direct and an indirect question for every fact of the scored conversation."""
    for slot, _ in cast.facts[SCORED]:
        for kind in _PROBE_KINDS:
            probes = [probe for probe in words.probes if probe.slot == slot and probe.kind == kind]
            if probes:
                yield Question(text=dice.choice(probes).text, slot=slot, kind=kind)


def _unanswerable(words: Language, cast: _Cast, dice: random.Random) -> list[Question]:
    """Return questions about the user that have no answer and whose attribute the schema knows."""
    unknown = {slot for slot in cast.unplanted if slot not in _ALWAYS_TOUCHED}
    asked = [
        Question(text=probe.text, slot=slot, kind="abstain")
        for probe in words.probes
        if (slot := _asked_for(probe)) is not None and (probe.kind == "abstain" or slot in unknown)
    ]
    return dice.sample(asked, k=min(_NEVER_SAID, len(asked)))


def _asked_for(probe: Probe) -> str | None:
    """Return the attribute of the user that a probe asks for; None if the schema has none."""
    if probe.kind == "direct":
        return probe.slot
    if probe.kind != "abstain" or probe.attribute_if_abstain is None:
        return None
    name = _PROBE_NAMES.get(probe.attribute_if_abstain, probe.attribute_if_abstain)
    return name if name in SCHEMA else None
