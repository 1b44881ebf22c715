"""Gathering candidates in one scope from every source: meaning, words, neighbours, and what is pinned.

A union: whatever one source alone finds is a candidate.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Final

from gieok.domain.answer import Found, Item, Where
from gieok.domain.attributes import attribute
from gieok.domain.memory import Memory
from gieok.domain.scoring import Weights
from gieok.domain.turn import USER, Utterance
from gieok.language.topics import CLEAREST, TELLING
from gieok.ports import Match, MemoryFilter, View
from gieok.recall.coverage import covered, surely_covered
from gieok.recall.question import Question

_TELLING: Final = 400  #: utterances that tell something, looked at for any question
_NEWEST: Final = 100  #: … and of these, candidates for every question
_PER_SOURCE: Final = 60  #: candidates of each source
_READ_FOR_EACH: Final = 4  #: items read for every hit that is asked for …
_READ_AT_LEAST: Final = 16  #: … and a few more
_SEEDS: Final = 10  #: best candidates whose neighbours are looked at
_REACH: Final = 1
_DECAY: Final = 0.5  #: what of a seed's support reaches the next utterance


@dataclass(slots=True)
class Evidence:
    """What speaks for an item, before it is even read."""

    relevance: float = 0.0
    keyword: float = 0.0  #: against the best of the list, 0–1
    graph: float = 0.0
    topic: float = 0.0
    telling: bool = False  #: it tells something lasting, whatever that is
    found: list[Found] = field(default_factory=list)

    def weighed(self, weights: Weights) -> float:
        return (
            weights.relevance * self.relevance
            + weights.keyword * self.keyword
            + weights.graph * self.graph
            + weights.topic * self.topic
            + weights.importance * self.telling
        )


@dataclass(slots=True)
class Candidate:
    """An item and what speaks for it."""

    item: Item
    evidence: Evidence
    told: bool = False  #: an utterance of which every sentence was understood: its memories say it all


def gathered(
    view: View, question: Question, now: datetime, where: Where, *, search_turns: bool, weights: Weights, k: int
) -> list[Candidate]:
    """Return the candidates of one scope that are visible, true and within `where`.

    Reading an item costs more than finding it: of a plain question only the best are read, several times as many as
    are asked for, so that importance and recency can still reorder them.
    """
    evidence = _evidence(view, question, memories_only=not search_turns or where.kind == "memory")
    refs: Iterable[int] = evidence
    if where == Where():
        refs = sorted(evidence, key=lambda ref: -evidence[ref].weighed(weights))[: _READ_FOR_EACH * k + _READ_AT_LEAST]
    items = view.items(refs)
    silent = view.forgotten_words()
    candidates = {
        item.id: Candidate(item=item, evidence=evidence[ref])
        for ref, item in items.items()
        if item.id not in silent and admitted(item, now, where)
    }
    _understood(view, candidates, now, where)
    for fact in facts_asked_for(view, question, now, where):
        known = candidates.setdefault(fact.item.id, fact)
        known.evidence.topic = max(known.evidence.topic, fact.evidence.topic)
    return list(candidates.values())


def _understood(view: View, candidates: dict[str, Candidate], now: datetime, where: Where) -> None:
    """Put the memories that were read from utterances beside them, with the same evidence.

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
        evidence = utterance.evidence
        for memory in current:
            candidates.setdefault(
                memory.id, Candidate(item=memory, evidence=replace(evidence, found=[*evidence.found]))
            )


def _evidence(view: View, question: Question, *, memories_only: bool) -> dict[int, Evidence]:
    terms = question.terms
    dense = [] if question.vector is None else view.dense(question.vector, _PER_SOURCE, memories_only=memories_only)
    dense = [match for match in dense if match.score > 0]
    keyword = view.keyword(terms.words, terms.prefixes, _PER_SOURCE, memories_only=memories_only)
    support = {} if memories_only else _supported(view, dense, keyword)
    evidence: defaultdict[int, Evidence] = defaultdict(Evidence)
    for rank, match in enumerate(dense, start=1):
        evidence[match.ref].relevance = min(match.score, 1.0)
        evidence[match.ref].found.append(Found(source="dense", rank=rank))
    best = max((match.score for match in keyword), default=0.0)
    for rank, match in enumerate(keyword, start=1):
        evidence[match.ref].keyword = match.score / best if best > 0 else 0.0
        evidence[match.ref].found.append(Found(source="keyword", rank=rank))
    for rank, ref in enumerate(sorted(support, key=lambda each: -support[each]), start=1):
        evidence[ref].graph = support[ref]
        evidence[ref].found.append(Found(source="graph", rank=rank))
    _add_topics(view, question, evidence, memories_only=memories_only)
    return evidence


def _add_topics(view: View, question: Question, evidence: defaultdict[int, Evidence], *, memories_only: bool) -> None:
    """Add what is about the attributes that the question asks for, whatever its words."""
    fits: defaultdict[int, float] = defaultdict(float)
    for name, share in question.about.items():
        for match in view.tagged(name, _PER_SOURCE, memories_only=memories_only):
            fits[match.ref] += share * match.score / CLEAREST
    for rank, ref in enumerate(sorted(fits, key=lambda each: (-fits[each], each)), start=1):
        evidence[ref].topic = min(fits[ref], 1.0)
        evidence[ref].found.append(Found(source="topic", rank=rank))
    telling = [match.ref for match in view.tagged(TELLING, _TELLING, memories_only=memories_only)]
    for ref in {*telling[:_NEWEST], *(evidence.keys() & telling)}:
        evidence[ref].telling = True


def facts_asked_for(view: View, question: Question, now: datetime, where: Where) -> list[Candidate]:
    """Return what the user is in the attributes the question asks for, those that hold one value at a time."""
    facts: list[Candidate] = []
    asked_for = {name: share for name, share in question.about.items() if attribute(name).single}
    for name, share in asked_for.items():
        for memory in view.memories(MemoryFilter(subject=USER, attribute=name, current_at=now)):
            if admitted(memory, now, where):
                asked = Evidence(topic=share, found=[Found(source="topic", rank=len(facts) + 1)])
                facts.append(Candidate(item=memory, evidence=asked))
    return facts


def nearest_facts(view: View, question: Question, now: datetime, limit: int) -> list[Candidate]:
    """Return the facts about the user that are true at `now`, nearest to the question first."""
    assert question.vector is not None, "asked before"
    near = view.dense(question.vector, limit, memories_only=True)
    items = view.items(match.ref for match in near)
    facts = []
    for rank, match in enumerate(near, start=1):
        item = items.get(match.ref)
        if isinstance(item, Memory) and item.attribute and item.subject == USER and item.true_at(now):
            near_by = Evidence(relevance=min(max(match.score, 0.0), 1.0), found=[Found(source="dense", rank=rank)])
            facts.append(Candidate(item=item, evidence=near_by))
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


def _supported(view: View, dense: Iterable[Match], keyword: Iterable[Match]) -> dict[int, float]:
    """Return how much the best candidates speak for what was said right beside them."""
    seeds: dict[int, float] = {}
    for matches in (list(dense)[:_SEEDS], list(keyword)[:_SEEDS]):
        best = max((match.score for match in matches), default=0.0)
        for match in matches:
            if best > 0 and match.score > 0:
                seeds[match.ref] = max(seeds.get(match.ref, 0.0), match.score / best)
    support: dict[int, float] = {}
    for seed, beside in view.neighbours(list(seeds), _REACH).items():
        for ref, distance in beside:
            support[ref] = max(support.get(ref, 0.0), seeds[seed] * _DECAY**distance)
    return support
