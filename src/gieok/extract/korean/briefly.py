"""Deeds in few words: what is done and to what, in -기, without day, place and whoever it is done with.

"금요일까지 은행에 전세대출 서류 내야 돼" is the deed 전세대출 서류 내기; "대학원은 안 가기로" is 대학원 안 가기.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from gieok.language.morphemes import Morpheme, join

_ARGUMENT: Final = frozenset("NNG NNP NNB NR SN SL SW XSN XPN XR MM MAG JKO JKB JC JX JKG SH NP W_SERIAL".split())
_STEMS: Final = frozenset({"VV", "XSV"})
_DENIED: Final = frozenset({"안", "못"})
_WHOSE: Final = frozenset("나 저 너 내 제 우리 저희 당신 내가 제가 서로 다들 그냥 혼자 걔 쟤 얘 ㅇㅇ 응 아무".split())
_TIME: Final = re.compile(
    r"^(?:오늘|내일|낼|모레|내일모레|낼모레|글피|어제|이번|이번주|다음|다음주|이번달|다음달|담|담주|담달|내년|올해|올|연말|연초|주말|평일|아침|점심|저녁|밤|새벽|오전|오후|이따|이따가"
    r"|지금|이제|매일|매주|매달|맨날|방학|휴가|추석|설날|설|크리스마스|생일|주|달|해|학기|안|때|전|후|뒤|쯤|초|말|중순|동안|월급날|언젠가|나중|앞"
    r"|[월화수목금토일](?:요일|욜)|(?:\d+|한|두|세|네|다섯|여섯|일곱|여덟|아홉|열|열한|열두)\s?(?:년|월|일|시|시간|분|주|달|개월|번)(?:\s?반)?|[가-힣\d]{1,3}(?:시|월|일|번))$"
)
_OBJECT: Final = frozenset({"을", "를", "ㄹ", "도", "만", "부터", "은", "는", "ㄴ", "이라도", "까지도", "만큼은"})
_DROPPED: Final = frozenset("한테 에게 께 랑 이랑 하고 와 과 에서 서 까지 마다 보고 더러 대로 에다 에다가".split())
_BOUND: Final = frozenset({"데", "지", "적", "건"})  #: 과태료라는데 사진부터: another clause
_WHENS: Final = frozenset({"때", "전", "후", "뒤", "동안"})
_FARTHEST: Final = 16  #: morphemes
_HELPERS: Final = frozenset({"주다", "드리다", "보내다", "놓다", "두다"})


@dataclass(frozen=True, slots=True, kw_only=True)
class _Group:
    said: str  #: without its particle
    particle: str
    adverb: bool = False


def verb_before(parts: Sequence[Morpheme], at: int) -> int | None:
    """Return where the verb stands that the ending at `at` belongs to, past its helpers."""
    for place in range(at - 1, max(-1, at - 8), -1):
        part = parts[place]
        if part.tag in _STEMS:
            return place
        if not part.tag.startswith(("E", "VX")):
            return None
    return None


def brief(text: str, parts: Sequence[Morpheme], at: int) -> str:
    """Return the deed whose verb is `parts[at]`; empty where nothing says what is done."""
    stem, made = parts[at], parts[at].tag == "XSV"
    first = at
    while first > max(0, at - _FARTHEST) and parts[first - 1].tag in _ARGUMENT and parts[first - 1].form not in _BOUND:
        first -= 1
    groups = list(_groups(text, parts[first:at]))
    own = ""
    if made and groups:
        own = groups.pop().said  # 배달 of 배달하다
        words = own.split()
        if len(words) > 1 and _TIME.match(words[0]):
            own = " ".join(words[1:])
    kept = _kept(groups, alone=not own)
    denied = next((group.said for group in groups if group.said in _DENIED), "")
    help_ = _helpers(parts, at)
    if made and stem.form == "하" and not any(form in ("보내", "놓", "두") for form, _ in help_):
        return " ".join(filter(None, (*kept, own, f"{denied} 하기" if denied else ""))).strip()
    if stem.form == "하" and kept and not denied and not help_:
        return " ".join(kept)  # 비자 신청 해야 돼
    verb = join([(stem.form, "VV"), *help_, ("기", "ETN")])
    verb = f"{own}{verb}" if made else verb
    return " ".join(filter(None, (*kept, denied, verb)))


def _kept(groups: Sequence[_Group], *, alone: bool) -> list[str]:
    things = [group for group in groups if not group.adverb and group.said and not _is_time(group)]
    objects = [group.said for group in things if not group.particle or group.particle in _OBJECT]
    if objects or not alone:
        return objects[-2:]
    return [group.said + group.particle for group in things if group.particle not in _DROPPED][-2:]


def is_time(said: str) -> bool:
    """Whether `said` names no more than a time: 이번 주, 금요일, 안."""
    return all(_TIME.match(word) for word in said.split())


def _is_time(group: _Group) -> bool:
    return is_time(group.said) or group.said in _WHOSE


def _groups(text: str, parts: Sequence[Morpheme]) -> Iterator[_Group]:
    """Yield what stands before the verb, each with the particle it ends in."""
    start: int | None = None
    for place, part in enumerate(parts):
        following = parts[place + 1] if place + 1 < len(parts) else None
        if part.tag == "MAG":
            if start is not None:
                yield _group(text, parts[start:place], "")
                start = None
            yield _Group(said=part.form, particle="", adverb=True)
            continue
        start = place if start is None else start
        ends = part.tag.startswith("J") and part.tag != "JC" and part.tag != "JKG"
        if ends and (following is None or not following.tag.startswith("J")):
            yield _group(text, [each for each in parts[start : place + 1] if not each.tag.startswith("J")], part.form)
            start = None
        elif part.tag == "JC":
            start = None  # 남편이랑: with whom
    if start is not None:
        yield _group(text, parts[start:], "")


def _group(text: str, parts: Sequence[Morpheme], particle: str) -> _Group:
    said = text[parts[0].start : parts[-1].end].strip() if parts else ""
    words = said.split()
    while len(words) > 1 and (_TIME.match(words[0]) or words[0] in _WHOSE):
        words = words[1:]
    when = max((at for at, word in enumerate(words[:-1]) if word in _WHENS), default=-1)
    words = words[when + 1 :]  # 회식 때 피자
    if len(words) > 1 and words[-1] in ("하나", "하나도"):
        words = words[:-1]
    while len(words) > 1 and _TIME.match(words[-1]):
        words, particle = words[:-1], ""  # 비자 신청 이번 주에
    return _Group(said=" ".join(words), particle=particle)


def _helpers(parts: Sequence[Morpheme], at: int) -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    for first, second in zip(parts[at + 1 :: 2], parts[at + 2 :: 2], strict=False):
        if first.tag != "EC" or first.form not in ("어", "아") or second.lemma not in _HELPERS:
            break
        found += [(first.form, "EC"), (second.form, "VX")]
    return found
