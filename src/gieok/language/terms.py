"""Search terms: what a text is found by.

Content morphemes in their dictionary form (좋아해, 좋아함 and 조아해 are all 좋아하다), foreign words
stemmed, numbers as figures (스물일곱 is 27) with and without their unit, and compounds whole and in parts.
"""

from __future__ import annotations

import re
import threading
import unicodedata
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache
from itertools import zip_longest
from typing import Any, Final

from gieok.domain.erasure import folded_text
from gieok.language.cache import cached_by_text
from gieok.language.data_files import WordSets, data_file
from gieok.language.morphemes import Morpheme, analyse, corrected_morphemes
from gieok.language.numerals import find_month_days, read_number
from gieok.language.people import name_of_word
from gieok.language.periods import asked_periods
from gieok.language.text import has_hangul, normalise

_SETS: Final = WordSets("word_sets.toml", "terms")

STOP_WORDS: Final = frozenset(data_file("word_sets.toml")["terms"]["stop_words"].split())
_KOREAN_TOPICS: Final = WordSets("topic_nouns.toml", "korean")
_ENGLISH_TOPICS: Final = WordSets("topic_nouns.toml", "english")
_stemming = threading.Lock()
_NOUNS = frozenset({"NNG", "NNP", "XR", "SH"})
_STEMS = frozenset({"VV", "VA"})
_WORD_PARTS = _NOUNS | {"SL", "SN", "NR", "XSN", "XPN", "NNB"}
_PARTS_ONLY = frozenset({"XSN", "XPN", "NNB"})
_WHOLE = frozenset({"W_EMOJI", "W_EMAIL", "W_MENTION", "W_HASHTAG", "SW"})
_NUMERALS = frozenset({"SN", "NR"})
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


@cached_by_text
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
        _Term(cleaned, term.may_begin and len(cleaned) >= (3 if cleaned.isascii() else 2))
        for run in _runs(written)
        for term in _terms_of_run(run)
        if (cleaned := _clean(term.text))
    ]
    # Return the words of a text that says nothing else ("응", "ㅋㅋ"), so that it can still be found.
    return found or [
        _Term(word) for word in [_clean(_EDGES.sub("", word) or word) for word in text.split() if _clean(word)]
    ]


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
    if first.tag == "MM" and first.form in _SETS.counted_by:
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
        if morpheme.lemma not in _SETS.saying_nothing:
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
    elif tag in _WHOLE and (tag != "SW" or (_LETTERS.search(form) is not None and _JAMO.fullmatch(form) is None)):
        yield _Term(form.lstrip("@#") or form, may_begin=tag in ("SW", "W_HASHTAG"))


def _foreign(form: str) -> Iterator[_Term]:
    lowered = form.casefold()
    if lowered not in STOP_WORDS:
        # A stem begins many words that mean something else: art, artificial.
        latin = _LATIN.fullmatch(lowered) is not None
        yield _Term(stem(lowered) if latin else lowered, may_begin=not latin)


def _clean(term: str) -> str:
    return unicodedata.normalize("NFC", "".join(term.casefold().replace("\0", "").split()))[:_LONGEST_TERM]


_WHEN: Final = re.compile(
    r"언제|며칠|몇\s?(?:월|시|년|일)(?!\s?동안)|무슨\s?요일"
    r"|\bwhen\b|\b(?:what|which)\s(?:date|day|month|year|time)\b|\bhow long ago\b",
    re.IGNORECASE,
)
_HOW_MANY: Final = re.compile(r"몇|얼마|\bhow (?:many|much|old|often|long|tall|far)\b", re.IGNORECASE)
_ANY_DAY: Final = datetime(2024, 7, 1, tzinfo=UTC)  # whether there is a time does not depend on when one looks


def asks_when(text: str) -> bool:
    return _WHEN.search(text) is not None


def asks_how_many(text: str) -> bool:
    return _HOW_MANY.search(text) is not None


@cached_by_text
def holds_time(text: str) -> bool:
    return bool(asked_periods(text, _ANY_DAY, UTC))


def holds_number(terms: Iterable[str]) -> bool:
    return any(term[0].isdigit() for term in terms)


_TOKEN: Final = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
_HANGUL: Final = re.compile("[가-힣]")
_SHORTEST: Final = 2
_LONGEST_ENDING: Final = 3  #: syllables: 우산이라니


def telling_words(gone: Iterable[str], left: Iterable[str], worded: Iterable[str] = ()) -> frozenset[str]:
    """Return the words of the texts `gone` that stand in none of the texts `left`, in small letters.

    Nouns and names are looked for in `left` alone; whatever else stands there also in what was `worded` by rules.
    """
    said = "\n".join(map(folded_text, left))
    told = "\n".join(map(folded_text, worded))
    found: set[str] = set()
    for text in gone:
        small = folded_text(text)
        names = {term for term in index_terms(text) if len(term) >= _SHORTEST and term in small}
        tokens = {part for token in _TOKEN.findall(small) for part in _without_endings(token)}
        found.update(name for name in names - found if name not in said)
        found.update(token for token in tokens - found if token not in said and token not in told)
    return frozenset(found)


def _without_endings(token: str) -> Iterator[str]:
    """Yield a word, and what it may be without a particle or an ending that was written to it."""
    shortest = max(len(token) - _LONGEST_ENDING, _SHORTEST) if _HANGUL.search(token) else len(token)
    for length in range(max(shortest, _SHORTEST), len(token) + 1):
        yield token[:length]


MOST_TOPICS: Final = 12
_TOPIC_TAGS: Final = frozenset({"NNG", "NNP", "SL"})
_JOINING: Final = frozenset({"NNG", "NNP", "SL", "SN", "XPN"})
_ENGLISH: Final = re.compile(r"[a-zà-ÿ]+")
_MARK: Final = re.compile(r"[^\w\s'’]+")
_LONGEST: Final = 20
_NO_NOUN: Final = ("ly", "ing", "ed")


def topics_of(text: str, *, names: Collection[str] = ()) -> tuple[str, ...]:
    """Return what `text` is about, each once, in order, at most `MOST_TOPICS`; `names` of those who talk are none."""
    found = _korean(corrected_morphemes(text)) if has_hangul(text) else _english(text)
    return tuple(dict.fromkeys(topic for topic in found if topic not in names))[:MOST_TOPICS]


def _korean(morphemes: tuple[Morpheme, ...]) -> Iterator[str]:
    run: list[Morpheme] = []
    for part in morphemes:
        if part.tag in _JOINING and (not run or run[-1].end == part.start):
            run.append(part)
            continue
        yield from _topic(run, part)
        run = [part] if part.tag in _JOINING else []
    yield from _topic(run, None)


def _topic(run: list[Morpheme], following: Morpheme | None) -> Iterator[str]:
    if not run or not any(part.tag in _TOPIC_TAGS for part in run):
        return
    # 레티아야, …: who is called is not talked about; of an unknown name the particle is taken for its end.
    called = following is not None and (
        following.tag == "JKV" or (not run[-1].known and run[-1].form[-1] in "야아" and following.tag == "SP")
    )
    counted = run[0].tag == "SN"
    form = "".join(part.form for part in run)
    single = len(form) == 1 and form not in _KOREAN_TOPICS.short
    empty = form in _KOREAN_TOPICS.empty or all(part.form in _KOREAN_TOPICS.empty for part in run)
    if not called and not counted and not single and not empty and len(form) <= _LONGEST:
        yield name_of_word(form) if run[-1].tag == "NNP" else form


def _english(text: str) -> Iterator[str]:
    """Yield the last of the words that follow an article, a preposition or a verb like "love": "the big castle"."""
    for stretch in _MARK.split(text.lower()):
        words = _ENGLISH.findall(stretch)
        opened = False
        for word, following in zip_longest(words, words[1:], fillvalue=""):
            if word in _ENGLISH_TOPICS.before:
                opened = True
            elif _may_be_noun(word) and opened and not _may_be_noun(following):
                yield word
                opened = False
            else:
                opened = opened and word not in STOP_WORDS


def _may_be_noun(word: str) -> bool:
    return len(word) > 2 and word not in STOP_WORDS | _ENGLISH_TOPICS.empty and not word.endswith(_NO_NOUN)
