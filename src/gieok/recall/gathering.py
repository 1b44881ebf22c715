"""Gathering candidates in one scope: whatever one source alone finds is one."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import TYPE_CHECKING, Final

from gieok.domain.answer import Found, Item, Where
from gieok.domain.attributes import attribute
from gieok.domain.memory import Memory
from gieok.domain.scoring import Weights
from gieok.domain.turn import USER, Utterance
from gieok.ports import MemoryFilter, View
from gieok.recall.coverage import covered, surely_covered
from gieok.recall.evidence import Evidence, evidence, found_at
from gieok.recall.question import Question
from gieok.recall.reading import Reading

if TYPE_CHECKING:
    from gieok.ports import Places

_READ_FOR_EACH: Final = 3  #: items read for every hit that is asked for …
_READ_AT_LEAST: Final = 8  #: … and a few more
_READ_WITHIN: Final = 2_000  #: … and where many may be turned away


@dataclass(slots=True)
class Support:
    """What speaks for one item."""

    relevance: float = 0.0
    keyword: float = 0.0
    graph: float = 0.0
    importance: float = 0.0  #: of an utterance
    found: list[Found] = field(default_factory=list)

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
    view = reading.view
    count = _READ_FOR_EACH * k + _READ_AT_LEAST if _is_wide(where) else _READ_WITHIN
    kind = where.kind if search_turns else "memory"
    places = known.likeliest(weights, count, kind)
    items = view.items(known.layout.refs[places].tolist())
    silent = view.forgotten_words()
    candidates = {
        item.id: Candidate(item=item, support=support)
        for support, item in zip(_supports(known, places), items.values(), strict=True)
        if item.id not in silent and admitted(item, now, where)
    }
    _understood(view, candidates, now, where)
    for fact in facts_asked_for(view, question, now, where):
        candidates.setdefault(fact.item.id, fact).support.take_over(fact.support)
    return list(candidates.values())


def _is_wide(where: Where) -> bool:
    """Whether hardly anything is turned away."""
    return replace(where, without=(), kind=None) == Where()


def _supports(known: Evidence, places: Places) -> Iterator[Support]:
    lists = known.lists()
    relevance, keyword, graph = (each[places].tolist() for each in (known.relevance, known.keyword, known.graph))
    importance = known.importance[places].tolist()
    for number, place in enumerate(places.tolist()):
        yield Support(
            relevance=relevance[number],
            keyword=keyword[number],
            graph=graph[number],
            importance=importance[number],
            found=found_at(lists, place),
        )


def _understood(view: View, candidates: dict[str, Candidate], now: datetime, where: Where) -> None:
    """Put the memories that were read from utterances beside them, with the same support.

    Words that were understood, and whose every meaning has been given up since, no longer speak for anything.
    """
    said = [each.item.id for each in candidates.values() if not isinstance(each.item, Memory)]
    told: defaultdict[str, list[Memory]] = defaultdict(list)
    for memory in view.read_from(said) if said else []:
        told[memory.sources[0]].append(memory)
    for utterance_id, memories in told.items():
        current = [memory for memory in memories if admitted(memory, now, where)]
        utterance = candidates[utterance_id]
        assert isinstance(utterance.item, Utterance), "memories were not asked for"
        utterance.told = surely_covered(utterance.item.text, memories)
        given_up = all(memory.closed_by is not None or memory.hidden for memory in memories)
        silent = given_up and not current and covered(utterance.item.text, memories)
        if silent and not where.history and where.kind != "utterance":
            del candidates[utterance_id]
            continue
        support = utterance.support
        for memory in current:
            candidates.setdefault(memory.id, Candidate(item=memory, support=replace(support, found=[*support.found])))


def facts_asked_for(view: View, question: Question, now: datetime, where: Where) -> list[Candidate]:
    """Return what the user is in the attributes the question asks for, those that hold one value at a time."""
    facts: list[Candidate] = []
    asked_for = {name: share for name, share in question.about.items() if attribute(name).single}
    for name, share in asked_for.items():
        for memory in view.memories(MemoryFilter(subject=USER, attribute=name, current_at=now)):
            if admitted(memory, now, where):
                asked = Support(graph=share, found=[Found(source="topic", rank=len(facts) + 1)])
                facts.append(Candidate(item=memory, support=asked))
    return facts


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
            near_by = Support(relevance=min(max(match.score, 0.0), 1.0), found=[Found(source="dense", rank=rank)])
            facts.append(Candidate(item=item, support=near_by))
    return facts


def admitted(item: Item, now: datetime, where: Where) -> bool:
    """Whether `item` may answer: visible, true at the asked moment (or `where.history`), and within `where`."""
    if isinstance(item, Memory):
        if item.hidden or not (where.history or item.true_at(now)):
            return False
        return _memory_within(item, where)
    if item.at > now or where.kind == "memory" or where.about or where.type or where.attribute:
        return False
    said_by = where.said_by in (None, item.speaker)
    return said_by and _between(where, item.at.timestamp(), item.at.timestamp())


def _memory_within(memory: Memory, where: Where) -> bool:
    end = memory.invalid_at.timestamp() if memory.invalid_at else float("inf")
    return (
        where.kind != "utterance"
        and (where.about is None or where.about in (memory.subject_id, memory.subject))
        and where.said_by in (None, memory.speaker)
        and where.type in (None, memory.content_type)
        and where.attribute in (None, memory.attribute)
        and _between(where, memory.valid_at.timestamp(), end)
    )


def _between(where: Where, start: float, end: float) -> bool:
    if where.since is not None and end < where.since.timestamp():
        return False
    return where.until is None or start < where.until.timestamp()
