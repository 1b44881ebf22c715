"""Names in the words around them: 도경이라고 합니다, 통성명이 늦었네 나 사랑임, 송장에 천라온 적힌 거 제 거예요."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from gieok.extract.korean.calling import (
    ALIASED,
    BY_OTHERS,
    CLOSE,
    COPULA,
    END,
    MEETING,
    NAME,
    OPEN,
    PUT_AWAY,
    REQUEST,
    ROLL,
    matches,
    seen,
)
from gieok.extract.korean.heard import Heard
from gieok.extract.korean.lexicon import lexicon
from gieok.extract.korean.namelike import bare, is_asked_name, is_full_name, is_given_name, is_name, may_name
from gieok.extract.korean.reading import Finding

_NAMED: Final = (
    re.compile(
        rf"(?:이름|본명|성함|실명)(?:은|이|는|이가|도|은요)?\s(?!쓰|짓|지|부르){OPEN}{NAME}{CLOSE}(?:(?:이)?라고\s?(?:해(?!도)|합|함|하는|하고|하며|하거든)|{COPULA})"
    ),
    re.compile(r"이름(?:은|이|도)?\s(?P<v>[가-힣]{1,2})\s(?:한|외)\s?글자"),
    re.compile(r"(?<![가-힣])(?P<v>[가-힣]{1,2})\s(?:한|외)\s?글자(?=[^.]{0,10}이름)"),
    re.compile(rf"{NAME}(?:으)?로\s(?:올라가|등록|적혀|개명|바꿨|바꿈|삽니다|산다|살아|불러)(?=[^.]{{0,24}}이름)"),
    re.compile(rf"(?<![가-힣]){NAME}(?:이)?라고\s?(?:지어|지으|지었)(?=[^.]{{0,12}}(?:내|제)\s이름)"),
    re.compile(rf"(?:개명|이름\s?바꿨|이름을\s?바꿨)[^.,]{{0,14}}?{NAME}(?:으)?로"),
    re.compile(
        r"(?<![가-힣])(?P<v>[가-힣]{3})(?:이랑|랑|과|와)\s(?:이름이\s)?(?:한\s글자도\s안\s?틀|똑같|동명이인|이름이\s(?:같|똑))"
    ),
    re.compile(rf"(?<![가-힣])(?P<v>[가-힣]{{2,4}}?)(?:이)?라(?:는|고\s하는)\s사람(?:이에요|입니다|이야|임|인데){END}"),
)
_I_AM: Final = re.compile(
    rf"(?<![가-힣])(?P<i>(?:나|저|난|전|나는|저는)\s)?(?P<v>[가-힣]{{1,4}}?)(?:{COPULA}|(?=[.,!]\s?(?:넌|너는|당신은|그쪽은)\?))"
)
_QUOTED_NAME: Final = re.compile(
    r"['\"‘“](?:위\s?학생\s|거기\s)?(?P<v>[가-힣]{3})(?:\s너|는|씨|님|아|야|\s학생|[!,])[^'\"’”]{0,20}['\"’”]"
)

_I_AM_CALLED: Final = re.compile(
    r"(?<![가-힣])(?:나|저)(?:는)?\s(?P<v>[가-힣]{2,3}(?=이야|이에요|인데|이라고|입니다|임)|[가-힣]{2,3}(?=야|예요|라고))(?:이야|이에요|인데요?|이라고|입니다|임|야|예요|라고)(?=[\s,.!~ㅋㅎ]|$)"
)
_I_SAY: Final = re.compile(
    r"(?<![가-힣])(?:나|저|난|전|나는|저는)\s(?P<v>[가-힣]{2,4}?)(?:이)?라고\s?(?:해(?!도)|합|함|하는|하고|하거든|해요)"
)
_ASKED_FOR_ELSE: Final = re.compile(
    r"(?<!이름)(?<!이름을)(?<!성함)(?<!누구냐고)\s?(?:물어보|물으|물어봐도|묻거)(?:면|든|도)"
)
_I_ONLY: Final = re.compile(r"(?:나|저|난|전|나는|저는)\s(?P<v>[가-힣]{1,4})$")
_AND_YOU: Final = re.compile(r"[.,!~]\s?(?:넌|너는|당신은|그쪽은|님은|넌요)\?")
_CORRECTED: Final = re.compile(
    r"(?<![가-힣])(?P<old>[가-힣]{2,3}?)(?:이)?\s?(?:아니(?:고|라)|말고)\s(?P<v>[가-힣]{2,3}?)(?:이)?(?:야|예요|에요|입니다|임|라고)(?=[\s,.!~]|$)"
)
_NAME_CHANGED: Final = re.compile(
    r"개명\s?(?:이|을)?\s?(?:했|함|해서|하고(?!\s?싶)|됐|되어|돼서|완료|확정|허가\S?\s?(?:났|나서|떨어|받|나왔)|결정\S?\s?(?:났|나서|받)|신청\S{0,4}\s?(?:거\s)?(?:통과|받아들))"
    r"|이름을?\s?바(?:꿨|꿈|꾸었)"
)
_NEW_NAME: Final = re.compile(
    rf"(?<![가-힣])(?P<v>[가-힣]{{3}})(?:(?:으)?로(?=\s)|(?:이)?(?:야|예요|에요|입니다|임|다){END}|(?:이)?라고\s?(?:불러|해|합))"
)
_OWN_LABEL: Final = re.compile(
    r"(?:^|[,.!?~ㅋㅎ:]|(?<![가-힣])(?:내|제|나의|저의|진짜|원래|참|아|네|음|일단|먼저|새|바뀐|우리말|한글|한국|영어|안녕|저는|나는|나|저|난|전|그리고|글구)|[고며]|[은는인]데)\s*$"
)


_GIVEN: Final = re.compile(r"(?<![가-힣])(?P<v>[가-힣]{2,4}?)(?:이)?라는\s(?:내\s|제\s)?(?:이름|본명)")
_GIVEN_ME: Final = re.compile(r"지어\s?(?:주|준|줬)|물려|(?<![가-힣])(?:나|난|내|제|저|전)(?:는|가)?(?![가-힣])")
_WORD_ALONE: Final = re.compile(
    r"(?<![가-힣])(?P<v>[가-힣]{3})(?:\s?(?:고객님|회원님|손님|님|씨|환자분)|이라고|라고)?(?=[\s,'\"’”~!]|$)"
)
_ANSWERED: Final = re.compile(
    r"(?<![가-힣])(?:나|내|내가|제|제가|저|새)(?:를|도|는)?(?![가-힣])|하길래|부르길래|받으러|실감|박혀|찍혀"
)
_OWNED: Final = re.compile(r"키우|키워|기르|입양|데려왔|집에\s")  # 집에 사슴벌레 있어요, 이름은 …


def _own_label(said: Heard, match: re.Match[str]) -> bool:
    """Whether a name's label is the speaker's: not 옆 부서 신입 이름이, nor 강아지 키워! 이름은."""
    if not match[0].startswith(("이름", "본명", "성함", "실명")):
        return True
    before = said.text[: match.start()]
    if _OWN_LABEL.search(before) is None:
        return False
    return _OWNED.search(said.before + before) is None or "내 " in before or "제 " in before


def names(text: str, sentences: tuple[Heard, ...]) -> Iterator[Finding]:
    """Yield the speaker's names, the surest first."""
    for said, match in matches(_CORRECTED, sentences):
        told = _may_be_called(match["v"]) and _may_be_called(match["old"])
        if told and ("말고" not in match[0] or _says_no_more(said.text[match.end() :], match["v"])):
            yield _found(_whole(match["v"], text), instead_of=match["old"])
    for name in _renamed(text, sentences):
        yield _found(name)
    for name in (
        *_labelled(sentences),
        *_introduced(text, sentences),
        *_asked_for(text, sentences),
        *_shown(text, sentences),
        *_read_out(text, sentences),
    ):
        yield _found(name)


def _may_be_called(said: str) -> bool:
    return is_name(said, met=False) or is_given_name(said)


def _says_no_more(rest: str, name: str) -> bool:
    """태호 말고 태오야 강태오; not 민재 말고 민수야 범인은."""
    return all(word.endswith(name) for word in re.findall(r"[가-힣]+", rest))


def _whole(name: str, text: str) -> str:
    """민재 아니고 민제야. 최민제: the name with its surname, where that stands as well."""
    full = re.search(rf"(?<![가-힣])[가-힣]{re.escape(name)}(?![가-힣])", text) if len(name) == 2 else None
    return full[0] if full is not None and full[0][0] in lexicon().surnames else name


def _renamed(text: str, sentences: tuple[Heard, ...]) -> Iterator[str]:
    """개명 허가 났어!! 오늘부터 김서윤으로 …; not 개명하고 싶어, 친구가 개명해서 이제 …."""
    changed = _NAME_CHANGED.search(text)
    if changed is None:
        return
    for said in sentences:
        if len(said.before) + len(said.text) < changed.start():
            continue
        if said.asks or said.supposed or said.others:
            return
        for match in _NEW_NAME.finditer(said.text):
            if is_full_name(match["v"]):
                yield match["v"]
                return


def _labelled(sentences: tuple[Heard, ...]) -> Iterator[str]:
    for pattern in _NAMED:
        for said, match in matches(pattern, sentences):
            if may_name(match["v"]) and _own_label(said, match) and not PUT_AWAY.match(said.text, match.end()):
                yield bare(match["v"], said.text[match.end("v") :])


def _introduced(text: str, sentences: tuple[Heard, ...]) -> Iterator[str]:
    for _, match in matches(_I_AM_CALLED, sentences):
        if is_full_name(match["v"]) if len(match["v"]) == 3 else is_given_name(match["v"]):
            yield match["v"]
    for said in sentences:
        short = _I_ONLY.match(said.text.strip())
        if short is not None and _AND_YOU.match(said.after) and is_name(short["v"], met=True):
            yield short["v"]
    if MEETING.search(text):
        for _, match in matches(_I_AM, sentences):
            if is_full_name(match["v"]) or (match["i"] and is_name(match["v"], met=True)):
                yield match["v"]
    if _ASKED_FOR_ELSE.search(text) is None:
        yield from _said(sentences)


def _said(sentences: tuple[Heard, ...]) -> Iterator[str]:
    """저는 김서준이라고 해요; not 인생책 물어보면 난 데미안이라고 해."""
    for _, match in matches(_I_SAY, sentences):
        if is_full_name(match["v"]) or is_given_name(match["v"]) or is_name(match["v"], met=False):
            yield bare(match["v"], "이")


def _asked_for(text: str, sentences: tuple[Heard, ...]) -> Iterator[str]:
    if ALIASED.search(text):
        return
    met = MEETING.search(text) is not None
    for _, match in matches(REQUEST, sentences):
        crowd = BY_OTHERS.search(text) is not None and match[0].rstrip("요").endswith("불러")
        if not crowd and is_asked_name(match["v"], met=met):
            yield bare(match["v"], "이")


def _read_out(text: str, sentences: tuple[Heard, ...]) -> Iterator[str]:
    """출석 부를 때 표가람 나오면 내가 대답해야, 사원증에 '선우진' 박혀 나왔네, 은하수라는 이름 난 좋아."""
    for said in sentences:
        given = _GIVEN.search(said.text)
        told = given is not None and not said.asks and not said.supposed and _GIVEN_ME.search(said.text) is not None
        if given is not None and told and may_name(given["v"]):
            yield bare(given["v"], said.text[given.end("v") :])
    if ROLL.search(text) is None or _ANSWERED.search(text) is None or "?" in text:
        return
    for said in sentences:
        quoting = text[len(said.before) : len(said.before) + len(said.text)]
        for match in _WORD_ALONE.finditer(quoting):
            if is_full_name(match["v"]) and not said.supposed:
                yield match["v"]


def _shown(text: str, sentences: tuple[Heard, ...]) -> Iterator[str]:
    for match in (*seen(text, sentences), *_QUOTED_NAME.finditer(text)):
        if is_full_name(match["v"]):
            yield match["v"]


def _found(name: str, instead_of: str | None = None) -> Finding:
    return Finding(
        attribute="name",
        value=name,
        shown=name,
        surface=name,
        act="assert" if instead_of is None else "correct",
        instead_of=instead_of,
    )
