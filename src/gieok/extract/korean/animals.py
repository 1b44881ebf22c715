"""Which animals live with the speaker, by name: 강아지 보리 키워요, 코코는 우리 집 고양이야, 고양이 이름은 나비.

Their names are kept as names of their kind (고양이: 나비, 코코), and what is told of them later as their own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Final

from gieok.domain.claim import Claim
from gieok.domain.memory import Memory
from gieok.domain.pets import of_pet
from gieok.extract.korean.keeping import HOMONYMS
from gieok.extract.korean.kinds import is_place
from gieok.extract.korean.lexicon import lexicon, signals
from gieok.extract.korean.namelike import may_name
from gieok.extract.korean.reading import Finding
from gieok.extract.korean.telling import finding
from gieok.extract.korean.values import READERS
from gieok.extract.korean.whose import Whose
from gieok.language.morphemes import analyse

_AND: Final = r"(?:이랑\s|랑\s|하고\s|와\s|과\s|,\s?)"
_APART: Final = re.compile(r"(?:랑|하고|와|과)\s|,\s?")
_EATEN: Final = re.compile(r"\s(?:안|못|잘|거의|좀|많이|왜|도)?\s?(?:먹|줘|주|좋|싫|알레르기)")
END: Final = r"(?=[\s,.!?~…ㅋㅎㅠㅜ]|$)"
OURS: Final = r"(?:(?:우리|울|저희|내|제)\s?(?:집\s?)?)"
BEFORE: Final = r"(?<![가-힣A-Za-z\d])"
_NAME: Final = r"(?P<name>[가-힣]{1,5}?)"
AS: Final = r"(?:이?라는|이?라고\s하는|이?란)"
_IS: Final = r"(?:야|예요|이에요|에요|입니다|임|고|인데|거든)"
_TAKING_IN: Final = r"(?:키우|키워|키운|키웠|기르|길러|기른|데려왔|데려온|데리고\s?왔|입양|분양|모시고|모셔|들였)"
_INSTEAD: Final = r"(?:아니고|아니라|말고)(?:\s이름은)?"
_NEAR: Final = 40  #: characters
_NO_NAME: Final = frozenset(
    "별명 프사 프로필 사진 살 달 개월 한 두 세 네 마리 새끼 아기 애기 하나 둘 셋 같이 혼자 직접 처음 오래 둘이 "
    "카페 용품 화장실 방".split()
)
#: Whose animal it is, where it is not the speaker's: 친구네 고양이, 드라마에 나오는 고양이
_OTHERS: Final = re.compile(
    r"(?:[가-힣]+네|[가-힣]+의|옆집|윗집|아랫집|앞집|이웃집?|친구|동네|남의|[가-힣]*(?:나오는|나온|봤던|본)"
    r"|(?<![가-힣])(?!내가|제가)[가-힣]+(?:이|가|네서|네가)\s(?:\S+\s)?키우[는던])\s(?:집\s)?$"
)


def is_others(before: str) -> bool:
    """Whether the animal that stands after the words `before` lives with somebody else."""
    return _OTHERS.search(before[-_NEAR:]) is not None


@cache
def kinds() -> str:
    """Return what animals are called, as alternatives of a pattern, the longest first."""
    words = lexicon()
    animals = words.of_class("animal")
    said = (animals | {word for word, meant in words.canonical.items() if meant in animals}) - HOMONYMS
    return "|".join(sorted(map(re.escape, said), key=len, reverse=True))


@cache
def _any() -> re.Pattern[str]:
    return re.compile(kinds())


def spoken_of(text: str) -> bool:
    """Whether `text` names any kind of animal."""
    return _any().search(text) is not None


def kind_of(word: str) -> str | None:
    """Return the animal that `word` means: 고양이 of 냥이; None for anything else."""
    read = READERS["animal"](word) if word not in HOMONYMS else None
    return read.value if read is not None else None


def names_of(claims: Sequence[Claim | Memory]) -> dict[str, str]:
    """Return the names that animals have by `claims`, each with its kind."""
    return {
        each.value: each.subject_id
        for each in claims
        if each.attribute == "name" and each.subject == "other" and each.value and each.polarity == "+"
        if kind_of(each.subject_id) is not None
    }


def named(text: str, claims: Sequence[Claim]) -> Iterator[Finding]:
    """Yield the names that `text` gives to animals which, by `claims`, live with the speaker."""
    kept = {claim.value for claim in claims if claim.attribute == "pet" and claim.polarity == "+"}
    known = names_of(claims)
    for pattern, proper in _ways() if kept else ():
        for match in pattern.finditer(text):
            kind, name = kind_of(match["kind"]), match["name"]
            ours = kind in kept and kind not in known.values() and not is_others(text[: match.start()])
            if ours and kind is not None and _may_name(name) and (not proper or _is_proper(name, text[match.end() :])):
                known[name] = kind
                yield finding("name", name, whose=Whose(subject="other", subject_id=kind))


def several(text: str, claims: Sequence[Claim]) -> Iterator[Finding]:
    """Yield the names of several that are told one after the other: 강아지 두 마리 키워요. 콩이랑 팥이예요."""
    kept = {claim.value for claim in claims if claim.attribute == "pet" and claim.polarity == "+"}
    for match in _together().finditer(text) if kept and not names_of(claims) else ():
        kind = kind_of(match["kind"])
        for name in _APART.split(match["names"]):
            if kind in kept and kind is not None and _may_name(name):
                yield finding("name", name, whose=Whose(subject="other", subject_id=kind))


def renamed(text: str, names: Mapping[str, str]) -> Iterator[Finding]:
    """Yield the right names of animals that were told wrong: 우리 강아지 보리 아니고 버리예요."""
    for name, kind in names.items():
        match = re.search(rf"{BEFORE}{re.escape(name)}이?\s?{_INSTEAD}\s{_NAME}(?:이)?{_IS}{END}", text)
        if match is not None and _may_name(match["name"]):
            right = finding("name", match["name"], whose=Whose(subject="other", subject_id=kind))
            yield replace(right, act="correct", instead_of=name)


@cache
def _together() -> re.Pattern[str]:
    return re.compile(
        rf"{BEFORE}(?P<kind>{kinds()})\s?(?:두|세|네|\d)\s?마리[^.!?\n]{{0,14}}[.!,~]?\s"
        rf"(?P<names>[가-힣]{{2,4}}?(?:{_AND}[가-힣]{{2,4}}?)+)"
        rf"(?:예요|이에요|에요|요|야|이야|입니다|임|라고){END}"
    )


def _may_name(name: str) -> bool:
    return not _is_no_name(name) and kind_of(name) is None and not is_place(name) and may_name(name)


def _is_no_name(name: str) -> bool:
    return name in signals("pet", "no_name") or name in signals("pet", "care") or name in _NO_NAME


def _is_proper(name: str, after: str) -> bool:
    """Whether it is nothing but a name, or food that nobody speaks of eating: 우리 고양이 호두는 고기 먹으면 토해."""
    parts = analyse(name)
    food = lexicon().class_of.get(name) in ("food", "drink") and not _EATEN.match(after)
    return food or (len(parts) == 1 and (parts[0].tag == "NNP" or not parts[0].known))


@cache
def _ways() -> tuple[tuple[re.Pattern[str], bool], ...]:
    """Return how a name is told, and whether only what is nothing but a name will do."""
    kind = rf"(?P<kind>{kinds()})"
    return tuple(
        (re.compile(said), proper)
        for said, proper in (
            (rf"{BEFORE}{kind}\s{_NAME}(?:을|를|이를|이랑|랑)?\s{_TAKING_IN}", False),  # 강아지 보리 키워요
            (rf"{BEFORE}{kind}\s이름(?:은|이)\s{_NAME}(?:이)?{_IS}{END}", False),
            (rf"{BEFORE}{_NAME}(?:이는|은|는|이가|가)\s{OURS}{kind}{_IS}{END}", False),
            (rf"{BEFORE}{_NAME}{AS}\s{kind}(?:를|을|가|이|도|랑)?\s(?:\S+\s)?(?:{_TAKING_IN}|있|살)", False),
            (rf"{BEFORE}{OURS}{kind}\s{_NAME}(?:이는|은|는|이가|가|이도|도|이)?{END}", True),  # 울 냥이 모모 신장병이래
        )
    )


def by_their_first_name(claims: Sequence[Claim], known: Mapping[str, str]) -> list[Claim]:
    """Return `claims` without names that are known by now but for the 이 that is spoken with them: 구름, 구름이."""
    variants = {f"{name}이" for name in known} | {name.removesuffix("이") for name in known}
    return [each for each in claims if not (_names_an_animal(each) and each.value in variants - set(known))]


def at_home(claims: Sequence[Claim], text: str) -> list[Claim]:
    """Return `claims` with the animals' names marked as such, without animals of others: 친구네 고양이 이름은 루이."""
    said = [(kind_of(kind[0]), is_others(text[: kind.start()])) for kind in _any().finditer(text)]
    strange = {kind for kind, others in said if others} - {kind for kind, others in said if not others}
    return [
        of_pet(claim) if _names_an_animal(claim) else claim
        for claim in claims
        if not (claim.attribute == "pet" and claim.value in strange)
        and not (_names_an_animal(claim) and _is_no_name(claim.value or ""))
        and not (_names_an_animal(claim) and claim.subject_id in strange)
    ]


def _names_an_animal(claim: Claim) -> bool:
    return claim.attribute == "name" and claim.subject == "other" and kind_of(claim.subject_id) is not None


def alone_of_its_kind(kind: str, names: Mapping[str, str]) -> str:
    """Return the name of the one animal of `kind`, or the kind where there are several or none has a name."""
    called = [name for name, its in names.items() if kind_of(its) == kind]
    return called[0] if len(called) == 1 else kind
