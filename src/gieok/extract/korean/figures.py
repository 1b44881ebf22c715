"""Figures that say who somebody is, in whatever sentence they stand: age, year of birth, height, weight, phone."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from gieok.domain.personal import masks_of
from gieok.extract.korean.heard import Heard
from gieok.extract.korean.namelike import is_full_name
from gieok.extract.korean.reading import Finding
from gieok.extract.korean.scales import build, of_a_thing, weight
from gieok.language.numerals import read_number

_TENS: Final = "열|스물|스무|서른|마흔|쉰|예순|일흔|여든|아흔"
_ONES: Final = "하나|한|둘|두|셋|세|넷|네|다섯|여섯|일곱|여덟|아홉"
_NATIVE: Final = rf"(?:(?:{_TENS})(?:\s?(?:{_ONES}))?)"
_SINO: Final = r"(?:[이삼사오육칠팔구]?십[일이삼사오육칠팔구]?)"
_AGE: Final = rf"(?P<age>\d{{1,2}}|{_NATIVE}|{_SINO})"
_BEING: Final = (
    r"(?:이야|이에요|예요|입니다|임|이다|이고|인데|이라|이거든|이지|이네|이죠|이니|이구|인|이여|첫날|됐|되니|된|되고|되었|됨|되는|되네"
    r"|먹고|먹은|먹도록|먹어|에\s|줄에|이면\s|이나\s|짜리|(?<=\s)(?:취준생|직장인|대학생|여자|남자|아줌마|아저씨|백수|인생|여대생|주부|청년"
    r"|처자|총각|돌싱|학생|회사원|고등학생|중학생|할머니|할아버지|할매|할배|노처녀|노총각|먹은|꽃다운|청춘|실화)(?!들|[을를]|한테|이?랑|[이가은는]\s))"
)
_SAID_AGES: Final = (
    re.compile(rf"(?<![\d가-힣.]){_AGE}\s?(?:살|세)(?:이나\s)?\s?(?:이|을|를)?\s?{_BEING}"),
    re.compile(rf"(?<![가-힣])(?P<age>{_NATIVE})\s?{_BEING}"),
    re.compile(r"나이(?:는|가|로|도)?\s[^.,]{0,10}?(?P<age>\d{2})(?=이|예|야|임|입|인|\s|$)"),
    re.compile(
        rf"(?<![가-힣\d])만(?:으로|\s나이로?|\s나이는)?\s?(?P<age>\d{{2}}|{_NATIVE})(?=\s?살|이야|임|이에요|이고|인데|예요|입|[,.!ㅋ]|$)"
    ),
    re.compile(
        r"(?<![가-힣])(?:나|저|난|전|나는|저는)\s(?P<age>[1-5]\d)(?=이고|이야|인데|임|이에요|이라|이거든|입니다|예요|이고요)"
    ),
    re.compile(r"초(?:를|가)?\s?(?P<age>\d{2})\s?개(?=[^.]{0,40}나이)"),
    re.compile(rf"(?<![가-힣])(?P<age>{_NATIVE})(?:\s?살)?(?:이|가)\s(?:뭐|어때|대수|어디|많은\s?나이|적은\s?나이)"),
    re.compile(rf"(?:사실|실은|솔직히|진짜는|실제로는|실제론)\s(?P<age>{_NATIVE})(?:\s?살)?(?=\s*$|[ㅋㅎㅠ~])"),
)
#: 예순두 번째 생일상을 받았어요; not 서른 번째 생일엔 뭐 하지
_BIRTHDAY: Final = re.compile(
    rf"(?<![가-힣\d]){_AGE}\s?번째\s생일(?=상|이었|이야|이에요|입니다|이다|임|을\s?(?:맞|보)|\s?(?:케이크|축하|지났|지나|지남|맞이?했|맞았|파티\s?했|선물\s?받)|\s*(?:$|[!ㅋㅎㅠ~]))"
)
_ANOTHER_YEAR: Final = re.compile(r"작년|재작년|지난해|내년|다음|곧|앞둔|앞두")
_NO_AGE: Final = re.compile(
    r"\s?(?:때|적|무렵|부터|까지|위|아래|차이|많|어린|연상|연하|터울|더\s|짜리|미만|이상|이하|넘)"
)
_AS_IF: Final = re.compile(
    r"\s?(?:살|세)?(?:인\s?(?:줄|기분|느낌)|이?면\s[^.]{0,10}나이|\s?되기\s?전|(?:이|가)?\s?되기\s?전|세대|\s?전에)"
)
_SAID_SO: Final = re.compile(r"\s?(?:살|세)?(?:이)?라(?:고|구)?\s?(?:했|그랬|말했|적었|썼)")
_OTHER_AGE: Final = re.compile(rf"(?<![가-힣\d])(?:\d{{2}}|{_NATIVE})(?=\s?살|\s?세|이|예|입|임|야)")
_NOT_YET: Final = re.compile(r"내일\s?모레\s?$|곧\s?$|재[일미중]\s?(?:교포|동포)\s?$|이민\s?$|교포\s?$")
_LATE: Final = re.compile(
    r"다시|새로|려니|하려|시작|늦게|늦둥이|처음|아직|이제|지금|뒤늦"
)  # 서른여덟에 다시 공부하려니
_YEARS_APART: Final = re.compile(
    rf"(?P<years>\d{{1,2}}|한|두|세|네|다섯|여섯|일곱|여덟|아홉|열)\s?살\s?(?P<way>위|많은|연상|어린|아래|연하)(?:인)?\s(?:\S+\s)?\S+?(?:가|이|은|는)\s{_AGE}"
)
_NEXT_YEAR: Final = re.compile(
    rf"(?:내년(?:이면|에는|에|엔)|생일만?\s?지나면|(?:해|새해)(?:만|가)?\s?(?:바뀌면|되면)|한\s살만\s더\s먹으면)\s?(?:\S{{1,4}}\s){{0,3}}?{_AGE}(?:\s?살)?(?=[이에인되된됨\s]|$)"
)
_LAST_YEAR: Final = re.compile(
    rf"작년(?:까지|까진|까지만|에)\s?(?:\S{{1,4}}\s){{0,2}}?{_AGE}(?:\s?살)?(?:이라|이었|이랬|였)"
)
_THEN_YEARS: Final = re.compile(
    rf"(?<![가-힣\d]){_AGE}(?:\s?살)?에\s[^.]{{2,20}}?(?<!\d)(?P<years>\d{{1,2}}|십|이십|삼십|사십)\s?년\s?(?:째|을?\s?(?:채|넘게)|이?\s?(?:됐|되었|됨|됩|지났|흘렀))"
)
FELT_AGE: Final = re.compile(
    r"마음(?:만은|만|은)|정신\s?연령|체감|신체\s?나이|피부\s?나이|몸(?:은|만|뚱이)|체력(?:은|만)|기분(?:은|만)"
)
_FEASTS: Final = {"환갑": 60, "회갑": 60, "칠순": 70, "고희": 70, "팔순": 80, "산수연": 80, "구순": 90}
_FEAST: Final = re.compile(
    r"(?P<feast>환갑|회갑|칠순|고희|팔순|구순)(?:(?:이|을)?\s?(?:잔치|넘|지난\s지\s?(?P<since>\d{1,2}|한|두|세|네|이태|삼)(?:\s?년|\s?해)?|지났|이야|이에요|입니다|맞|먹))"
)
_SINCE: Final = {"한": 1, "두": 2, "이태": 2, "세": 3, "삼": 3, "네": 4}

_DIGITS: Final = "공영일이삼사오육륙칠팔구"
_YEAR: Final = rf"(?P<year>(?:19|20)\d{{2}}|\d{{2}}|[{_DIGITS}]{{2}}|[오육칠팔구]십[일이삼사오육칠팔구]?)"
_BORN: Final = (
    re.compile(rf"(?<![\d가-힣]){_YEAR}\s?년\s?(?:도)?\s?생"),
    re.compile(
        rf"(?<![\d가-힣]){_YEAR}\s?년(?:도)?(?:에)?\s?(?:\d{{1,2}}월\s?(?:\d{{1,2}}일)?(?:에|생)?\s?)?"
        r"(?:태어|났|출생|세상에\s나|(?:쥐|소|호랑이|범|토끼|용|뱀|말|양|염소|원숭이|닭|개|돼지)띠)"
    ),
    re.compile(
        rf"(?:태어난\s?(?:해|연도|년도)|출생\s?(?:연도|년도)|생년)(?:가|는|은|이)?\s?(?:바로\s|딱\s)?{_YEAR}(?:\s?년(?:도)?)?(?=[으로이야예,입임인라고]|\s|$)"
    ),
    re.compile(r"빠른\s?(?P<year>\d{2})(?!\d)"),
    re.compile(
        r"주민(?:등록)?번호\s?(?:앞|첫)\S{0,3}\s?(?:두\s?자리(?:가|는)?|자리(?:가|는)?)?\s?(?P<year>\d{2})(?!\d)"
    ),
    re.compile(
        rf"(?<![\d가-힣]){_YEAR}\s?년\s?\d{{1,2}}월\s?\d{{1,2}}일[^,.]{{0,10}}(?:나온|태어난)\s(?:아기|애|사람)"
    ),
)

#: 85년생 언니랑 두 살 터울이에요, 제가 밑이고
_BORN_APART: Final = re.compile(
    rf"(?<![\d가-힣]){_YEAR}\s?년생(?:인)?\s[가-힣]{{1,4}}?(?:이랑|랑|보다|하고|과|와)[^.]{{0,8}}?"
    r"(?P<years>\d{1,2}|한|두|세|네|다섯|여섯|일곱|여덟|아홉|열)\s?살[^.]{0,14}?"
    r"(?:(?:내|제)가\s?|(?:나|저)는\s?|(?=아래|어리|적|많|위))(?P<way>밑|아래|동생|어리|어려|적|위|많)"
)
_YOUNGER: Final = ("밑", "아래", "동생", "어리", "어려", "적")
_NO_BORN: Final = re.compile(
    r"이\s(?!나|저|바로|됐|되|다)|\s?(?:까지|부터|이상|이하|들|만\s|이나\s?마찬가지|친구|동갑|이후|한정|아이돌|배우|가수|선수|애들|동생|언니|오빠|형|누나|후배|선배)"
)
_HUNDRED: Final = r"(?:백\s?[이삼사오육칠팔구]?십?[일이삼사오육칠팔구]?)"
_TALL: Final = rf"(?P<height>1\d{{2}}(?:\.\d)?|20\d|{_HUNDRED})(?![\d.]?\d)"
_METRES: Final = re.compile(r"(?<!\d)1\s?(?:m|미터|메타)\s?(?P<rest>\d{2})(?!\d)", re.IGNORECASE)
_HEIGHT: Final = re.compile(rf"(?<![\d가-힣.,]){_TALL}\s?(?P<unit>cm|CM|센티미터|센티|센치|씨엠)?")
#: 정확히 재보니까 157.2였어요: what one measures without a word for it, one is
_MEASURED: Final = re.compile(
    r"(?:^|(?:에서|에|정확히|다시|직접|제대로|오늘|어제|방금|아침에|[,~]|내\s?키|제\s?키)\s?(?:정확히\s|다시\s|직접\s|제대로\s)?|^키\s)"
    rf"(?:재\s?보니까?|재니까?|쟀더니|쟀는데|재\s?봤는데|재\s?봤더니)\s{_TALL}\s?(?:cm|CM|센티|센치)?"
    r"(?:이었|였|이더|더라|이래|이라|이야|이에요|입니다|임|\s?(?:나왔|나옴|나와|찍))"
)
#: 창문 높이 재보니까 157이었어; 집에서 재보니까 180이었어요 소파가
_MEASURED_ELSE: Final = re.compile(
    r"높이|길이|너비|폭|깊이|둘레|거리|가로|세로|사이즈|혈압|혈당|맥박|온도|체온|(?:어|요|다|음)\s[가-힣]{2,6}(?:이|가|은|는)\s*$"
)
_ABOUT_HEIGHT: Final = re.compile(
    r"키(?:가|는|도|만|를|로)?(?=\s|\d|$)|신장|깔창|맨발|신체검사|신검|성장판|바지|문틀|보건소|건강검진|자랐|자라서|크[고지네]|우기|반올림|키로\s|재니까|쟀|잰|커서|작아서|작은|땅꼬마|루저|장신|단신|키[은는]|멈[췄춘춰]|키(?:야|임|예요|라)|키재기|쪼그라|줄었|줄어|미터|머리가|농구부|배구부|신발\s?(?:신|벗)"
)
_NO_HEIGHT: Final = re.compile(
    r"(?:이)?라고\s?(?:우기|뻥|속)|\s?(?:원|명|번|개|층|호|페이지|쪽|점|만|천|kg|킬로|키로|도|분|초|일|월|년|회|위|장|만\s?더|넘는|이상|이하|미만|되고|까지|만\s|돼야|되는\s(?:남|여))"
)
_MEASURES_ME: Final = re.compile(
    r"[이인라예야임입로에의,.!~ㅋㅎ밖]|가\s?(?:나|찍|넘|되|안|조금)|$|\s?(?:정도|쯤|찍|나와|나옴|우기|키|장신|단신|땅꼬마|꼬|평범|여자|남자|인생|넘(?!던|는)|멈|되|됨|돼|야|짜리\s?(?:인간|나))|\s[ㅋㅎ(]"
)
_SHOES: Final = re.compile(
    rf"(?P<more>\d{{1,2}})\s?(?:센티|센치|cm)[^.,]{{0,9}}(?:깔창|굽|힐|더\s?크|자라)[^.,]{{0,8}}면\s[^.,]{{0,8}}?{_TALL}"
)
_GROWN: Final = re.compile(
    rf"{_TALL}(?:\s?(?:cm|센티))?(?:이었는데|였는데|이었다가)[^.]{{0,12}}?(?P<more>\d{{1,2}})\s?(?:센티|센치|cm)[^.]{{0,5}}(?:컸|자랐|큼|자람|크)"
)
_SHORT_OF: Final = re.compile(
    rf"(?:제한|기준|커트라인|컷|문턱)[^.]{{0,8}}?{_TALL}(?:\s?(?:cm|센티|센치))?[^.]{{0,10}}?(?P<more>\d{{1,2}})\s?(?:센티|센치|cm)\S{{0,2}}\s?(?P<way>모자|부족|넘|초과)"
)
_BESIDE: Final = re.compile(
    rf"{_TALL}(?:\s?(?:cm|센티))?(?:인|되는)\s\S{{1,5}}(?:이랑|랑|보다|과|와)[^.]{{0,16}}?(?:내가|제가|나는|저는)[^.]{{0,6}}?(?P<more>\d{{1,2}})\s?(?:센티|센치|cm)\S{{0,2}}\s?(?:더\s)?(?P<way>작|커|크)"
)

_PHONE: Final = re.compile(
    rf"{'|'.join(map(re.escape, masks_of('phone')))}|(?<!\d)01[016789][-.\s]?\d{{3,4}}[-.\s]?\d{{4}}(?!\d)"
)
_SOMEONES_NUMBER: Final = re.compile(
    r"(?<![가-힣])(?!(?:내|제|저희|전화|폰|핸드폰|휴대폰|바뀐|새|개인|연락)\s)[가-힣]{2,8}\s번호"
)
#: on a leaflet, from an unknown caller
_POSTED: Final = re.compile(
    r"전단|광고|현수막|스팸|포스터|명함|붙었|붙어\s?있|적혀\s?있|부재중|뜨는데|찍혔|(?:로|으로)\s(?:연락|전화|문자)\s?(?:달라|주라|하라|해\s?달라)(?:고|시|네|는)"
)
_CALLING: Final = re.compile(r"번호|연락|전화|문자|카톡|폰|저장")


def figures(said: Heard, asked: str = "") -> Iterator[Finding]:
    """Yield what the numbers of a sentence say of the speaker; `asked` is the question before."""
    if not _COUNTABLE.search(said.text):
        return
    yield from _age(said)
    yield from _birth_year(said)
    yield from build(said)
    yield from _height(said)
    yield from weight(said, asked)
    yield from _phone(said)


_COUNTABLE: Final = re.compile(rf"\d|\[|{_TENS}|십|백|공|환갑|회갑|칠순|고희|팔순|구순")


def _age(said: Heard) -> Iterator[Finding]:
    if FELT_AGE.search(said.text):
        return
    reckoned = _at_birthday(said) or _reckoned_age(said)
    if reckoned is not None:
        yield _found("age", reckoned)
        return
    for pattern in _SAID_AGES:
        for match in pattern.finditer(said.text):
            age = read_number(match["age"].replace(" ", ""))
            if age is None or not 7 <= age <= 110 or _NO_AGE.match(said.text, match.end("age") + 1):
                continue
            if of_a_thing(said.text, match.start("age")) or (match[0].endswith("에 ") and not _LATE.search(said.text)):
                continue
            if (
                _AS_IF.match(said.text, match.end("age"))
                or _took_back(said, match.end("age"))
                or _NOT_YET.search(said.text[: match.start("age")])
            ):
                continue
            if said.mine(match.start(), match.end("age")) and not said.told_of_then():
                yield _found("age", age)
                return


def _took_back(said: Heard, end: int) -> bool:
    """예순여덟이라 했지요? 예순일곱이 맞습니다: another follows."""
    return _SAID_SO.match(said.text, end) is not None and _OTHER_AGE.search(said.text[end:] + said.after) is not None


def _at_birthday(said: Heard) -> int | None:
    """예순두 번째 생일상을 받았어요."""
    born = _BIRTHDAY.search(said.text)
    if (
        born is None
        or said.told_of_then()
        or _ANOTHER_YEAR.search(said.text)
        or not said.mine(born.start(), len(said.text))
    ):
        return None
    return read_number(born["age"].replace(" ", ""))


def _reckoned_age(said: Heard) -> int | None:
    """내년이면 스물아홉, 칠순 지난 지 이태, 세 살 위 오빠가 서른다섯."""
    apart = _YEARS_APART.search(said.text)
    if apart is not None:
        other, years = read_number(apart["age"].replace(" ", "")), _small(apart["years"])
        if other is not None and years:
            return other - years if apart["way"] in ("위", "많은", "연상") else other + years
    for pattern, change in ((_NEXT_YEAR, -1), (_LAST_YEAR, 1)):
        match = pattern.search(said.text)
        age = read_number(match["age"].replace(" ", "")) if match is not None else None
        if match is not None and age is not None and said.mine(match.start(), match.end("age")):
            return age + change
    since = _THEN_YEARS.search(said.text)
    began = read_number(since["age"].replace(" ", "")) if since is not None else None
    if (
        since is not None
        and began is not None
        and not said.asks
        and "면 " not in since[0]
        and said.mine(since.start(), since.end("age"))
    ):
        return began + (read_number(since["years"]) or 0)
    feast = _FEAST.search(said.text)
    if feast is None or not said.mine(feast.start(), feast.end("feast")) or (said.others and not said.me):
        return None
    return _FEASTS[feast["feast"]] + (_small(feast["since"]) if feast["since"] else 0)


def _small(said: str) -> int:
    return _SINCE.get(said) or read_number(said) or 0


def _birth_year(said: Heard) -> Iterator[Finding]:
    beside = _BORN_APART.search(said.text + said.after[:30])
    first = full_year(beside["year"]) if beside is not None else None
    if beside is not None and first is not None:
        years = _small(beside["years"])
        born = first + years if beside["way"] in _YOUNGER else first - years
        yield Finding(attribute="birth_year", value=str(born), shown=f"{born}년", surface=beside["year"])
        return
    for pattern in _BORN:
        for match in pattern.finditer(said.text):
            year = full_year(match["year"])
            if (
                year is not None
                and not _NO_BORN.match(said.text, match.end())
                and not _is_a_title(said.text, match.end())
                and said.mine(match.start(), match.end())
            ):
                yield Finding(attribute="birth_year", value=str(year), shown=f"{year}년", surface=match[0])
                return


def _is_a_title(text: str, end: int) -> bool:
    """82년생 김지영: a book, or somebody by name."""
    name = _NAME_AFTER.match(text, end)
    return name is not None and is_full_name(name["name"])


_NAME_AFTER: Final = re.compile(r"\s(?P<name>[가-힣]{3})(?=\s|$|[을를은는이가])")


def full_year(said: str) -> int | None:
    """Return the year that two digits, or two said ones, stand for: 공삼 is 2003, 구십이 1992."""
    if said.isdigit():
        year = int(said)
    elif all(syllable in _DIGITS for syllable in said):
        year = int("".join(str(_DIGIT[syllable]) for syllable in said))
    else:
        year = read_number(said) or -1
    if 0 <= year < 100:
        year += 1900 if year > 30 else 2000
    return year if 1920 <= year <= 2030 else None


_DIGIT: Final = {
    "공": 0,
    "영": 0,
    "일": 1,
    "이": 2,
    "삼": 3,
    "사": 4,
    "오": 5,
    "육": 6,
    "륙": 6,
    "칠": 7,
    "팔": 8,
    "구": 9,
}


def _height(said: Heard) -> Iterator[Finding]:
    reckoned = _reckoned_height(said)
    if reckoned is not None:
        yield _found("height", reckoned)
        return
    measured = _MEASURED.search(said.text) if _MEASURED_ELSE.search(said.text) is None else None
    if measured is not None and _fits_height(measured["height"]) and said.mine(measured.start(), measured.end()):
        yield _found("height", measured["height"])
        return
    metres = _METRES.search(said.text)
    if metres is not None and said.mine(metres.start(), metres.end()):
        yield _found("height", 100 + int(metres["rest"]))
        return
    about = _ABOUT_HEIGHT.search(said.text) is not None
    for match in _HEIGHT.finditer(said.text):
        unit = match["unit"] is not None or "." in match["height"]
        if unit and not _MEASURES_ME.match(said.text, match.end()):
            continue
        if not (about or unit) or (not unit and _NO_HEIGHT.match(said.text, match.end())):
            continue
        height = _without_copula(match["height"], said.text[match.end() :])
        if _fits_height(height) and not of_a_thing(said.text, match.start()) and said.mine(match.start(), match.end()):
            yield _found("height", height if height[0].isdigit() else read_number(height.replace(" ", "")))
            return


def _without_copula(height: str, rest: str) -> str:
    """백칠십이라고: the 이 belongs to the copula sooner than to the number."""
    if height.endswith("십이") and rest.startswith(("라", "야", "에요", "고", "거든", "지", "네")):
        return height.removesuffix("이")
    return height


def _fits_height(said: str) -> bool:
    number = float(said) if said[0].isdigit() else float(read_number(said.replace(" ", "")) or 0)
    return 130 <= number <= 210


def _reckoned_height(said: Heard) -> int | None:
    for pattern in (_SHOES, _GROWN, _BESIDE, _SHORT_OF):
        match = pattern.search(said.text)
        height = read_number(match["height"].replace(" ", "")) if match is not None else None
        if match is None or height is None:
            continue
        more = int(match["more"])
        taller = pattern is _GROWN or (pattern in (_BESIDE, _SHORT_OF) and match["way"] not in ("작", "모자", "부족"))
        return height + more if taller else height - more
    return None


def _phone(said: Heard) -> Iterator[Finding]:
    match = _PHONE.search(said.text)
    if _SOMEONES_NUMBER.search(said.text) or (not said.me and _POSTED.search(said.text)):
        return
    if match is not None and _CALLING.search(said.text) and said.mine(match.start(), match.end()):
        yield _found("phone", match[0])


def _found(attribute: str, value: object) -> Finding:
    said = str(value)
    return Finding(attribute=attribute, value=said, shown=said, surface=said)
