"""What somebody can do and likes to do, by the way: 특기는 성대모사, 용접 잘해요, 서각 배운 지 십 년."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Final

from gieok.extract.korean.heard import Heard
from gieok.extract.korean.lexicon import signals, ways
from gieok.extract.korean.reading import Finding

_NOUN: Final = r"[가-힣A-Za-z\d]{2,8}"
_SKILLS: Final = tuple(
    re.compile(said)
    for said in (
        rf"(?:특기|주특기|개인기)(?:은|는|가|이)?\s(?P<v>{_NOUN}?)(?=ㅋ|ㅎ|이고|이야|야|예요|이에요|입니다|임|[\s,.!]|$)",
        rf"(?<![가-힣])(?P<v>{_NOUN}?)(?:은|는|을|를|도)?\s할\s(?:줄\s(?:알|압니|안다|아는)|수\s있습니다)",
        rf"(?<![가-힣])(?P<v>{_NOUN}?)(?:만큼은|\s하나는)\s(?:내|나|저|제가|내가)?\s?(?:따라올|자신|동네|알아)",
        rf"(?<![가-힣])(?P<v>{_NOUN}?)(?:은|는|을|를)?\s(?:제가\s|내가\s|진짜\s|제일\s|꽤\s|엄청\s|회사에서\s|우리\s\S{{1,4}}에서\s){{0,3}}"
        r"잘\s(?:불어|부르(?!네|시|는구|더라|던데)|쳐요?|칩니다|짭니다|짜요?|그려|그립니다|담가|춰|깎아|고쳐|구워)",
        rf"^\s*(?:저\s|나\s|저는\s|나는\s|난\s)?(?P<v>{_NOUN}?)(?:은|는)?\s?(?:진짜\s|꽤\s)?잘(?:해요|합니다|한다)(?=[\s.!]|$)",
        rf"(?<![가-힣])(?P<v>{_NOUN}?)\s좀\s(?:합니다|칩니다|칠\s줄|다룹니다|다뤄요|할\s줄)",
        r"(?<![가-힣])(?P<v>암산|타자|속독|손)(?:이|가)\s(?:빨라|빠릅니다|빨라서|빠름)",
        r"(?<![가-힣])(?P<v>타자\s?\d{3,4}타|절대음감)(?=이|라|임|예요|입니다|거든|\s)",
        rf"(?<![가-힣])(?<!이\s)(?<!그\s)(?<!저\s)(?P<v>{_NOUN}?)\s자격(?:증)?(?:이|도)?\s(?:있|보유|갖고\s있)",
        rf"(?<![가-힣])(?P<v>{_NOUN}?)(?:을|를)?\s독학(?:으로|한\s지|\s\d+년|한지)",
    )
)
_HOBBIES: Final = tuple(
    re.compile(said)
    for said in (
        rf"(?<![가-힣])(?P<v>{_NOUN}?)(?:을|를)?\s(?<!기\s)배운\s?지\s",
        r"(?<![가-힣])(?P<v>[가-힣]{1,6}어)(?:를)?\s(?:공부|독학)한\s?지\s",
        r"(?<![가-힣])(?P<v>[가-힣]{2,6}?)\s?(?:동호회|동아리)(?:에서)?\s(?:회장|총무|활동|나가|나간|다니|다녀|가는|하는|발표회|정모|공연)",
        r"(?<![가-힣])(?P<v>서예|도예|뜨개|수채화|캘리그라피|기타|우쿨렐레|하모니카|민화|사진|목공|퀼트|라인댄스|노래|꽃꽂이|다도)반\s(?:가는|다니|다녀|등록|나가)",
        r"동호회에서\s(?P<v>[가-힣]{2,6})(?:을|를)?\s(?:불고|치고|하고|배우고|그리고|찍고)\s?있",
        r"(?<![가-힣])(?P<v>직장인\s?밴드|합창단|성가대|극단|사회인\s?야구)(?:에서|로)?\s(?:베이스|보컬|드럼|기타|건반|활동|\d|하다|하는|서)",
        rf"(?<![가-힣])(?P<v>{_NOUN}?)\s(?:배우는|하는|모으는)\s재미(?:로|에)\s?(?:살|빠)",
    )
)
_BUSY: Final = re.compile(
    r"(?:주말마다|퇴근하면|퇴근하고|쉬는\s?날(?:엔|에는|이면|마다)|밤새|새벽\S{0,3}까지|어제도|오늘도|또|틈만\s?나면|휴일(?:엔|마다))\s"
)
_AT_IT: Final = re.compile(
    r"(?:을|를)?\s?(?:날리다가?|접느라|접다가?|쓰다가?|그리다가?|하다가?|하느라|하러|치러|뜨러|찍으러|모으러|만들다가?|만들러|들여다보느라|맞추다가?|도색하다가?|깎다가?|굽다가?|굽느라|뜨다가?|뜨느라)(?=\s)"
)
_WISHED: Final = re.compile(
    r"싶|할까|볼까|배울까|해\s?볼|려고|못\s?하|못해|안\s?해|그만|접었|접은|예전|옛날|었었|포기|ㄹ까|아니|천재인가|대래|하래"
)


def bents(said: Heard) -> Iterator[Finding]:
    """Yield a skill and a pastime that the sentence gives away."""
    if said.asks or said.supposed or _WISHED.search(said.text):
        return
    for attribute, patterns in (("skill", _SKILLS), ("hobby", _HOBBIES)):
        for pattern in patterns:
            match = pattern.search(said.text)
            value = match["v"].strip() if match is not None else ""
            if len(value) == 2 and value.endswith(("을", "를", "은", "는")):  # 빵을 잘 구워
                continue
            if match is None or value in signals("bents", "no_skill") or not said.mine(match.start(), match.start()):
                continue
            yield _found("exercise" if attribute == "hobby" and ways().is_exercise(value) else attribute, value)
            break
    busy = _BUSY.search(said.text)
    if busy is not None:
        yield from _busy_with(said)


def _busy_with(said: Heard) -> Iterator[Finding]:
    """어제도 드론 날리다가, 새벽 세 시까지 팬픽 쓰다가: whatever else comes of it."""
    for match in _pastimes().finditer(said.text):
        if _AT_IT.match(said.text, match.end()) and said.mine(match.start(), match.start()):
            yield _found("hobby", match[0])
            return


@cache
def _pastimes() -> re.Pattern[str]:
    known = sorted((word for word in ways().of("hobby.pastimes") if len(word) > 1), key=len, reverse=True)
    return re.compile(rf"(?<![가-힣])(?:{'|'.join(known)})")


def _found(attribute: str, value: str) -> Finding:
    return Finding(attribute=attribute, value=value, shown=value, surface=value)
