"""How it stands between the two, and how it came to be so: bars, manners, and the changes with their causes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final
from zoneinfo import ZoneInfo

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from gieok.bank.living import Step
from gieok.cli.chat.answering import filled
from gieok.cli.look.bars import meter
from gieok.cli.look.facts import day
from gieok.cli.look.living_words import LivingWords
from gieok.cli.look.words import Words
from gieok.domain.manners import Habit, Manners, Speech
from gieok.domain.relationship import LEVELS, THRESHOLDS, Relationship, score
from gieok.domain.relationship_rules import AXES, TIME_TOGETHER, TOP, Axis
from gieok.domain.scene import Scene
from gieok.domain.scope import Scope
from gieok.domain.things import Cause

AXIS_STYLES: Final[Mapping[Axis, str]] = {
    "trust": "blue",
    "affection": "magenta",
    "respect": "cyan",
    "rivalry": "red",
    "familiarity": "green",
}
_BAR: Final = 30
_HISTORY_BAR: Final = 8
_DIM: Final = "bright_black"
_LEAST_SHOWN: Final = 0.05  #: of a shift, to one decimal


@dataclass(frozen=True, slots=True, kw_only=True)
class Speaking:
    """In which words, for whom and in which zone it is told."""

    scope: Scope
    words: Words
    living: LivingWords
    zone: ZoneInfo

    def named(self, who: str) -> str:
        return self.words.named(who, self.scope)

    def moment(self, at: datetime) -> str:
        return f"{at.astimezone(self.zone):%Y-%m-%d %H:%M}"


def relationship_view(
    relationship: Relationship, manners: Manners, steps: Iterable[Step], scenes: Iterable[Scene], speaking: Speaking
) -> RenderableType:
    """Return level and score, the axes, how long they know each other, manners, and the last of the changes."""
    living = speaking.living
    return Group(
        _headline(relationship, speaking),
        _figures(relationship, living),
        Text(_acquainted(relationship, speaking)),
        Text(f"\n{living.spoken}", style=_DIM),
        _manners(manners, speaking),
        Text(f"\n{living.changes}", style=_DIM),
        _changes(list(steps), {scene.id: scene for scene in scenes}, speaking),
    )


def history_table(steps: Sequence[Step], left_out: int, speaking: Speaking) -> RenderableType:
    """Return a row per step, oldest first: the score, the axes, and what moved them."""
    living = speaking.living
    if not steps:
        return Text(living.no_changes, style=_DIM)
    table = Table(box=None, padding=(0, 1, 0, 0), show_edge=False, header_style=_DIM)
    table.add_column(living.when, no_wrap=True, style=_DIM)
    table.add_column(living.closeness, no_wrap=True)
    for axis in AXES:
        table.add_column(living.axis_headings[axis], justify="right", no_wrap=True, style=AXIS_STYLES[axis])
    table.add_column(living.why, overflow="fold")
    for step in steps:
        now = step.relationship
        closeness = Text(f"{score(now):5.1f} ").append_text(meter(score(now) / TOP, _HISTORY_BAR, "yellow"))
        axes = [f"{now.axis(axis):.1f}" for axis in AXES]
        table.add_row(speaking.moment(step.at), closeness, *axes, _in_short(step, speaking))
    return Group(table, Text(living.more_steps.format(n=left_out), style=_DIM)) if left_out else table


def worth_telling(steps: Iterable[Step]) -> list[Step]:
    """Return the steps that something said or a silence caused, not the mere passing of turns."""
    return [step for step in steps if _turned(step) or any(cause.name != TIME_TOGETHER for cause in step.causes)]


def level_line(before: Relationship, after: Relationship, living: LivingWords) -> str:
    return living.between.format(before=living.levels[before.level], after=living.levels[after.level])


def _headline(relationship: Relationship, speaking: Speaking) -> Text:
    names = f"{speaking.named('user')} ↔ {speaking.named('character')}  "
    return Text().append(names, "cyan").append(speaking.living.levels[relationship.level], "bold")


def _figures(relationship: Relationship, living: LivingWords) -> RenderableType:
    """Return the score and the axes, each as a bar."""
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(no_wrap=True)
    closeness = score(relationship)
    bar = meter(closeness / TOP, _BAR, "yellow").append(f" {closeness:.1f}", "bold").append(" / 100  ")
    table.add_row(living.closeness, bar.append(_ahead(relationship, living), _DIM))
    table.add_row()
    for axis in AXES:
        value = relationship.axis(axis)
        bar = meter(value / TOP, _BAR, AXIS_STYLES[axis]).append(f" {value:.1f}")
        table.add_row(Text(living.axes[axis], style=AXIS_STYLES[axis]), bar)
    return Group(table, Text())


def _ahead(relationship: Relationship, living: LivingWords) -> str:
    higher = LEVELS.index(relationship.level) + 1
    if higher == len(LEVELS):
        return living.top_level
    points = THRESHOLDS[higher] - score(relationship)
    return living.next_level.format(level=living.levels[LEVELS[higher]], points=points)


def _acquainted(relationship: Relationship, speaking: Speaking) -> str:
    if relationship.met_at is None or relationship.last_at is None:
        return speaking.living.not_met
    met, last = (at.astimezone(speaking.zone).date() for at in (relationship.met_at, relationship.last_at))
    if last <= met:
        return speaking.living.known_today.format(since=met, turns=relationship.turns)
    return speaking.living.known_for.format(since=met, until=last, days=(last - met).days + 1, turns=relationship.turns)


def _manners(manners: Manners, speaking: Speaking) -> RenderableType:
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(no_wrap=True, style="cyan")
    for who, other in (("user", "character"), ("character", "user")):
        table.add_row(speaking.named(who), _speech(manners.of(who), speaking.named(other), speaking))
    return table


def _speech(speech: Speech, other: str, speaking: Speaking) -> RenderableType:
    living = speaking.living
    told = Text(living.style_unknown, style=_DIM)
    if speech.style is not None:
        told = Text(living.styles.get(speech.style.value, speech.style.value)).append_text(
            _came(speech.style, speaking)
        )
    if speech.address is None:
        return told
    called = filled(living.calls, other=other, name=f"“{speech.address.value}”")
    return Group(told, Text(called).append_text(_came(speech.address, speaking)))


def _came(habit: Habit, speaking: Speaking) -> Text:
    living = speaking.living
    since = living.since.format(day=day(habit.at, speaking.zone))
    asked = [living.asked_by.format(who=speaking.named(habit.asked_by))] if habit.asked_by else []
    return Text(f"  {' · '.join([since, *asked])}", style=_DIM)


def _changes(steps: Sequence[Step], scenes: Mapping[str, Scene], speaking: Speaking) -> RenderableType:
    if not steps:
        return Text(speaking.living.no_changes, style=_DIM)
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(no_wrap=True, style=_DIM)
    table.add_column(overflow="fold")
    told = None  #: a scene is named once, where it begins
    for step in steps:
        scene = scenes.get(step.scene or "")
        lines = [*_turn_of_level(step, speaking), *_caused(step, speaking)]
        if scene is not None and scene.title and scene.id != told:
            lines.insert(0, Text(speaking.living.scene.format(title=scene.title), style=_DIM))
        told = step.scene
        table.add_row(speaking.moment(step.at), Group(*lines))
    return table


def _turn_of_level(step: Step, speaking: Speaking) -> Iterator[Text]:
    if step.before is not None and _turned(step):
        yield Text(level_line(step.before, step.relationship, speaking.living), style="bold yellow")


def _turned(step: Step) -> bool:
    return step.before is not None and step.before.level != step.relationship.level


def _caused(step: Step, speaking: Speaking) -> Iterator[Text]:
    """Yield a line per cause: what it was, who said it in which words, and by how much it moved which axis."""
    for (name, speaker, words), causes in _grouped(step.causes).items():
        if name == TIME_TOGETHER:
            continue
        line = Text(speaking.living.causes.get(name, name))
        if speaker:
            line.append(" · ").append(speaking.named(speaker), "cyan")
        if words:
            line.append(f" “{words}”")
        yield line.append_text(_amounts(causes, speaking.living))


def _amounts(causes: Iterable[Cause], living: LivingWords) -> Text:
    told = Text()
    for cause in causes:
        if abs(cause.amount) >= _LEAST_SHOWN and cause.axis in AXES:
            told.append(f"  {living.axes[cause.axis]} {cause.amount:+.1f}", "green" if cause.amount > 0 else "red")
    return told


def _grouped(causes: Iterable[Cause]) -> dict[tuple[str, str, str], list[Cause]]:
    groups: dict[tuple[str, str, str], list[Cause]] = {}
    for cause in causes:
        groups.setdefault((cause.name, cause.speaker, cause.words), []).append(cause)
    return groups


def _in_short(step: Step, speaking: Speaking) -> Text:
    living = speaking.living
    names = dict.fromkeys(cause.name for cause in step.causes)
    told = [living.causes.get(name, name) for name in names if name != TIME_TOGETHER or len(names) == 1]
    line = Text(", ".join(told))
    if step.before is not None and _turned(step):
        line.append(f" → {living.levels[step.relationship.level]}", "bold yellow")
    return line
