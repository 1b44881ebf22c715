"""From candidates to hits: an utterance collapses into the memory it gave, and each gets its parts and its score."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import lru_cache
from typing import Final, Generic, Protocol, TypeVar

from gieok.domain.answer import Found, Hit, Item, Source, Where
from gieok.domain.memory import FadingRates, Memory, strength_now
from gieok.domain.scope import Scope, Sharing
from gieok.domain.scoring import Combine, Parts, RecencyRule, Weights, contributions, recency, weighed
from gieok.domain.turn import CHARACTER, USER, Turn
from gieok.domain.upkeep import by_upkeep
from gieok.language.text import fold
from gieok.ports import MemoryFilter, View
from gieok.recall.gather import Candidate, IdentityCache, Support

_SAID: Final = 0.3  #: strength of an utterance
_PART_OF: Final[Mapping[Source, str]] = {
    "dense": "relevance",
    "keyword": "keyword",
    "topic": "graph",
    "speaker": "graph",
    "person": "graph",
    "period": "graph",
    "value": "graph",
}


@dataclass(slots=True)
class Ranked:
    """A candidate with its score. Many are ranked for every one that is chosen: only that one becomes a hit."""

    item: Item
    score: float
    _scope: Scope
    _support: Support
    _weights: Weights
    _recency: float
    _importance: float
    _strength: float

    @property
    def why(self) -> tuple[Found, ...]:
        return tuple(self._support.found)

    def hit(self, *, explain: bool = False) -> Hit:
        support = self._support
        parts = Parts(
            recency=self._recency,
            importance=self._importance,
            relevance=support.relevance,
            keyword=support.keyword,
            strength=self._strength,
            graph=support.graph,
        )
        return Hit(
            item=self.item,
            scope=self._scope,
            score=self.score,
            parts=parts,
            why=self.why,
            contributions=contributions(parts, self._weights) if explain else None,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranker:
    """Gives candidates their parts and their score."""

    weights: Weights
    recency: RecencyRule
    fading: FadingRates
    combine: Combine

    @property
    def finding(self) -> Weights:
        """The weights by which candidates are looked for, before it is known who finds them."""
        return self.weights if self.combine == "sum" else self.weights.of_any()

    def ranked(self, candidates: list[Candidate], now: datetime, scope: Scope, turn_number: int) -> list[Ranked]:
        """Return the candidates of one scope with their scores, in no order."""
        rule, fading, weights, by_sum = self.recency, self.fading, self.weights, self.combine == "sum"
        ranked = []
        for candidate in _collapsed(candidates):  # one loop: hundreds pass here for every question
            item, support = candidate.item, candidate.support
            if isinstance(item, Memory):
                said_at = item.known_at if rule.since == "said" else _counted_from(item, now)
                importance, strength = item.importance, strength_now(item, turn_number, fading)
            else:
                said_at, importance, strength = item.at, support.importance, _SAID
            if not by_sum:
                weights = self.weights.among(_finders(support.found))
            fresh = recency(said_at, now, rule)
            score = weighed(weights, fresh, importance, support.relevance, support.keyword, strength, support.graph)
            ranked.append(Ranked(item, score, scope, support, weights, fresh, importance, strength))
        return ranked


def _counted_from(memory: Memory, now: datetime) -> datetime:
    used = memory.last_used_at
    return memory.known_at if used is None or used > now else max(memory.known_at, used)


def _finders(found: Iterable[Found]) -> set[str]:
    return {_PART_OF[each.source] for each in found if each.source in _PART_OF}


def _collapsed(candidates: list[Candidate]) -> list[Candidate]:
    """Return `candidates` without the utterances that memories among them say all of; they inherit their support."""
    said = {candidate.item.id: candidate for candidate in candidates if not isinstance(candidate.item, Memory)}
    told: set[str] = set()
    for candidate in candidates:
        if not isinstance(candidate.item, Memory) or by_upkeep(candidate.item):
            continue  # what was concluded from many words is not what each of them says
        for source in candidate.item.sources:
            utterance = said.get(source)
            if utterance is not None:
                if utterance.told:
                    told.add(source)
                candidate.support.take_over(utterance.support)
    return [candidate for candidate in candidates if candidate.item.id not in told]


Gist = tuple[frozenset[str], tuple[str, ...], frozenset[str], str]

_SAME: Final = 0.97  #: likeness from which one of two texts is enough
_SPREAD: Final = 0.02  #: what a hit that is quite like a better one loses
COMPARED: Final = 12  #: hits that are compared with those before them; farther down only the same words count
_POOL: Final = 2  #: hits looked at for every one that is compared
_LETTERS: Final = re.compile(r"[^\W\d_ㄱ-ㅣ\u1100-\u11ff]+")  # ㅋㅋ says nothing
_FIGURES: Final = re.compile(r"\d+")
_NEGATING: Final = frozenset("안 못 아니 아니야 no not never don didn doesn isn".split())


class Scored(Protocol):
    """What can be chosen: a hit, or what may become one."""

    @property
    def item(self) -> Item: ...
    @property
    def score(self) -> float: ...


Answer = TypeVar("Answer", bound=Scored)


def chosen(hits: Iterable[Answer], k: int) -> list[Answer]:
    """Return `k` of `hits`, the best first, none that says the same as another; ties go to the older id."""
    compared = min(k, COMPARED)
    enough = max(k, _POOL * compared)
    distinct: dict[Gist, Answer] = {}
    for hit in sorted(hits, key=lambda hit: (-hit.score, hit.item.id)):
        distinct.setdefault(_gist(hit.item), hit)
        if len(distinct) == enough:
            break
    first = _spread(list(distinct.items())[: _POOL * compared], compared)
    taken = {hit.item.id for hit in first}
    return [*first, *(hit for hit in distinct.values() if hit.item.id not in taken)][:k]


@dataclass(slots=True)
class _Rival(Generic[Answer]):
    """A hit that may be chosen, compared only with as many of those before it as it takes to decide."""

    gist: Gist
    hit: Answer
    compared: int = 0
    likeness: float = 0.0  #: to those it was compared with

    def worth(self, chosen: list[_Rival[Answer]]) -> float:
        """Return its score, less for being like one of `chosen`."""
        for other in chosen[self.compared :]:
            self.likeness = max(self.likeness, _alike(other.gist, self.gist))
        self.compared = len(chosen)
        return self.hit.score - _SPREAD * self.likeness


def _spread(pool: list[tuple[Gist, Answer]], count: int) -> list[Answer]:
    """Return `count` of `pool`, which is sorted by score."""
    rivals = [_Rival(gist, hit) for gist, hit in pool]
    kept: list[_Rival[Answer]] = []
    while len(kept) < count:
        best, most = None, float("-inf")
        for rival in rivals:
            if rival.hit.score <= most:  # nobody is worth more than their score
                break
            worth = rival.worth(kept)
            if rival.likeness < _SAME and worth > most:
                best, most = rival, worth
        if best is None:
            break
        rivals = [rival for rival in rivals if rival is not best and rival.likeness < _SAME]
        kept.append(best)
    return [rival.hit for rival in kept]


def _alike(one: Gist, other: Gist) -> float:
    """Return how much of their letters two share in pairs; another's, other figures or a "not" make it another."""
    if one[1:] != other[1:]:
        return 0.0
    shared = len(one[0] & other[0])
    return shared / (len(one[0]) + len(other[0]) - shared)


_GISTS: Final[IdentityCache[Item, Gist]] = IdentityCache()


def _gist(item: Item) -> Gist:
    """Return what `item` says (in pairs of letters, figures and negations), and of whom."""
    return _GISTS.note(item, _new_gist)


def _new_gist(item: Item) -> Gist:
    if isinstance(item, Memory):
        return (*_said(item.content), item.subject_id)
    return (*_said(item.text), item.speaker)


@lru_cache(maxsize=8192)
def _said(text: str) -> tuple[frozenset[str], tuple[str, ...], frozenset[str]]:
    folded = fold(text)
    words = _LETTERS.findall(folded)
    pairs = frozenset(word[at : at + 2] for word in words for at in range(max(len(word) - 1, 1)))
    return pairs or frozenset({folded}), tuple(_FIGURES.findall(folded)), _NEGATING.intersection(words)


_SAME_FOR_ALL: Final = (CHARACTER, "world")  #: whom scopes of one character in one world mean alike


@dataclass(frozen=True, slots=True, kw_only=True)
class Sibling:
    """Another scope, and what may be read of it."""

    scope: Scope
    sharing: Sharing

    def where(self, asked: Where) -> Where | None:
        """Return what to look for there; None: nothing that was asked for can be there."""
        if self.sharing == "user_facts":
            fits = asked.kind != "utterance" and asked.about in (None, USER) and asked.said_by in (None, USER)
            return replace(asked, kind="memory", about=USER, said_by=USER) if fits else None
        about, said_by = self._there(asked.about), self._there(asked.said_by)
        if (about is None) != (asked.about is None) or (said_by is None) != (asked.said_by is None):
            return None
        return replace(asked, about=about, said_by=said_by)

    def standing(self) -> MemoryFilter | None:
        """Return which of its pinned memories are always there; None: none of them."""
        return MemoryFilter(pinned=True, subject=USER, speaker=USER) if self.sharing == "user_facts" else None

    def allows(self, item: Item) -> bool:
        if self.sharing == "character":
            return True
        return isinstance(item, Memory) and item.subject == USER and item.speaker == USER

    def seen(self, ranked: Iterable[Ranked]) -> list[Ranked]:
        """Return what was found there as it is from here."""
        allowed = [each for each in ranked if self.allows(each.item)]
        return (
            allowed if self.sharing == "user_facts" else [replace(each, item=self.told(each.item)) for each in allowed]
        )

    def told(self, item: Item) -> Item:
        """Return an item of somebody else's: the user there is a person with a name, and those around them theirs."""
        name = self.scope.user
        if self.sharing == "user_facts" or name is None:
            return item
        speaker = name if item.speaker == USER else item.speaker
        if not isinstance(item, Memory):
            return replace(item, speaker=speaker)
        if item.subject in _SAME_FOR_ALL:
            return replace(item, speaker=speaker)
        whose = name if item.subject == USER else f"{name}의 {item.subject_id}"
        return replace(item, speaker=speaker, subject="other", subject_id=whose)

    def _there(self, who: str | None) -> str | None:
        """Return what somebody whom we mean is called there."""
        if who in _SAME_FOR_ALL:
            return who
        return USER if who is not None and who == self.scope.user else None


@dataclass(slots=True)
class ContextParts:
    """What a context may be made of, while it is gathered."""

    found: list[Ranked] = field(default_factory=list)
    known: list[Ranked] = field(default_factory=list)
    picked: dict[str, Hit] = field(default_factory=dict)  #: what was asked for by id
    always: list[Memory] = field(default_factory=list)
    turns: list[Turn] = field(default_factory=list)
    people: list[str] = field(default_factory=list)
    summary: str = ""
    late: set[str] = field(default_factory=set)


def picked(view: View, scope: Scope, item_ids: tuple[str, ...], sibling: Sibling | None = None) -> dict[str, Hit]:
    """Return those of the named items that `view` has and that may be read, as hits."""
    if not item_ids:
        return {}
    refs = view.refs(item_ids)
    items = view.items(refs.values())
    silent = view.forgotten_words()
    if sibling is not None:
        items = {ref: sibling.told(item) for ref, item in items.items() if sibling.allows(item)}
    return {
        item_id: Hit(item=items[ref], scope=scope, score=1.0, parts=Parts(), why=(Found(source="included", rank=rank),))
        for rank, (item_id, ref) in enumerate(refs.items(), start=1)
        if ref in items and item_id not in silent and not _is_hidden(items[ref])
    }


def _is_hidden(item: Item) -> bool:
    return isinstance(item, Memory) and item.hidden


def heard(silent: frozenset[str], turns: list[Turn]) -> list[Turn]:
    """Return `turns` without the utterances in `silent`."""
    left = (
        replace(turn, utterances=tuple(each for each in turn.utterances if each.id not in silent)) for turn in turns
    )
    return [turn for turn in left if turn.utterances]
