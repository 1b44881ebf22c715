"""What is worked out about an object, noted as long as that very object is at hand.

A store that keeps what it read hands out the same items again: what a line about one reads like, and what it says, is
then looked up. An item that has changed is another object.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Final, Generic, Literal, TypeVar

import numpy as np

from gieok.domain.answer import Aid, Found, Item, Source, Where
from gieok.domain.attributes import attribute
from gieok.domain.memory import Memory
from gieok.domain.scoring import Weights
from gieok.domain.turn import USER, Utterance
from gieok.language.text import fold, sentences
from gieok.language.topics import CLEAREST
from gieok.ports import NO_SITTING, Layout, Mark, MemoryFilter, Topic, View
from gieok.recall.question import Question
from gieok.recall.reader import ScopeReader, Searchable

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from gieok.ports import Places, Scores


Thing = TypeVar("Thing")
Note = TypeVar("Note")

_MOST: Final = 8_192


class IdentityCache(Generic[Thing, Note]):
    """Notes about values that never change, begun anew when there are too many. Threads may share it."""

    def __init__(self, most: int = _MOST) -> None:
        self._most = most
        self._notes: dict[tuple[int, Hashable], tuple[Thing, Note]] = {}

    def note(self, thing: Thing, make: Callable[[Thing], Note], *, by: Hashable = None) -> Note:
        """Return what `make` says of `thing`; it must depend on nothing but that and `by`."""
        key = (id(thing), by)
        held = self._notes.get(key)
        if held is not None:  # what is noted lives on: nobody else can have its id
            return held[1]
        if len(self._notes) >= self._most:
            self._notes = {}
        note = make(thing)
        self._notes[key] = (thing, note)
        return note

    def __len__(self) -> int:
        return len(self._notes)


LAYOUTS: Final = 16  #: of the scopes that were asked last
_REACH: Final = 2  #: utterances to either side that make up a window


@dataclass(frozen=True, slots=True, kw_only=True)
class Talk:
    """The utterances of a layout; a place here is a place among them."""

    said: Places  #: their places in the layout
    sittings: NDArray[np.int32]  #: the how manieth of them each is of
    openings: Places  #: where each sitting begins
    lengths: NDArray[np.int32]
    together: tuple[NDArray[np.bool_], ...]  #: whether one so and so far behind each is of its sitting

    @classmethod
    def of(cls, layout: Layout) -> Talk:
        return _TALKS.note(layout, _talk_of)

    def supported(self, scores: Scores, own: float) -> Scores:
        """Return `scores` of the layout, in which those of an utterance are its `own` share and its neighbours'.

        Where nobody spoke before or after in the same sitting, its own score stands in.
        """
        mine = scores[self.said]
        before, after = mine.copy(), mine.copy()
        together = self.together[0]
        np.copyto(before[1:], mine[:-1], where=together)
        np.copyto(after[:-1], mine[1:], where=together)
        supported = scores.copy()
        supported[self.said] = own * mine + (1 - own) / 2 * (before + after)
        return supported

    def window_sums(self, times: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return, for each utterance, the sum of `times` over it and the utterances beside it in its sitting.

        `times` may have a row for each of several words.
        """
        around = times.copy()
        for far, together in enumerate(self.together, start=1):
            around[..., far:] += times[..., :-far] * together
            around[..., :-far] += times[..., far:] * together
        return around

    def sitting_sums(self, times: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return the sum of `times` over each sitting; they may have a row for each of several words."""
        return np.add.reduceat(times, self.openings, axis=-1) if len(self.openings) else times


_TALKS: Final[IdentityCache[Layout, Talk]] = IdentityCache(LAYOUTS)


def _talk_of(layout: Layout) -> Talk:
    said = np.flatnonzero(~layout.is_memory)
    sittings = layout.sittings[said]
    together = tuple(sittings[far:] == sittings[:-far] for far in range(1, _REACH + 1))
    opens = np.diff(sittings, prepend=NO_SITTING) != 0
    return Talk(
        said=said,
        sittings=np.cumsum(opens, dtype=np.int32) - 1,
        openings=np.flatnonzero(opens),
        lengths=layout.lengths[said],
        together=together,
    )


if TYPE_CHECKING:
    from numpy.typing import NDArray

    from gieok.ports import Occurrences, Scores, WordWeights

    Counts = NDArray[np.float32]

_K1: Final = 1.2
_B: Final = 0.75
_LONGER: Final = 0.25  #: what a longer word counts that begins with the asked one: 김밥 → 김밥천국
_MOST_COUNTS: Final = 1 << 20  #: of words in texts that are looked at together
_AROUND, _SITTING = 0.50, 0.25  #: the rest is for the text alone


@dataclass(slots=True)
class _Texts:
    """Texts of one kind, and how much of the question each of them holds."""

    heavy: Counts  #: how much the length of each counts against it
    held: Counts = field(init=False)
    whole: float = 0.0

    def __post_init__(self) -> None:
        self.held = np.zeros(len(self.heavy), np.float32)

    def add(self, times: Counts, weights: NDArray[np.float64]) -> None:
        """Count words, of which each row says how often they stand in each text, in the weight of each."""
        standing = np.count_nonzero(times, axis=1)
        rarity = np.log(1 + (len(self.heavy) - standing + 0.5) / (standing + 0.5))
        shares = times * (weights * rarity).astype(np.float32)[:, None]
        shares *= _K1 + 1
        shares /= times + self.heavy
        for share in shares:
            self.held += share
        self.whole += sum((rarity[weights == 1.0] * (_K1 + 1)).tolist())  # a longer word is a bonus, and not asked for

    def shares(self) -> Counts:
        return np.minimum(self.held / self.whole, 1.0) if self.whole else self.held


_HEAVY: Final[IdentityCache[Layout, tuple[Counts, Counts, Counts]]] = IdentityCache(LAYOUTS)


def _heavy(layout: Layout, talk: Talk) -> tuple[Counts, Counts, Counts]:
    """Return what lengths count against texts: alone, in windows and in sittings."""
    said = talk.lengths.astype(np.float32)
    alone, windows, sittings = (
        _K1 * (1 - _B + _B * lengths / (max(float(lengths.mean()), 1.0) if len(lengths) else 1.0))
        for lengths in (layout.lengths.astype(np.float32), talk.window_sums(said), talk.sitting_sums(said))
    )
    return alone, windows, sittings


def keyword_shares(
    layout: Layout,
    talk: Talk,
    words: Sequence[Occurrences],
    longer: Sequence[Occurrences],
    *,
    around: bool = True,
    sitting: bool = True,
) -> Scores:
    """Return, for every item, how much of the asked `words` it holds: 0–1."""
    alone, windows, sittings = map(_Texts, _HEAVY.note(layout, lambda layout: _heavy(layout, talk)))
    found = [*((each, 1.0) for each in words), *((each, _LONGER) for each in longer if len(each.places))]
    at_once = max(_MOST_COUNTS // max(len(layout.refs), 1), 1)
    for start in range(0, len(found), at_once):
        some = found[start : start + at_once]
        times = np.zeros((len(some), len(layout.refs)), np.float32)
        for row, (each, _) in zip(times, some, strict=True):
            row[each.places] = each.times
        weights = np.array([weight for _, weight in some])
        said = times.take(talk.said, axis=1)
        alone.add(times, weights)
        windows.add(talk.window_sums(said), weights)
        sittings.add(talk.sitting_sums(said), weights)
    return _together_words(
        talk,
        alone.shares(),
        windows.shares(),
        sittings.shares(),
        of_window=_AROUND * around,
        of_sitting=_SITTING * sitting,
    )


def ranked_keyword_shares(
    layout: Layout,
    talk: Talk,
    words: Sequence[tuple[WordWeights, Occurrences | None]],
    *,
    around: bool = True,
    sitting: bool = True,
) -> Scores:
    """Return the same by a store's own ranking of the `words`, each with where longer ones stand that begin alike.

    What a word weighs where it weighs least is taken for its weight, standing once; one that stands nowhere is as rare
    as the rarest. Whatever the unit, a text of usual length that holds each word once holds the same share as by BM25,
    so that all weights of a ranking stay apt; and more weight is always a higher share.
    """
    once = [float(each.weights.min()) if len(each.weights) else 0.0 for each, _ in words]
    heaviest = max(once, default=0.0) or 1.0
    held = np.zeros(len(layout.refs), np.float32)
    for (each, longer), weight in zip(words, once, strict=True):
        held[each.places] += each.weights
        if longer is not None:
            held[longer.places] += _LONGER * (weight or heaviest) * longer.times
    held /= sum(weight or heaviest for weight in once) or 1.0
    said = held[talk.said]
    alone, windows, sittings = (
        texts / (texts + np.float32(_K1)) for texts in (held, talk.window_sums(said), talk.sitting_sums(said))
    )
    return _together_words(talk, alone, windows, sittings, of_window=_AROUND * around, of_sitting=_SITTING * sitting)


def _together_words(
    talk: Talk, shares: Scores, windows: Scores, sittings: Scores, *, of_window: float, of_sitting: float
) -> Scores:
    """Return the shares of texts alone, in which those of what was said are mixed with its window's and sitting's."""
    together = (1 - of_window - of_sitting) * shares[talk.said] + of_window * windows
    shares[talk.said] = together + of_sitting * sittings[talk.sittings]
    return shares


_OWN: Final = 0.385  #: what an utterance's own meaning counts beside that of its neighbours
_STRANDS: Final[Mapping[Source, float]] = {"topic": 1.0, "speaker": 0.20, "person": 0.20, "period": 0.25, "value": 0.08}
_FAINT: Final = np.float32(1e-6)  #: whatever has a vector is found by meaning, however far it lies
_LASTING: Final = 0.2
_NEARLY: Final = 2 * 86_400 * 1e6  #: microseconds outside a period in which something pales
_ASKED: Final = 0.95  #: a question is like the question that looks for its answer, and answers nothing
_FEW: Final = 3.0  #: items that may be about what is asked for until it counts less
_OF_ANOTHER: Final = 0.5  #: what a topic counts in a memory about anybody but those whom the question names
_LIST: Final = 60  #: how far down its list a source says that it found something
_TELLS: Final = 0.6  #: importance of an utterance that tells something; of small talk: none


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """Parallel to the layout, each 0–1."""

    layout: Layout
    relevance: Scores
    keyword: Scores
    strands: Mapping[Source, Scores]  #: what the graph is made of
    graph: Scores
    importance: Scores  #: of utterances, and what is to be expected of memories

    def likeliest(self, weights: Weights, count: int, kind: Literal["memory", "utterance"] | None) -> Places:
        """Return the places of the `count` items (of one `kind`) for which most speaks, in no order."""
        total = (
            weights.relevance * self.relevance
            + weights.keyword * self.keyword
            + weights.graph * self.graph
            + weights.importance * self.importance
        )
        if kind is not None:
            total[self.layout.is_memory != (kind == "memory")] = -1.0
        everything = np.arange(len(total))
        places = everything if len(total) <= count else np.argpartition(-total, count)[:count]
        likeliest: Places = places[total[places] > 0]
        return likeliest

    def found(self) -> dict[int, list[Found]]:
        """Return which sources found what, by its place; each source says so only of those it puts first."""
        found: dict[int, list[Found]] = {}
        for source, scores in {"dense": self.relevance, "keyword": self.keyword, **self.strands}.items():
            for place, reason in zip(_first(scores), _found_by(source), strict=False):
                found.setdefault(place, []).append(reason)
        return found


def evidence(view: Searchable, question: Question, without: Collection[Aid] = ()) -> Evidence:
    """Return what speaks for each item of `view`, leaving out the help of `without`."""
    layout = view.layout()
    talk = Talk.of(layout)
    answers = np.where(layout.marks & Mark.ASKS, np.float32(_ASKED), np.float32(1))
    tells = (((layout.marks & Mark.TELLS) > 0) | layout.is_memory).astype(np.float32)
    people = _people(view, question, layout) if "person" not in without else _nothing(layout)
    strands: dict[Source, Scores] = {
        "topic": _topics(view, question, layout) * tells if "topic" not in without else _nothing(layout),
        "speaker": _speakers(layout, question) if "speaker" not in without else _nothing(layout),
        "person": people,
        "period": _periods(layout, question) if "period" not in without else _nothing(layout),
        "value": _values(layout, question) if "value" not in without else _nothing(layout),
    }
    if people.any():
        strands["topic"][layout.is_memory & (people == 0)] *= _OF_ANOTHER
    return Evidence(
        layout=layout,
        relevance=_relevance(view, question, talk, without) * answers,
        keyword=_keyword(view, question, talk, without) * answers,
        strands=strands,
        graph=_together(strands, tells if question.wide else _nothing(layout)),
        importance=_TELLS * min(sum(question.about.values()), 1.0) * tells,
    )


@cache
def _found_by(source: Source) -> list[Found]:
    """Return what to say of each that a source puts first, in order."""
    return [found_by(source, rank) for rank in range(1, _LIST + 1)]


@lru_cache(maxsize=1024)  # a few sources, and some dozens of places on the list of each
def found_by(source: Source, rank: int) -> Found:
    return Found(source=source, rank=rank)


def _together(strands: Mapping[Source, Scores], lasting: Scores) -> Scores:
    """Return the graph: all strands, and `lasting` for a context, which may need what lasts whatever is asked."""
    whole: Scores = _LASTING * lasting
    for name, scores in strands.items():
        whole += _STRANDS[name] * scores
    graph: Scores = np.minimum(whole, 1.0)
    return graph


def _nothing(layout: Layout) -> Scores:
    return np.zeros(len(layout.refs), np.float32)


def _relevance(view: Searchable, question: Question, talk: Talk, without: Collection[Aid]) -> Scores:
    if question.vector is None or "dense" in without:
        return _nothing(view.layout())
    cosines = view.cosines(question.vector)
    cosines = np.where(cosines > -1, np.maximum(cosines, _FAINT), np.float32(0))
    return cosines if "neighbours" in without else talk.supported(cosines, _OWN)


def _keyword(view: Searchable, question: Question, talk: Talk, without: Collection[Aid]) -> Scores:
    if "keyword" in without:
        return _nothing(view.layout())
    asked, longer = question.terms.words, view.prefix_occurrences(question.terms.prefixes)
    around, sitting = "neighbours" not in without, "sitting" not in without
    weighed = view.word_weights(asked)
    if weighed is None:
        return keyword_shares(view.layout(), talk, view.occurrences(asked), longer, around=around, sitting=sitting)
    begun = dict(zip(question.terms.prefixes, longer, strict=True))
    words = [(each, begun.get(word)) for word, each in zip(asked, weighed, strict=True)]
    return ranked_keyword_shares(view.layout(), talk, words, around=around, sitting=sitting)


def _topics(view: Searchable, question: Question, layout: Layout) -> Scores:
    """Return how clearly each item is about the attributes that the question asks for, whatever its words."""
    topic = _nothing(layout)
    bearing = view.tagged(list(question.about))
    for share, found in zip(question.about.values(), bearing, strict=True):
        clear = found.times / CLEAREST
        if not question.wide:  # among few hits, what half the talk is about, or hardly asked for, tells little
            share *= share * min(1.0, (_FEW / max(float(clear.sum()), 1.0)) ** 0.5)
        topic[found.places] += share * clear
    return np.minimum(topic, 1.0)


def _speakers(layout: Layout, question: Question) -> Scores:
    if question.party is None:
        return _nothing(layout)
    theirs: Scores = (layout.parties == question.party).astype(np.float32)
    return theirs


def _people(view: Searchable, question: Question, layout: Layout) -> Scores:
    """Return 1 for the memories about others whom the question names."""
    theirs = _nothing(layout)
    if question.people:
        about = view.people(question.text)
        refs = [ref for name in question.people for ref in about.get(name, ())]
        theirs[np.isin(layout.refs, refs)] = 1.0
    return theirs


def _periods(layout: Layout, question: Question) -> Scores:
    """Return 1 for what was said or true when the question asks about, and less the farther it lies outside."""
    fits = _nothing(layout)
    for period in question.periods:
        start = -np.inf if period.start is None else period.start.timestamp() * 1e6
        end = np.inf if period.end is None else period.end.timestamp() * 1e6
        outside = np.maximum(np.maximum(start - layout.moments, layout.moments - end), 0.0)
        fits = np.maximum(fits, np.exp(-outside / _NEARLY).astype(np.float32))
    return fits


def _values(layout: Layout, question: Question) -> Scores:
    return ((layout.marks & question.wants) > 0).astype(np.float32)


def _first(scores: Scores) -> list[int]:
    """Return the places with the highest scores, best first."""
    first = np.flatnonzero(scores > 0)
    if not len(first):
        return []
    if len(first) > _LIST:
        first = first[np.argpartition(-scores[first], _LIST)[:_LIST]]
    ordered: list[int] = first[np.lexsort((first, -scores[first]))].tolist()
    return ordered


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


def fully_covered(text: str, memories: Iterable[Memory]) -> bool:
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
    reading: ScopeReader,
    question: Question,
    now: datetime,
    where: Where,
    *,
    search_turns: bool,
    weights: Weights,
    k: int,
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
        utterance.told = fully_covered(utterance.item.text, memories)
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
        if not still_supported(view, memory, now):
            del candidates[memory.id]


def still_supported(view: View, concluded: Memory, now: datetime) -> bool:
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


def nearest_facts(reading: ScopeReader, question: Question, now: datetime, limit: int) -> list[Candidate]:
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
