"""What reads as somebody's name in a Korean sentence, and the name without what hangs on to it: 지훈이, 이모네."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Final

from gieok.language.clauses import Phrase
from gieok.language.morphemes import Morpheme

_WITH: Final = ("랑", "이랑", "하고", "한테", "에게", "께", "더러")
_TO: Final = ("한테", "에게", "께", "더러")
_BECAUSE: Final = ("때문", "덕분", "탓")
_PERSON: Final = (
    *_WITH,
    "야말로",
    "이야말로",
    "만",
    "이",
    "가",
    "은",
    "는",
    "ㄴ",
    "께서",
    "도",
    "을",
    "를",
    "ㄹ",
    "와",
    "과",
    "보고",
)
_SYLLABLES: Final = ("가", "힣")


@dataclass(frozen=True, slots=True, kw_only=True)
class PeopleWords:
    """Sets of words, each in its dictionary form."""

    surnames: frozenset[str]
    given: frozenset[str]  #: syllables of given names
    kin: frozenset[str]
    others: frozenset[str]  #: people by what they are to somebody: 친구, 팀장님
    address: frozenset[str]  #: what somebody is called to their face as well: 오빠, 선배
    names: frozenset[str]  #: nouns that are given names as well: 지혜, 하늘
    cities: frozenset[str]


@cache
def people_words() -> PeopleWords:
    raw = tomllib.loads(files(__package__).joinpath("people_words.ko.toml").read_text(encoding="utf-8"))
    people = raw["people"]
    return PeopleWords(
        surnames=frozenset(people["surnames"]),
        given=frozenset(people["given"]),
        kin=frozenset(people["kin"].split()),
        others=frozenset(people["others"].split()),
        address=frozenset(people["address"].split()),
        names=frozenset(people["nouns_for_names"].split()),
        cities=frozenset(raw["places"]["cities"].split()),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class MentionedWords:
    """Sets of words, each in its dictionary form."""

    posts: frozenset[str]  #: 팀장, 교수: after a surname or with 님
    standing: frozenset[str]  #: 여자친구, 담임쌤: one for each speaker
    after_name: frozenset[str]
    before_name: frozenset[str]
    before_kin: frozenset[str]  #: 사촌 of 사촌 동생
    vague: frozenset[str]
    groups: frozenset[str]
    no_names: frozenset[str]
    place_endings: frozenset[str]
    fandom: frozenset[str]
    species: frozenset[str]
    no_pet_names: frozenset[str]
    animate: frozenset[str]
    wishing: frozenset[str]
    any_one: frozenset[str]


@cache
def mentioned_words() -> MentionedWords:
    raw = tomllib.loads(files(__package__).joinpath("mentions.ko.toml").read_text(encoding="utf-8"))
    titles, kin, names, pets, told = raw["titles"], raw["kin"], raw["names"], raw["pets"], raw["clauses"]
    return MentionedWords(
        posts=frozenset(titles["posts"].split()),
        standing=frozenset(titles["standing"].split()),
        after_name=frozenset(titles["after_name"].split()),
        before_name=frozenset(titles["before_name"].split()),
        before_kin=frozenset(kin["before"].split()),
        vague=frozenset(kin["vague"].split()),
        groups=frozenset(kin["groups"].split()),
        no_names=frozenset(names["none"].split()),
        place_endings=frozenset(names["place_endings"]),
        fandom=frozenset(names["fandom"].split()),
        species=frozenset(pets["species"].split()),
        no_pet_names=frozenset(pets["no_names"].split()),
        animate=frozenset(told["animate"].split()),
        wishing=frozenset(told["wishing"].split()),
        any_one=frozenset(told["any_one"].split()),
    )


def pieces(phrase: Phrase) -> list[tuple[str, tuple[Morpheme, ...]]]:
    """Return the words of `phrase`, each with its morphemes."""
    left = list(phrase.morphemes)
    found = []
    for word in phrase.words:
        parts: list[Morpheme] = []
        while left and len("".join(part.form for part in parts)) < len(word):
            parts.append(left.pop(0))
        found.append((word, tuple(parts)))
    return found


def bare_name(word: str) -> str:
    """Return the name in `word`: 지훈 of 지훈이, 이모 of 이모네, 팀장 of 팀장님."""
    people = people_words()
    if word in people.kin or word in mentioned_words().species:
        return word
    if word.endswith("네") and (word[:-1] in people.kin or word[:-1].endswith("이")):
        return bare_name(word[:-1])
    post = word.removesuffix("님")
    if post.split(" ")[-1] in mentioned_words().posts:
        return post
    if len(word) in (3, 4) and word.endswith("이") and _closed(word[-2]) and word not in people.names:
        return word[:-1]
    return word


def reads_as_name(
    words: Sequence[tuple[str, tuple[Morpheme, ...]]], place: int, phrase: Phrase, *, fandom: bool, acting: bool
) -> bool:
    """Whether the `place`th of `words` names somebody whom the speaker knows.

    A full name alone may be a star's: it needs a title, a relation, or a particle that only goes with company.
    `acting`: the sentence narrates what only somebody alive does.
    """
    word, parts = words[place]
    name = bare_name(word)
    proper = bool(parts) and (parts[0].tag == "NNP" or not parts[0].known)
    if not proper or name in mentioned_words().no_names or name in people_words().cities or name in people_words().kin:
        return False
    after = words[place + 1][0] if place + 1 < len(words) else ""
    before = words[place - 1][0] if place else ""
    if len(name) > 1 and (after in mentioned_words().after_name or after.removesuffix("님") in mentioned_words().posts):
        return True
    if before in mentioned_words().before_name or before in people_words().kin:
        return _is_made(name) or (not after and len(name) in (2, 3, 4))
    if fandom or (place and name == word):
        return not place and not after and _is_made(name) and phrase.has(*_WITH)
    if acting and not after and 2 <= len(name) <= 4 and phrase.has("이", "가", "은", "는"):
        return True  # 엘리사가 다가온다
    return _stands_alone(name, word, phrase, after)


def _stands_alone(name: str, word: str, phrase: Phrase, after: str) -> bool:
    if name != word and len(name) == 2 and _is_made(name):
        return True  # 지훈이: nobody says so of a stranger
    if after:
        return after in _BECAUSE and len(name) == 2 and _is_made(name)
    if _is_full(name) or name in people_words().names:
        return phrase.has(*_WITH)
    given = len(name) == 2 and _is_made(name) and name[-1] not in mentioned_words().place_endings
    return (given and phrase.has(*_PERSON)) or (2 <= len(name) <= 4 and phrase.has(*_TO))


def _is_made(name: str) -> bool:
    return len(name) in (2, 3) and all(syllable in people_words().given for syllable in name[-2:])


def _is_full(name: str) -> bool:
    return len(name) == 3 and name[0] in people_words().surnames and _is_made(name)


def _closed(syllable: str) -> bool:
    """Whether `syllable` ends in a consonant."""
    return _SYLLABLES[0] <= syllable <= _SYLLABLES[1] and (ord(syllable) - ord("가")) % 28 > 0
