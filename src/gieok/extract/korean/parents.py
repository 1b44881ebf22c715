"""Who one is to one's children: 두 아이 아빠예요, 딸 키우는 엄마예요, 삼 남매 엄마, 손주 보는 할머니입니다."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from gieok.extract.korean.gendered import called
from gieok.extract.korean.reading import Finding, Reading
from gieok.language.clauses import Clause, Phrase

_PARENTS: Final = {
    **dict.fromkeys(("엄마", "애엄마", "할머니"), "여성"),
    **dict.fromkeys(("아빠", "애아빠", "할아버지"), "남성"),
}
_CHILDREN: Final = {
    "딸": "딸", "아들": "아들", "딸아이": "딸", "쌍둥이": "쌍둥이", "손주": "손주", "손녀": "손녀", "손자": "손자",
    "아이": "자녀", "애": "자녀", "남매": "자녀", "형제": "아들", "자매": "딸", "연년생": "자녀", "아기": "자녀",
}  # fmt: skip
_TOGETHER: Final = {
    f"{number}{kind}": (count, _CHILDREN[kind])
    for kind in ("남매", "형제", "자매")
    for count, numbers in ((2, "이두"), (3, "삼세"), (4, "사네"), (5, "오"))
    for number in numbers
}  #: 삼남매
_COUNTS: Final = {
    "한": 1, "두": 2, "세": 3, "네": 4, "삼": 3, "사": 4, "오": 5, "다섯": 5, "하나": 1, "둘": 2, "셋": 3, "넷": 4,
}  # fmt: skip
_RAISING: Final = frozenset("키우다 기르다 두다 돌보다 보다 재우다 낳다 있다 모시다".split())
_KIND: Final = frozenset("초보 예비 늦깎이 기러기 워킹 전업 직장인 평범 애 주말 독박육아 육아".split())


def parent(reading: Reading) -> Iterator[Finding]:
    """Read the children that the speaker is father or mother of, and what that tells of the speaker."""
    phrase = _said_to_be(reading)
    if phrase is None:
        return
    before = reading.before if phrase.adnominal else None
    raised = before is not None and before.predicate is not None and before.predicate.lemma in _RAISING
    beside = [each for other in before.phrases for each in _children(other.words)] if raised and before else []
    children = [*beside, *_children(phrase.words[:-1])]
    if not children and not (set(phrase.words[:-1]) & _KIND):
        return
    for child in children:
        yield Finding(attribute="family", value=child, shown=child, surface=phrase.text, whose=reading.me)
    gender = _PARENTS.get(phrase.words[-1]) or called(phrase.words[-1])
    if gender is not None:
        yield Finding(attribute="gender", value=gender, shown=gender, surface=phrase.words[-1], whose=reading.me)


def _said_to_be(reading: Reading) -> Phrase | None:
    """Return what the speaker says to be; None where somebody else is it, or is asked for."""
    clause, last = reading.clause, reading.clause.phrases[-1] if reading.clause.phrases else None
    copula = reading.predicate is None or reading.predicate.form == "copula"
    if last is None or not copula or clause.head is not None or reading.negated or reading.past:
        return None
    if last.particles or last.pointed or last.owner is not None or clause.ends_with.startswith("?"):
        return None
    if any(other.pronoun not in ("나", "저") for other in clause.phrases[:-1]):
        return None
    theirs = reading.about.subject == "other" and reading.about.subject_id not in last.words
    known = last.words[-1] in _PARENTS or (called(last.words[-1]) is not None and last.words[-1].endswith("맘"))
    return last if known and not theirs and not _anothers(reading.before if last.adnominal else None) else None


def _anothers(before: Clause | None) -> bool:
    """제가 아는 두 아이 아빠예요."""
    return before is not None and (
        any(phrase.has("이", "가") for phrase in before.phrases)
        or (before.predicate is not None and before.predicate.lemma in ("알다", "같다", "만나다"))
    )


def _children(words: tuple[str, ...]) -> Iterator[str]:
    """Yield the children that `words` name, with their number: 딸, 자녀 2명 of 두 아이, 자녀 3명 of 삼남매."""
    for at, word in enumerate(words):
        together = _TOGETHER.get(word)
        kind = together[1] if together is not None else _CHILDREN.get(word)
        if kind is None:
            continue
        before, after = words[at - 1 : at] if at else (), words[at + 1 : at + 2]
        counts = [_COUNTS[number] for number in (*before, *after) if number in _COUNTS]
        count = together[0] if together is not None else next(iter(counts), None)
        yield f"{kind} {count}명" if count else kind
