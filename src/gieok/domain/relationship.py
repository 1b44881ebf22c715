"""How close two are: five axes that every turn may move a little, and a score over them.

The score gives a level, which does not flicker: it is lost only three points below where it was won.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from typing import Final, Literal, get_args

from gieok.domain.judgement import Moment
from gieok.domain.noticed import Sign
from gieok.domain.relationship_rules import (
    ABSENCE,
    AXES,
    TIME_TOGETHER,
    TOP,
    Absence,
    Axis,
    RelationshipRules,
    Rule,
    default_rules,
)

Level = Literal["stranger", "acquaintance", "friend", "close_friend", "intimate"]
LEVELS: Final[tuple[Level, ...]] = get_args(Level)
THRESHOLDS: Final = (0.0, 20.0, 40.0, 60.0, 80.0)  #: the score at which each level begins
SLACK: Final = 3.0  #: a level is lost only this far below its threshold
WEIGHTS: Final[Mapping[Axis, float]] = {
    "affection": 0.35,
    "trust": 0.25,
    "familiarity": 0.25,
    "respect": 0.15,
    "rivalry": -0.1,
}
_DAY: Final = timedelta(days=1)
_TOGETHER: Final = Sign(name=TIME_TOGETHER, speaker="")
_SLOWING: Final = 1.5  #: how much a rise shrinks on the way to the top
_UNSEEN: Final = 1e-9  #: no shift worth telling


@dataclass(frozen=True, slots=True, kw_only=True)
class Relationship:
    """What the character feels for the user, and how long they have known each other."""

    trust: float
    affection: float
    respect: float
    rivalry: float
    familiarity: float
    level: Level = "stranger"
    turns: int = 0  #: turns together
    met_at: datetime | None = None  #: story time of the first turn
    last_at: datetime | None = None  #: story time of the latest one
    day: date | None = None  #: the day that `spent` counts
    spent: tuple[tuple[str, Axis, float], ...] = ()  #: (sign, axis, points) that were moved on that day

    def axis(self, name: Axis) -> float:
        return float(getattr(self, name))


@dataclass(frozen=True, slots=True, kw_only=True)
class Shift:
    """One axis moved, and why."""

    axis: Axis
    before: float
    after: float
    cause: str  #: the sign, "time_together" or "absence"
    words: str = ""  #: what was said, for a sign
    speaker: str = ""  #: who said it; "" where nobody did


def new_relationship(rules: RelationshipRules | None = None) -> Relationship:
    """Return where two begin who have not met; `rules.start` may make them old friends."""
    start = (rules or default_rules()).start
    begun = Relationship(**{axis: start.get(axis, 0.0) for axis in AXES})  # type: ignore[arg-type]  # all are floats
    return replace(begun, level=_reached(score(begun)))


def score(relationship: Relationship) -> float:
    """Return how close the two are, 0–100."""
    total = sum(weight * relationship.axis(axis) for axis, weight in WEIGHTS.items())
    return min(max(total, 0.0), TOP)


def level_after(score: float, level: Level) -> Level:
    """Return the level at `score` of two who were at `level`: up at a threshold, down only 3 points below it."""
    reached = _reached(score)
    if LEVELS.index(reached) >= LEVELS.index(level):
        return reached
    kept = _reached(score + SLACK)
    return kept if LEVELS.index(kept) < LEVELS.index(level) else level


def moved(
    relationship: Relationship, signs: Sequence[Sign], moment: Moment, rules: RelationshipRules | None = None
) -> tuple[Relationship, tuple[Shift, ...]]:
    """Return the relationship after one turn with `signs`, and every shift in the order in which it happened.

    Absence comes first, then the turn itself, then the signs. A sign without a rule moves nothing. A turn that is
    older than the last one moves the axes and leaves the times as they were.
    """
    rules = rules or default_rules()
    now = _Now(relationship, moment)
    shifts = [*now.absent(rules.absence)]
    for sign in (_TOGETHER, *signs):
        rule = rules.signs.get(sign.name)
        if rule is not None:
            shifts += now.signalled(sign, rule)
    return now.relationship(), tuple(shifts)


def risen(value: float, step: float, top: float) -> float:
    """Return `value` after a rise, which shrinks as it nears the top: old friends learn little new."""
    return value if value >= top else min(value + step * (1 - value / TOP) ** _SLOWING, top)


def _reached(score: float) -> Level:
    return [level for level, threshold in zip(LEVELS, THRESHOLDS, strict=True) if score >= threshold][-1]


class _Now:
    """A relationship while one turn moves it."""

    def __init__(self, before: Relationship, moment: Moment) -> None:
        self._before = before
        self._at = moment.at
        self._values: dict[Axis, float] = {axis: before.axis(axis) for axis in AXES}
        today = moment.at.date()
        later = before.day is None or today > before.day
        self._day = today if later else before.day
        self._today: dict[tuple[str, Axis], float] = (
            {} if later else {(name, axis): points for name, axis, points in before.spent}
        )
        self._turn: dict[tuple[str, Axis], float] = {}

    def absent(self, rules: Mapping[Axis, Absence]) -> Iterator[Shift]:
        if self._before.last_at is None:
            return
        away = (self._at - self._before.last_at) / _DAY
        for axis, rule in rules.items():
            value = self._values[axis]
            if away > rule.after_days and value > rule.floor:
                left = 0.5 ** ((away - rule.after_days) / rule.half_life_days)
                yield from self._set(axis, rule.floor + (value - rule.floor) * left, Sign(name=ABSENCE, speaker=""))

    def signalled(self, sign: Sign, rule: Rule) -> Iterator[Shift]:
        share = rule.character if sign.speaker == "character" else 1.0
        for axis, points in rule.moves.items():
            wanted = points * share * min(max(sign.strength, 0.0), 1.0)
            step = self._allowed(sign.name, axis, wanted, rule)
            yield from self._set(axis, self._stepped(axis, step, rule), sign)

    def relationship(self) -> Relationship:
        before = self._before
        after = replace(
            before,
            **self._values,  # type: ignore[arg-type]  # the axes
            turns=before.turns + 1,
            met_at=before.met_at or self._at,
            last_at=max(before.last_at, self._at) if before.last_at else self._at,
            day=self._day,
            spent=tuple((name, axis, points) for (name, axis), points in self._today.items()),
        )
        return replace(after, level=level_after(score(after), before.level))

    def _allowed(self, name: str, axis: Axis, wanted: float, rule: Rule) -> float:
        """Return what of `wanted` the turn and the day leave room for, and count it."""
        key = (name, axis)
        per_turn = abs(rule.moves[axis]) if rule.per_turn is None else rule.per_turn
        room = min(per_turn - self._turn.get(key, 0.0), rule.per_day - self._today.get(key, 0.0))
        size = max(min(abs(wanted), room), 0.0)
        if size:
            self._turn[key] = self._turn.get(key, 0.0) + size
            self._today[key] = self._today.get(key, 0.0) + size
        return size if wanted > 0 else -size

    def _stepped(self, axis: Axis, step: float, rule: Rule) -> float:
        value = self._values[axis]
        if step <= 0:
            return max(value + step, 0.0)
        top = rule.up_to.get(axis, TOP)
        return risen(value, step, top)

    def _set(self, axis: Axis, value: float, sign: Sign) -> Iterator[Shift]:
        before = self._values[axis]
        if abs(value - before) < _UNSEEN:
            return
        self._values[axis] = value
        yield Shift(axis=axis, before=before, after=value, cause=sign.name, words=sign.words, speaker=sign.speaker)
