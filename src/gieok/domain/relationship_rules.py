"""What moves a relationship, as data: `relationship.toml`, and what a builder changes in it."""

from __future__ import annotations

import difflib
import math
import tomllib
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import Any, Final, Literal, cast

from gieok.errors import InvalidSetting

Axis = Literal["trust", "affection", "respect", "rivalry", "familiarity"]
AXES: Final[tuple[Axis, ...]] = ("trust", "affection", "respect", "rivalry", "familiarity")
TIME_TOGETHER: Final = "time_together"
ABSENCE: Final = "absence"
TOP: Final = 100.0

_LIMITS: Final = ("per_turn", "per_day", "character")
_SIGN_KEYS: Final = (*AXES, *_LIMITS, "up_to", "new")
_ABSENCE_KEYS: Final = ("after_days", "half_life_days", "floor")
_DAILY: Final = 3  #: signs that count in a day where no per_day is given
_TABLES: Final = ("start", "signs", "absence")


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """What one sign does."""

    moves: Mapping[Axis, float]  #: points on each axis
    per_day: float  #: the most it moves an axis in one day
    per_turn: float | None = None  #: the most it moves an axis in one turn; None: what one such sign moves
    up_to: Mapping[Axis, float] = field(default_factory=lambda: MappingProxyType({}))  #: where a rise ends
    character: float = 1.0  #: the share that counts when the character says it


@dataclass(frozen=True, slots=True, kw_only=True)
class Absence:
    """How an axis sinks while the two do not meet."""

    after_days: float
    half_life_days: float
    floor: float  #: it never sinks below; an axis already there stays


@dataclass(frozen=True, slots=True, kw_only=True)
class RelationshipRules:
    """All that moves a relationship."""

    start: Mapping[Axis, float]
    signs: Mapping[str, Rule]
    absence: Mapping[Axis, Absence]


@cache
def default_rules() -> RelationshipRules:
    """Return the rules that `relationship.toml` gives."""
    return _read(_written())


def rules_from(changes: Mapping[str, Any]) -> RelationshipRules:
    """Return the default rules with `changes`, which are written like `relationship.toml`.

    What is not named stays as it is. A sign of the builder's own says `new = true`, so that a misspelled name is
    an error and not a rule that never fires. Raises `InvalidSetting`.
    """
    _named(changes, _TABLES, "relationship rules")
    written = _written()
    known = set(written["signs"])
    for name, table in _table(changes.get("signs", {}), "signs").items():
        if name not in known and not _table(table, f"signs.{name}").get("new"):
            hint = _hint(name, known) or "a sign of your own needs new = true"
            raise InvalidSetting(f"no sign is called {name!r} in the relationship rules; {hint}")
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
        per_day=_number(table.get("per_day", min(most * _DAILY, TOP)), f"{where}.per_day", low=0.0),
        up_to=_points(table.get("up_to", {}), f"{where}.up_to", low=0.0),
        character=_number(table.get("character", 1.0), f"{where}.character", low=0.0, high=1.0),
    )


def _absence(name: str, given: object) -> Absence:
    where = f"absence.{name}"
    table = _table(given, where)
    _named(table, _ABSENCE_KEYS, where)
    missing = [key for key in _ABSENCE_KEYS if key not in table]
    if missing:
        raise InvalidSetting(f"{where} in the relationship rules lacks {missing[0]}")
    half_life = _number(table["half_life_days"], f"{where}.half_life_days", low=0.0, high=math.inf)
    if not half_life:
        raise InvalidSetting(f"{where}.half_life_days must be more than 0; an hour is 0.04")
    return Absence(
        after_days=_number(table["after_days"], f"{where}.after_days", low=0.0, high=math.inf),
        half_life_days=half_life,
        floor=_number(table["floor"], f"{where}.floor", low=0.0),
    )


def _points(given: object, where: str, *, low: float) -> Mapping[Axis, float]:
    table = _table(given, where)
    return MappingProxyType(
        {_axis(name, where): _number(value, f"{where}.{name}", low=low) for name, value in table.items()}
    )


def _axis(name: str, where: str = "absence") -> Axis:
    _named((name,), AXES, where)
    return cast("Axis", name)


def _number(value: object, where: str, *, low: float, high: float = TOP) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not low <= value <= high:  # NaN lies nowhere
        bounds = f"from {low:g} to {high:g}" if high < math.inf else f"of at least {low:g}"
        raise InvalidSetting(f"{where} = {value!r} in the relationship rules must be a number {bounds}")
    return float(value)


def _table(value: object, where: str) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise InvalidSetting(f"{where} = {value!r} in the relationship rules must be a table of names and numbers")
    return value


def _named(names: Collection[str], known: Collection[str], where: str) -> None:
    for name in names:
        if name not in known:
            hint = _hint(name, known) or f"choose from {', '.join(known)}"
            raise InvalidSetting(f"{name!r} means nothing in {where}; {hint}")


def _hint(name: str, known: Collection[str]) -> str | None:
    close = difflib.get_close_matches(name, known, n=1, cutoff=0.6)
    return f"did you mean {close[0]}?" if close else None
