"""A clause with everything a rule may ask about it, and what a rule finds in it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from gieok.domain.claim import Act, Polarity
from gieok.extract.korean.gendered import called
from gieok.extract.korean.lexicon import Lexicon, lexicon
from gieok.extract.korean.patterns import Pattern
from gieok.extract.korean.values import READERS, Value
from gieok.extract.korean.whose import Whose
from gieok.language.clauses import Clause, Phrase, Predicate

BOUND_NOUNS: Final = frozenset("지 거 것 게 건 걸 데 디 이상 만큼 바람 김 터 듯 중 이유 탓 덕 덕분 뒤 이후 후".split())
PERSONS: Final = frozenset("1 사람 학생 인간 직장인 나 저 애 환자 지원자 팬 유형 몸 어른이 회사원 대학생 편".split())
_THEN: Final = frozenset("예전 옛날 전 과거 학창시절 어릴적 한때 왕년 그때 그땐 당시 그당시 그시절".split())
_YOUNG: Final = re.compile(
    r"(?:어렸을|어릴|고딩|중딩|초딩|국딩|급식|학창|유치원|초등학교|초등학생|중학교|중학생|고등학교|고등학생|꼬꼬마|애기)\s?(?:때|적|시절)(?!부터)"
)
_AGES_OF_LIFE: Final = (
    "고딩",
    "중딩",
    "초딩",
    "고등학교",
    "중학교",
    "초등학교",
    "대학교",
    "유치원",
    "어릴",
    "어렸",
    "학창",
    "애기",
)
_ME_AFTER: Final = re.compile(
    r"\s*(?:사람|인간|애|유형|편|몸|1인)(?:이|은)?(?:\s?있다)?(?:\s*(?:바로|그게|=|:|여기|손|✋|🙋|!|\?|네\s))*\s*"
    r"(?:나야|나임|나다|나예요|저예요|저요|접니다|나라|나[\s,.!~ㅋㅎ]|나$|저[\s,.!~ㅋㅎ]|저$|여기|있음|있어|있습니다|있네|입니다|임)"
)
_NOW: Final = frozenset("요즘 요새 이제 지금 현재 최근 올해".split())
_ME: Final = frozenset({"나", "저"})
_YOUNG_ONES: Final = frozenset("고딩 중딩 초딩 대딩 직딩 청년 여대생 신입생 새내기 복학생".split())


@dataclass(frozen=True, kw_only=True)
class Reading:
    """One clause, whom it is about, and its neighbours in the same utterance."""

    text: str
    clause: Clause
    about: Whose
    words: Lexicon
    me: Whose  #: the one who speaks
    before: Clause | None = None
    after: Clause | None = None
    main_before: Clause | None = None  #: the last clause before that modifies nothing
    quoted_before: Clause | None = None  #: an earlier clause in which the speaker quotes themself: 25라고 했는데

    @cached_property
    def rest(self) -> tuple[Phrase, ...]:
        """The phrases other than the one that names the subject."""
        return tuple(phrase for phrase in self.clause.phrases if phrase is not self.about.phrase)

    @property
    def predicate(self) -> Predicate | None:
        return self.clause.predicate

    def says(self, *lemmas: str) -> bool:
        return self.predicate is not None and self.predicate.lemma in lemmas

    @property
    def negated(self) -> bool:
        return self.predicate is not None and self.predicate.negated

    @cached_property
    def past(self) -> bool:
        return self.predicate is not None and self.predicate.past

    @cached_property
    def measured(self) -> bool:
        """Whether the past tells only when it was measured: 건강검진에서 잰 키가 187이었어."""
        return any(sign in self.text for sign in ("잰 ", "쟀", "재니", "재 보니", "재보니", "검진", "측정", "검사"))

    @cached_property
    def complement(self) -> Phrase | None:
        """What somebody is: the phrase right before 이다, or a lone noun at the end."""
        if self.predicate is not None and self.predicate.form != "copula":
            return None
        last = self.clause.phrases[-1] if self.clause.phrases else None
        if last is None or last is self.about.phrase or last.labels or self.in_doing(last):
            return None
        politely = self.predicate is None and last.particles in (("요",), ("이요",))  # 쉰 살 아재요
        return last if not last.particles or politely else None

    def in_doing(self, phrase: Phrase) -> bool:
        """Whether `phrase` belongs to a verb in -기 after it: 유튜브 of "유튜브 보기임"."""
        end = phrase.morphemes[-1].end
        own = self.predicate.tail if self.predicate is not None else ()
        nouns = (part for part in self.clause.morphemes if part.tag == "ETN" and part.form == "기")
        return any(part.start >= end and part not in own for part in nouns)

    @cached_property
    def asserts(self) -> bool:
        """Whether the clause says something of its subject.

        A main clause does; a modifying one only if what it modifies is a bound noun (일한 지) or the very one it is
        about (판교에 사는 직장인입니다).
        """
        head = self.clause.head
        if head is None or head in BOUND_NOUNS or self.of_self:
            return True
        return (head in PERSONS and (self._is_said_to_be(head) or self._owned_up())) or self._introduces()

    def _introduces(self) -> bool:
        """서울 사는 고2 여학생이에요, 네일샵 하는 스물여섯 사장입니다, 인턴하는 24살: what one does and is."""
        after, me = self.after, self.about.subject_id == self.me.subject_id
        if not me or after is None or after.start != self.clause.start or not after.final or not after.phrases:
            return False
        if after.predicate is not None and (after.predicate.form != "copula" or after.predicate.negated):
            return False
        last, others = after.phrases[-1], after.phrases[:-1]
        one = not last.particles and not last.pointed and last.owner is None and bool(last.adnominal)
        named = any(other.pronoun not in _ME for other in others)
        told = is_person(last.words[-1]) or READERS["age"](" ".join(last.words)) is not None
        return one and not named and told and not after.ends_with.lstrip().startswith("?")

    def _owned_up(self) -> bool:
        """…하는 사람 나야 나, …인 사람 = 나, …하는 인간 여기 있음."""
        return _ME_AFTER.match(self.text, self.clause.end) is not None

    def _is_said_to_be(self, head: str) -> bool:
        after = self.after
        if after is None or after.predicate is None or after.predicate.form != "copula" or not after.phrases:
            return False
        last = after.phrases[-1]
        return not last.particles and head in last.words and not after.ends_with.startswith("?")

    @cached_property
    def of_self(self) -> bool:
        """Whether the speaker is named as the one it is about."""
        return any(phrase.pronoun in ("나", "저") for phrase in self.clause.phrases)

    @cached_property
    def everything(self) -> frozenset[str]:
        """All words of the clause, adverbs included."""
        return frozenset(word for phrase in self.clause.phrases for word in phrase.words) | set(self.clause.adverbs)

    @cached_property
    def formerly(self) -> bool:
        """Whether it is told of an earlier time: 예전에, 어릴 때, 고딩 때나."""
        since = {word for phrase in self.clause.phrases if phrase.has("부터") for word in phrase.words}
        words = self.everything - since  # 예전부터 goes on
        young = "때" in words or "적" in words
        if _THEN & words or (young and any(word.startswith(_AGES_OF_LIFE) for word in words)):
            return True
        return _YOUNG.search(self.text, self.clause.start, self.clause.end) is not None

    @property
    def lately(self) -> bool:
        return bool(_NOW & self.everything)

    def written(self, phrase: Phrase) -> str:
        """Return `phrase` as it stands in the text, modifiers included."""
        parts = (*phrase.adnominal, *phrase.morphemes)
        return self.text[min(part.start for part in parts) : max(part.end for part in parts)].strip()

    def said(self, phrase: Phrase) -> str:
        """Return the words of `phrase` as they were typed, without modifiers."""
        joined = (
            len(phrase.morphemes) > 1 and phrase.words[0] == "데" and phrase.adnominal
        )  # 있는데 승무원이야, cut apart
        start = phrase.morphemes[1 if joined else 0].start
        end = max(part.end for part in phrase.morphemes)
        return self.text[start:end].strip() or phrase.text


def is_person(word: str) -> bool:
    """Whether `word` says what somebody is: 사장, 여학생, 직장인."""
    return called(word) is not None or word in PERSONS | _YOUNG_ONES or lexicon().is_job(word)


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """What a rule read."""

    attribute: str
    value: str
    shown: str  #: the value as it reads in a sentence
    surface: str
    polarity: Polarity = "+"
    act: Act = "assert"
    instead_of: str | None = None
    past: bool = False  #: it was so, and is no longer
    whose: Whose | None = None  #: where it is not the clause's own subject


Rule = Callable[[Reading], Iterator[Finding]]


def found(
    pattern: Pattern,
    value: Value,
    *,
    polarity: Polarity = "+",
    act: Act = "assert",
    instead_of: str | None = None,
    past: bool = False,
) -> Finding:
    """Return the finding of `value` for the attribute of `pattern`."""
    return Finding(
        attribute=pattern.attribute,
        value=value.value,
        shown=value.shown,
        surface=value.surface,
        polarity=polarity,
        act=act,
        instead_of=instead_of,
        past=past,
    )


def read_value(pattern: Pattern, kind: str, said: str) -> Value | None:
    """Read `said` as a value of `kind`; where the pattern is free, any noun will do."""
    value = READERS[kind](said)
    if value is None and pattern.free:
        value = READERS["noun"](said)
    return value
