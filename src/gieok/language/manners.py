"""How one speaker speaks to the other: the style, the form of address, and what they ask for."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import chain, dropwhile, pairwise
from operator import attrgetter
from typing import Final

from gieok.domain.noticed import Manner, SpeechStyle
from gieok.language.cache import cached_by_text
from gieok.language.data_files import Patterns, WordSets
from gieok.language.mood import mood_of
from gieok.language.morphemes import Morpheme, corrected_morphemes
from gieok.language.text import has_hangul
from gieok.language.wording import own_words

_SETS: Final = WordSets("word_sets.toml", "manners")
ADDRESS_WORDS: Final = WordSets("address.toml", "korean")
_ENGLISH: Final = WordSets("address.toml", "english")
_TERMS: Final = WordSets("word_sets.toml", "terms")
_REQUESTED: Final = WordSets("manners.toml", "korean")
_REQUESTS: Final = Patterns("gieok.language", "manners.toml", "requests")


@cache
def called_words() -> frozenset[str]:
    """Return kin terms, titles and sweet words: what may stand for the listener."""
    return ADDRESS_WORDS.kin | ADDRESS_WORDS.titles | ADDRESS_WORDS.sweet


_ENDS: Final = frozenset({"SF", "SE", "SW", "W_EMOJI", "W_EMOTICON"})
_HONOURS: Final = re.compile(r"시|셔|세")
_LONGEST_NAME: Final = 6
_BEFORE_CALL: Final = frozenset("SF SP SE SW IC MAJ MAG EF".split())
_MOST_WORDS: Final = 400  #: morphemes; a call stands near the beginning or is missed


def address(text: str, names: Collection[str] = ()) -> str | None:
    """Return what the listener is called in `text`; `names` are the listener's own.

    A kin term, a title or a name goes before 야, and that before a mere 너. None where nobody is called.
    """
    own = own_words(text)
    english = _english(own, names)
    if not has_hangul(own):
        return english
    named = _own_name(own, names)
    if named is not None:
        return named
    parts = corrected_morphemes(own)[:_MOST_WORDS]
    perhaps = perhaps_called(text)
    times = Counter(perhaps)
    clear = (word for word in times if word in names or (times[word] > 1 and _is_form_of_address(word)))
    return next(chain(clear, _asked(own, parts), _plainly_called(parts)), english)


def _own_name(text: str, names: Collection[str]) -> str | None:
    """Return the listener's name where it is called; Kiwi cuts many names to pieces."""
    for name in sorted(filter(None, names), key=len, reverse=True):
        call = re.search(
            rf"(?<![가-힣\w])({re.escape(name)}(?:님|\s?씨)?)(?:아|야|이여|여)?(?P<after>[,!~?.]|\s|$)", text
        )
        if call is None:
            continue
        bare = call.end(1) == call.start("after")
        apart = call["after"] != " " or call.start() == 0
        if apart or not bare:
            return call[1]
    return None


def _is_form_of_address(word: str) -> bool:
    titled = word.split(" ")[-1] in _titles() or _TITLED.match(word) is not None
    return titled and (len(word) > 1 or word in called_words())


@cache
def _opening() -> re.Pattern[str]:
    words = "|".join(sorted(map(re.escape, _titles()), key=len, reverse=True))
    others = "|".join(sorted(_SETS.not_a_call))
    return re.compile(
        rf"(?P<dear>(?:{'|'.join(sorted(_SETS.dear))})\s)?(?P<called>[가-힣]{{1,4}}\s?씨|[가-힣]{{1,6}}님|{words})"
        rf"(?:은|는|도)?(?=[\s,])(?!\s(?:{others}))"
    )


def _asked(own: str, parts: Sequence[Morpheme]) -> Iterator[str]:
    """Yield who is asked or told something right after their title: 오빠는 뭐 해?, 우리 애기 잘 잤어, 형 게임 하자."""
    for sentence in _SENTENCE.finditer(own):
        said = [part for part in _inside(parts, *sentence.span()) if part.tag not in _ENDS]
        for part in said:
            call = _opening().match(own, part.start)
            if call is not None and call["called"] not in ADDRESS_WORDS.no_names:
                endings = [each.form for each in said if each.tag in ("EP", "EF")]
                dear = call["called"] in ADDRESS_WORDS.sweet and (call["called"] != "자기" or call["dear"])
                meant = mood_of(said, sentence[0].strip()[-1:]) in ("question", "command")
                if dear or meant or any(map(_HONOURS.search, endings)):
                    yield call["called"]
            if part.tag not in ("IC", "MAJ", "MAG", "SP"):
                break


def _inside(parts: Sequence[Morpheme], start: int, end: int) -> Sequence[Morpheme]:
    """Return the morphemes that begin in a stretch of the text."""
    begins = attrgetter("start")
    first = bisect_left(parts, start, key=begins)
    return parts[first : bisect_left(parts, end, first, key=begins)]


def _plainly_called(parts: Sequence[Morpheme]) -> Iterator[str]:
    """Yield the names with 야 or 아, and failing them a mere 야 or 너."""
    for at, (name, call) in enumerate(pairwise(parts)):
        apart = at == 0 or parts[at - 1].tag in _BEFORE_CALL  # 난 민수야 calls nobody
        if call.tag == "JKV" and name.tag == "NNP" and 1 < len(name.form) <= _LONGEST_NAME and apart:
            yield name.form
    if parts and (parts[0].form, parts[0].tag) == ("야", "IC"):
        yield "야"
    for at, part in enumerate(parts):
        coda = any(each.tag == "Z_CODA" for each in parts[at + 1 : at + 3])  # Kiwi takes 넵 for 너 + 의 + ㅂ
        if part.tag == "NP" and part.form in ADDRESS_WORDS.plain and not coda:
            yield "너" if part.form == "니" else part.form


_CLAUSE: Final = re.compile(r"[^.,!?~…^;:\nㄱ-ㅎㅏ-ㅣ]*[가-힣A-Za-z][^.,!?~…^;:\nㄱ-ㅎㅏ-ㅣ]*")
_BESIDE: Final = re.compile(r"[ ,.…]*")
_TITLED: Final = re.compile(r"[가-힣]{2,}(?:님|씨|쌤)$")
_LITTLE: Final = frozenset({"IC", "MAJ", "MAG"})
_NOUNS: Final = frozenset({"NNG", "NNP", "NNB", "XSN", "XPN", "XR"})


def perhaps_called(text: str) -> tuple[str, ...]:
    """Return the nouns in `text` that may be a call, for they open or close it; one that stands apart is given twice.

    One says little ("치킨 먹고 싶다"); a word that comes again and again is what the listener is called.
    """
    own = own_words(text)
    if not has_hangul(own):
        return tuple(_english_perhaps(own))
    parts = corrected_morphemes(own)[:_MOST_WORDS]
    found: list[str] = []
    for sentence in _SENTENCE.finditer(own):
        words = [each for clause in _CLAUSE.finditer(own, *sentence.span()) for each in _eojeols(clause, parts)]
        more = sentence.start() == 0 and sentence.end() < len(own)
        found += _at_the_edges(words, own, more=more)
    return tuple(filter(None, found))


def _at_the_edges(words: Sequence[_Eojeol], own: str, *, more: bool) -> Iterator[str]:
    """Yield what opens and what closes a sentence, if it may be a call; `more`: it is the first of several."""
    words = list(dropwhile(lambda word: all(part.tag in _LITTLE for part in word.parts), words))
    if not words:
        return
    if len(words) == 1:  # a word alone may be an answer
        yield from [_noun(words[0], own)] * (1 + (more or _is_vocative(words[0], own)))
        return
    first = _noun(words[0], own, apart=words[1].clause == words[0].clause and words[1].parts[0].tag in ("NP", "IC"))
    if first:
        title = _noun(words[1], own) if words[1].clause == words[0].clause else ""
        titled = title in _titles() or (title and words[2:] and words[2].clause != words[1].clause)
        after = words[1 + bool(titled) :]
        apart = not after or after[0].clause != words[0].clause or _is_apart(words[0], after[0], own)
        yield from [f"{first} {title}" if titled else first] * (1 + apart)
    before, last = words[-2:]
    over = before.parts[-1].tag in ("EF", "IC") or (before.clause != last.clause and before.parts[-1].tag == "EC")
    bare = last.parts[-1].tag in _NOUNS and over
    ended = before.clause != last.clause or before.parts[-1].tag in ("EF", "EC", "IC", "VV")
    if bare or last.parts[-1].tag == "JKV" or (ended and _is_vocative(last, own)):
        yield from [_noun(last, own)] * 2


def _is_vocative(word: _Eojeol, text: str) -> bool:
    """Whether 아 or 야 is written at the end, though Kiwi may have taken it for a part of the noun."""
    return word.parts[-1].form in _SETS.calls or text[word.parts[0].start : word.parts[-1].end].endswith(("아", "야"))


@dataclass(frozen=True, slots=True)
class _Eojeol:
    """A written word, and where the clause begins in which it stands."""

    parts: Sequence[Morpheme]
    clause: int


def _eojeols(clause: re.Match[str], parts: Sequence[Morpheme]) -> Iterator[_Eojeol]:
    for word in re.finditer(r"\S+", clause[0]):
        start, end = clause.start() + word.start(), clause.start() + word.end()
        inside = _inside(parts, start, end)
        if inside:
            yield _Eojeol(inside, clause.start())


def _is_apart(word: _Eojeol, following: _Eojeol, text: str) -> bool:
    """Whether a bare word that opens the clause is no part of it: 조시 나 왔어."""
    if word.parts[-1].form in _SETS.calls or _TITLED.match(_noun(word, text)) or _named_with_a(word, text):
        return True
    mark = re.compile(r"[.!?…\n]").search(text, following.parts[0].start)
    return following.parts[0].tag in ("NP", "IC") or (mark is not None and mark[0] == "?")


def _named_with_a(word: _Eojeol, text: str) -> bool:
    """Whether a noun of three syllables or more ends in 아 after a consonant, as names that are called do: 복동아."""
    written = text[word.parts[0].start : word.parts[-1].end]
    nouns = all(part.tag in _NOUNS for part in word.parts)
    return nouns and len(written) > 2 and written[-1] == "아" and (ord(written[-2]) - 0xAC00) % _FINALS > 0


@cache
def _titles() -> frozenset[str]:
    return called_words() | _SETS.honours


def _noun(word: _Eojeol, text: str, *, apart: bool = False) -> str:
    """Return the noun that `word` is, without 아 or 야, or "" where it is none or has a particle.

    Kiwi takes many names for something else: a word that stands `apart`, and one with a title, is believed.
    """
    parts = word.parts
    written = text[parts[0].start : parts[-1].end]
    if _TITLED.match(written):
        return "" if written in ADDRESS_WORDS.no_names else written
    calls = len(parts) > 1 and parts[-1].form in _SETS.calls
    nouns = parts[:-1] if calls else parts
    believed = calls or (apart and len(parts) > 1 and parts[-1].tag[0] != "J")
    if written.endswith("이야") or not (believed or all(part.tag in _NOUNS for part in nouns)):
        return ""
    noun = text[parts[0].start : nouns[-1].end]
    if {noun, written} & (ADDRESS_WORDS.no_names | ADDRESS_WORDS.plain) or set(noun) <= _SETS.casual_words:
        return ""
    if len(noun) > 1 or noun in called_words():
        return noun
    beside = _BESIDE.match(text, parts[-1].end)
    stutters = beside is not None and text.startswith(noun, beside.end())
    return "" if stutters else written


_ENGLISH_WORD: Final = re.compile(r"[A-Za-z][A-Za-z'-]*|[,.!?…\n]")
_STRETCHED: Final = re.compile(r"(.)\1+$")


def _english_perhaps(text: str) -> Iterator[str]:
    sentences = _SENTENCE.findall(text)
    for number, sentence in enumerate(sentences):
        words = _ENGLISH_WORD.findall(sentence)
        while words and not words[-1][0].isalpha():
            words.pop()
        last, before = words[-1] if words else "", words[-2].lower() if len(words) > 1 else ""
        words = list(dropwhile(_is_little, words))
        if not words:
            continue
        following = words[1].lower() if len(words) > 1 else ""
        alone = number == 0 and not following and words[0].isupper()  # WREN. funny today
        apart = alone or following == "," or following in _ENGLISH.after_a_call
        closes = last if before == "," or before in _ENGLISH.before_a_call else ""
        for word, times in ((words[0], 2 if apart else number == 0), (closes, 2)):
            if len(word) > 2 and "'" not in word and word.lower() not in _english_no_names():
                yield from [word] * times


def _is_little(word: str) -> bool:
    """Whether it is a mark, a greeting or an interjection, perhaps a long one: yooo."""
    return not word[0].isalpha() or _STRETCHED.sub(r"\1", word.lower()) in _ENGLISH.openers | _ENGLISH.fillers


@cache
def _english_no_names() -> frozenset[str]:
    return frozenset(map(str.lower, _ENGLISH.no_names)) | _ENGLISH.openers | _TERMS.stop_words


_CALL_ME: Final = re.compile(r"\bcall(?:s|ed)? me\b|\b(?:love|thank) (?:yo)?u\b", re.IGNORECASE)


def _english(text: str, names: Collection[str]) -> str | None:
    if _CALL_ME.search(text):
        return None
    times = Counter(_english_perhaps(text))
    clear = (word for word in times if times[word] > 1 and _english_name(word, names))
    return next(clear, None)


def _english_name(word: str, names: Collection[str]) -> bool:
    if word in names or word.lower() in _ENGLISH.sweet | _ENGLISH.polite | _ENGLISH.titles:
        return True
    return word[:1].isupper() and len(word) > 2 and not word.isupper() and word not in _ENGLISH.no_names


_POLITE: Final = re.compile(r"(?:[요여용욥염쥬죠유]|니다|니까|시오|시다|에요|세욤)$")
_CLOSES: Final = frozenset({"SF", "SE", "SW", "SP", "W_EMOJI", "W_EMOTICON", "Z_CODA"})
_BABYISH: Final = re.compile(r"[했었았였겠해려셔][쪄떠쩌](?![가-힣])|[가-힣]쪄[용염요]|뿌잉|뀨[우~ㅠ]|[했었았][쪄떠]")
_MOST_STYLES: Final = 400  #: morphemes
_SENTENCE: Final = re.compile(r"[^.!?…\n]+[.!?…]*")
_ASKING: Final = re.compile(r"말|존대|불러|부르|formal|polite|honorific|casual|call me|the sir", re.IGNORECASE)
_FINALS: Final = 28
_MOST: Final = 4000


def style_of(own: str, called: str | None) -> SpeechStyle | None:
    """Return the style of the speaker's `own` words, in which the listener is `called` so; None: they do not tell.

    English has hardly any: a sir or an endearment tells.
    """
    if not has_hangul(own):
        lowered = (called or "").lower()
        if lowered in _ENGLISH.polite:
            return "formal"
        return "intimate" if lowered in _ENGLISH.sweet else None
    heard = list(_endings(own))
    polite = sum(heard)
    if polite and polite * 2 >= len(heard):
        return "formal"
    if called in ADDRESS_WORDS.sweet or _BABYISH.search(own):
        return "intimate"
    return "casual" if heard else None


def _endings(text: str) -> Iterator[bool]:
    """Yield for every sentence that is closed whether it is closed politely."""
    morphemes = corrected_morphemes(text)[:_MOST_STYLES]
    for at, part in enumerate(morphemes):
        following = morphemes[at + 1] if at + 1 < len(morphemes) else None
        ends = following is None or following.tag in _CLOSES
        if part.tag == "EF":
            raised = (
                following is not None and following.form in _SETS.polite_particles and following.tag in ("JX", "EF")
            )
            yield raised or _POLITE.search(part.form) is not None
        elif part.tag in ("EC", "ETN") and ends and (following is None or following.tag != "SP"):
            yield _POLITE.search(part.form) is not None
        elif part.tag == "JX" and part.form in _SETS.polite_particles and ends:
            yield True
        elif part.tag == "IC" and part.form in _SETS.casual_words and ends:
            yield False


def manner(text: str, speaker: str, names: Collection[str] = ()) -> Manner:
    """Return how `speaker` speaks to the other in `text`; `names` are the other's own."""
    return _manner(text, speaker, tuple(names))


def manners_in(said: Sequence[tuple[str, str, Collection[str]]]) -> tuple[Manner, ...]:
    """Return how each speaks in a turn, of speaker, words and the listener's names.

    Who asks about somebody of whom the other has just told ("정희 씨는 누구예요?") does not call the other so.
    """
    found = [manner(text, speaker, names) for speaker, text, names in said]
    for at, each in enumerate(found):
        before = " ".join(text for speaker, text, _ in said[:at] if speaker != each.speaker)
        if each.address and each.address not in each.perhaps_called and each.address in before:
            found[at] = replace(each, address=None)
    return tuple(found)


@cached_by_text
def _manner(text: str, speaker: str, names: tuple[str, ...]) -> Manner:
    own = own_words(text)
    called = address(text, names)
    asks = _ASKING.search(own) is not None
    return Manner(
        speaker=speaker,
        style=style_of(own, called),
        address=called,
        perhaps_called=perhaps_called(text),
        asks_for=style_asked_for(text) if asks else None,
        asks_to_be_called=name_asked_for(text) if asks else None,
    )


def style_asked_for(text: str) -> SpeechStyle | None:
    """Return the style that `text` proposes or asks for: 말 놓자, 반말해도 돼?, 존댓말 써 주세요."""
    for sentence in _sentences(text):
        if _REQUESTS.told.search(sentence):
            continue
        if _REQUESTS.casual.search(sentence):
            return "casual"
        if _REQUESTS.formal.search(sentence):
            return "formal"
    return None


def name_asked_for(text: str) -> str | None:
    """Return what the speaker asks to be called: 누나라고 불러, call me Max. Asking how to call the other is none."""
    for sentence in _sentences(text):
        if sentence.endswith("?"):
            continue
        english = _REQUESTS.english_call_me.search(sentence)
        if english:
            return english["name"]
        korean = _REQUESTS.call_me.search(sentence)
        if korean and not (korean["plain"] and _REQUESTS.others_do.search(sentence[: korean.start()])):
            name = _named(korean["name"], korean["link"])
            if name not in _REQUESTED.no_names:
                return name
    return None


def _sentences(text: str) -> Sequence[str]:
    return [written.strip() for written in _SENTENCE.findall(own_words(text)[:_MOST])]


def _named(name: str, link: str) -> str:
    """지훈이라고 names 지훈: the 이 belongs to the particle after a consonant."""
    before = name[:-1]
    if link.startswith("라") and name.endswith("이") and before and "가" <= before[-1] <= "힣":
        return before if (ord(before[-1]) - ord("가")) % _FINALS else name
    return name
