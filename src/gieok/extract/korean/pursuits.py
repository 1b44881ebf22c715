"""What somebody trains, dreams of or does for pleasure, told in passing: 러닝하는 직장인입니다, 배우를 꿈꾸는 고3.

Clauses read what is stated; here the statement is of something else, and these words only describe the speaker.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from gieok.extract.korean.heard import Heard
from gieok.extract.korean.lexicon import lexicon, ways
from gieok.extract.korean.patterns import patterns
from gieok.extract.korean.praise import category_of
from gieok.extract.korean.reading import PERSONS, Finding
from gieok.extract.korean.taste_words import taste_words
from gieok.extract.korean.words import Word, thing_at, words_of

_TRAINING: Final = frozenset("하다 치다 타다 다니다 배우다 뛰다 나가다 즐기다".split())
_TO_GO: Final = frozenset({"러", "으러"})
_GOING: Final = frozenset("다니다 가다 나가다".split())
_SELF_NOUNS: Final = frozenset(
    "여자 남자 직장인 대학생 학생 주부 아줌마 아저씨 할머니 할아버지 사람 엄마 아빠 청년".split()
)
_TO_BE: Final = re.compile(
    r"(?<![가-힣])(?P<noun>[가-힣A-Za-z]{2,8}(?:\s[가-힣]{2,5})?)(?:이|가)?\s(?:꼭\s|기필코\s|반드시\s)?"
    r"(?:될\s?(?:거야|거예요|거임|거다|겁니다|거거든|테다)|되고\s?(?:야\s?)?(?:말\s?거|만다|말겠|말\s?거)|되겠다고)"
)
_QUOTED: Final = re.compile(r"[‘“'\"《〈『「](?P<title>[^’”'\"》〉』」\n]{1,30})[’”'\"》〉』」]")
_BEST: Final = re.compile(r"최애|인생|제일|가장|젤|좋아|아끼|아낀|원픽|사랑")
_CALLS: Final = re.compile(r"꿈|취미|될|되고|되겠|러\s|[하치타니우뛰기가]는\s|부(?:입|예|이|야|임|라)|[‘“'\"《〈『「]")
_OVER: Final = re.compile(r"그만|한\s?적\s?(?:은|이)?\s?없|관[두뒀]|접[었고]|포기|예전|옛날|한때|었던|던\s")


def pursuits(said: Heard, quoting: str) -> Iterator[Finding]:
    """Yield what a sentence says of the speaker's ways while it tells something else; `quoting`: with quoted words."""
    if said.asks or _CALLS.search(quoting) is None or _OVER.search(said.text):
        return
    words = words_of(said.text)
    for attribute, value in (
        *_trained(said, words), *_dreamt(said, words), *_for_pleasure(said, words), *_quoted(said, quoting, words)
    ):  # fmt: skip
        yield Finding(attribute=attribute, value=value, shown=value, surface=value)


def _trained(said: Heard, words: Sequence[Word]) -> Iterator[tuple[str, str]]:
    for place, word in enumerate(words):
        own = (word.lemma or "").removesuffix("하다") if word.acts else ""
        before = words[place - 1] if place else None
        after = words[place + 1] if place + 1 < len(words) else None
        if own and ways().is_exercise(own):
            sport, start = own, word.start
        elif before is not None and ways().is_exercise(before.bare) and word.lemma in _TRAINING and not before.breaks:
            sport, start = before.bare, before.start
        else:
            club = word.bare[:-1] if word.copula and word.bare.endswith("부") else ""
            if club and ways().is_exercise(club) and said.mine(word.start, word.start):
                yield "exercise", club
            continue
        going = word.ending in _TO_GO and after is not None and after.lemma in _GOING and after.ending != "고"
        someone = word.tag == "ETM" and word.ending == "는" and _is_me(words, place + 1)
        if (going or someone) and not any(at < start for at in said.others) and said.mine(start, start):
            yield "exercise", sport
            return


def _is_me(words: Sequence[Word], place: int) -> bool:
    """Whether what is described is said to be the speaker: …는 직장인입니다, …는 여자라."""
    for word in words[place : place + 3]:
        known = word.bare in _SELF_NOUNS or word.bare in PERSONS or lexicon().is_job(word.bare)
        if word.copula:
            return known and not word.text.endswith(("인", "던"))
        if word.particles or word.breaks or not word.nominal:
            return False
    return False


def _dreamt(said: Heard, words: Sequence[Word]) -> Iterator[tuple[str, str]]:
    for place, word in enumerate(words):
        before = words[place - 1] if place else None
        if before is None or before.breaks:
            continue
        living = word.lemma == "꿈꾸다" and word.ending in ("는", "며", "면서") and before.particle in ("을", "를", "")
        named = word.bare == "꿈" and word.text.startswith("꿈이라") and before.particle in ("이", "가")
        thing = thing_at(words, place - 1) if living or named else None
        if (
            thing is not None
            and thing.last.bare not in taste_words().persons
            and not any(at < thing.start for at in said.others)
        ):
            yield "dream", thing.value
            return
    becoming = _TO_BE.search(said.text)
    noun = becoming["noun"] if becoming is not None else ""
    noun = noun[:-1] if noun.endswith(("이", "가")) and not lexicon().is_job(noun) else noun
    job = next((each for each in (noun, noun.split()[-1] if noun else "") if each and lexicon().is_job(each)), "")
    others = becoming is not None and any(at < becoming.end() for at in said.others)
    if becoming is not None and job and not others and not said.supposed:
        yield "dream", noun if job == noun else _with_kind(noun)


def _with_kind(noun: str) -> str:
    """게임 개발자; not 나중에 개발자."""
    first = noun.split()[0]
    word = words_of(first)
    plain = bool(word) and word[0].nominal and not word[0].particles and first not in taste_words().apart
    return noun if plain and word[0].tag != "NP" else noun.split()[-1]


def _for_pleasure(said: Heard, words: Sequence[Word]) -> Iterator[tuple[str, str]]:
    """취미로 하는 우쿨렐레가, 취미 삼아 배우는 서예 덕에."""
    for place, word in enumerate(words[:-2]):
        as_hobby = word.bare == "취미" and (word.particle in ("로", "삼아") or words[place + 1].text == "삼아")
        if not as_hobby:
            continue
        verb = place + 1 if word.particle else place + 2
        if verb + 1 < len(words) and words[verb].tag == "ETM" and words[verb].ending == "는":
            named = words[verb + 1]
            if named.nominal and named.bare not in taste_words().alone and not said.others:
                yield "hobby", named.bare
        return


def _quoted(said: Heard, quoting: str, words: Sequence[Word]) -> Iterator[tuple[str, str]]:
    """제일 아끼는 책이 박완서 '…'야: a title in quotation marks, where the talk is of a favourite."""
    match = _QUOTED.search(quoting)
    if match is None or said.others or _BEST.search(said.text) is None:
        return
    category = category_of([word.bare for word in words])
    if category in _TITLES and category in patterns().by_attribute:
        yield category, match["title"].strip()


_TITLES: Final = frozenset({"favorite.movie", "favorite.book", "favorite.music", "favorite.game"})
