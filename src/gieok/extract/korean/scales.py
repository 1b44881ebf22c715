"""Weight, in whatever sentence it stands: 58키로야, 저울에 66 나왔어, 70이었는데 5키로 빠졌어; 173에 61."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from gieok.extract.korean.heard import Heard
from gieok.extract.korean.lexicon import lexicon
from gieok.extract.korean.reading import Finding
from gieok.language.morphemes import analyse

_UNIT: Final = r"(?:kg|KG|Kg|키로|킬로그램|킬로|키로그램)(?!미터)"
_FIGURE: Final = r"(?<![\d.])(?P<weight>\d{2,3}(?:\.\d)?)(?![\d.]\d|\d)"
_OTHER_UNIT: Final = (
    r"(?!\s?(?:그램|그람|g|리터|ml|분|초|년|월|일(?!\s)|시간|시\s|번|명|개|만|원|%|퍼|살|세|층|cm|센티|센치"
    r"|칼로리|회|잔|대\s|도\s|위|프로|주|호|사이즈|인치|점))"
)
_WEIGHED: Final = re.compile(rf"{_FIGURE}\s?{_UNIT}")
_SCALE: Final = re.compile(
    rf"(?:몸무게|체중계|체중|저울|인바디|앞자리|계체)[^.]{{0,24}}?{_FIGURE}(?:\s?{_UNIT})?{_OTHER_UNIT}"
)
_UP_TO: Final = re.compile(
    rf"{_FIGURE}(?:\s?{_UNIT})?(?:까지|으로|로)\s?(?:다시\s|확\s|막\s)?(?:불었|불어|쪘|쪄|늘었|늘어|빠졌|빠져|뺐|내려[왔갔]|줄었)"
)
_BARE: Final = re.compile(rf"{_FIGURE}(?:\s?{_UNIT})?{_OTHER_UNIT}")
_WAS: Final = re.compile(
    rf"{_FIGURE}(?:\s?{_UNIT})?(?:이?였는데|이었는데|이었다가|였다가|이?던|에서)[^.]{{0,14}}?"
    rf"(?<![\d.])(?P<change>\d{{1,2}})\s?{_UNIT}[^.\d]{{0,8}}?(?P<way>빠|뺐|뺌|감량|줄|모자|부족|쪘|쪄|찜|찌|늘|불|넘|초과)"
)
_LOST: Final = ("빠", "뺐", "뺌", "감량", "줄", "모자", "부족")
_WEIGHING: Final = re.compile(
    r"\s?(?:나가|나감|나간|밖에|찍|이야|야|임|이에요|예요|에요|입니다|이라|인데|이고|거든|라서|라\s|돌파|까지\s?(?:쪘|찜|빠|뺐)|됐|이\s?됐|대(?:야|예요|임|인데)|$)"
)
_ABOUT: Final = re.compile(r"몸무게|체중|살\s?(?:쪘|빠|찐)|쪘|다이어트|저울|인바디|나[가감간]|앞자리")
_LIFTED: Final = re.compile(
    r"벤치|스쿼트|데드|아령|덤벨|들었|들어\s?올|짐|택배|쌀|목표|까지\s?빼고|수하물|캐리어|빼야|빼고\s?싶|바벨|중량|3대|왕복|편도|거리|마라톤|주행|달렸|뛰었"
)
#: 77 찍었다, 82 됐어: told of a body that grows or shrinks
_REACHED: Final = re.compile(
    rf"{_FIGURE}(?:\s?{_UNIT})?(?:을|를|이|가)?\s?(?:찍었|찍음|찍고|찍힘|찍혔|됐|되었|됨|돌파|진입|나왔|나옴|(?:이)?더라|이야|이에요|예요|입니다|임(?![가-힣]))"
)
GROWING: Final = re.compile(
    r"벌크업|다이어트|감량|증량|살\s?(?:쪘|빠|뺐|찐|찌)|쪘|쪄서|체중|몸무게|인바디|(?:달|주|일|년)\s?(?:동안|만에)\s[^.]{0,10}?(?:빼서|빼고|뺐)"
)
#: what may stand before it: no 조회수, no 점수
_LEADS: Final = re.compile(
    r"(?:^|다가|서|고|니|니까|에|만에|드디어|이제|지금|오늘|어제|결국|벌써|성공|몸무게|체중|체중계|인바디|앞자리|[,~!ㅋㅎ])\s*$"
)
#: the scale has spoken, and it is no hearsay: 체중계가 61이래
_SAYS: Final = re.compile(r"(?:이)?(?:래요?|라네요?|라는데요?|라더라고?요?)(?=[\s,.!~…ㅋㅎㅠㅜ]|$)")
_COMING: Final = re.compile(
    r"\s?\S{0,4}\s?(?:찍|넘|되|나가|쪄|찌)?겠|\s?(?:까지\s?)?(?:빼야|빼고|만들|감량할|찍으면|되면|넘으면)"
)
_NEAR: Final = 30  #: characters of what is said next
_ASKED: Final = re.compile(r"몸무게|체중|몇\s?(?:키로|킬로|kg)")


#: 173에 61키로, 181에 75야: height and weight in one breath
_BUILD: Final = re.compile(
    r"(?<![\d가-힣.,])(?P<height>1[3-9]\d)(?:\.\d)?\s?(?:cm|CM|센티|센치)?(?:에|[,/]?\s)\s?"
    rf"(?P<weight>3[5-9]|[4-9]\d|1[0-4]\d)(?:\.\d)?(?!\d)\s?(?P<unit>{_UNIT})?"
)
_IS_BUILD: Final = re.compile(
    r"\s?(?:정도|쯤)?\s?(?:이야|야|이에요|예요|에요|입니다|임|인데|이고|이라|라서|이지|(?:이)?요(?=[\s,.!~]|$)|체형|[.,!~ㅋㅎㅠ]|$)"
)
_PRICED: Final = re.compile(r"월세|보증금|전세|관리비|만\s?원|매매|복비|이자|할부")


def build(said: Heard) -> Iterator[Finding]:
    """Yield height and weight that are told together: 키 173에 61이에요."""
    match = _BUILD.search(said.text)
    if match is None or _PRICED.search(said.text) or _LIFTED.search(said.text):
        return
    joined = "에" in said.text[match.end("height") : match.start("weight")]
    if not (match["unit"] or joined) or not _IS_BUILD.match(said.text, match.end()):
        return
    if said.mine(match.start(), match.end()) and not of_a_thing(said.text, match.start()):
        for name in ("height", "weight"):
            yield Finding(attribute=name, value=match[name], shown=match[name], surface=match[name])


def asks_weight(asked: str) -> bool:
    return _ASKED.search(asked) is not None


def weight(said: Heard, asked: str = "") -> Iterator[Finding]:
    """Yield what the speaker weighs; `asked` is the question before."""
    if not any(character.isdigit() for character in said.text) or _LIFTED.search(said.text):
        return
    wondered = asks_weight(asked)
    about = wondered or _ABOUT.search(said.text) is not None
    value = _reckoned(said)
    if value is None:
        value = _named(said, about=about, wondered=wondered)
    if value is not None:
        yield Finding(attribute="weight", value=value, shown=value, surface=value)


def _reckoned(said: Heard) -> str | None:
    """70이었는데 5키로 빠졌어, 50키로에서 1키로 모자라."""
    match = _WAS.search(said.text)
    if match is None or said.supposed or any(at < match.start() for at in said.others):
        return None
    change = int(match["change"]) * (-1 if match["way"] in _LOST else 1)
    total = float(match["weight"]) + change
    return f"{total:g}" if _fits(total) else None


def _named(said: Heard, *, about: bool, wondered: bool) -> str | None:
    growing = GROWING.search(said.text + said.after[:_NEAR]) is not None
    patterns = (_UP_TO, _WEIGHED, _SCALE, *((_REACHED,) if growing else ()), *((_BARE,) if wondered else ()))
    for pattern in patterns:
        for match in pattern.finditer(said.text):
            told = pattern is not _WEIGHED or about or _WEIGHING.match(said.text, match.end())
            if not told or not _fits(float(match["weight"])) or _COMING.match(said.text, match.end()):
                continue
            if (pattern is _REACHED and not _LEADS.search(said.text[: match.start()])) or "점수" in match[0]:
                continue
            end = _heard_to(said.text, match) if pattern is _SCALE else match.end()
            if said.mine(match.start("weight"), end) and not of_a_thing(said.text, match.start("weight")):
                return str(match["weight"])
    return None


def _heard_to(text: str, match: re.Match[str]) -> int:
    says = _SAYS.match(text, match.end())
    return says.end() if says is not None else match.end()


def _fits(kilos: float) -> bool:
    return 25 <= kilos <= 200


def of_a_thing(text: str, at: int) -> bool:
    """책상이 150cm야: something else is measured."""
    before = text[:at].split()
    if before and lexicon().class_of.get(before[-1]) == "animal":
        return True  # 리트리버 35키로라
    subject = _SUBJECT.search(text[:at])
    return subject is not None and subject["noun"] not in _MEASURED and not _is_verb(subject["said"])


def _is_verb(said: str) -> bool:
    """편의점에서 일하는, 벌크업하다가: what somebody does, and no topic."""
    parts = analyse(said)
    return bool(parts) and parts[-1].tag in ("ETM", "EC")


_SUBJECT: Final = re.compile(r"(?<![가-힣])(?P<said>(?P<noun>[가-힣]{2,6}?)(?:이|가|은|는))\s(?:\S{1,4}\s){0,1}$")
_MEASURED: Final = frozenset(
    "신장 몸무게 체중 나이 우리 본인 저희 지금 요즘 이제 올해 현재 최근 결과 기록 숫자 마지막 연세 "
    "실제 아직 원래 사실 작년 아침 저녁 만나이 우린 키 최고 생일 벌써 다음 있 없 하 되 먹 자라 크 "
    "재 대략 정확히 실측 공식 앞자리 체중계 저울 인바디 할미 눈금 머리".split()
)
