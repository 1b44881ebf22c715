"""What is said before an answer comes to the point: 음.. 박서준!, 굳이 말하자면 체스?, 제 취미요? 뜨개질이요."""

from __future__ import annotations

import re
from typing import Final

#: ends in -이, which is no ending there: 밥순이요
CALLED: Final = ("순이", "돌이", "둥이", "쟁이", "냥이", "댕이", "맹이", "뱅이")
_AFTER: Final = r"[\s?!,.…~ㅋㅎㅠㅜ;]+"
_FILLER: Final = re.compile(
    rf"^(?:(?:[으흐]?[음흠]+|[어아에오]+|글쎄요?|저요|저는|전|나는|난|나|무조건|당연히|당연|역시|주로|거의|딱|요즘|그냥|아마|이제|지금은"
    r"|이젠|사실은?|실은|솔직히|있잖아요?|저기요?|아니|그거|그건(?!\s?(?:예전|옛날|과거))|요즘은|요새는|요새|원래|난데|나도|저도|뭐|뭐랄까|그러니까"
    rf"|그니까|일단|아무래도|어머|와|헤헤|히히|하하|호호|헿|크크|후후|ㅎ+|ㅋ+|흐흐|에헤헤|잠깐만?요?|잠시만요?|넵|응|예|네(?=[\s,.!~]+(?:저|전|제))){_AFTER}"
    rf"|[ㅎㅋㅠㅜ]+{_AFTER})"
)
_ALONE: Final = re.compile(
    r"^(?:[으흐]?[음흠]+|[어아에오]+|글쎄요?|헤헤|히히|하하|호호|헿|크크|후후|흐흐|에헤헤|잠깐만?요?|잠시만요?|뭐랄까|그러니까|[ㅎㅋㅠㅜ]+)"
    r"[\s?!,.…~ㅋㅎㅠㅜ;]*$"
)
#: a few words that lead up to an answer and are none
_PRELUDE: Final = re.compile(
    r"^(?:(?:아무\s?)?고민(?:할\s?것)?도\s?(?:없이|안\s?하고|없지)|(?:\d+|일)\s?초도\s?(?:안\s?걸\S*|고민\s?\S{1,4})|두말할\s?것\s?(?:도\s?)?없이"
    r"|두말하면\s?잔소리\S*|물어보나\s?마나\S*|(?:물어|말해)\s?(?:뭐해|뭐하\S*|볼\s?것도\s?없이)|생각할\s?것도\s?없이|망설임\s?없이|바로|단연|당근"
    r"|(?:곰곰이\s|가만\s)?생각해\s?보(?:니까?|면)|비밀인데|말\s?안\s?했나(?:요)?|아까\s?말했(?:잖아요?|는데)|어떻게\s?보면"
    r"|(?:(?:굳이|딱|꼭)\s)?(?:(?:하나|한\s?가지|한\s?개)만?\s)?(?:솔직히\s)?(?:말(?:씀드리|하)|따지|꼽|고르|뽑|대|들)(?:자면|라면|으라면|면|으면|해서))"
    r"[\s,.!?…~ㅋㅎ]+(?=\S)"
)
_ECHO: Final = re.compile(
    r"(?:(?:내|제|나의|저의)\s)?(?P<words>[가-힣A-Za-z]{1,8}(?:\s[가-힣A-Za-z]{1,8}){0,3}?)"
    r"(?P<how>(?:이요|요|은요|는요|은|는)?\?+|은|는)\s*(?=\S)"
)


def without_fillers(text: str) -> str:
    """Return `text` without the sounds and small words before what it says; "" where it says nothing else."""
    said = text.lstrip(" ,.!?…~")
    while (shorter := _PRELUDE.sub("", _FILLER.sub("", said))) != said and shorter:
        said = shorter
    return "" if _ALONE.match(said) else said


def to_the_point(text: str, question: str) -> str:
    """Return `text` without its fillers and without the words of the question it opens with: 근무지요? 면세점이에요."""
    said = without_fillers(text)
    echo = _ECHO.match(said)
    if echo is None or not all(word in question for word in echo["words"].split()):
        return said
    return without_fillers(said[echo.end() :])
