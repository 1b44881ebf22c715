"""Judging claims: same, new, changed, ended or taken back.

Truth is ordered by when it held, not by when it was heard: an older fact that arrives late takes its place in
history and never closes a newer one.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from datetime import datetime
from operator import attrgetter
from typing import Final

from gieok.domain.attributes import Attribute, attribute
from gieok.domain.claim import CONCLUSIONS, Claim, Saying, Statement
from gieok.domain.decision import Decision, Ignore, Reinforce, Remember, Retract, Supersede
from gieok.domain.memory import (
    Change,
    FadingRates,
    Kind,
    Memory,
    by_truth,
    strength_now,
    with_imported,
    with_imported_counts,
)
from gieok.domain.personal import Flags, no_flags
from gieok.domain.pets import is_caution, learned_of_pet, names_a_pet, pinned
from gieok.domain.promotion import Promotion, PromotionWeights, SurpriseRules, promotion, surprise

_STATED: Final = tuple(field.name for field in fields(Statement) if field.name not in ("importance", "invalid_at"))


class Beliefs:
    """Memories by id and by whom they are about, how alike claims and memories are, and what was heard before."""

    def __init__(
        self,
        memories: Iterable[Memory] = (),
        *,
        similarity: Mapping[tuple[str, str], float] | None = None,
        likeness: Callable[[Claim, Memory], float] | None = None,
        heard: Mapping[Saying, int] | None = None,
    ) -> None:
        """`similarity` maps (claim id, memory id) to cosine; a claim's own id stands for the memory it may become.

        `likeness` is asked instead where words may change meanwhile.
        """
        self._by_id: dict[str, Memory] = {}
        self._by_subject: defaultdict[tuple[str, str], dict[str, None]] = defaultdict(dict)
        self._by_closer: defaultdict[str, dict[str, None]] = defaultdict(dict)
        cosines = dict(similarity or {})
        self._likeness = likeness or (lambda claim, memory: cosines.get((claim.id, memory.id), 0.0))
        self._heard: Counter[Saying] = Counter(heard)
        for memory in memories:
            self._put(memory)

    def __getitem__(self, memory_id: str) -> Memory:
        return self._by_id[memory_id]

    def get(self, memory_id: str | None) -> Memory | None:
        return self._by_id.get(memory_id or "")

    def all(self) -> dict[str, Memory]:
        return dict(self._by_id)

    def about(self, subject: str, subject_id: str) -> list[Memory]:
        """Return every visible memory with an attribute of one subject, oldest truth first."""
        found = (self._by_id[memory_id] for memory_id in self._by_subject[(subject, subject_id)])
        return sorted((memory for memory in found if memory.attribute and not memory.hidden), key=by_truth)

    def closed_by(self, memory_id: str) -> list[Memory]:
        found = (self._by_id[closed] for closed in self._by_closer[memory_id])
        return sorted((memory for memory in found if not memory.hidden), key=by_truth)

    def corrected_by(self, memory_id: str) -> list[Memory]:
        """Return what a correction said was never true; what was taken back by itself had ended, or has no closer."""
        found = (self._by_id[closed] for closed in self._by_closer[memory_id])
        return [each for each in found if each.retracted and each.invalid_at is None and each.forgotten_at is None]

    def concluded_from(self, memory: Memory) -> list[Memory]:
        """Return the visible summaries and insights that rest on `memory` or quote the words it was read from."""
        said = set(memory.sources)
        found = (other for other in self._by_id.values() if memory.id in other.made_from or said & set(other.sources))
        return sorted((other for other in found if other.origin == "reflection" and not other.hidden), key=by_truth)

    def retelling(self, memory: Memory) -> list[Memory]:
        """Return the visible insights, profiles and summaries of the story so far that tell what `memory` says.

        Not the documents of past weeks: what they were made from is told by nothing else any more.
        """
        found = (other for other in self.concluded_from(memory) if memory.id in other.made_from)
        return [other for other in found if other.content_type in CONCLUSIONS and "weekly" not in other.tags]

    def nearest(self, claim: Claim, at: datetime, *, firm: bool = False) -> tuple[Memory | None, float]:
        """Return the most similar free memory of the claim's subject that is true at `at`; with `firm`, a firm one."""
        known = (self._by_id[memory_id] for memory_id in self._by_subject[(claim.subject, claim.subject_id)])
        free = [
            (likeness, memory)
            for memory in known
            if memory.attribute is None
            and memory.content_type not in CONCLUSIONS
            and memory.true_at(at)
            and not (firm and memory.doubtful)
            and (likeness := self._likeness(claim, memory)) > 0
        ]
        if not free:
            return (None, 0.0)
        # of equally similar ones the oldest, so that every replay takes the same
        likeness, memory = min(free, key=lambda pair: (-pair[0], by_truth(pair[1])))
        return (memory, likeness)

    def that_says(self, saying: Saying) -> Memory | None:
        """Return the visible memory with this saying, the newest if there are several."""
        alike = (self._by_id[memory_id] for memory_id in self._by_subject[(saying[0], saying[1])])
        return max(
            (memory for memory in alike if memory.saying == saying and not memory.hidden), key=by_truth, default=None
        )

    def times_heard(self, saying: Saying) -> int:
        return self._heard[saying]

    def hear(self, saying: Saying) -> None:
        self._heard[saying] += 1

    def absorb(self, changes: Iterable[Change]) -> None:
        for change in changes:
            self._drop(change.memory_id)
            if change.after is not None:
                self._put(change.after)

    def _put(self, memory: Memory) -> None:
        self._by_id[memory.id] = memory
        self._by_subject[(memory.subject, memory.subject_id)][memory.id] = None
        if memory.closed_by is not None:
            self._by_closer[memory.closed_by][memory.id] = None

    def _drop(self, memory_id: str) -> None:
        known = self._by_id.pop(memory_id, None)
        if known is None:
            return
        del self._by_subject[(known.subject, known.subject_id)][memory_id]
        if known.closed_by is not None:
            del self._by_closer[known.closed_by][memory_id]


_EPISODIC_ATTRIBUTES: Final = frozenset({"event", "timeline", "milestone", "vaccination", "note", "mood"})
_EPISODIC_TYPES: Final = frozenset({"event", "timeline", "note", "opinion"})
_TASTES: Final = frozenset({"likes", "dislikes"})  #: one has many at a time, of all kinds
_AHEAD: Final = frozenset({"plan", "goal", "dream", "promise", "todo", "decision"})  #: what is not done yet
#: attributes under which the same thing may be known: what is given up as one of them is given up
_ENDED_TOGETHER: Final = (
    _AHEAD,
    frozenset({"likes", "hobby", "exercise", "habit", "diet"}),
    frozenset({"job", "workplace", "part_time_job", "free.team", "free.duty"}),
    frozenset({"medication", "medical_condition", "diet"}),
    frozenset({"relationship_status", "friend"}),
)
_TAKEN_UP: Final = frozenset({"habit", "likes", "dislikes", "hobby", "exercise", "diet"})
_STRONG_FEELING: Final = 0.7
_ENTERED: Final = frozenset({"person", "import"})  #: origins that outrank a model's reading


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """What judgement goes by."""

    promote_threshold: float = 0.45
    promotion_weights: PromotionWeights = field(default_factory=PromotionWeights)
    surprise: SurpriseRules = field(default_factory=SurpriseRules)
    fading: FadingRates = field(default_factory=FadingRates)
    reinforcement: float = 0.2  #: strength that being said again gives back
    doubtful: float = 0.5  #: a claim less certain than this does not overrule …
    trusted: float = 0.8  #: … a memory at least this certain
    changes: float = 0.6  #: a claim of others less certain than this, which tells of no change, makes none
    endings: float = 0.7  #: a claim less certain than this ends nothing that nobody knew of
    flags: Flags = no_flags  #: what a new memory is marked with, by its words


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """When and where something is judged."""

    at: datetime  #: story time
    recorded_at: datetime  #: wall time
    turn_number: int
    channel: str | None = None


def judge(claims: Sequence[Claim], beliefs: Beliefs, moment: Moment, policy: Policy) -> tuple[Decision, ...]:
    """Decide on `claims` in order; each decision is absorbed into `beliefs` before the next."""
    decisions = []
    for claim in claims:
        decision = _judged(claim, beliefs, moment, policy)
        beliefs.absorb(decision.changes)
        if claim.flaw is None:
            beliefs.hear(claim.saying)
        decisions.append(decision)
    return tuple(decisions)


def _judged(claim: Claim, beliefs: Beliefs, moment: Moment, policy: Policy) -> Decision:
    if claim.flaw is not None:
        return Ignore(claim=claim, why=claim.flaw)
    if claim.act == "retract":
        return _retraction(claim, beliefs, moment, policy)
    if claim.attribute is None:
        return _free(claim, beliefs, moment, policy)
    meant = _as_an_end(claim, beliefs, moment, policy)
    if meant.act == "end" and not meant.doubtful:
        meant = _of_what_ends(meant, beliefs, moment, policy)
    if meant.value is None:
        return Ignore(claim=claim, why="nothing_to_end")
    schema = attribute(meant.attribute or "")
    decide = _in_doubt if meant.doubtful else _with_attribute
    return replace(decide(meant, schema, beliefs, moment, policy), claim=claim)


def _as_an_end(claim: Claim, beliefs: Beliefs, moment: Moment, policy: Policy) -> Claim:
    """Return a claim that something was so once as its end, where it is known to be so still.

    Not of tastes and habits: "어제 커피 좋았어" tells of a day.
    """
    start = _from(claim, moment)
    past = claim.act == "assert" and claim.polarity == "+" and claim.valid_at is None
    if not past or claim.invalid_at != start or claim.certainty < policy.changes or claim.attribute in _TAKEN_UP:
        return claim
    known = beliefs.about(claim.subject, claim.subject_id)
    if not any(repeats(claim, memory) and memory.true_at(start) and memory.valid_at < start for memory in known):
        return claim
    return replace(claim, act="end", polarity="-", invalid_at=None)


def _of_what_ends(claim: Claim, beliefs: Beliefs, moment: Moment, policy: Policy) -> Claim:
    """Return a claim that something is over as one of the known fact that it means, if there is just one.

    The fact may be named in part (필름 of 필름 카메라) or be known under another attribute: a dish that was liked is
    given up as a habit. A claim without a value (팔았어) means the only fact of its attribute, or the one that its
    sentence speaks of. What was read to end though nobody knew of it is in doubt: 헬스 끊었어 may be its beginning.
    """
    start = _from(claim, moment)
    known = [
        memory
        for memory in beliefs.about(claim.subject, claim.subject_id)
        if memory.polarity == "+" and memory.true_at(start) and not memory.doubtful
    ]
    key = "likes" if (claim.attribute or "").startswith("favorite.") else claim.attribute or ""
    kinds = next((kinds for kinds in _ENDED_TOGETHER if key in kinds), frozenset({key}))
    if "likes" in kinds:
        kinds |= {memory.attribute or "" for memory in known if (memory.attribute or "").startswith("favorite.")}
    akin = [memory for memory in known if memory.attribute in kinds]
    same = [memory for memory in akin if memory.attribute == claim.attribute]
    if claim.value is None:
        words = _words(claim.content)
        spoken_of = [each for each in same if any(word in f"{each.value} {each.content}" for word in words)]
        meant = same if len(same) == 1 else spoken_of
    else:
        meant = [memory for memory in same if memory.value == claim.value]
        meant = meant or [memory for memory in akin if _names(claim, memory)]
    if len(meant) == 1:
        return replace(claim, attribute=meant[0].attribute, value=meant[0].value)
    if not meant and claim.valid_at is not None and not _ended(claim, known):  # 지난달까지 알바했어
        return replace(claim, act="assert", polarity="+", valid_at=None, invalid_at=claim.valid_at)
    unsure = claim.certainty < policy.endings or claim.attribute in _TAKEN_UP
    return replace(claim, doubtful=claim.origin == "rule" and unsure and not meant and not _ended(claim, known))


def _names(claim: Claim, memory: Memory) -> bool:
    """Whether a claim names the value of a memory, or a part of it."""
    said, value = (claim.value or "").casefold(), (memory.value or "").casefold()
    return len(said) > 1 and len(value) > 1 and (said in value or value in said)


def _retraction(claim: Claim, beliefs: Beliefs, moment: Moment, policy: Policy) -> Decision:
    if claim.doubtful:
        return Ignore(claim=claim, why="doubtful")
    known = (each for each in beliefs.about(claim.subject, claim.subject_id) if each.true_at(_from(claim, moment)))
    if claim.polarity == "-":  # who takes an ending back, takes back nothing else, but may name it in other words
        known = (memory for memory in known if memory.polarity == "-")
    wrong = [
        memory
        for memory in known
        if (memory.attribute == claim.attribute and claim.value in (None, memory.value))
        or (claim.polarity == "-" and claim.value is not None and _names(claim, memory))
    ]
    if not wrong:
        return Ignore(claim=claim, why="nothing_to_retract")
    if not claim.direct and any(is_caution(memory) and not memory.doubtful for memory in wrong):
        return Ignore(claim=claim, why="doubtful")
    objection = _objection(claim, wrong, policy)
    if objection is not None:
        return objection
    retracted = [
        Change(
            before=memory, after=memory.changed(retracted=True, sources=_with_source(memory.sources, claim.source_id))
        )
        for memory in wrong
    ]
    return Retract(claim=claim, changes=(*retracted, *_reopened(wrong, beliefs)))


def _reopened(wrong: Sequence[Memory], beliefs: Beliefs) -> Iterable[Change]:
    """Restore what the wrong ones corrected, and open what they closed, up to the next that speaks against it."""
    corrected = [memory for each in wrong for memory in beliefs.corrected_by(each.id)]
    restored = [memory.changed(retracted=False, closed_by=None) for memory in corrected]
    yield from (Change(before=old, after=new) for old, new in zip(corrected, restored, strict=True))
    others = [memory for memory in beliefs.about(wrong[0].subject, wrong[0].subject_id) if memory not in wrong]
    for memory in (closed for each in wrong for closed in beliefs.closed_by(each.id) if closed not in wrong):
        next_one = next_contradiction(memory, [*others, *restored])
        end, closer = (next_one.valid_at, next_one.id) if next_one else (None, None)
        yield Change(before=memory, after=memory.changed(invalid_at=end, closed_by=closer))


def next_contradiction(closed: Memory, others: Iterable[Memory]) -> Memory | None:
    """Return which of `others` ends `closed` where it is open again: the next that speaks against it or repeats it."""
    if closed.invalid_at is None:
        return None
    firm = (other for other in others if not other.doubtful and other.id != closed.id)
    later = [other for other in firm if other.valid_at >= closed.invalid_at]
    return _first([other for other in later if excludes(closed, other) or repeats(closed, other)])


def _first(memories: Iterable[Memory]) -> Memory | None:
    return min(memories, key=attrgetter("valid_at"), default=None)


def _free(claim: Claim, beliefs: Beliefs, moment: Moment, policy: Policy) -> Decision:
    nearest, similarity = beliefs.nearest(claim, _from(claim, moment))
    news = surprise(claim, nearest, similarity, policy.surprise)
    if news.verdict == "same" and nearest is not None:
        return _reinforced(claim, nearest, moment, policy)
    if nearest is not None and nearest.doubtful and not claim.doubtful:  # what is in doubt makes no news predictable
        nearest, similarity = beliefs.nearest(claim, _from(claim, moment), firm=True)
        news = surprise(claim, nearest, similarity, policy.surprise)
    worth = _worth(claim, beliefs, policy, novelty=1.0 - max(similarity, 0.0))
    if news.verdict == "predictable" and not claim.outright:
        return Ignore(claim=claim, why="predictable", promotion=worth)
    weight = None if claim.brought else news.importance  # another system has weighed it
    return _remembered(claim, worth, moment, policy, importance=weight)


def _with_attribute(claim: Claim, schema: Attribute, beliefs: Beliefs, moment: Moment, policy: Policy) -> Decision:
    start = _from(claim, moment)
    known = beliefs.about(claim.subject, claim.subject_id)
    if claim.invalid_at is not None and claim.invalid_at <= start:
        return _already_over(claim, known, beliefs, moment, policy)
    rivals = [memory for memory in known if excludes(claim, memory)]
    same = _same(claim, known, rivals, start)
    replaced = _replaced(claim, known, start)
    if same is not None and not replaced and not same.doubtful:
        return _reinforced(claim, same, moment, policy, since=start)

    replaced += _ended(claim, known)
    closing = [memory for memory in known if memory.true_at(start) and (memory in rivals or memory in replaced)]
    closing += [  # doubts of later, where the claim has no end
        each
        for each in rivals
        if claim.invalid_at is None and each.doubtful and each.valid_at > start and each.invalid_at is None
    ]
    idle = claim.act == "end" and not closing and (schema.single or claim.attribute in _AHEAD)
    objection: Decision | None = Ignore(claim=claim, why="nothing_to_end") if idle else None
    objection = objection or _objection(claim, closing, policy) or _outranked(claim, rivals, start)
    if objection is not None:
        return objection
    # what is told of somebody else without certainty, and not as a change, is mostly of a third person
    unsure = claim.act == "assert" and claim.certainty < policy.changes and not claim.outright
    firm = [memory for memory in closing if not memory.doubtful]
    if (firm and claim.subject == "other" and unsure) or (not claim.direct and any(map(is_caution, firm))):
        return _in_doubt(replace(claim, doubtful=True), schema, beliefs, moment, policy)
    if same is not None:
        return _again(claim, same, closing, beliefs, moment, policy)

    akin = [memory for memory in known if not memory.doubtful and (memory in rivals or repeats(claim, memory))]
    worth = _worth(claim, beliefs, policy, novelty=0.8 if akin else 1.0)
    if not claim.outright and worth.score < policy.promote_threshold:
        return Ignore(claim=claim, why="below_threshold", promotion=worth)
    later = [memory for memory in akin if memory.valid_at > start]
    if claim.act == "correct":
        mistakes = [m for m in closing if m.value != claim.value and claim.instead_of in (None, m.value)]
        mistakes.sort(key=attrgetter("doubtful"))
        if mistakes:
            return _corrected(claim, mistakes[0], closing, later, beliefs, moment, policy, worth)
    memory = _memory(claim, moment, policy, next_one=_first(later))
    closed = (_closed(old, max(old.valid_at, start), memory.id) for old in closing)
    changes = (Change(before=None, after=memory), *closed, *_resumed(claim, closing))
    if closing:
        return Supersede(claim=claim, changes=changes, promotion=worth)
    return Remember(claim=claim, changes=changes, promotion=worth)


def _again(
    claim: Claim, same: Memory, closing: Sequence[Memory], beliefs: Beliefs, moment: Moment, policy: Policy
) -> Decision:
    """What `same` says is said again, and ends what is in `closing`."""
    start = _from(claim, moment)
    again = _reinforced(claim, same, moment, policy, since=start)
    if not closing:
        return again
    worth = _worth(claim, beliefs, policy, novelty=0.0)
    wrong = claim.act == "correct"
    since = again.memory.valid_at if same.doubtful else start  # what is confirmed was so since it was first said
    closed = (
        _never_true(old, same.id) if wrong else _closed(old, max(old.valid_at, since), same.id) for old in closing
    )
    return Supersede(claim=claim, changes=(*again.changes, *closed), promotion=worth)


def _in_doubt(claim: Claim, schema: Attribute, beliefs: Beliefs, moment: Moment, policy: Policy) -> Decision:
    """A doubtful claim reinforces what says the same, or else becomes a doubtful memory; it closes nothing.

    Said again in another turn it confirms a doubtful memory, unless a firm one speaks against it.
    """
    start = _from(claim, moment)
    known = beliefs.about(claim.subject, claim.subject_id)
    if claim.invalid_at is not None and claim.invalid_at <= start:
        return _already_over(claim, known, beliefs, moment, policy)
    firm = [memory for memory in known if not memory.doubtful]
    rivals = [memory for memory in firm if excludes(claim, memory)]
    contested = [memory for memory in rivals if memory.true_at(start)]
    same = _same(claim, known, rivals, start)
    if same is not None:
        return _reinforced(claim, same, moment, policy, since=start, contested=bool(contested))
    if claim.act == "end" and not contested and schema.single:
        return Ignore(claim=claim, why="nothing_to_end")
    worth = _worth(claim, beliefs, policy, novelty=0.8 if rivals else 1.0)
    later = [memory for memory in firm if memory.valid_at > start and (memory in rivals or repeats(claim, memory))]
    return _remembered(claim, worth, moment, policy, next_one=_first(later))


def _remembered(
    claim: Claim,
    worth: Promotion,
    moment: Moment,
    policy: Policy,
    *,
    importance: float | None = None,
    next_one: Memory | None = None,
) -> Decision:
    """Return `claim` as a new memory beside the others, if it is worth it."""
    if not claim.outright and worth.score < policy.promote_threshold:
        return Ignore(claim=claim, why="below_threshold", promotion=worth)
    memory = _memory(claim, moment, policy, importance=importance, next_one=next_one)
    return Remember(claim=claim, changes=(Change(before=None, after=memory),), promotion=worth)


def _ended(claim: Claim, known: Sequence[Memory]) -> list[Memory]:
    """Return what a claim that something is over speaks of in other words: "제주 일주" of "4월에 제주 일주하기"."""
    if claim.act != "end" or claim.value is None:
        return []
    words = _words(claim.surface or claim.value)
    kinds = _AHEAD if claim.attribute in _AHEAD else {claim.attribute}
    return [
        memory
        for memory in known
        if memory.attribute in kinds
        and memory.polarity == "+"
        and words
        and sum(word in f"{memory.value} {memory.content}" for word in words) * 2 > len(words)
    ]


def _words(text: str) -> list[str]:
    """Return the words of a text that mean something by themselves, without most particles."""
    return [word[: max(2, len(word) - 1)] for word in text.split() if len(word) > 1]


def _already_over(claim: Claim, known: Sequence[Memory], beliefs: Beliefs, moment: Moment, policy: Policy) -> Decision:
    """Something that is over, nobody said since when: it is remembered as past and closes nothing."""
    same = next((memory for memory in known if repeats(claim, memory) and memory.invalid_at is not None), None)
    if same is not None:
        return _reinforced(claim, same, moment, policy)
    return _remembered(claim, _worth(claim, beliefs, policy, novelty=1.0), moment, policy)


def _resumed(claim: Claim, closing: Sequence[Memory]) -> Iterable[Change]:
    """What a claim interrupts, and does not end, goes on after it: 부산 for two days, then 서울 again."""
    end = claim.invalid_at
    if end is None or claim.act == "prefer":
        return
    for number, old in enumerate(closing):
        if old.invalid_at is None or old.invalid_at > end:
            after = replace(old, id=f"{claim.id}+{number}", version=1, valid_at=end, invalid_at=old.invalid_at)
            yield Change(before=None, after=after)


def excludes(claim: Claim | Memory, memory: Memory) -> bool:
    """Whether both cannot be true at once."""
    if claim.attribute is None or memory.attribute is None:
        return False
    schema = attribute(claim.attribute)
    both_positive = memory.polarity == claim.polarity == "+"
    if memory.attribute == claim.attribute:
        if memory.value == claim.value:
            return memory.polarity != claim.polarity
        return schema.single and both_positive and not names_a_pet(claim)
    return memory.value == claim.value and both_positive and schema.opposed_to(memory.attribute)


def repeats(claim: Claim | Memory, memory: Memory) -> bool:
    """Whether both say the same of an attribute: one of them is enough."""
    said = (claim.attribute, claim.value, claim.polarity)
    return claim.attribute is not None and said == (memory.attribute, memory.value, memory.polarity)


def _same(claim: Claim, known: Sequence[Memory], rivals: Sequence[Memory], start: datetime) -> Memory | None:
    """Return the memory that says the same: true at `start`, or later with nothing else in between; firm ones first."""
    rivals = [memory for memory in rivals if not memory.doubtful]
    for memory in sorted(known, key=attrgetter("doubtful")):
        if not repeats(claim, memory) or (memory.invalid_at is not None and memory.invalid_at <= start):
            continue
        between = (rival for rival in rivals if start < (rival.invalid_at or start) <= memory.valid_at)
        if not any(between):
            return memory
    return None


def _replaced(claim: Claim, known: Sequence[Memory], start: datetime) -> list[Memory]:
    """Return what "X more than Y" and "X, not Y" close: Y where it is named.

    Where it is not, preferring X closes the one other value, among likes the one of X's class; in doubt none.
    """
    if claim.act not in ("prefer", "correct"):
        return []
    others = [
        memory
        for memory in known
        if memory.attribute == claim.attribute
        and memory.polarity == "+"
        and memory.value != claim.value
        and memory.true_at(start)
    ]
    if claim.instead_of is not None:
        return [memory for memory in others if memory.value == claim.instead_of]
    others = [memory for memory in others if not memory.doubtful]
    if claim.attribute in _TASTES:
        others = [memory for memory in others if claim.value_class and memory.value_class == claim.value_class]
    return others if claim.act == "prefer" and len(others) == 1 else []


def _objection(claim: Claim, closing: Sequence[Memory], policy: Policy) -> Ignore | None:
    """Return why `claim` may not close what it would close."""
    if claim.outright:
        return None
    voice = claim.subject if claim.subject in ("user", "character") else claim.subject_id  # who speaks for the subject
    lifelong = claim.attribute is not None and attribute(claim.attribute).lifelong
    for memory in (each for each in closing if not each.doubtful):
        if claim.speaker != voice and memory.speaker == voice:
            return Ignore(claim=claim, why="knows_better")
        if claim.act != "end" and claim.certainty < policy.doubtful and memory.certainty >= policy.trusted:
            return Ignore(claim=claim, why="less_certain")
        if lifelong and claim.instead_of is None and claim.certainty < min(memory.certainty, policy.trusted):
            return Ignore(claim=claim, why="less_certain")
    return None


def _outranked(claim: Claim, rivals: Sequence[Memory], start: datetime) -> Ignore | None:
    """A model's reading gives way to what a person entered or confirmed, unless it was said later.

    When a person put something right is not known: that gives way to no model.
    """
    if claim.origin != "model":
        return None
    firm = (memory for memory in rivals if not memory.doubtful and (memory.origin in _ENTERED or memory.certainty >= 1))
    told = (memory for memory in firm if (memory.invalid_at or claim.invalid_at) is None)
    outranked = any(each.valid_at >= start or (each.origin == "person" and each.version > 1) for each in told)
    return Ignore(claim=claim, why="less_certain") if outranked else None


def _corrected(
    claim: Claim,
    wrong: Memory,
    closing: Sequence[Memory],
    later: Sequence[Memory],
    beliefs: Beliefs,
    moment: Moment,
    policy: Policy,
    worth: Promotion,
) -> Supersede:
    """What was wrong was never true; the right value takes its place in time, up to what speaks against it later."""
    end, closer = wrong.invalid_at, wrong.closed_by
    against = _first(later)
    if against is not None and (end is None or against.valid_at < end):
        end, closer = against.valid_at, against.id
    right = replace(_memory(claim, moment, policy), valid_at=wrong.valid_at, invalid_at=end, closed_by=closer)
    repointed = (Change(before=old, after=old.changed(closed_by=right.id)) for old in beliefs.closed_by(wrong.id))
    closed = (_closed(old, max(old.valid_at, right.valid_at), right.id) for old in closing if old != wrong)
    changes = (Change(before=None, after=right), _never_true(wrong, right.id), *repointed, *closed)
    return Supersede(claim=claim, changes=changes, promotion=worth)


def _reinforced(
    claim: Claim,
    memory: Memory,
    moment: Moment,
    policy: Policy,
    *,
    since: datetime | None = None,
    contested: bool = False,
) -> Reinforce:
    """Return `memory` said again by `claim`, which makes a doubtful one firm unless it is doubtful in the same turn."""
    strength = strength_now(memory, moment.turn_number, policy.fading) + policy.reinforcement
    after = memory.changed(
        strength=min(strength, 1.0),
        touched_turn=moment.turn_number,
        mentions=memory.mentions + 1,
        importance=max(memory.importance, claim.importance),
        certainty=max(memory.certainty, claim.certainty),
        emotion_intensity=max(memory.emotion_intensity, claim.emotion_intensity),
        valid_at=min(memory.valid_at, since) if since else memory.valid_at,
        origin=claim.origin if memory.origin == "model" else memory.origin,
        sources=_with_source(memory.sources, claim.source_id),
        **learned_of_pet(memory, claim),
    )
    said_before = claim.source_id in memory.sources or moment.turn_number <= memory.touched_turn
    unsure = claim.doubtful and (said_before or claim.origin == "model")
    if memory.doubtful and not contested and not unsure:
        after = confirmed(after)
    return Reinforce(claim=claim, changes=(Change(before=memory, after=with_imported_counts(after, claim.brought)),))


def contested(wrong: Memory, beliefs: Beliefs) -> tuple[Change, ...]:
    """Return what changes when a model holds wrong what was read: it stays, in doubt, and what it closed goes on.

    What a person entered or confirmed stays as it is.
    """
    if wrong.hidden or wrong.doubtful or wrong.origin in _ENTERED or wrong.certainty >= 1:
        return ()
    doubted = Change(before=wrong, after=wrong.changed(doubtful=True, pinned=False))
    return (doubted, *_reopened([wrong], beliefs))


def confirmed(memory: Memory) -> Memory:
    """Return a doubtful memory as a firm one of the same version, pinned if its attribute is."""
    firm = replace(memory, doubtful=False)
    return replace(firm, pinned=pinned(firm))


def _closed(memory: Memory, at: datetime, by: str) -> Change:
    return Change(before=memory, after=memory.changed(invalid_at=at, closed_by=by))


def _never_true(memory: Memory, by: str) -> Change:
    return Change(before=memory, after=memory.changed(retracted=True, closed_by=by))


def _worth(claim: Claim, beliefs: Beliefs, policy: Policy, *, novelty: float) -> Promotion:
    heard = beliefs.times_heard(claim.saying)
    return promotion(claim, heard_before=heard, novelty=novelty, weights=policy.promotion_weights)


def _from(claim: Claim, moment: Moment) -> datetime:
    return claim.valid_at or moment.at


def _memory(
    claim: Claim, moment: Moment, policy: Policy, *, importance: float | None = None, next_one: Memory | None = None
) -> Memory:
    """Return the memory that `claim` becomes; `next_one` is the newer truth that ends it, if there is one."""
    if next_one and claim.invalid_at and claim.invalid_at <= next_one.valid_at:
        next_one = None  # it ended by itself
    memory = Memory(
        **{name: getattr(claim, name) for name in _STATED},
        importance=claim.importance if importance is None else importance,
        kind=_kind(claim),
        touched_turn=moment.turn_number,
        valid_at=_from(claim, moment),
        invalid_at=next_one.valid_at if next_one else claim.invalid_at,
        closed_by=next_one.id if next_one else None,
        known_at=moment.at,
        recorded_at=moment.recorded_at,
        pinned=pinned(claim),
        sources=_with_source((), claim.source_id),
        channel=moment.channel,
        pii_flags=policy.flags(claim.findable if claim.value is None else f"{claim.findable} {claim.value}"),
    )
    return with_imported(memory, claim.brought)


def _kind(claim: Claim) -> Kind:
    if claim.attribute is not None and claim.attribute not in _EPISODIC_ATTRIBUTES:
        return "semantic"
    if claim.emotion_intensity >= _STRONG_FEELING:
        return "emotional"
    return "episodic" if claim.attribute is not None or claim.content_type in _EPISODIC_TYPES else "semantic"


def _with_source(sources: tuple[str, ...], source_id: str | None) -> tuple[str, ...]:
    return sources if source_id is None or source_id in sources else (*sources, source_id)
