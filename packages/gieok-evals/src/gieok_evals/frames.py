"""Every frame of the planted language through the extractor alone: which ways to say a fact are understood.

This is what rules are written against, on the dev split. Of the test split only counts are shown.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Final

from gieok.bank import MemoryBank
from gieok.domain.claim import Claim
from gieok.domain.memory import NOTHING_KNOWN
from gieok.domain.scope import Scope
from gieok.domain.turn import CHARACTER, USER, Turn, Utterance
from gieok.errors import InvalidQuery
from gieok_evals.figures import Share
from gieok_evals.planted.language import Frame, Value, language
from gieok_evals.planted.wording import filled
from gieok_evals.statement import Statement, fold, statements

_AT: Final = datetime(2026, 3, 2, 12, tzinfo=UTC)
_COMPANIONS: Final = {
    "hobby": ("likes", "exercise"),
    "exercise": ("likes", "hobby"),
    "likes": ("favorite.food", "hobby"),
    "pet": ("likes",),
    "dream": ("goal", "plan"),
    "job": ("part_time_job",),
    "part_time_job": ("job",),
    "residence": ("hometown",),
    "hometown": ("residence",),
}
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
    """How many frames were understood, and what was read beside."""

    split: str
    found: Share
    by_slot: Mapping[str, Share]
    by_directness: Mapping[str, Share]
    by_register: Mapping[str, Share]
    by_syntax: Mapping[str, Share]
    extra: Share  #: readings with a fact about the user that nobody stated
    extra_by_attribute: Mapping[str, int]
    elsewhere: Mapping[str, int]  #: "slot → attribute" where the right value went to another attribute
    misses: tuple[Reading, ...] = field(default=(), repr=False)  #: of dev only, and only when asked for
    extras: tuple[Reading, ...] = field(default=(), repr=False)


def evaluate(
    bank: MemoryBank, *, split: str = "dev", seed: int = 0, values_each: int = 2, show: bool = False
) -> FrameReport:
    """Read every frame of `split` with `values_each` values through the extractor of `bank`. Nothing is written.

    `show` keeps the sentences that failed; it is refused for the test split.
    """
    if show and split != "dev":
        raise InvalidQuery("sentences of the test split are not shown; --show-misses works with --split dev")
    readings = [read(bank, frame, value) for frame, value in _fillings(split, seed, values_each)]
    return FrameReport(
        split=split,
        found=_share(readings),
        by_slot=_by(readings, "slot"),
        by_directness=_by(readings, "directness"),
        by_register=_by(readings, "register"),
        by_syntax=_by(readings, "syntax"),
        extra=Share(sum(bool(reading.extra) for reading in readings), len(readings)),
        extra_by_attribute=Counter(said.attribute for reading in readings for said in reading.extra),
        elsewhere=Counter(
            f"{reading.frame.slot} → {said.attribute}"
            for reading in readings
            if not reading.found
            for said in reading.elsewhere
        ),
        misses=tuple(reading for reading in readings if not reading.found) if show else (),
        extras=tuple(reading for reading in readings if reading.extra) if show else (),
    )


def read(bank: MemoryBank, frame: Frame, value: Value) -> Reading:
    """Return what the extractor of `bank` makes of `frame` with `value`, said to somebody who knows nothing yet."""
    text = filled(frame.text, {"v": value})
    claims = _claims(bank, text, frame.ask)
    said = tuple(statement for claim in claims for statement in statements(claim, _AT))
    accepted = {fold(each) for each in value.accepted}
    right = [each for each in said if each.subject == USER and each.current and fold(each.value) in accepted]
    found = any(each.attribute == frame.slot for each in right)
    elsewhere = tuple(each for each in right if each.attribute != frame.slot)
    fitting = [each for each in right if each.attribute in (frame.slot, *companions(frame.slot))]
    extra = tuple(each for each in said if each.subject == USER and each.current and each not in fitting)
    return Reading(frame=frame, value=value, text=text, read=said, found=found, elsewhere=elsewhere, extra=extra)


def companions(slot: str) -> tuple[str, ...]:
    """Return the attributes that hold the same value truly, beside or instead of `slot`: a favourite is liked."""
    return ("likes",) if slot.startswith("favorite.") else _COMPANIONS.get(slot, ())


def _claims(bank: MemoryBank, text: str, ask: str | None) -> Iterable[Claim]:
    before = [_utterance("before", CHARACTER, ask)] if ask else []
    turn = Turn(id="turn", utterances=(_utterance("turn", USER, text),), at=_AT, recorded_at=_AT)
    return bank.services.extractor.claims(turn, _SCOPE, before, NOTHING_KNOWN)


def _utterance(turn_id: str, speaker: str, text: str) -> Utterance:
    return Utterance(id=f"{turn_id}-0", turn_id=turn_id, speaker=speaker, text=text, at=_AT, position=0)


def _fillings(split: str, seed: int, values_each: int) -> Iterator[tuple[Frame, Value]]:
    """Yield each frame with its values, the same ones whatever other frames there are."""
    words = language(split)
    for frame in words.frames:
        pool = words.values[frame.slot]
        dice = random.Random(f"{seed}/{frame.text}")
        for value in dice.sample(pool, k=min(values_each, len(pool))):
            yield frame, value


def _share(readings: Iterable[Reading]) -> Share:
    share = Share()
    for reading in readings:
        share = share.counted(reading.found)
    return share


def _by(readings: Iterable[Reading], tag: str) -> dict[str, Share]:
    shares: dict[str, Share] = {}
    for reading in readings:
        key = getattr(reading.frame, tag)
        shares[key] = shares.get(key, Share()).counted(reading.found)
    return shares


if __name__ == "__main__":
    from gieok_evals.commands import run

    run("frames")
