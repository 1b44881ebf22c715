"""What is told by the way: 부경대 학식 먹는 중, 국민은행 출근 3년째, 사는 데가 세종이라. The cues are data."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import pairwise
from typing import Any, Final

from gieok.extract.korean.heard import Heard
from gieok.extract.korean.kinds import KINDS, is_company, is_school, leading, major_of
from gieok.extract.korean.reading import Finding

_LAST_WORDS: Final = 3
_OVER: Final = re.compile(
    r".{0,12}?(?:었었|았었|그만\s?[두뒀]|관뒀|때려|안\s다|안\s해|못\s다|퇴사|끝내|끝났|청산|접고|접었)"
)
#: 회사가 판교로 이사했어, 통신사 KT로 옮겼어: told of something else
_OF_ANOTHER: Final = {
    "residence": re.compile(r"(?:회사|사무실|본사|학교|학원|가게|병원)[가이도]\s$"),
    "workplace": re.compile(r"(?:통신사|[가-힣]*폰|번호|은행|계좌|보험|카드|인터넷|주식)(?:은|는|을|를)?\s$"),
}
#: 서울로 이사 온 친구
_SOMEBODY_ELSE: Final = re.compile(
    r"\s(?:[가-힣]{1,4}\s)?(?:친구|언니|오빠|형|누나|동생|후배|선배|이웃|사촌|삼촌|이모|고모|동기|직원|부부)"
)
#: 우체국 다녀오는 길: one was there once
_VISITED: Final = re.compile(r"다녀(?:[오온올옴와왔가간갈감갔]|\s(?:오는|오느|오려|온(?=\s)|왔|와서|올게|옴))")
_BETTER_NOT: Final = re.compile(
    r"^\S{0,4}(?:\s?수\s|\s?뻔|고\s?싶|려고|려면|ㄹ까|을까|면\s?(?:좋|어떨)|자고|래요?$|대요?$|라며|니\?|냐)"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Cue:
    """Words that make a name beside them a value."""

    attribute: str
    kind: str
    particles: tuple[str, ...]  #: longest first
    after: re.Pattern[str] | None
    before: re.Pattern[str] | None
    own: bool
    lived: re.Pattern[str] | None  #: words that stand in for the speaker's name
    where: re.Pattern[str] | None  #: one of these words must stand in the sentence


#: 이제 나도 목포 사람이야, 이사 온 김에: from there by now only
_NEWCOMER: Final = re.compile(
    r"(?:이제|이젠|인자|인제)\s.*사람.*(?:이사|온\s?지)|이사.*(?:이제|이젠|인자|인제)\s.*사람"
)


_TELLS_NOTHING: Final = frozenset({("residence", "한국"), ("residence", "대한민국")})  #: 한국 온 지 5년: where in it?


def by_the_way(said: Heard) -> Iterator[Finding]:
    """Yield what the cues of a sentence give away."""
    then = said.told_of_then()
    for cue in _cues():
        if (cue.own and not _lived(said, cue)) or not _in_time(said, cue, then=then):
            continue
        if cue.where is not None and cue.where.search(said.text) is None:
            continue
        for value, start, end in _values(said.text, cue):
            if (cue.attribute, value) not in _TELLS_NOTHING and said.mine(start, end):
                yield _found(cue.attribute, value)
                break
    yield from _there(said)
    yield from _there_too(said)
    yield from _settled(said)
    shop = _shops().search(said.text)
    if shop is not None and not then and said.mine(shop.start(), shop.end()) and not said.others:
        yield _found("job", f"{shop['shop'].strip()} 운영")
    for attribute, value, pattern in () if then else _signs():
        match = pattern.search(said.text)
        if match is None or _is_no_sign(said.text, match, faith=attribute == "religion"):
            continue
        if said.mine(match.start(), match.end()):
            yield _found(attribute, value)


def _in_time(said: Heard, cue: Cue, *, then: bool) -> bool:
    """Whether a cue holds of the time that is told of: a home town of then, anything else of now."""
    return _NEWCOMER.search(said.text) is None if cue.attribute == "hometown" else not then


def _is_no_sign(text: str, match: re.Match[str], *, faith: bool) -> bool:
    """배달 뛰는 사람들 대단해; 오늘 절에 다녀왔어."""
    if faith:
        return match[0].endswith("다녀") and _A_VISIT.match(text, match.end()) is not None
    return _NOT_MY_DOING.match(text, match.end()) is not None


#: 오늘 절에 다녀왔어: once, and no faith
_A_VISIT: Final = re.compile(r"\s?(?:왔|오|온|올|옴|와(?!요?\s?있)|갔|간|감)")
#: 배달 뛰는 사람들 대단해, 기내식 카트 보면 설레
_NOT_MY_DOING: Final = re.compile(r"\S{0,3}\s?(?:사람|아저씨|분들|기사님)|.{0,8}(?:겠|(?<!니)까(?=[\s?]|$)|보면)")


def _settled(said: Heard) -> Iterator[Finding]:
    """성북구민입니다, 김해에서 부산까지 출퇴근해, 네이버 개발자예요, 의대생이에요."""
    for pattern in _SETTLED:
        match = pattern.search(said.text)
        place = _place_in(match["place"]) if match is not None else None
        if match is not None and place is not None and said.mine(match.start(), match.end()):
            yield _found("residence", place)
    words = said.text.split(" ")
    for first, second in pairwise(words):
        job = leading("job", second) if is_company(first) else None
        at = said.text.find(f"{first} {second}")
        if job is not None and _AS.match(second, job[1]) and said.mine(at, at + len(first) + 1 + job[1]):
            yield _found("workplace", first)
    department = _DEPARTMENT.search(said.text)
    if department is not None and department["major"] not in _CLINICS and said.mine(0, department.end("major") + 1):
        yield _found("major", major_of(department["major"]) or department["major"])
    home = _HOME.search(said.text)
    place = _place_in(home["place"]) if home is not None else None
    if home is not None and place is not None and not said.supposed and not said.asks and not said.others:
        yield _found("hometown", place)
    corrected = _CORRECTED.search(said.text)
    firm = leading("company", corrected["rest"]) if corrected is not None else None
    if firm is not None and not said.others and not said.asks:
        yield _found("workplace", firm[0])
    college = _COLLEGE.search(said.text)
    if college is not None and said.mine(college.start(), college.end()):
        yield _found("major", _raw()["colleges"][college["college"]])


_SETTLED: Final = (
    re.compile(r"(?<![가-힣])(?P<place>[가-힣]{1,5}[구시군])민(?:입니다|이에요|임|이야|이라|인데|이고|으로서)"),
    re.compile(r"(?<![가-힣])(?P<place>[가-힣]{2,6})에서\s[가-힣]{2,6}까지\s(?:매일\s)?(?:출퇴근|통근|통학)"),
)
#: 해킹방어과임, 수어통역과 다녀: whatever department
_DEPARTMENT: Final = re.compile(
    r"(?<![가-힣])(?P<major>[가-힣]{2,8}?)과(?:입니다|이에요|예요|임(?=[\s.,]|$)|인데|라서|\s?(?:재학|\d학년|새내기|졸업반|학생이|학생임|학생입|전공))"
)
_CLINICS: Final = frozenset(
    "피부 산부인 이비인후 정형외 소아 소아청소년 비뇨기 성형외 신경외 신경 흉부외 마취통증의학 "
    "재활의학 가정의학 영상의학 응급의학 "
    "정신건강의학 정신 외 내 안 치 결 효 성 무슨 어느 학 문 이 인문 자연".split()
)
#: 봉화 산골짝이 내 고향입니다, 함흥 땅에 두고 온 고향, 추석에 부산 내려가면 어릴 때 뛰놀던 동네가
_HOME: Final = re.compile(
    r"(?<![가-힣])(?P<place>[가-힣]{2,6}?)(?:(?:\s[가-힣]{1,5})?(?:이|가|은|는|땅에)?\s(?:바로\s)?(?:내|제|우리|저의|나의|두고\s?온|떠나온)\s고향"
    r"|(?:에|으로|로)?\s(?:내려가|내려갔)[^.]{1,12}(?:뛰놀던|살던|자란|어릴|어린\s시절))"
)
_CORRECTED: Final = re.compile(
    r"(?:아니고|아니라|말고)\s(?P<rest>[가-힣A-Za-z]{2,12}(?:이라니까|라니까|이야|야|예요|이에요|임|입니다|라고))"
)
_AS: Final = re.compile(r"로|예요|이에요|입니다|임|인데|이라|라서|이야|야|이고")
_COLLEGE: Final = re.compile(
    r"(?<![가-힣])(?P<college>의대|약대|치대|한의대|수의대|간호대|법대|음대|미대|체대|로스쿨|의전원|교대)(?:생(?:이|인|임|입|의)|\s?(?:다녀(?![오온올옴와왔])|다니|다님|본과|예과|학생|재학|\d학년|합격했|입학|들어가서|들어감|들어갔|졸업했|나와서|나온|나왔|새내기|동기|\d기|과제|중간고사|기말고사|스터디))"
)


@cache
def _shops() -> re.Pattern[str]:
    """세탁소 한다, 카페 차렸어: whoever keeps a shop."""
    shops = "|".join(_raw()["shops"]["kinds"].split())
    return re.compile(
        rf"(?<![가-힣])(?P<shop>(?:[가-힣]{{0,3}}[^\W고서에는은을를데면가이도로\d]\s?)?(?:{shops}))(?:을|를)?\s?"
        r"(?:한다|하고\s?있|합니다|한\s?지|하는데|하거든|함(?=\s|$)|해요|해(?=\s|$)|운영|차렸|차린\s?지|개업했|오픈했|사장(?:이에|이야|입|임|인데|이라))"
    )


@cache
def _signs() -> tuple[tuple[str, str, re.Pattern[str]], ...]:
    return tuple((sign["attribute"], sign["value"], _either(sign["said"], opens=True)) for sign in _raw()["sign"])


def _there(said: Heard) -> Iterator[Finding]:
    """여수 본가 다녀왔어, 거기서 태어났거든: a place is named first and spoken of then."""
    for attribute, pattern in _THERE.items():
        match = pattern.search(said.text)
        if match is None or not said.mine(match.start(), match.end()):
            continue
        words = f"{said.before} {said.text[: match.start()]}".split()
        place = next((found for word in reversed(words) if (found := _place_in(word))), None)
        if place is not None:
            yield _found(attribute, place)


_THERE_GO: Final = re.compile(
    r"(?:거기|그곳|그\s?학교|그\s?회사|그\s?과)(?:에|에서|를)?\s?(?:다녀(?![오온올옴와왔])|다니|다님|다닌|나왔|나옴|졸업|재학|학생|일해|일하|근무|직원)"
)
_THERE: Final = {
    "hometown": re.compile(
        r"(?:거기|그곳|여기|거)(?:에)?서\s(?:태어|나고\s자|자랐|자란|컸|쭉\s(?:살|자|컸))|태어난\s(?:데|곳)(?:도|이|은)?\s(?:거기|그곳)"
    ),
    "residence": re.compile(
        r"(?:여기|거기|이\s동네|그\s동네)(?:로|에)?\s(?:이사\s?(?:오|온|와|왔|옴)|정착|자리\s?잡|눌러앉)"
    ),
}


def _there_too(said: Heard) -> Iterator[Finding]:
    """수어통역과라고 들어봤어? 내가 거기 다녀."""
    go = _THERE_GO.search(said.text)
    if go is None or not said.mine(go.start(), go.end()) or said.asks:
        return
    for word in reversed(f"{said.before} {said.text[: go.start()]}".split()):
        bare = _NAMED_WORD.match(word)
        if bare is None:
            continue
        name = bare["name"]
        if name.endswith("과") and name.removesuffix("과") not in _CLINICS and len(name) > 2:
            yield _found("major", major_of(name) or name.removesuffix("과"))
        elif is_school(name):
            yield _found("school", name)
        elif is_company(name):
            yield _found("workplace", name)
        else:
            continue
        return


_NAMED_WORD: Final = re.compile(
    r"(?P<name>[가-힣A-Za-z0-9&+]{2,14}?)(?:이라고|라고|이라는|라는|이|가|은|는|을|를|도|알아|있잖아)?[,.!?]*$"
)


def _place_in(word: str) -> str | None:
    found = leading("place", word.strip(",.!?~ㅋㅎ"))
    return found[0] if found is not None else None


def _found(attribute: str, value: str) -> Finding:
    return Finding(attribute=attribute, value=value, shown=value, surface=value)


def _lived(said: Heard, cue: Cue) -> bool:
    return bool(said.me) or said.claimed or (cue.lived is not None and cue.lived.search(said.text) is not None)


def _values(text: str, cue: Cue) -> Iterator[tuple[str, int, int]]:
    if cue.after is not None:
        for match in cue.after.finditer(text):
            born = cue.attribute == "hometown" and match[0] == "태어"  # 진주에서 태어났대: one has it from others
            if _VISITED.match(text, match.start()) or _OVER.match(text, match.end()):
                continue
            if match[0].endswith(("온", "간", "한")) and _SOMEBODY_ELSE.match(text, match.end()):
                continue
            if born or not _BETTER_NOT.match(text[match.end() :]):
                yield from _named_before(text, match.start(), cue)
    if cue.before is not None:
        for match in cue.before.finditer(text):
            rest = text[match.end() :]
            value = leading(cue.kind, rest.lstrip())
            if value is not None:
                start = match.end() + len(rest) - len(rest.lstrip())
                yield value[0], match.start(), start + value[1]


def _named_before(text: str, at: int, cue: Cue) -> Iterator[tuple[str, int, int]]:
    lead = text[:at].rstrip(" ")
    for particle in cue.particles:
        if not lead.endswith(particle):
            continue
        said = lead[: len(lead) - len(particle)].rstrip(" ")
        value = KINDS[cue.kind](said.split()[-_LAST_WORDS:])
        other = _OF_ANOTHER.get(cue.attribute)
        if value is not None and (other is None or other.search(said.removesuffix(value)) is None):
            yield value, max(0, len(said) - len(value)), len(said)
            return


@cache
def _cues() -> tuple[Cue, ...]:
    return tuple(_cue(table) for table in _raw()["cue"])


@cache
def _raw() -> Mapping[str, Any]:
    return tomllib.loads(files(__package__).joinpath("cues.ko.toml").read_text(encoding="utf-8"))


def _cue(table: Mapping[str, Any]) -> Cue:
    particles = ["" if each == "-" else each.replace("_", " ") for each in table.get("particles", "-").split()]
    return Cue(
        attribute=table["attribute"],
        kind=table["kind"],
        particles=tuple(sorted(particles, key=len, reverse=True)),
        after=_any(table.get("after")),
        before=_any(table.get("before"), opens=True),
        own=table.get("own", False),
        lived=_any(table.get("lived")),
        where=_any(table.get("where")),
    )


def _any(words: str | None, *, opens: bool = False) -> re.Pattern[str] | None:
    return None if words is None else _either(words, opens=opens)


def _either(words: str, *, opens: bool) -> re.Pattern[str]:
    said = sorted(words.split(), key=len, reverse=True)
    either = "|".join(_spelled(word) for word in said)
    return re.compile(rf"(?<![가-힣])(?:{either})" if opens else rf"(?:{either})")


def _spelled(word: str) -> str:
    ends = r"(?=[\s,]|$)" if word.endswith("_") else ""
    return word.removesuffix("_").replace("_", r"\s?").replace("n", r"\d{1,2}\s?") + ends
