"""Values as people say them, and what they mean: 스물다섯 살 is 25, 인프피 is INFP, 화이트데이 다음날 is 03-15.

Each kind of value has a reader: it takes the words of a phrase and returns the value, or None if they
are no such value.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from gieok.domain.personal import masks_of
from gieok.extract.korean import gendered
from gieok.extract.korean.lexicon import lexicon
from gieok.language.numerals import find_month_days, find_numbers, read_number


@dataclass(frozen=True, slots=True, kw_only=True)
class Value:
    """A value, normalised, and how it reads in a sentence."""

    value: str
    shown: str
    surface: str
    alone: bool = True  #: whether it says by itself what it is ("INFP", "A형", "스물다섯 살")


Reader = Callable[[str], Value | None]

_MOST_DIGITS: Final = 15  #: of a number that somebody means; Python refuses to read one of thousands
_AGE: Final = re.compile(r"(?:만\s?|올해\s?)?(?P<number>[가-힣\d\s]{1,8}?)\s?(?P<unit>살|세)(?:\s?(?:먹|짜리))?")
_BIRTH_YEAR: Final = re.compile(r"(?P<year>(?:19|20)?\d{2})\s?년\s?생")
_BARE_YEAR: Final = re.compile(r"(?P<year>(?:19|20)\d{2}|\d{2}|[공영일이삼사오육칠팔구]{2})(?:\s?년)?$")
_MBTI: Final = re.compile(r"(?<![A-Za-z])([EI])[\s.,-]?([NS])[\s.,-]?([TF])[\s.,-]?([JP])(?![A-Za-z])", re.IGNORECASE)
_BLOOD: Final = re.compile(
    r"(?<![A-Za-z가-힣])(?P<type>AB|A|B|O|에이비|에이|비|오)\s?형(?!제|님|편|태|식|\s?간염)", re.IGNORECASE
)
_BLOOD_NAMES: Final = {"에이비": "AB", "에이": "A", "비": "B", "오": "O"}
_METRES: Final = re.compile(
    r"(?P<metres>[12])\s?(?:m|미터|메타)\s?(?P<rest>\d{1,2})?(?:\s?(?:cm|센티(?:미터)?))?", re.IGNORECASE
)
_DECIMAL_METRES: Final = re.compile(r"(?<!\d)([12])\.(\d{1,2})\s?(?:m|미터)", re.IGNORECASE)
_CENTIMETRES: Final = re.compile(r"(?P<number>[가-힣\d\s.]{1,8}?)\s?(?:cm|센치|센티(?:미터)?|센찌)", re.IGNORECASE)
_KILOS: Final = re.compile(r"(?P<number>[가-힣\d\s.]{1,8}?)\s?(?:kg|키로|킬로(?:그램)?)", re.IGNORECASE)
_PHONE: Final = re.compile(rf"{'|'.join(map(re.escape, masks_of('phone')))}|\d{{2,4}}[-.\s]?\d{{3,4}}[-.\s]?\d{{4}}")
_DAY_AFTER: Final = re.compile(
    r"\s?(?P<shift>다음\s?날|다음\s?다음\s?날|전날|하루\s?(?:전|뒤|후)|이틀\s?(?:전|뒤|후)|이브)"
)
_NAME: Final = re.compile(r"^[가-힣]{1,5}$|^[A-Za-z]{2,20}$")
_NATIVE: Final = re.compile(r"(?:만\s?)?(?:열|스물|스무|서른|마흔|쉰|예순|일흔|여든|아흔)")
_TRAILING: Final = re.compile(r"(?:\s?(?:정도|쯤|이상|이하|밖에|같은 거|등등|등|위주|중|씨|님))+$")

FESTIVALS: Final = {
    "새해 첫날": (1, 1), "신정": (1, 1), "발렌타인데이": (2, 14), "밸런타인데이": (2, 14), "삼일절": (3,
    1), "화이트데이": (3, 14),
    "만우절": (4, 1), "식목일": (4, 5), "블랙데이": (4, 14), "노동절": (5, 1), "근로자의 날": (5, 1),
    "어린이날": (5, 5),
    "어버이날": (5, 8), "스승의 날": (5, 15), "스승의날": (5, 15), "현충일": (6, 6), "제헌절": (7, 17),
    "광복절": (8, 15),
    "개천절": (10, 3), "한글날": (10, 9), "할로윈": (10, 31), "핼러윈": (10, 31), "빼빼로데이": (11, 11),
    "크리스마스이브": (12, 24),
    "크리스마스": (12, 25), "성탄절": (12, 25), "칠월 칠석": (7, 7), "칠석": (7, 7), "사월 초파일": (4, 8),
}  # fmt: skip
FESTIVAL: Final = re.compile("|".join(sorted(FESTIVALS, key=len, reverse=True)))
_MONTH_DAYS: Final = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
_SHIFTS: Final = {
    "다음날": 1,
    "다음다음날": 2,
    "전날": -1,
    "하루전": -1,
    "하루뒤": 1,
    "하루후": 1,
    "이틀전": -2,
    "이틀뒤": 2,
    "이틀후": 2,
    "이브": -1,
}


def age(text: str) -> Value | None:
    said = _AGE.search(text)
    if said is not None:
        number = read_number(said["number"].strip()) or _adjoining_number(said["number"])
        if number is not None and 0 < number <= 120:
            return Value(value=str(number), shown=str(number), surface=said[0].strip())
        return None
    if text == "반오십":
        return Value(value="25", shown="25", surface=text)
    number = read_number(text)
    if number is None or not 1 <= number <= 120:
        return None
    native = number >= 10 and _NATIVE.match(text) is not None
    return Value(value=str(number), shown=str(number), surface=text, alone=native)


def birth_year(text: str) -> Value | None:
    said = _BIRTH_YEAR.search(text) or _BARE_YEAR.match(text.strip())
    if said is None:
        return None
    if not said["year"].isdigit():
        year = int(
            "".join(str("공일이삼사오육칠팔구".index(syllable)) for syllable in said["year"].replace("영", "공"))
        )
        year += 1900 if year > 30 else 2000
        return Value(value=str(year), shown=f"{year}년", surface=said[0], alone=False)
    year = int(said["year"])
    if year < 100:
        year += 1900 if year > 30 else 2000
    return Value(value=str(year), shown=f"{year}년", surface=said[0], alone="생" in said[0])


def month_day(text: str) -> Value | None:
    days = find_month_days(text)
    if days:
        month, day, surface = days[0].month, days[0].day, text[days[0].start : days[0].end]
    else:
        festival = max(FESTIVAL.findall(text), key=len, default=None)
        if festival is None:
            return None
        month, day = FESTIVALS[festival]
        surface = festival
        shift = _DAY_AFTER.match(text, text.index(festival) + len(festival))
        if shift is not None:
            month, day = _shifted(month, day, _SHIFTS[re.sub(r"\s", "", shift["shift"])])
            surface += shift[0]
    return Value(value=f"{month:02d}-{day:02d}", shown=f"{month}월 {day}일", surface=surface, alone=False)


def _shifted(month: int, day: int, days: int) -> tuple[int, int]:
    day += days
    if day < 1:
        month = month - 1 or 12
        return month, _MONTH_DAYS[month - 1] + day
    if day > _MONTH_DAYS[month - 1]:
        return month % 12 + 1, day - _MONTH_DAYS[month - 1]
    return month, day


def mbti(text: str) -> Value | None:
    latin = _MBTI.search(text)
    if latin is not None:
        kind = "".join(latin.groups()).upper()
        return Value(value=kind, shown=kind, surface=latin[0])
    for said, kind in lexicon().mbti.items():
        if said in text:
            return Value(value=kind, shown=kind, surface=said)
    return None


def blood(text: str) -> Value | None:
    said = _BLOOD.search(text)
    if said is not None:
        kind = _BLOOD_NAMES.get(said["type"], said["type"].upper())
        return Value(value=kind, shown=f"{kind}형", surface=said[0])
    bare = text.strip().upper()
    return Value(value=bare, shown=f"{bare}형", surface=text, alone=False) if bare in ("A", "B", "O", "AB") else None


def height(text: str) -> Value | None:
    decimal = _DECIMAL_METRES.search(text)
    if decimal is not None:
        number: int | None = int(decimal[1]) * 100 + int(decimal[2].ljust(2, "0"))
        return _measured(number, range(100, 231), decimal[0], alone=True)
    metres = _METRES.search(text)
    if metres is not None and metres["rest"]:
        return _measured(int(metres["metres"]) * 100 + int(metres["rest"]), range(100, 231), metres[0], alone=True)
    said = _CENTIMETRES.search(text)
    if said is not None:
        return _measured(_whole(said["number"]), range(100, 231), said[0], alone=True)
    return _measured(_whole(text), range(100, 231), text, alone=False)


def weight(text: str) -> Value | None:
    said = _KILOS.search(text)
    if said is not None:
        return _measured(_whole(said["number"]), range(25, 251), said[0], alone=False)
    return _measured(_whole(text), range(25, 251), text, alone=False)


def _measured(number: int | None, within: range, surface: str, *, alone: bool) -> Value | None:
    if number is None or number not in within:
        return None
    return Value(value=str(number), shown=str(number), surface=surface.strip(), alone=alone)


def _whole(text: str) -> int | None:
    digits = re.search(r"\d+", text)
    if digits is not None:
        return int(digits[0]) if len(digits[0]) <= _MOST_DIGITS else None
    return read_number(text.strip()) or _last_number(text)


def _adjoining_number(text: str) -> int | None:
    """Return the number that `text` ends in: 스물 of "올해 스물", none of "2터미널 면" before 세."""
    found = find_numbers(text.rstrip())
    return found[-1].value if found and found[-1].end >= len(text.rstrip()) else None


def _last_number(text: str) -> int | None:
    found = find_numbers(text.strip())
    return found[-1].value if found else None


def phone(text: str) -> Value | None:
    said = _PHONE.search(text)
    return Value(value=said[0], shown=said[0], surface=said[0], alone=False) if said else None


_ADDRESSED: Final = frozenset(
    "아가씨 아저씨 도련님 선생님 사장님 손님 형님 누님 장모님 며느님 공주님 왕자님 주인님".split()
)


def name(text: str) -> Value | None:
    """A person's or a pet's name: one word, a polite ending left out."""
    whole = text.split()[-1] if text.split() else ""
    last = re.sub(r"(?:씨|님)$", "", whole)
    if not _NAME.match(last) or whole in _ADDRESSED:
        return None
    if len(last) >= 3 and last.endswith("이") and _ends_in_consonant(last[:-1]):
        last = last[:-1]  # 유빈이에요: the 이 is only there to be said more easily
    return Value(value=last, shown=last, surface=last, alone=False)


def _ends_in_consonant(word: str) -> bool:
    return "가" <= word[-1] <= "힣" and (ord(word[-1]) - ord("가")) % 28 != 0


def noun(text: str) -> Value | None:
    """Whatever is named, as it is named."""
    said = _TRAILING.sub("", text.strip())
    return Value(value=said, shown=said, surface=said, alone=False) if said else None


def _of_words(words: Callable[[], frozenset[str]], *, alone: bool = True) -> Reader:
    """Return a reader for a closed set of words; the last such word of the text counts."""

    def read(text: str) -> Value | None:
        known = words()
        parts = text.split()
        for said in (text.replace(" ", ""), *reversed(parts)):
            meaning = lexicon().canonical.get(said, said)
            if said in known or meaning in known:
                return Value(value=meaning, shown=meaning, surface=said, alone=alone)
        return None

    return read


def season(text: str) -> Value | None:
    """봄, 늦가을, 한여름."""
    for said in reversed(text.split()):
        bare = said.removesuffix("파").removesuffix("철")
        if bare in lexicon().of_class("season") or (bare[:1] in "늦초한" and bare[1:] in lexicon().of_class("season")):
            return Value(value=bare, shown=bare, surface=said, alone=False)
    return None


def color(text: str) -> Value | None:
    for said in reversed(text.split()):
        if said in lexicon().of_class("color") or (said.endswith("색") and len(said) > 1):
            return Value(value=said, shown=said, surface=said, alone=False)
    return None


def hand(text: str) -> Value | None:
    """왼손잡이; a bare 왼손 only in answer to a question."""
    known = _of_words(lambda: lexicon().of_class("hand"))(text)
    if known is None or known.value.endswith("잡이"):
        return known
    return Value(value=f"{known.value}잡이", shown=f"{known.value}잡이", surface=known.surface, alone=False)


def diet(text: str) -> Value | None:
    """비건, 바나나 다이어트: the kind, with what stands before it."""
    known = _of_words(lambda: lexicon().of_class("diet"))(text)
    if known is None:
        return None
    said = text.removesuffix("식단").strip()
    whole = len(said.split()) > 1 and said.endswith(known.surface) and known.value == known.surface
    return Value(value=said, shown=said, surface=said) if whole else known


_GRADE: Final = re.compile(r"(?P<school>초|중|고)\s?(?P<year>[1-6])(?:\s?학생)?$")
_PUPILS: Final = {"초": "초등학생", "중": "중학생", "고": "고등학생"}
_LAST_YEAR: Final = {"초": 6, "중": 3, "고": 3}


def gender(text: str) -> Value | None:
    """여자, 유부남, 여고생: the last word that only one of the two is called."""
    for said in (text.replace(" ", ""), *reversed(text.split())):
        meaning = gendered.called(said)
        if meaning is not None:
            return Value(value=meaning, shown=meaning, surface=said)
    return None


def job(text: str) -> Value | None:
    grade = _GRADE.match(text)
    if grade is not None and int(grade["year"]) <= _LAST_YEAR[grade["school"]]:
        pupil = _PUPILS[grade["school"]]
        return Value(value=pupil, shown=pupil, surface=text)
    parts = text.split()
    while len(parts) > 1 and (parts[0].endswith(("살", "세")) or read_number(parts[0]) is not None):
        parts = parts[1:]  # 스물여섯 사장
    for said in ("".join(parts), *reversed(parts)):
        if lexicon().is_job(said):
            meaning = lexicon().canonical.get(said, said)
            return Value(value=meaning, shown=meaning, surface=said)
    return None


READERS: Final[dict[str, Reader]] = {
    "age": age,
    "birth_year": birth_year,
    "month_day": month_day,
    "mbti": mbti,
    "blood": blood,
    "height": height,
    "weight": weight,
    "phone": phone,
    "name": name,
    "noun": noun,
    "job": job,
    "season": season,
    "color": color,
    "animal": _of_words(lambda: lexicon().of_class("animal"), alone=False),
    "exercise": _of_words(lambda: lexicon().of_class("exercise"), alone=False),
    "gender": gender,
    "family": _of_words(lambda: lexicon().of_class("family")),
    "status": _of_words(lambda: lexicon().of_class("status")),
    "religion": _of_words(lambda: lexicon().of_class("religion")),
    "hand": hand,
    "diet": diet,
}


def normalised(kind: str, said: str) -> str:
    """Return `said` as values of `kind` are written (스물다섯 살 → 25), or as it is where the kind knows no better."""
    value = READERS[kind](said) if kind not in ("noun", "name", "job") else None
    return value.value if value is not None else said
