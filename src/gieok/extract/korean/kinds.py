"""Names by their kind: 망원동 is a place, 부경대 a school, 국민은행 a company, 컴공 a subject one studies."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Final

from gieok.extract.korean.lexicon import lexicon

_WORD: Final = re.compile(r"^[가-힣A-Za-z0-9&+]{1,14}$")
_MOST_WORDS: Final = 3
#: what may follow a name inside its word: a copula, a particle
_TAIL: Final = re.compile(
    r"(?:이에요|예요|에요|이예요|입니다|임|이라고|라고|이라니까|라니까|이야|야|인데|이라서?|라서?|이고|고요?|이거든요?|거든요?|이다|다|이지|지|이네요?|네요?|이죠|죠|이며|며|이요|요|여|이여"
    r"|인|에|에만|만|에서만|에서|로|으로|은|는|이|가|을|를|도|엔|에는)?[,~ㅋㅎㅠㅜ!]*$"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """A kind of name: known ones, and the syllables the others end in."""

    names: frozenset[str]
    endings: tuple[str, ...]
    no: frozenset[str]  #: words that only look like it
    least: int  #: syllables of a name that is known by its ending only

    def fits(self, word: str) -> bool:
        if word in self.names:
            return True
        if word in self.no or len(word) < self.least or not _WORD.match(word):
            return False
        return word.endswith(self.endings)


@cache
def _raw() -> Mapping[str, Mapping[str, str]]:
    return tomllib.loads(files(__package__).joinpath("kinds.ko.toml").read_text(encoding="utf-8"))


@cache
def _kind(name: str) -> Kind:
    table = _raw()[name]
    least = {"place": 3, "school": 3, "company": 3, "major": 3}[name]
    names = frozenset(table["names"].split()) | frozenset(table.get("countries", "").split())
    endings = tuple(table["endings"].split())
    return Kind(names=names, endings=endings, no=frozenset(table["no"].split()), least=least)


def is_place(word: str) -> bool:
    return _kind("place").fits(word)


def is_school(word: str) -> bool:
    if not _kind("school").fits(word) or lexicon().is_job(word):
        return False
    if _JOINING.search(word) and not word.endswith("여고"):
        return False
    return not (word[0].isdigit() or word.endswith("십대"))


_JOINING: Final = re.compile(
    r"[었았였했겠라하다이되보먹가오치타살있없같놓두주내쓰말나지리키시으려자냐여서남듣찍받입찾알읽웃울걷싸사파추꾸우]고$|[는한던갈올할될인은]중$|[한인간는]대$"
)


def is_company(word: str) -> bool:
    return _kind("company").fits(word)


def is_country(word: str) -> bool:
    return word in _countries()


@cache
def _countries() -> frozenset[str]:
    return frozenset(_raw()["place"]["countries"].split())


@cache
def _short_majors() -> Mapping[str, str]:
    words = _raw()["major"]["short"].split()
    return dict(zip(words[::2], words[1::2], strict=True))


def major_of(word: str) -> str | None:
    """Return the subject: 컴공과 → 컴퓨터공학, 법학과 → 법학, 무용과 → 무용."""
    known = _kind("major")
    for bare in (word, word.removesuffix("학부"), word.removesuffix("과")):
        if bare in _short_majors():
            return _short_majors()[bare]
        if known.fits(bare):
            return bare
    return None


def short_major(word: str) -> str | None:
    """Return what 컴공 or 신방과 is short for."""
    return _short_majors().get(word) or _short_majors().get(word.removesuffix("과"))


def department_of(word: str) -> str | None:
    """Return the subject of a word that can only be a department: 법학과, 컴공; not 수학."""
    named = word in _short_majors() or word.endswith(("과", "학부", "공학"))
    return major_of(word) if named else None


def _job(words: Sequence[str]) -> str | None:
    for size in range(min(len(words), _MOST_WORDS), 0, -1):
        said = words[-size:]
        if lexicon().is_job("".join(said)) and all(_WORD.match(word) for word in said) and not _idle(said[:-1]):
            return " ".join(said)
    return None


def _idle(words: Sequence[str]) -> bool:
    """Words that say nothing of the work: 우리 애 디자이너, 지금 교사."""
    return any(word in _IDLE or word.endswith(_IDLE_ENDINGS) for word in words)


_IDLE: Final = frozenset(
    "나 저 난 전 내 제 우리 저희 애 지금 현재 현직 요즘 이제 그냥 원래 사실 진짜 아직 벌써 올해 "
    "작년 평생 낮엔 낮에 밤에 같은 무슨 신입 베테랑 평범 흔한 일개 어쩌다 집 저희집".split()
)
_IDLE_ENDINGS: Final = (
    "은",
    "는",
    "이",
    "가",
    "도",
    "에",
    "서",
    "고",
    "데",
    "의",
    "를",
    "을",
    "로",
    "차",
    "째",
    "한",
    "만",
    "때",
    "다",
    "요",
    "지",
    "년",
    "라",
    "엔",
    "해",
)


_HOUSING: Final = frozenset("아파트 빌라 원룸 투룸 오피스텔 주공 단독주택 주택 신도시 근처 쪽".split())
_CAMPUSES: Final = ("캠", "캠퍼스", "에리카", "율전", "글로벌", "죽전", "조치원", "국제")


def _school(words: Sequence[str]) -> str | None:
    """Return the school that `words` end in; a campus may follow it: 한양대 에리카."""
    while len(words) > 1 and words[-1].endswith(_CAMPUSES):
        words = words[:-1]
    return words[-1] if words and is_school(words[-1]) else None


def _places(words: Sequence[str]) -> str | None:
    """Return the place that `words` end in, with the larger ones before it: 마포구 망원동."""
    if len(words) > 1 and words[-1] in _HOUSING:
        words = words[:-1]
    if not words or not is_place(words[-1]):
        return None
    start = len(words) - 1
    while start and len(words) - start < _MOST_WORDS and is_place(words[start - 1]):
        start -= 1
    return " ".join(words[start:])


_PARTICLE: Final = re.compile(r"(?<=[가-힣]{2})(?:은|는|이|가|을|를|에|에서|도)$")
_FIRMS: Final = frozenset("법무법인 회계법인 세무법인 노무법인 특허법인 주식회사 의료법인 재단법인 사단법인".split())


def _company(words: Sequence[str]) -> str | None:
    if len(words) > 1 and words[-2] in _FIRMS and _WORD.match(words[-1]):
        return f"{words[-2]} {_PARTICLE.sub('', words[-1])}"
    if not words or not is_company(words[-1]):
        return None
    part = len(words) > 1 and (is_company(words[-2]) or is_place(words[-2]) or words[-2] in ("동네", "작은"))
    return " ".join(words[-2:]) if part else words[-1]


def _last(fits: Callable[[str], bool]) -> Callable[[Sequence[str]], str | None]:
    return lambda words: words[-1] if words and fits(words[-1]) else None


def _employer(words: Sequence[str]) -> str | None:
    """A company that nobody goes to but those who work there: not 치과 다녀."""
    value = _company(words)
    return (
        value if value is not None and (words[-1] in _kind("company").names or not value.endswith(_SERVING)) else None
    )


_SERVING: Final = tuple(
    (
        "학원 병원 의원 치과 한의원 안과 피부과 약국 센터 도서관 카페 식당 매장 미용실 어린이집 유치원 "
        "복지관 주민센터 은행 마트 백화점 "
        "호텔 리조트 스쿨 아카데미 박물관 미술관 공방 연구원 디자인 스튜디오"
    ).split()
)


KINDS: Final[Mapping[str, Callable[[Sequence[str]], str | None]]] = {
    "place": _places,
    "town": lambda words: None if words and is_country(words[-1]) else _places(words),
    "country": _last(is_country),
    "school": _school,
    "company": _company,
    "employer": _employer,
    "job": _job,
    "major": lambda words: major_of(words[-1]) if words else None,
    "department": lambda words: department_of(words[-1]) if words else None,
}


def leading(kind: str, text: str) -> tuple[str, int] | None:
    """Return the name of `kind` that `text` opens with, and where it ends; its copula or particle is left out."""
    words: list[str] = []
    at = 0
    best: tuple[str, int] | None = None
    for word in text.split(" ")[:_MOST_WORDS]:
        for end in range(len(word), 0, -1):
            if word[:end] in lexicon().class_of:
                break  # 우리 집 고양이: no town of that name
            value = KINDS[kind]([*words, word[:end]]) if _TAIL.match(word, end) else None
            if value is not None and (not words or value.startswith(words[0])):
                best = (value, at + end)
                break
        words.append(word)
        at += len(word) + 1
    return best
