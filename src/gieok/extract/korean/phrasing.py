"""Short self-contained sentences for what was understood: 고양이를 좋아함, 판교에 삶."""

from __future__ import annotations

import re
from typing import Final

from gieok.extract.korean.patterns import patterns
from gieok.language.particles import josa

_SLOT: Final = re.compile(r"\{v(?::([^}]+))?\}")


def sentence(attribute: str, shown: str, *, negative: bool = False, over: bool = False) -> str:
    """Return what `attribute` = `shown` means, as a sentence that needs no context; `over`: it is so no longer."""
    pattern = patterns().by_attribute.get(attribute)
    if pattern is None:
        return f"{attribute}: {shown}"
    if negative and pattern.negative:
        return _filled(pattern.negative, shown)
    told = _filled(pattern.sentence, shown)
    if negative:
        return f"{told} ({'이제 아님' if over else '아님'})"
    return f"{told} (예전 일)" if over else told


def _filled(template: str, shown: str) -> str:
    return _SLOT.sub(lambda slot: josa(shown, slot[1]) if slot[1] else shown, template)
