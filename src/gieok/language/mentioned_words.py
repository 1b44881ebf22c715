"""The words by which people and pets are spoken of, read once from `mentions.ko.toml`."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files


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
