"""One person's year through a mind, with a look at what is in mind at the end of every quarter."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from gieok_evals.benches import StoryClock
from gieok_evals.year.generator import Line, moment
from gieok_evals.year.knowing import Knowing, known, standing_facts
from gieok_evals.year.living import Living, note
from gieok_evals.year.people import DAYS, Person

_QUARTERS: Final = (91, 182, 273, DAYS)  #: days after which the mind is asked


@dataclass(frozen=True, slots=True, kw_only=True)
class Played:
    """A year that was lived."""

    lines: Sequence[Line]
    quarters: tuple[Knowing, ...]  #: what was known at the end of each
    most: int  #: memories in view at once, at the end of a quarter
    heard: dict[str, frozenset[str]]  #: ids of the utterances of each turn
    noted: dict[str, int]  #: memories that were written down outright, with the line that first gave them
    unread: int  #: turns that could not be read


def turn_id(line: Line) -> str:
    return f"turn-{line.number:05}"


def play(
    mind: Living, person: Person, lines: Sequence[Line], clock: StoryClock, progress: Callable[[], None]
) -> Played:
    """Live through `lines`, the year of `person`; `progress` is called after each."""
    waiting = list(_QUARTERS)
    quarters: list[Knowing] = []
    heard: dict[str, frozenset[str]] = {}
    noted: dict[str, int] = {}
    most = unread = 0
    for number, line in enumerate(lines):
        clock.move_to(line.at)
        observed = mind.observe(line.text, reply=line.reply, at=line.at, session=line.session, turn_id=turn_id(line))
        heard[turn_id(line)] = frozenset(utterance.id for utterance in observed.turn.utterances)
        unread += observed.unread
        if line.noted and (memory_id := note(mind, line.text, line.at)) is not None:
            noted.setdefault(memory_id, line.number)
        progress()
        is_last = number == len(lines) - 1
        while waiting and (is_last or lines[number + 1].day > waiting[0]):
            at = moment(waiting.pop(0))
            clock.move_to(at)
            facts = standing_facts(lines[: number + 1])
            in_view = mind.facts()
            most = max(most, len(in_view))
            quarters.append(
                known(mind, facts, in_view, at, {line: heard[turn_id(line)] for line in facts}, person.aside)
            )
    return Played(lines=lines, quarters=tuple(quarters), most=most, heard=heard, noted=noted, unread=unread)
