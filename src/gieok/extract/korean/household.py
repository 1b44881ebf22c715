"""Family, and what it tells of a person: 오빠만 셋, 딸내미 등원, 손주가 일곱; whoever is somebody's 장남 is a man."""

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
    r"(?:있|이야|이에요|예요|에요|입니다|임|인\s|이고|이라|되|돼|됨|됐|키우|키워|뒀|두고|둔|낳|이다|인데|이거든|이지|딸린|엄마|아빠|에\s|에다|(?:이)?요(?=[\s,.!~]|$)|[,.!ㅋㅎ]|$)"
)
_HAVING: Final = re.compile(
    r"(?<![가-힣])(?P<kin>막냇동생|막내동생|여동생|남동생|동생|딸내미|아들내미|딸|아들|손주|손자|손녀|(?:우리\s?)?(?:애|아이|아기)(?:들)?|첫째|둘째|막내)(?:를|을|가|이|는|은)?\s"
    r"(?:첫\s)?(?:\S{1,6}\s)?(?:기저귀|등원|하원|등하원|재우|재웠|재워|학원비|낮잠|씻기|이유식|돌잔치|백일|예방접종|유치원|어린이집|데리러|데려다|픽업|학부모|육아)"
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
    r"(?P<kin>딸내미|아들내미|딸|아들|손주|손녀|손자|여동생|남동생|막냇동생|동생"
    r"|며느리|사위|새아빠|새엄마|새아버지|새어머니|새언니|장모님|장인어른|시어머니|시아버지|시누이|시동생|처제|처남|처형|올케|형부|제부|매형|매제|형수님|형수|제수씨|아주버님|동서)"
    r"(?:이|가|이랑|랑|한테|도|네|께서|께)\s"
)
_NEWBORN: Final = re.compile(
    r"(?<![가-힣])(?P<kin>여동생|남동생|동생|딸|아들|손주|손자|손녀|조카)(?:이|가)?\s(?:\S{1,4}\s)?(?:생겼|생김|생겨|태어났|태어남|태어나서)"
)
#: 누나가 내 과자 다 먹었어: who lives in the same house
_SHARING: Final = re.compile(
    r"(?<![가-힣])(?P<kin>언니|오빠|누나|형)(?:이|가|은|는)\s(?:또\s|맨날\s|자꾸\s|몰래\s)*(?:내|제)\s(?:과자|옷|방|충전기|노트북|화장품|컴퓨터|이불|침대|게임기|간식|아이스크림|라면|신발|치킨|용돈|가방|태블릿)"
)
_MEMBERS: Final = re.compile(
    r"(?:(?:우리|저희)\s?(?:집|가족|식구)(?:\s?구성원?)?|가족\s?(?:구성원?|관계)|식구)(?:은|는|이|이라곤)?\s?[:은는]?\s(?P<list>[^.!?]{2,40})"
)
_PARENTS: Final = frozenset("엄마 아빠 어머니 아버지 부모님 할머니 할아버지 남편 아내 와이프".split())
_MEMBER: Final = re.compile(
    r"(?<![가-힣])(?P<kin>할머니|할아버지|외할머니|외할아버지|엄마|아빠|어머니|아버지|부모님|언니|오빠|누나|형|여동생|남동생|동생|남편|아내|와이프|딸|아들)(?=,|\s|이랑|랑|하고|와|과|까지|이렇게|$)"
)
_OUR_ELDER: Final = re.compile(
    r"(?<![가-힣])(?:우리\s|저희\s|친)(?P<kin>언니|오빠|누나|형)(?=\s|이|가|랑|한테|도|네|은|는)"
)
_ONLY_CHILD: Final = re.compile(
    r"형제(?:자매)?(?:가|는|도|이)?\s?(?:하나도\s|아무도\s)?없|(?:자식|자녀|애|새끼)(?:이?라곤|은|는|이?라고는|이|가)?\s?나\s?(?:하나|혼자)"
)
_BORN_NTH: Final = re.compile(r"(?P<nth>첫|두|세|네|다섯)\s?번째로\s?태어")
_NTH: Final = {"첫": "첫째", "두": "둘째", "세": "셋째", "네": "넷째", "다섯": "다섯째"}
_TWIN: Final = re.compile(r"한날한시에\s?태어|\d\s?분\s?(?:먼저|늦게|뒤에|일찍)\s?태어")
_TOGETHER: Final = re.compile(
    r"(?<![가-힣])(?P<kin>(?:두|세|네|다섯|[3-9])\s?(?:자매|형제)|(?:[삼사오육칠팔2-9])\s?(?:남매|형제))"
)
_SAID: Final = re.compile(
    r"\s?(?:중(?:에)?\s?(?:첫째|둘째|셋째|넷째|막내|맏이)?)?\s?(?:이라서?|라서?|인데|이고|이거든|거든|이니까|이야|야|이에요|예요|입니다|임|이다|이지|이네|답게|(?:으)?로\s?(?:태어|자라|자랐|컸|커|크다|살)|인\s(?:나|저|내|제|게)|의\s?삶|의\s?숙명"
    r"|\s?(?:나야|나임|저예요)|이\s?(?:바로\s)?나|가\s?(?:바로\s)?나|이라고\s?하면|라고\s?하면)"
)
_AMONG: Final = re.compile(r"\s?중(?:에)?\s?(?P<nth>첫째|둘째|셋째|넷째|막내|맏이|장남|장녀)")
_IS_ME: Final = re.compile(r"(?:이|가)\s(?:바로\s)?(?:나|저)(?:야|임|예요|에요|다|입|\s|$)")
_ALSO: Final = re.compile(r"나도\s?(?:그|같)|저도\s?(?:그|같)")

#: 여고생이라, 여고생의 하루; not 여고생이 지나갔다
_AS_ONE: Final = (
    r"(?:이?(?:야|에요|예요|라서?|고\s|거든|지(?=\s|$)|네|니까)|임|입니다|인데|인\s(?:나|저|내|제)"
    r"|의\s?(?:삶|하루|일상|운명|숙명|방학))"
)
_GENDER_SIGNS: Final = (
    (
        re.compile(
            r"(?:군대|공익|해병대|현역|군)(?:에서|을|를)?\s?(?:전역|제대|다녀|갔다|입대|말년|복무)|전역한\s?지|제대한\s?지|예비군|민방위|군필|남고\s?(?:\S{1,4}\s)?(?:나와|나온|나왔|다녀|다닌|다녔|출신|졸업)|남탕|남자\s?화장실|장가\s?(?:간|갔|왔|가서)|(?<![가-힣])면도|(?:콧수염|턱수염|수염|구레나룻)(?:을|이)?\s?(?:기르|길렀|기른|밀|깎|덥수룩|안\s?깎|자라)|남고(?:를)?\s?(?:다님|다니는\s?중|재학)|전립선|정관\s?수술|사나이\s?가슴|남자\s?쪽인\s?(?:나|내|저|제)|입대(?:가|한|했|까지|날|를|\s?전|\s?앞)|훈련소|말년휴가|"
            rf"(?:남고생|남고딩|남중생|남학생){_AS_ONE}|"
            r"남편으로서|아빠로서|아들로서|사위로서|가장으로서|아들\s?노릇"
        ),
        "남성",
    ),
    (
        re.compile(
            r"임신\s?(?:\d|중|했|초기|중기|말기|막달|한\s)|입덧|생리(?:통|대|\s?중|\s?때|\s?전|\s?시작)|출산(?:했|한\s|하고|휴가)|만삭|여고\s?(?:\S{1,4}\s)?(?:나와|나온|나왔|다녀|다닌|다녔|출신|졸업)|여대\s?(?:나와|나온|나왔|다녀|다니)|여자탕|여탕|시집\s?(?:온|왔|와서|간|갔)|시댁(?!\s?처가)|시어머니|시월드|며느리(?:로서|\s?노릇|라서|인데|예요|입니다|임|로\s?사)|여자\s?쪽인\s?(?:나|내|저|제)|할미(?=가|는|도|\s)|(?:여고|여대|여상|여중|여자고등학교|여자대학교|여자중학교)(?:에|를)?\s?(?:다님|다니|재학|\d학년|새내기|이에요|예요|임|인데|이요)|생리(?:를|가)?\s?(?:늦|안|터|했|해)|산부인과\s?(?:검진|정기)|"
            rf"(?:여고생|여고딩|여중생|여대생|여학생){_AS_ONE}|"
            r"아내로서|엄마로서|딸로서|딸\s?노릇|워킹맘|전업맘"
        ),
        "여성",
    ),
)
_SELF_WORDS: Final = re.compile(
    r"(?<![가-힣])(?P<who>여자|남자|여성|남성|여학생|남학생|사내자식|머스마|가시나|가스나|할매|할배|아줌마|아저씨|총각|아가씨|새댁)"
    r"(?:치고|라서|이라서|이라\s|라\s|로서|\s?혼자\s(?:사는\s집이라|살다\s?보니|사니까|사는데|사는\s집\s?티)|\s?회원|라고\s?밝히|인\s(?:나|저|내가|제가|게)|의\s?몸으로|로\s(?:살기|사는\s?(?:게|건|거)))"
    r"|(?<![가-힣])(?:나|저)(?:는)?\s(?P<self>여자|남자|여성|남성)(?:인데|거든|라니까|라구)"
)
_KIN_MYSELF: Final = re.compile(
    r"(?<![가-힣])(?:(?:나|저|난|전)(?:는)?\s(?:형|오빠|누나|언니|남자|여자)?\s?(?:아니고\s|아니라\s)?(?:니\s|네\s)?(?P<me>여동생|남동생|언니|누나|오빠|형(?!제)|딸|아들|엄마|아빠|이모|고모|삼촌|할머니|할아버지)"
    r"|[가-힣]*(?:는|은|인|한|운|된|\d|둘|셋|넷|하나|째)\s(?:워킹맘\s|초보\s|늦깎이\s)?(?P<am>엄마|아빠|애엄마|애아빠|할머니|할아버지|아줌마|아저씨|주부|새댁|이모|삼촌|가장))"
    r"(?:입니다|이에요|예요|에요|임|야|인데|이야|거든|라서|이라서|이라\s|라\s|라니까|라구|로서|다(?=\s|$))"
)
_MY_KIN: Final = re.compile(r"(?:우리|저희|내|제|니|네|너|너희|[가-힣]이네)\s*$")
_ROLES_OF: Final = {
    "자매": "여성",
    "형제": "남성",
    "딸": "여성",
    "녀": "여성",
    "아들": "남성",
    "남": "남성",
    "장손": "남성",
    "독자": "남성",
}
_CALLED: Final = re.compile(
    r"(?:나를|저를|나보고|저보고|나한테|저한테|날|내를)\s(?:\S+\s)?(?P<who>누나|언니|오빠|형|이모|고모|삼촌|총각|아가씨|아줌마|아저씨|할매|할배|처자|\S*\s?할매|\S*\s?할배)(?:이)?라"
)
_CALL_ME: Final = re.compile(
    r"(?<![가-힣])(?P<who>누나|언니|오빠|형|이모|삼촌|고모)(?:이)?라고\s?(?:불러(?!도)|부르면|부르세|해\s?줘)"
)
_CALLED_AS: Final = {
    **dict.fromkeys("누나 언니 이모 고모 아가씨 아줌마 할매 처자".split(), "여성"),
    **dict.fromkeys("오빠 형 삼촌 총각 아저씨 할배".split(), "남성"),
}
_PARENTS_WORD: Final = re.compile(
    r"(?:엄마|아빠|부모님|어머니|아버지|할머니)[^.]{0,20}?(?:우리|이\s집|내)\s(?P<who>딸|아들)(?=\s|이|래|내미)"
)
_HOUSE: Final = re.compile(r"\s?(?:집|집안)(?:에|에서|의)?\s")
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
    for pattern in (_HAVING, _LIVING_WITH, _APART, _NEWBORN, _SHARING, _OURS, _OUR_ELDER):
        relative = pattern.search(said.text)
        if relative is not None and _own(said, relative):
            yield _found("family", _plain(relative["kin"]))
            break
    members = _MEMBERS.search(said.text)
    if members is not None and not said.asks:
        listed = [match["kin"] for match in _MEMBER.finditer(members["list"])]
        if len(listed) > 1 and _PARENTS & set(listed):
            yield from (_found("family", kin) for kin in listed)
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
        among = _AMONG.match(said.text, match.end())
        if is_me or among or _SAID.match(said.text, match.end()) or said.claimed or _ALSO.search(said.text):
            role = match["kin"]
            if AT_WORK.search(said.text[: match.start()]):
                return
            yield _found("family", role)
            gender = next((sex for end, sex in _ROLES_OF.items() if role.endswith(end) and role != end), None)
            if gender is not None:
                yield _found("gender", gender)
            if among is not None:
                yield _found("family", among["nth"])
            return


#: 입사 3년 차 막내: the youngest of a team
AT_WORK: Final = re.compile(r"입사|회사|팀|부서|동아리|신입|직장|년\s?차|그룹|멤버|병동|사무실|현장")


@cache
def _roles() -> re.Pattern[str]:
    words = sorted((word for word in lexicon().of_class("family") if len(word) > 1), key=len, reverse=True)
    return re.compile(rf"(?<![가-힣])(?P<kin>{'|'.join(words)})(?!들)")


#: 언니 하나 있었으면 좋겠다
_WISHED_FOR: Final = re.compile(r".{0,10}(?:있으면|있었으면|있었음\s|생기면|생겼으면|있다면|있어\s?봤으면|갖고\s?싶)")
#: 아들 둘 있는 집은 시끄럽대
_OF_SOME: Final = re.compile(
    r"\S{0,2}\s(?:\S{1,2}\s)?(?:있는|둔|가진|키우는)\s(?:집|사람|분|친구|가족|부모|엄마들|아빠들)"
    r"(?!이?야|이?에요|예요|입니다|임)"
)
_NOT_KIN: Final = re.compile(
    r"(?:[가-힣]의|온|만난|노는|다니는|아는|친한|어떤|그|저|이|동네|학교|교회|회사|직장|과|같은|옆집|친구|사촌|남의|누구|주인집|이웃)\s*$"
)


def _own(said: Heard, match: re.Match[str]) -> bool:
    """Whether the relative is the speaker's: nobody else's is named before."""
    if _WISHED_FOR.match(said.text, match.end("kin")) or _OF_SOME.match(said.text, match.end("kin")):
        return False
    if _NOT_KIN.search(said.text[: match.start()]) or _NOT_KIN.search(said.text[: match.start("kin")]):
        return False
    before = [at for at in said.others if at < match.start()]
    if (
        said.supposed
        or _FICTION.search(said.text)
        or _WISH.search(said.text, match.end())
        or _NONE.match(said.text, match.end("kin"))
    ):
        return False
    if said.asks or (before and not any(before[-1] < at <= match.start("kin") for at in said.me)):
        return False
    return said.mine(match.end(), match.end()) or not before


_FICTION: Final = re.compile(r"드라마|영화|소설|웹툰|예능|막장|뉴스에|다큐|로판|빙의|심즈|방탈출")
_IN_FICTION: Final = re.compile(r"(?:드라마|영화|소설|웹툰|예능|다큐)\s?(?:에서|에선|속|에\s?나오)")
_WISH: Final = re.compile(r"으면\s?(?:좋|해|하)|고\s?싶|줬으면|갖고\s?싶")
_NONE: Final = re.compile(r"(?:은|는|이|가|도|만)?\s?(?:하나도\s|아예\s)?(?:없|아니|아냐)")


def _plain(kin: str) -> str:
    bare = kin.replace("내미", "").removeprefix("우리").strip()
    return _OWN_CHILD.get(bare.removesuffix("들"), bare)


_OWN_CHILD: Final = {"애": "자녀", "아이": "자녀", "자식": "자녀", "아기": "자녀"}


def _count(said: str) -> int:
    bare = said.replace("명", "").strip()
    return {"하나": 1, "한": 1, "두": 2, "세": 3, "네": 4}.get(bare) or read_number(bare) or 1


def _is_myself(said: Heard, kin: re.Match[str]) -> bool:
    at = kin.start("me") if kin["me"] else kin.start("am")
    others = [place for place in said.others if place < at and not said.text.startswith(_CHILDREN, place)]
    return not said.supposed and (bool(kin["me"]) or not others) and not _MY_KIN.search(said.text[: kin.start()])


_CHILDREN: Final = ("아들", "딸", "애", "아이", "손주", "쌍둥이", "남매")


def _sex_of(kin: str) -> bool:
    """Whether a woman is called `kin`."""
    return kin.endswith(("여동생", "언니", "누나", "딸", "엄마", "이모", "고모", "할머니", "아줌마", "주부", "새댁"))


def _alone(said: Heard, match: re.Match[str]) -> bool:
    """Whether nobody else is named but in the sign itself: 며느리 노릇."""
    return all(match.start() <= at < match.end() for at in said.others)


def _gender(said: Heard, quoting: str) -> Iterator[Finding]:
    for pattern, gender in _GENDER_SIGNS:
        match = pattern.search(said.text)
        told = match is not None and said.mine(match.start(), match.end()) and not _IN_FICTION.search(said.text)
        if match is not None and told and _alone(said, match):
            yield _found("gender", gender)
            return
    kin = _KIN_MYSELF.search(said.text)
    if kin is not None and _is_myself(said, kin):
        yield _found("gender", "여성" if _sex_of(kin["me"] or kin["am"]) else "남성")
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
