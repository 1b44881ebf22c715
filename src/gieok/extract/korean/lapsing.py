"""Faith by other words than its name (교회, 성당), and faith that is lost: 이제 신자 아니야, 믿지도 않아요."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from gieok.extract.korean.farewells import verbs_of
from gieok.extract.korean.lexicon import lexicon
from gieok.language.clauses import Clause
from gieok.language.mood import mood

_HOUSES: Final = {
    "교회": ("기독교", "개신교", "크리스천"), "성당": ("천주교", "가톨릭"), "절": ("불교",), "법당": ("불교",),
    "교당": ("원불교",), "모스크": ("이슬람교", "이슬람"),
}  # fmt: skip
_BELIEVERS: Final = frozenset("신자 신도 교인 불자 크리스천 기독교인 천주교인 성도".split())
_FAITH: Final = frozenset({"신앙", "신앙심", "믿음", "신앙생활"})
_GODS: Final = frozenset("하나님 하느님 예수님 예수 부처님 부처 신 종교 알라".split())
_NOW: Final = frozenset("이제 이젠 더 더이상 더는 이상 아예 전혀 요즘 지금".split())
_LOST: Final = frozenset("잃다 버리다 사라지다 없어지다 식다 그만두다 접다 끊다 관두다".split())
_SPOKEN: Final = re.compile("|".join((*_HOUSES, *_BELIEVERS, *_FAITH, "믿", "하나님", "하느님", "예수", "부처")))


def faiths_meant(text: str) -> Iterator[tuple[str, str]]:
    """Yield the religions that `text` may speak of without naming them, each with the word it uses."""
    if _SPOKEN.search(text) is None:
        return
    named = False
    for house, religions in _HOUSES.items():
        if re.search(rf"(?<![가-힣]){house}(?![가-힣]{{2}})", text):
            named = True
            yield from ((religion, house) for religion in religions)
    word = next((each for each in sorted(_BELIEVERS) if each in text), "믿")
    if not named:
        yield from ((religion, word) for religion in sorted(lexicon().of_class("religion") - {"무교"}))


def lost_faith(said: Sequence[Clause], of_others: Sequence[bool]) -> bool:
    """Whether a clause of the speaker says that they believe no more; `of_others` marks those about somebody else."""
    told = (clause for clause, theirs in zip(said, of_others, strict=True) if not theirs)
    return any(_believes_no_more(clause) for clause in told if mood(clause) in ("statement", "fragment"))


def _believes_no_more(clause: Clause) -> bool:
    """이제 나 신자 아니야, 이젠 믿지도 않아요, 신앙이 없어졌어; not 그 말 안 믿어, 신자 수가 줄었대."""
    predicate = clause.predicate
    if predicate is None or clause.head is not None:
        return False
    words = {word for phrase in clause.phrases for word in phrase.words}
    now = bool(_NOW & (words | set(clause.adverbs)))
    last = clause.phrases[-1].words[-1] if clause.phrases else ""
    if predicate.form == "not":
        return last in _BELIEVERS
    if predicate.lemma == "믿다":
        named = words - _NOW - {"나", "저"}
        return predicate.negated and not predicate.past and now and named <= _GODS | lexicon().of_class("religion")
    faithless = bool(_LOST & set(verbs_of(clause))) and predicate.past and not predicate.negated
    return bool(words & _FAITH) and (faithless or (predicate.lemma == "없다" and now))
