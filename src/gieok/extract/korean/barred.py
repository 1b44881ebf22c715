"""What a body or a medicine forbids: 자몽 금지 혈압약이랑 안 맞는대, MRI 못 찍어 심박조율기 달아서, 사우나 가면 안 돼.

Only where the same breath gives an illness, a medicine, an operation or a doctor for the reason.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from gieok.extract.korean.heard import Heard
from gieok.extract.korean.lexicon import lexicon, signals
from gieok.extract.korean.reading import Finding
from gieok.extract.korean.remedies import IF, illness_in, medicine, state_of
from gieok.extract.korean.telling import Part, Telling, finding
from gieok.extract.korean.whose import PERSONS
from gieok.language.clauses import Phrase
from gieok.language.morphemes import analyse

_REASON: Final = re.compile(
    r"환자|수술|의사|약사|진단|처방|부작용|[가-힣][약제](?:이랑|랑|하고|과|\s?먹|\s?때문|이\s|\s?복용)|항응고제|와파린|심박|조율기|투석|임신|수유|결핍|디스크|간\s?때문|간수치|혈당|혈압|콩팥|신장"
    r"|심장(?:병|이\s|에\s?(?:기계|무리))|망막|고막|혈전|이식|통풍|당뇨|천식|녹내장|기흉|궤양|뇌전증|임당|체질|[가-힣]{2,6}(?:증|염|경화증|부전|결석|부종|결절)(?:이라|라|\s?있|이\s|\s?때문|\s?환자)"
)
_THING: Final = (
    r"(?<![가-힣A-Za-z])(?P<thing>[가-힣A-Za-z\d]{1,10}?(?:\s(?:자세|장난감|음식|들어간\s약))?)"
    r"(?:은|는|을|를|도|같은\s?건|까지)?\s"
)
_TAKING: Final = r"(?:먹으|마시|드시|가|타|쓰|하|섭취하|맞으|찍으|두|들어가|바르|가까이\s?두)"
_FORBIDDEN: Final = re.compile(
    rf"{_THING}(?:절대\s|평생\s|무조건\s|같이\s|가까이\s)?(?:{_TAKING}면\s?(?:절대\s)?안\s?(?:되|돼|된|됩)|금지(?!\s?해제)|금기|금물"
    r"|안\s?(?:됩니다|된대|된다고|된다네|돼요)|(?:먹지|마시지|하지|타지|들지|쓰지|찍지|맞지)\s?(?:말래|말랬|말라)|피하(?:래|랬|라)|못\s?(?:찍(?!겠)|한대|한다|해요|합니다|맞는|맞아))"
)
_JOINED: Final = re.compile(
    r"(?<![가-힣A-Za-z])(?P<thing>[가-힣A-Za-z\d]{2,10}?)(?:먹으면|마시면)\s?안\s?(?:되|돼|된)|(?P<other>[가-힣A-Za-z\d]{2,10}?)\s자세하지\s?말"
)
_PATIENTS: Final = re.compile(r"환자분|손님한테|내담자|어르신")
_NOTHING: Final = frozenset("입 거 것 나 저 의사 쌤".split())
_MAY: Final = re.compile(r"도\s?(?:된대|돼|됩니다|괜찮)|해제|풀렸")


def barred_by_health(said: Heard) -> bool:
    """Whether a medical reason is given in the same breath."""
    return _REASON.search(said.before[-60:] + said.text + said.after[:60]) is not None


def barred(said: Heard) -> Iterator[Finding]:
    """Yield what the speaker must keep off for their health."""
    if said.asks or _MAY.search(said.text) or _PATIENTS.search(said.text):
        return
    match = _FORBIDDEN.search(said.text) or _JOINED.search(said.text)
    if match is None or not barred_by_health(said) or not said.mine(match.start(), match.start()):
        return
    groups = match.groupdict()
    thing = groups.get("thing") or groups.get("other") or ""
    if len(thing) > 2 and thing.endswith(("은", "는", "을", "를")):
        thing = thing[:-1]
    if _is_thing(thing):
        yield Finding(attribute="contraindication", value=thing, shown=thing, surface=thing)


def _is_thing(word: str) -> bool:
    """Whether `word` names what can be taken or done: not 짜게, 때문에, 의사쌤이, 30분."""
    if word in signals("contraindication", "no_thing") or word.endswith(("면", "랑", "하고")):
        return False
    if word in lexicon().class_of:
        return True
    parts = analyse(word)
    if not parts:
        return False
    last = parts[-1]
    return last.tag in ("NNG", "NNP", "SL", "XSN", "XR", "ETN") or last.form == "것"  # 쪼그려 앉기, 날것


def forbidden(telling: Telling) -> Iterator[Finding]:
    """와파린 때문에 청국장은 입에도 못 대; 의사가 커피 마시지 말래."""
    for place, part in enumerate(telling.parts):
        if part.about is None or part.closes in ("question", "wish") or not _is_barred(telling, place, part):
            continue
        reasons = [
            phrase
            for each in telling.parts[max(0, place - 2) : place + 3]
            for phrase in each.clause.phrases
            if medicine(phrase)[0]
            or illness_in(phrase)[0]
            or signals("contraindication", "why") & set(phrase.words)
            or _is_given(each, phrase)
        ]
        state = any(
            state_of(each) in signals("contraindication", "why") for each in telling.parts[max(0, place - 2) : place]
        )
        thing = next((p for p in part.clause.phrases if _bars(p) and p not in reasons), None)
        thing = thing or next((p for p in part.clause.phrases if _bars(p) and _is_given(part, p)), None)
        if (reasons or state) and thing is not None:
            near = [part, *telling.parts[max(0, place - 2) : place]]
            theirs = next((each for each in near if each.about is not None and each.about.subject == "other"), None)
            whose = theirs.about.carried() if theirs is not None and theirs.about is not None else telling.me
            yield finding("contraindication", telling.said(thing), whose=whose)
            return


def _is_barred(telling: Telling, place: int, part: Part) -> bool:
    following = telling.next(place)
    must_not = part.ending in IF and following is not None and following.says("되다") and following.negated
    told_off = part.says(*signals("contraindication", "cannot")) and "말다" in _helpers(part) and part.mood == "hearsay"
    if part.says("끊다", "줄이다", "피하다") and part.ending in ("래", "으래", "라고", "으라고"):
        return any(word in telling.text for word in ("의사", "병원", "약사"))  # 의사가 커피 끊으래
    if must_not and any(_is_given(part, phrase) for phrase in part.clause.phrases):
        return True
    if part.says(*signals("contraindication", "cannot")):
        cannot = part.negated and "못" in part.clause.adverbs
        return cannot or must_not or told_off
    return part.says(*signals("contraindication", "shun")) and "어야" in _endings(part)


def _is_given(part: Part, phrase: Phrase) -> bool:
    """조영제 쓰면 안 돼요, 아스피린 먹으면 안 되는 몸이에요."""
    given = part.says(*signals("contraindication", "given"))
    return given and phrase.words[-1] in signals("contraindication", "agents")


def _helpers(part: Part) -> frozenset[str]:
    return part.clause.predicate.auxiliaries if part.clause.predicate is not None else frozenset()


def _endings(part: Part) -> tuple[str, ...]:
    return part.clause.predicate.endings if part.clause.predicate is not None else ()


def _bars(phrase: Phrase) -> bool:
    fitting = not phrase.particles or phrase.has("은", "는", "을", "를", "도", "ㄴ", "이", "가")
    return fitting and phrase.pronoun is None and phrase.words[-1] not in _NOTHING | PERSONS
