"""How one speaker speaks to the other: the style, the form of address, and what they ask for."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Final

from gieok.domain.noticed import Manner, SpeechStyle
from gieok.language.address import address, address_words
from gieok.language.lately import remembered
from gieok.language.mending import mended_of
from gieok.language.own_words import own_words
from gieok.language.text import has_hangul

_POLITE: Final = re.compile(r"(?:[요여용욥염쥬죠유]|니다|니까|시오|시다|에요|세욤)$")
_CASUAL_WORDS: Final = frozenset("응 웅 엉 그래 안녕 야 얘 오냐".split())
_CLOSES: Final = frozenset({"SF", "SE", "SW", "SP", "W_EMOJI", "W_EMOTICON", "Z_CODA"})
_POLITE_PARTICLES: Final = frozenset({"요", "여", "용", "염"})
_BABYISH: Final = re.compile(r"[했었았였겠해려셔][쪄떠쩌](?![가-힣])|[가-힣]쪄[용염요]|뿌잉|뀨[우~ㅠ]|[했었았][쪄떠]")
_MOST_STYLES: Final = 400  #: morphemes
_SENTENCE: Final = re.compile(r"[^.!?…\n]+[.!?…]*")
_ASKING: Final = re.compile(r"말|존대|불러|부르|formal|polite|honorific|casual|call me|the sir", re.IGNORECASE)
_FINALS: Final = 28
_MOST: Final = 4000


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
    morphemes = mended_of(text)[:_MOST_STYLES]
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


@dataclass(frozen=True, slots=True, kw_only=True)
class _Requests:
    """How people ask, from `manners.toml`."""

    casual: re.Pattern[str]
    formal: re.Pattern[str]
    told: re.Pattern[str]
    call_me: re.Pattern[str]
    others_do: re.Pattern[str]
    no_names: frozenset[str]
    english_call_me: re.Pattern[str]


def manner(text: str, speaker: str, names: Collection[str] = ()) -> Manner:
    """Return how `speaker` speaks to the other in `text`; `names` are the other's own."""
    return _manner(text, speaker, tuple(names))


@remembered
def _manner(text: str, speaker: str, names: tuple[str, ...]) -> Manner:
    own = own_words(text)
    called = address(text, names)
    asks = _ASKING.search(own) is not None
    return Manner(
        speaker=speaker,
        style=style_of(own, called),
        address=called,
        asks_for=style_asked_for(text) if asks else None,
        asks_to_be_called=name_asked_for(text) if asks else None,
    )


def style_asked_for(text: str) -> SpeechStyle | None:
    """Return the style that `text` proposes or asks for: 말 놓자, 반말해도 돼?, 존댓말 써 주세요."""
    requests = _requests()
    for sentence in _sentences(text):
        if requests.told.search(sentence):
            continue
        if requests.casual.search(sentence):
            return "casual"
        if requests.formal.search(sentence):
            return "formal"
    return None


def name_asked_for(text: str) -> str | None:
    """Return what the speaker asks to be called: 누나라고 불러, call me Max. Asking how to call the other is none."""
    requests = _requests()
    for sentence in _sentences(text):
        if sentence.endswith("?"):
            continue
        english = requests.english_call_me.search(sentence)
        if english:
            return english["name"]
        korean = requests.call_me.search(sentence)
        if korean and not (korean["plain"] and requests.others_do.search(sentence[: korean.start()])):
            name = _named(korean["name"], korean["link"])
            if name not in requests.no_names:
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


@cache
def _requests() -> _Requests:
    raw = tomllib.loads(files(__package__).joinpath("manners.toml").read_text(encoding="utf-8"))
    korean, english = raw["korean"], raw["english"]
    return _Requests(
        casual=_any(korean["casual"], english["casual"], raw["parts"]),
        formal=_any(korean["formal"], english["formal"], raw["parts"]),
        told=re.compile(korean["told"]),
        call_me=re.compile(korean["call_me"].replace("\n", "")),
        others_do=re.compile(korean["others_do"]),
        no_names=frozenset(korean["no_names"].split()),
        english_call_me=re.compile(english["call_me"]),
    )


def _any(korean: Sequence[str], english: Sequence[str], parts: Mapping[str, str]) -> re.Pattern[str]:
    whole = "|".join([*korean, *(rf"\b{each}" for each in english)])
    for name, part in parts.items():
        whole = whole.replace("{" + name + "}", part)
    return re.compile(whole, re.IGNORECASE)
