"""Clauses: who or what, with which particles, and what is said of it.

A shallow reading over morphemes, enough to ask "is the predicate 좋아하다, and what is its object?".
What stands in quotation marks or between asterisks is somebody else's words or a stage direction and is left out.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Final, Literal

from gieok.language.cache import cached_by_text
from gieok.language.data_files import WordSets
from gieok.language.morphemes import Morpheme, analyse, corrected, corrected_morphemes

_SETS: Final = WordSets("word_sets.toml", "clauses")

_NOUN_TAGS: Final = frozenset({"NNG", "NNP", "NNB", "NR", "SN", "SL", "SH", "XPN", "XSN", "XR", "NP", "W_SERIAL"})
_STEM_TAGS: Final = frozenset({"VV", "VA", "VX", "VCP", "VCN"})
_MARKS: Final = frozenset({"SF", "SP", "SS", "SSO", "SSC", "SE", "SO", "SW", "W_EMOJI", "W_EMOTICON"})
_NEVER: Final = sys.maxsize
_MOST_PHRASES: Final = 24
_MOST_MORPHEMES: Final = 120
_ASIDE: Final = re.compile(
    r"\*[^*\n]{1,2000}\*|“[^“”\n]{1,2000}”|\"[^\"\n]{1,2000}\"|‘[^‘’\n]{1,2000}’|(?<![A-Za-z])'[^'\n]{2,2000}'"
)
Form = Literal["verb", "adjective", "copula", "not"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Phrase:
    """A noun phrase and the particle it ends in."""

    words: tuple[str, ...]  #: written words, without the particle
    morphemes: tuple[Morpheme, ...]
    particles: tuple[str, ...] = ()  #: ("에", "는"); () where none was written
    owner: str | None = None  #: 나, 저, 우리 … of "내 동생"
    pointed: bool = False  #: 이, 그 or 저 stands before it
    adnominal: tuple[Morpheme, ...] = ()  #: 따뜻한 of "따뜻한 사람"

    @property
    def pronoun(self) -> str | None:
        only = self.morphemes[0] if len(self.morphemes) == 1 else None
        return only.form if only is not None and only.tag == "NP" else None

    @property
    def modifier(self) -> str | None:
        """The dictionary form of the verb that modifies it: 좋아하다 of "좋아하는 음식"."""
        stem = [part.form for part in self.adnominal if part.tag in ("VV", "VA", "XSV", "XSA", "NNG", "XR", "VCP")]
        return "".join(stem) + "다" if stem else None

    def has(self, *particles: str) -> bool:
        return any(particle in particles for particle in self.particles)


@dataclass(frozen=True, kw_only=True)
class Predicate:
    """What is said: the dictionary form, and the endings that follow it."""

    lemma: str  #: "이다" for a noun predicate
    form: Form
    stem: tuple[Morpheme, ...]
    tail: tuple[Morpheme, ...]  #: endings and auxiliary verbs
    negated: bool

    @cached_property
    def auxiliaries(self) -> frozenset[str]:
        return frozenset(part.lemma for part in self.tail if part.tag == "VX")

    @cached_property
    def endings(self) -> tuple[str, ...]:
        return tuple(part.form for part in self.tail if part.tag in ("EF", "EC", "ETN", "ETM"))

    @cached_property
    def past(self) -> bool:
        said = next((at for at, part in enumerate(self.tail) if part.form in _SETS.quoting), len(self.tail))
        return any(part.tag == "EP" and part.form in ("었", "았", "였", "었었", "았었") for part in self.tail[:said])

    @property
    def reported(self) -> str | None:
        """The verb of saying after -라고: 부르다 of "감자라고 불러"."""
        for quoting, saying in zip(self.tail, self.tail[1:], strict=False):
            if quoting.form in _SETS.quoting:
                return saying.lemma
        return None


@dataclass(frozen=True, slots=True, kw_only=True)
class Clause:
    """One predicate with its phrases, or a sentence without a predicate."""

    phrases: tuple[Phrase, ...]
    predicate: Predicate | None
    adverbs: tuple[str, ...]
    morphemes: tuple[Morpheme, ...]
    ends_with: str  #: the mark after it: "?", "!", "." or ""
    final: bool  #: whether a sentence ends here
    head: str | None = None  #: for a modifying clause: the noun it modifies (지 of "일한 지")
    start: int
    end: int


@dataclass(slots=True)
class _Draft:
    """A clause while it is being read."""

    phrases: list[Phrase] = field(default_factory=list)
    adverbs: list[str] = field(default_factory=list)
    words: list[list[Morpheme]] = field(default_factory=list)
    stem: list[Morpheme] = field(default_factory=list)
    tail: list[Morpheme] = field(default_factory=list)
    adnominal: list[Morpheme] = field(default_factory=list)
    all: list[Morpheme] = field(default_factory=list)
    owner: str | None = None
    pointed: bool = False

    def close_phrase(self, particles: Sequence[str] = ()) -> None:
        if not self.words:
            return
        self.phrases.append(
            Phrase(
                words=tuple("".join(part.form for part in word) for word in self.words),
                morphemes=tuple(part for word in self.words for part in word),
                particles=tuple(particles),
                owner=self.owner,
                pointed=self.pointed,
                adnominal=tuple(self.adnominal),
            )
        )
        self.words, self.adnominal, self.owner, self.pointed = [], [], None, False

    def clause(self, mark: str, *, final: bool, head: str | None = None) -> Clause | None:
        predicate = self.predicate()
        self.close_phrase()
        if not self.phrases and predicate is None:
            return None
        heard = self.all[-_MOST_MORPHEMES:]
        read = [part for part in heard if part.tag not in _MARKS]
        return Clause(
            phrases=tuple(self.phrases),
            predicate=predicate,
            adverbs=tuple(self.adverbs),
            morphemes=tuple(heard),
            ends_with=mark,
            final=final,
            head=head,
            start=min((part.start for part in read), default=0),
            end=max((part.end for part in read), default=0),
        )

    def predicate(self) -> Predicate | None:
        if not self.stem:
            return None
        last = self.stem[-1]
        form: Form = "verb"
        if last.tag == "VCN":
            form = "not"
        elif last.tag == "VCP":
            form = "copula"
        elif last.tag in ("VA", "XSA"):
            form = "adjective"
        said = next((at for at, part in enumerate(self.tail) if part.form in _SETS.quoting), len(self.tail))
        refusing = any(part.tag == "VX" and part.lemma in ("않다", "못하다", "말다") for part in self.tail[:said])
        negated = refusing or form == "not" or bool({"안", "못"} & set(self.adverbs[-2:]))
        lemma = "이다" if form == "copula" else "".join(part.form for part in self.stem) + "다"
        return Predicate(lemma=lemma, form=form, stem=tuple(self.stem), tail=tuple(self.tail), negated=negated)


@cached_by_text
def clauses(text: str) -> tuple[Clause, ...]:
    """Return the clauses of `text` in order; a modifying clause comes right before the one it modifies a noun of."""
    asides = [match.span() for match in _ASIDE.finditer(text)]
    if not asides:
        return tuple(_read(corrected_morphemes(text)))
    return tuple(_read(tuple(corrected(tuple(_own_words(analyse(text), asides))))))


def _own_words(morphemes: Sequence[Morpheme], asides: Sequence[tuple[int, int]]) -> Iterator[Morpheme]:
    left = iter(asides)
    start, end = next(left)
    for morpheme in morphemes:
        while end <= morpheme.start:
            start, end = next(left, (_NEVER, _NEVER))
        if morpheme.start < start:
            yield morpheme


def _read(morphemes: Sequence[Morpheme]) -> Iterator[Clause]:
    draft = _Draft()
    for i, part in enumerate(morphemes):
        following = morphemes[i + 1] if i + 1 < len(morphemes) else None
        before = morphemes[i - 1] if i else None
        draft.all.append(part)
        ending = _take(draft, part, before, following)
        if part.tag == "ETM" and draft.stem:
            yield from _modifying(draft, following)
        if ending is None and (len(draft.phrases) > _MOST_PHRASES or len(draft.all) > _MOST_MORPHEMES):
            ending = ""  # nobody says that much in one breath; rules look at every pair of phrases and words
        if ending is None:
            continue
        mark = following.form[0] if following is not None and following.tag == "SF" else ""
        clause = draft.clause(mark or ending, final=part.tag in ("EF", "SF") or following is None)
        if clause is not None:
            yield clause
        draft = _Draft()
    last = draft.clause("", final=True)
    if last is not None:
        yield last


def _modifying(draft: _Draft, following: Morpheme | None) -> Iterator[Clause]:
    """Yield the clause that modifies the next noun, and leave in `draft` what the main clause still needs."""
    own = _copied(draft)
    clause = own.clause("", final=False, head=following.form if following is not None else None)
    if clause is not None:
        yield clause
    draft.phrases = [phrase for phrase in draft.phrases if phrase.pronoun or set(phrase.particles) & _SETS.topics]
    draft.adnominal = [*own.stem, *own.tail]  # as `own` read them: 좋 + 어 + 하 is 좋아하다
    draft.stem, draft.tail, draft.adverbs = [], [], []


def _copied(draft: _Draft) -> _Draft:
    return replace(
        draft,
        phrases=list(draft.phrases),
        adverbs=list(draft.adverbs),
        words=list(draft.words),
        stem=list(draft.stem),
        tail=list(draft.tail),
        adnominal=list(draft.adnominal),
        all=list(draft.all),
    )


def _take(draft: _Draft, part: Morpheme, before: Morpheme | None, following: Morpheme | None) -> str | None:
    """Read one morpheme into `draft`; return the mark (or "") when a clause ends with it."""
    tag = part.tag
    if tag in _MARKS:
        return _mark(draft, part)
    if tag.startswith("E"):
        return _ending(draft, part, following)
    if tag in ("XSV", "XSA"):
        _verb_of(draft, part, before)
    elif tag in _NOUN_TAGS:
        _noun(draft, part, before)
    elif tag in _STEM_TAGS:
        _stem(draft, part)
    elif tag == "MM":
        _determiner(draft, part, before, following)
    elif tag.startswith("J"):
        _particle(draft, part, before)
    elif tag == "MAG":
        draft.close_phrase()
        draft.adverbs.append(part.form)
    return None


def _mark(draft: _Draft, part: Morpheme) -> str | None:
    ends = part.tag == "SF" or (part.tag == "SP" and part.form in (",", "/", ";"))
    sighs = part.tag in ("SW", "W_EMOJI", "W_EMOTICON") and not draft.stem and (draft.words or draft.phrases)
    return part.form[0] if ends or sighs else None


def _determiner(draft: _Draft, part: Morpheme, before: Morpheme | None, following: Morpheme | None) -> None:
    if part.form in ("이", "그", "저"):
        draft.pointed = True
    elif part.form in ("제", "내", "네", "우리"):
        draft.close_phrase()
        draft.owner = "나" if part.form in ("제", "내") else part.form
    elif following is not None and following.tag in ("NNB", "NNG"):
        _noun(draft, replace(part, tag="NR"), before)  # 열두 살, 두 마리


def _noun(draft: _Draft, part: Morpheme, before: Morpheme | None) -> None:
    touching = before is not None and before.end >= part.start
    if draft.words and touching and draft.words[-1][-1].tag != "NP":
        draft.words[-1].append(part)
        return
    last = draft.words[-1][-1] if draft.words else None
    if last is not None and (last.tag == "NP" or part.tag == "NP" or last.form in _SETS.time_nouns):
        draft.close_phrase()
    draft.words.append([part])


def _verb_of(draft: _Draft, part: Morpheme, before: Morpheme | None) -> None:
    """일 + 하 is 일하다: the noun leaves its phrase and becomes the stem; so does the adverb of 꼼꼼하다."""
    if not draft.words:
        if before is not None and before.tag == "MAG" and draft.adverbs:
            draft.adverbs.pop()
            draft.stem, draft.tail = [before, part], []
        return
    noun = draft.words.pop()
    draft.close_phrase()
    draft.stem, draft.tail = [*noun, part], []


def _owner(draft: _Draft) -> None:
    if draft.words and draft.words[-1][-1].tag == "NP":
        owner = draft.words.pop()[-1].form
        draft.close_phrase()
        draft.owner = {"저": "나"}.get(owner, owner)


def _particle(draft: _Draft, part: Morpheme, before: Morpheme | None) -> None:
    if part.tag == "JKG":
        _owner(draft)
    elif draft.words:
        draft.close_phrase((part.form,))
    elif draft.phrases and before is not None and before.tag.startswith("J"):
        last = draft.phrases.pop()
        draft.phrases.append(replace(last, particles=(*last.particles, part.form)))


def _stem(draft: _Draft, part: Morpheme) -> None:
    goes_on = draft.tail and draft.tail[-1].form in _SETS.quoting
    if draft.stem and (part.tag == "VX" or goes_on):
        draft.tail.append(part)
        return
    moving = part.form in ("오", "가") and draft.words and draft.words[-1][-1].form == "이사"
    noun = draft.words.pop() if moving else []
    draft.close_phrase()
    draft.stem, draft.tail = [*noun, part], []


def _ending(draft: _Draft, part: Morpheme, following: Morpheme | None) -> str | None:
    if not draft.stem and draft.words and part.tag in ("EF", "EC"):
        draft.close_phrase()  # 초코야: the copula melts away after a vowel
        draft.stem = [Morpheme(form="이", tag="VCP", start=part.start, end=part.start, lemma="이다")]
    draft.tail.append(part)
    if part.tag == "EF":
        return ""
    if part.tag in ("EC", "ETN") and draft.stem and not _goes_on(part, following):
        return ""
    return None


def _goes_on(part: Morpheme, following: Morpheme | None) -> bool:
    """Whether the predicate continues after an ending: 키우고 싶다, 좋아하지 않다, 민수라고 하다, 맡기 싫다."""
    if following is None or (part.tag == "EC" and following.form == "요"):
        return False  # 부모님 댁이고요 저는 마포 살아요
    if part.tag == "ETN" and part.form != "기":
        return following.tag.startswith(("J", "VC", "X"))  # 직업 바뀜 개발자임
    if part.tag == "ETN":
        return following.tag not in ("SF", "SW", "SP")
    return following.tag in ("VX", "JX", "EP", "EF") or (part.form in _SETS.quoting and following.lemma in _SETS.saying)


Role = Literal["subject", "object", "with", "to", "cause", "thanks", "beside"]
_Sort = Literal["feeling", "attitude", "conduct", "together"]

_SORTS: Final[tuple[_Sort, ...]] = ("feeling", "attitude", "conduct", "together")
_WORDS: Final = WordSets("regard.ko.toml", "words")
_OF_SORT: Final = {sort: WordSets("regard.ko.toml", sort) for sort in _SORTS}
_FELT: Final = 0.6
_STRONG: Final = 0.8
_NOT_GOOD: Final = -0.6
_NOT_BAD: Final = 0.3  #: who does not lie is not yet praised
_THANKS: Final = 0.6
_ROLES: Final[dict[str, Role]] = {
    **dict.fromkeys("이 가 은 는 ㄴ 께서 도 만 까지 마저 조차 야말로 이야말로".split(), "subject"),
    **dict.fromkeys("을 를 ㄹ".split(), "object"),
    **dict.fromkeys("랑 이랑 와 과 하고".split(), "with"),
    **dict.fromkeys("한테 에게 께 더러 보고 한테서 에게서".split(), "to"),
}
_COUNTS: Final[dict[_Sort, frozenset[Role]]] = {
    "feeling": frozenset({"subject", "to", "cause"}),
    "attitude": frozenset({"object"}),
    "conduct": frozenset({"subject", "cause"}),
    "together": frozenset({"with", "to"}),
}
_HEARSAY: Final = (("대",), ("대요",), ("ㄴ대",), ("는대",), ("래",), ("다고",))


def role_of(phrase: Phrase, place: int) -> Role:
    """Return what the person who is the `place`th word of `phrase` is in its clause."""
    after = phrase.words[place + 1 :]
    if after and after[-1] in _WORDS.thanks_to:
        return "thanks"
    if after:
        return "cause" if after[-1] in _WORDS.of_them else "beside"
    return _ROLES.get(phrase.particles[0], "beside") if phrase.particles else "subject"


def regard(clause: Clause, role: Role, phrase: Phrase | None = None) -> float:
    """Return from -1 to 1 how `clause` speaks of the one who has `role` in it; `phrase` is where they stand."""
    if role == "thanks":
        return _THANKS
    predicate = clause.predicate
    if predicate is None or role == "beside" or clause.ends_with.startswith("?") or _supposed(predicate):
        return 0.0
    if role in ("subject", "object") and predicate.lemma == "보다" and "싶다" in predicate.auxiliaries:
        return 0.0 if predicate.negated else _STRONG
    if clause.head is not None and clause.head not in _SETS.abstract:
        return 0.0  # 민지가 싫은 날: what is disliked is not told
    if "싶다" in predicate.auxiliaries or "싶어하다" in predicate.auxiliaries:
        return 0.0
    for said in _said(clause, predicate, phrase):
        for sort in _SORTS:
            good, bad = said in _OF_SORT[sort].good, said in _OF_SORT[sort].bad
            if (good or bad) and _counts(sort, role, clause, phrase):
                valence = 1.0 if good else -1.0
                strong = any(adverb in _WORDS.stronger for adverb in clause.adverbs)
                if predicate.negated:
                    return _NOT_GOOD if valence > 0 else _NOT_BAD
                return valence * (_STRONG if strong else _FELT)
    return 0.0


def regard_before(phrase: Phrase) -> float:
    """Return how the words before somebody speak of them: 얄미운 동생, 고마운 민지 씨."""
    told = phrase.modifier
    if told is None or any(part.tag in ("VX", "VCN") for part in phrase.adnominal):
        return 0.0
    good = any(told in _OF_SORT[sort].good for sort in ("feeling", "conduct"))
    bad = any(told in _OF_SORT[sort].bad for sort in ("feeling", "conduct"))
    return _FELT if good else -_FELT if bad else 0.0


def feeling_only(clause: Clause) -> float:
    """Return how a clause that names nobody speaks of whoever was just named: 완전 고마워, 너무 화나."""
    if any(phrase.pronoun is not None and phrase.pronoun not in _SETS.me for phrase in clause.phrases):
        return 0.0
    if clause.predicate is not None and clause.predicate.lemma == "좋다":
        return 0.0  # 연락해 보는 게 좋겠어
    return regard(clause, "cause")


def is_idiom(phrase: Phrase, clause: Clause) -> bool:
    """Whether a phrase is one word with the verb: 화를 of 화를 내."""
    said = phrase.words[-1] + clause.predicate.lemma if clause.predicate is not None else ""
    return any(said in words for sort in _SORTS for words in (_OF_SORT[sort].good, _OF_SORT[sort].bad))


def _supposed(predicate: Predicate) -> bool:
    return predicate.endings[-1:] != () and predicate.endings[-1] in _SETS.conditional


def _said(clause: Clause, predicate: Predicate, phrase: Phrase | None) -> Iterator[str]:
    """Yield what is said, with the noun that belongs to it first: 화내다, then 내다."""
    for other in reversed(clause.phrases[-3:]):
        if other is not phrase or predicate.form == "copula":
            yield other.words[-1] + predicate.lemma
    yield predicate.lemma


def _counts(sort: _Sort, role: Role, clause: Clause, phrase: Phrase | None) -> bool:
    others = [other for other in clause.phrases if other is not phrase]
    if sort == "attitude" and role == "subject":
        return any(other.pronoun in _SETS.me and other.has("을", "를", "ㄹ") for other in others)
    if sort == "feeling" and role == "subject" and phrase is not None:
        # 엄마는 꽃이 좋대: what is felt about is the nearer one; 민지가 내가 싫대 is the same with me
        after = [other for other in others if clause.phrases.index(other) > clause.phrases.index(phrase)]
        return not any(other.has("이", "가") for other in after) and not _their_own(clause)
    return role in _COUNTS[sort]


def _their_own(clause: Clause) -> bool:
    """민지가 화났어, 민지가 좋대: what somebody feels themself is not felt about them."""
    predicate = clause.predicate
    return predicate is not None and (predicate.form == "verb" or predicate.endings[-1:] in _HEARSAY)
