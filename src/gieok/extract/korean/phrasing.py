"""Short self-contained sentences for what was understood: 고양이를 좋아함, 판교에 삶."""

from __future__ import annotations

import re
from typing import Final

from gieok.extract.korean.patterns import anything, patterns
from gieok.language.morphemes import analyse, join
from gieok.language.wording import josa

_SLOT: Final = re.compile(r"\{v(?::([^}]+))?\}")
_THING: Final = {"을/를": "걸", "은/는": "건", "이/가": "게"}  #: 거 with its particle
_ILLS: Final = ("공포증", "포비아")
_SUFFERED: Final = "{v:이/가} 있음"  #: 고소공포증이 있음; nobody is afraid of the phobia
_IRREGULAR: Final = dict.fromkeys("짓 잇 긋 낫 붓 젓".split(), "VV-I")  #: 지을, which the analysis does not tell


def sentence(attribute: str, shown: str, *, negative: bool = False, over: bool = False) -> str:
    """Return what `attribute` = `shown` means, as a sentence that needs no context; `over`: it is so no longer."""
    pattern = patterns().by_attribute.get(attribute) or anything(attribute)
    template = _SUFFERED if attribute == "phobia" and shown.endswith(_ILLS) else pattern.sentence
    if negative and pattern.negative:
        return _filled(pattern.negative, shown)
    told = _filled(template, _to_do(shown) if attribute == "plan" else shown)
    if negative:
        return f"{told} ({'이제 아님' if over else '아님'})"
    return f"{told} (예전 일)" if over else told


def _filled(template: str, shown: str) -> str:
    return _SLOT.sub(lambda slot: _with(shown, slot[1]) if slot[1] else shown, template)


def _with(shown: str, pair: str) -> str:
    """Return `shown` with its particle: 빵 굽는 걸, as people say it."""
    return f"{shown[:-1]}{_THING[pair]}" if shown.endswith(" 거") and pair in _THING else josa(shown, pair)


def _to_do(deed: str) -> str:
    """Return what is going to be done: 왕도로 돌아갈 of 왕도로 돌아가기; anything else as it is."""
    said = analyse(deed)
    if len(said) < 2 or (said[-1].form, said[-1].tag) != ("기", "ETN"):
        return deed
    start = deed.rfind(" ") + 1
    verb = [(each.form, _IRREGULAR.get(each.form, each.tag)) for each in said[:-1] if each.start >= start]
    return deed[:start] + join([*verb, ("ᆯ", "ETM")]) if verb else deed
