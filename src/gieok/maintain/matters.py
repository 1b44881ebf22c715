"""What there is for a model to think about in a scope: what is new since it was last asked, and worth the asking."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from gieok.domain.memory import Memory, by_truth
from gieok.domain.things import Life
from gieok.domain.thinking import THOUGHTS, Thought, mark_of, may_close
from gieok.domain.turn import Utterance
from gieok.domain.upkeep import Ran, by_upkeep, is_new
from gieok.maintain.summarising import TAG as ROLLING
from gieok.ports import MemoryFilter, View

PROFILE: Final = ("profile",)
_LIVED_THROUGH: Final = frozenset({"event", "promise", "decision"})


@dataclass(frozen=True, slots=True, kw_only=True)
class PonderRules:
    """The numbers that pondering goes by."""

    reflect_at: int = 20  #: new memories
    most_memories: int = 40  #: that one question shows
    most_lines: int = 60
    telling: float = 0.7  #: an event as important as this is worth the character's own view …
    felt: float = 0.6  #: … or one that was felt as strongly
    most_events: int = 5  #: at a time; a question each
    most_profiles: int = 8
    near: float = 0.45  #: cosine from which on two memories may contradict each other …
    same: float = 0.98  #: … and beyond which they say the same
    most_new: int = 20  #: that are held against others …
    nearest: int = 10  #: … each against so many
    most_pairs: int = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """A summary or a profile, with what it was made from."""

    memory: Memory
    grounds: tuple[Memory, ...] = ()
    lines: tuple[Utterance, ...] = ()  #: that it quotes


@dataclass(frozen=True, slots=True, kw_only=True)
class Matters:
    """What a model is to be asked about; what is empty is not due."""

    new: tuple[Memory, ...] = ()  #: to reflect on
    events: tuple[Memory, ...] = ()  #: to see with the character's eyes
    summary: Page | None = None
    profiles: tuple[Page, ...] = ()
    pairs: tuple[tuple[Memory, Memory], ...] = ()  #: newer and older, that may not both hold
    marks: dict[Thought, Ran | None] = field(default_factory=dict)  #: when each was last asked for

    def __bool__(self) -> bool:
        return bool(self.new or self.events or self.summary or self.profiles or self.pairs)


def matters(view: View, at: datetime, rules: PonderRules) -> Matters:
    """Return what is due in a scope at `at`."""
    marks = marks_of(view)
    pages = [page for page in view.concluded() if page.true_at(at) and page.interpretation is None]
    return Matters(
        new=tuple(_to_reflect_on(view, marks["reflect"], at, rules)),
        events=tuple(_events(view, marks["interpret"], at, rules)),
        summary=_summary(view, pages, marks["summarise"], at, rules),
        profiles=tuple(_profiles(view, pages, marks["profile"], at, rules)),
        pairs=tuple(_pairs(view, marks["conflict"], at, rules)),
        marks=marks,
    )


def marks_of(view: View) -> dict[Thought, Ran | None]:
    """Return when a model was last asked for each kind of thought; None: never."""
    life = Life(view.things("pass").items())
    return {thought: life.get(Ran, mark_of(thought)) for thought in THOUGHTS}


def _to_reflect_on(view: View, mark: Ran | None, at: datetime, rules: PonderRules) -> list[Memory]:
    """Return the newest memories, if enough are new, and the most important ones beside them; by when they were so."""
    if _learned_since(view, mark) < rules.reflect_at:
        return []
    told = [memory for memory in view.memories(MemoryFilter(current_at=at)) if not by_upkeep(memory)]
    new = sorted((memory for memory in told if is_new(memory, mark)), key=_learned)[-rules.most_memories :]
    if len(new) < rules.reflect_at:
        return []
    taken = {memory.id for memory in new}
    others = sorted((memory for memory in told if memory.id not in taken), key=lambda each: -each.importance)
    return sorted([*new, *others[: rules.most_memories - len(new)]], key=by_truth)


def _events(view: View, mark: Ran | None, at: datetime, rules: PonderRules) -> list[Memory]:
    """Return new events that moved somebody or matter, the most telling first."""
    found = [
        memory
        for memory in _told_since(view, mark, at)
        if memory.interpretation is None and memory.content_type in _LIVED_THROUGH and _is_telling(memory, rules)
    ]
    return sorted(found, key=lambda each: (-each.importance - each.emotion_intensity, by_truth(each)))[
        : rules.most_events
    ]


def _is_telling(memory: Memory, rules: PonderRules) -> bool:
    return memory.importance >= rules.telling or memory.emotion_intensity >= rules.felt


def _summary(view: View, pages: Sequence[Memory], mark: Ran | None, at: datetime, rules: PonderRules) -> Page | None:
    rolling = [page for page in pages if ROLLING in page.tags and _made_since(page, mark)]
    page = _page(view, max(rolling, key=_learned), at) if rolling else None
    if page is None:
        return None
    # Of what was said, only what the summary quotes: forgetting any of it takes the summary with it.
    silent = view.forgotten_words()
    refs = view.refs(source for source in page.memory.sources[-rules.most_lines :] if source not in silent)
    lines = (item for item in view.items(refs.values()).values() if isinstance(item, Utterance))
    return Page(memory=page.memory, grounds=page.grounds, lines=tuple(sorted(lines, key=_said)))


def _profiles(
    view: View, pages: Sequence[Memory], mark: Ran | None, at: datetime, rules: PonderRules
) -> Iterator[Page]:
    found = [page for page in pages if page.tags == PROFILE and _made_since(page, mark)]
    for memory in sorted(found, key=_learned)[-rules.most_profiles :]:
        page = _page(view, memory, at)
        if page is not None:
            yield page


def _page(view: View, memory: Memory, at: datetime) -> Page | None:
    """Return a summary with its grounds, if all of them still hold: one that does not is made anew first."""
    grounds = tuple(view.memories_by_id(memory.made_from).values())
    return None if any(ground.given_up_by(at) for ground in grounds) else Page(memory=memory, grounds=grounds)


def _pairs(view: View, mark: Ran | None, at: datetime, rules: PonderRules) -> list[tuple[Memory, Memory]]:
    """Return new free memories, each with an older one that it may have put an end to, the nearest first."""
    told = (memory for memory in _told_since(view, mark, at) if memory.attribute is None)
    free = sorted(told, key=_learned)[-rules.most_new :]
    vectors = view.vectors([memory.id for memory in free])
    found: dict[tuple[str, str], tuple[float, Memory, Memory]] = {}
    for newer in free:
        if newer.id not in vectors:
            continue
        near = view.dense(vectors[newer.id], rules.nearest, memories_only=True)
        items = view.items(match.ref for match in near)
        for match in near:
            older = items.get(match.ref)
            if not isinstance(older, Memory) or not rules.near <= match.score <= rules.same:
                continue
            if not by_upkeep(older) and older.true_at(at) and may_close(newer, older):
                found[newer.id, older.id] = (match.score, newer, older)
    ranked = sorted(found.values(), key=lambda each: (-each[0], by_truth(each[1]), by_truth(each[2])))
    return [(newer, older) for _, newer, older in ranked[: rules.most_pairs]]


def _told_since(view: View, mark: Ran | None, at: datetime) -> list[Memory]:
    """Return what somebody told since a model was last asked, as far as it is true."""
    if mark is not None:
        found = view.memories(MemoryFilter(learned_since=mark.at, current_at=at))
        new = [memory for memory in found if is_new(memory, mark)]
        if len(new) >= _learned_since(view, mark):
            return new
    # a story may be told out of order, or lag behind the clock: then only the turns tell what is new
    return [memory for memory in view.memories(MemoryFilter(current_at=at)) if is_new(memory, mark)]


def _learned_since(view: View, mark: Ran | None) -> int:
    since = 0 if mark is None else mark.turn_number
    return view.counts(learned_since=since, said_since=view.turn_number).learned


def _made_since(page: Memory, mark: Ran | None) -> bool:
    return mark is None or page.touched_turn > mark.turn_number or page.known_at > mark.at


def _learned(memory: Memory) -> tuple[object, ...]:
    return (memory.known_at, memory.recorded_at, memory.id)


def _said(utterance: Utterance) -> tuple[datetime, int]:
    return (utterance.at, utterance.position)
