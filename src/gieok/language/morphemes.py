"""Morphemes of a text, by Kiwi.

Kiwi is loaded once, at the first text with a Hangul syllable: it takes seconds and holds the GIL meanwhile.
A server calls `warm()` before it listens.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import Any

from gieok.language import chat_spelling
from gieok.language.lately import remembered
from gieok.language.scan import scan
from gieok.language.text import has_hangul

# Correcting typos doubles Kiwi's time and "corrects" names, so that only lines with a common slip are corrected:
# ㅅ for ㅆ (잇어, 햇어), 되 for 돼, 마니.
_SLIP = re.compile(r"[잇앗엇겟햇됫됏왓봣줫]|되[서요]|마니")
_LONG = 600
# Kiwi spends up to half a millisecond a syllable on 한한한한…: of a long repetition the beginning is enough.
_REPETITION = re.compile(r"([가-힣]{1,4}?)\1{11,}")
_KEPT_OF_REPETITION = 4
# An unknown word that opens like this was written without a space: 이름은한유진입니다.
_RUN_ON = re.compile(r"[나저]는(?=[가-힣]{2})")
_RUN_ON_NAME = re.compile(r"이름은(?=[가-힣]{2})")  # no word goes on like this
_SURROGATE = re.compile(r"[\ud800-\udfff]")
_STEM_TAGS = frozenset({"VV", "VA", "VX", "VCP", "VCN", "XSV", "XSA"})

_kiwi: Any = None
_loading = threading.Lock()


@dataclass(frozen=True, slots=True, kw_only=True)
class Morpheme:
    """A morpheme and where it stands in the text; two may share a syllable (해 = 하 + 어)."""

    form: str  #: standard spelling, typos corrected; `text[start:end]` is what was written
    tag: str  #: Sejong tag as Kiwi gives it, without its -R and -I for (ir)regular stems
    start: int  #: offset in the Python string
    end: int
    lemma: str  #: dictionary form: 좋아하다 of the stem 좋아하; of all else the form
    known: bool = True  #: False: not in the dictionary, as many names and new words


@remembered
def analyse(text: str) -> tuple[Morpheme, ...]:
    """Return the morphemes of `text` in order. Any string is answered; the latest texts are remembered."""
    if not has_hangul(text):
        return tuple(
            Morpheme(form=form, tag=tag, start=start, end=end, lemma=form) for form, tag, start, end in scan(text)
        )
    readable = _SURROGATE.sub("\ufffd", text)  # Kiwi fails on one half of a pair
    reading = _Reading(_load(), short=len(text) <= _LONG, slips=_SLIP.search(text) is not None)
    found: list[Morpheme] = []
    for start, end in _stretches(readable):
        found += reading.morphemes(readable[start:end], start)
    return tuple(found)


def warm() -> None:
    """Load Kiwi now, if it is not loaded yet."""
    _load()


def loaded() -> bool:
    """Say whether Kiwi is loaded, so that the next Korean text is answered at once."""
    return _kiwi is not None


def join(parts: Sequence[tuple[str, str]]) -> str:
    """Return what the (form, tag) `parts` spell together: 무섭 + 음 is 무서움."""
    return str(_load().join(parts))


def _load() -> Any:
    global _kiwi
    if _kiwi is None:
        with _loading:
            if _kiwi is None:
                _kiwi = _new_kiwi()
    return _kiwi


def _new_kiwi() -> Any:
    from kiwipiepy import Kiwi

    kiwi = Kiwi(num_workers=1)
    chat_spelling.teach(kiwi)
    kiwi.tokenize("첫 문장이 사전을 마저 읽게 함", typos="basic")  # the rest of the loading happens at the first text
    return kiwi


def _stretches(text: str) -> Iterator[tuple[int, int]]:
    """Yield the spans of `text` worth reading: all but the tails of long repetitions."""
    begin = 0
    for match in _REPETITION.finditer(text):
        yield begin, match.start() + _KEPT_OF_REPETITION * len(match.group(1))
        begin = match.end()
    if begin < len(text):
        yield begin, len(text)


class _Reading:
    """How Kiwi reads one text. A long one is read plainly, so that 8,000 hostile syllables stay under a second."""

    def __init__(self, kiwi: Any, *, short: bool, slips: bool) -> None:
        self._kiwi = kiwi
        self._short = short
        self._options: dict[str, Any] = {
            "normalize_coda": True,  # 먹었엌ㅋㅋ is 먹었어 with a laugh
            "compatible_jamo": True,  # ㅂ니다 as it is typed
        }
        if short and slips:
            self._options["typos"] = "basic"
        if not short:
            self._options["override_config"] = _narrow_search()

    def morphemes(self, text: str, offset: int) -> list[Morpheme]:
        tokens = self._tokens(text)
        cuts = self._run_ons(text, tokens)
        if not cuts:
            return [_morpheme(token, offset) for token in tokens]
        return [
            _morpheme(token, offset + start)
            for start, end in pairwise([0, *cuts, len(text)])
            for token in self._tokens(text[start:end])
        ]

    def _tokens(self, text: str) -> list[Any]:
        return list(self._kiwi.tokenize(text, **self._options))

    def _run_ons(self, text: str, tokens: list[Any]) -> list[int]:
        if not self._short:
            return []
        openings = (_RUN_ON.match(text, token.start, token.end) for token in tokens if token.oov)
        certain = _RUN_ON_NAME.finditer(text)
        return sorted({opening.end() for opening in (*openings, *certain) if opening})


@cache
def _narrow_search() -> Any:
    from kiwipiepy import KiwiConfig

    return KiwiConfig(cutoff_threshold=5.0)


def _morpheme(token: Any, offset: int) -> Morpheme:
    form = token.form
    tag = token.tag.partition("-")[0]
    if form in chat_spelling.STEMS:
        form = chat_spelling.STEMS[form][1]
    return Morpheme(
        form=form,
        tag=tag,
        start=offset + token.start,
        end=offset + token.end,
        lemma=form + "다" if tag in _STEM_TAGS else form,
        known=not token.oov,
    )
