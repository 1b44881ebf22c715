"""Where an utterance names the animals at home as those it tells of: 코코는, 우리 고양이 나비가, 나비랑 코코 둘 다."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from gieok.extract.korean.animals import AS, BEFORE, END, OURS, alone_of_its_kind, is_others, kind_of, kinds
from gieok.extract.korean.lexicon import lexicon

FIRST: Final = {
    "은": "나는",
    "는": "나는",
    "이": "내가",
    "가": "내가",
    "도": "나도",
    "만": "나만",
    "의": "내",
    "": "나",
}
SECOND: Final = {
    "은": "너는",
    "는": "너는",
    "이": "네가",
    "가": "네가",
    "도": "너도",
    "만": "너만",
    "의": "네",
    "": "너",
}
_PARTICLE: Final = r"(?P<particle>은|는|이|가|도|만|의|한테는|한테|한텐|에게는|에게|에겐)?"
_FONDLY: Final = "애기|아기|막내|첫째|둘째|셋째|녀석"
_AND: Final = r"(?:이랑|랑|하고|와|과|,)\s?"
_BOTH: Final = r"(?:\s(?:둘\s?다|모두|다\s?같이)(?=\s))?"
_IS: Final = r"(?:야|이야|예요|에요|이에요|입니다|임|고|인데|요)"
#: after a bare name that is a word as well: 초코 먹으면, 두부 좋아해
_A_THING: Final = re.compile(r"\s(?:못\s)?(?:먹(?![는이여을])|마시|마셔|샀|사\s|좋|싫|알레르기|알러지)")
_TITLE: Final = re.compile(r"\s?(?:[가-힣]*님|씨|대리|과장|팀장|부장)(?:은|는|이|가|도|의)?" + END)
_ALL: Final = re.compile(
    rf"{BEFORE}(?:우리|저희)\s?(?:집\s)?(?:애기|애|아이|냥이|고양이|강아지|녀석)들{_PARTICLE}{_BOTH}{END}|{BEFORE}(?:둘|셋|넷)\s?다(?P<both>){END}"
)
_STORY: Final = re.compile(r"(?:드라마|영화|소설|웹툰|만화|유튜브|게임|뉴스|동화|애니|책|꿈)(?:에서|에|속)")
_NEXT: Final = re.compile(r"\s([가-힣]+)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Mention:
    """Animals by name (or by kind, where none has a name), and where they stand."""

    whom: tuple[str, ...]  #: () where they live with others
    start: int
    end: int
    particle: str  #: "" where there is none
    introduces: bool = False  #: 코코라는 고양이, 이름은 코코야: what follows may be about it
    in_passing: bool = False  #: 고양이가: what follows is about something else

    @property
    def leads(self) -> bool:
        """Whether it can be nothing but what the clause is about."""
        return self.particle in ("은", "는", "이", "가", "도")

    def as_person(self, persons: Mapping[str, str]) -> str:
        """Return what stands there when the animal speaks, or is spoken to, for itself."""
        return persons.get(self.particle, persons[""])


def in_story(text: str) -> bool:
    """Whether it is told of a drama, a book or a dream: 드라마에서 강아지가 죽었어."""
    return _STORY.search(text) is not None


def mentions(text: str, names: Mapping[str, str]) -> list[Mention]:
    """Return where `text` tells of animals with one of `names`, or of ours by their kind; in order."""
    named = list(_by_name(text, names)) if names else []
    taken = [(each.start, each.end) for each in named]
    for others in (_all_of_ours(text, names), _by_kind(text, names), _by_kind_alone(text, names)):
        named += (each for each in others if not _within(each, taken))
        taken = [(each.start, each.end) for each in named]
    return sorted(named, key=lambda each: each.start)


def _within(mention: Mention, taken: Sequence[tuple[int, int]]) -> bool:
    return any(start <= mention.start < end for start, end in taken)


def _by_kind_alone(text: str, names: Mapping[str, str]) -> Iterator[Mention]:
    """Yield animals that nobody says to be ours: 고양이가 is the only one we have, 친구네 고양이는 is none."""
    for match in _any_kind().finditer(text):
        before, particle = text[: match.start()], match["particle"] or ""
        kind = kind_of(match["kind"])
        only = alone_of_its_kind(kind, names) if kind is not None else ""
        strange = is_others(before) or _STORY.search(before[-60:]) is not None
        ours = not strange and particle in ("이", "가") and only in names and not match["named"]
        if strange or particle in ("이", "가", "은", "는"):
            whom = (only,) if ours else ()
            yield Mention(whom=whom, start=match.start(), end=match.end(), particle=particle, in_passing=not strange)


def _all_of_ours(text: str, names: Mapping[str, str]) -> Iterator[Mention]:
    """우리 애들 둘 다, 고양이들 모두."""
    for match in _ALL.finditer(text) if len(names) > 1 else ():
        yield Mention(whom=tuple(names), start=match.start(), end=match.end(), particle=match["particle"] or "")


def as_person(text: str, start: int, end: int, found: Sequence[Mention], persons: Mapping[str, str]) -> str:
    """Return `text` from `start` to `end` with persons in the place of the animals it is about."""
    said, at = "", start
    for each in found:
        if start <= each.start < end and each.whom and not each.introduces:
            said += text[at : each.start] + each.as_person(persons)
            at = each.end
    return said + text[at:end]


def _by_name(text: str, names: Mapping[str, str]) -> Iterator[Mention]:
    for match in _named(tuple(sorted(names, key=lambda name: (-len(name), name)))).finditer(text):
        before, after = text[: match.start()], text[match.end() :]
        if is_others(before) and not match["ours"]:
            continue
        introduces = match["called"] is not None or match["is"] is not None
        particle = match["particle"] or ""
        if not particle and not introduces and not match["ours"] and _is_something_else(after):
            continue
        whom = tuple(name for name in names if re.search(rf"{BEFORE}{re.escape(name)}", match["names"]))
        yield Mention(whom=whom, start=match.start(), end=match.end(), particle=particle, introduces=introduces)


def _is_something_else(after: str) -> bool:
    """Whether a bare name is that of food, of a colleague, or of whose kin is spoken of: 나비 엄마는."""
    word = _NEXT.match(after)
    people = lexicon().kin | lexicon().others
    kin = word is not None and (word[1] in people or word[1][:-1] in people)
    return kin or _A_THING.match(after) is not None or _TITLE.match(after) is not None


def _by_kind(text: str, names: Mapping[str, str]) -> Iterator[Mention]:
    for match in _kept().finditer(text):
        kind = kind_of(match["kind"])
        if kind is not None:
            whom = (alone_of_its_kind(kind, names),)
            yield Mention(whom=whom, start=match.start(), end=match.end(), particle=match["particle"] or "")


@lru_cache(maxsize=256)
def _named(names: tuple[str, ...]) -> re.Pattern[str]:
    one = "(?:" + "|".join(map(re.escape, names)) + ")"
    return re.compile(
        rf"{BEFORE}(?P<ours>{OURS})?(?:(?:{kinds()}|{_FONDLY})\s)*(?P<names>(?:{one}{_AND})*{one}){_BOTH}"
        rf"(?:(?P<called>{AS}\s(?:{kinds()})(?:를|을|가|이|도)?)|(?P<is>{_IS})|(?:이(?=[는가도]))?{_PARTICLE}){END}"
    )


@lru_cache(maxsize=1)
def _any_kind() -> re.Pattern[str]:
    named = r"(?P<named>\s(?!이름)[가-힣]{2,3}?(?=[은는이가도]\s))?"
    return re.compile(rf"{BEFORE}(?<!우리\s)(?<!저희\s)(?P<kind>{kinds()}){named}{_PARTICLE}{END}")


@lru_cache(maxsize=1)
def _kept() -> re.Pattern[str]:
    return re.compile(rf"{BEFORE}{OURS}(?P<kind>{kinds()}){_PARTICLE}{END}")
