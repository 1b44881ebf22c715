"""Gathering candidates in one scope: whatever one source alone finds is one."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from gieok.domain.answer import Found, Item, Where
from gieok.domain.attributes import attribute
from gieok.domain.memory import Memory
from gieok.domain.scoring import Weights
from gieok.domain.turn import USER, Utterance
from gieok.language.text import fold, sentences
from gieok.ports import MemoryFilter, Topic, View
from gieok.recall.evidence import Evidence, evidence, found_by
from gieok.recall.question import Question
from gieok.recall.reading import Reading

if TYPE_CHECKING:
    from gieok.ports import Places

_SURE: Final = 0.8
_PLAINEST: Final = 16
_PLAIN: Final = 40  #: characters that one fact takes to say; a longer sentence says more than it
_READ_FOR_EACH: Final = 3  #: items read for every hit that is asked for …
_READ_AT_LEAST: Final = 8  #: … and a few more
_ANYWHERE: Final = Where()
_READ_WITHIN: Final = 2_000  #: … and where many may be turned away


def covered(text: str, memories: Iterable[Memory], *, plain: int = _PLAIN) -> bool:
    """Whether every sentence of `text` has given its memories."""
    memories = list(memories)
    surfaces = [_squeezed(memory.surface) for memory in memories if memory.surface]
    free = len(memories) - len(surfaces)  # an opinion keeps no words of its own: any one sentence may have given it
    uncovered = 0
    for length, said in _said(text):
        facts = sum(surface in said for surface in surfaces)
        uncovered += length > plain * facts
    return bool(memories) and uncovered <= free


def surely_covered(text: str, memories: Iterable[Memory]) -> bool:
    """The same, where no doubt is left: what was read in passing, or out of a longer sentence, may be read by half."""
    return covered(text, (memory for memory in memories if memory.certainty >= _SURE), plain=_PLAINEST)


@lru_cache(maxsize=4096)
def _said(text: str) -> tuple[tuple[int, str], ...]:
    """Return the sentences of `text`: how long each is, and its letters."""
    return tuple((len(sentence), _squeezed(sentence)) for sentence in sentences(text))


@lru_cache(maxsize=4096)
def _squeezed(text: str) -> str:
    return "".join(fold(text).split())


@dataclass(slots=True)
class Support:
    """What speaks for one item."""

    relevance: float = 0.0
    keyword: float = 0.0
    graph: float = 0.0
    importance: float = 0.0  #: of an utterance
    found: list[Found] = field(default_factory=list)

    def copy(self) -> Support:
        return Support(self.relevance, self.keyword, self.graph, self.importance, [*self.found])

    def take_over(self, other: Support) -> None:
        """Let what speaks for `other` speak for this one as well."""
        self.relevance = max(self.relevance, other.relevance)
        self.keyword = max(self.keyword, other.keyword)
        self.graph = max(self.graph, other.graph)
        self.found.extend(found for found in other.found if found not in self.found)


@dataclass(slots=True)
class Candidate:
    """An item and what speaks for it."""

    item: Item
    support: Support
    told: bool = False  #: an utterance of which every sentence was understood: its memories say it all


def gathered(
    reading: Reading, question: Question, now: datetime, where: Where, *, search_turns: bool, weights: Weights, k: int
) -> list[Candidate]:
    """Return the candidates of one scope that are visible, true and within `where`.

    Reading an item costs more than finding it: of a plain question only the best are read, several times as many as
    are asked for, so that importance and recency can still reorder them.
    """
    known = reading.search(lambda view: evidence(view, question, where.without))
    if where == _ANYWHERE:
        where = _ANYWHERE
    view = reading.view
    count = _READ_FOR_EACH * k + _READ_AT_LEAST if _is_wide(where) else _READ_WITHIN
    kind = where.kind if search_turns else "memory"
    places = known.likeliest(weights, count, kind)
    items = view.items(known.layout.refs[places].tolist())
    silent = view.forgotten_words()
    candidates = {
        item.id: Candidate(item, support)
        for support, item in zip(_supports(known, places), items.values(), strict=True)
        if item.id not in silent and admitted(item, now, where)
    }
    _understood(view, candidates, now, where)
    _without_grounds(view, candidates, now, where)
    for fact in facts_asked_for(view, question, now, where):
        candidates.setdefault(fact.item.id, fact).support.take_over(fact.support)
    return list(candidates.values())


def _is_wide(where: Where) -> bool:
    """Whether hardly anything is turned away."""
    return replace(where, without=(), kind=None) == Where()


def _supports(known: Evidence, places: Places) -> list[Support]:
    scores = [each[places].tolist() for each in (known.relevance, known.keyword, known.graph, known.importance)]
    found = known.found()
    reasons = [found.get(place, []) for place in places.tolist()]
    return list(map(Support, *scores, reasons))


def _understood(view: View, candidates: dict[str, Candidate], now: datetime, where: Where) -> None:
    """Put the memories that were read from utterances beside them, with the same support.

    Words that were understood, and whose every meaning has been given up since, no longer speak for anything.
    """
    said = [each.item.id for each in candidates.values() if not isinstance(each.item, Memory)]
    told: defaultdict[str, list[Memory]] = defaultdict(list)
    for memory in view.read_from(said) if said else []:
        if memory.sources[:1] and memory.sources[0] in candidates:
            told[memory.sources[0]].append(memory)
    for utterance_id, memories in told.items():
        current = [memory for memory in memories if admitted(memory, now, where)]
        utterance = candidates[utterance_id]
        assert isinstance(utterance.item, Utterance), "memories were not asked for"
        utterance.told = surely_covered(utterance.item.text, memories)
        given_up = all(memory.disowned or (memory.closed_by and not memory.faded_at) for memory in memories)
        silent = given_up and not current and covered(utterance.item.text, memories)
        if silent and not where.history and where.kind != "utterance":
            del candidates[utterance_id]
            continue
        for memory in current:
            if memory.id not in candidates:
                candidates[memory.id] = Candidate(item=memory, support=utterance.support.copy())


def _without_grounds(view: View, candidates: dict[str, Candidate], now: datetime, where: Where) -> None:
    """Drop what was concluded from something that no longer holds."""
    if where.history:
        return
    concluded = [each.item for each in candidates.values() if isinstance(each.item, Memory) and each.item.made_from]
    for memory in concluded:
        if not well_founded(view, memory, now):
            del candidates[memory.id]


def well_founded(view: View, concluded: Memory, now: datetime) -> bool:
    """Whether everything still holds that a summary or an insight was made from; what faded may stay in it."""
    grounds = view.memories_by_id(concluded.made_from).values()
    return not any(each.given_up_by(now) for each in grounds)


def facts_asked_for(view: View, question: Question, now: datetime, where: Where) -> list[Candidate]:
    """Return what the one whom the question is about is in the attributes it asks for that hold one value at a time.

    That is the user, unless only others are named.
    """
    facts: list[Candidate] = []
    asked_for = {name: share for name, share in question.about.items() if attribute(name).single}
    for name, share in asked_for.items():
        for memory in _told_of_them(view, question, name, now):
            if admitted(memory, now, where):
                asked = Support(graph=share, found=[found_by("topic", len(facts) + 1)])
                facts.append(Candidate(item=memory, support=asked))
    return facts


def _told_of_them(view: View, question: Question, asked_for: str, now: datetime) -> list[Memory]:
    if not question.people or question.party is not None:
        return view.memories(MemoryFilter(subject=USER, subject_id=USER, attribute=asked_for, current_at=now))
    topics = [Topic(subject="other", subject_id=name, attributes=(asked_for,)) for name in question.people]
    told = view.memories_about(topics)
    return [memory for memory in told if memory.attribute == asked_for and memory.true_at(now)]


def nearest_facts(reading: Reading, question: Question, now: datetime, limit: int) -> list[Candidate]:
    """Return the facts about the user that are true at `now`, nearest to the question first."""
    vector = question.vector
    assert vector is not None, "asked before"
    near = reading.search(lambda view: view.dense(vector, limit, memories_only=True))
    items = reading.view.items(match.ref for match in near)
    facts = []
    for rank, match in enumerate(near, start=1):
        item = items.get(match.ref)
        if isinstance(item, Memory) and item.attribute and item.subject == USER and item.true_at(now):
            near_by = Support(min(max(match.score, 0.0), 1.0), found=[found_by("dense", rank)])
            facts.append(Candidate(item, near_by))
    return facts


def admitted(item: Item, now: datetime, where: Where) -> bool:
    """Whether `item` may answer: visible, true at the asked moment (or `where.history`), and within `where`."""
    if where is _ANYWHERE:
        if isinstance(item, Memory):
            return item.content_type != "summary" and item.true_at(now)
        return item.at <= now
    if isinstance(item, Memory):
        if item.hidden if where.history else not item.true_at(now):
            return False
        if item.content_type == "summary" and not (where.history or where.type == "summary"):
            return False  # the newest stands in a context anyway, and the older ones tell of how it was
        return _memory_within(item, where)
    if item.at > now or where.kind == "memory" or where.about or where.type or where.attribute:
        return False
    return where.said_by in (None, item.speaker) and _between(where, item.at, item.at)


def _memory_within(memory: Memory, where: Where) -> bool:
    return (
        where.kind != "utterance"
        and (where.about is None or where.about in (memory.subject_id, memory.subject))
        and where.said_by in (None, memory.speaker)
        and where.type in (None, memory.content_type)
        and where.attribute in (None, memory.attribute)
        and _between(where, memory.valid_at, memory.invalid_at)
    )


def _between(where: Where, start: datetime, end: datetime | None) -> bool:
    if where.since is not None and end is not None and end.timestamp() < where.since.timestamp():
        return False
    return where.until is None or start.timestamp() < where.until.timestamp()
