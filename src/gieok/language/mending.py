"""Mending what the analyser takes for something else in chat: a copula written as a particle, a dialect's ending."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from gieok.language.morphemes import Morpheme

_NOUNS: Final = frozenset({"NNG", "NNP", "NNB", "NR", "SN", "SL", "XSN", "SH"})
_POINTED_AT: Final = frozenset("사람 애 분 것 거 쪽 곳 놈 집 아이 여자 남자분 차 건물 노래 옷".split())
_ENDS: Final = frozenset({"SF", "SW", "SP", "W_EMOJI", "SO", "SE"})


def mended(morphemes: Sequence[Morpheme]) -> list[Morpheme]:
    """Return `morphemes` with copulas where the sentence needs them."""
    mended_so_far: list[Morpheme] = []
    i = 0
    while i < len(morphemes):
        part = morphemes[i]
        before = mended_so_far[-1] if mended_so_far else None
        rest = morphemes[i + 1 :]
        if _means_me(part, before, rest):
            part = replace(part, tag="NP")
        split = _split_copula(part, rest)
        if split:
            mended_so_far += split
            i += 1
            continue
        doing = _under_way(morphemes[i:])
        if doing:
            mended_so_far += doing
            i += len(doing) - 1
            continue
        if part.tag == "NNB" and part.form == "디" and before is not None and before.tag == "ETM":
            mended_so_far[-1] = replace(before, form="는데", tag="EC", lemma="는데", end=part.end)  # 사는디
            if len(mended_so_far) > 1 and mended_so_far[-2].form == "사":
                mended_so_far[-2] = replace(mended_so_far[-2], form="살", lemma="살다")
            i += 1
            continue
        said_so = before is not None and before.tag in ("EF", "EC") and part.form == "아이"
        if before is not None and said_so and rest and rest[0].form == "가":
            mended_so_far[-1] = replace(before, tag="EF")  # 산다 아이가
            i += 2
            continue
        taken = _copula(part, before, rest, mended_so_far)
        if taken:
            mended_so_far += _copula_of(part)
            i += taken
            continue
        mended_so_far.append(part)
        i += 1
    return mended_so_far


def _copula(part: Morpheme, before: Morpheme | None, rest: Sequence[Morpheme], said: Sequence[Morpheme]) -> int:
    """Return how many morphemes from `part` on are really a copula with its ending; 0 for none."""
    if before is None or before.tag not in _NOUNS:
        return 0
    if part.tag == "JX" and (part.form == "이야" or (part.form == "야" and _at_end(rest))):
        return 1  # 반오십이야; 비형이야 내 혈액형
    if part.tag == "JKV" and part.form in ("야", "이야") and _at_end(rest) and _has_topic(said):
        return 1  # 나 민수야
    if part.tag == "JKS" and part.form == "이" and rest and rest[0].tag == "Z_CODA":
        return 2  # 외계인임ㅋㅋ
    gyeongsang = part.form == "아이" and part.start > before.end and rest and rest[0].form == "가"
    sure = before.tag in ("SN", "SL", "XSN", "NR", "NNB") or _at_end(rest[1:])
    return 2 if gyeongsang and sure else 0  # 부산 아이가


def _means_me(part: Morpheme, before: Morpheme | None, rest: Sequence[Morpheme]) -> bool:
    """저 남자예요 begins with "I", 저 사람 with "that"."""
    if part.tag != "MM" or part.form != "저" or not rest:
        return False
    opens = before is None or before.tag in ("SF", "SP", "EF", "EC", "SW", "IC")
    return opens and rest[0].form not in _POINTED_AT


def _split_copula(part: Morpheme, rest: Sequence[Morpheme]) -> list[Morpheme]:
    """젤리임 is an unknown word only because its -임 was taken for part of it."""
    unknown = part.tag in ("NNG", "NNP") and not part.known and len(part.form) >= 3 and part.form.endswith("임")
    if not unknown or (rest and rest[0].start == part.end and rest[0].tag.startswith("J")):
        return []
    cut = part.end - 1
    noun = replace(part, form=part.form[:-1], lemma=part.form[:-1], end=cut)
    copula = replace(part, form="이", tag="VCP", lemma="이다", start=cut, end=cut)
    return [noun, copula, replace(part, form="ㅁ", tag="EF", lemma="ㅁ", start=cut)]


def _under_way(parts: Sequence[Morpheme]) -> list[Morpheme]:
    """자취 중이에요 is 자취하고 있어요."""
    if len(parts) < 3 or parts[0].tag != "NNG" or (parts[1].form, parts[1].tag) != ("중", "NNB"):
        return []
    if parts[2].tag not in ("VCP", "SF", "SW", "SP"):
        return []
    verb = replace(parts[1], form="하", tag="XSV", lemma="하다", start=parts[0].end)
    joined = [parts[0], verb, replace(parts[1], form="고", tag="EC", lemma="고")]
    return [*joined, replace(parts[2], form="있", tag="VX", lemma="있다")] if parts[2].tag == "VCP" else joined


def _copula_of(part: Morpheme) -> list[Morpheme]:
    copula = replace(part, form="이", tag="VCP", lemma="이다", end=part.start)
    return [copula, replace(part, form="야", tag="EF", lemma="야")]


def _at_end(rest: Sequence[Morpheme]) -> bool:
    return not rest or rest[0].tag in _ENDS


def _has_topic(said: Sequence[Morpheme]) -> bool:
    return any(part.tag == "NP" or (part.tag == "JX" and part.form in ("은", "는", "ㄴ")) for part in said[:-1])
