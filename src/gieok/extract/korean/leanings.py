"""What people's doings give away: 단풍 드는 철만 기다려, 라벤더색만 보면 사고 봐, 문명 하다 해 뜨는 거 봤어.

Which kind of thing is meant is told by its name, or, where no list holds it, by what is done with it: what somebody has
watched ten times is a film, whatever it is called.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Final

from gieok.extract.korean.heard import Heard
from gieok.extract.korean.patterns import patterns
from gieok.extract.korean.reading import Finding
from gieok.extract.korean.taste_words import taste_words
from gieok.extract.korean.words import Thing, Word, thing_at, words_of

_NUMBER: Final = (
    r"(?:\d+|몇십?|세|네|다섯|여섯|일곱|여덟|아홉|열|열\S|스무|서른|마흔|쉰|백|수십|수백|대여섯|열댓|스물?\S?"
    r"|삼|사|오|육|칠|팔|구|십)"
)
_OBJECT: Final = frozenset(
    {"", "을", "를", "은", "는", "만", "도", "부터", "밖에", "이", "가", "ㄴ", "까지", "로", "으로"}
)
_DONE_TO: Final[Mapping[str, frozenset[str]]] = {
    "movie": frozenset({"보다", "틀다", "틀어놓다", "돌려보다", "정주행하다"}),
    "book": frozenset({"읽다", "펼치다", "필사하다", "꺼내다"}),
    "music": frozenset({"듣다", "들다", "모으다"}),
    "game": frozenset({"켜다", "접속하다", "깨다"}),
}
_TITLED: Final = tuple(_DONE_TO)
_NOTHING: Final = re.compile(r"(?!)")
_SHOWS: Final = frozenset("유튜브 넷플릭스 브이로그 쇼츠 릴스 뉴스 영상 다큐 방송 틱톡 인스타 관련".split())
_FEW: Final = ("열", "스무", "서른", "백", "수십", "수백", "다섯", "여섯", "일곱", "여덟", "아홉")
_NEXT: Final = 50  #: characters of the next sentence that may say how fond somebody is
_SEASON_WORDS: Final = frozenset("계절 철 시즌 때 날 날씨".split())


@dataclass(frozen=True, slots=True, kw_only=True)
class _Way:
    attribute: str
    value: str
    said: re.Pattern[str]
    often: re.Pattern[str]  #: only where it is done regularly


@dataclass(frozen=True, slots=True, kw_only=True)
class _Leanings:
    against: re.Pattern[str]
    fond: Mapping[str, re.Pattern[str]]
    seasons: Mapping[str, re.Pattern[str]]
    any: re.Pattern[str]
    regular: re.Pattern[str]
    ways: tuple[_Way, ...]


def leanings(said: Heard) -> Iterator[Finding]:
    """Yield the favourite that a sentence gives away."""
    words = _leanings()
    window = said.text + " " + said.after.lstrip(" .!~…ㅋㅎㅠㅜ")[:_NEXT]
    if said.asks or words.any.search(window) is None or words.against.search(window) or said.told_of_then():
        return
    for kind, fond in words.fond.items():
        if fond.search(window) is None:
            continue
        named = _named(said, kind) or (_in_season(said) if kind == "season" else None)
        if named is not None:
            value, start, end = named
            if said.mine(start, end) and value not in taste_words().mocked:
                yield Finding(attribute=f"favorite.{kind}", value=value, shown=value, surface=value)
                return


def ways_of_life(said: Heard) -> Iterator[Finding]:
    """Yield what goes without saying where its tools and terms are named: 샌드백 치고 오면 스트레스 풀려."""
    known = _leanings()
    if said.asks or said.told_of_then() or _NOT_DONE.search(said.text):
        return
    regular = known.regular.search(said.text) or known.regular.match(said.after.lstrip(" .!~"))
    for way in known.ways:
        match = way.said.search(said.text) or (way.often.search(said.text) if regular else None)
        if match is not None and not said.others and said.mine(match.start(), match.end()):
            yield Finding(attribute=way.attribute, value=way.value, shown=way.value, surface=match[0].strip())


_NOT_DONE: Final = re.compile(
    r"그만\s?[두뒀둠]|관[두뒀]|접[었고]|때려\s?[치침쳤]|포기[했하]|처음|구경|중계|경기\s?봤|안\s?(?:다녀|다님|해요?$|함$)|못\s?(?:하|해)|해\s?볼까|할까"
)


def _named(said: Heard, kind: str) -> tuple[str, int, int] | None:
    words = words_of(said.text)
    for place, word in enumerate(words):
        if word.particle not in _OBJECT or word.copula or not word.nominal:
            continue
        thing = thing_at(words, place)
        if thing is None or thing.last.bare in taste_words().persons:
            continue
        if _of_kind(words, thing, kind) or _by_what_is_done(words, thing, kind):
            return thing.value, thing.start, thing.end
    return None


def _of_kind(words: Sequence[Word], thing: Thing, kind: str) -> bool:
    known = taste_words()
    following = words[thing.place + 1] if thing.place + 1 < len(words) else None
    goes_on = following is not None and following.nominal and not thing.particle and not thing.last.breaks
    if known.kind_of(thing.value) != kind or thing.last.bare in patterns().by_favourite:
        return False
    if kind in ("season", "color", "food") and goes_on and following is not None:
        return following.lemma is not None or following.bare in known.apart
    if thing.value not in known.ambiguous:
        return True
    around = [word.bare for i, word in enumerate(words) if not thing.first <= i <= thing.place]
    return known.talked_of([*around, *(word.lemma for word in words if word.lemma)]) == kind


def _by_what_is_done(words: Sequence[Word], thing: Thing, kind: str) -> bool:
    """바빌론을 열 번은 봤어: no list holds it, but nobody watches anything else ten times."""
    if kind not in _TITLED or thing.particle not in ("을", "를", "은", "는", "만", "") or thing.last.breaks:
        return False
    known = taste_words()
    plain = thing.first == thing.place and thing.last.known and thing.last.tag != "NNP"
    listed = known.kind_of(thing.value) or thing.last.bare in known.cues or thing.last.bare in known.no_thing
    if (
        plain
        or listed
        or thing.last.bare in _SHOWS
        or thing.last.tag in ("NNB", "SN", "NR")
        or thing.value[0].isdigit()
        or thing.last.lemma
    ):
        return False
    later = words[thing.place + 1 : thing.place + 6]
    if not thing.particle and later and _names_on(later[0]):
        return False  # 개인전 관련 유튜브
    return any(word.lemma in _DONE_TO[kind] for word in later)


def _names_on(word: Word) -> bool:
    counts = word.tag in ("SN", "NR") or word.bare[0].isdigit() or word.bare.startswith(_FEW)
    return word.nominal and not counts and word.particle != "에서" and word.bare not in taste_words().apart


def _in_season(said: Heard) -> tuple[str, int, int] | None:
    """단풍 드는 철만 기다려: named by what it is known for."""
    seasonal = any(word.bare in _SEASON_WORDS for word in words_of(said.text))
    for season, signs in _leanings().seasons.items():
        sign = signs.search(said.text)
        if sign is not None and (seasonal or "오면" in said.text):
            return season, sign.start(), sign.end()
    return None


def either(said: str) -> re.Pattern[str]:
    """Return the pattern of any of the words in `said`, in the notation of `leanings.ko.toml`."""
    words = sorted(said.split(), key=len, reverse=True)
    return re.compile("|".join(re.escape(word).replace("\\#", _NUMBER).replace("_", r"\s?") for word in words))


@cache
def _leanings() -> _Leanings:
    raw: dict[str, Any] = tomllib.loads(files(__package__).joinpath("leanings.ko.toml").read_text(encoding="utf-8"))
    fond = dict(raw["fond"])
    against = either(fond.pop("against"))
    every = re.compile("|".join(either(said).pattern for said in fond.values()))
    return _Leanings(
        against=against,
        fond={kind: either(said) for kind, said in fond.items()},
        seasons={season: either(said) for season, said in raw["seasons"].items()},
        any=every,
        regular=either(raw["regular"]["words"]),
        ways=tuple(
            _Way(
                attribute=way["attribute"],
                value=way["value"],
                said=either(way.get("said", "")) if way.get("said") else _NOTHING,
                often=either(way["often"]) if way.get("often") else _NOTHING,
            )
            for way in raw["way"]
        ),
    )
