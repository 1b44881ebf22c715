"""What a year has left behind, looked at from its end."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from gieok.domain.memory import Memory
from gieok_evals.figures import Share
from gieok_evals.year.generator import Line, moment
from gieok_evals.year.knowing import Knowing, fact_of, standing_facts, states
from gieok_evals.year.living import Living, Point, course
from gieok_evals.year.people import DAYS, LEVELS, Expectation, Person
from gieok_evals.year.playing import Played, turn_id
from gieok_evals.year.record import Record, explained, record

OLD: Final = 700  #: turns after which nothing trivial is left, whatever its importance and feeling: 0.985¹⁴⁰ < 0.15
_PRUNED_EVERY: Final = 25  #: turns between two looks at the cap
_DEPTH: Final = 10  #: hits among which a promise or an event has to be
_SOON: Final = 2.0  #: days within which a level does not change and change back
_EVEN: Final = 1.0  #: points of score that are no rise


@dataclass(frozen=True, slots=True, kw_only=True)
class Lived:
    """One person's year and what it left behind. Its fields are keys of the JSON report."""

    user: str
    character: str
    title: str
    turns: int
    everyday: int  #: turns of everyday talk
    seconds: float = 0.0
    known: Knowing  #: at the end of the year
    never_read: int  #: facts that no memory ever stated
    quarters: Knowing  #: at the end of every quarter, added up
    promises: Share  #: held in mind, or settled by the story
    events: Share  #: held in mind, themselves or merged
    never_remembered: int  #: promises and events of which nothing was remembered in the first place
    found: Share  #: promises and events that a question finds
    trivial: Share  #: old everyday episodes, never said again, that are gone or merged
    trivial_made: int
    trivial_repeated: int  #: said again, and still in view
    misread: int  #: facts that were read into everyday lines
    made: int
    visible: int
    most: int  #: in view at once
    bounded: bool
    merged: int
    let_go: int
    explained: Share  #: closed memories whose history says why
    unread: int
    flickers: int  #: times that a level came back within two days
    expected: Share  #: expectations of the relationship's course that were met
    course: tuple[Point, ...]
    misses: tuple[str, ...]


def looked_back(mind: Living, person: Person, played: Played, *, cap: int | None) -> Lived:
    """Return what is left of `played`, which `mind` has just lived through."""
    in_view = mind.facts()
    written = record(mind.journal(), in_view)
    way = course(mind)
    keeping = _Keeping(mind, written, played)
    trivial = _Trivial(written, played)
    unexplained = [each for each in written.closed if not explained(mind, each)]
    unmet = [each for each in person.course if not met(each, way)]
    return Lived(
        user=person.user,
        character=person.character,
        title=person.title,
        turns=len(played.lines),
        everyday=sum(line.trivial for line in played.lines),
        known=played.quarters[-1],
        never_read=sum(not _was_read(line, written) for line in standing_facts(played.lines)),
        quarters=sum(played.quarters, Knowing()),
        promises=keeping.share("promise"),
        events=keeping.share("event"),
        never_remembered=keeping.never_remembered,
        found=keeping.found,
        trivial=trivial.gone,
        trivial_made=len(trivial.episodes),
        trivial_repeated=trivial.repeated,
        misread=trivial.misread,
        made=len(written.first),
        visible=len(in_view),
        most=max(played.most, len(in_view)),
        bounded=cap is None or max(played.most, len(in_view)) <= _bound(in_view, cap),
        merged=len(written.merged),
        let_go=sum(memory.faded_at is not None for memory in written.last.values()),
        explained=Share(len(written.closed) - len(unexplained), len(written.closed)),
        unread=played.unread,
        flickers=flickers(way),
        expected=Share(len(person.course) - len(unmet), len(person.course)),
        course=way,
        misses=(
            *(f"{person.user}: {miss}" for miss in (*_unknown(played), *keeping.misses, *trivial.misses)),
            *(f"{person.user}: closed without a reason: {written.last[each].content}" for each in unexplained),
            *(f"{person.user}: {shown(each)}" for each in unmet),
        ),
    )


def _unknown(played: Played) -> Iterator[str]:
    """Yield what was not known at the end of a quarter, each once."""
    told: set[str] = set()
    for number, quarter in enumerate(reversed(played.quarters)):
        for miss in quarter.misses:
            if miss not in told:
                yield f"{number} quarters before the end {miss}" if number else miss
        told |= set(quarter.misses)


def _was_read(line: Line, written: Record) -> bool:
    fact = fact_of(line)
    assert fact is not None
    return any(states(memory, fact, fact.values) for memory in written.last.values())


def _bound(in_view: Sequence[Memory], cap: int) -> int:
    """Return how many memories may be in view: what may not be pruned counts, and a few wait for the next look."""
    held = sum(
        memory.pinned or memory.attribute is not None or memory.content_type in ("summary", "profile")
        for memory in in_view
    )
    return max(cap, held) + _PRUNED_EVERY


class _Keeping:
    """Promises and events, and what became of them."""

    def __init__(self, mind: Living, written: Record, played: Played) -> None:
        self._written = written
        self._lines = [line for line in played.lines if line.told is not None and line.told.keep is not None]
        self._lost = {line.number for line in self._lines if not self._kept(line)}
        self._unfound = {
            line.number for line in self._lines if not self._finds(mind, line, played.heard[turn_id(line)])
        }

    @property
    def never_remembered(self) -> int:
        return sum(not self._written.of_turn.get(turn_id(line)) for line in self._lines)

    @property
    def found(self) -> Share:
        return Share(len(self._lines) - len(self._unfound), len(self._lines))

    @property
    def misses(self) -> Iterator[str]:
        for line in self._lines:
            assert line.told is not None
            if line.number in self._lost:
                read = "lost" if self._written.of_turn.get(turn_id(line)) else "never remembered"
                yield f"{line.told.keep} {read}: day {line.day}: {line.text}"
            if line.number in self._unfound:
                yield f"{line.told.keep} not found by {line.told.ask!r}: day {line.day}: {line.text}"

    def share(self, kind: str) -> Share:
        lines = [line for line in self._lines if line.told is not None and line.told.keep == kind]
        return Share(sum(line.number not in self._lost for line in lines), len(lines))

    def _kept(self, line: Line) -> bool:
        ids = self._written.of_turn.get(turn_id(line), frozenset())
        is_promise = line.told is not None and line.told.keep == "promise"
        return self._written.held(ids) or (is_promise and self._written.settled(ids))

    def _finds(self, mind: Living, line: Line, heard: frozenset[str]) -> bool:
        """Whether a question finds the line, a memory of it, or what that was merged into."""
        assert line.told is not None
        assert line.told.ask is not None, f"{line.text}: it is to be kept and needs a question"
        mine = self._written.of_turn.get(turn_id(line), frozenset())
        for hit in mind.recall(line.told.ask, k=_DEPTH, at=moment(DAYS)):
            if hit.item.id in heard or hit.item.id in mine:
                return True
            if isinstance(hit.item, Memory) and (
                set(hit.item.sources) & heard or self._written.comes_from(hit.item, mine)
            ):
                return True
        return False


class _Trivial:
    """Memories of everyday lines."""

    def __init__(self, written: Record, played: Played) -> None:
        self._written = written
        born = dict(played.noted)
        for line in played.lines:
            turn = turn_id(line)
            if line.trivial:
                born |= {each: line.number for each in written.of_turn.get(turn, ()) if written.birth[each] == turn}
        self.episodes = [each for each in born if written.first[each].kind == "episodic"]
        self.misread = sum(written.first[each].kind == "semantic" for each in born)
        old = [each for each in self.episodes if born[each] <= len(played.lines) - OLD]
        once = [each for each in old if written.last[each].mentions == 0]
        self._left = [each for each in once if each in written.visible]
        self.repeated = sum(each in written.visible for each in old) - len(self._left)
        self.gone = Share(len(once) - len(self._left), len(once))

    @property
    def misses(self) -> Iterator[str]:
        for each in self._left:
            yield f"trivial, and still there: {self._written.last[each].content}"


def met(expected: Expectation, way: Sequence[Point]) -> bool:
    """Whether the relationship went as `expected`; one that never moved stays with strangers at 0."""
    before = [point for point in way if point.day <= expected.start]
    within = [*before[-1:], *(point for point in way if expected.start < point.day <= expected.end)]
    inside = within or [Point(expected.start, 0.0, LEVELS[0])]
    ranks = [LEVELS.index(point.level) for point in inside]
    rise = inside[-1].score - inside[0].score
    return not (
        (expected.at_most is not None and max(ranks) > LEVELS.index(expected.at_most))
        or (expected.at_least is not None and min(ranks) < LEVELS.index(expected.at_least))
        or (expected.moves == "up" and rise <= _EVEN)
        or (expected.moves == "not up" and rise > _EVEN)
    )


def flickers(way: Sequence[Point]) -> int:
    """Return how often a level was left, and was back before the relationship could have changed."""
    changes = [after for before, after in pairwise(way) if before.level != after.level]
    levels = [point.level for point in (*way[:1], *changes)]
    returns = zip(levels, pairwise(changes), strict=False)
    return sum(later.level == before and later.day - left.day <= _SOON for before, (left, later) in returns)


def shown(expected: Expectation) -> str:
    wanted = [
        f"at most {expected.at_most}" if expected.at_most else "",
        f"at least {expected.at_least}" if expected.at_least else "",
        f"moves {expected.moves}" if expected.moves else "",
    ]
    return f"days {expected.start}–{expected.end} not as expected: {', '.join(filter(None, wanted))}"
