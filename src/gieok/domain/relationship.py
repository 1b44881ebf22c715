"""The relationship of user and character: five axes that each turn may change slightly, and a score over them.

The score gives a level with hysteresis: a level is lost only three points below its threshold.
"""

from __future__ import annotations

import difflib
import math
import tomllib
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import Any, Final, Literal, cast, get_args

from gieok.domain.judgement import Moment
from gieok.domain.noticed import Manner, Sign, SpeechStyle
from gieok.errors import ErrorText, InvalidSetting

Axis = Literal["trust", "affection", "respect", "rivalry", "familiarity"]
AXES: Final[tuple[Axis, ...]] = ("trust", "affection", "respect", "rivalry", "familiarity")
TIME_TOGETHER: Final = "time_together"
ABSENCE: Final = "absence"
TOP: Final = 100.0

_LIMITS: Final = ("per_turn", "per_day", "character")
_SIGN_KEYS: Final = (*AXES, *_LIMITS, "up_to", "new")
_ABSENCE_KEYS: Final = ("after_days", "half_life_days", "floor")
_SIGNS_PER_DAY: Final = 3  #: signs per day that count by default
_TABLES: Final = ("start", "signs", "absence")


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """The effect of one sign."""

    moves: Mapping[Axis, float]  #: points on each axis
    per_day: float  #: maximum change of an axis in one day
    per_turn: float | None = None  #: maximum change of an axis in one turn; None: that of one sign
    up_to: Mapping[Axis, float] = field(default_factory=lambda: MappingProxyType({}))  #: upper limit of a rise
    character: float = 1.0  #: factor that applies when the character says it


@dataclass(frozen=True, slots=True, kw_only=True)
class Absence:
    """How an axis falls while the two do not meet."""

    after_days: float
    half_life_days: float
    floor: float  #: lower limit of the fall; an axis already there does not change


@dataclass(frozen=True, slots=True, kw_only=True)
class RelationshipRules:
    """All rules that change a relationship."""

    start: Mapping[Axis, float]
    signs: Mapping[str, Rule]
    absence: Mapping[Axis, Absence]


@cache
def default_rules() -> RelationshipRules:
    return _read(_written())


def rules_from(changes: Mapping[str, Any]) -> RelationshipRules:
    """Return the default rules with `changes`, in the format of `relationship.toml`.

    Rules that are not named stay unchanged. A custom sign needs `new = true`, so that a misspelled name is an error.
    Raises `InvalidSetting`.
    """
    _named(changes, _TABLES, "relationship rules")
    written = _written()
    known = set(written["signs"])
    for name, table in _table(changes.get("signs", {}), "signs").items():
        if name not in known and not _table(table, f"signs.{name}").get("new"):
            hint = _hint(name, known) or ErrorText("hint.new_sign")
            raise InvalidSetting(ErrorText("settings.rules_sign", name=name, hint=hint))
    return _read({each: _merged(written[each], _table(changes.get(each, {}), each)) for each in _TABLES})


def _written() -> dict[str, Any]:
    return tomllib.loads(files(__package__).joinpath("relationship.toml").read_text(encoding="utf-8"))


def _merged(old: Mapping[str, Any], new: Mapping[str, Any]) -> dict[str, Any]:
    merged = dict(old)
    for name, value in new.items():
        both = isinstance(value, Mapping) and isinstance(old.get(name), Mapping)
        merged[name] = _merged(old[name], value) if both else value
    return merged


def _read(tables: Mapping[str, Any]) -> RelationshipRules:
    return RelationshipRules(
        start=_points(tables["start"], "start", low=0.0),
        signs=MappingProxyType({name: _rule(name, table) for name, table in tables["signs"].items()}),
        absence=MappingProxyType({_axis(name): _absence(name, table) for name, table in tables["absence"].items()}),
    )


def _rule(name: str, given: object) -> Rule:
    where = f"signs.{name}"
    table = _table(given, where)
    _named(table, _SIGN_KEYS, where)
    moves = _points({axis: table[axis] for axis in AXES if axis in table}, where, low=-TOP)
    most = max((abs(points) for points in moves.values()), default=0.0)
    return Rule(
        moves=moves,
        per_turn=_number(table["per_turn"], f"{where}.per_turn", low=0.0) if "per_turn" in table else None,
        per_day=_number(table.get("per_day", min(most * _SIGNS_PER_DAY, TOP)), f"{where}.per_day", low=0.0),
        up_to=_points(table.get("up_to", {}), f"{where}.up_to", low=0.0),
        character=_number(table.get("character", 1.0), f"{where}.character", low=0.0, high=1.0),
    )


def _absence(name: str, given: object) -> Absence:
    where = f"absence.{name}"
    table = _table(given, where)
    _named(table, _ABSENCE_KEYS, where)
    missing = [key for key in _ABSENCE_KEYS if key not in table]
    if missing:
        raise InvalidSetting(ErrorText("settings.rules_lack", where=where, missing=missing[0]))
    after_days, half_life, floor = (
        _number(table[key], f"{where}.{key}", low=0.0, high=TOP if key == "floor" else math.inf)
        for key in _ABSENCE_KEYS
    )
    if not half_life:
        raise InvalidSetting(ErrorText("settings.half_life", where=where))
    return Absence(after_days=after_days, half_life_days=half_life, floor=floor)


def _points(given: object, where: str, *, low: float) -> Mapping[Axis, float]:
    table = _table(given, where)
    return MappingProxyType(
        {_axis(name, where): _number(value, f"{where}.{name}", low=low) for name, value in table.items()}
    )


def _axis(name: str, where: str = "absence") -> Axis:
    _named((name,), AXES, where)
    return cast("Axis", name)


def _number(value: object, where: str, *, low: float, high: float = TOP) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not low <= value <= high:  # also excludes NaN
        bounds = (
            ErrorText("hint.from_to", low=low, high=high) if high < math.inf else ErrorText("hint.at_least", low=low)
        )
        raise InvalidSetting(ErrorText("settings.rules_number", where=where, value=value, bounds=bounds))
    return float(value)


def _table(value: object, where: str) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise InvalidSetting(ErrorText("settings.rules_table", where=where, value=value))
    return value


def _named(names: Collection[str], known: Collection[str], where: str) -> None:
    for name in names:
        if name not in known:
            hint = _hint(name, known) or ErrorText("hint.choose_from", known=", ".join(known))
            raise InvalidSetting(ErrorText("settings.rules_name", name=name, where=where, hint=hint))


def _hint(name: str, known: Collection[str]) -> str | None:
    close = difflib.get_close_matches(name, known, n=1, cutoff=0.6)
    return ErrorText("hint.similar", name=close[0]) if close else None


Level = Literal["stranger", "acquaintance", "friend", "close_friend", "intimate"]
LEVELS: Final[tuple[Level, ...]] = get_args(Level)
THRESHOLDS: Final = (0.0, 20.0, 40.0, 60.0, 80.0)  #: the score at which each level begins
SLACK: Final = 3.0  #: points below its threshold at which a level is lost
WEIGHTS: Final[Mapping[Axis, float]] = {
    "affection": 0.35,
    "trust": 0.25,
    "familiarity": 0.25,
    "respect": 0.15,
    "rivalry": -0.1,
}
_DAY: Final = timedelta(days=1)
_TOGETHER: Final = Sign(name=TIME_TOGETHER, speaker="")
_RISE_EXPONENT: Final = 1.5  #: exponent by which rises shrink towards the top
_MIN_SHIFT: Final = 1e-9  #: smaller shifts are not reported


@dataclass(frozen=True, slots=True, kw_only=True)
class Relationship:
    """The character's relationship with the user, and how long they have known each other."""

    trust: float
    affection: float
    respect: float
    rivalry: float
    familiarity: float
    level: Level = "stranger"
    turns: int = 0  #: turns together
    met_at: datetime | None = None  #: story time of the first turn
    last_at: datetime | None = None  #: story time of the latest turn
    day: date | None = None  #: the day that `spent` refers to
    spent: tuple[tuple[str, Axis, float], ...] = ()  #: (sign, axis, points) already changed on that day

    def axis(self, name: Axis) -> float:
        return float(getattr(self, name))


@dataclass(frozen=True, slots=True, kw_only=True)
class Shift:
    """A change of one axis, and its cause."""

    axis: Axis
    before: float
    after: float
    cause: str  #: the sign, "time_together" or "absence"
    words: str = ""  #: for a sign: what was said
    speaker: str = ""  #: who said it; "" if nobody


def new_relationship(rules: RelationshipRules | None = None) -> Relationship:
    """Return the relationship before the first meeting; `rules.start` may make the two old friends."""
    start = (rules or default_rules()).start
    begun = Relationship(**{axis: start.get(axis, 0.0) for axis in AXES})  # type: ignore[arg-type]  # all are floats
    return replace(begun, level=_reached(score(begun)))


def score(relationship: Relationship) -> float:
    """Return the closeness of the two, 0–100."""
    total = sum(weight * relationship.axis(axis) for axis, weight in WEIGHTS.items())
    return min(max(total, 0.0), TOP)


def to_next_level(now: Relationship) -> tuple[Level, float] | None:
    """Return the next level and the missing points; None: the top level is reached."""
    place = LEVELS.index(now.level) + 1
    return (LEVELS[place], max(THRESHOLDS[place] - score(now), 0.0)) if place < len(LEVELS) else None


def level_after(score: float, level: Level) -> Level:
    """Return the level for `score` when coming from `level`: up at a threshold, down 3 points below it."""
    reached, kept = _reached(score), _reached(score + SLACK)
    return max(reached, min(kept, level, key=LEVELS.index), key=LEVELS.index)


def moved(
    relationship: Relationship, signs: Sequence[Sign], moment: Moment, rules: RelationshipRules | None = None
) -> tuple[Relationship, tuple[Shift, ...]]:
    """Return the relationship after one turn with `signs`, and every shift in order.

    Absence is applied first, then the turn, then the signs. A sign without a rule has no effect. A turn older than the
    last one changes the axes, but not the times.
    """
    rules = rules or default_rules()
    now = _Now(relationship, moment)
    shifts = [*now.absent(rules.absence)]
    for sign in (_TOGETHER, *signs):
        rule = rules.signs.get(sign.name)
        if rule is not None:
            shifts += now.signalled(sign, rule)
    return now.relationship(), tuple(shifts)


def raised_axis(value: float, step: float, top: float) -> float:
    """Return `value` after a rise by `step`, which shrinks towards the top."""
    return value if value >= top else min(value + step * (1 - value / TOP) ** _RISE_EXPONENT, top)


def _reached(score: float) -> Level:
    return [level for level, threshold in zip(LEVELS, THRESHOLDS, strict=True) if score >= threshold][-1]


class _Now:
    """The working state of a relationship during one turn."""

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
            value = self._values[axis]
            raised = raised_axis(value, step, rule.up_to.get(axis, TOP))
            yield from self._set(axis, raised if step > 0 else max(value + step, 0.0), sign)

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
        """Return how much of `wanted` the limits of turn and day still allow, and count it."""
        key = (name, axis)
        per_turn = abs(rule.moves[axis]) if rule.per_turn is None else rule.per_turn
        room = min(per_turn - self._turn.get(key, 0.0), rule.per_day - self._today.get(key, 0.0))
        size = max(min(abs(wanted), room), 0.0)
        if size:
            self._turn[key] = self._turn.get(key, 0.0) + size
            self._today[key] = self._today.get(key, 0.0) + size
        return size if wanted > 0 else -size

    def _set(self, axis: Axis, value: float, sign: Sign) -> Iterator[Shift]:
        before = self._values[axis]
        if abs(value - before) < _MIN_SHIFT:
            return
        self._values[axis] = value
        yield Shift(axis=axis, before=before, after=value, cause=sign.name, words=sign.words, speaker=sign.speaker)


Party = Literal["user", "character"]
Matter = Literal["style", "address"]

_OTHER: Final[dict[str, Party]] = {"user": "character", "character": "user"}
_HEARD: Final = 8  #: utterances that are remembered
_WINDOW: Final = 4  #: of the last this many that show a style …
_AGREE: Final = 3  #: … this many must agree on a change
_SETTLE: Final = 2  #: utterances that determine the first style
_INTIMATE: Final = 3  #: intimate ones among those remembered, since few sentences contain an endearment
_CALLS: Final = 32  #: possible forms of address that are remembered
_STEADY: Final = 3  #: occurrences before one is accepted; a likely one counts twice
_PATIENCE: Final = 20  #: turns after which an unanswered request expires
ANYBODY: Final = frozenset("너 니 야 당신 그대 자네 you".split())  #: generic: never a form of address worth a change


@dataclass(frozen=True, slots=True, kw_only=True)
class Habit:
    """A value in force, since when, and who asked for it."""

    value: str
    at: datetime
    turn_number: int
    asked_by: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Speech:
    """How one of the two addresses the other."""

    style: Habit | None = None  #: a `SpeechStyle`
    address: Habit | None = None
    styles_heard: tuple[SpeechStyle, ...] = ()  #: of the latest utterances that show one, the newest last
    addresses_heard: tuple[str, ...] = ()  #: possible forms of address, likewise


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """A request that the other has not followed yet."""

    by: str
    value: str
    turn_number: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Manners:
    """How the two currently address each other."""

    user: Speech = field(default_factory=Speech)
    character: Speech = field(default_factory=Speech)
    asked_style: Request | None = None  #: applies to both
    asked_names: tuple[Request, ...] = ()  #: at most one per speaker

    def of(self, speaker: str) -> Speech:
        return self.character if speaker == "character" else self.user

    @property
    def character_style(self) -> Literal["formal", "casual"]:
        """The character's style: as requested, else as observed; formal if unknown."""
        style = self.asked_style or self.character.style
        return "formal" if style is None or style.value == "formal" else "casual"


@dataclass(frozen=True, slots=True, kw_only=True)
class MannerChange:
    """A change in how one of the two addresses the other."""

    speaker: str
    what: Matter
    before: str | None  #: None: the first known value, rarely an event
    after: str
    at: datetime
    turn_number: int
    asked_by: str | None = None  #: None: it happened without a request
    mutual: bool = False  #: for a style: the other already uses it


def after(manners: Manners, heard: Sequence[Manner], moment: Moment) -> tuple[Manners, tuple[MannerChange, ...]]:
    """Return the manners after the utterances `heard` in one turn, and the changes."""
    changes: list[MannerChange] = []
    for manner in heard:
        if manner.speaker not in _OTHER:
            continue  # another person in the room
        manners = _asked(manners, manner, moment)
        for change in (*_style_changes(manners, manner, moment), *_address_changes(manners, manner, moment)):
            manners = _with(manners, change)
            changes.append(change)
        speech = manners.of(manner.speaker)
        speech = replace(speech, addresses_heard=_kept((*speech.addresses_heard, *_calls(speech, manner))))
        if manner.style is not None:
            speech = replace(speech, styles_heard=(*speech.styles_heard, manner.style)[-_HEARD:])
        manners = _put(manners, manner.speaker, speech)
    return manners, tuple(changes)


def _asked(manners: Manners, manner: Manner, moment: Moment) -> Manners:
    if manner.asks_for is not None:
        wish = Request(by=manner.speaker, value=manner.asks_for, turn_number=moment.turn_number)
        manners = replace(manners, asked_style=wish)
    if manner.asks_to_be_called is not None:
        wish = Request(by=manner.speaker, value=manner.asks_to_be_called, turn_number=moment.turn_number)
        others = (each for each in manners.asked_names if each.by != manner.speaker)
        manners = replace(manners, asked_names=(*others, wish))
    return manners


def _style_changes(manners: Manners, manner: Manner, moment: Moment) -> Iterator[MannerChange]:
    speech = manners.of(manner.speaker)
    now = speech.style.value if speech.style else None
    if manner.style is None or manner.style == now:
        return
    wish = manners.asked_style
    if wish is not None and moment.turn_number - wish.turn_number > _PATIENCE:
        wish = None
    follows = wish is not None and _meets(manner.style, wish.value) and not (now and _meets(now, wish.value))
    style = manner.style if follows else _agreed((*speech.styles_heard, manner.style)[-_HEARD:], now)
    if style is None or style == now:
        return
    other = manners.of(_OTHER[manner.speaker]).style
    yield MannerChange(
        speaker=manner.speaker,
        what="style",
        before=now,
        after=style,
        at=moment.at,
        turn_number=moment.turn_number,
        asked_by=wish.by if wish is not None and follows else None,
        mutual=other is not None and other.value == style,
    )


def _address_changes(manners: Manners, manner: Manner, moment: Moment) -> Iterator[MannerChange]:
    """Yield a new form of address: a requested one, the first, or one used as often as the old one."""
    speech = manners.of(manner.speaker)
    now = speech.address.value if speech.address else None
    wish = next((each for each in manners.asked_names if each.by != manner.speaker), None)
    unnamed = now is None or now in ANYBODY
    said = _calls(speech, manner)
    heard = _kept((*speech.addresses_heard, *said))
    for call in dict.fromkeys(said):
        fuller = (each for each in heard if call not in ANYBODY and each != call and each.endswith(call))
        name = next(fuller, call)  # 보글쌤 instead of 쌤, 하네 누나 instead of 누나
        if name == now:
            return
        if _is_own(call, manners, manner):
            continue
        follows = wish is not None and wish.value == call
        first = unnamed and (call == manner.address or said.count(call) >= _STEADY)
        # more frequent than the current form, or as frequent and more recent
        new, old = _times(call, heard), 0 if now is None or unnamed else _times(now, heard)
        steadier = new > old or (new == old and heard[-_STEADY:].count(call) == _STEADY)
        steady = call not in ANYBODY and new >= _STEADY and steadier
        if follows or first or steady:
            yield MannerChange(
                speaker=manner.speaker,
                what="address",
                before=now if follows or call == manner.address else None,  # replacing a guess is not an event
                after=call if follows else name,
                at=moment.at,
                turn_number=moment.turn_number,
                asked_by=wish.by if wish is not None and follows else None,
            )
            return


def _calls(speech: Speech, manner: Manner) -> tuple[str, ...]:
    """Return possible forms of address in an utterance, the likeliest first; likely ones appear twice.

    Vocatives usually open an utterance, so a word at the start counts more.
    """
    named = manner.perhaps_called
    if named and speech == Speech():
        named = (named[0], *named)
    if manner.address is None:
        return named
    return (manner.address, manner.address, *(each for each in named if each != manner.address))


def _kept(heard: Sequence[str]) -> tuple[str, ...]:
    """Return what is remembered: words heard only once are dropped first."""
    kept = list(heard)
    while len(kept) > _CALLS:
        kept.remove(next((each for each in kept if kept.count(each) == 1), kept[0]))
    return tuple(kept)


def _is_own(call: str, manners: Manners, manner: Manner) -> bool:
    """Return whether speakers refer to themselves: "오빠가 해 줄게" by someone who is, or asked to be, called 오빠."""
    if any(each.by == manner.speaker and each.value == call for each in manners.asked_names):
        return True
    called = manners.of(_OTHER[manner.speaker]).address
    return called is not None and called.value.endswith(call) and call not in (*manner.perhaps_called, *ANYBODY)


def _times(name: str, heard: Sequence[str]) -> int:
    folded = name.casefold()
    return sum(folded.endswith(each.casefold()) or each.casefold().startswith(folded) for each in heard)


def _meets(style: str, wanted: str) -> bool:
    return (style == "formal") == (wanted == "formal")


def _agreed(heard: Sequence[SpeechStyle], now: str | None) -> SpeechStyle | None:
    """Return the style on which the latest utterances agree."""
    enough = _AGREE if now is not None else _SETTLE
    latest = heard[-_WINDOW:]
    if latest.count("formal") >= enough:
        return "formal"
    if sum(each != "formal" for each in latest) < enough:
        return None
    sweet = heard.count("intimate")
    if sweet >= _INTIMATE or (now == "intimate" and (sweet or len(heard) < _HEARD)):
        return "intimate"
    return "casual"


def _with(manners: Manners, change: MannerChange) -> Manners:
    habit = Habit(value=change.after, at=change.at, turn_number=change.turn_number, asked_by=change.asked_by)
    speech = manners.of(change.speaker)
    if change.what == "address":
        return _put(manners, change.speaker, replace(speech, address=habit))
    # earlier utterances must not revert the change
    return _put(manners, change.speaker, replace(speech, style=habit, styles_heard=()))


def _put(manners: Manners, speaker: str, speech: Speech) -> Manners:
    return replace(manners, character=speech) if speaker == "character" else replace(manners, user=speech)
