"""One spelling for numbers, however they are written; every character keeps its place.

Full-width and other digits become ASCII, every kind of dash, dot and blank the plain one, an O among digits a zero, and
numbers that are spelled out (공일공 삼칠이오 육육공사) become figures.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Final

_DASHES: Final = "‐‑‒–—―−﹣－ㅡ─━ー~∼～˗⁃"
_DOTS: Final = "·•․。．｡・ㆍ‧∙"
_SPOKEN: Final = dict(zip("공영일이삼사오육륙칠팔구", "001234566789", strict=True))
_HANGUL_DIGITS: Final = "".join(_SPOKEN)
_TO_FIGURES: Final = str.maketrans(_SPOKEN)
_UNUSUAL: Final = re.compile(r"[^\x20-\x7e가-힣ㄱ-ㅎㅏ-ㅠㅢㅣ\n]|~")
_LETTER_O: Final = re.compile(r"(?<=\d)[Oo](?=[-. ]?\d)|(?<![A-Za-z0-9])[Oo](?=\d[\dOo])|(?<=\d)[ㅇ○lI|](?=\d)")
_SPELLED: Final = re.compile(rf"[{_HANGUL_DIGITS}]{{2}}|[{_HANGUL_DIGITS}]\d|\d[{_HANGUL_DIGITS}]")
#: 이 and 일 are also particles and endings: after a figure, or before a syllable that is no digit, they are not read.
_SYLLABLE: Final = (
    rf"(?:\d|[공영삼사오육륙칠팔구](?!개|명|번|시|분|살|원|월|년|층|호|동)|[이일](?=[{_HANGUL_DIGITS}\d])"
    rf"|[이일](?=에\s?[{_HANGUL_DIGITS}\d])|(?<!\d)[이일](?![가-힣]))"
)
_BETWEEN: Final = r"(?: ?[-.,] ?| ?(?:에|다시|대시|하이픈) ?| )"
#: A group ends where its word does, but for particles and endings: 칠 사업자 is no 74.
_GROUP: Final = (
    rf"{_SYLLABLE}+(?=[^가-힣]|$|[이은는가을를로으야예에입인임였랑과와고도만요라번래죠지네다구면며니데처한까부보하맞])"
)
_RUN: Final = re.compile(rf"(?:(?<![가-힣])|(?<=[는은호번폰])){_GROUP}(?:{_BETWEEN}{_GROUP})*(?P<last>[이일]?)")
_NO_DIGIT: Final = re.compile(r"\D")
_LEAST: Final = 9  #: digits of the shortest number that somebody would spell out
_MOBILE: Final = re.compile(r"01[016-9]")
_MOBILE_DIGITS: Final = 11


class _Plain(dict[int, str]):
    """The plain character for an unusual one, looked up when it is first met."""

    def __missing__(self, code: int) -> str:
        letter = chr(code)
        plain = self[code] = _plain(letter)
        return plain


def _plain(letter: str) -> str:
    if letter in _DASHES:
        return "-"
    if letter in _DOTS:
        return "."
    digit = unicodedata.digit(letter, None)
    if digit is not None:
        return str(digit)
    if "！" <= letter <= "～":
        return chr(ord(letter) - 0xFEE0)
    blank = letter != "\n" and (unicodedata.category(letter) in ("Zs", "Cf", "Mn", "Me") or letter == "\t")
    return " " if blank else letter


_PLAIN: Final = _Plain()


def plain(text: str) -> str:
    """Return `text` with plain digits, letters, dashes, dots and blanks, each in its place."""
    return text.translate(_PLAIN) if _UNUSUAL.search(text) else text


def figures(text: str) -> str:
    """Return plain `text` with the numbers that are spelled out, or mixed with letters, as figures."""
    text = _LETTER_O.sub(lambda match: "1" if match[0] in "lI|" else "0", text)
    return _RUN.sub(_as_figures, text) if _SPELLED.search(text) else text


def _as_figures(match: re.Match[str]) -> str:
    last = match["last"]
    run = match[0].removesuffix(last)
    read = run.translate(_TO_FIGURES)
    digits = _NO_DIGIT.sub("", read)
    if len(digits) < _LEAST or digits == _NO_DIGIT.sub("", run):
        return match[0]
    if _MOBILE.match(digits):  # how long it is tells whether 이 is a two or a particle: 공일공 … 육육공사이 맞아
        if len(digits) == _MOBILE_DIGITS + 1 and run.endswith("이"):
            return read[:-1] + "이" + last
        if len(digits) == _MOBILE_DIGITS - 1:
            last = last.translate(_TO_FIGURES)
    return read + last
