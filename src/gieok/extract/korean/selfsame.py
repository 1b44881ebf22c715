"""Values of a closed set, in whatever sentence they stand: INFP, A형, 왼손잡이 are somebody's, and often the speaker's.

A value that only stands in a sentence is not yet the speaker's own. It is where the sentence says so of itself (…인데,
…라서, …로 나왔어, …답게), or where the speaker claims it (나야 나, 제 얘기예요).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
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
    r"(?:(?<![A-Za-z가-힣])|(?<=시스)|(?<=cis))(?:Rh\s?[+-]\s?)?(?:AB|ab|A|B|O|a|b|o|에이비|에이|비|오)\s?형(?!제|님|편|태|식|부|사|광|\s?간염|\s?독감)"
)
_HAND: Final = re.compile(r"(?<![가-힣])(?:왼손|오른손|양손)잡이")
_OTHER_HAND: Final = re.compile(
    r"(?P<hand>왼|오른)손(?:으로만|으로|으론|만)\s?(?:밥|글|글씨|젓가락|숟가락|수저|공|가위|필기|먹|쓰|써|씀|던|그림|다\s)(?!도\s|\S?도\s)"
    r"|(?:밥|글씨|젓가락|필기)(?:을|를|도|은|는)?\s?(?P<with>왼|오른)손"
    r"|(?P<needed>왼|오른)(?:손|팔)(?:을|를|이|에)?\s?(?:깁스|다쳐|다쳤|다치|부러)[^.]{0,16}(?:젓가락|필기|글씨|밥|양치)[^.]{0,14}못"
    r"|(?:젓가락|숟가락|펜|연필|수저)(?:을|를)?\s?(?:든|쥔|잡은)\s(?P<holding>왼|오른)(?:손|팔)"
)
_BOTH_HANDS: Final = re.compile(
    r"(?:양손|두\s?손|양쪽\s?손)(?:을|으로)?\s?(?:다|모두|똑같이|자유자재로)\s?(?:쓰|써|쓸|씀|사용)|어느\s(?:쪽\s)?손으로\s(?:쓰|써|던|하|해|쳐|먹)"
)
_RHESUS: Final = re.compile(
    r"(?<![A-Za-z])(?P<type>AB|A|B|O)\s?[,/]?\s?(?:RH|Rh|rh)\s?(?:[+-]|플러스|마이너스|양성|음성)"
    r"|(?:RH|Rh|rh)\s?(?:[+-]|플러스|마이너스|양성|음성)\s?(?P<after>AB|A|B|O)(?![A-Za-z형])"
)
#: ENTJ 아니고 ENTP., mbti 나 infp ㅋㅋ: nothing need follow it
_LED: Final = re.compile(
    r"(?:(?:아니고|아니라|말고)|(?:mbti|MBTI|엠비티아이|혈액형|피)(?:는|은|도)?(?:\s(?:나|난|저|전|나는|저는))?|결과(?:는|가)?(?:\s\S{1,3})?)\s$"
)
_ENDS: Final = re.compile(r"\s*(?:$|[ㅋㅎㅠㅜ~,^(]|이?더라)")
_ALSO: Final = re.compile(
    r"(?<![가-힣])(?:나|저)도\s?(?:뭐\s|당연히\s|역시\s)?(?:뻔|당연|마찬가지|똑같|같|그렇|그래|그거|역시)"
)
#: what follows a value that is said of oneself
_SAID: Final = re.compile(
    r"\s?(?:유형|타입)?(?:이라서?|라서?|인데|인지라|이고|고요|이거든|거든|이니까|니까|이니|이야|야|이에요|예요|에요|입니다|임|이다|이죠|이지|이네|답게|로서|의\s?삶|의\s?인생"
    r"|\s?인생|\s?특$|스럽|(?:이|가|만|로|으로)?\s?(?:나오|나와|나왔|나옴|떴|뜨더|뜸|됨|됐|되었|바뀌)|로\s?(?:등록|저장|태어|살|찍|적|기재|판정)"
    r"|(?:이)?라고\s?(?:하면|하니까|했더니|밝히|말하면|말했더니|적|써|새|찍|나오|나와|뜨)|인\s(?:나|저|내가|제가)|\s?(?:여자|남자)(?:라고|라서|라\s|인데)|이\s?(?:나야|저예요|바로\s?나)"
    r"|인\s?(?:거|걸)\s?(?:티|들킴|들켰|(?:오늘\s|이제\s)?(?:처음\s|이제야\s)?(?:알았|앎|알게))|(?:이)?더라|(?:에게|한테)(?:는|란)?\s\S+(?:이란|란)\s|\s?그\s?자체|만\s?나오)"
)
_OTHERS_TYPE: Final = re.compile(
    r"\s?(?:이랑|랑|과\s|와\s|한테|에게|보다|를|을|끼리|같은|처럼|는\s|은\s|들|인\s(?:사람|애|친구|남|여|상사|선배))"
)
_BELONGING: Final = re.compile(
    r"손\s?들|모임|단톡|오픈챗|오픈채팅|이름표|명찰|머그컵|굿즈|키링|스티커|(?:내|제)\s(?:유형|얘기|이야기|일기|모습)|완전\s(?:나|내|저|제)|나\s?그\s?자체|찔려|찔림|팩폭|방장|뱃지|배지|태그|검사|헌혈|수혈|나부터|나한테|저한테|내가\s제일|공감"
)


_COMMON: Final = re.compile(r"(?:이|가)\s?(?:제일|가장|더|많|흔|대부분)")  # 검사했더니 INFJ가 제일 많대
_SHOWN: Final = re.compile(r"검사|뱃지|배지|프로필|이름표|명찰")
_IN_QUOTES: Final = re.compile(r"방장|가입|들어[갔가온왔]|이름표|명찰|뱃지|배지|프로필|운영")


#: 나 AB형이래, 저 사실 INTP라네요: what one hears of oneself was found out
_HEARD_OF_ME: Final = re.compile(
    r"(?:^|[,~]\s?|(?<![이가들은는도])\s)(?:나|난|나는|나도|저|전|저는|저도)\s"
    r"(?:(?:사실|진짜|정말|알고\s?보니|완전|찐|역시|또|이번엔|이번에도|결국|글쎄|원래|혈액형|mbti|MBTI|엠비티아이)\S?\s)*$"
    r"|(?<!들이\s)(?<!다들\s)(?:검사|테스트)\S{0,7}\s(?:또\s|이번엔\s)?$"  # 어제 검사하니까 ESFP래요
)
_SAYS_SO: Final = re.compile(
    r"(?:이)?(?:래요?|라네요?|라더라고?요?|라던데요?|라는데요?|라고\s?(?:하네|하더라|그러네|그러더라))(?=[\s,.!~ㅋㅎㅠㅜ]|$)"
)


_TAKEN_FOR: Final = re.compile(r"^.*?인\s?줄\s?알았(?:는데|지만|더니|거든)\s")  # T인 줄 알았는데 검사지에 ISFP라고 뜸


def selfsame(said: Heard, quoting: str = "") -> Iterator[Finding]:
    """Yield the closed values that a sentence gives to the speaker; `quoting` is the sentence with what it quotes."""
    if not said.others and _IN_QUOTES.search(said.text):
        said = replace(said, text=quoting or said.text)  # 'ISTJ 모여라' 방장
    said = replace(said, text=_TAKEN_FOR.sub(lambda then: " " * len(then[0]), said.text))
    for attribute, pattern in (("mbti", _MBTI), ("blood_type", _BLOOD), ("handedness", _HAND)):
        for match in pattern.finditer(said.text):
            if _owned(said, match):
                known = patterns().by_attribute[attribute]
                value = READERS[known.value](match[0].replace("Rh", "").strip(" +-"))
                if value is not None:
                    yield found(known, value)
                    break
    yield from _told_by_hand(said)
    rhesus = _RHESUS.search(said.text)
    if rhesus is not None and said.mine(rhesus.start(), rhesus.end()):
        kind = rhesus["type"] or rhesus["after"]
        yield Finding(attribute="blood_type", value=kind, shown=f"{kind}형", surface=rhesus[0])


#: with the other hand for a change, or because one cannot help it; 밥은 오른손, 공은 왼손
_FOR_A_WHILE: Final = re.compile(
    r"챌린지|도전|벌칙|(?:오른|왼)(?:손|팔)(?:을|를|이|에)?\s?(?:깁스|다쳐|다쳤|다치|부러)[^.]{0,24}(?:왼|오른)손으로|(?:오른|왼)손[^.]{0,10}(?:왼|오른)손[^.]{0,14}양손"
)


def _told_by_hand(said: Heard) -> Iterator[Finding]:
    """왼손으로 밥 먹어, 오른팔 깁스해서 필기를 못 해, 양손 다 써."""
    both, one = _BOTH_HANDS.search(said.text), _OTHER_HAND.search(said.text)
    sign = both or one
    if sign is None or _FOR_A_WHILE.search(said.text) or not said.mine(sign.start(), sign.end()):
        return
    side = "양" if one is None else one["hand"] or one["with"] or one["needed"] or one["holding"]
    yield Finding(attribute="handedness", value=f"{side}손잡이", shown=f"{side}손잡이", surface=sign[0])


def _owned(said: Heard, match: re.Match[str]) -> bool:
    if _ALSO.search(said.text, match.end()) and not said.asks:
        return True
    if _heard_of_me(said, match):
        return True
    common = _COMMON.match(said.text, match.end()) is not None
    if common or not said.mine(match.start(), match.end()) or said.told_of_then():
        return False
    if _SAID.match(said.text, match.end()):
        return True
    if said.claimed or (_LED.search(said.text[: match.start()]) and _ENDS.match(said.text, match.end())):
        return True
    if _SHOWN.search(said.text) and not said.others:
        return True
    theirs = _OTHERS_TYPE.match(said.text, match.end())
    return bool(said.me) and theirs is None and _BELONGING.search(said.text) is not None


def _heard_of_me(said: Heard, match: re.Match[str]) -> bool:
    if said.asks or said.others or _SAYS_SO.match(said.text, match.end()) is None:
        return False
    return _HEARD_OF_ME.search(said.text[: match.start()]) is not None
