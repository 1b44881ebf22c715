"""From candidates to the best ones: each gets its score, and of several that say the same one is chosen."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from functools import lru_cache
from operator import add
from typing import Final, Generic, TypeVar

from gieok.domain.answer import Found, Hit, Item, Source, Where
from gieok.domain.memory import FadingRates, Memory, strength_now
from gieok.domain.scope import Scope, Sharing
from gieok.domain.scoring import Combine, Parts, RecencyRule, Weights, recency_at, weighed
from gieok.domain.turn import CHARACTER, USER, Utterance
from gieok.domain.upkeep import by_upkeep
from gieok.language.mood import is_question
from gieok.language.text import fold
from gieok.ports import MemoryFilter, View
from gieok.recall.gather import Candidate, only_asks

_SAID: Final = 0.3  #: strength of an utterance
_PART_OF: Final[Mapping[Source, str]] = {
    "dense": "relevance", "keyword": "keyword", "topic": "graph", "speaker": "graph", "person": "graph",
    "period": "graph", "value": "graph",
}  # fmt: skip
_SAME: Final = 0.97  #: likeness from which one of two texts is enough
_ASKED: Final = 0.75  #: what speaks for an utterance counts where it ends in a question …
_ONLY_ASKED: Final = 0.5  #: … and where it says nothing else
_ECHO: Final = 0.6  #: likeness from which on an utterance repeats the question, and counts nothing
_SPREAD: Final = 0.02  #: what a hit that is quite like a better one loses
COMPARED: Final = 12  #: hits that are compared with those before them; farther down only the same words count
_POOL: Final = 2  #: hits looked at for every one that is compared
_LETTERS: Final = re.compile(r"[^\W\d_ㄱ-ㅣ\u1100-\u11ff]+")  # ㅋㅋ says nothing
_FIGURES: Final = re.compile(r"\d+")
_WORD: Final = re.compile(r"\w+")
_NEGATING: Final = frozenset("안 못 아니 아니야 no not never don didn doesn isn".split())


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranker:
    """Gives candidates their parts and their score."""

    weights: Weights
    recency: RecencyRule
    fading: FadingRates
    combine: Combine
    query: str = ""

    def ranked(
        self, candidates: list[Candidate], now: datetime, scope: Scope, turn_number: int, *, questions: bool = False
    ) -> list[Candidate]:
        """Return the candidates of one scope with their scores, in no order.

        Utterances that memories among them say all of are left out; the memories inherit their support. Earlier
        questions are played down, unless `questions` are looked for like everything that was said.
        """
        said = {each.item.id: each for each in candidates if not isinstance(each.item, Memory)}
        told: set[str] = set()
        for each in candidates if said else ():
            if not isinstance(each.item, Memory) or by_upkeep(each.item):
                continue  # what was concluded from many words is not what each of them says
            for source in each.item.sources:
                if (utterance := said.get(source)) is not None:
                    if utterance.told:
                        told.add(source)
                    each.take_over(utterance)
        left = [each for each in candidates if each.item.id not in told] if told else candidates
        if not questions and said:
            self._play_down(left)
        fixed, recent = self.weights if self.combine == "sum" else None, recency_at(now, self.recency)
        by_use, fading = self.recency.since != "said", self.fading
        for each in left:
            item = each.item
            if isinstance(item, Memory):
                said_at = item.known_at
                if by_use and item.last_used_at is not None and item.last_used_at <= now:
                    said_at = max(said_at, item.last_used_at)
                each.importance, each.strength = item.importance, strength_now(item, turn_number, fading)
            else:
                said_at, each.strength = item.at, _SAID
            each.weights = weights = fixed or self._weights_among(each.found)
            each.recency = recent(said_at)
            each.score = weighed(
                weights, each.recency, each.importance, each.relevance, each.keyword, each.strength, each.graph
            )
            each.scope = scope
        return left

    def _weights_among(self, found: Iterable[Found]) -> Weights:
        return self.weights.among({_PART_OF[each.source] for each in found if each.source in _PART_OF})

    def _play_down(self, candidates: Iterable[Candidate]) -> None:
        """Let less speak for an utterance that asks something, and nothing where it only asks the same as the query."""
        query, asks = _gist(self.query, "")[0], None
        for each in candidates:
            if isinstance(each.item, Memory):
                continue
            text = each.item.text
            share = 1.0 if not each.asks else _ONLY_ASKED if only_asks(text) else _ASKED
            if _may_echo(text, query) and _shared(_gist(text, each.item.speaker)[0], query) >= _ECHO:
                asks = is_question(self.query) if asks is None else asks
                if share == _ONLY_ASKED or asks:
                    share = 0.0
            if share < 1.0:
                each.relevance *= share
                each.keyword *= share
                each.graph *= share


Answer = TypeVar("Answer", bound=Candidate | Hit)
#: What an item says (in pairs of letters, figures and negations), and of whom.
Gist = tuple[frozenset[str], tuple[str, ...], frozenset[str], str]


def chosen(hits: Iterable[Answer], k: int) -> list[Answer]:
    """Return `k` of `hits`, the best first, none that says the same as another; ties go to the older id.

    Behind those that are compared, only the same words in the same order are the same.
    """
    compared = min(k, COMPARED)
    known: set[Gist | tuple[str, str]] = set()
    rivals: list[_Rival[Answer]] = []
    others: list[Answer] = []
    for hit in sorted(hits, key=lambda hit: (-hit.score, hit.item.id)):
        item = hit.item
        text, whose = (item.content, item.subject_id) if isinstance(item, Memory) else (item.text, item.speaker)
        words = (_words(text), whose)
        if words in known:
            continue
        known.add(words)
        if len(rivals) == _POOL * compared:
            others.append(hit)
        elif (gist := _gist(text, whose)) not in known:
            known.add(gist)
            rivals.append(_Rival(gist, hit))
        if len(rivals) + len(others) >= max(k, _POOL * compared):
            break
    first = _spread(rivals, compared)
    taken = {hit.item.id for hit in first}
    return [*first, *(each.hit for each in rivals if each.hit.item.id not in taken), *others][:k]


@dataclass(slots=True)
class _Rival(Generic[Answer]):
    """A hit that may be chosen, compared only with as many of those before it as it takes to decide."""

    gist: Gist
    hit: Answer
    compared: int = 0
    likeness: float = 0.0  #: to those it was compared with


def _spread(rivals: list[_Rival[Answer]], count: int) -> list[Answer]:
    """Return `count` of `rivals`, which are sorted by score; one that is like a better one loses a little."""
    kept: list[_Rival[Answer]] = []
    while len(kept) < count:
        best, most = None, float("-inf")
        for rival in rivals:
            if rival.hit.score <= most:  # nobody is worth more than their score
                break
            for other in kept[rival.compared :]:
                # another's, other figures or a "not" make it another
                alike = _shared(other.gist[0], rival.gist[0]) if other.gist[1:] == rival.gist[1:] else 0.0
                rival.likeness = max(rival.likeness, alike)
            rival.compared = len(kept)
            worth = rival.hit.score - _SPREAD * rival.likeness
            if rival.likeness < _SAME and worth > most:
                best, most = rival, worth
        if best is None:
            break
        rivals = [rival for rival in rivals if rival is not best and rival.likeness < _SAME]
        kept.append(best)
    return [rival.hit for rival in kept]


def _may_echo(text: str, query: frozenset[str]) -> bool:
    """Return whether enough of the query's pairs stand in `text`; seldom, so that most need no gist."""
    folded, left = fold(text), (1 - _ECHO) * len(query) + 1e-9
    for pair in query:
        if pair not in folded:
            left -= 1
            if left < 0:
                return False
    return True


def _shared(one: frozenset[str], other: frozenset[str]) -> float:
    shared = len(one & other)
    return shared / (len(one) + len(other) - shared)


@lru_cache(maxsize=8192)
def _words(text: str) -> str:
    """Return the words of `text` in their order; a gist, which also tells what is alike, takes five times as long."""
    return " ".join(_WORD.findall(fold(text))) or text


@lru_cache(maxsize=8192)
def _gist(text: str, whose: str) -> Gist:
    folded = fold(text)
    words = _LETTERS.findall(folded)
    apart = " ".join(words)
    pairs = {pair for pair in map(add, apart, apart[1:]) if " " not in pair}  # three times as fast as word by word
    pairs.update(word for word in words if len(word) == 1)
    return frozenset(pairs or {folded}), tuple(_FIGURES.findall(folded)), _NEGATING.intersection(words), whose


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

    def seen(self, ranked: Iterable[Candidate]) -> list[Candidate]:
        """Return what was found there as it is from here."""
        return [
            replace(
                each,
                item=self.told(each.item),
                answers=self._heard(each.answers),
                taken_back=self._heard(each.taken_back),
            )
            for each in ranked
            if self.allows(each.item)
        ]

    def _heard(self, said: Utterance | None) -> Utterance | None:
        """Return words there as they are from here."""
        heard = None if said is None else self.told(said)
        return heard if isinstance(heard, Utterance) else None

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
        item_id: Hit(item=item, scope=scope, score=1.0, parts=Parts(), why=(Found(source="included", rank=rank),))
        for rank, (item_id, ref) in enumerate(refs.items(), start=1)
        if (item := items.get(ref)) is not None
        and item_id not in silent
        and not (isinstance(item, Memory) and item.hidden)
    }
