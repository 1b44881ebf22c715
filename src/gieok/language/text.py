"""One shape for every text, so that the same words are the same string."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import Final

MONTHS: Final = "January February March April May June July August September October November December".split()

_LINE_END = re.compile(r"\r\n?|[\x0b\x0c\x85\u2028\u2029]")
_SURROGATE = re.compile(r"[\ud800-\udfff]")
# A joiner stays after a pictograph: without it 👨‍👩‍👧 falls apart into three people.
_UNSEEN = re.compile(
    r"[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\u00ad\u180e\u200b\u200c\u200e\u200f\u202a-\u202e\u2060-\u2064"
    r"\u2066-\u206f\ufeff\ufff9-\ufffb]"
    r"|(?<![\u2600-\u27bf\ufe0f\U0001f000-\U0001faff])\u200d"
)
_BLANKS = re.compile(r"[^\S\n]+")
_AROUND_LINE_END = re.compile(r" ?\n ?")
_EMPTY_LINES = re.compile(r"\n{3,}")
_HANGUL = re.compile(r"[가-힣]")
_MOST_PASSAGES = 8
_SENTENCE_END = re.compile(r"(?:\.(?!\d)|[!?…\n])+|[ㅋㅎㅠㅜ]{2,}(?=\s)|[\u2600-\u27bf\U0001f300-\U0001faff]")


def normalise(text: str) -> str:
    r"""Return `text` composed (NFC), with plain line ends, single blanks and nothing invisible.

    Lines are kept, at most one empty line between two. A lone surrogate, which no store can hold,
    becomes U+FFFD.
    """
    if text.isprintable() and "  " not in text:  # most are: nothing below would find anything
        return unicodedata.normalize("NFC", text).strip()
    text = unicodedata.normalize("NFC", _SURROGATE.sub("\ufffd", text))
    text = _UNSEEN.sub("", _LINE_END.sub("\n", text))
    text = _AROUND_LINE_END.sub("\n", _BLANKS.sub(" ", text))
    # Taking a character out from between two others may have made them composable.
    return unicodedata.normalize("NFC", _EMPTY_LINES.sub("\n\n", text).strip())


@lru_cache(maxsize=8192)
def fold(text: str) -> str:
    """Return `text` as compared: full-width, case and blanks at the ends make no difference."""
    return unicodedata.normalize("NFKC", normalise(text).casefold())


def squeeze(text: str) -> str:
    """Return `text` as compared: in one case, without spaces and marks."""
    return "".join(letter for letter in fold(text) if letter.isalnum())


def has_hangul(text: str) -> bool:
    """Say whether `text` holds a Hangul syllable; loose jamo (ㅋㅋ) are none."""
    return _HANGUL.search(text) is not None


def sentences(text: str) -> list[str]:
    """Return the stretches of `text` between full stops, questions, exclamations, laughter, emoji and line ends."""
    return [stretch.strip() for stretch in _SENTENCE_END.split(text) if stretch.strip()]


def passages(text: str) -> list[str]:
    """Return what of `text` is embedded: the whole, and where it has several sentences, each of the first ones too.

    In one vector for everything, one fact among three is hard to find.
    """
    within = sentences(text)[:_MOST_PASSAGES]
    return [text, *within] if len(within) > 1 else [text]
