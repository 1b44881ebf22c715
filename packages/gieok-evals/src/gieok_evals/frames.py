"""Every frame of the planted language, read by the extractor alone: which ways to state a fact are understood.

Rules are written against the dev split. Of the test split only counts are shown.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Final

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from gieok.bank import MemoryBank
from gieok.domain.memory import NOTHING_KNOWN
from gieok.domain.scope import Scope
from gieok.domain.turn import CHARACTER, USER, Turn, Utterance
from gieok_evals.planted.language import Frame, Value, check_show, companions, filled, language
from gieok_evals.reports import Share, one, shares_table, shown, totals
from gieok_evals.statements import Statement, fold, listed, statements

_AT: Final = datetime(2026, 3, 2, 12, tzinfo=UTC)
_SCOPE: Final = Scope(user="user-1", character="letia")


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """One frame with one value, and what was read from it."""

    frame: Frame
    value: Value
    text: str
    read: tuple[Statement, ...]
    found: bool
    elsewhere: tuple[Statement, ...]  #: the right value under another attribute
    extra: tuple[Statement, ...]  #: facts about the user that the frame does not state


@dataclass(frozen=True, slots=True, kw_only=True)
class FrameReport:
    """How many frames were understood. The fields are the keys of the JSON report."""

    split: str
    found: Share
    by_slot: Mapping[str, Share]
    by_directness: Mapping[str, Share]
    by_register: Mapping[str, Share]
    by_syntax: Mapping[str, Share]
    extra: Share  #: readings with a fact about the user that nobody stated
    extra_by_attribute: Mapping[str, int]
    elsewhere: Mapping[str, int]  #: "slot → attribute" where the right value got another attribute
    misses: tuple[Reading, ...] = field(default=(), repr=False)  #: of dev, if asked for
    extras: tuple[Reading, ...] = field(default=(), repr=False)


def evaluate(
    bank: MemoryBank, *, split: str = "dev", seed: int = 0, values_each: int = 2, show: bool = False
) -> FrameReport:
    """Read every frame of `split` with `values_each` values through the extractor of `bank`. Nothing is written.

    `show` keeps the sentences that failed; it is refused for the test split.
    """
    check_show(split=split, show=show)
    readings = [_read(bank, frame, value) for frame, value in _fillings(split, seed, values_each)]

    def by(tag: str) -> dict[str, Share]:
        return totals((getattr(reading.frame, tag), one(reading.found)) for reading in readings)

    missed = [reading for reading in readings if not reading.found]
    return FrameReport(
        split=split,
        found=Share(len(readings) - len(missed), len(readings)),
        by_slot=by("slot"),
        by_directness=by("directness"),
        by_register=by("register"),
        by_syntax=by("syntax"),
        extra=Share(sum(bool(reading.extra) for reading in readings), len(readings)),
        extra_by_attribute=Counter(said.attribute for reading in readings for said in reading.extra),
        elsewhere=Counter(
            f"{reading.frame.slot} → {said.attribute}" for reading in missed for said in reading.elsewhere
        ),
        misses=tuple(missed) if show else (),
        extras=tuple(reading for reading in readings if reading.extra) if show else (),
    )


def _fillings(split: str, seed: int, values_each: int) -> Iterator[tuple[Frame, Value]]:
    """Yield each frame with its values, the same ones whatever other frames there are."""
    words = language(split)
    for frame in words.frames:
        pool = words.values[frame.slot]
        dice = random.Random(f"{seed}/{frame.text}")
        for value in dice.sample(pool, k=min(values_each, len(pool))):
            yield frame, value


def _read(bank: MemoryBank, frame: Frame, value: Value) -> Reading:
    """Return what the extractor of `bank` reads from `frame` with `value`, when nothing is known yet."""

    def utterance(turn_id: str, speaker: str, text: str) -> Utterance:
        return Utterance(id=f"{turn_id}-0", turn_id=turn_id, speaker=speaker, text=text, at=_AT, position=0)

    text = filled(frame.text, {"v": value})
    before = [utterance("before", CHARACTER, frame.ask)] if frame.ask else []
    turn = Turn(id="turn", utterances=(utterance("turn", USER, text),), at=_AT, recorded_at=_AT)
    claims = bank.services.extractor.claims(turn, _SCOPE, before, NOTHING_KNOWN)
    said = tuple(statement for claim in claims for statement in statements(claim, _AT))
    accepted = {fold(each) for each in value.accepted}
    of_user = [each for each in said if each.subject == USER and each.current]
    right = [each for each in of_user if fold(each.value) in accepted]
    entailed = [each for each in right if each.attribute in (frame.slot, *companions(frame.slot))]
    return Reading(
        frame=frame,
        value=value,
        text=text,
        read=said,
        found=any(each.attribute == frame.slot for each in right),
        elsewhere=tuple(each for each in right if each.attribute != frame.slot),
        extra=tuple(each for each in of_user if each not in entailed),
    )


def show_frames(report: FrameReport, console: Console) -> None:
    for reading in report.misses:
        console.print(_failure("[red]missed[/]", reading, reading.read), soft_wrap=True)
    for reading in report.extras:
        console.print(_failure("[yellow]extra[/]", reading, reading.extra), soft_wrap=True)
    for tag in ("slot", "directness", "register", "syntax"):
        console.print(shares_table(f"frames understood by {tag}", getattr(report, f"by_{tag}")))
    numbers = {
        "right value, other attribute": report.elsewhere,
        "extra facts about the user": report.extra_by_attribute,
    }
    for title, counts in numbers.items():
        if counts:
            table = Table("", "times", title=title, title_justify="left")
            for name, count in sorted(counts.items(), key=lambda pair: -pair[1]):
                table.add_row(name, str(count))
            console.print(table)
    console.print(f"[bold]split {report.split}: understood {shown(report.found)}, with extras {shown(report.extra)}[/]")


def _failure(kind: str, reading: Reading, read: Iterable[Statement]) -> str:
    ask = f"“{escape(reading.frame.ask)}” – " if reading.frame.ask else ""
    wanted = f"{reading.frame.slot}={escape(reading.value.gold)}"
    return f"{kind} {wanted}  {ask}{escape(reading.text)}  [dim]read: {escape(listed(read))}[/]"
