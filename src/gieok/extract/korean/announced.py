"""Labels that are announced before their value, put plainly: 취미를 말하자면 체스, 고향 어디냐면 삼척, 내 별명? 밥순이.

All of them say what "취미는 체스", "고향은 삼척" and "내 별명은 밥순이" say, and are read as these are. What comes
after must be the name of something: "취미를 말하자면 길어" and "꿈? 그런 거 없어" are left as they are.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from typing import Final

from gieok.extract.korean.lexicon import lexicon, signals, ways
from gieok.extract.korean.namelike import may_nickname
from gieok.extract.korean.openings import CALLED, without_fillers
from gieok.extract.korean.patterns import patterns
from gieok.extract.korean.taste_words import taste_words
from gieok.extract.korean.words import words_of
from gieok.language.clauses import clauses
from gieok.language.morphemes import analyse
from gieok.language.wording import josa

_END: Final = r"(?=\s*(?:$|[,.!~…\nㅋㅎㅠㅜ]))"
_VALUE: Final = rf"(?P<value>[^,.!?~…\nㅋㅎ]{{1,24}}?){_END}(?!\s*[ㅋㅎ~]*\?)"
_BEGIN: Final = r"(?<![가-힣A-Za-z])"
#: too broad to be announced by themselves: 집? 3층
_BROAD: Final = frozenset(
    "과 집 약 피 병 희망 소속 운동 회사 직장 학교 번호 출신 동네 연애 공포 일정 계획 약속 장기 손잡이 할거".split()
)
_THINGS: Final = (
    r"(?:좋아하는|싫어하는|무서워하는|무서운|싫은|잘하는|못\s먹는)\s(?:거|것)|사는\s(?:곳|데|동네)|하는\s(?:일|운동|알바)"
    r"|다니는\s(?:학교|회사|직장)|먹는\s약|친한\s친구|태어난\s(?:날|곳)|자란\s곳|키우는\s동물"
)
_HOW: Final = (
    r"(?:이|가|은|는)?(?:요)?\s?\?+[\sㅋㅎ]*",
    r"(?:이|가|은|는)?\s(?:뭐|무엇|어디|누구|언제)(?:이)?냐(?:면|\s?하면|고\s?하면)(?:요)?[\s,]+",
    r"(?:을|를)?\s(?:(?:굳이|하나|하나만|딱|한\s?가지만?)\s)*(?:말(?:씀드리|하)|얘기하|소개하|꼽|고르|뽑|대|들|따지)"
    r"(?:자면|라면|으라면|면|으면)[\s,]+",
    r"(?:이)?라(?:면|고\s?하면|\s하면|고\s?할\s?만한\s?(?:건|게|거는|것은))[\s,]+",
    r"\s중(?:에|에서)?\s?하나(?:는|가)\s",
    r"(?:은|는)요[\s,]+",
)
#: 알레르기 있어요, 땅콩이요; but not 알레르기 있어. 엄마는 의사야
_THERE_IS: Final = (
    r"(?:이|가|도)?\s(?:하나\s)?있(?:어|어요|음|지|죠|습니다|는데|는데요)[,.!~…]+\s*"
    r"(?![^,.!?~…]*[가-힣](?:은|는|이|가|을|를|도)\s)"
)
_ASKED_FOR: Final = frozenset("hobby nickname dream allergy skill trauma habit".split())
_OWN: Final = r"(?:^|(?<=[,.!?~…\n]))(?P<own>\s*(?:(?:나|저|내|제|나의|저의|나는|저는|난|전)\s)?)"
_IN_SHORT: Final = re.compile(
    r"(?P<value>[가-힣A-Za-z0-9]{1,12}?)(?:이)?라고\s?(?:할|말할|볼)\s?수\s?있(?:지|죠|어|어요|겠다|겠지|겠네|습니다|음|다)"
    rf"(?:요)?{_END}"
)
_IN_YO: Final = re.compile(rf"(?P<value>[가-힣A-Za-z0-9]{{1,12}}?)(?:이)?(?<![예에세])요{_END}")
_LAST: Final = re.compile(rf"(?P<value>[가-힣A-Za-z0-9]{{2,12}}?)(?:지)?{_END}")
#: what follows a label and makes one thing with it: 취미 생활, 별명 부자
COMPOUND: Final = frozenset(
    "부자 얘기 이야기 생활 추천 짓기 변경 공개 모음 투표 공모 비밀 하나 때문 생각 집 친구 수업 시험 조심 시즌 활동 "
    "모임 센스 없음 있음 많음 만족도 때 끝 시작 자랑 유래 뜻 값 콤플렉스 문제 관련 관리 정리 확인 소개 공유 대회 "
    "달기 상담 음식 책 검사 시급 교육 훈련 체험 선택 고민 적성".split()
)
_NO_NAME: Final = re.compile(
    r"없|몰라|모르|비밀|글쎄|그런\s거|말이(?:야|에요)|(?<![가-힣])(?:왜|뭐|어디|누구|언제|이런|그거|그걸)"
)
_IT_IS: Final = r"(?:좋아하는|싫어하는|무서워하는|잘하는)(?=\s[건게]\s)"
_INTO: Final = re.compile(r"(?<![가-힣])(?P<into>빠진|꽂힌)\s건(?=\s)")  #: 건 is taken for a verb: 꽂힌 건 마라샹궈
_LONGEST: Final = 5  #: words of a value


def announced(text: str) -> str:
    """Return `text` with labels that are asked for, announced or named without a particle put plainly."""
    text = _INTO.sub(r"\g<into> 거는", text)
    if _label().search(text) is None:
        return text
    for announcing in _announcing():
        text = announcing.sub(_plain, text)
    text = _afterwards().sub(lambda said: _turned(said), text)
    text = _run().sub(_each_plain, text)
    text = _bare().sub(_plain_if_fitting, text)
    return "".join(_with_copula(stretch) for stretch in re.split(r"(?<=[,.!?~…\n])", text))


@cache
def _labels() -> str:
    """Every phrase that names an attribute, as a pattern."""
    known = patterns()
    liked = rf"(?:(?:최애|인생|원픽)\s?|(?:좋아하는|애정하는|아끼는)\s)(?:{_either(known.by_favourite)})"
    plain = _either(label for label in known.by_label if label not in _BROAD)
    return rf"(?:(?:제일|가장|젤)\s)?(?:{_THINGS}|{liked})|{plain}"


def _either(words: Iterable[str]) -> str:
    return "|".join(map(re.escape, sorted(words, key=len, reverse=True)))


@cache
def _label() -> re.Pattern[str]:
    return re.compile(rf"{_BEGIN}(?:{_labels()}|{_IT_IS}|(?:{_either(patterns().by_favourite)})(?:은|는)\s)")


@cache
def _announcing() -> tuple[re.Pattern[str], ...]:
    had = _either(label for label, pattern in patterns().by_label.items() if pattern.attribute in _ASKED_FOR)
    return (
        *(re.compile(rf"{_BEGIN}(?P<label>{_labels()}){how}{_VALUE}") for how in _HOW),
        re.compile(rf"{_BEGIN}(?P<label>{had}){_THERE_IS}{_VALUE}"),
    )


@cache
def _afterwards() -> re.Pattern[str]:
    """감자, 내 별명: the label comes last."""
    return re.compile(
        rf"(?:^|(?<=[.!?\n]))(?P<blank>\s*)(?P<value>[^\s,.!?~…]{{2,10}}?)(?:이?요)?,\s(?P<label>(?:내|제)\s(?:{_labels()})){_END}"
    )


@cache
def _run() -> re.Pattern[str]:
    """이름 박서준 나이 스물다섯: one label after the other, each with its word."""
    return re.compile(rf"(?:^|(?<=[,.!?~…\n]))(?:\s*(?:{_labels()})\s[^\s,.!?~…]+){{2,}}{_END}")


@cache
def _pair() -> re.Pattern[str]:
    return re.compile(rf"(?P<label>{_labels()})\s(?P<value>[^\s,.!?~…]+)")


@cache
def _bare() -> re.Pattern[str]:
    return re.compile(rf"{_OWN}(?P<label>{_labels()})\s{_VALUE}")


@cache
def _told() -> re.Pattern[str]:
    named = rf"{_labels()}|{_either(patterns().by_favourite)}|{_IT_IS}"
    return re.compile(rf"{_BEGIN}(?:{named})(?P<particle>은|는|이|가|\s[건게])?\s")


def _plain(said: re.Match[str]) -> str:
    """취미? 글쎄 체스 becomes 취미는 체스."""
    value = _without_ending(without_fillers(said["value"]))
    return f"{josa(said['label'], '은/는')} {value}" if value and _is_name(value) else said[0]


def _without_ending(value: str) -> str:
    """베프? 당연 정호지 names 정호; 강아지 is a word."""
    noun = value.removesuffix("지")
    if noun == value or len(noun) < 2 or taste_words().kind_of(value):
        return value
    last = analyse(value)[-1]
    return noun if last.tag == "EF" or not last.known else value


def _turned(said: re.Match[str]) -> str:
    return f"{said['blank']}{_plain(said).strip()}"


def _each_plain(run: re.Match[str]) -> str:
    pairs = list(_pair().finditer(run[0]))
    if not all(_is_name(pair["value"]) and pair["value"] not in COMPOUND for pair in pairs):
        return run[0]
    return ", ".join(f"{josa(pair['label'], '은/는')} {pair['value']}" for pair in pairs)


def _plain_if_fitting(said: re.Match[str]) -> str:
    """취미 체스 becomes 취미는 체스; 취미 생활 is one thing."""
    if not _fits(said["label"], said["value"].strip()):
        return said[0]
    return f"{said['own']}{josa(said['label'], '은/는')} {said['value']}"


def _fits(label: str, value: str) -> bool:
    """Whether `value` can only be what `label` asks for."""
    pattern = patterns().by_label.get(label)
    if pattern is None or value in COMPOUND:
        return False
    match pattern.attribute:
        case "hobby":
            return ways().is_pastime(value)
        case "nickname":
            return " " not in value and len(value) <= 6 and may_nickname(value) and _is_noun(value)
        case "allergy":
            return lexicon().class_of.get(value) in ("food", "drink", "animal", "medicine")
        case "part_time_job":
            return value in signals("part_time", "places")
        case _:
            return False


def _with_copula(stretch: str) -> str:
    """Return `stretch` with a plain 이다 where 요 or nothing stands: 취미는 뜨개질이요, 색은 무조건 보라."""
    label = _told().search(stretch)
    if label is None:
        return stretch
    for ending in (_IN_SHORT, _IN_YO, _LAST):
        said = ending.search(stretch, label.end())
        if said is None or not _is_name(stretch[label.end() : said.start("value")]):
            continue
        marked = label["particle"] is not None and _is_noun(said["value"])
        mistaken = ending is _LAST and _is_mistaken(stretch, label[0], said)
        if mistaken or (ending is not _LAST and marked):
            end = said.end("value") + said[0].removesuffix("요").endswith(CALLED)
            return f"{stretch[:end]}임{stretch[said.end() :]}"
    return stretch


def _is_mistaken(stretch: str, label: str, said: re.Match[str]) -> bool:
    """Whether a known thing is taken for a verb or an adverb, or for another word with its ending: 보라, 젤다지."""
    value, cut = said["value"], [word for word in words_of(stretch) if word.start >= said.start("value")]
    if cut and cut[0].nominal and cut[0].bare == value:
        return False
    kind = taste_words().kinds.get(value) or lexicon().class_of.get(value)
    named = (each for noun, each in patterns().by_favourite.items() if noun in label)
    return kind is not None and any(each.attribute == f"favorite.{kind}" for each in named)


def _is_noun(value: str) -> bool:
    known = taste_words().kind_of(value)
    nominal = all(part.tag[0] in "NX" or part.tag in ("SL", "SN") for part in analyse(value))
    return bool(value) and (nominal or bool(known))


def _is_name(value: str) -> bool:
    """Whether `value` names something, with no more than a copula after it."""
    words = value.split()
    if _NO_NAME.search(value) or len(words) > _LONGEST or (words and words[-1] in patterns().by_label):
        return False
    said = clauses(value)
    return all(each.predicate is None or each.predicate.form == "copula" or each.head is not None for each in said)
