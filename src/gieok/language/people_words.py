"""The words that people are called by in Korean, and what their names are made of, read once from a file."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files


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
