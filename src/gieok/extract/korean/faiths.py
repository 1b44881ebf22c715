"""Religion and nationality, in whatever sentence they stand: 불교 믿어요, 종교 칸엔 유교, 이중국적임 독일이랑 한국."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Final

from gieok.extract.korean.heard import Heard
from gieok.extract.korean.kinds import is_country
from gieok.extract.korean.lexicon import lexicon
from gieok.extract.korean.reading import Finding

_TO: Final = re.compile(r"(?:으로|로)\s?(?:\S{1,4}\s)?(?:개종|귀의|바꿨|바뀌|옮겼)")
_BELIEVED: Final = re.compile(
    r"(?:을|를|만)?\s?(?:믿(?:어|고|는|음|습|거든|지|으|는다)|신자(?:예|야|임|입|라|인|이|로)|신도(?:예|야|임|입|라|인|이)|교인(?:이|인|임|입)|집안(?:이라|에서|인데|이에|이야|임|입)"
    r"|입니다|이에요|예요|임(?=[\s.,!]|$)|야(?=[\s.,!]|$)|이야|거든|라서|인데|라고\s?(?:적|써|쓰)|라\s?(?:적|써|쓰))"
)
_LABELLED: Final = re.compile(r"종교(?:\s?[칸란])?(?:은|는|가|에는|에|엔|란엔)?\s(?:\S{1,4}\s)?$")
_DUAL: Final = re.compile(r"(?:이중|복수)\s?국적")
_COUNTRY: Final = re.compile(
    r"(?<![가-힣])(?P<country>[가-힣]{2,7}?)(?=이랑|랑|하고|와|과|이요|요|이에요|예요|인|사람|여권|[\s,.!ㅋㅎ]|$)"
)
_PASSPORT: Final = re.compile(
    r"(?:(?:내|제)\s)?여권(?:이|은|도|에|엔)?\s(?P<of>[가-힣]{2,7}?)\s?(?:거|꺼|것|여권|국적)(?:라|예|야|임|인|이|고)"
    r"|(?P<at>[가-힣]{2,7})\s(?:대사관|영사관)(?=[^.]{0,14}(?:(?:내|제)\s여권|여권\s?(?:갱신|재발급)))"
)
#: 우즈베키스탄에서 일하러 왔어요, 필리핀에서 시집왔어요
_CAME: Final = re.compile(
    r"(?<![가-힣])(?P<country>[가-힣]{2,7})에서\s(?:한국(?:에|으로)?\s)?(?:(?:일|공부|돈\s?벌|유학)(?:하)?러|유학|시집|결혼해서|이민)\s?(?:왔|와서|온)"
)
_NEVER: Final = re.compile(r"\s?(?:안|못)\s?믿|(?:을|를)?\s?(?:안|못)\s|\s?믿(?:지\s?않|었)")


def faiths(said: Heard) -> Iterator[Finding]:
    """Yield what the speaker believes in and which countries they belong to."""
    yield from _religion(said)
    if _DUAL.search(said.text) and not said.others and not said.supposed:
        for match in _COUNTRY.finditer(said.text):
            if is_country(match["country"]):
                yield _found("nationality", match["country"])
        return
    came = _CAME.search(said.text)
    if came is not None and is_country(came["country"]) and said.mine(came.start(), came.end("country")):
        yield _found("nationality", came["country"])
    passport = _PASSPORT.search(said.text)
    country = (passport["of"] or passport["at"]) if passport is not None else ""
    if passport is not None and is_country(country) and said.mine(passport.start(), passport.end()):
        yield _found("nationality", country)


#: 이제 나도 예수 믿는 사람이야
_BY_GOD: Final = re.compile(
    r"(?<![가-힣])(?P<god>예수|하나님|하느님|부처|알라)(?:님)?(?:을|를|만)?\s믿(?=어|습|음|고\s?(?:있|살)|는\s(?:사람|집)이?[야여에다임입]|게\s?됐|기\s?시작)"
)
_GODS: Final = {"예수": "기독교", "하나님": "기독교", "하느님": "천주교", "부처": "불교", "알라": "이슬람교"}


def _religion(said: Heard) -> Iterator[Finding]:
    god = _BY_GOD.search(said.text)
    if god is not None and not _NEVER.match(said.text, god.end("god")) and said.mine(god.start(), god.end()):
        yield _found("religion", _GODS[god["god"]])
        return
    for match in _religions().finditer(said.text):
        labelled = _LABELLED.search(said.text[: match.start()]) is not None
        turned = _TO.match(said.text, match.end()) is not None
        told = turned or (
            _BELIEVED.match(said.text, match.end()) is not None and not _NEVER.match(said.text, match.end())
        )
        if (labelled or told) and said.mine(match.start(), match.end()):
            meaning = lexicon().canonical.get(match[0].replace(" ", ""), match[0])
            yield _found("religion", meaning)
            return


@cache
def _religions() -> re.Pattern[str]:
    names = {*lexicon().of_class("religion"), "여호와의 증인"} - {"크리스천"}
    return re.compile(rf"(?<![가-힣])(?:{'|'.join(sorted(names, key=len, reverse=True))})")


def _found(attribute: str, value: str) -> Finding:
    return Finding(attribute=attribute, value=value, shown=value, surface=value)
