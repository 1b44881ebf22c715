"""Families of words: those that keep the same company elsewhere, as 간호사 and 병동, or 떡볶이 and 순대.

What was learned of one word holds of its family a little. `make families` finds them in what Kiwi has learned.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.resources import files

import numpy as np

Families = tuple[int, ...]  # the wide one, and the narrow one


def families_of(lemma: str) -> Families:
    """Return the families of a word, the widest first; none of a word that is not known."""
    return _known().get(lemma, ())


@cache
def _known() -> Mapping[str, Families]:
    with files(__package__).joinpath("families.npz").open("rb") as opened, np.load(opened) as kept:
        words = str(kept["words"]).split("\n")
        return dict(zip(words, zip(kept["wide"].tolist(), kept["narrow"].tolist(), strict=True), strict=True))
