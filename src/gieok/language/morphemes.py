"""Morphemes of a text, by Kiwi or, with the profile "light", by `gieok.language.light`.

Kiwi is loaded once, at the first text with a Hangul syllable: it takes seconds and holds the GIL meanwhile.
A server calls `warm()` before it listens.
"""

from __future__ import annotations

import re
import threading
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import pairwise, zip_longest
from typing import Any, Final

from gieok.errors import ErrorText, InvalidSetting
from gieok.language import light
from gieok.language.budget import check_time
from gieok.language.cache import cached_by_text
from gieok.language.data_files import data_file
from gieok.language.text import has_hangul

_RARE: Final = -2.0  #: a word that it knows is likelier
_PICTOGRAPH = r"[\u2600-\u27bf\U0001f000-\U0001f1e5\U0001f200-\U0001faff]"
_WORD = re.compile(
    rf"""
    (?P<W_URL>https?://\S+)
    |(?P<W_EMAIL>[\w.+-]{{1,64}}@[\w-]{{1,64}}(?:\.[\w-]{{1,64}})+)
    |(?P<W_MENTION>@\w+)
    |(?P<W_SERIAL>\d+(?:[-/]\d+)+|\d+(?:\.\d+){{2,}})
    |(?P<SN>\d{{1,3}}(?:,\d{{3}})+(?:\.\d+)?|\d+(?:\.\d+)?)
    |(?P<W_EMOJI>[\U0001f1e6-\U0001f1ff]{{2}}|{_PICTOGRAPH}[\ufe0f\U0001f3fb-\U0001f3ff]*
        (?:\u200d{_PICTOGRAPH}[\ufe0f\U0001f3fb-\U0001f3ff]*)*)
    |(?P<SH>[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]+)
    |(?P<JAMO>[ㄱ-ㆎ]+)
    |(?P<SL>[^\W\d_ㄱ-ㆎ\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]+(?:\.(?:js|net|io|py|ai)\b)?)
    |(?P<SF>[.?!…]+)
    |(?P<SW>[^\w\s]+)
    """,
    re.VERBOSE,
)
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
# "If it were" is never written apart: what is, one eats. Kiwi takes 나 라면 좋아해 for 나라면.
_APART = re.compile(r"(?<=\s)라면(?=$|[\s,.!?~]|[을은이도만랑과의에])")
_FOREIGN = re.compile(r"[^가-힣]+")
_SURROGATE = re.compile(r"[\ud800-\udfff]")
_STEM_TAGS = frozenset({"VV", "VA", "VX", "VCP", "VCN", "XSV", "XSA"})
_kiwi: Any = None
_loading = threading.Lock()
_profile: str | None = None  #: of this process


def teach(kiwi: Any) -> None:
    """Add the spellings to `kiwi`'s dictionary."""
    spellings = data_file("spellings.toml")
    for written, told in spellings["stems"].items():
        kiwi.add_user_word(written, told.split()[0], 0.0)
    for written, told in spellings["words"].items():
        kiwi.add_pre_analyzed_word(written, [tuple(each.split("/")) for each in told.split()], 0.0)
    for noun in spellings["whole"]["nouns"].split():
        kiwi.add_user_word(noun, "NNG", 0.0)
    for name in spellings["whole"]["names"].split():
        kiwi.add_user_word(name, "NNP", _RARE)


@cache
def _standard() -> dict[str, str]:
    """Return the standard spelling of the stems that Kiwi gives back as they are written."""
    return {written: told.split()[1] for written, told in data_file("spellings.toml")["stems"].items()}


def scan(text: str) -> Iterator[tuple[str, str, int, int]]:
    """Yield (form, tag, start, end) of every word, number, pictograph and mark in `text`."""
    for match in _WORD.finditer(text):
        tag = match.lastgroup or "SW"
        yield match.group(), "SW" if tag == "JAMO" else tag, match.start(), match.end()


@dataclass(frozen=True, slots=True, kw_only=True)
class Morpheme:
    """A morpheme and where it stands in the text; two may share a syllable (해 = 하 + 어)."""

    form: str  #: standard spelling, typos corrected; `text[start:end]` is what was written
    tag: str  #: Sejong tag as Kiwi gives it, without its -R and -I for (ir)regular stems
    start: int  #: offset in the Python string
    end: int
    lemma: str  #: dictionary form: 좋아하다 of the stem 좋아하; of all else the form
    known: bool = True  #: False: not in the dictionary, as many names and new words


@cached_by_text
def analyse(text: str) -> tuple[Morpheme, ...]:
    """Return the morphemes of `text` in order. Any string is answered; the latest texts are remembered."""
    check_time()
    if not has_hangul(text):
        return tuple(_scanned(*found) for found in scan(text))
    if _profile == "light":
        return tuple(_cut(text))
    readable = _SURROGATE.sub("\ufffd", text)  # Kiwi fails on one half of a pair
    reading = _Reading(_load(), short=len(text) <= _LONG, slips=_SLIP.search(text) is not None)
    found: list[Morpheme] = []
    for start, end in _stretches(readable):
        found += reading.morphemes(readable[start:end], start)
    return tuple(found)


def use(profile: str) -> None:
    """Choose who reads the texts of this process: Kiwi ("full") or `light`. Raises `InvalidSetting` if it has another.

    What was read stays cached: one process reads in one way.
    """
    global _profile
    if _profile not in (None, profile):
        raise InvalidSetting(ErrorText("settings.profile", profile=profile, other=_profile))
    _profile = profile


def warm() -> None:
    """Load what Korean is read with now, if it is not loaded yet."""
    light.warm() if _profile == "light" else _load()


def loaded() -> bool:
    """Say whether the next Korean text is answered at once."""
    return _profile == "light" or _kiwi is not None


def join(parts: Sequence[tuple[str, str]]) -> str:
    """Return what the (form, tag) `parts` spell together: 무섭 + 음 is 무서움."""
    return light.join(parts) if _profile == "light" else str(_load().join(parts))


def _scanned(form: str, tag: str, start: int, end: int) -> Morpheme:
    return Morpheme(form=form, tag=tag, start=start, end=end, lemma=form)


def _cut(text: str) -> Iterator[Morpheme]:
    """Yield the morphemes of `text` without Kiwi."""
    found, taken = [], 0
    for form, tag, start, end in scan(text):
        if tag.startswith("W_") or not has_hangul(form):
            found.append(_scanned(form, tag, start, end))
        else:  # k팝
            foreign = _FOREIGN.finditer(text, start, end)
            found += [_scanned(each.group(), tag, *each.span()) for each in foreign]
    for form, tag, start, end, known in light.cut(text):
        lemma = form + "다" if tag in _STEM_TAGS else form
        found.append(Morpheme(form=form, tag=tag, start=start, end=end, lemma=lemma, known=known))
    for each in sorted(found, key=lambda each: (each.start, each.end)):
        if each.start >= taken:
            yield each
            taken = each.end if each.tag.startswith("W_") else taken


def _load() -> Any:
    global _kiwi
    if _kiwi is None:
        with _loading:
            if _kiwi is None:
                _kiwi = _new_kiwi()
    return _kiwi


def _new_kiwi() -> Any:
    from kiwipiepy import Kiwi

    with warnings.catch_warnings():  # 0 meant something else before 0.21, which it says every time
        warnings.simplefilter("ignore", DeprecationWarning)
        kiwi = Kiwi(num_workers=0, load_multi_dict=False)  # no thread of its own: the process may fork
    teach(kiwi)
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
        nouns = [(*noun.span(), "NNG") for noun in _APART.finditer(text)] if "라면" in text else []
        return list(self._kiwi.tokenize(text, pretokenized=nouns or None, **self._options))

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
    form = _standard().get(token.form, token.form)
    tag = token.tag.partition("-")[0]
    return Morpheme(
        form=form,
        tag=tag,
        start=offset + token.start,
        end=offset + token.end,
        lemma=form + "다" if tag in _STEM_TAGS else form,
        known=not token.oov,
    )


@cached_by_text
def corrected_morphemes(text: str) -> tuple[Morpheme, ...]:
    """Return the morphemes of `text` as `corrected` returns them."""
    return tuple(corrected(analyse(text)))


def corrected(morphemes: Sequence[Morpheme]) -> Iterator[Morpheme]:
    """Yield `morphemes`; an unknown noun in -임 is cut into noun and copula, a foreign word before its full stop."""
    for part, after in zip_longest(morphemes, morphemes[1:]):
        word, end, cut = part.form[:-1], part.form[-1:], part.end - 1
        joined = after is not None and after.start == part.end
        if part.tag == "SL" and end == "." and word and "." not in word and not joined:
            yield replace(part, form=word, lemma=word, end=cut)
            yield replace(part, form=end, tag="SF", lemma=end, start=cut)
        elif part.tag in ("NNG", "NNP") and not part.known and end == "임" and len(word) > 1 and not joined:
            yield replace(part, form=word, lemma=word, end=cut)
            yield replace(part, form="이", tag="VCP", lemma="이다", start=cut, end=cut)
            yield replace(part, form="ㅁ", tag="EF", lemma="ㅁ", start=cut)
        else:
            yield part
