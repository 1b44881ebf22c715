"""Search terms: what a text is found by.

Content morphemes in their dictionary form (좋아해, 좋아함 and 조아해 are all 좋아하다), foreign words
stemmed, numbers as figures (스물일곱 is 27) with and without their unit, and compounds whole and in parts.
"""

from __future__ import annotations

import re
import threading
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from gieok.language.dates import find_month_days
from gieok.language.lately import remembered
from gieok.language.morphemes import Morpheme, analyse
from gieok.language.numerals import read_number
from gieok.language.text import normalise

STOP_WORDS = frozenset(
    """a about after again all also am an and any are aren as at be because been before being both but by can
    could couldn d did didn do does doesn doing don down each else ever few for from further get got had
    hadn has hasn have haven having he her here hers herself him himself his how i if in into is isn it
    its itself just let ll m me more most my myself no nor not now o of off on once only or other our ours
    out over own re really s same shall she should shouldn so some such t than that the their theirs them
    then there these they this those through to too under until up ve very was wasn we were weren what
    when where which while who whom why will with won would wouldn y yes you your yours yourself""".split()
)
_stemming = threading.Lock()
_NOUNS = frozenset({"NNG", "NNP", "XR", "SH"})
_STEMS = frozenset({"VV", "VA"})
_WORD_PARTS = _NOUNS | {"SL", "SN", "NR", "XSN", "XPN", "NNB"}
_PARTS_ONLY = frozenset({"XSN", "XPN", "NNB"})
_WHOLE = frozenset({"W_EMOJI", "W_EMAIL", "W_MENTION", "W_HASHTAG", "SW"})
_NUMERALS = frozenset({"SN", "NR"})
_COUNTED_BY = frozenset("한 두 세 네 다섯 여섯 일곱 여덟 아홉 열 스무".split())
_SAYING_NOTHING = frozenset(
    "하다 되다 있다 없다 같다 그렇다 이렇다 저렇다 어떻다 그러다 이러다 어쩌다 안 못 더 덜 좀 "
    "잘 다 또 막 너무 넘 진짜 정말 그냥 완전 이제 왜 어떻게 그렇게 이렇게 아주 매우 많이 바로".split()
)
_LONGEST_COMPOUND = 5
_LONGEST_TERM = 64
_LETTERS = re.compile(r"[^\W_]+")
_EDGES = re.compile(r"^[^\w]+|[^\w]+$")
_JAMO = re.compile(r"[ㄱ-ㆎ]+")
_LATIN = re.compile(r"[a-z]+")


@lru_cache(maxsize=4096)
def stem(word: str) -> str:
    """Return the stem of a lower-case English `word`: running → run."""
    with _stemming:  # the stemmer keeps its word in itself
        return str(_stemmer().stemWord(word))


@lru_cache(maxsize=1)
def _stemmer() -> Any:
    import snowballstemmer

    return snowballstemmer.stemmer("english")


@dataclass(frozen=True, slots=True, kw_only=True)
class QueryTerms:
    """What to look for; neither holds a term twice."""

    words: tuple[str, ...]
    prefixes: tuple[str, ...]  #: those of `words` that may also begin a longer term: 김밥 → 김밥천국


@dataclass(frozen=True, slots=True)
class _Term:
    text: str
    may_begin: bool = False


@remembered
def index_terms(text: str) -> tuple[str, ...]:
    """Return the terms that `text` is found by, in order and with repetition, none with white space."""
    return tuple(term.text for term in _terms(normalise(text)))


def query_terms(text: str) -> QueryTerms:
    """Return the terms to look for when `text` is asked, as `index_terms` would have indexed them."""
    terms = _terms(normalise(text))
    return QueryTerms(
        words=tuple(dict.fromkeys(term.text for term in terms)),
        prefixes=tuple(dict.fromkeys(term.text for term in terms if term.may_begin)),
    )


def _terms(text: str) -> list[_Term]:
    written = _join_symbol_words(_join_numbers(text, analyse(text)))
    found = [
        _Term(cleaned, term.may_begin and _long_enough(cleaned))
        for run in _runs(written)
        for term in _terms_of_run(run)
        if (cleaned := _clean(term.text))
    ]
    return found or [_Term(word) for word in _raw_words(text)]


def _join_numbers(text: str, morphemes: Sequence[Morpheme]) -> Iterator[Morpheme]:
    """Yield `morphemes` with every run of numerals as one number in figures."""
    i = 0
    while i < len(morphemes):
        end = _end_of_number(morphemes, i)
        if end == i:
            yield morphemes[i]
            i += 1
            continue
        first, last = morphemes[i], morphemes[end - 1]
        said = text[first.start : last.end]
        value = read_number(said)
        form = said if value is None else str(value)
        yield Morpheme(form=form, tag="SN", start=first.start, end=last.end, lemma=form)
        i = end


def _end_of_number(morphemes: Sequence[Morpheme], start: int) -> int:
    first = morphemes[start]
    if first.tag == "MM" and first.form in _COUNTED_BY:
        counted = start + 1 < len(morphemes) and morphemes[start + 1].tag == "NNB"
        return start + 1 if counted else start
    end = start
    while end < len(morphemes) and morphemes[end].tag in _NUMERALS:
        # 스물 일곱 is one number, 3 15 are two
        blanks_allowed = 1 if morphemes[end].tag == "NR" else 0
        if end > start and morphemes[end].start - morphemes[end - 1].end > blanks_allowed:
            break
        end += 1
    return end


def _join_symbol_words(morphemes: Iterator[Morpheme]) -> Iterator[Morpheme]:
    """Yield `morphemes` with c + ++ as c++, and C + # as C#."""
    held: Morpheme | None = None
    for morpheme in morphemes:
        if held and morpheme.tag == "SW" and morpheme.form in ("+", "++", "#") and morpheme.start == held.end:
            form = held.form + morpheme.form
            yield Morpheme(form=form, tag="SW", start=held.start, end=morpheme.end, lemma=form)
            held = None
            continue
        if held:
            yield held
        held = morpheme if morpheme.tag == "SL" else None
        if held is None:
            yield morpheme
    if held:
        yield held


def _runs(morphemes: Iterator[Morpheme]) -> Iterator[list[Morpheme]]:
    """Yield parts of one written word together (치킨 + 집, 176 + cm, 스물일곱 + 살), all else alone."""
    run: list[Morpheme] = []
    for morpheme in morphemes:
        if run and not _continues(run[-1], morpheme):
            yield run
            run = []
        run.append(morpheme)
    if run:
        yield run


def _continues(before: Morpheme, after: Morpheme) -> bool:
    if before.tag not in _WORD_PARTS or after.tag not in _WORD_PARTS:
        return False
    gap = after.start - before.end
    return gap <= 0 or (gap == 1 and before.tag == "SN" and after.tag == "NNB")


def _terms_of_run(run: list[Morpheme]) -> Iterator[_Term]:
    for morpheme in run:
        yield from _terms_of(morpheme)
    tags = {morpheme.tag for morpheme in run}
    if 1 < len(run) <= _LONGEST_COMPOUND and not tags <= _PARTS_ONLY:
        yield _Term("".join(morpheme.form for morpheme in run), may_begin="SN" not in tags)


def _terms_of(morpheme: Morpheme) -> Iterator[_Term]:
    tag, form = morpheme.tag, morpheme.form
    if tag in _NOUNS:
        yield _Term(form, may_begin=True)
    elif tag in _STEMS or tag == "MAG":
        if morpheme.lemma not in _SAYING_NOTHING:
            yield _Term(morpheme.lemma)
    elif tag == "SL":
        yield from _foreign(form)
    elif tag == "SN":
        yield _Term(form)
    elif tag == "W_SERIAL":
        yield _Term(form)
        for day in find_month_days(form):
            yield _Term(f"{day.month}월")
            yield _Term(f"{day.day}일")
    elif tag == "W_URL":
        yield from (_Term(word) for word in _LETTERS.findall(form))
    elif tag in _WHOLE and _is_word(form, tag):
        yield _Term(form.lstrip("@#") or form, may_begin=tag in ("SW", "W_HASHTAG"))


def _foreign(form: str) -> Iterator[_Term]:
    lowered = form.casefold()
    if lowered not in STOP_WORDS:
        # A stem begins many words that mean something else: art, artificial.
        latin = _LATIN.fullmatch(lowered) is not None
        yield _Term(stem(lowered) if latin else lowered, may_begin=not latin)


def _is_word(form: str, tag: str) -> bool:
    """Say whether a symbol carries meaning: c++, Привет and 🐈 do, ~~ and ㅋㅋ do not."""
    return tag != "SW" or (_LETTERS.search(form) is not None and _JAMO.fullmatch(form) is None)


def _long_enough(term: str) -> bool:
    # Two Latin letters begin far too many words.
    return len(term) >= (3 if term.isascii() else 2)


def _clean(term: str) -> str:
    return unicodedata.normalize("NFC", "".join(term.casefold().replace("\0", "").split()))[:_LONGEST_TERM]


def _raw_words(text: str) -> list[str]:
    """Return the words of a text that says nothing else ("응", "ㅋㅋ"), so that it can still be found."""
    return [_clean(_EDGES.sub("", word) or word) for word in text.split() if _clean(word)]
