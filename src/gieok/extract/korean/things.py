"""Whether a value can be what it is taken for: a thing, a place, a person, and no stray piece of a sentence.

Rules cut values out of sentences, and what is cut wrongly shows at its end: 기억하세, 왕자 아니, 야근이 별로.
"""

from __future__ import annotations

from typing import Final

from gieok.language.morphemes import analyse

_NOUNS_ONLY: Final = frozenset(
    "name nickname job workplace major school hometown residence nationality religion pet friend allergy phobia "
    "medical_condition medication part_time_job exercise diet favorite.food favorite.color".split()
)
_TITLES_TOO: Final = frozenset("likes dislikes".split())  #: 소년이 온다 is a thing to like
_CUT: Final = frozenset({"MAG", "MAJ", "IC", "VCN", "VV", "VA", "VX", "EP", "JKO", "JKS", "JX", "JC", "JKB", "MM"})
_ENDINGS: Final = frozenset({"EF", "EC", "ETM"})
_SHORT: Final = 3  #: syllables; 보라 and 이든 are names, whatever else they are


def is_thing(attribute: str, value: str) -> bool:
    """Whether `value` can be a value of `attribute`, as far as its last morpheme tells."""
    noun = attribute in _NOUNS_ONLY
    if not (noun or attribute in _TITLES_TOO) or (len(value) <= _SHORT and " " not in value):
        return True
    parts = analyse(value)
    last = parts[-1].tag.split("-")[0] if parts else ""
    return last not in _CUT and not (noun and last in _ENDINGS)
