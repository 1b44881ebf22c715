"""Predicates as noun phrases: 평화롭네 → 평화로움, 따뜻한 사람이에요 → 따뜻한 사람임."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from gieok.language.morphemes import Morpheme, join

_FINALS: Final = str.maketrans({"ㄴ": "ᆫ", "ㄹ": "ᆯ", "ㅁ": "ᆷ", "ㅂ": "ᆸ"})


def nominalised(morphemes: Sequence[Morpheme]) -> str:
    """Return `morphemes`, which end in a stem, as a noun phrase in -음."""
    parts = [(_joining(part), part.tag) for part in morphemes]
    return join([*parts, ("음", "ETN")])


def _joining(part: Morpheme) -> str:
    """Return the form that joins the syllable before it: endings like ㄴ are written under it."""
    return part.form.translate(_FINALS) if part.tag.startswith("E") and len(part.form) == 1 else part.form
