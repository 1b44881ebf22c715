"""Skills on paper: 운전면허 있어요, 정보처리기사 땄어, 자격증은 조경기능사 하나 있습니다, 태권도 3단이야."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from gieok.extract.korean.lexicon import signals, ways
from gieok.extract.korean.reading import Finding, Reading
from gieok.extract.korean.taste_words import taste_words
from gieok.language.clauses import Phrase

_HELD: Final = ("있다", "갖다", "가지다", "보유하다", "소지하다")
_EARNED: Final = ("따다", "취득하다")
_LICENCES: Final = ("면허", "면허증")
_PAPER: Final = "자격증"
_TITLES: Final = re.compile(r"[가-힣]{2,}(?:기능사|기능장|산업기사|기술사)$|[가-힣A-Za-z]{2,}[1-3]급$")
_TITLES_EARNED: Final = re.compile(r"[가-힣]{2,}기사$")  #: 기사 있어 may be a driver or the news
_GRADE: Final = re.compile(r"[1-3]급$|N[1-5]$")
_RANK: Final = re.compile(r"(?:[1-9]|초|[일이삼사오육칠팔구])[단품]$")
_COUNT: Final = frozenset({"하나", "둘", "셋", "한개", "두개", "여러개", "1개", "2개", "3개", "개", "도", "까지"})


def certified(reading: Reading) -> Iterator[Finding]:
    """Read a licence, a certificate or a rank that the speaker has."""
    value = _of_paper(reading) or _ranked(reading)
    if value and value not in signals("bents", "no_skill") - {"운전면허"}:
        yield Finding(attribute="skill", value=value, shown=value, surface=value, whose=reading.me)


def _of_paper(reading: Reading) -> str:
    earned = reading.says(*_EARNED) and reading.past
    held = reading.says(*_HELD) and not reading.past
    if reading.negated or reading.clause.head is not None or not (earned or held) or _quoted(reading):
        return ""
    phrases = [phrase for phrase in reading.clause.phrases if phrase.pronoun is None]
    if any(phrase.pointed or _is_somebody(reading, phrase) for phrase in phrases):
        return ""
    for place, phrase in enumerate(phrases):
        words = _uncounted(phrase.words)
        if words and words[-1].endswith((*_LICENCES, _PAPER)):
            as_well = phrase.has("도") and "".join(words) in (
                *_LICENCES,
                _PAPER,
            )  # 면허도 있고: for what was named before
            return _named(words, phrases[place + 1 :]) if not as_well else ""
        if words and _is_title(words, earned=earned):
            return " ".join(words)
    return ""


def _quoted(reading: Reading) -> bool:
    """운전면허 땄다고 자랑하더라, 면허 있으면 돼: whose it is, nobody says."""
    endings = reading.predicate.endings if reading.predicate is not None else ()
    return any(ending.endswith(("다고", "면", "어야", "어도")) for ending in endings)


def _is_somebody(reading: Reading, phrase: Phrase) -> bool:
    """친구가 면허 있어, 우리 사장님 자격증 있어."""
    first = phrase.words[0]
    related = first in taste_words().persons or first in reading.words.kin or first in reading.words.others
    return related or first.endswith(("님", "씨", "장")) or first in signals("people", "roles")


def _uncounted(words: Sequence[str]) -> list[str]:
    kept = list(words)
    while kept and kept[-1] in _COUNT:
        kept.pop()
    return kept


def _is_title(words: Sequence[str], *, earned: bool) -> bool:
    if not words:
        return False
    joined = "".join(words)
    graded = len(words) > 1 and _GRADE.search(words[-1]) is not None
    return bool(_TITLES.search(joined)) or graded or (earned and _TITLES_EARNED.search(words[-1]) is not None)


def _named(words: Sequence[str], after: Sequence[Phrase]) -> str:
    """Return what the paper is for: 지게차 면허, 한식조리사 of 한식조리사 자격증; 면허 alone is for driving."""
    last = words[-1]
    if last.endswith(_PAPER):
        own = " ".join([*words[:-1], last.removesuffix(_PAPER)]).strip()
        further = _uncounted(after[0].words) if after and not own else []
        return own or (" ".join(further) if _is_title(further, earned=True) else "")
    return " ".join(words) if len(words) > 1 or last not in _LICENCES else "운전면허"


def _ranked(reading: Reading) -> str:
    """태권도 3단이야, 검도 2단."""
    phrase = reading.complement
    if phrase is None or reading.past or reading.negated or reading.about.subject_id != reading.me.subject_id:
        return ""
    sport = len(phrase.words) == 2 and ways().is_pastime(phrase.words[0])
    return phrase.text if sport and _RANK.search(phrase.words[1]) else ""
