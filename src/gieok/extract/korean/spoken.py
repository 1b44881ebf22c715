"""Values that are known in another spelling than they are said in: INFP as 인프피, 25 as 스물다섯, A as 에이형."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from gieok.extract.korean.plainly import plainly
from gieok.extract.korean.values import READERS
from gieok.language.clauses import clauses
from gieok.language.text import normalise

_KINDS: Final = {
    "mbti": "mbti", "blood_type": "blood", "age": "age", "birthday": "month_day", "height": "height",
    "birth_year": "birth_year", "weight": "weight",
}  # fmt: skip
_LIKELY: Final = re.compile(
    r"\d|열|스[물무]|서른|마흔|쉰|예순|일흔|여든|아흔|[십백]|형|[인엔앤잇엣][프티팁]|[A-Za-z]{4}|(?<![A-Za-z])(?:AB|[ABOabo])(?![A-Za-z])"
)
_LONGEST: Final = 600


@dataclass(frozen=True, slots=True, kw_only=True)
class Spoken:
    """A value as it is kept, and the words it was said in."""

    attribute: str
    value: str
    surface: str


def spoken(text: str) -> Iterator[Spoken]:
    """Yield the values of the kinds that are written in many ways, wherever `text` may name one."""
    if len(text) > _LONGEST or _LIKELY.search(text) is None:
        return
    read = plainly(normalise(text))
    for clause in clauses(read):
        for phrase in clause.phrases:
            said = read[phrase.morphemes[0].start : phrase.morphemes[-1].end]
            for attribute, kind in _KINDS.items() if phrase.pronoun is None else ():
                value = READERS[kind](said)
                if value is not None:
                    yield Spoken(attribute=attribute, value=value.value, surface=value.surface)
