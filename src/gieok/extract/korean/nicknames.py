"""Nicknames in the words around them: 다들 나를 콩이라 불러, 쿼카라는 애칭으로 통해, 내 번호를 먼지로 저장해놨어."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from gieok.extract.korean.calling import (
    ALIASED,
    CALLED,
    CLOSE,
    COPULA,
    END,
    MEETING,
    OPEN,
    PUT_AWAY,
    REQUEST,
    matches,
    seen,
)
from gieok.extract.korean.heard import Heard, heard
from gieok.extract.korean.namelike import is_asked_name, is_full_name, is_given_name, is_name, may_nickname
from gieok.extract.korean.names import names
from gieok.extract.korean.openings import without_fillers
from gieok.extract.korean.reading import Finding

_ALIAS: Final = r"(?:별명|애칭|닉네임|닉넴|닉|별칭|호칭|아이디|활동명|필명|예명|캐릭명|캐릭터명)"
_NICKNAMED: Final = (
    re.compile(rf"(?<![가-힣])(?P<v>{CALLED})(?:이라는|라는|이란|란|이라던)\s{_ALIAS}"),
    re.compile(
        rf"(?:나를|저를|나보고|저보고|(?<![가-힣])날|(?<![가-힣])절|나한테|저한테|내를|내보고|나더러)\s(?:(?:다들|맨날|자꾸|그냥|다|전부|아직도)\s)*{OPEN}"
        rf"(?P<v>[가-힣A-Za-z0-9]{{1,8}}?(?:\s[가-힣A-Za-z0-9]{{1,6}}?)?){CLOSE}(?:이)?라(?:고|고들)?\s?(?:불러|부르|부른|놀려|놀리|그래|그러|그런|안\s?카|칭|카더|해{END}|하더|하지|함)"
    ),
    re.compile(rf"(?<![가-힣])(?P<v>{CALLED})(?:이)?라고(?:들)?\s?(?:불려|불린|불립|불리|부르더|부릅)"),
    re.compile(
        rf"(?:다들|애들이|친구들이|친구들은|애들은|사람들이|팀에서|회사에서|학교에서|집에서|동네서|동네에서)\s(?:나를\s|날\s)?(?P<v>{CALLED})(?:이)?라고(?:들)?\s?(?:불러|부르|부른)"
    ),
    re.compile(
        rf"(?<![가-힣])(?P<v>{CALLED})(?:으)?로\s(?:통해|통하|통함|통합|불려|불린|불립|불리|알려져"
        r"|불렸(?=[^.]{0,8}(?:지금도|아직도|여전)))"
    ),
    re.compile(
        rf"(?:다들|들이|들은)\s[^.을를]{{0,14}}?(?<![가-힣])(?P<v>{CALLED})(?:이)?라(?:고)?(?:들)?\s?(?:부름|부른다|불러|부르더)"
    ),
    re.compile(rf"(?:내|제)\s?(?:번호|전화번호|연락처|이름)(?:를|을)\s(?P<v>{CALLED})(?:으)?로\s저장"),
    re.compile(rf"(?:내|제)\s이름\s대신\s(?:(?:전부|다들|다|전체|그냥)\s)?(?P<v>{CALLED})(?:(?:이)?라고|\s축하)"),
    re.compile(
        rf"(?:나한테|저한테|내게|제게|나보고)\s(?P<v>{CALLED})\s(?:선배|님|언니|오빠|형|누나)(?:라고|이라고)\s?(?:하|해|부|불)"
    ),
    re.compile(
        rf"{_ALIAS}(?:은|이|는|가|도)?\s{OPEN}(?P<v>[^'\"’”.,!?\n]{{1,14}}?){CLOSE}(?:{COPULA}|(?:고|다|였어){END}|(?:으로|로|을|를)?\s(?:씀|써|쓰고|쓰는|쓴다|씁니다|사용|하나로\s?통일|통일|밀고)|(?:으로|로)\s(?:통일|정했|지었|바꿨|해놨|하고))"
    ),
    re.compile(rf"(?<![가-힣])(?P<v>{CALLED})(?:으)?로\s저장(?:돼|되|해|했|됨)(?=[^.]{{0,12}})"),
    re.compile(
        r"(?<![가-힣])(?P<v>[가-힣]{1,6}?)(?P<o>아|야)\s(?P=v)(?P=o)\s?(?:하고|하며|하면서|라고|이러|그러|거리|하)"
    ),
    re.compile(
        r"(?:^|[.!?~]\s?)(?P<v>[가-힣A-Za-z0-9]{1,8}?)[ㅋㅎ!,.~\s]+(?:그게|이게|요게|그거|이거)\s(?:바로\s)?(?:내|제)\s(?:별명|애칭|닉)"
    ),
    re.compile(
        r"(?:때부터|때|어려서부터|학교에서|평생|맨날|하도|씨라)\s(?:\S{1,6}\s)?(?P<v>[가-힣]{2,6})\s소리(?:만|를|도)?\s?(?:듣|들)"
    ),
    re.compile(
        rf"(?:나|저|난|날|나를|저를|나는|저는|앞으로|이제)\s[^.]{{0,12}}?(?<![가-힣])(?P<v>{CALLED})(?:으)?로\s불러(?:줘|주|요|{END})"
    ),
)
#: by which one may ask to be called
_TITLES: Final = frozenset("형 누나 오빠 언니 이모 삼촌 고모 아저씨 아줌마 선배 쌤 선생님 형님 누님".split())
_HONORIFICS: Final = _TITLES | frozenset("씨 님 할매 할머니 할배 할아버지 대장 사장 샘 군 양".split())
_NAME_BEFORE: Final = re.compile(r"(?:^|\s)(?P<name>[가-힣]{2,3})\s$")
#: 너도 왕언니라고 해, 앞으로 토리라고 하면 돼
_YOU_TOO: Final = re.compile(
    rf"(?<![가-힣])(?:너도|너두|니도|앞으로|앞으론|이제부터)\s(?:그냥\s|걍\s)?(?P<v>{CALLED})(?:이)?라[고구]\s?(?:해라?{END}|혀라?{END}|하면\s?[돼되]|하소|하쇼)"
)
#: 쉐프님은 인자 됐고 행님이라 불러라: what is put aside is nobody
_PUT_ASIDE: Final = re.compile(
    r"(?<![가-힣])(?!나는|저는|너는)[가-힣]{2,6}(?:은|는)\s(?:(?:이제|인자|이젠|그만|마|좀)\s)*(?:됐고|됐으니까?|그만하고|그만두고|치우고|집어치우고|관두고)(?=\s)"
)
_ASKING: Final = re.compile(r"(?:^|말고|그냥|걍|편하게|앞으로(?:는)?|이제(?:부터)?|이젠|여기선|나를|저를|나|저)\s*$")
_CROWD: Final = re.compile(r"다들|들이|들은")
_BY_IT: Final = re.compile(
    r"(?<![가-힣])(?P<v>[가-힣A-Za-z]{2,8}?)(?:으)?로\s불러\s?(?:줘|주라|주세요|주십)"
)  # 제이슨으로 불러줘
_SOUNDS: Final = frozenset(
    "빗 새 파도 바람 물 기타 피아노 음악 싫은 좋은 그런 이런 별 잔 욕 헛 큰 쓴 종 엄마 아빠".split()
)
_MY_CONTACT: Final = re.compile(r"(?<![가-힣])(?:나|내|날|저|제)(?:가|를|는)?(?![가-힣])")
_QUOTED_CALL: Final = re.compile(
    r"['\"‘“](?:야\s|우리\s|어이\s)?(?P<v>[가-힣A-Za-z0-9]{2,8}?)(?:님|아|야)?(?:\s[^'\"’”]{0,16})?[!~]?['\"’”]\s?(?:하면|이래|해\s?줘|그래|라고\s?(?:불러|부르)|하고\s부|하세요|하셔|하신다|하시|하며|하더|이러|거려|거림|래요?(?=\s|$))"
)
_CALLERS: Final = re.compile(
    r"(?<![가-힣])(?:나|내|저|날|제)(?:가|를|한테|도|보고|만|더러)?(?![가-힣])|다들|길드원|애들|친구들|누가|사람들"
)
_BEFORE: Final = re.compile(
    r"때나|예전|옛날|소문만|소문을|소문이\s?있|지금은\s?(?:아무도|안)|이제\s?안(?!\s?(?:어울|맞))|더는|모르는\s(?:사람|할아버지|할머니|아저씨|아줌마|애|남자|여자|분)"
)
_CALLING: Final = re.compile(
    r"이름|본명|성함|실명|개명|통성명|소개|별명|애칭|닉|아이디|부름|별칭|호칭|부르|부른|부릅|불러|불려|불렸|불리|불린|불립|라고|라\s|적힌|적혀|넌\?|너는\?"
    r"|통하|통해|통함|저장|통일|필명|예명|활동명|캐릭|출석|호명|사원증|명찰|고객님|회원님|소리|[가-힣]야\s|[가-힣]아\s|['\"‘“]|똑같|하면|사람|아니고|아니라"
    r"|(?<![가-힣])[나저](?:는)?\s[가-힣]{2,3}(?:이야|이에요|인데|이라고|입니다|임|야|예요|라고)"
)
_READ: Final = 800  #: characters


def nicknames(text: str, sentences: tuple[Heard, ...]) -> Iterator[Finding]:
    """Yield what others call the speaker."""
    if _BEFORE.search(text):
        return
    for name in (*_given(text, sentences), *_asked_for(text, sentences), *_shown(text, sentences)):
        yield Finding(attribute="nickname", value=name, shown=name, surface=name)


def _given(text: str, sentences: tuple[Heard, ...]) -> Iterator[str]:
    for pattern in _NICKNAMED:
        for match in pattern.finditer(text):
            said = _sentence_of(match.start(), sentences)
            if said is None or said.asks or said.supposed or match["v"].endswith(("아니", " 말")):
                continue
            if match["v"] in _SOUNDS or ("저장" in match[0] and not _MY_CONTACT.search(text[: match.start()])):
                continue
            if may_nickname(match["v"]) and _not_theirs(said, match, text):
                yield without_fillers(match["v"].strip())


def _asked_for(text: str, sentences: tuple[Heard, ...]) -> Iterator[str]:
    met = MEETING.search(text) is not None
    for said, match in matches(REQUEST, sentences):
        named = _with_name(said.text[: match.start()], match["v"])
        if named is not None:
            yield named
            continue
        title = match["v"] in _TITLES and _is_asked(said, match)
        if title or (may_nickname(match["v"]) and (ALIASED.search(text) or not is_asked_name(match["v"], met=met))):
            yield match["v"]
    for said in sentences:
        too = _YOU_TOO.search(said.text) if not said.asks and not said.supposed else None
        if too is not None and may_nickname(too["v"]):
            yield too["v"]

    for _, match in matches(_BY_IT, sentences):
        if is_name(match["v"], met=False):
            yield match["v"]


def _with_name(before: str, title: str) -> str | None:
    """Return the title with the name before it: 은해 씨라고 해주세요, 순자 할매라고 불러."""
    name = _NAME_BEFORE.search(before) if title in _HONORIFICS or title.endswith(("님", "쌤")) else None
    if name is None or not (is_name(name["name"], met=False) or is_given_name(name["name"])):
        return None
    return f"{name['name']} {title}"


def _is_asked(said: Heard, match: re.Match[str]) -> bool:
    """걍 형이라 불러, 주인님 말고 누나라고 불러주세요; not 동생들이 형이라고 불러."""
    before, asked = said.text[: match.start()], match[0]
    if said.asks or asked.endswith("달") or any(at < match.start() for at in said.others):
        return False
    led = _ASKING.search(before)
    told = led is not None and led[0].strip() in ("나를", "저를") and asked.endswith("불러")  # 나를 형이라고 불러
    return led is not None and not told and _CROWD.search(before) is None


def _shown(text: str, sentences: tuple[Heard, ...]) -> Iterator[str]:
    for match in seen(text, sentences):
        if "라고" in match[0] and may_nickname(match["v"]):
            yield match["v"]
    if not _CALLERS.search(text):
        return
    for match in _QUOTED_CALL.finditer(text):
        if may_nickname(match["v"]) and not is_full_name(match["v"]):
            yield match["v"]


def _sentence_of(at: int, sentences: tuple[Heard, ...]) -> Heard | None:
    return next((said for said in sentences if len(said.before) <= at <= len(said.before) + len(said.text)), None)


_DONT: Final = re.compile(r"지\s?(?:마|말|않)|.{0,8}금지")


def _not_theirs(said: Heard, match: re.Match[str], text: str) -> bool:
    """Whether no one else is nicknamed: not 담임 별명이 독사래."""
    if re.search(r"좋겠|싶|이면\s", text[match.start() : match.end() + 8]):
        return False
    if (
        PUT_AWAY.match(text, match.end())
        or _DONT.match(text, match.end())
        or re.match(r"\s?(?:래|대)(?:요)?(?=\s|$)", text[match.end("v") :])
    ):
        return False
    at = match.start() - len(said.before)
    before = [place for place in said.others if place < at]
    named = re.search(r"(?<![가-힣])(?:나|저|날|절|내|제)(?:를|보고|한테|더러)?(?![가-힣])", match[0]) is not None
    return named or not before or any(before[-1] < me < at for me in said.me)


def naming(text: str) -> Iterator[Finding]:
    """Yield how the speaker of `text` is called."""
    text = text[:_READ]
    if not _CALLING.search(text):
        return
    sentences = heard(_PUT_ASIDE.sub(lambda aside: " " * len(aside[0]), text))
    name = next(names(text, sentences), None)
    if name is not None:
        yield name
    nickname = next(nicknames(text, sentences), None)
    if nickname is not None and (name is None or nickname.value != name.value):
        yield nickname
