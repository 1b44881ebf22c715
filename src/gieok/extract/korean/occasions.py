"""Days that stand in a calendar, and steps in a life.

다음주 화요일에 면접, 할머니 49재가 and 접촉사고 났습니다 are events;
검정고시 합격, 구독자 만 명 찍었어 and 첫 월급 are milestones.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Final

from gieok.extract.korean.heard import Heard
from gieok.extract.korean.lexicon import signals
from gieok.extract.korean.reading import Finding

_DAY: Final = (
    r"오늘|내일|낼|모레|글피|어제|그저께|엊그제|간밤|이번\s?(?:주|달|정기|[월화수목금토일])|다다음\s?주|다음\s?(?:주|달|[월화수목금토일])|담주|담달|지난\s?(?:주|달)"
    r"|[월화수목금토일](?:요일|욜)|주말|수목금|\d{1,2}월|\d{1,2}일(?=이|에|은|부터|\s)|코앞|며칠\s?(?:뒤|후|전)|[가-힣\d]{1,3}\s?(?:주|달|일|시간)\s?(?:뒤|후)|D-\d"
)
_TIMED: Final = re.compile(_DAY)
_SKIP: Final = re.compile(
    rf"^(?:{_DAY}|저|나|난|전|제|내|저희|우리|그|이번|다음|드디어|벌써|아직|진짜|또|첫째|둘째|셋째|마지막|초|말|중순|오전|오후|아침|저녁|새벽|밤|주|달|날|에|응|아|근데|정말|무사히|하필|딱|두|세|네|한|저희|전에|때|있는|가는|보는|하는|뭐|곧)\S{{0,2}}$"
)
_ENDS_PHRASE: Final = re.compile(
    r"(?:은|는|이|가|을|를|에|도|서|고|면|엔|로|요|다|데|지|까지|부터|한테|께|랑|게|던|한|난|간|된|라|어|아|해|니|네|음|함|임|죠)$"
)
_UNFIT: Final = re.compile(
    r"\s?(?:봤으면|보고\s?싶|때문에\s?망|언제야|언제예요|어땠|같은|스태프|알바|직원|스케줄|브이로그|영상|직캠)"
)
_HAPPENED: Final = re.compile(
    r"(?P<what>(?:접촉|교통|추락|낙상)\s?사고|화재|지진|도난|보이스피싱|침수|결항|누수|정전)(?:가|이|를|을|로)?\s?(?:났|나서|당했|당함|당하|돼서|됐|됨|로\s?[^.]{0,8}날)"
)
_ROBBED: Final = re.compile(
    r"(?P<what>지갑|가방|폰|휴대폰|집|카드|자전거)(?:을|를|이|가)?\s?(?P<how>털렸|털림|도둑맞|잃어버렸|소매치기)"
)
_CARRYING: Final = re.compile(
    r"(?<![가-힣])(?:임신\s?(?:\d{1,2}\s?(?:주|개월)|중|초기|말기|막달|했|사실)|임산부(?:라|수첩|\s수첩|예요|입니다)|만삭)"
)
_NUMBER: Final = r"(?:\d[\d,.]*|(?:[일이삼사오육칠팔구]?[십백천만])+|한|두|세|네|다섯|여섯|일곱|여덟|아홉|열|백|천|만)"
_REACHED: Final = re.compile(
    rf"(?P<what>(?:누적\s)?[가-힣A-Za-z]{{2,8}}(?<![고봐서까지])(?:\s?[가-힣]{{2,4}}(?<![고봐서지]))?)\s(?P<sum>{_NUMBER}\s?(?:만|천|백|억)?\s?(?:명|원|개|권|회|일째|일|점|킬로|키로|kg|km|시간|번|주년|(?=\s))?)"
    r"(?:을|를|도|째)?\s(?:드디어\s|딱\s|겨우\s)?(?:찍었|찍음|찍은|돌파|달성|넘었|넘김|넘겼|채웠|채움|채워서|성공|감량\s?(?:성공|달성))"
)
_LOST: Final = re.compile(rf"(?<![\d가-힣])(?P<sum>{_NUMBER}\s?(?:kg|키로|킬로))\s?(?:감량)\s?(?:달성|성공|완료|했|함)")
_RANK: Final = re.compile(
    r"(?<![가-힣])(?P<what>만렙|마스터|그랜드마스터|챌린저|다이아|플래티넘|플레|골드|검은\s?띠|검은띠|유단자|실버버튼|골드버튼)(?:을|를|에)?\s?(?:찍었|찍음|달았|달음|땄|땀|받았|갔|올라갔|매는데|맸|달성)"
)
_GAINED: Final = re.compile(
    r"(?<![가-힣])(?P<what>(?!발급|드디어|결국|이번|오늘|어제|저\s|나\s|겨우)[가-힣A-Za-z\d]{0,8}(?:\s?[가-힣A-Za-z\d]{1,4})?(?:면허증?|자격증|기사|(?<!월)급수?|N[1-5]|영주권|시민권|비자|주민등록증|여권|학위|면장|HSK|JLPT))(?:을|를|이|도)?\s?"
    r"(?:드디어\s|겨우\s)?(?P<how>땄(?!다고\s?(?:자랑|뻥))|땀(?=\s|$|[.!])|딴\s?(?:날|지)|따서|따고|취득했|취득함|나왔|받았|발급받았|발급\s?받았)"
)
_PASSED: Final = re.compile(
    r"(?<![가-힣])(?P<what>(?!드디어|최종|겨우|이번|오늘|결국|무사히|나도)[가-힣A-Za-z\d]{2,8}(?:\s(?!드디어|최종|겨우|무사히)[가-힣A-Za-z\d]{2,8})?)(?:에|을|를)?\s(?:드디어\s|무사히\s)?(?:최종\s)?"
    r"(?P<how>합격|통과|완주|수료|졸업|입상|우승|완독|완납|완치)(?=했|함|됐|이다|했습|입니다|이에요|\s?(?:문자|통보|통지|소식|증)|\s*[!.]|\s*$)"
)
_STUCK: Final = re.compile(
    r"(?<![가-힣])(?P<what>[가-힣A-Za-z\d]{0,6}(?:시험|고시|임용|공채|필기|실기|서류|수시|정시|편입|대학원|로스쿨|의대|약대|교대|간호대|외고|과고|예고|오디션))(?:에|도|까지|만)?\s?(?:붙었(?!다고)|붙음|붙어서|붙은\s?(?:날|기념))"
)
_BECAME: Final = re.compile(
    r"(?<![가-힣])(?P<what>승진|진급|퇴임|예편|귀화|개명|전역|제대|등단|데뷔|정년퇴직|완치|출간|졸업)(?:했(?!던|다가|으면|대)|함(?=\s|[.!]|$)|\s?허가|이라니|하고\s?왔)"
)
_FIRST: Final = re.compile(
    r"(?<![가-힣])첫\s(?P<what>(?:단독\s)?(?:월급|손님|출근|흑자|매출|집도|무대|출간|수술|비행|연재|전시|공연|우승|골|승리|수업|강의|당선|수익|계약|등교|등원|걸음마?))"
    r"(?=\s?(?:[!.]|$|받|들어|마쳤|마침|했|함|성공|올랐|찍|넣|냈|나왔|기록|끝))"
)
_YEARS: Final = re.compile(
    rf"(?<![가-힣])(?P<what>(?:결혼|가게|개업|입사|창업|연애|금연|금주|무사고|사귄\s?지|만난\s?지)(?:\s(?:오픈한|연|시작한)\s?지)?(?:\s딱)?\s?{_NUMBER}\s?(?:주년|일|년)(?:째)?)(?=\s?(?:이|째|됐|성공|표창|달성|예요|야|임|입니다|[!.]|$))"
)
_NOT_SO: Final = re.compile(
    r"다고\s?(?:자랑|했|한|뻥|착각)|거짓말|아니고|아닌|못\s|실패|할\s?뻔|(?:면|려고|려면|전엔|전까진|때까지|까지\s?(?:안|못|멀))(?=[\s,.]|$)|목표|꿈|싶|해야|야지|다음은|불합격|떨어|언젠가|[가-힣]에서\s?졸업"
)


def occasions(said: Heard) -> Iterator[Finding]:
    """Yield what stands ahead or has just been, and what has been reached."""
    if said.asks or said.supposed:
        return
    yield from _events(said)
    yield from _milestones(said)


def _events(said: Heard) -> Iterator[Finding]:
    if _TIMED.search(said.text) and not _AGREED.search(said.text):
        for match in _nouns().finditer(said.text):
            if _UNFIT.match(said.text, match.end()) or not _ours(said, match.start()):
                continue
            yield _found("event", _phrase(said.text, match.start(), match.end()))
            return
    for pattern in (_HAPPENED, _ROBBED):
        happened = pattern.search(said.text)
        if happened is not None and said.mine(happened.start(), happened.start()) and not _NOT_SO.search(said.text):
            how = {"도둑맞": "도난", "잃어버렸": "분실"}.get(happened.groupdict().get("how") or "", "")
            lost = f"{happened['what']} {how or '도난'}" if pattern is _ROBBED else happened["what"]
            yield _found("event", lost)
            return
    if _CARRYING.search(said.text) and not said.others:
        yield _found("event", "임신")


def _ours(said: Heard, at: int) -> bool:
    """Whether it is the speaker's day, or one of their family's: 할머니 49재, 조카 돌."""
    if said.mine(at, at):
        return True
    near = [place for place in said.others if 0 <= place < at]
    kin = signals("own_kin", "kin") | signals("own_kin", "elder") | signals("own_kin", "parents")
    return bool(near) and at - near[-1] < _NEAR and said.text[near[-1] : at].split()[0] in kin


#: 집회 나간다고 약속했소, 검진 받아야 하는데: what is promised or due is no day in itself
_AGREED: Final = re.compile(r"기로|약속|받아야|해야|트라우마|뒤로|이후로")
_NEAR, _SHORTEST = 12, 2  #: letters


def _phrase(text: str, start: int, end: int) -> str:
    """Return the noun with the bare nouns before it: 사내 체육대회, 할머니 49재."""
    words = text[:start].rstrip().split() if text[:start].endswith((" ", "")) else []
    kept: list[str] = []
    for word in reversed(words[-2:]):
        kin = word in signals("own_kin", "kin") | signals("own_kin", "parents")
        if not kin and (_SKIP.match(word) or _ENDS_PHRASE.search(word) or len(word) < _SHORTEST or not word.isalnum()):
            break
        kept.insert(0, word)
    return " ".join((*kept, text[start:end]))


def _milestones(said: Heard) -> Iterator[Finding]:
    if _NOT_SO.search(said.text):
        return
    for pattern, shape in _STEPS:
        match = pattern.search(said.text)
        if match is not None and said.mine(match.start(), match.start()):
            yield _found("milestone", shape.format(**match.groupdict()).strip())
            return


_STEPS: Final = (
    (_GAINED, "{what} 취득"),
    (_PASSED, "{what} {how}"),
    (_STUCK, "{what} 합격"),
    (_RANK, "{what} 달성"),
    (_REACHED, "{what} {sum}"),
    (_LOST, "{sum} 감량"),
    (_FIRST, "첫 {what}"),
    (_YEARS, "{what}"),
    (_BECAME, "{what}"),
)


@cache
def _nouns() -> re.Pattern[str]:
    words = sorted(signals("occasions", "nouns"), key=len, reverse=True)
    return re.compile(
        rf"(?<![가-힣])(?:[가-힣A-Za-z]{{0,4}}?)(?:{'|'.join(words)})(?:\s(?:{'|'.join(words)}))?(?=이|가|라|은|는|을|를|도|에|예|야|임|인|합|하|해|있|보|봐|들|나|중|날|전|때|\s|[.,!ㅠㅜㅋㅎ]|$)"
    )


def _found(attribute: str, value: str) -> Finding:
    return Finding(attribute=attribute, value=value, shown=value, surface=value)
