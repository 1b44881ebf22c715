"""Brothers, sisters and children as one counts them up: 언니 둘 오빠 하나 있어요, 초등학생 아들, 다섯 살 딸 있어요."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from gieok.extract.korean.lexicon import lexicon, signals
from gieok.extract.korean.reading import Finding, Reading
from gieok.language.clauses import Clause, Phrase

_CHILDREN: Final = frozenset("딸 아들 자식 자녀 아이 애 딸아이 큰딸 작은딸 막내딸 큰아들 작은아들 막내아들".split())
_KIN: Final = _CHILDREN | frozenset(
    "언니 오빠 누나 형 동생 여동생 남동생 친언니 친오빠 친누나 친형 친동생 자매 형제 쌍둥이 손주 손자 손녀 조카 "
    "막냇동생 막내동생 큰언니 작은언니 큰오빠 작은오빠 큰누나 작은누나 큰형 작은형".split()
)
_WE_ARE: Final = frozenset({"자매", "형제", "쌍둥이"})  #: 세 자매예요: what one is oneself
_PLAIN: Final = {"자식": "자녀", "아이": "자녀", "애": "자녀", "딸아이": "딸"}
_HAVING: Final = ("있다", "없다")
_RAISING: Final = ("키우다", "기르다", "두다", "낳다")
_ACQUAINTED: Final = frozenset({"알다", "친하다", "아끼다", "닮다", "같다"})  #: 아는 동생, 친한 형: no kin
_NOT_HAD: Final = ("은", "는", "한테", "에게", "처럼", "보다", "의", "께", "에서")
_COUNTS: Final = {"하나": 1, "둘": 2, "셋": 3, "넷": 4, "다섯": 5, "여섯": 6, "일곱": 7}
_BEFORE_NOUN: Final = {"한": 1, "두": 2, "세": 3, "네": 4, **{str(number): number for number in range(1, 8)}}
_OLD: Final = re.compile(
    r"\d{1,2}살?|[가-힣]{1,4}살|살|살짜리|짜리|[초중고]\d?|초등학교|중학교|고등학교|유치원|\d학년"
    r"|한|두|세|네|다섯|여섯|일곱|여덟|아홉|열"
)
_ALL: Final = frozenset({"형제", "형제자매", "자식", "자녀", "가족"})
_AROUND: Final = frozenset({"위", "아래", "밑", "슬하", "집", "총", "친"})


@dataclass(frozen=True, slots=True, kw_only=True)
class _Kin:
    """A relative in a list, and how many there are of the kind."""

    word: str
    count: int | None
    phrase: Phrase
    twin: bool = False

    @property
    def shown(self) -> str:
        word = ("쌍둥이 " if self.twin else "") + _PLAIN.get(self.word, self.word)
        return f"{word} {self.count}명" if self.count else word


def listed(reading: Reading) -> Iterator[Finding]:
    """Read who belongs to the speaker's family: 위로 언니 둘 있고, 남동생이랑 여동생 있어, 딸 하나 아들 하나예요."""
    clause = reading.clause
    if clause.head is not None or not _counts_up(reading):
        return
    kin = [each for phrase in clause.phrases for each in _named(phrase)]
    one = _is_own(reading, kin)
    absent = reading.says("없다") or reading.negated
    role = clause.phrases[-1].text if kin and _is_role(clause.phrases[-1]) else None
    if role is not None:
        plain = lexicon().canonical.get(role, role)
        yield Finding(attribute="family", value=plain, shown=plain, surface=role, whose=reading.me)
    for each in kin[:1] if absent else kin:
        yield Finding(
            attribute="family",
            value=each.shown,
            shown=each.shown,
            surface=each.phrase.text,
            polarity="-" if absent else "+",
            whose=reading.me if one else None,
        )


def _counts_up(reading: Reading) -> bool:
    """Whether the clause says that one has them: …있어, …키워; or counts all of them: 형 하나 동생 하나."""
    clause = reading.clause
    if reading.says(*_HAVING):
        return True
    kin = [each for phrase in clause.phrases for each in _named(phrase)]
    if reading.says(*_RAISING):
        raised = any(each.word in _CHILDREN for each in kin)
        return raised and not reading.past and _is_own(reading, kin)
    if reading.predicate is not None and reading.predicate.form != "copula":
        return False
    if reading.past or reading.negated or clause.ends_with.startswith("?") or not kin:
        return False
    told = all(_is_about_kin(phrase) for phrase in clause.phrases) and not any(each.word in _WE_ARE for each in kin)
    goes_on = clause.ends_with == "," and reading.after is not None and _has(reading.after)
    return told and (all(each.count for each in kin) or goes_on)


def _is_own(reading: Reading, kin: Sequence[_Kin]) -> bool:
    """Whether nobody else is spoken of but the relatives themselves: not 친구는 형이 셋이야."""
    about = reading.about
    if about.phrase is None or about.subject_id in _ALL or _is_role(about.phrase):
        return True
    return any(about.phrase is each.phrase or about.subject_id in each.phrase.words for each in kin)


def _has(clause: Clause) -> bool:
    having = clause.predicate is not None and clause.predicate.lemma in ("있다", *_RAISING)
    return having and any(_named(phrase) for phrase in clause.phrases)


def _is_about_kin(phrase: Phrase) -> bool:
    """형제는 남동생 하나요, 저는 딸 하나예요: what is counted, or whose they are."""
    return bool(_named(phrase)) or _is_role(phrase) or phrase.pronoun in ("나", "저") or phrase.words[-1] in _ALL


def _is_role(phrase: Phrase) -> bool:
    """누나 둘에 막내예요."""
    return phrase.text in lexicon().of_class("family") - _KIN and not phrase.particles


def _named(phrase: Phrase) -> tuple[_Kin, ...]:
    """Return the relatives that a phrase names as one's own, each with its number; none of 친구 동생, 아는 형."""
    anyone = bool(phrase.adnominal) and phrase.words[-1] in _PLAIN  # 말 안 섞는다는 애가 있어
    if phrase.has(*_NOT_HAD) or phrase.pointed or phrase.modifier in _ACQUAINTED or "중" in phrase.words or anyone:
        return ()
    found: list[_Kin] = []
    count: int | None = None
    for at, word in enumerate(phrase.words):
        following = phrase.words[at + 1 : at + 3]
        if word in _KIN and not (following[:1] and following[0] in _KIN and word == "쌍둥이"):
            twin = phrase.words[at - 1 : at] == ("쌍둥이",)
            found.append(_Kin(word=word, count=_number(following) or count, phrase=phrase, twin=twin))
            count = None
        elif not _describes(word):
            return tuple(found)
        elif word in _BEFORE_NOUN and following[:1] and following[0] in _KIN:
            count = _BEFORE_NOUN[word]  # 두 딸
    return tuple(found)


def _number(following: tuple[str, ...]) -> int | None:
    """Return the number that stands behind: 둘, 두 명, 2명."""
    if not following:
        return None
    bare = following[0].removesuffix("명")
    people = following[0] != bare or following[1:2] == ("명",)
    return _COUNTS.get(bare) or (_BEFORE_NOUN.get(bare) if people else None)


def _describes(word: str) -> bool:
    """Whether `word` only says which of them: 초등학생, 다섯 살, 쌍둥이; or how many."""
    known = signals("own_kin", "before") | _AROUND
    counts = word.removesuffix("명") in _COUNTS | _BEFORE_NOUN or word == "명"
    return word in known or counts or _OLD.fullmatch(word) is not None
