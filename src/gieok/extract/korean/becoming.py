"""What somebody has become: ESTJ 됐다, 드디어 서른 살 찍었어, 이제 성수동 주민이야, 요즘은 훠궈가 최고야."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from gieok.extract.korean.lexicon import lexicon
from gieok.extract.korean.patterns import patterns
from gieok.extract.korean.reading import Finding, Reading, found, read_value
from gieok.extract.korean.values import READERS, Value

FIRST: Final = frozenset("원탑 진리 짱 1등 일등 최고 최애 원픽 1순위 일순위 1위 으뜸".split())
_AGAIN: Final = frozenset("이제 지금 요즘 요새 현재 이번 이젠 올해 드디어 벌써 어느새".split())
_PLACES: Final = ("동", "구", "시", "군", "역", "읍", "면")
_SINGLE: Final = frozenset({"솔로", "모태솔로"})
_PARTNERS: Final = frozenset("남친 여친 남자친구 여자친구 애인 남편 아내 와이프 걔".split())
_FOUND_OUT: Final = re.compile(r"알고\s?보니|잘못\s?알|검사|확인해|찾아보니|물어보니|재\s?보니|헷갈|착각")
_SETTLED: Final = frozenset("주민 시민 구민 거주자 거주민 입성 입주 전입 주민임".split())


def become(reading: Reading) -> Iterator[Finding]:
    """Read what is new by what is said to have come about, without a word for the change itself."""
    for way in (_in_love, _typed, _measured_now, _turned_out, _settled, _best_now, _is_the_new):
        findings = list(way(reading))
        if findings:
            yield from findings
            return


def happened(reading: Reading) -> bool:
    """Whether it is told as done: 됐어, 됨."""
    predicate = reading.predicate
    return predicate is not None and (predicate.past or predicate.endings[-1:] in (("ㅁ",), ("음",)))


def _in_love(reading: Reading) -> Iterator[Finding]:
    """드디어 솔로 탈출했어; 여친이랑 헤어졌어."""
    if reading.negated or not (reading.predicate is None or happened(reading)):
        return
    pattern = patterns().by_attribute["relationship_status"]
    alone = [p for p in reading.clause.phrases if lexicon().canonical.get(p.words[0], p.words[0]) in _SINGLE]
    escaped = reading.says("탈출하다", "졸업하다", "청산하다", "벗어나다") or any(p.words[-1] == "탈출" for p in alone)
    if alone and escaped:
        yield found(pattern, Value(value="연애중", shown="연애중", surface=alone[0].text))
        return
    partner = any(p.words[-1] in _PARTNERS and p.has("랑", "이랑", "과", "와", "하고", "한테") for p in reading.rest)
    if partner and reading.says("결혼하다"):
        yield found(pattern, Value(value="기혼", shown="기혼", surface="결혼"))
    if partner and reading.says("헤어지다", "깨지다", "이별하다", "차이다", "갈라서다", "이혼하다"):
        status = "이혼" if reading.says("이혼하다") else "이별"
        yield found(pattern, Value(value=status, shown=status, surface=status))


def _typed(reading: Reading) -> Iterator[Finding]:
    """ESTJ 됐다, 드디어 서른 살 찍었어, 나 이제 간호사 됐어; 우체국 소속이 되었습니다."""
    if (
        not reading.says("되다", "찍다", "접어들다", "진입하다", "먹다", "뜨다")
        or reading.negated
        or not happened(reading)
    ):
        return
    phrase = reading.rest[-1] if reading.rest else None
    if phrase is None or (phrase.particles and not phrase.has("이", "가", "에", "을", "를")):
        return
    if "더" in reading.clause.adverbs or phrase.pronoun is not None:
        return
    if reading.says("되다") and phrase.words[-1] == "소속" and len(phrase.words) > 1:
        yield _belonging(" ".join(phrase.words[:-1]))
        return
    kinds = ("mbti", "age", "relationship_status", "job") if reading.says("되다") else ("age", "mbti")
    for attribute in kinds:
        pattern = patterns().by_attribute[attribute]
        value = READERS[pattern.value](reading.said(phrase))
        if value is not None and value.alone and value.surface.replace(" ", "") == phrase.text.replace(" ", ""):
            yield found(pattern, value)
            return


def _belonging(where: str) -> Finding:
    attribute = "school" if where.endswith(("대", "대학교", "고", "고등학교", "중학교", "대학")) else "workplace"
    return Finding(attribute=attribute, value=where, shown=where, surface=where)


def _measured_now(reading: Reading) -> Iterator[Finding]:
    """이제 165센티야."""
    phrase = reading.complement
    alone = all(p is phrase or p.pronoun in ("나", "저") or p.words[-1] in _AGAIN for p in reading.clause.phrases)
    if phrase is None or not alone or not reading.lately or reading.negated or reading.past:
        return
    value = READERS["height"](reading.said(phrase))
    if value is not None and value.alone:
        yield found(patterns().by_attribute["height"], value)


def _turned_out(reading: Reading) -> Iterator[Finding]:
    """혈액형 잘못 알고 있었음 B형이었어: what was found out is so still."""
    phrase = reading.complement
    if phrase is None or not reading.past or reading.negated or _FOUND_OUT.search(reading.text) is None:
        return
    for attribute in ("blood_type", "mbti", "height", "birth_year"):
        pattern = patterns().by_attribute[attribute]
        value = READERS[pattern.value](reading.said(phrase))
        if value is not None and value.alone:
            yield found(pattern, value)
            return


def _settled(reading: Reading) -> Iterator[Finding]:
    """이제 성수동 주민이야, 드디어 잠실 입성!, 거처를 동탄으로 …."""
    phrase = reading.complement
    place = ""
    settled = phrase is not None and (phrase.words[-1] in _SETTLED or (phrase.words[-1] == "사람" and moved(reading)))
    if phrase is not None and settled and len(phrase.words) > 1 and not reading.negated:
        place = " ".join(phrase.words[:-1])
    elif reading.says("시작하다") and any(p.words[-1] == "자취" for p in reading.rest):
        place = next((p.text for p in reading.rest if p.has("에서", "서")), "")
    elif reading.says("입성하다", "입주하다", "전입하다") and not reading.negated and happened(reading):
        named = [p for p in reading.rest if not p.particles or p.has("에")]
        place = named[-1].text if named else ""
    if place and _is_place(place):
        yield Finding(attribute="residence", value=place, shown=place, surface=place)


def moved(reading: Reading) -> bool:
    """이제 나도 목포 사람이야 … 이사 온 김에: one is from there by now only."""
    now = {"이제", "이젠", "인자", "인제"} & reading.everything
    return bool(now) and _MOVED.search(reading.text) is not None


_MOVED: Final = re.compile(r"이사|전입|온\s?지|내려온|올라온|정착")


def _is_place(place: str) -> bool:
    return place in lexicon().cities or (place.endswith(_PLACES) and len(place) > 1) or len(place) == 2


def _best_now(reading: Reading) -> Iterator[Finding]:
    """오므라이스가 내 1등 됐음, 요즘은 훠궈가 최고야."""
    best = [p for p in reading.clause.phrases if p.words[-1] in FIRST]
    if (
        not best
        or reading.negated
        or not (reading.says("되다", "등극하다", "오르다", "이다") or reading.predicate is None)
    ):
        return
    if reading.says("이다") and not (reading.lately or best[-1].owner == "나"):
        return
    thing = next((p for p in reading.rest if p.has("이", "가") and p.pronoun is None and not p.pointed), None)
    if thing is None or thing in best:
        return
    said = reading.said(thing)
    kind = lexicon().class_of.get(said.split()[-1], "")
    of_class = patterns().by_class.get(kind) or (
        patterns().by_attribute["favorite.food"]
        if said.endswith(lexicon().food_endings) or "입맛" in reading.text
        else None
    )
    if of_class is not None:
        yield found(of_class, Value(value=said, shown=said, surface=said))


def _is_the_new(reading: Reading) -> Iterator[Finding]:
    """요즘은 성우가 새로운 꿈이에요, 이제 요리사가 꿈이야, 새로 시작한 취미는 …."""
    phrase = reading.complement
    if phrase is None or reading.negated or reading.past:
        return
    pattern = patterns().by_label.get(phrase.words[-1]) or patterns().by_favourite.get(phrase.words[-1])
    if pattern is None or len(phrase.words) > 2:
        return
    place = reading.clause.phrases.index(phrase)
    ahead = place and reading.clause.phrases[place - 1].words[-1] == "다음"  # 오픽 AL이 다음 목표
    new = phrase.modifier == "새롭다" or phrase.words[0] in ("새", "다음") or bool(ahead)
    if not new and (not reading.lately or pattern.attribute not in ("dream", "hobby", "nickname")):
        return
    before = reading.before.phrases if phrase.modifier == "새롭다" and reading.before is not None else ()
    thing = next((p for p in (*reading.rest, *before) if p.has("이", "가") and p.pronoun is None), None)
    value = (
        read_value(pattern, pattern.value, reading.said(thing)) if thing is not None and thing is not phrase else None
    )
    if value is not None:
        yield found(pattern, value)
