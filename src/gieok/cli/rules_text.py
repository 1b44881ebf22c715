"""The rules of the relationship as TOML: what is in force, fit to be copied into a file and changed."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator
from importlib.resources import files
from pathlib import Path

from gieok.domain.relationship_rules import RelationshipRules, Rule, default_rules, rules_from
from gieok.errors import InvalidSetting

_HOW = (
    "# Change what you like, save it, and set relationship_rules to its path in gieok.toml; what is left out stays.\n\n"
)


def rules_in_force(path: str | None) -> str:
    """Return the rules as they stand in the package, or with the changes of the file at `path`."""
    if path is None:
        return _HOW + files("gieok.domain").joinpath("relationship.toml").read_text(encoding="utf-8")
    try:
        changes = tomllib.loads(Path(path).read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as cause:
        raise InvalidSetting(f"relationship_rules = {path!r} cannot be read: {cause}; check the path") from cause
    return _HOW + written(rules_from(changes))


def written(rules: RelationshipRules) -> str:
    """Return `rules` as TOML from which `rules_from` makes them again."""
    blocks = ["\n".join(["[start]", *_pairs(rules.start.items())])]
    blocks += ["\n".join([f"[signs.{_key(name)}]", *_sign(name, rule)]) for name, rule in rules.signs.items()]
    for axis, absence in rules.absence.items():
        figures = [(name, getattr(absence, name)) for name in ("after_days", "half_life_days", "floor")]
        blocks.append("\n".join([f"[absence.{axis}]", *_pairs(figures)]))
    return "\n\n".join(blocks) + "\n"


def _sign(name: str, rule: Rule) -> Iterator[str]:
    if name not in default_rules().signs:
        yield "new = true"
    yield from _pairs(rule.moves.items())
    yield from _pairs([(name, getattr(rule, name)) for name in ("per_turn", "per_day")])
    if rule.up_to:
        yield f"up_to = {{ {', '.join(_pairs(rule.up_to.items()))} }}"
    yield from _pairs([("character", rule.character)])


def _pairs(figures: Iterable[tuple[str, float | None]]) -> Iterator[str]:
    """Yield a line for each figure that is set."""
    for name, value in figures:
        if value is not None:
            short = f"{value:g}"
            yield f"{name} = {short if float(short) == value else repr(value)}"


def _key(name: str) -> str:
    """Return `name` as a TOML key; what is more than plain letters stands in quotes."""
    if name.isascii() and name.replace("_", "").replace("-", "").isalnum():
        return name
    escaped = name.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
