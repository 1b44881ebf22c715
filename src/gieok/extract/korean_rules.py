"""What a Korean clause says, attribute by attribute. Each rule asks for a predicate and reads its phrases."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from gieok.domain.claim import Act, Polarity
from gieok.extract.lexicon import Lexicon
from gieok.extract.whose import Whose
from gieok.language.clauses import Clause, Phrase, Predicate
from gieok.language.dates import find_month_days
from gieok.language.morphemes import Morpheme
from gieok.language.numerals import read_number

_OLDEST: Final = 120
_BARE_AGE: Final = range(10, 100)
_AGE: Final = re.compile(r"^(?P<number>.+?)\s?(?:살|세)$")
_DIGITS: Final = re.compile(r"^\d+$")
_NAME: Final = re.compile(r"^[가-힣]{2,4}$|^[A-Za-z]{2,20}$")
_ALLERGY: Final = ("알레르기", "알러지", "앨러지")
_MOVING: Final = frozenset({"이사하다", "이사가다", "이사오다"})
_LIVING: Final = frozenset({"살다", "거주하다", "자취하다"})
_RAISING: Final = frozenset({"키우다", "기르다"})
_OBJECT: Final = frozenset({"을", "를", "이", "가", "은", "는", "도", "만", "ㄹ"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """A clause with everything a rule may ask about it."""

    text: str
    clause: Clause
    about: Whose
    words: Lexicon

    @property
    def rest(self) -> tuple[Phrase, ...]:
        """The phrases other than the one that names the subject."""
        return tuple(phrase for phrase in self.clause.phrases if phrase is not self.about.phrase)

    @property
    def predicate(self) -> Predicate | None:
        return self.clause.predicate

    def says(self, *lemmas: str) -> bool:
        return self.predicate is not None and self.predicate.lemma in lemmas

    @property
    def complement(self) -> Phrase | None:
        """What somebody is: the phrase right before 이다, or a lone noun at the end."""
        if self.predicate is not None and self.predicate.form != "copula":
            return None
        last = self.clause.phrases[-1] if self.clause.phrases else None
        return last if last is not None and last is not self.about.phrase and not last.particles else None

    def written(self, phrase: Phrase) -> str:
        """Return `phrase` as it stands in the text, modifiers included."""
        parts = (*phrase.adnominal, *phrase.morphemes)
        return self.text[min(part.start for part in parts) : max(part.end for part in parts)].strip()


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


Rule = Callable[[Reading], Iterator[Finding]]


def taste(reading: Reading) -> Iterator[Finding]:
    """고양이 좋아해, 오이는 싫어, 고양이보다 강아지가 더 좋아, 요즘은 강아지가 더 좋아."""
    predicate = reading.predicate
    words = reading.words
    if predicate is None or predicate.past:
        return
    likes = predicate.lemma in words.like
    if not likes and predicate.lemma not in words.dislike:
        return
    if not likes and predicate.negated:
        return  # not disliking is not liking
    thing = next((phrase for phrase in reversed(reading.rest) if _tasted(phrase, predicate, words)), None)
    if thing is None:
        return
    liked = likes and not predicate.negated
    compared = next((phrase.text for phrase in reading.rest if phrase.has("보다")), None)
    lately = any(phrase.text in ("요즘", "요새", "이제", "지금") for phrase in reading.clause.phrases)
    prefers = liked and (compared is not None or ("더" in reading.clause.adverbs and lately))
    value = reading.written(thing) if thing.adnominal else thing.text
    yield Finding(
        attribute="likes" if liked else "dislikes",
        value=value,
        shown=value,
        surface=reading.written(thing),
        act="prefer" if prefers else "assert",
        instead_of=compared if prefers else None,
    )


def _tasted(phrase: Phrase, predicate: Predicate, words: Lexicon) -> bool:
    if phrase.pronoun is not None or phrase.pointed or (phrase.particles and not _OBJECT & set(phrase.particles)):
        return False
    if phrase.words[-1] in ("거", "것", "게") and phrase.adnominal:
        return predicate.form == "verb"  # 매운 거 좋아해, but 비 오는 거 좋네 is a passing remark
    return phrase.words[-1] not in words.no_taste


def name(reading: Reading) -> Iterator[Finding]:
    """이름은 한유진이야, 나 김서준이라고 해, 저는 민수예요."""
    phrase = reading.complement
    if phrase is None or (reading.predicate is not None and reading.predicate.negated):
        return
    label = _label(reading, phrase, "이름", "성함")
    called = reading.predicate is not None and "라고" in reading.predicate.endings
    said = phrase.words[-1]
    if not _NAME.match(said) or said in reading.words.class_of:
        return
    introduced = reading.about.phrase is not None and _could_be_a_name(phrase.morphemes)
    if label is None and not (called and _speaks_of_self(reading)) and not (introduced and not called):
        return
    if label is not None and label != ():
        return  # somebody else's name: 강아지 이름은 초코
    if label is None and reading.words.is_job(said):
        return
    yield Finding(attribute="name", value=said, shown=said, surface=said)


def _could_be_a_name(morphemes: tuple[Morpheme, ...]) -> bool:
    return len(morphemes) == 1 and morphemes[0].tag == "NNP" and len(morphemes[0].form) in (2, 3)


def _speaks_of_self(reading: Reading) -> bool:
    return reading.about.subject != "other" and len(reading.clause.phrases) <= 2


def _label(reading: Reading, complement: Phrase, *labels: str) -> tuple[str, ...] | None:
    """Return what stands before the label word (강아지 of "강아지 이름은"), () if nothing; None without a label."""
    for phrase in reading.clause.phrases:
        words = phrase.words[:-1] if phrase is complement else phrase.words
        if words and words[-1] in labels:
            return words[:-1]
    return None


def age(reading: Reading) -> Iterator[Finding]:
    """스물일곱이고요, 25살이야, 나이는 서른."""
    phrase = reading.complement
    if phrase is None or (reading.predicate is not None and reading.predicate.negated):
        return
    said = phrase.words[-1] if len(phrase.words) == 1 or _label(reading, phrase, "나이") is not None else phrase.text
    labelled = _label(reading, phrase, "나이", "연세") is not None
    unit = _AGE.match(said)
    number = read_number(unit["number"] if unit else said)
    if number is None or not 0 < number <= _OLDEST:
        return
    bare = not unit and not labelled
    if bare and (_DIGITS.match(said) or number not in _BARE_AGE or any(m.tag != "NR" for m in phrase.morphemes)):
        return  # a lone figure may be anything; a lone native numeral is an age
    yield Finding(attribute="age", value=str(number), shown=str(number), surface=said)


def birthday(reading: Reading) -> Iterator[Finding]:
    """내 생일 3월 15일이야, 3월 15일에 태어났어."""
    labelled = any("생일" in phrase.words for phrase in reading.clause.phrases)
    if not labelled and not reading.says("태어나다"):
        return
    if reading.predicate is not None and reading.predicate.negated:
        return
    stretch = reading.text[reading.clause.start : reading.clause.end]
    for day in find_month_days(stretch):
        shown = f"{day.month}월 {day.day}일"
        value = f"{day.month:02d}-{day.day:02d}"
        yield Finding(attribute="birthday", value=value, shown=shown, surface=stretch[day.start : day.end])


def job(reading: Reading) -> Iterator[Finding]:
    """나 간호사야, 직업은 개발자예요, 디자이너로 일해."""
    if reading.predicate is not None and reading.predicate.negated:
        return
    complement = reading.complement
    if complement is not None:
        labelled = _label(reading, complement, "직업")
        said = complement.words[-1]
        if (labelled == () or reading.words.is_job(said)) and "라고" not in _endings(reading):
            yield Finding(attribute="job", value=said, shown=said, surface=said)
    if reading.says("일하다") and not (reading.predicate and reading.predicate.past):
        for phrase in reading.rest:
            if phrase.has("로", "으로") and reading.words.is_job(phrase.words[-1]):
                yield Finding(attribute="job", value=phrase.text, shown=phrase.text, surface=reading.written(phrase))


def residence(reading: Reading) -> Iterator[Finding]:
    """판교에 살아, 서울 강남구에서 살고 있어요, 부산으로 이사했어."""
    predicate = reading.predicate
    if predicate is None or predicate.negated:
        return
    moving = predicate.lemma in _MOVING
    if not moving and (predicate.lemma not in _LIVING or predicate.past):
        return
    particles = ("로", "으로") if moving else ("에", "에서", "서")
    for phrase in reading.rest:
        if phrase.has(*particles) and not phrase.has("은", "는") and _is_place(phrase):
            yield Finding(attribute="residence", value=phrase.text, shown=phrase.text, surface=reading.written(phrase))
            return


def _is_place(phrase: Phrase) -> bool:
    return phrase.pronoun is None and not phrase.adnominal and phrase.morphemes[-1].tag in ("NNP", "NNG", "SL")


def allergy(reading: Reading) -> Iterator[Finding]:
    """땅콩 알레르기 있어, 저 새우 알러지예요."""
    for i, phrase in enumerate(reading.clause.phrases):
        if phrase.words[-1] not in _ALLERGY:
            continue
        cause = " ".join(phrase.words[:-1]) or _before(reading, i)
        if not cause or not (reading.predicate is None or reading.says("있다", "없다", "이다", "심하다")):
            return
        free = reading.says("없다") or (reading.predicate is not None and reading.predicate.negated)
        yield Finding(attribute="allergy", value=cause, shown=cause, surface=cause, polarity="-" if free else "+")


def _before(reading: Reading, index: int) -> str:
    phrase = reading.clause.phrases[index - 1] if index else None
    return phrase.text if phrase is not None and phrase is not reading.about.phrase and phrase.pronoun is None else ""


def pet(reading: Reading) -> Iterator[Finding]:
    """고양이 두 마리 키워, 나비라는 고양이를 길러."""
    predicate = reading.predicate
    if predicate is None or predicate.lemma not in _RAISING or predicate.past:
        return
    for phrase in reading.rest:
        animal = next((word for word in phrase.words if reading.words.class_of.get(word) == "animal"), None)
        if animal is not None:
            polarity: Polarity = "-" if predicate.negated else "+"
            yield Finding(attribute="pet", value=animal, shown=animal, surface=animal, polarity=polarity)


def _endings(reading: Reading) -> tuple[str, ...]:
    return reading.predicate.endings if reading.predicate else ()


RULES: Final[tuple[Rule, ...]] = (name, age, birthday, job, residence, taste, allergy, pet)
