"""Vaccinations as they come up: 가다실 3차까지 끝, 모더나 맞고 39도, 파상풍 주사 맞고 왔다, 독감 아직 안 맞았어."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Final

from gieok.extract.korean.heard import Heard
from gieok.extract.korean.lexicon import signals
from gieok.extract.korean.reading import Finding

_TAKEN: Final = (
    r"맞았|맞음|맞은(?!\s?(?:적\s?(?:이\s?)?없|사람|애))|맞고(?!\s?싶)|맞느라|맞아\s?(?:버렸|뒀|두길|놨)|맞는\s?(?:날|중)|맞고서"
    r"|접종(?:을\s?)?(?:받|했|하고|함|완료|을?\s?마쳤|끝)|(?:방|번)째"
)
_DONE: Final = r"\d\s?차(?:까지|도)?\s?(?:다\s)?(?:완료|끝|맞|접종)|\d\s?회\s?(?:접종\s?)?완료|(?:다|모두)\s?끝냈|완료"
_TOLD: Final = re.compile(rf"{_TAKEN}|{_DONE}")
_NOT_YET: Final = re.compile(
    r"(?:한\s?번도\s|아예\s|아직\s)(?:안|못)\s?맞|맞은\s?적(?:이|은|도)?\s?없|(?<![가-힣])(?:안|못)\s?맞(?:았|음|고\s?(?:있|살|버))"
)
_UNTOLD: Final = re.compile(
    r"맞(?:아야|으라|을까|자|으면|힐|혔|히고|히|으러|을\s|는\s?(?:게|거|것)\s?(?:좋|나|였)|으시)|맞았(?:냐|니|어\?|나요|으면)|안\s?맞겠|예약|무서워|거였으면"
)
_HAD: Final = re.compile(r"(?:을|를)?\s?(?:하고|했|함|받|완료|끝|마쳤)")
_SPREAD: Final = 34  #: characters from the vaccine to what is said of it
_ANIMAL: Final = re.compile(r"강아지|고양이|멍이|냥이|댕댕|우리\s?애|애기|아기|조카|아이(?:가|는|한테)")


def inoculated(said: Heard) -> Iterator[Finding]:
    """Yield what the speaker was vaccinated against, and what expressly not."""
    if "맞" not in said.text and "접종" not in said.text and "차" not in said.text and "방째" not in said.text:
        return
    for kind in _kinds().finditer(said.text):
        after = said.text[kind.end() : kind.end() + _SPREAD]
        before = said.text[max(0, kind.start() - _SPREAD) : kind.start()]
        if said.asks or said.supposed or _ANIMAL.search(before) or not said.mine(kind.start(), kind.start()):
            continue
        value = _name(kind["kind"])
        if _NOT_YET.search(after):
            yield _found(value, denied=True)
            return
        told = (
            _TOLD.search(after)
            or ((kind["shot"] or "").endswith("접종") and _HAD.match(after))
            or ("맞은" in before[-12:] and kind["shot"] and re.search(r"맞은\s(?:\S{1,4}\s)?$", before))
        )
        if told and not _UNTOLD.search(after[:_SPREAD]) and (kind["shot"] or _sure(kind["kind"], after)):
            yield _found(value)
            return


def _sure(kind: str, after: str) -> bool:
    """Whether it is the shot and not the illness: 독감 걸려 드러눕고."""
    return re.match(r"[^가-힣]*(?:\S{1,4}\s){0,2}\S{0,3}걸", after) is None and kind != "결핵"


def _name(kind: str) -> str:
    return kind if kind in signals("vaccine", "brands") else f"{kind} 백신"


@cache
def _kinds() -> re.Pattern[str]:
    words = sorted(signals("vaccine", "kinds") | signals("vaccine", "brands"), key=len, reverse=True)
    return re.compile(
        rf"(?<![가-힣A-Za-z])(?P<kind>{'|'.join(words)})\s?(?P<shot>(?:생|사|예방)?(?:백신|주사|접종))?", re.IGNORECASE
    )


def _found(value: str, *, denied: bool = False) -> Finding:
    return Finding(attribute="vaccination", value=value, shown=value, surface=value, polarity="-" if denied else "+")
