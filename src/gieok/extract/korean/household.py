"""Family, and what it tells of a person: 오빠만 셋, 딸내미 등원, 손주가 일곱; whoever has an 언니 is a woman."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Final

from gieok.extract.korean.heard import Heard
from gieok.extract.korean.lexicon import lexicon
from gieok.extract.korean.reading import Finding
from gieok.language.numerals import read_number

_KIN: Final = (
    r"(?P<kin>(?:큰|작은|친|쌍둥이\s|이란성\s쌍둥이\s|일란성\s쌍둥이\s|띠동갑\s|연년생\s|늦둥이\s|막내\s)?"
    r"(?:여동생|남동생|막냇동생|막내동생|동생|언니|오빠|누나|형|딸내미|아들내미|딸|아들|손주|손자|손녀|조카|자식|아이|애))"
)
_NUMBER: Final = r"(?P<number>하나|한\s?명|둘|두\s?명|셋|세\s?명|넷|네\s?명|다섯|여섯|일곱|여덟|아홉|열|\d{1,2}\s?명)"
_COUNTED: Final = re.compile(
    rf"(?<![가-힣]){_KIN}(?:이|가|은|는|만|도)?\s?(?:무려\s|총\s|다\s해서\s)?{_NUMBER}(?:이나|씩이나)?\s?(?:다\s)?"
    r"(?:있|이야|이에요|예요|에요|입니다|임|인\s|이고|이라|되|돼|됨|됐|키우|키워|뒀|두고|둔|낳|이다|인데|이거든|이지|딸린|엄마|아빠|에\s|에다|[,.!ㅋㅎ]|$)"
)
_HAVING: Final = re.compile(
    r"(?<![가-힣])(?P<kin>막냇동생|막내동생|여동생|남동생|동생|딸내미|아들내미|딸|아들|손주|손자|손녀|우리\s?애|우리\s?아기|첫째|둘째|막내)(?:를|을|가|이|는|은)?\s"
    r"(?:첫\s)?(?:\S{1,6}\s)?(?:기저귀|등원|하원|재우|재웠|씻기|이유식|돌잔치|백일|예방접종|유치원|어린이집|데리러|데려다|픽업|학부모|육아)"
)
_LIVING_WITH: Final = re.compile(
    r"(?<![가-힣])(?P<kin>할머니|할아버지|외할머니|외할아버지|엄마|아빠|어머니|아버지|부모님|언니|오빠|누나|형|동생|여동생|남동생|남편|아내|와이프|딸|아들|이모|삼촌|고모)"
    r"(?:이랑|랑|하고|와|과|이랑만)\s?(?:단둘이|단\s둘이|둘이|셋이|넷이|같이|함께)?\s?(?:살아|살고|산다|삽니다|사는|살거든|살지|살죠|산\s지)"
)
_APART: Final = re.compile(
    r"(?:\d{1,2}|한|두|세|네|다섯|여섯|일곱|열)\s?살\s?(?:위|많은|어린|아래|터울|차이\s?나는)(?:인|의)?\s(?P<kin>여동생|남동생|동생|언니|오빠|누나|형)(?![가-힣]{0,1}들)"
)
_OURS: Final = re.compile(
    r"(?<![가-힣])(?:우리\s|저희\s|(?:내|제)\s)?"
    r"(?P<kin>딸내미|아들내미|딸|아들|손주|손녀|손자|여동생|남동생|막냇동생|동생)(?:이|가|이랑|랑|한테|도|네)\s"
)
_OUR_ELDER: Final = re.compile(
    r"(?<![가-힣])(?:우리\s|저희\s|친)(?P<kin>언니|오빠|누나|형)(?=\s|이|가|랑|한테|도|네|은|는)"
)
_ONLY_CHILD: Final = re.compile(
    r"형제(?:자매)?(?:가|는|도|이)?\s?(?:하나도\s|아무도\s)?없|자식(?:이라곤|은|이라고는|이)?\s?나\s?(?:하나|혼자)|나\s?하나뿐|나\s?하나밖에"
)
_BORN_NTH: Final = re.compile(r"(?P<nth>첫|두|세|네|다섯)\s?번째로\s?태어")
_NTH: Final = {"첫": "첫째", "두": "둘째", "세": "셋째", "네": "넷째", "다섯": "다섯째"}
_TWIN: Final = re.compile(r"한날한시에\s?태어|\d\s?분\s?(?:먼저|늦게|뒤에|일찍)\s?태어")
_TOGETHER: Final = re.compile(
    r"(?<![가-힣])(?P<kin>(?:두|세|네|다섯|[3-9])\s?(?:자매|형제)|(?:[삼사오육칠팔2-9])\s?(?:남매|형제))"
)
_SAID: Final = re.compile(
    r"\s?(?:중(?:에)?\s?(?:첫째|둘째|셋째|넷째|막내|맏이)?)?\s?(?:이라서?|라서?|인데|이고|이거든|거든|이니까|이야|야|이에요|예요|입니다|임|이다|이지|이네|답게|로\s?(?:태어|자라|컸|살)|인\s(?:나|저|내|제|게)|의\s?삶|의\s?숙명"
    r"|\s?(?:나야|나임|저예요)|이\s?(?:바로\s)?나|가\s?(?:바로\s)?나|이라고\s?하면|라고\s?하면)"
)
_AMONG: Final = re.compile(r"\s?중(?:에)?\s?(?P<nth>첫째|둘째|셋째|넷째|막내|맏이|장남|장녀)")
_IS_ME: Final = re.compile(r"(?:이|가)\s(?:바로\s)?(?:나|저)(?:야|임|예요|에요|다|입|\s|$)")
_ALSO: Final = re.compile(r"나도\s?(?:그|같)|저도\s?(?:그|같)")

_GENDER_SIGNS: Final = (
    (
        re.compile(
            r"(?:군대|공익|해병대|현역|군)(?:에서|을|를)?\s?(?:전역|제대|다녀|갔다|입대|말년|복무)|전역한\s?지|제대한\s?지|예비군|민방위|군필|남고\s?(?:\S{1,4}\s)?(?:나와|나온|나왔|다녀|다닌|다녔|출신|졸업)|남탕|남자\s?화장실|장가\s?(?:간|갔|왔|가서)|면도|입대(?:가|한|했|까지|날|를|\s?전|\s?앞)|훈련소|말년휴가|남고생(?:이|의|임|입)|남편으로서|아빠로서|아들로서|사위로서|가장으로서|아들\s?노릇"
        ),
        "남성",
    ),
    (
        re.compile(
            r"임신\s?(?:\d|중|했|초기|중기|말기|막달|한\s)|입덧|생리(?:통|대|\s?중|\s?때|\s?전|\s?시작)|출산(?:했|한\s|하고|휴가)|만삭|여고\s?(?:\S{1,4}\s)?(?:나와|나온|나왔|다녀|다닌|다녔|출신|졸업)|여대\s?(?:나와|나온|나왔|다녀|다니)|여자탕|여탕|시집\s?(?:온|왔|와서|간|갔)|시댁(?!\s?처가)|시어머니|시월드|며느리|여고생(?:이|의|임|입)|여대생(?:이|의|임|입)|여중생(?:이|의|임|입)|아내로서|엄마로서|딸로서|딸\s?노릇|워킹맘|전업맘"
        ),
        "여성",
    ),
)
_SELF_WORDS: Final = re.compile(
    r"(?<![가-힣])(?P<who>여자|남자|여성|남성|여학생|남학생|사내자식|머스마|가시나|가스나|할매|할배|아줌마|아저씨|총각|아가씨|새댁)"
    r"(?:치고|라서|이라서|이라\s|라\s|로서|\s?혼자\s(?:사는\s집이라|살다\s?보니|사니까|사는데|사는\s집\s?티)|\s?회원|라고\s?밝히|인\s(?:나|저|내가|제가|게)|의\s?몸으로|로\s(?:살기|사는\s?(?:게|건|거)))"
    r"|(?<![가-힣])(?:나|저)(?:는)?\s(?P<self>여자|남자|여성|남성)(?:인데|거든|라니까|라구)"
)
_CALLED: Final = re.compile(
    r"(?:나를|저를|나보고|저보고|나한테|저한테|날|내를)\s(?:\S+\s)?(?P<who>누나|언니|오빠|형|이모|고모|삼촌|총각|아가씨|아줌마|아저씨|할매|할배|처자|\S*\s?할매|\S*\s?할배)(?:이)?라"
)
_CALL_ME: Final = re.compile(
    r"(?<![가-힣])(?P<who>누나|언니|오빠|형|이모|삼촌|고모)(?:이)?라고\s?(?:불러|부르면|부르세|해\s?줘)"
)
_CALLED_AS: Final = {
    **dict.fromkeys("누나 언니 이모 고모 아가씨 아줌마 할매 처자".split(), "여성"),
    **dict.fromkeys("오빠 형 삼촌 총각 아저씨 할배".split(), "남성"),
}
_PARENTS_WORD: Final = re.compile(
    r"(?:엄마|아빠|부모님|어머니|아버지|할머니)[^.]{0,20}?(?:우리|이\s집|내)\s(?P<who>딸|아들)(?=\s|이|래|내미)"
)
_HOUSE: Final = re.compile(r"\s?(?:집|집안|집의)\s")
_CHILD: Final = {"딸": "여성", "아들": "남성"}


def household(said: Heard, quoting: str) -> Iterator[Finding]:
    """Yield family and gender; `quoting` is the sentence with what it quotes."""
    yield from _family(said)
    yield from _gender(said, quoting)


def _family(said: Heard) -> Iterator[Finding]:
    for match in _COUNTED.finditer(said.text):
        if match["kin"] in _CHILD and _HOUSE.match(said.text, match.end() - 1):
            yield _found("gender", _CHILD[match["kin"]])  # 딸만 셋인 집 둘째
        elif _own(said, match):
            yield _found("family", f"{_plain(match['kin'])} {_count(match['number'])}명")
    for pattern in (_HAVING, _LIVING_WITH, _APART, _OURS, _OUR_ELDER):
        relative = pattern.search(said.text)
        if relative is not None and _own(said, relative):
            yield _found("family", _plain(relative["kin"]))
            break
    yield from _born_as(said)
    yield from _role(said)


def _born_as(said: Heard) -> Iterator[Finding]:
    only = _ONLY_CHILD.search(said.text)
    if only is not None and said.mine(only.start(), only.end()):
        yield _found("family", "외동")
    nth = _BORN_NTH.search(said.text)
    if nth is not None and said.me:
        yield _found("family", _NTH[nth["nth"]])
    if _TWIN.search(said.text) and said.me:
        yield _found("family", "쌍둥이")


def _role(said: Heard) -> Iterator[Finding]:
    """외동인 애들끼리 … 나도 그래서, 고명딸이 바로 나."""
    for match in (*_TOGETHER.finditer(said.text), *_roles().finditer(said.text)):
        is_me = _IS_ME.match(said.text, match.end()) is not None
        if not is_me and not said.mine(match.start(), match.end()):
            continue
        if is_me or _SAID.match(said.text, match.end()) or said.claimed or _ALSO.search(said.text):
            role = match["kin"]
            yield _found("family", role)
            among = _AMONG.match(said.text, match.end())
            if among is not None:
                yield _found("family", among["nth"])
            return


@cache
def _roles() -> re.Pattern[str]:
    words = sorted((word for word in lexicon().of_class("family") if len(word) > 1), key=len, reverse=True)
    return re.compile(rf"(?<![가-힣])(?P<kin>{'|'.join(words)})(?!들)")


#: 언니 하나 있었으면 좋겠다
_WISHED_FOR: Final = re.compile(r".{0,10}(?:있으면|있었으면|있었음\s|생기면|생겼으면|있다면|있어\s?봤으면|갖고\s?싶)")
_NOT_KIN: Final = re.compile(
    r"(?:아는|친한|어떤|그|저|이|동네|학교|교회|회사|직장|과|같은|옆집|친구|사촌|남의|누구|주인집|이웃)\s*$"
)


def _own(said: Heard, match: re.Match[str]) -> bool:
    """Whether the relative is the speaker's: nobody else's is named before."""
    if _WISHED_FOR.match(said.text, match.end("kin")):
        return False
    if _NOT_KIN.search(said.text[: match.start()]) or _NOT_KIN.search(said.text[: match.start("kin")]):
        return False
    before = [at for at in said.others if at < match.start()]
    if said.asks or (before and not any(before[-1] < at <= match.start("kin") for at in said.me)):
        return False
    return said.mine(match.end(), match.end()) or not before


def _plain(kin: str) -> str:
    return kin.replace("내미", "").replace("우리 ", "").strip()


def _count(said: str) -> int:
    bare = said.replace("명", "").strip()
    return {"하나": 1, "한": 1, "두": 2, "세": 3, "네": 4}.get(bare) or read_number(bare) or 1


def _alone(said: Heard, match: re.Match[str]) -> bool:
    """Whether nobody else is named but in the sign itself: 며느리 노릇."""
    return all(match.start() <= at < match.end() for at in said.others)


def _gender(said: Heard, quoting: str) -> Iterator[Finding]:
    for pattern, gender in _GENDER_SIGNS:
        match = pattern.search(said.text)
        if match is not None and said.mine(match.start(), match.end()) and _alone(said, match):
            yield _found("gender", gender)
            return
    word = _SELF_WORDS.search(said.text)
    if word is not None and (word["self"] or said.mine(word.start(), word.end("who"))):
        who = word["who"] or word["self"]
        meaning = lexicon().canonical.get(who, who)
        yield _found("gender", "여성" if meaning.startswith("여") else "남성")
        return
    called = _CALLED.search(quoting) or _CALL_ME.search(said.text)
    if called is not None and not said.asks:
        yield _found("gender", _CALLED_AS[called["who"].split()[-1]])
        return
    child = _PARENTS_WORD.search(quoting)
    if child is not None and not said.asks:
        yield _found("gender", _CHILD[child["who"]])


def _found(attribute: str, value: str) -> Finding:
    return Finding(attribute=attribute, value=value, shown=value, surface=value)
