"""Short self-contained sentences for what was understood: 고양이를 좋아함, 판교에 삶."""

from __future__ import annotations

import re
from typing import Final

from gieok.language.particles import josa

_SENTENCES: Final[dict[str, str]] = {
    "name": "이름은 {v}임",
    "age": "나이는 {v}살임",
    "birthday": "생일은 {v}임",
    "job": "직업은 {v}임",
    "residence": "{v}에 삶",
    "likes": "{v:을/를} 좋아함",
    "dislikes": "{v:을/를} 싫어함",
    "allergy": "{v} 알레르기가 있음",
    "pet": "{v:을/를} 키움",
}
_NEGATIVE: Final[dict[str, str]] = {
    "allergy": "{v} 알레르기가 없음",
    "pet": "{v:을/를} 키우지 않음",
}
_SLOT: Final = re.compile(r"\{v(?::([^}]+))?\}")


def sentence(attribute: str, shown: str, *, negative: bool = False) -> str:
    """Return what `attribute` = `shown` means, as a sentence that needs no context."""
    template = (_NEGATIVE if negative else _SENTENCES)[attribute]
    return _SLOT.sub(lambda slot: josa(shown, slot[1]) if slot[1] else shown, template)
