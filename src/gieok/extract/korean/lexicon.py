"""The words that Korean rules know, read once from `lexicon.ko.toml`; those for people from `people_words`."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from gieok.language.namelike import people_words


@dataclass(frozen=True, slots=True, kw_only=True)
class Lexicon:
    """Sets of words, each in its dictionary form."""

    class_of: Mapping[str, str]  #: 고양이 → "animal"
    classes: Mapping[str, frozenset[str]]
    canonical: Mapping[str, str]  #: 민초 → 민트초코
    mbti: Mapping[str, str]  #: 인프피 → INFP
    food_endings: tuple[str, ...]
    surnames: frozenset[str]
    given: frozenset[str]  #: syllables of given names
    cities: frozenset[str]
    kin: frozenset[str]
    others: frozenset[str]
    address: frozenset[str]
    names: frozenset[str]  #: nouns that are given names as well: 지혜, 하늘
    jobs: frozenset[str]
    job_endings: tuple[str, ...]
    places: frozenset[str]
    like: frozenset[str]
    dislike: frozenset[str]
    no_taste: frozenset[str]
    ironic: frozenset[str]
    no_allergen: frozenset[str]

    def of_class(self, name: str) -> frozenset[str]:
        return self.classes[name]

    def is_job(self, word: str) -> bool:
        return word in self.jobs or word.endswith(self.job_endings)


@cache
def lexicon() -> Lexicon:
    raw = tomllib.loads(files(__package__).joinpath("lexicon.ko.toml").read_text(encoding="utf-8"))
    taste = raw["taste"]
    people = people_words()
    return Lexicon(
        classes={name: frozenset(words.split()) for name, words in raw["classes"].items()},
        canonical=dict(line.split() for line in raw["spelling"]["means"].strip().splitlines()),
        mbti={said: kind for kind, names in raw["mbti"].items() for said in names.split()},
        class_of={word: name for name, words in raw["classes"].items() for word in words.split()},
        food_endings=tuple(taste["food_endings"].split()),
        surnames=people.surnames,
        given=people.given,
        cities=people.cities,
        kin=people.kin,
        others=people.others,
        address=people.address,
        names=people.names,
        jobs=frozenset(raw["jobs"]["words"].split()),
        job_endings=tuple(raw["jobs"]["endings"].split()),
        places=frozenset(raw["world"]["places"].split()),
        like=frozenset([*taste["like_verbs"].split(), *taste["like_adjectives"].split()]),
        dislike=frozenset([*taste["dislike_verbs"].split(), *taste["dislike_adjectives"].split()]),
        no_taste=frozenset(taste["no_taste"].split()),
        ironic=frozenset(taste["ironic"].split()),
        no_allergen=frozenset(raw["caution"]["no_allergen"].split()),
    )
