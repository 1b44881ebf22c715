"""How people are called, in words around a name: what names and nicknames have in common."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from gieok.extract.korean.heard import Heard

END: Final = r"(?=[\s,.!~?…ㅋㅎㅠㅜ'\"’”]|$)"
COPULA: Final = (
    rf"(?:이야|야|이에요|예요|에요|입니다|임|이고|인데|이라서?|라서?|이다|이지|이요|요|이네|이거든|거든)(?:요)?{END}"
)
NAME: Final = r"(?P<v>[가-힣]{1,5}?|[A-Z][A-Za-z]{1,14})"
CALLED: Final = r"[가-힣A-Za-z0-9]{1,8}?"
OPEN: Final = r"['\"‘“]?"
CLOSE: Final = r"['\"’”]?"

#: where one's own name is read out or stands written
ROLL: Final = re.compile(
    r"출석|호명|명단|이름표|사원증|명찰|송장|택배|합격자|명함|여권|통장|민증|수험표|상장|청첩장|고객님|회원님|손님|환자분|대기자|학생증|당첨자|예약자|영수증|급식표|성적표|임명장|졸업장"
)
REQUEST: Final = re.compile(
    rf"(?P<v>{CALLED})(?:이)?라(?:고|구)?(?:만)?\s?(?:불러\s?(?:줘|죠|쥬|줄래|주|달|도|요|용|욤|봐|라|{END})|부르(?:면|시면|세요|셔도|도록|십)|해\s?(?:줘|주))"
)
SEEN: Final = re.compile(
    rf"(?<![가-힣])(?P<v>{CALLED})(?:이라고|라고|이|라)?\s(?:적힌|적혀|써\s?있|쓰여|쓰인|하면\s(?:손|대답)|하고\s부르면|부르면)"
)
MINE: Final = re.compile(
    r"나야|나임|나예요|저예요|접니다|제\s?거|내\s?거|나임|손\s?드는|손들|내가\s?(?:대답|돌아)|제가\s?(?:대답|돌아)"
)
MEETING: Final = re.compile(r"통성명|소개|이름|본명|성함|넌\?|너는\?|당신은\?|그쪽은\?")
BY_OTHERS: Final = re.compile(r"다들|들이|들은|나를|저를|나보고|저보고|(?<![가-힣])날\s")
ALIASED: Final = re.compile(r"별명|애칭|닉|별칭|다들\s그러")
_WOULD_BE_NICE: Final = re.compile(r"(?:시|신다)?면\s(?:\S{1,4}\s)?(?:좋|감사|고맙|기쁠|편)")
PUT_AWAY: Final = re.compile(r"\s?(?:아니|말고|싫|안\s?불|하지\s?마|부르지\s?마|불리고\s?싶|ㄴ\s?줄)")


def matches(pattern: re.Pattern[str], sentences: tuple[Heard, ...]) -> Iterator[tuple[Heard, re.Match[str]]]:
    """Yield where `pattern` is said of the speaker."""
    for said in sentences:
        for match in pattern.finditer(said.text):
            if _begged(said, match).mine(match.start(), match.end("v")):
                yield said, match


def _begged(said: Heard, match: re.Match[str]) -> Heard:
    """서윤이라고 불러줄래요?, 토리라고 불러주시면 좋아요: a request, however politely put."""
    if match[0].endswith("줄래"):
        return replace(said, asks=False)
    if match[0].endswith("불러주") and _WOULD_BE_NICE.match(said.text, match.end()):
        return replace(said, text=said.text[: match.end()])
    return said


def seen(text: str, sentences: tuple[Heard, ...]) -> Iterator[re.Match[str]]:
    """Yield what is written or shouted somewhere and claimed: 곰이라고 적힌 사람이 나임."""
    if MINE.search(text):
        for said in sentences:
            yield from SEEN.finditer(said.text)
