"""Putting a script into words: facts in frames, changes in updates, traps in adversarial turns, the rest small talk."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from gieok_evals.cases import Expected
from gieok_evals.planted.casting import Cast, Fact, PlannedChange
from gieok_evals.planted.language import Adversarial, Frame, Language, Said, Value
from gieok_evals.planted.script import Change, Conversation, Forbidden, Line, LineKind, Planted, Trap
from gieok_evals.planted.typing_noise import NOISES, Noise, typed
from gieok_evals.planted.wording import Piece, joined, pieces
from gieok_evals.statement import Statement, fold

_NOISY: Final = 0.3  #: share of turns with typing noise


@dataclass(frozen=True, slots=True, kw_only=True)
class Spoken:
    """A line without its place and time; `ask` is what the character says just before."""

    kind: LineKind
    text: str
    reply: str
    ask: str | None = None
    facts: tuple[Planted, ...] = ()
    change: Change | None = None
    trap: Trap | None = None
    typing: str | None = None

    def line(self, conversation: Conversation, number: int, at: datetime) -> Line:
        return Line(
            conversation=conversation,
            number=number,
            at=at,
            kind=self.kind,
            text=self.text,
            reply=self.reply,
            facts=self.facts,
            change=self.change,
            trap=self.trap,
            typing=self.typing,
        )


class Sentences:
    """Draws from a language without repeating itself sooner than it must."""

    def __init__(self, words: Language, dice: random.Random) -> None:
        self._words = words
        self._dice = dice
        self._talk = _endless(words.small_talk, dice)
        self._replies = _endless(words.replies, dice)

    def small_talk(self) -> Spoken:
        noise = self._noise()
        text = joined(self._typed([Piece(text=next(self._talk))], noise))
        return Spoken(kind="small_talk", text=text, reply=next(self._replies), typing=noise)

    def planting(self, facts: Sequence[Fact], *, answers: bool = True) -> Spoken:
        """State `facts`, each in a sentence; only the first may answer a question, if there `answers` can be one."""
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

    def changing(self, change: PlannedChange) -> Spoken:
        noise = self._noise()
        update = change.update
        values = {"old": change.old} | ({"new": change.new} if change.new is not None else {})
        parts = pieces(update.text, values, drop_particles=noise == "particles")
        new = None
        if change.new is not None:
            new = Planted(slot=update.slot, value=change.new, surfaces=(change.new.written,))
        made = Change(slot=update.slot, kind=update.kind, old=change.old, new=new, names_old="{old}" in update.text)
        return Spoken(
            kind="update",
            text=joined(self._typed(parts, noise)),
            reply=next(self._replies),
            facts=(new,) if new is not None else (),
            change=made,
            typing=noise,
        )

    def traps(self, people: Cast, count: int) -> list[Spoken]:
        """Return `count` adversarial turns, families in turn, none with a value that is true of the user."""
        mine = {fold(text) for _, value in people.used for text in (*value.accepted, value.written)}
        drawn: list[Spoken] = []
        for adversarial in self._by_family():
            if len(drawn) == count:
                break
            trap = self._trap(adversarial, mine)
            if trap is not None:
                drawn.append(trap)
        return drawn

    def asking(self, count: int, people: Cast) -> list[Spoken]:
        """Return `count` turns in which the user asks for what was said."""
        slots = {slot for slot, _ in people.facts["uA"]}
        probes = [probe for probe in self._words.probes if probe.slot in slots and probe.kind in ("direct", "indirect")]
        return [
            Spoken(kind="probe", text=probe.text, reply=next(self._replies))
            for probe in self._dice.sample(probes, k=count)
        ]

    def _frame(self, slot: str, *, answers: bool) -> Frame:
        fitting = [frame for frame in self._words.frames if frame.slot == slot and (answers or frame.ask is None)]
        return self._dice.choice(fitting)

    def _planted(self, slot: str, value: Value, parts: Iterable[Piece]) -> Planted:
        """Return the fact with the words that carry it; those that also mean another value (in "not a boy") do not."""
        pool = self._words.values[slot]
        others = {fold(form) for other in pool if fold(other.gold) != fold(value.gold) for form in other.forms.values()}
        surfaces = tuple(part.text for part in parts if part.value and fold(part.text) not in others)
        return Planted(slot=slot, value=value, surfaces=surfaces)

    def _by_family(self) -> Iterator[Adversarial]:
        families: dict[str, list[Adversarial]] = {}
        for adversarial in self._dice.sample(self._words.adversarial, k=len(self._words.adversarial)):
            families.setdefault(adversarial.family, []).append(adversarial)
        while any(families.values()):
            for family in self._dice.sample(sorted(families), k=len(families)):
                if families[family]:
                    yield families[family].pop()

    def _trap(self, adversarial: Adversarial, mine: set[str]) -> Spoken | None:
        """Return the turn, or None where it would speak of a value in `mine`; its own values are added there."""
        value = self._stranger(adversarial, mine)
        if value is None and "{v" in adversarial.text:
            return None
        values = {"v": value} if value is not None else {}
        must_not = [_forbidden(said, values) for said in adversarial.must_not]
        spellings = {fold(text) for each in must_not for text in each.accepted}
        if spellings & mine:
            return None
        mine |= spellings
        noise = self._noise()
        parts = pieces(adversarial.text, values, drop_particles=noise == "particles")
        return Spoken(
            kind="adversarial",
            text=joined(self._typed(parts, noise)),
            reply=next(self._replies),
            ask=adversarial.ask,
            trap=Trap(
                family=adversarial.family,
                must_not=tuple(must_not),
                expect=tuple(_expected(said, values) for said in adversarial.expect),
            ),
            typing=noise,
        )

    def _stranger(self, adversarial: Adversarial, mine: set[str]) -> Value | None:
        if "{v" not in adversarial.text:
            return None
        pool = self._words.values[adversarial.slot]
        strangers = [each for each in pool if not {fold(text) for text in (*each.accepted, each.written)} & mine]
        return self._dice.choice(strangers) if strangers else None

    def _noise(self) -> Noise | None:
        return self._dice.choice(NOISES) if self._dice.random() < _NOISY else None

    def _typed(self, parts: Sequence[Piece], noise: Noise | None) -> Sequence[Piece]:
        return typed(parts, noise, self._dice) if noise is not None else parts

    def _turn(self, said: Sequence[Sequence[Piece]], noise: Noise | None) -> str:
        """Join sentences into one turn; laughter and drawn-out endings only at its end."""
        texts = []
        for place, parts in enumerate(said, start=1):
            at_end = noise in ("tail", "drawn_out")
            texts.append(joined(parts if at_end and place < len(said) else self._typed(parts, noise)))
        ended = [f"{text}." if "가" <= text[-1] <= "힣" else text for text in texts[:-1]]
        return " ".join([*ended, texts[-1]])


def _forbidden(said: Said, values: Mapping[str, Value]) -> Forbidden:
    statement = Statement(subject=said.subject, attribute=said.attribute, value=_gold(said, values))
    return Forbidden(said=statement, accepted=_accepted(said, values))


def _expected(said: Said, values: Mapping[str, Value]) -> Expected:
    statement = Statement(subject=said.subject, attribute=said.attribute, value=_gold(said, values))
    return Expected(said=statement, accepted=_accepted(said, values))


def _gold(said: Said, values: Mapping[str, Value]) -> str:
    return values["v"].gold if said.value == "{v}" else said.value


def _accepted(said: Said, values: Mapping[str, Value]) -> tuple[str, ...]:
    return values["v"].accepted if said.value == "{v}" else (said.value,)


def _endless(texts: Sequence[str], dice: random.Random) -> Iterator[str]:
    while True:
        yield from dice.sample(texts, k=len(texts))
