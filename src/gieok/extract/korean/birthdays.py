"""Birthdays, in whatever sentence they stand: 12/30 내 귀빠진 날, 어린이날에 미역국 먹는 사람 나야 나."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from gieok.extract.korean.heard import Heard
from gieok.extract.korean.lexicon import lexicon
from gieok.extract.korean.reading import Finding
from gieok.extract.korean.values import FESTIVALS, READERS
from gieok.language.numerals import find_month_days

BIRTHDAY: Final = re.compile(
    r"생일|생신|출생|귀\s?빠진\s?날|태어난\s?날|탄생일|생년월일|미역국|태어났|태어나|태어난|일생(?=이|입|인|임|예|\s|$)|세상에\s?나온|첫\s?울음|나온\s(?:아기|애)|나왔대|초\s?불|생축|생파|한\s?살\s(?:더\s)?먹는\s?날|나이\s?(?:한\s?살\s)?먹는\s?날|일에\s?(?:났|나왔|낳)|해피\s?벌스데이|생일빵"
)
_OWN: Final = re.compile(
    r"(?:내|제|나의|저의|나|저)\s?(?:진짜\s|바로\s|양력\s|음력\s)?(?:생일|생신|귀\s?빠진|태어난|탄생)|내가\s?(?:그날\s)?(?:태어|주인공)|제가\s?(?:그날\s)?태어|나\s?낳|저\s?낳|나도|저도|나\s한\s살|(?:나|저)한테\s"
)
_DATED: Final = re.compile(r"(?<!\d)(?P<month>0[1-9]|1[0-2])(?P<day>0[1-9]|[12]\d|3[01])(?!\d)")
_DOTTED: Final = re.compile(r"(?<![\d.])(?P<month>\d{1,2})\.(?P<day>\d{1,2})(?![\d.])")
_SPLIT: Final = re.compile(r"(?P<month>\d{1,2})월\s?(?:하고도|그리고|의|달)\s?(?P<day>\d{1,2})일")
_NEXT_THING: Final = re.compile(r"\s?(?:까지|부터|이후|마감|시험|결혼|콘서트|약속|예약|개강|종강|출발|면접)")


#: 삼겹살데이지 생일 아님; 생일자인가 봄
_NOBODYS: Final = re.compile(
    r"생일(?:은|이|도)?\s?(?:아니|아님|아닌|아냐)|생일자?(?:인가|일까|인지|이려나)|일생(?:이면|인\s?사람)|태어난\s(?:유명인|연예인|가수|배우|선수|위인|아이돌|캐릭터)"
)


def birthdays(before: str, said: Heard, *, asked: bool = False) -> Iterator[Finding]:
    """Yield the day of a sentence that speaks of one's birth, or was `asked` for it; `before` stands right before."""
    here = asked or BIRTHDAY.search(said.text)
    spoken = here or BIRTHDAY.search(said.after[:40]) or (BIRTHDAY.search(before) and said.text)
    day = _day(said.text) if spoken else None
    if _OWN.search(said.after[:24]):
        said = replace(said, asks=False)  # 2월 22일, 외우기 쉽지? 내 생일이야
    if day is not None and _is_nobodys(said.text, day[1]):
        return
    if day is None or _NEXT_THING.match(said.text, day[2]) or not said.mine(day[1], _past_condition(said.text, day[2])):
        return
    around = f"{before} {said.text} {said.after[:40]}"
    if not asked and not _is_own(said, around, day[1]):
        return
    month, number = day[0]
    yield Finding(
        attribute="birthday",
        value=f"{month:02d}-{number:02d}",
        shown=f"{month}월 {number}일",
        surface=said.text[day[1] : day[2]].strip(),
    )


def _is_nobodys(text: str, day: int) -> bool:
    """삼겹살데이지 생일 아님; but 오늘 내 생일 아니야 11월 11일이야 tells when it is."""
    match = _NOBODYS.search(text)
    return match is not None and not (match.end() < day and _OWN.search(text) and "아" in match[0])


def told_outright(text: str) -> bool:
    """Whether a birthday in `text` is told as such, or put right, so that it overrules what was told before."""
    return _OUTRIGHT.search(text) is not None


#: 2월 29일이 제 생일입니다; 생일 잘못 말했네; 9월 15일로 생일 챙기기로 했어요
_OUTRIGHT: Final = re.compile(
    r"(?<![가-힣])(?:내|제|나의|저의|나|저)\s(?:진짜\s|실제\s)?생일(?:은|이|도)?\s(?:원래\s|사실\s|양력\s|음력\s|아니[^.!?\d]{0,6}\s)*\d"
    r"|\d일(?:이|은)?\s(?:진짜\s|바로\s|사실\s)*(?:내|제|나의|저의)\s(?:진짜\s)?생일(?=이[야에다지]|입|임|인|예|\s*(?:$|[.!~ㅋㅎ]))"
    r"|(?:당일|날|데이|마스|이브)(?:이|은)\s(?:진짜\s|바로\s|사실\s)*(?:내|제)\s(?:진짜\s)?생일(?=이[야에다지]|입|임|예)"
    r"|생일[^.!?]{0,6}(?:잘못|정정|헷갈|틀렸|오타)"
    r"|생일(?:로|을|은)?\s?(?:챙기|쇠|지내|하)기로\s?(?:했|함|하였)"
)


def _past_condition(text: str, end: int) -> int:
    """4월 17일이면 미역국 먹어: the day comes, it is not supposed."""
    every = _EVERY.match(text, end)
    return every.end() if every is not None else end


_EVERY: Final = re.compile(r"(?:이면|만\s?되면|이\s?되면|마다|만\s?오면)")


def _is_own(said: Heard, around: str, at: int) -> bool:
    if _OWN.search(around) or said.claimed or any(max(said.others, default=-1) < place < at for place in said.me):
        return True
    return not said.others and not _SOMEONES.search(around) and not _of_someone_named(around)


_NAMED: Final = re.compile(r"(?<![가-힣])(?P<who>[가-힣]{2,3})이?\s(?:생일|생신)(?=이|은|날)")
_NO_NAME: Final = frozenset(
    "진짜 실제 음력 양력 올해 이번 다음 오늘 내일 모레 원래 호적 주민 정식 "
    "우리 본인 매년 작년 내년 여름 겨울 가을".split()
)


def _of_someone_named(around: str) -> bool:
    """수빈 생일이 12월 5일이라고."""
    given = lexicon().given
    said = [who for match in _NAMED.finditer(around) for who in (match["who"], match["who"].removesuffix("이"))]
    names = lexicon().names - _NO_NAME
    return any(who in names or (who not in _NO_NAME and all(each in given for each in who[-2:])) for who in said)


_SOMEONES: Final = re.compile(
    r"(?:님|씨|[가-힣]{2}의|(?<![가-힣\d])(?!(?:양력|음력|진짜|실제|올해|이번|다음|원래|사실|바로|저의|나의|우리|저희|오늘|내일|모레|어제|벌써|그날|이날|그게|이게|내년|작년|마침|하필|결국|서로|만약|매년|항상|드디어|딱|곧|그냥|근데|그리고|참고로|아마|첫|같은)\s)[가-힣]{2,3}|[가-힣]{2}이네|친구|엄마|아빠|동생|언니|오빠|누나|형|남친|여친|남편|아내|아들|딸|할머니|할아버지|팀장님|조카|강아지|고양이|최애|아이돌|너|네|니)\s(?:생일|생신|귀\s?빠진)(?!\s?(?:선물|파티|축하|카페|케이크))|생일\s?(?:파티|선물|카페)\s?(?:가|사|준비)|(?<!내\s)(?<!제\s)(?<!우리\s)(?<![가-힣])[가-힣]{4,8}\s생신"
)


def _on_paper(text: str, start: int, end: int) -> bool:
    """5월 12일은 음력이고, 호적엔 3월 2일인데: not the day one keeps."""
    return _PAPER_BEFORE.search(text[:start]) is not None or _PAPER_AFTER.match(text, end) is not None


_PAPER_BEFORE: Final = re.compile(
    r"(?:호적|주민등록|민증|서류|출생신고|음력)(?:상|엔|에는|에|으로는|으론|으로|은|이)?\s?(?:생일은\s?)?$"
)
_PAPER_AFTER: Final = re.compile(r"(?:은|는|이)?\s?(?:음력|호적|출생신고|서류)")


def _day(text: str) -> tuple[tuple[int, int], int, int] | None:
    days = find_month_days(text)
    if days:
        real = next((day for day in days if not _on_paper(text, day.start, day.end)), days[0])
        return (real.month, real.day), real.start, real.end
    for pattern in (_SPLIT, _DOTTED, _DATED):
        match = pattern.search(text)
        if match is not None and 1 <= int(match["month"]) <= 12 and 1 <= int(match["day"]) <= 31:
            return (int(match["month"]), int(match["day"])), match.start(), match.end()
    festival = next((name for name in sorted(FESTIVALS, key=len, reverse=True) if name in text), None)
    value = READERS["month_day"](text) if festival is not None else None
    if festival is None or value is None:
        return None
    month, number = value.value.split("-")
    start = text.index(festival)
    return (int(month), int(number)), start, start + len(value.surface)
