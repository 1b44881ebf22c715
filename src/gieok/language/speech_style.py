"""How politely somebody speaks: formal (하십시오체, 해요체), casual (반말), or intimate (반말 with endearments)."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from typing import Final

from gieok.domain.noticed import SpeechStyle
from gieok.language.address import address
from gieok.language.address_words import address_words
from gieok.language.mending import mended_of
from gieok.language.own_words import own_words
from gieok.language.text import has_hangul

_POLITE: Final = re.compile(r"(?:[요여용욥염쥬죠유]|니다|니까|시오|시다|에요|세욤)$")
_CASUAL_WORDS: Final = frozenset("응 웅 엉 그래 안녕 야 얘 오냐".split())
_CLOSES: Final = frozenset({"SF", "SE", "SW", "SP", "W_EMOJI", "W_EMOTICON", "Z_CODA"})
_POLITE_PARTICLES: Final = frozenset({"요", "여", "용", "염"})
_BABYISH: Final = re.compile(r"[했었았였겠해려셔][쪄떠쩌](?![가-힣])|[가-힣]쪄[용염요]|뿌잉|뀨[우~ㅠ]|[했었았][쪄떠]")
_MOST: Final = 400  #: morphemes


def speech_style(text: str, names: Collection[str] = ()) -> SpeechStyle | None:
    """Return the style of `text`, or None where the words do not tell (음, ㅋㅋ, a bare noun).

    English has hardly any: a sir or an endearment tells. `names` are the listener's own.
    """
    return style_of(own_words(text), address(text, names))


def style_of(own: str, called: str | None) -> SpeechStyle | None:
    """Return the style of the speaker's `own` words, in which the listener is `called` so."""
    words = address_words()
    if not has_hangul(own):
        lowered = (called or "").lower()
        if lowered in words.english_polite:
            return "formal"
        return "intimate" if lowered in words.english_sweet else None
    heard = list(_endings(own))
    polite = sum(heard)
    if polite and polite * 2 >= len(heard):
        return "formal"
    if called in words.sweet or _BABYISH.search(own):
        return "intimate"
    return "casual" if heard else None


def _endings(text: str) -> Iterator[bool]:
    """Yield for every sentence that is closed whether it is closed politely."""
    morphemes = mended_of(text)[:_MOST]
    for at, part in enumerate(morphemes):
        following = morphemes[at + 1] if at + 1 < len(morphemes) else None
        ends = following is None or following.tag in _CLOSES
        if part.tag == "EF":
            raised = following is not None and following.form in _POLITE_PARTICLES and following.tag in ("JX", "EF")
            yield raised or _POLITE.search(part.form) is not None
        elif part.tag in ("EC", "ETN") and ends and (following is None or following.tag != "SP"):
            yield _POLITE.search(part.form) is not None
        elif part.tag == "JX" and part.form in _POLITE_PARTICLES and ends:
            yield True
        elif part.tag == "IC" and part.form in _CASUAL_WORDS and ends:
            yield False
