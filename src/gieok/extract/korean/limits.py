"""What somebody may not or cannot do, and why: 통금이 아홉 시, 겸직 금지라, 평일엔 술자리 못 가 새벽 출근이라.

A limit is told with its rule (금지, 통금, 불가) or with its reason; 못 alone says only that one is bad at something.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from gieok.extract.korean.barred import barred_by_health
from gieok.extract.korean.heard import Heard
from gieok.extract.korean.lexicon import signals
from gieok.extract.korean.reading import Finding
from gieok.language.morphemes import join

_HOUR: Final = (
    r"(?:(?:밤|저녁|오후|새벽)\s?)?(?:\d{1,2}|한|두|세|네|다섯|여섯|일곱|여덟|아홉|열|열한|열두)\s?시(?:\s?반)?"
)
_CURFEW: Final = re.compile(
    rf"통금(?:\s?시간)?(?:이|은|도)?\s(?P<after>{_HOUR})|(?P<before>{_HOUR})(?:가|이)?\s?통금|통금(?:이|은)?\s?있"
)
_RULE: Final = re.compile(
    r"(?<![가-힣])(?P<what>[가-힣A-Za-z]{2,8}(?:\s[가-힣A-Za-z]{2,8})?)\s(?P<rule>금지|불가능|불가|제한)"
    r"(?=\s?(?:라서|라\s(?!했)|이라\s|야|임|예요|에요|이에요|인데|입니다|합니다|거든|이거든|\s?조항|\s?규정|\s?구역))"
)
_NO_RULE: Final = re.compile(r"(?:은|는|이|가|도|을|를|에|의|서|고|면|엔|만)$")
#: what the listener is to leave is a boundary, what the body forbids a contraindication
_TO_YOU: Final = re.compile(r"농담|연락|얘기|이야기|질문|말$|호칭|반말|이모티콘|스킨십|유통|절대|임산부")
_STATES: Final = re.compile(
    r"(?<![가-힣])(?P<state>집행유예|면허\s?정지|면허\s?취소|월급\s?압류|출국\s?금지|외출\s?금지|통깁스|반깁스|자가\s?격리|가택\s?연금)"
    r"(?=\s?(?:기간|중|라|이라|도는|돌|하는|해서|뛰|\d|걸|먹|당|인|야|임|신세|예요|입니다))"
)
_BUDGET: Final = re.compile(
    r"예산(?:은|이|도)?\s(?:최대\s|딱\s|빠듯하게\s)?(?P<sum>[\d가-힣]{1,6}\s?(?:만|천|백)?\s?원)"
)
_ONLY: Final = re.compile(
    r"(?P<when>(?:[월화수목금토일]요일|주말|평일|오전|오후|저녁|밤|아침)(?:\s(?:오전|오후|저녁|밤|아침))?)(?:에)?만\s?(?P<can>가능|돼|됨|시간\s?(?:돼|나))"
)
_CANNOT: Final = re.compile(
    r"(?<![가-힣])(?P<what>[가-힣A-Za-z\d]{1,8}(?:\s[가-힣A-Za-z\d]{1,8})?)\s(?:함부로\s|아예\s|절대\s)?못\s?(?P<verb>가|나가|올라가|들어가|쉬|앉|잡|받|쓰|타|키우|키워|돌리|돌려|쳐|치|해|하|봐|보|본|봄|따|들어|놀|만나|씀|감|감당|쉼|함|탐|받음|키움|돌림|넣|넣음|나감|올라감|들어감)"
    r"(?=(?:어|아|요|음|습니다|ㅂ니다|는|지|네|거든|제|ㅁ|다|고)?(?:요)?(?:\s|[.,!ㅠㅜ]|$|는\s몸|습니다|니다))"
)
_WHY: Final = re.compile(
    r"(?:이라서?|라서|때문(?:에)?|땜에|있어서|묶여서?|없어서|거든|으니까|니까|심해져서|딸려서|걷어가서|걸려\s?있|막혀|규정|규칙|방침|중이라|출근이라|집이라|아파트라|서야\s?돼서|해서|돼서|수술하고)(?=[\s.,!?]|$)|[가-힣]라\s"
)
_MOOD: Final = re.compile(
    r"못\s?(?:하겠|가겠|보겠|쓰겠|살|참|믿|잊|먹|마시|자|이기|버티|버려|끊)|꿈도\s?못|말도\s?못|눈도\s?못|입도\s?못|정신|할\s?말|손도\s?못|발도\s?못"
)
_TRIM: Final = re.compile(r"^(?:나|난|저|전|저는|나는|저희|우리|내|제|그래서|근데|지금|요즘|절대|그냥|이제|아직)\s")
_PARTICLE: Final = re.compile(r"(?:은|는|을|를|도|엔|에는|론|이론|에|에선)$")
_DONE: Final = {
    "키워": "키우", "돌려": "돌리", "쳐": "치", "해": "하", "봐": "보", "본": "보", "봄": "보",
    "씀": "쓰", "감": "가", "쉼": "쉬", "함": "하", "탐": "타", "받음": "받", "키움": "키우",
    "돌림": "돌리", "들어": "들", "넣음": "넣", "나감": "나가", "올라감": "올라가", "들어감": "들어가",
}  # fmt: skip


def limits(said: Heard) -> Iterator[Finding]:
    """Yield what binds the speaker."""
    if said.asks or said.supposed:
        return
    found = _curfew(said) or _rule(said) or _plainly(said) or _cannot(said)
    if found:
        yield Finding(attribute="constraint", value=found, shown=found, surface=found)


def _curfew(said: Heard) -> str:
    match = _CURFEW.search(said.text)
    if match is None or not said.mine(match.start(), match.end()):
        return ""
    hour = match["after"] or match["before"]
    return f"통금 {hour}" if hour else "통금"


def _rule(said: Heard) -> str:
    match = _RULE.search(said.text)
    if match is None or not said.mine(match.start(), match.end("rule")):
        return ""
    if _TO_YOU.search(match["what"]) or barred_by_health(said):
        return ""
    words = match["what"].split()
    if len(words) > 1 and _NO_RULE.search(words[0]):
        words = words[1:]
    if _NO_RULE.search(words[-1]) and len(words[-1]) > 2:
        words[-1] = _PARTICLE.sub("", words[-1])
    rule = "불가" if match["rule"].startswith("불가") else match["rule"]
    return f"{' '.join(words)} {rule}"


def _plainly(said: Heard) -> str:
    state = _STATES.search(said.text)
    if state is not None and said.mine(state.start(), state.start()):
        return state["state"]
    budget = _BUDGET.search(said.text)
    if budget is not None and said.mine(budget.start(), budget.start()):
        return f"예산 {budget['sum']}"
    only = _ONLY.search(said.text)
    return f"{only['when']}만 가능" if only is not None and said.mine(only.start(), only.start()) else ""


def _cannot(said: Heard) -> str:
    """계단 못 올라감, where it is told why."""
    whole = said.text + said.after[:40]
    if "못" not in said.text or not _WHY.search(whole) or _MOOD.search(said.text):
        return ""
    match = _CANNOT.search(said.text)
    if match is None or not said.mine(match.start(), match.start()):
        return ""
    words = _TRIM.sub("", match["what"]).split()
    if len(words) > 1 and _LED.search(words[0]):
        words = words[1:]
    what = _PARTICLE.sub("", " ".join(words))
    if len(what) < 2 or what.split()[-1] in signals("limits", "no_thing") or _NO_THING.search(what):
        return ""
    verb = _DONE.get(match["verb"], match["verb"])
    if verb == "따":
        return f"{what} 취득 불가"
    return f"{what} 불가" if verb in _LIGHT else f"{what} 못 {join([(verb, 'VV'), ('음', 'ETN')])}"


_LED: Final = re.compile(r"(?:서|라|에|니까|는|은|고|느라|게|께|만|면|엔|때문에|선|로|데)$")
_NO_THING: Final = re.compile(
    r"(?:다|지|지도|하고|바로|없이|끝까지|내일|오늘|모레|멀리|길게|나만|처럼|고도|질|포기|절교|때문|같이)$"
)
_LIGHT: Final = frozenset("가 나가 하 잡 보 치 쓰 돌리 받".split())
