"""What turns a life: 할머니가 돌아가셨어, 드디어 최종 합격했어, 우리 초코가 무지개다리를 건넜어."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Final

from gieok.domain.claim import Claim
from gieok.extract.korean.intentions import AHEAD
from gieok.extract.korean.lexicon import lexicon
from gieok.extract.korean.reading import Finding
from gieok.extract.korean.telling import Part, Telling, finding
from gieok.language.clauses import Phrase, Predicate
from gieok.language.morphemes import join

_TOLD_AS_FACTS: Final = frozenset(
    "relationship_status job workplace school major residence nationality religion pet birthday birth_year "
    "allergy phobia medical_condition".split()
)
_MAKING: Final = (
    "하다", "되다", "나다", "받다", "당하다", "치르다", "성공하다", "타다", "따다", "걸리다", "시도하다", "맞다",
)  # fmt: skip
_LEADING: Final = frozenset("어서 아서 고 고서 자마자 어 아 다가".split())  #: what comes before has happened as well
_NAMED: Final = ("ㅁ", "음")  #: 오늘 퇴사함
_LOVED: Final = frozenset("남친 여친 남자친구 여자친구 애인 남편 아내 아이 아기 아들 딸 부모님".split())
_NEAR: Final = _LOVED | frozenset("친구 절친 베프 단짝 선배 스승님".split())
_SCENES: Final = re.compile(r"드라마|영화|소설|웹툰|만화|애니|게임|뉴스|주인공|캐릭터|꿈에서|노래|유튜브|예능")
_CONTRACTED: Final = (
    "돌아가",
    "떠나보",
    "헤어",
    "사겼",
    "태어",
    "다쳤",
    "차였",
    "떨어",
    "쓰러",
    "나았",
    "나은",
    "붙음",
)  #: before -었-
_DIAGNOSES: Final = tuple(f"{ill}래" for ill in ("암이", "증이", "병이", "장애", "종양이", "졸중이", "치매"))
_SHORTEST, _LONGEST = 3, 60  #: letters
_PAST: Final = ("었", "았", "였", "었었", "았었")
_FINALS, _VOWELS, _SS, _I, _FROM_I_TO_YEO, _FROM_A_TO_AE = 28, 21, 20, 20, -14, 1  #: how Hangul syllables are numbered
_POINTED: Final = re.compile(r"(?:^|\s)[그저]\s[가-힣]")  #: somebody who is pointed at
#: what a doctor said: 갑상선암이래, 공황장애래
_DIAGNOSED: Final = re.compile(
    r"(?<![가-힣])((?!갈증|건망증|궁금증|중2병|공주병|왕자병|월요병)[가-힣]{1,6}(?:암|증|병|장애|종양|졸중|치매))이?(?:래|라네|라더)"
)
_OURS: Final = frozenset({"나", "저", "우리", "저희", "내", "제"})
_UNREAL: Final = ("wish", "hypothetical", "question", "quotation", "command")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Words:
    verbs: frozenset[str]
    beside: Mapping[str, frozenset[str]]
    nouns: frozenset[str]
    sayings: tuple[str, ...]


@cache
def _words() -> _Words:
    raw = tomllib.loads(files(__package__).joinpath("turning_points.ko.toml").read_text(encoding="utf-8"))
    return _Words(
        verbs=frozenset(raw["verbs"].split()),
        beside={verb: frozenset(words.split()) for verb, words in raw["beside"].items() if words},
        nouns=frozenset(raw["nouns"].split()),
        sayings=tuple(raw["sayings"]),
    )


def triggers() -> frozenset[str]:
    """Return the words without which nothing turns."""
    words = _words()
    stems = {verb.removesuffix("다") for verb in words.verbs}
    long = {stem for stem in stems if len(stem) > 1}
    return frozenset(
        {
            *words.nouns,
            *words.sayings,
            *long,
            *(form for stem in stems for form in _conjugated(stem)),
            *_CONTRACTED,
            *_DIAGNOSES,
        }
    )


def turned(telling: Telling) -> Iterator[Finding]:
    """Read what happened to the speaker or to those close to them."""
    if _SCENES.search(telling.text) is not None:
        return
    for part in telling.parts:
        ill = _DIAGNOSED.search(telling.text, part.clause.start, part.clause.end + 1)
        pointed = _POINTED.search(telling.text[: part.clause.end]) is not None  # 그 배우 공황장애래
        if ill is not None and part.mood != "question" and ((telling.mine(part) and not pointed) or _of_kin(part)):
            start = min(
                (each.morphemes[0].start for each in part.clause.phrases if not each.pronoun), default=ill.start()
            )
            yield finding("milestone", f"{telling.text[start : ill.end(1)]} 진단을 받음", whose=telling.me)
            return
    for place, part in enumerate(telling.parts):
        if part.mood in _UNREAL or part.closes in _UNREAL or part.negated or not _happened(telling, place):
            continue
        if _close(telling, part) and _turns(part, telling.text[part.clause.start : part.clause.end]):
            said = _told(telling, place)
            if _SHORTEST <= len(said) <= _LONGEST:
                yield finding("milestone", said, whose=telling.me)
                return


def _happened(telling: Telling, place: int) -> bool:
    """Whether it is past: by its own form, by what it leads to (사고 나서 … 갔어), or as a bare note (오늘 퇴사함)."""
    part, following = telling.parts[place], telling.next(place)
    if part.past:
        return True
    if part.clause.head is not None:
        return False
    if part.ending in _NAMED:
        return part.clause.final and AHEAD.search(telling.text, part.clause.start, part.clause.end) is None
    if part.mood == "hearsay":
        return _of_kin(part)  # 부모님 이혼하신대
    last = telling.parts[-1]
    if part.ending == "게":
        return following is not None and following.says("되다") and following.past
    reported = any(each.ending.endswith(("다고", "라고")) for each in telling.parts[place + 1 :])
    leads = part.ending in _LEADING and not reported and not _long_ago(part)
    return leads and last.past and not last.negated and last.mood == "statement"


def _long_ago(part: Part) -> bool:
    """졸업하고 나서: only tells since when."""
    return part.clause.predicate is not None and "나다" in part.clause.predicate.auxiliaries


def _close(telling: Telling, part: Part) -> bool:
    """Whether it happened to the speaker, their kin, a friend or a pet: not to somebody in the news."""
    if part.clause.head is not None or part.about is None or part.about.subject in ("character", "world"):
        return False
    ours = bool(_OURS & part.all_words) or any(
        phrase.owner in _OURS or phrase.pronoun in _OURS for phrase in part.clause.phrases
    )
    if part.mood == "hearsay" or part.closes == "hearsay":
        return ours or _of_kin(part)
    if telling.mine(part) or ours:
        return True
    who, words = part.about.subject_id.split()[-1], lexicon()
    return who in words.kin or who in _NEAR or who in words.of_class("animal")


def _of_kin(part: Part) -> bool:
    return bool((lexicon().kin | _LOVED) & part.all_words)


def _turns(part: Part, text: str) -> bool:
    words = _words()
    predicate = part.clause.predicate
    if any(saying in text for saying in words.sayings):
        return True
    if predicate is None:
        return False
    nouns = {word for phrase in part.clause.phrases for word in phrase.words}
    honoured = any(part_.tag == "EP" and part_.form in ("시", "으시") for part_ in predicate.tail)
    lemma = "돌아가시다" if predicate.lemma == "돌아가다" and honoured else predicate.lemma
    if lemma in words.verbs:
        needed = words.beside.get(lemma)
        return needed is None or any(word.startswith(tuple(needed)) for word in part.all_words)
    making = max((ending for ending in _MAKING if lemma.endswith(ending)), key=len, default=None)
    made = lemma.removesuffix(making) if making is not None else None
    if made:
        return made in words.nouns
    return made == "" and bool(nouns & words.nouns)


def _told(telling: Telling, place: int) -> str:
    part, following = telling.parts[place], telling.next(place)
    predicate = part.clause.predicate
    if predicate is None:
        return ""
    named = [phrase for phrase in part.clause.phrases if phrase.pronoun is None]
    start = min((_begin(phrase) for phrase in named), default=None)
    start = predicate.stem[0].start if start is None or start > predicate.stem[0].start else start
    led = telling.text[start : predicate.stem[0].start]
    if part.ending == "게" and following is not None and following.clause.predicate is not None:
        led = telling.text[start : following.clause.predicate.stem[0].start]
        predicate = following.clause.predicate
    return (led + noted(telling.text, predicate, led_on=part.ending in _LEADING)).strip()


def _begin(phrase: Phrase) -> int:
    """Return where a phrase begins, with the 지난 of 지난 달; no clause that describes it."""
    last = phrase.adnominal[0] if phrase.adnominal and phrase.adnominal[0].form in ("지난", "지나") else None
    return (last or phrase.morphemes[0]).start


def noted(text: str, predicate: Predicate, *, led_on: bool = False) -> str:
    """Return what was done in -음, with its helpers: 떠나보내 줬음. What `led_on` to something past is past as well."""
    past = next((each for each in reversed(predicate.tail) if each.tag == "EP" and each.form in _PAST), None)
    if past is not None and ends_in_past(text[past.end - 1 : past.end]):
        return text[predicate.stem[0].start : past.end] + "음"  # as it was typed: 나았음
    tail = predicate.tail
    last = max((at for at, each in enumerate(tail) if each.tag in ("VX", "EP")), default=-1)
    parts = [(each.form, each.tag) for each in (*predicate.stem, *tail[: last + 1])]
    return join([*parts, *([("었", "EP")] if led_on else []), ("음", "ETN")])


def ends_in_past(letter: str) -> bool:
    """Whether a syllable ends in ㅆ, as those of the past do: 갔, 었."""
    return "가" <= letter <= "힣" and (ord(letter) - ord("가")) % _FINALS == _SS


def _conjugated(stem: str) -> tuple[str, ...]:
    """Return how the forms of a stem in -어 and -었 begin: 만나 and 만났, 망쳐 and 망쳤, 망해 and 망했."""
    code = ord(stem[-1]) - ord("가")
    if code % _FINALS:
        return (stem,)
    step = {"하": _FROM_A_TO_AE}.get(stem[-1], _FROM_I_TO_YEO if code // _FINALS % _VOWELS == _I else 0)
    joined = ord("가") + code + step * _FINALS
    return (stem[:-1] + chr(joined), stem[:-1] + chr(joined + _SS)) if len(stem) > 1 else (chr(joined + _SS),)


def but_told_otherwise(told: list[Claim]) -> list[Claim]:
    """Return `told` without milestones that say no more than a fact does: 헤어졌어 is read as what it makes of one."""
    known = any(claim.attribute in _TOLD_AS_FACTS and not _lost_by_name(claim) for claim in told)
    steps = [claim.value or "" for claim in told if claim.attribute == "milestone"]
    return [
        claim
        for claim in told
        if claim.attribute != "milestone" or not (known or _said_again(claim.value or "", steps))
    ]


def _lost_by_name(claim: Claim) -> bool:
    """초코가 무지개다리를 건넜음 says more than that there is no dog any more."""
    return claim.attribute == "pet" and claim.act == "end" and claim.surface != claim.value


def _said_again(value: str, steps: Sequence[str]) -> bool:
    """Whether 면허 땄음 stands beside 면허 취득."""
    first = value.split()[0] if value else ""
    return value.endswith(("음", "함", "됨")) and any(
        step != value and not step.endswith(("음", "함", "됨")) and (step in value or step.split()[0] == first)
        for step in steps
    )
