"""How likely words tell what a model reads in them, by what the rules' own learned reader sees there.

The rules tell on only what that reader is sure of. Where a model says the same by itself, far less will do: both err,
and seldom alike. Words taken at random, or called by a wrong name, have next to no share.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from functools import lru_cache
from typing import Final

import numpy as np

from gieok.domain.scope import Scope
from gieok.domain.turn import USER
from gieok.extract.korean.gleaning import CLASSES, OPEN, Floats, Look, gleaner, look_at, value_of
from gieok.extract.korean.parting import parts_read
from gieok.extract.korean.telling import Part
from gieok.extract.korean.whose import Speaking
from gieok.language.text import fold

_LONGEST: Final = 200  #: letters that the reader looks at together
SUSPECTED: Final = 0.1  #: the share for which a model is asked
MORE_SUSPECTED: Final = 0.04  #: … of somebody who has told something already
_TELLING: Final = frozenset({"statement", "fragment", "hypothetical"})  #: -ㄹ and -면 lead up to what is told
_ANYONE: Final = Scope(user="user", character="character")


def is_learned(attribute: str, value: str) -> bool:
    """Whether the reader has learned what it looks like when somebody tells such a thing."""
    return attribute in OPEN or f"{attribute}={value}" in CLASSES


def share(attribute: str, value: str, surface: str, text: str, asked: str = "") -> float:
    """Return how likely `text`, said after `asked`, tells that the speaker's `attribute` is `value`: 0–1."""
    look, shares = _seen(text[:_LONGEST], asked)
    named = f"{attribute}={value}"
    if named in CLASSES:
        return float(shares[-1, CLASSES.index(named)])
    if attribute not in OPEN:
        return 0.0
    places = [place for place in range(len(look.offers)) if _names(attribute, look.said(place), (value, surface))]
    return float(shares[places, CLASSES.index(attribute)].sum())


def suspected(text: str, but: Collection[str], read: Collection[str] = ()) -> Iterator[int]:
    """Yield where `text` seems to tell something of the speaker: another attribute than `but`, in words not `read`."""
    look, shares = _seen(text[:_LONGEST], "")
    parts = _parts(look.text)
    told = [_tells(part) for part in parts]
    least = MORE_SUSPECTED if but else SUSPECTED
    for place in np.flatnonzero(shares.sum(axis=0) >= least).tolist():
        key = CLASSES[place].partition("=")[0]
        best = int(shares[:, place].argmax())
        if key in but:
            continue
        if best < len(look.offers):
            own = squeeze(look.said(best))
            if told[look.offers[best].part] and not any(own in words or words in own for words in read):
                yield look.offers[best].start
        elif best == len(look.offers) and any(told):
            yield parts[told.index(True)].clause.start


def _tells(part: Part) -> bool:
    own = part.about is not None and part.about.subject == USER
    wished = part.mood == "hypothetical" and part.closes == "wish"  # 강릉에서 카페 하면 좋겠다
    return own and part.mood in _TELLING and not wished


def squeeze(text: str) -> str:
    """Return `text` as compared: in one case, without spaces and marks."""
    return "".join(letter for letter in fold(text) if letter.isalnum())


@lru_cache(maxsize=64)
def _seen(text: str, asked: str) -> tuple[Look, Floats]:
    parts = _parts(text)
    look = look_at(text, parts, asked)
    return look, gleaner().shares(look) if parts else np.zeros((len(look.offers) + 1, len(CLASSES)), dtype=np.float32)


def _parts(text: str) -> tuple[Part, ...]:
    return parts_read(text, Speaking(speaker=USER, scope=_ANYONE))


def _names(attribute: str, said: str, forms: Sequence[str]) -> bool:
    """Whether an offer is what is meant: the value itself, a piece of it, or another way to write it."""
    own = squeeze(said)
    if not own:
        return False
    if any(own in wanted or wanted in own for wanted in map(squeeze, forms) if wanted):
        return True
    read = value_of(attribute, said)
    return read is not None and read.value in forms
