"""Values of a closed set, in whatever sentence they stand: INFP, A형, 왼손잡이 are somebody's, and often the speaker's.

A value that only stands in a sentence is not yet the speaker's own. It is where the sentence says so of itself (…인데,
…라서, …로 나왔어, …답게), or where the speaker claims it (나야 나, 제 얘기예요).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from gieok.extract.korean.heard import Heard
from gieok.extract.korean.patterns import patterns
from gieok.extract.korean.reading import Finding, found
from gieok.extract.korean.values import READERS

_MBTI: Final = re.compile(
    r"(?<![A-Za-z가-힣])(?:[EeIi][\s.,-]?[NnSs][\s.,-]?[TtFf][\s.,-]?[JjPp](?![A-Za-z])"
    r"|(?:잇티제|잇프제|인프제|인티제|잇팁|잇프피|인프피|인팁|엣팁|엣프피|엔프피|앤프피|엔팁|앤팁|엣티제|엣프제|엔프제|엔티제))"
)
_BLOOD: Final = re.compile(
    r"(?<![A-Za-z가-힣])(?:Rh\s?[+-]\s?)?(?:AB|ab|A|B|O|a|b|o|에이비|에이|비|오)\s?형(?!제|님|편|태|식|부|사|광)"
)
_HAND: Final = re.compile(r"(?<![가-힣])(?:왼손|오른손|양손)잡이")
_OTHER_HAND: Final = re.compile(
    r"왼손(?:으로|으론|만)\s?(?:밥|글|글씨|젓가락|숟가락|수저|공|가위|필기|먹|쓰|써|던|그림|다\s)|(?:밥|글씨|젓가락|필기)(?:을|를|도|은|는)?\s?왼손"
)
#: what follows a value that is said of oneself
_SAID: Final = re.compile(
    r"\s?(?:유형|타입)?(?:이라서?|라서?|인데|인지라|이고|고요|이거든|거든|이니까|니까|이니|이야|야|이에요|예요|에요|입니다|임|이다|이죠|이지|이네|답게|로서|의\s?삶|의\s?인생"
    r"|\s?인생|\s?특$|스럽|(?:이|가|만|로|으로)?\s?(?:나오|나와|나왔|나옴|떴|뜨더|뜸|됨|됐|되었|바뀌)|로\s?(?:등록|저장|태어|살|찍|적|기재|판정)"
    r"|(?:이)?라고\s?(?:하면|하니까|했더니|밝히|말하면|말했더니|적|써|새|찍|나오|나와|뜨)|인\s(?:나|저|내가|제가)|\s?(?:여자|남자)(?:라고|라서|라\s|인데)|이\s?(?:나야|저예요|바로\s?나)"
    r"|인\s?거\s?(?:티|들킴|들켰)|\s?그\s?자체|만\s?나오)"
)
_OTHERS_TYPE: Final = re.compile(
    r"\s?(?:이랑|랑|과\s|와\s|한테|에게|보다|를|을|끼리|같은|처럼|는\s|은\s|들|인\s(?:사람|애|친구|남|여|상사|선배))"
)
_BELONGING: Final = re.compile(
    r"손\s?들|모임|단톡|오픈챗|방장|뱃지|배지|태그|검사|헌혈|수혈|나부터|나한테|저한테|내가\s제일|공감"
)


_SHOWN: Final = re.compile(r"검사|뱃지|배지|프로필")


def selfsame(said: Heard) -> Iterator[Finding]:
    """Yield the closed values that a sentence gives to the speaker."""
    for attribute, pattern in (("mbti", _MBTI), ("blood_type", _BLOOD), ("handedness", _HAND)):
        for match in pattern.finditer(said.text):
            if _owned(said, match):
                known = patterns().by_attribute[attribute]
                value = READERS[known.value](match[0].replace("Rh", "").strip(" +-"))
                if value is not None:
                    yield found(known, value)
                    break
    hand = _OTHER_HAND.search(said.text)
    if hand is not None and said.mine(hand.start(), hand.end()):
        yield Finding(attribute="handedness", value="왼손잡이", shown="왼손잡이", surface=hand[0])


def _owned(said: Heard, match: re.Match[str]) -> bool:
    if not said.mine(match.start(), match.end()) or said.told_of_then():
        return False
    if _SAID.match(said.text, match.end()):
        return True
    if said.claimed:
        return True
    if _SHOWN.search(said.text) and not said.others:
        return True
    theirs = _OTHERS_TYPE.match(said.text, match.end())
    return bool(said.me) and theirs is None and _BELONGING.search(said.text) is not None
