"""Words that tell a woman from a man: what one is called (유부녀, 남학생), and whom one has (시댁, 형수)."""

from __future__ import annotations

from typing import Final

from gieok.extract.korean.lexicon import lexicon, signals

_WOMAN: Final = "여성"
_MAN: Final = "남성"
_OLDER: Final = {"언니": _WOMAN, "오빠": _WOMAN, "누나": _MAN, "형": _MAN}  #: 친언니, 큰형, 사촌누나


def called(word: str) -> str | None:
    """Return the gender of whoever is called `word`: 여성 of 유부녀; None where anybody may be."""
    if word in signals("gendered", "women"):
        return _WOMAN
    if word in signals("gendered", "men"):
        return _MAN
    meaning = lexicon().canonical.get(word, word)
    return meaning if meaning in (_WOMAN, _MAN) else None


def having(kin: str) -> str | None:
    """Return the gender of whoever has such a relative: 여성 of 시어머니 and 언니, 남성 of 처남 and 큰형."""
    if kin in signals("gendered", "women_have"):
        return _WOMAN
    if kin in signals("gendered", "men_have"):
        return _MAN
    return next((gender for older, gender in _OLDER.items() if kin.endswith(older)), None)
