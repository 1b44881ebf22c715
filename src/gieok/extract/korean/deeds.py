"""Deeds as values: what is done, with its objects, in -기. 노래 불러주기로 했잖아 → 노래 불러주기."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from gieok.language.morphemes import Morpheme, join

_ARGUMENT: Final = frozenset("NNG NNP NNB NR SN SL XSN XPN XR MM MAG JKO JKB JC JX SH NP W_SERIAL".split())
_STEMS: Final = frozenset({"VV", "XSV", "VA", "XSA"})
_WHOSE: Final = frozenset({"나", "저", "너", "네", "내", "제", "우리", "저희", "당신", "그대"})
_OPENINGS: Final = frozenset(
    "그냥 진짜 꼭 아직 이제 또 그리고 그래서 일단 사실 근데 앞으로 제발 좀 벌써 드디어 그럼 다시 혹시".split()
)
_UNIT: Final = (
    r"(?:오늘|내일모레|내일|모레|글피|이번|다음|담주|담달|내년|내후년|올해|연말|연초|곧|조만간|주말|평일|봄|여름|가을|겨울"
    r"|추석|설날|설|크리스마스|방학|휴가|아침|점심|저녁|밤|새벽|오전|오후|퇴근길|주|달|해|학기|\d{1,4}년|\d{1,2}월|\d{1,2}일|\d{1,2}시"
    r"|[월화수목금토일]요일|[가-힣]{1,2} 달|동안|안|때|쯤|초|말|중순|중|후|뒤)"
)
_WHEN: Final = re.compile(rf"(?:{_UNIT}\s?(?:에는|에|엔|부터|까지|마다|동안)?(?:\s|$))+")


def stem_before(parts: Sequence[Morpheme], at: int) -> int | None:
    """Return where the last full predicate before `at` stands: past auxiliaries and endings."""
    for place in range(at - 1, max(-1, at - 8), -1):
        part = parts[place]
        if part.tag in _STEMS:
            return place
        if not part.tag.startswith(("E", "VX", "JX")):
            return None
    return None


def deed(text: str, parts: Sequence[Morpheme], at: int, *, whole: bool = False) -> str:
    """Return the deed whose stem is `parts[at]` as a noun; `whole` keeps the time it is to be done."""
    start = begins(parts, at)
    stem = parts[at]
    made_of_noun = stem.tag in ("XSV", "XSA")
    before = text[parts[start].start : stem.start] if start < at else ""
    before = before if whole else _WHEN.sub("", before, count=1) if _WHEN.match(before) else before
    help_ = _helpers(parts, at)
    if made_of_noun and stem.form == "하" and not help_:
        return before.strip()
    verb = join([(stem.form, "VV" if made_of_noun else stem.tag), *help_, ("기", "ETN")])
    return (before + verb).strip() if made_of_noun else f"{before.strip()} {verb}".strip()


def begins(parts: Sequence[Morpheme], at: int) -> int:
    """Return where the arguments of the predicate at `at` begin."""
    start = at
    for place in range(at - 1, max(-1, at - 14), -1):
        part, following = parts[place], parts[place + 1]
        if part.tag not in _ARGUMENT:
            break
        in_case = place and parts[place - 1].tag == "JKB"  # 이후엔
        if part.tag == "JX" and part.form in ("은", "는", "ㄴ") and following is not parts[at] and not in_case:
            break
        start = place
    return _without_subject(parts, start, at)


def _without_subject(parts: Sequence[Morpheme], start: int, at: int) -> int:
    """나, 네가, 앞으로 … stand before what is done."""
    while start < at:
        part = parts[start]
        following = parts[start + 1] if start + 1 < at else None
        if part.tag == "NP" and part.form in _WHOSE:
            start += 2 if following is not None and following.tag in ("JKS", "JX", "JKB", "JC") else 1
        elif part.form in _OPENINGS or part.form in ("때", "적") or part.tag.startswith("J"):
            start += 1
        else:
            break
    return min(start, at)


def _helpers(parts: Sequence[Morpheme], at: int) -> list[tuple[str, str]]:
    """Return 어 + 주 of 불러주기."""
    found: list[tuple[str, str]] = []
    for first, second in zip(parts[at + 1 :: 2], parts[at + 2 :: 2], strict=False):
        if (
            first.tag != "EC"
            or first.form not in ("어", "아")
            or second.lemma not in ("주다", "보내다", "놓다", "드리다")
        ):
            break
        found += [(first.form, "EC"), (second.form, "VX")]
    return found


def when(text: str) -> str:
    """Return the time that `text` opens with."""
    found = _WHEN.match(text)
    return found[0].strip() if found else ""
