"""The written words of a text, and the run of words that names a thing: 어린 왕자, 백년의 고독, 소년이 온다.

Titles have particles, modifiers and endings of their own, which clauses take for grammar. Here the text is read word
by word from the right: a title goes on to the left for as long as the words lean on what follows them.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from gieok.extract.korean.taste_words import taste_words
from gieok.language.cache import cached_by_text
from gieok.language.morphemes import Morpheme, corrected_morphemes

_NOUNS: Final = frozenset({"NNG", "NNP", "NR", "SN", "SL", "SH", "XSN", "XPN", "XR", "NNB", "NP", "ETN", "W_SERIAL"})
_MARKS: Final = frozenset({"SF", "SP", "SS", "SSO", "SSC", "SE", "SO", "SW", "W_EMOJI", "W_EMOTICON"})
_BREAKS: Final = frozenset({"SF", "SP", "SE"})
_QUOTES: Final = "'\"‘’“”「」『』《》〈〉<>"
_JOINING: Final = frozenset({"의", "와", "과"})
_STUCK: Final = (
    "만큼은",
    "만큼",
    "만은",
    "부터",
    "까지",
    "밖에",
    "만",
    "가",
    "를",
)  #: particles left on a word nobody knows
_POINTING: Final = frozenset(
    {"이", "그", "저", "내", "제", "우리", "한", "다른", "딴", "이런", "그런", "저런", "무슨", "어떤", "아무"}
)
_DOINGS: Final = frozenset({"거", "것", "게", "건", "걸"})
_DESCRIBED: Final = frozenset(
    "사람 사람들 인간 인간들 시간 순간 날".split()
)  #: liked or hated for what is said of them
_HOW: Final = frozenset("안 못 혼자 같이 함께 잘 일찍 늦게 빨리 막".split())
_SAYING_LITTLE: Final = frozenset("있다 없다 하다 되다 싫어하다 좋아하다 같다".split())
_SENSED: Final = frozenset("냄새 향 향기 소리 맛".split())
_HELD: Final = frozenset({"을", "를", "에", "에서", "이", "가", "로", "으로", "랑", "이랑", "하고", "부터"})
_TOGETHER: Final = frozenset({"랑", "이랑", "하고", "와", "과"})
_DOING_WORDS: Final = 4
_LONGEST: Final = 7  #: words of a title


@dataclass(frozen=True, slots=True, kw_only=True)
class Word:
    """One written word: what it names, and what hangs on it."""

    text: str
    start: int
    end: int
    bare: str  #: without particles, copula and endings
    particles: tuple[str, ...]
    tag: str  #: of the last morpheme but the particles
    lemma: str | None  #: of its verb, if it has one
    acts: bool  #: whether that is a verb of doing, no adjective
    stem: str  #: what -기 is put to: 물어뜯 of 물어뜯는; "" without a verb
    ending: str  #: 는 of 물어뜯는; "" for none
    copula: bool
    breaks: bool  #: a mark follows
    known: bool

    @property
    def nominal(self) -> bool:
        return self.tag in _NOUNS

    @property
    def particle(self) -> str:
        return self.particles[0] if self.particles else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Thing:
    """Something named in a text."""

    value: str
    start: int
    end: int
    particle: str
    last: Word
    first: int  #: places of its first and last word
    place: int

    @property
    def described(self) -> bool:
        """Whether it is a person or a time that is told by what they do: 약속 늦는 사람."""
        return self.first < self.place and self.last.bare in _DESCRIBED


@cached_by_text
def words_of(text: str) -> tuple[Word, ...]:
    """Return the words of `text`, in order."""
    groups: list[list[Morpheme]] = []
    end = -1
    for part in corrected_morphemes(text):
        apart = part.start > end and text[end : part.start].isspace()
        if not groups or apart or _bound(groups[-1][-1], part):
            groups.append([])
        groups[-1].append(part)
        end = max(end, part.end)
    words = (_word(text, group) for group in groups)
    return tuple(word for word in words if word is not None)


def _bound(before: Morpheme, part: Morpheme) -> bool:
    """읽는거, 모으는게: two words, however they are spaced."""
    return part.tag == "NNB" and part.form in ("거", "것") and before.tag == "ETM" and before.form == "는"


def _word(text: str, parts: list[Morpheme]) -> Word | None:
    said = [part for part in parts if part.tag not in _MARKS]
    if not said:
        return None
    if len(said) > 1 and said[0].lemma == "떠다":  # 다리 떠는: no such verb; 떨다 is meant
        said[0] = replace(said[0], form="떨", lemma="떨다")
    if text[said[0].start : said[-1].end] == "여는":  # taken for a pronoun; 열다 is meant
        opening = replace(said[0], form="열", tag="VV", lemma="열다")
        said = [opening, replace(said[-1], form="는", tag="ETM", lemma="는")]
    breaks = any(part.tag in _BREAKS for part in parts[-2:])
    at = len(said)
    while at > 1 and said[at - 1].tag.startswith("J"):
        at -= 1
    particles = tuple(part.form for part in said[at:])
    copula = next((i for i in range(1, at) if _is_copula(said[i]) and said[i - 1].tag in _NOUNS), None)
    head = said[:copula] if copula is not None else said[:at]
    start, end = said[0].start, max(part.end for part in head)
    bare, left = text[start:end], particles
    if not particles and not head[-1].known:
        stuck = next(
            (
                tail
                for tail in _STUCK
                if bare.endswith(tail) and len(bare) > max(len(tail) + 1, 3 if len(tail) == 1 else 0)
            ),
            "",
        )
        bare, left = bare.removesuffix(stuck), ((stuck,) if stuck else ())
    verb = next((part for part in reversed(head) if part.tag in ("VV", "VA", "XSV", "XSA", "VX")), None)
    return Word(
        text=text[start : max(part.end for part in said)],
        start=start,
        end=end,
        bare=bare.strip(_QUOTES),
        particles=left,
        tag=head[-1].tag,
        lemma=_lemma(head, verb) if verb is not None else None,
        acts=verb is not None and verb.tag in ("VV", "XSV"),
        stem=text[start : verb.start] + verb.form if verb is not None else "",
        ending=head[-1].form if head[-1].tag.startswith("E") else "",
        copula=copula is not None,
        breaks=breaks,
        known=all(part.known for part in head),
    )


def _is_copula(part: Morpheme) -> bool:
    return part.tag == "VCP" or (part.tag == "EC" and part.form == "다")  # 버건디다 보니


def _lemma(head: Sequence[Morpheme], verb: Morpheme) -> str:
    if verb.tag not in ("XSV", "XSA"):
        return verb.lemma
    return "".join(part.form for part in head[: head.index(verb)]) + verb.lemma


def thing_at(words: Sequence[Word], place: int, *, titled: bool = True, doings: bool = False) -> Thing | None:
    """Return the thing whose last word is `words[place]`, with as much to its left as belongs to it.

    With `doings`, a thing may be something done: 줄 서는 거. A place before the first word has nothing.
    """
    if place < 0:
        return None
    last = words[place]
    if doings and last.bare in _DOINGS | _DESCRIBED and place and words[place - 1].tag == "ETM":
        return _doing(words, place)
    verbal = not last.nominal and bool(last.particles) and last.tag in ("EF", "EC")
    if not (last.nominal or verbal):
        return None
    first = _known_title(words, place)
    if first is None:
        if last.tag == "NP" or last.bare in taste_words().no_thing:
            return None
        first = place
        while first > 0 and place - first < _LONGEST and _leans(words[first - 1], words[first], titled, verbal):
            first -= 1
    return _thing(words, first, place)


def _doing(words: Sequence[Word], place: int) -> Thing | None:
    """줄 서는 거, 약속 늦는 사람: the verb with what it is done to."""
    first = place - 1
    idle = taste_words()
    while first > 0 and place - first < _DOING_WORDS:
        word = words[first - 1]
        held = word.nominal and word.tag != "NP" and (not word.particles or word.particle in _HELD)
        adverb = word.bare in idle.before_thing and word.bare not in idle.cues
        how = word.text in _HOW and first == place - 1  # 약속 안 지키는 사람, 혼자 있는 시간
        if word.breaks or word.copula or (adverb and not how) or (word.bare in idle.persons and word.particles):
            break
        if not held and not how:
            break
        first -= 1
    last = words[place]
    if first == place - 1 and last.bare in _DESCRIBED and words[first].lemma in _SAYING_LITTLE:
        return None
    value = " ".join([*(word.text for word in words[first:place]), last.bare if last.bare in _DESCRIBED else "거"])
    return Thing(
        value=value, start=words[first].start, end=last.end, particle=last.particle, last=last, first=first, place=place
    )


def _known_title(words: Sequence[Word], place: int) -> int | None:
    """Return where a known title that ends at `place` begins."""
    kinds = taste_words().kinds
    found, joined = None, words[place].bare
    for first in range(place, max(-1, place - _LONGEST), -1):
        if first < place:
            joined = words[first].text + joined
        if joined.replace(" ", "") in kinds and first < place:
            found = first
    return found


def _thing(words: Sequence[Word], first: int, place: int) -> Thing | None:
    last = words[place]
    value = " ".join([*(word.text for word in words[first:place]), last.bare]).strip(_QUOTES)
    for quote in _QUOTES:
        value = value.replace(quote, "")
    if not value or (first == place and value in taste_words().alone):
        return None
    return Thing(
        value=value, start=words[first].start, end=last.end, particle=last.particle, last=last, first=first, place=place
    )


def _leans(word: Word, on: Word, titled: bool, verbal: bool) -> bool:
    """Whether `word` belongs to the same name as the word after it."""
    idle = taste_words()
    bound = word.tag == "NNB" and on.lemma in ("없다", "있다")  # 참을 수 없는
    bound = bound or (on.bare in _SENSED and word.nominal and not word.particles and word.bare in idle.cues)  # 책 냄새
    if word.breaks or word.copula or word.tag == "NP" or (word.bare in idle.apart and not bound):
        return False
    if word.tag == "NNB" and word.text.endswith("는데"):
        return False  # 재주는 없는데 사격은 잘해: an ending, cut apart
    if verbal and on.tag in ("EF", "EC", "VX"):
        return word.nominal or word.tag == "EC"
    if word.particles:
        owns = word.particle in _JOINING and len(word.particles) == 1
        acts = titled and word.particle in ("이", "가") and on.tag == "ETM" and word.bare not in idle.persons
        return (owns and word.nominal) or acts
    if word.tag == "ETM":
        return titled and word.lemma not in idle.meeting and not word.text.endswith("던")
    return word.nominal or (word.tag == "MM" and word.text not in _POINTING)


def joined_before(words: Sequence[Word], thing: Thing) -> Iterator[Thing]:
    """Yield what is named together with `thing`, from right to left: 홍어 of 홍어랑 과메기는 못 먹어."""
    place = thing.first - 1
    while place >= 0 and words[place].particle in _TOGETHER and not words[place].breaks:
        another = thing_at(words, place)
        if another is None or another.last.bare in taste_words().persons:
            return
        yield another
        place = another.first - 1


def last_word_before(words: Sequence[Word], at: int) -> int:
    """Return the place of the last word that ends before `at`, or -1."""
    return bisect_right(words, at, key=lambda word: word.end) - 1


def words_within(words: Sequence[Word], start: int, end: int) -> range:
    """Return the places of the words that begin in `start`…`end`."""
    first = bisect_left(words, start, key=lambda word: word.start)
    return range(first, bisect_left(words, end, lo=first, key=lambda word: word.start))


def thing_before(text: str, at: int, *, titled: bool = True, doings: bool = False) -> Thing | None:
    """Return what is named right before `at`, adverbs and the speaker left out: 기생충이 (나한텐 제일) 좋아."""
    words = words_of(text)
    idle = taste_words()
    place = last_word_before(words, at)
    for _ in range(_LONGEST):
        if place < 0 or words[place].breaks:
            return None
        word = words[place]
        skipped = word.bare in idle.before_thing or word.text in idle.before_thing
        skipped = skipped or (word.text == "쪽" and place > 0 and words[place - 1].nominal)  # 인디 밴드 쪽 좋아해
        if not skipped and word.tag not in ("MAG", "MAJ", "IC", "NP"):
            return thing_at(words, place, titled=titled, doings=doings)
        place -= 1
    return None
