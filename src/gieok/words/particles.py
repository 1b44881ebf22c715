"""Korean particles that fit the word before them: 고양이를, 책을, 서울로."""

from __future__ import annotations

import re

_LAST_SOUND = re.compile(r"[가-힣A-Za-z0-9%]+(?=[^가-힣A-Za-z0-9%]*$)")
_RIEUL = 8  # index of ㄹ among the finals of a syllable block
_OTHER_FINAL = 1
_DIGIT_FINALS = {"0": 1, "1": _RIEUL, "3": 1, "6": 1, "7": _RIEUL, "8": _RIEUL}
_LETTER_FINALS = {"l": _RIEUL, "m": 1, "n": 1, "r": _RIEUL}
_UNIT_FINALS = {"m": 0, "cm": 0, "mm": 0, "km": 0, "kg": 1, "g": 1, "%": 0}
_UNIT = re.compile(r"\d(%|[a-z]{1,2})$")
_CLOSED_SYLLABLE = re.compile(r"(?:^|[^aeiou])(?:[aeiou]|oo|eo|ae|eu)(?:[bckpt]|ck|pp|tt)$")  # minseok이, Jack을


def josa(word: str, pair: str) -> str:
    """Return `word` with the fitting particle of `pair`: "을/를" makes 고양이를 and 책을.

    The form after a consonant comes first in `pair`. Latin letters and digits count as they are read in
    Korean; after what has no such reading both are written, as in "🐈을(를)".
    """
    after_consonant, slash, after_vowel = pair.partition("/")
    if not slash:
        raise ValueError(f"{pair!r} is no pair of particles; write both forms, e.g. '을/를'")
    final = _final(word)
    if final is None:
        return f"{word}{after_consonant}({after_vowel})"
    if final == _RIEUL and after_consonant.startswith("으로"):
        return word + after_vowel
    return word + (after_consonant if final else after_vowel)


def _final(word: str) -> int | None:
    """Return the final consonant of `word` as read: 0 none, 8 ㄹ; None where nobody can tell."""
    match = _LAST_SOUND.search(word[-64:])
    if match is None:
        return None
    sound = match.group()
    last = sound[-1]
    if "가" <= last <= "힣":
        return (ord(last) - ord("가")) % 28
    if unit := _UNIT.search(sound):
        return _UNIT_FINALS.get(unit.group(1), 0)
    if last.isdigit():
        return _DIGIT_FINALS.get(last, 0)
    letters = re.split(r"[가-힣0-9%]", sound)[-1]
    if letters.isupper():
        return _LETTER_FINALS.get(letters[-1:].lower(), 0)
    lowered = letters.lower()
    if lowered.endswith("le"):
        return _RIEUL
    if lowered.endswith(("ng", "ne", "me")) or _CLOSED_SYLLABLE.search(lowered):
        return _OTHER_FINAL
    return 0 if lowered.endswith("r") else _LETTER_FINALS.get(lowered[-1:], 0)
