"""Values as people say them, and what they mean: 스물다섯 살 is 25, 인프피 is INFP, five foot two is 157.

`value_of` takes the words that were marked as the value of an attribute. A number, a day or one of few values is
normalised; everything else is kept as it was said, without particles and marks around it.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Final

from gieok.domain.personal import masks_of
from gieok.extract import english_measures as english
from gieok.language.data_files import data_file
from gieok.language.morphemes import analyse
from gieok.language.numerals import find_month_days, find_numbers, read_number
from gieok.language.text import has_hangul


@dataclass(frozen=True, slots=True)
class Value:
    """A value, normalised, and how it reads in a sentence."""

    value: str
    shown: str


_AGE: Final = re.compile(r"(?P<number>[가-힣\d\s.]{1,8}?)\s?(?:살|세)")
_BIRTH_YEAR: Final = re.compile(r"(?P<year>(?:19|20)\d{2}|\d{2}|[공영일이삼사오육칠팔구]{2})(?:\s?년)?(?:\s?생)?")
_MBTI: Final = re.compile(r"(?<![A-Za-z])([EI])[\s.,-]?([NS])[\s.,-]?([TF])[\s.,-]?([JP])(?![A-Za-z])", re.IGNORECASE)
_BLOOD: Final = re.compile(r"(?<![A-Za-z가-힣])(AB|A|B|O|에이비|에이|비|오)(?![A-Za-z])", re.IGNORECASE)
_BLOOD_NAMES: Final = {"에이비": "AB", "에이": "A", "비": "B", "오": "O"}
_METRES: Final = re.compile(r"(?P<metres>[12])\s?(?:m|미터|메타|\.)\s?(?P<rest>\d{1,2})", re.IGNORECASE)
_PHONE: Final = re.compile(rf"{'|'.join(map(re.escape, masks_of('phone')))}|\+?\d[\d ()./-]{{5,18}}\d")
_MASKED: Final = frozenset({*masks_of("phone"), *masks_of("address")})
_GRADE: Final = re.compile(r"(?P<school>초|중|고)\s?(?P<year>[1-6])")
_FESTIVALS: Final = {
    "새해 첫날": (1, 1), "신정": (1, 1), "발렌타인데이": (2, 14), "밸런타인데이": (2, 14), "삼일절": (3, 1),
    "화이트데이": (3, 14), "만우절": (4, 1), "식목일": (4, 5), "노동절": (5, 1), "근로자의 날": (5, 1),
    "어린이날": (5, 5), "어버이날": (5, 8), "스승의 날": (5, 15), "스승의날": (5, 15), "현충일": (6, 6),
    "제헌절": (7, 17), "광복절": (8, 15), "개천절": (10, 3), "한글날": (10, 9),
    "할로윈": (10, 31), "핼러윈": (10, 31), "빼빼로데이": (11, 11),
    "크리스마스이브": (12, 24), "크리스마스": (12, 25), "성탄절": (12, 25), "칠석": (7, 7),
}  # fmt: skip
_EDGES: Final = " .,!?~…\"'“”‘’()[]*:;·ㅋㅎㅠㅜ"
_PARTICLE: Final = frozenset("JKS JKC JKG JKO JKB JKV JKQ JX VCP EF EC EP".split())
_COUNTING: Final = frozenset("NR SN NNB MM SW SP SF JX JKB JKO JKS".split())
_TIMES: Final = frozenset("오전 오후 새벽 아침 점심 저녁 밤 낮 매일 시간 주말 평일 오늘 내일 어제 이번 다음".split())
_ON_THE_SIDE: Final = re.compile(r"\s*(?:아르바이트|알바)(?:생)?$|\s+part[- ]time job$", re.IGNORECASE)
_HOW_MANY: Final = re.compile(r"\s*(?:[한두세네]|다섯|\d+)\s?마리$|^(?:two|three|four|five|\d+)\s", re.IGNORECASE)
_ARTICLE: Final = re.compile(r"^(?:a|an|the|my|our|some)\s+", re.IGNORECASE)
#: attributes whose words tell it all: the value is the sentence
TOLD: Final = frozenset(
    "event milestone timeline plan promise todo decision constraint boundary trauma opinion note trait goal "
    "dream".split()
)


def value_of(attribute: str, said: str) -> Value | None:
    """Return what `said` means as a value of `attribute`; None if it is no such value."""
    if said in _MASKED:
        return Value(said, said)
    said = said.strip(_EDGES)
    if not said:
        return None
    if attribute in _MEASURED:
        return _MEASURED[attribute](said)
    table = attribute if has_hangul(said) else f"{attribute}_en"
    few = _few().get(table) or _few().get(attribute) if attribute in _few() else None
    if few is not None:
        return next((Value(value, value) for value, words in few if any(word in said.lower() for word in words)), None)
    if attribute in ("name", "nickname"):
        return _name(said)
    kept = _bare(said)
    if attribute == "part_time_job":
        kept = _ON_THE_SIDE.sub("", kept) or kept
    if attribute == "pet":
        kept = _HOW_MANY.sub("", kept) or kept
    kept = _same().get(kept.casefold(), kept)
    if kept.casefold() in _tables()["empty"].get(attribute, ()) or not _names_something(kept):
        return None
    return Value(kept, kept)


def is_one_of_few(attribute: str) -> bool:
    """Whether an attribute has one of a few values, which are told in many words: 장가갔어."""
    return attribute in _few()


#: asks about a day, or about when it was
_PASSING: Final = re.compile(r"주말|오늘|어제|내일|지금|요즘|때|부터|까지|today|yesterday|weekend", re.IGNORECASE)


def asked_for(question: str) -> str:
    """Return the attribute that a question asks for: 몇 살이에요? asks for "age"; "" if its words do not say."""
    if _PASSING.search(question):
        return ""
    return next((key for key, words in _asked() if words.search(question)), "")


def _names_something(said: str) -> bool:
    """Whether it is more than a number or a time of day: 오후 두 시 is no habit, 셋 no family."""
    if not has_hangul(said):
        return not said.replace(".", "").isdigit()
    parts = analyse(said)
    word = len(parts) == 1 and len(said) > 1 and parts[0].form not in _TIMES and parts[0].tag == "NNB"  # a name: 루피
    return word or any(part.tag not in _COUNTING and part.form not in _TIMES for part in parts)


def kind_of(value: str) -> str | None:
    """Return what kind of thing a value names: 고양이 and 우리 고양이 name an "animal"."""
    words = value.casefold().split()
    return next((_kinds()[each] for each in (" ".join(words), *words[-1:]) if each in _kinds()), None)


def _bare(said: str) -> str:
    """Return what is named, without articles before it and particles after it."""
    if not has_hangul(said):
        return _ARTICLE.sub("", said)
    end = len(said)
    for part in reversed(analyse(said)):
        if (
            part.tag not in _PARTICLE
            or part.start == 0
            or (said[part.start : part.end] == "이" and part.end == end - 1)
        ):
            break
        if part.tag in ("EC", "EP", "EF") and not any(each.tag == "VCP" for each in analyse(said)):
            break  # 잠들기 전 산책하기 is no noun with a particle
        end = part.start
    return said[:end].strip(_EDGES) or said


def _name(said: str) -> Value | None:
    if not has_hangul(said):
        return Value(said, said) if len(said) <= 40 else None
    name = said.split()[-1] if len(said.split()) < 3 else said
    name = re.sub(r"(?:이라고|라고|이라|이야|이에요|예요|입니다|씨|님)$", "", name)
    if len(name) >= 3 and name.endswith("이") and (ord(name[-2]) - 0xAC00) % 28 and "가" <= name[-2] <= "힣":
        name = name[:-1]  # 유빈이: the 이 is only there to be said more easily
    return Value(name, name) if name else None


def _age(said: str) -> Value | None:
    number: int | None
    if has_hangul(said):
        unit = _AGE.search(said)
        number = _number(unit["number"] if unit else said) if said != "반오십" else 25
    else:
        digits = re.search(r"\d{1,3}", english.in_figures(said))
        number = int(digits[0]) if digits else None
    return Value(str(number), str(number)) if number is not None and 0 < number <= 120 else None


def _number(said: str) -> int | None:
    digits = re.search(r"\d{1,15}", said)
    if digits is not None:
        return int(digits[0])
    found = read_number(said.strip())
    if found is None:
        several = find_numbers(said.strip())
        found = several[-1].value if several else None
    return found


def _birth_year(said: str) -> Value | None:
    if not has_hangul(said) and not said.isdigit():
        year = english.year_of_birth(said)
        return Value(year, year) if year else None
    found = _BIRTH_YEAR.search(said)
    if found is None:
        return None
    digits = found["year"]
    if not digits.isdigit():
        digits = "".join(str("공일이삼사오육칠팔구".index(each)) for each in digits.replace("영", "공"))
    year_number = int(digits)
    if year_number < 100:
        year_number += 1900 if year_number > 30 else 2000
    return Value(str(year_number), f"{year_number}년" if has_hangul(said) else str(year_number))


def _birthday(said: str) -> Value | None:
    if not has_hangul(said):
        day = english.month_day(said)
        return Value(day, day) if day else None
    days = find_month_days(said)
    festival = max((name for name in _FESTIVALS if name in said), key=len, default=None)
    if not days and festival is None:
        return None
    month, of_month = (days[0].month, days[0].day) if days else _FESTIVALS[festival or ""]
    return Value(f"{month:02d}-{of_month:02d}", f"{month}월 {of_month}일")


def _mbti(said: str) -> Value | None:
    latin = _MBTI.search(said)
    kind = "".join(latin.groups()).upper() if latin else None
    kind = kind or next((each for each, words in _few()["mbti"] if any(word in said for word in words)), None)
    return Value(kind, kind) if kind else None


def _blood(said: str) -> Value | None:
    found = _BLOOD.search(said)
    if found is None:
        return None
    kind = _BLOOD_NAMES.get(found[1], found[1].upper())
    return Value(kind, f"{kind}형" if has_hangul(said) else kind)


def _height(said: str) -> Value | None:
    metres = _METRES.search(said)
    if metres is not None:
        number: int | None = int(metres["metres"]) * 100 + int(metres["rest"].ljust(2, "0"))
    else:
        number = _number(said) if has_hangul(said) or said.isdigit() else english.centimetres(said.casefold())
    return Value(str(number), str(number)) if number is not None and 30 <= number <= 250 else None


def _weight(said: str) -> Value | None:
    if not has_hangul(said) and not re.fullmatch(r"[\d.]+(?:\s?kg)?", said, re.IGNORECASE):
        kilos = english.kilos(said.casefold())
        return Value(kilos, kilos) if kilos else None
    decimal = re.search(r"\d{1,3}(?:\.\d{1,2})?", said)
    number = decimal[0] if decimal else str(_number(said) or "")
    return Value(number, number) if number else None


def _phone(said: str) -> Value | None:
    found = _PHONE.search(said)
    return Value(found[0], found[0]) if found else None


def _job(said: str) -> Value | None:
    grade = _GRADE.fullmatch(said)
    if grade is not None:
        pupil = {"초": "초등학생", "중": "중학생", "고": "고등학생"}[grade["school"]]
        return Value(pupil, pupil)
    kept = _bare(said)
    return Value(kept, kept) if kept else None


_MEASURED: Final[dict[str, Callable[[str], Value | None]]] = {
    "age": _age,
    "birth_year": _birth_year,
    "birthday": _birthday,
    "mbti": _mbti,
    "blood_type": _blood,
    "height": _height,
    "weight": _weight,
    "phone": _phone,
    "job": _job,
}


@cache
def _tables() -> dict[str, dict[str, list[str]]]:
    """Return the tables of words; each value has some."""
    raw = data_file("values.toml", "gieok.extract")
    return {
        name: {value: [word.replace("_", " ") for word in words.split()] for value, words in table.items()}
        for name, table in raw.items()
        if name not in ("english", "asked")
    }


@cache
def _few() -> dict[str, list[tuple[str, list[str]]]]:
    """Return the attributes with few values, and the words for each."""
    return {name: list(table.items()) for name, table in _tables().items() if name not in ("kinds", "same", "empty")}


@cache
def _asked() -> list[tuple[str, re.Pattern[str]]]:
    asked = data_file("values.toml", "gieok.extract")["asked"]
    return [(key, re.compile(each, re.IGNORECASE)) for key, each in asked.items()]


@cache
def _kinds() -> dict[str, str]:
    return {word: kind for kind, words in _tables()["kinds"].items() for word in words}


@cache
def _same() -> dict[str, str]:
    return {word: value for value, words in _tables()["same"].items() for word in words}
