"""How people type: laughter, emoji, dropped spaces, drawn-out endings, small misspellings. Values stay as they are."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final, Literal

from gieok_evals.planted.wording import Piece

Noise = Literal["tail", "spaces", "drawn_out", "typo", "particles"]

NOISES: Final[tuple[Noise, ...]] = ("tail", "spaces", "drawn_out", "typo", "particles")
_TAILS: Final = ("ㅋㅋ", "ㅋㅋㅋ", " ㅎㅎ", "ㅠㅠ", " ㅠ", "ㅎ", " 😊", "🥲", "~", "!!", " ㅇㅇ", "...")
_MISSPELT: Final = (
    ("좋아", "조아"),
    ("싫어", "시러"),
    ("많이", "마니"),
    ("괜찮", "괜찬"),
    ("있어", "잇어"),
    ("했어", "햇어"),
)
_FIRST: Final = ord("가")
_FINALS: Final = 28
_VOWELS: Final = 21
_SSANG_SIOT: Final = 20  #: ㅆ among the finals
_SIOT: Final = 19
_IEUNG: Final = 11  #: ㅇ among the initials
_PLAIN_VOWEL: Final = {2: 0, 3: 1, 6: 4, 7: 5, 9: 0, 12: 8, 17: 13}  #: ㅑ→ㅏ ㅒ→ㅐ ㅕ→ㅓ ㅖ→ㅔ ㅘ→ㅏ ㅛ→ㅗ ㅠ→ㅜ


def typed(parts: Sequence[Piece], noise: Noise, dice: random.Random) -> tuple[Piece, ...]:
    """Return `parts` as somebody in a hurry types them; what a noise does not fit stays as it is."""
    return _TYPERS[noise](tuple(parts), dice)


def _with_tail(parts: tuple[Piece, ...], dice: random.Random) -> tuple[Piece, ...]:
    return (*parts, Piece(text=dice.choice(_TAILS)))


def _without_spaces(parts: tuple[Piece, ...], dice: random.Random) -> tuple[Piece, ...]:
    """Drop about half of the spaces outside values."""
    return tuple(part if part.value else replace(part, text=_squeezed(part.text, dice)) for part in parts)


def _squeezed(text: str, dice: random.Random) -> str:
    return "".join(letter for letter in text if letter != " " or dice.random() < 0.5)


def _drawn_out(parts: tuple[Piece, ...], dice: random.Random) -> tuple[Piece, ...]:
    """Draw the last vowel out (좋아해 → 좋아해애), where the sentence ends in one."""
    last = parts[-1]
    final = last.text[-1:]
    if last.value or not "가" <= final <= "힣" or (ord(final) - _FIRST) % _FINALS:
        return parts
    vowel = (ord(final) - _FIRST) // _FINALS % _VOWELS
    echo = chr(_FIRST + (_IEUNG * _VOWELS + _PLAIN_VOWEL.get(vowel, vowel)) * _FINALS)
    return (*parts[:-1], replace(last, text=last.text + echo * dice.choice((1, 1, 2))))


def _mistyped(parts: tuple[Piece, ...], dice: random.Random) -> tuple[Piece, ...]:
    """Misspell as everybody does: 좋아 → 조아, ㅆ for ㅅ at the end of a syllable."""
    return tuple(part if part.value else replace(part, text=_misspelt(part.text)) for part in parts)


def _misspelt(text: str) -> str:
    for right, wrong in _MISSPELT:
        if right in text:
            return text.replace(right, wrong)
    for position, letter in enumerate(text):
        if "가" <= letter <= "힣" and (ord(letter) - _FIRST) % _FINALS == _SSANG_SIOT:
            return text[:position] + chr(ord(letter) - _SSANG_SIOT + _SIOT) + text[position + 1 :]
    return text


def _unchanged(parts: tuple[Piece, ...], dice: random.Random) -> tuple[Piece, ...]:
    return parts


_TYPERS: Final[dict[Noise, Callable[[tuple[Piece, ...], random.Random], tuple[Piece, ...]]]] = {
    "tail": _with_tail,
    "spaces": _without_spaces,
    "drawn_out": _drawn_out,
    "typo": _mistyped,
    "particles": _unchanged,  # they are left out while the sentence is filled
}
