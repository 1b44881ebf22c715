"""Notes as one would say them to somebody's face: 고양이를 좋아함 → 고양이를 좋아해요."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from gieok.language.morphemes import Morpheme, analyse, join
from gieok.language.particles import josa
from gieok.language.text import has_hangul

_STOP: Final = re.compile(r"[\s.!~]+$")
_LABEL: Final = re.compile(r"^(?P<label>약속|할 일|계획)\s*:\s*")
_NOUN_ENDINGS: Final = frozenset({"ㅁ", "ᆷ", "음"})
_IS: Final = re.compile(r"(?:임|이다)$")
_NOTED: Final = frozenset({"ETN", "EF"})
_LONGEST: Final = 400  #: letters of a note that is put otherwise; longer ones were written by somebody


def politely(note: str, *, past: bool = False) -> str:
    """Return a note as a polite sentence, in the past if it tells what happened; what is no Korean note stays."""
    bare = _STOP.sub("", note)
    if not has_hangul(bare) or len(bare) > _LONGEST or "\n" in bare:
        return note
    labelled = _LABEL.match(bare)
    bare = bare[labelled.end() :] if labelled else bare
    parts = analyse(bare)
    if not parts or parts[-1].end != len(bare):
        return bare
    return _spoken(bare, parts, planned=labelled is not None, past=past)


def _spoken(bare: str, parts: Sequence[Morpheme], *, planned: bool, past: bool) -> str:
    last = parts[-1]
    if planned and (last.form, last.tag) == ("기", "ETN"):
        return f"{bare}로 했어요"
    if last.tag not in _NOTED or not (last.form in _NOUN_ENDINGS or last.form.endswith("다")):
        return bare
    # All but the last word stays as it is written: put together anew, it could be spelt otherwise.
    start = bare.rfind(" ") + 1
    word = [(part.form, part.tag) for part in parts[:-1] if part.start >= start]
    if not word:
        return bare
    if word[-1][1] == "VCP" and (named := _IS.sub("", bare)) != bare:
        return josa(named, "이에요/예요")
    over = [("었", "EP")] if past and word[-1][1] not in ("EP", "VCP") else []
    return bare[:start] + join([*word, *over, ("어요", "EF")])
