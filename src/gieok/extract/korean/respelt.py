"""Names put right by one syllable: '혜' 아니고 '해'예요. 이은해!; 성이 한씨가 아니라 함씨예요. 함유진."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from typing import Final

from gieok.extract.korean.giving_up import of_others
from gieok.extract.korean.lexicon import lexicon
from gieok.extract.korean.patterns import patterns
from gieok.extract.korean.reading import Finding, found
from gieok.extract.korean.values import Value
from gieok.language.clauses import clauses

_WHOLE: Final = 3  #: syllables of a name with its surname
_PUT_RIGHT: Final = re.compile(
    r"아니[고라구에예]|잘못|오타|틀렸|틀린|바꿔|받침|(?:진짜|원래|본)\s?이름|본명|호적|민증|주민등록|자동완성|철자|정정|헷갈|개명"
)
_NAMED: Final = re.compile(
    r"(?<![가-힣])(?P<name>[가-힣]{3})(?=(?:이에요|예요|이예요|입니다|이야|야|이여|여|임|으로|로|이라고|라고|이요|요|이거든|거든)?[\s.,!~ㅋㅎ'\"]|$)"
)


def respelt(text: str, names: Collection[str]) -> Iterator[Finding]:
    """Yield the name that differs from the known one by a single syllable, where `text` puts something right."""
    known = [name for name in names if len(name) == _WHOLE]
    if not known or "?" in text or _PUT_RIGHT.search(text) is None:
        return
    for match in _NAMED.finditer(text):
        new = match["name"]
        old = next((name for name in known if _but_for_one(name, new)), None)
        if old is not None and new[0] in lexicon().surnames and not any(map(of_others, clauses(text))):
            value = Value(value=new, shown=new, surface=new)
            yield found(patterns().by_attribute["name"], value, act="correct", instead_of=old)
            return


def _but_for_one(old: str, new: str) -> bool:
    return sum(one != other for one, other in zip(old, new, strict=True)) == 1
