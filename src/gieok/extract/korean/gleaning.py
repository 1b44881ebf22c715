"""What the rules leave lying: a small learned reader over the phrases that an utterance offers as values.

For every attribute, the offers and "none of them" share out one probability, by a linear look at what is seen of them
and around them (`surroundings.py`). `tools/train_spans.py` learns it. Only what it is sure of is told on.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from importlib.resources import files
from itertools import accumulate, chain
from typing import Final

import numpy as np
from numpy.typing import NDArray

from gieok.domain.attributes import attribute
from gieok.domain.claim import Claim
from gieok.domain.memory import Background
from gieok.extract.korean.birthdays import BIRTHDAY
from gieok.extract.korean.offers import Offer, morphemes_of, offers
from gieok.extract.korean.parting import parts_read
from gieok.extract.korean.patterns import patterns
from gieok.extract.korean.reading import Finding
from gieok.extract.korean.standing import holds
from gieok.extract.korean.surroundings import (
    beside,
    kinds_of,
    read_as,
    seen_in_all,
    seen_in_part,
    seen_of,
    with_families,
)
from gieok.extract.korean.telling import Part
from gieok.extract.korean.tidying import tidied
from gieok.extract.korean.values import Value, name
from gieok.extract.korean.whose import Speaking

Floats = NDArray[np.float32]
Steps = NDArray[np.int8]

OPEN: Final = (
    "name nickname age birth_year birthday job workplace major school hometown residence blood_type mbti height weight "
    "nationality religion allergy phobia medical_condition medication contraindication diet pet friend likes dislikes "
    "favorite.food favorite.color favorite.season favorite.movie favorite.music favorite.book favorite.game hobby "
    "exercise part_time_job skill dream family"
).split()  #: whose value is one of the words said
CLOSED: Final = (
    "handedness=왼손잡이 handedness=오른손잡이 handedness=양손잡이 gender=남성 gender=여성 relationship_status=솔로 "
    "relationship_status=연애중 relationship_status=기혼 relationship_status=이혼 relationship_status=썸 family=외동 "
    "family=막내"
).split()  #: whose value may not be said at all
CLASSES: Final = (*OPEN, *CLOSED)
SHARED, KNOWN = len(CLASSES), len(CLASSES) + 1  #: columns of the weights behind the classes
_TYPED: Final = {
    "age": "age", "birth_year": "birth_year", "birthday": "month_day", "mbti": "mbti", "blood_type": "blood",
    "height": "height", "weight": "weight", "favorite.season": "season", "favorite.color": "color", "name": "name",
}  # fmt: skip
_TYPED_AT: Final = tuple((CLASSES.index(key), kind) for key, kind in _TYPED.items())
_LONGEST: Final = 200  #: letters that are looked at together
_MOST: Final = 20  #: stretches of a long text
_END: Final = re.compile(r"(?<=[.!?…\n])\s+")
#: 고기를 못 먹어: a diet without it
_LEFT_OUT: Final = re.compile(r"(?:을|를|은|는|도)?\s*(?:[가-힣]{1,3}\s)?(?:못|안)\s?(?:먹|마시|마셔|드)")
_BARRED: Final = re.compile(r"면\s?안\s?(?:되|돼|된|될|됩)")  #: 페니실린 쓰면 안 된대요
_ALLERGIC: Final = re.compile(r"알레르기|알러지")
_DIET: Final = CLASSES.index("diet")
_SURE_ENOUGH: Final = 0.15  #: where the words themselves say that something is left out
#: 개발자네 멋지다: of somebody else, as long as nobody says "I"
_MARVELLED_AT: Final = re.compile(r"(?:이|인가|시)?(?:네|구나|군|구만)(?:요)?(?!\w)")
_UNDER_WAY: Final = re.compile(r"출장|여행|놀러|휴가|면접|견학|당일치기")
_PLACES: Final = frozenset("residence hometown workplace school".split())
_TELLING: Final = frozenset({"statement", "fragment", "hypothetical"})  #: -ㄹ and -면 lead up to what is told
_ANYBODY: Final = frozenset({"사람", "사람들", "분", "분들", "애들"})
PEOPLE: Final = frozenset({"name", "nickname", "friend", "pet"})
_ME: Final = frozenset({"나", "저"})
#: 못 먹어, 안 마셔: what is told of by what somebody does not do
_BY_NOT_DOING: Final = frozenset("allergy phobia medical_condition contraindication diet dislikes".split())
_DESCRIBING: Final = frozenset({"ㄴ", "은", "는", "던"})
_FAR: Final = -1e9
#: A bare figure, letter or day is a measure of somebody only where a word of measuring stands.
_MEASURES: Final = {
    "height": re.compile(r"키|cm|㎝|센[치티]|미터", re.IGNORECASE),
    "weight": re.compile(r"kg|㎏|[킬키]로|몸무게|체중", re.IGNORECASE),
    "age": re.compile(r"살|세|나이|학년|대|띠|년생|연차"),
    "birth_year": re.compile(r"년|생|태어|출생|띠"),
    "birthday": re.compile(rf"{BIRTHDAY.pattern}|탄생|축하|케이크|상을?\s?차려"),
    "blood_type": re.compile(r"형|혈액|피|헌혈"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Old:
    """A value that is known and mentioned."""

    attribute: str
    value: str
    surface: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """One utterance as it is weighed: its offers, and what is seen of each and of all."""

    text: str
    offers: tuple[Offer, ...]
    everywhere: tuple[str, ...]
    around: tuple[tuple[str, ...], ...]  #: for each clause
    near: tuple[tuple[str, ...], ...]  #: for each offer
    old: tuple[tuple[str, int], ...] = ()  #: attributes whose known value is mentioned, and which offer it is

    def said(self, offer: int) -> str:
        return self.text[self.offers[offer].start : self.offers[offer].end].strip()


def look_at(text: str, parts: Sequence[Part], asked: str = "", known: Iterable[Old] = ()) -> Look:
    """Return what is seen in `text`."""
    said = morphemes_of(text, parts)
    offered = offers(text, said)
    own = [text[offer.start : offer.end].strip() for offer in offered]
    old = [
        (each.attribute, place)
        for each in known
        for place, value in enumerate(own)
        if value in (each.surface, each.value)
    ]
    given_up = [offered[place] for _, place in old]
    return Look(
        text=text,
        offers=tuple(offered),
        everywhere=with_families(seen_in_all(parts, said, asked)),
        around=tuple(with_families(seen_in_part(part)) for part in parts),
        near=tuple((*with_families(seen_of(offer, text, parts, said)), *beside(offer, given_up)) for offer in offered),
        old=tuple(old),
    )


def value_of(key: str, said: str) -> Value | None:
    """Return `said` as a value of the attribute `key`."""
    if key in _TYPED:
        return read_as(_TYPED[key], said)
    pattern = patterns().by_attribute.get(key)
    kind = pattern.value if pattern is not None else "noun"
    read = read_as(kind, said) if kind not in ("noun", "name") else None
    return read if read is not None else read_as("noun", said)


@dataclass(frozen=True, slots=True, kw_only=True)
class Gleaner:
    """What was learned."""

    names: Mapping[str, int]  #: rows of the weights
    weights: Floats | Steps  #: a column for each class, then what counts for all and where a known value is mentioned
    bias: Floats
    least: Floats  #: how sure each class must be
    step: Floats | float = 1.0  #: how much one is, in each column of weights that are kept as steps

    def columns(self, look: Look) -> Floats:
        """Return the sums of weights for each offer, and in the last row for the utterance itself."""
        sums = self._sums((look.everywhere, *look.around, *look.near))
        everywhere, around, near = sums[:1], sums[1 : 1 + len(look.around)], sums[1 + len(look.around) :]
        offered = near + around[[offer.part for offer in look.offers]] + everywhere if look.offers else near
        return np.concatenate((offered, everywhere))

    def _sums(self, groups: Sequence[Iterable[str]]) -> Floats:
        """Return the weights of the names in each of `groups`, added up."""
        known = self.names
        rows = [[row for row in map(known.get, names) if row is not None] for names in groups]
        filled = [place for place, own in enumerate(rows) if own]
        summed: Floats = np.zeros((len(rows), self.weights.shape[1]), dtype=np.float32)
        if filled:
            starts = list(accumulate((len(rows[place]) for place in filled[:-1]), initial=0))
            all_rows = self.weights[list(chain.from_iterable(rows))]
            summed[filled] = np.add.reduceat(all_rows, starts, axis=0, dtype=np.float32) * self.step
        return summed

    def shares(self, look: Look) -> Floats:
        """Return the probability of each offer (and of the utterance) for each class."""
        return shared_out(self.columns(look), look, self.bias)

    def gleaned(self, look: Look) -> Iterator[tuple[str, Value, int]]:
        """Yield the attributes that are told of, with their values and where these stand."""
        shares, least = self.shares(look), self.least.copy()
        if _LEFT_OUT.search(look.text):
            least[_DIET] = min(least[_DIET], _SURE_ENOUGH)
        for place in np.flatnonzero(shares.sum(axis=0) >= least).tolist():
            key, _, closed = CLASSES[place].partition("=")
            best = int(shares[:, place].argmax())
            if closed:
                yield key, Value(value=closed, shown=closed, surface=closed), 0
                continue
            near = [number for number, other in enumerate(look.offers) if other.overlaps(look.offers[best])]
            value = value_of(key, look.said(best))
            if value is not None and shares[near, place].sum() >= least[place]:
                yield key, value, look.offers[best].start


def shared_out(columns: Floats, look: Look, bias: Floats) -> Floats:
    """Return the sums of weights as probabilities: for each class, the offers and "none" make one together."""
    scores = columns[:, : len(CLASSES)] + columns[:, SHARED : SHARED + 1] + bias
    for key in {key for key, _ in look.old if key in OPEN}:
        scores[:, CLASSES.index(key)] += columns[:, KNOWN]
    scores[:-1, len(OPEN) :] = _FAR
    scores[-1, : len(OPEN)] = _FAR
    for place in range(len(look.offers)):
        scores[place, _unfit(look.said(place))] = _FAR
    for key, place in look.old:
        if key in OPEN:
            scores[place, CLASSES.index(key)] = _FAR  # what is known needs no second telling
    top = np.maximum(scores.max(axis=0), 0.0)
    shares = np.exp(scores - top)
    shares /= shares.sum(axis=0) + np.exp(-top)
    return np.asarray(shares, dtype=np.float32)


@lru_cache(maxsize=1024)
def _unfit(said: str) -> list[int]:
    """The classes that take a certain kind of value, and not this one."""
    kinds = kinds_of(said)
    return [at for at, kind in _TYPED_AT if f"r:{kind}" not in kinds and (kind != "name" or name(said) is None)]


@cache
def gleaner() -> Gleaner:
    """Return what was learned, loaded when first asked for."""
    with files(__package__).joinpath("spans.npz").open("rb") as opened, np.load(opened) as learned:
        return Gleaner(
            names={name: place for place, name in enumerate(str(learned["names"]).split("\n"))},
            weights=learned["weights"],
            bias=learned["bias"],
            least=learned["least"],
            step=learned["steps"],
        )


def left_lying(
    text: str, speaking: Speaking, asked: str, known: Background, read: Sequence[Claim]
) -> Iterator[Finding]:
    """Yield what `text` tells of attributes that nothing was `read` of."""
    mine = {claim.attribute for claim in read if claim.subject == "user"}
    values = {_plain(claim.value or "") for claim in read}
    old = [
        Old(attribute=each.attribute, value=each.value, surface=each.surface or each.value)
        for each in known.mentioned
        if each.attribute is not None and each.value is not None
    ]
    spoken_of = {each.attribute for each in old}
    for stretch in _stretches(text):
        parts = parts_read(stretch, speaking)
        if all(part.closes == "question" for part in parts):
            continue
        look = look_at(stretch, parts, asked, old)
        for key, value, place in gleaner().gleaned(look):
            if key in PEOPLE and value.value in patterns().by_label:
                continue  # 내 친구 직업이 소방관이야
            if _is_elsewhere(key, stretch) or (
                _MARVELLED_AT.match(stretch, place + len(value.surface)) and not _says_i(parts)
            ):
                continue
            measured = key not in _MEASURES or _MEASURES[key].search(asked + stretch) or key in spoken_of
            if measured and _own(parts, place, key) and key not in mine and _plain(value.value) not in values:
                mine.add(key)
                if key == "diet" and _LEFT_OUT.match(stretch, place + len(value.surface)):
                    value = replace(value, value=f"{value.value} 제외", shown=f"{value.shown} 제외")
                tidy = tidied(Finding(attribute=key, value=value.value, shown=value.shown, surface=value.surface))
                gone = _replaced(key, old, look)
                if tidy is not None:
                    yield tidy if gone is None else replace(tidy, act="prefer", instead_of=gone)


def _is_elsewhere(key: str, text: str) -> bool:
    """Whether the words speak of a journey, or say that something is barred, and not why."""
    if key in _PLACES:
        return _UNDER_WAY.search(text) is not None  # 서울에서 부산으로 출장 가는 중
    return key == "allergy" and _BARRED.search(text) is not None and _ALLERGIC.search(text) is None


def _own(parts: Sequence[Part], at: int, key: str) -> bool:
    """Whether all clauses around a place tell of the speaker, and none asks, orders, only reports or is undone."""
    before: Part | None = None
    for part, following in zip(parts, (*parts[1:], None), strict=True):
        if part.clause.start <= at < part.clause.end:
            if part.about is None or part.about.subject != "user" or part.mood not in _TELLING:
                return False
            if part.clause.head in _ANYBODY and not _says_i(parts):
                return False  # 땅콩 알레르기 있는 사람은 조심해야 돼
            if not holds(part.clause, following.clause if following is not None else None):
                return False
            if _is_denied(part, following, key) or _is_another(before, at, key) or _is_a_things(part, key):
                return False
        before = part
    return True


def _says_i(parts: Sequence[Part]) -> bool:
    return any(phrase.pronoun in _ME for part in parts for phrase in part.clause.phrases)


def _is_denied(part: Part, following: Part | None, key: str) -> bool:
    """Whether it is said not to be so, or only wished for: 포토샵 다룰 줄 몰라, 별명이 감자였으면 좋겠다."""
    does = part.clause.predicate
    if does is not None and does.negated:
        return does.past or key not in _BY_NOT_DOING
    after = following.clause.predicate if following is not None else None
    return part.closes == "wish" or (after is not None and after.lemma == "모르다")


def _is_another(before: Part | None, at: int, key: str) -> bool:
    """Whether a clause before tells who is meant, or that it was once so: 어제 전화 온 최다은이에요, 좋아하던 영화."""
    if before is None or before.ending not in _DESCRIBING:
        return False
    return before.ending == "던" or (key == "name" and at - before.clause.end in (0, 1))


def _is_a_things(part: Part, key: str) -> bool:
    """책상이 150cm야: something else has that measure."""
    if key not in ("height", "weight", "age"):
        return False
    having = (phrase for phrase in part.clause.phrases if phrase.has("이", "가") and phrase.pronoun is None)
    return any(phrase.words[-1] not in patterns().by_label for phrase in having)


def _stretches(text: str) -> Sequence[str]:
    if len(text) <= _LONGEST:
        return (text,)
    return [sentence[:_LONGEST] for sentence in _END.split(text)[:_MOST]]


def _plain(value: str) -> str:
    return value.replace(" ", "").casefold()


def _replaced(key: str, old: Sequence[Old], look: Look) -> str | None:
    """A new value of what holds one value at a time takes the place of the known one that is mentioned."""
    if not attribute(key).single or all(mentioned != key for mentioned, _ in look.old):
        return None
    return next((each.value for each in old if each.attribute == key), None)
