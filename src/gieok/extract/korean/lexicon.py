"""The words that Korean rules know, each kind read once from its file; those for people from `language`."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from gieok.language.people import PEOPLE_WORDS


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
    people = PEOPLE_WORDS
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


@cache
def _all() -> Mapping[str, Mapping[str, frozenset[str]]]:
    raw = tomllib.loads(files(__package__).joinpath("signals.ko.toml").read_text(encoding="utf-8"))
    return {
        section: {name: frozenset(words.split()) for name, words in table.items()} for section, table in raw.items()
    }


def signals(section: str, name: str) -> frozenset[str]:
    """Return the words listed as `name` under `section`."""
    return _all()[section][name]


@dataclass(frozen=True, slots=True, kw_only=True)
class Ways:
    """Sets of words by attribute and use."""

    labels: Mapping[str, frozenset[str]]  #: attribute → what names it
    sets: Mapping[str, frozenset[str]]  #: "hobby.pastimes" …
    hints: Mapping[str, re.Pattern[str]]

    def hinted(self, rule: str, text: str) -> bool:
        """Whether anything in `text` is worth reading by `rule`."""
        return self.hints[rule].search(text) is not None

    def of(self, name: str) -> frozenset[str]:
        return self.sets[name]

    def is_exercise(self, word: str) -> bool:
        return word in lexicon().of_class("exercise")

    def is_pastime(self, word: str) -> bool:
        return word in self.sets["hobby.pastimes"] or self.is_exercise(word)

    def is_language(self, word: str) -> bool:
        return word in self.sets["skill.languages"]

    def is_skill(self, word: str) -> bool:
        return word in self.sets["skill.known"] or self.is_language(word) or self.is_pastime(word)


@cache
def ways() -> Ways:
    raw = tomllib.loads(files(__package__).joinpath("ways.ko.toml").read_text(encoding="utf-8"))
    labels = {attribute: frozenset(words.split()) for attribute, words in raw.pop("labels").items()}
    hints = {rule: re.compile("|".join(map(re.escape, words.split()))) for rule, words in raw.pop("hints").items()}
    sets = {f"{table}.{name}": frozenset(words.split()) for table, each in raw.items() for name, words in each.items()}
    return Ways(labels=labels, sets=sets, hints=hints)


@dataclass(frozen=True, slots=True, kw_only=True)
class Fitting:
    """Of which attributes a word is said."""

    attributes: tuple[str, ...]  #: () for all; "favorite." means all of them

    def fits(self, attribute: str) -> bool:
        return not self.attributes or any(
            attribute == each or (each.endswith(".") and attribute.startswith(each)) for each in self.attributes
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Ending(Fitting):
    """A way of saying that something is over."""

    needs: frozenset[str]  #: one of these words must stand in the clause
    past: bool  #: only said of what has happened
    outdone: bool  #: something else has come first
    alone: bool  #: only where nothing else is named


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeWords:
    """Sets of words, verbs in their dictionary form."""

    over: Mapping[str, tuple[Ending, ...]]  #: by verb
    over_nouns: frozenset[str]  #: 퇴사, 졸업, 끝
    farewells: frozenset[str]  #: words that only say how it ended: 무지개다리, 흥미
    stopped: Mapping[str, frozenset[str]]
    now: Mapping[str, tuple[Fitting, ...]]  #: by verb
    became: Mapping[str, frozenset[str]]
    wrong: Mapping[str, frozenset[str]]
    gear: Mapping[str, tuple[str, ...]]  #: what a pastime is done with: 낚시 → 낚싯대
    given_away: frozenset[str]  #: verbs: 팔다, 처분하다
    cue: re.Pattern[str]  #: what anything is given up by; without it, nothing is


@cache
def change_words() -> ChangeWords:
    raw = tomllib.loads(files(__package__).joinpath("changes.ko.toml").read_text(encoding="utf-8"))
    over: dict[str, list[Ending]] = {}
    for table in raw["over"]:
        ending = Ending(
            attributes=tuple(table.get("attributes", "").split()),
            needs=frozenset(table.get("needs", "").split()),
            past=table.get("past", False),
            outdone=table.get("outdone", False),
            alone=table.get("alone", False),
        )
        for verb in table["verbs"].split():
            over.setdefault(verb, []).append(ending)
    now: dict[str, list[Fitting]] = {}
    for table in raw["now"]:
        for verb in table["verbs"].split():
            now.setdefault(verb, []).append(Fitting(attributes=tuple(table.get("attributes", "").split())))
    return ChangeWords(
        now={verb: tuple(fitting) for verb, fitting in now.items()},
        over_nouns=frozenset(word for table in raw["over"] for word in table.get("nouns", "").split()),
        over={verb: tuple(endings) for verb, endings in over.items()},
        farewells=frozenset(word for table in raw["over"] for word in table.get("needs", "").split()),
        stopped=_sets(raw["stopped"]),
        became=_sets(raw["became"]),
        wrong=_sets(raw["wrong"]),
        gear={pastime: tuple(things.split()) for pastime, things in raw["gear"].items()},
        given_away=frozenset(raw["given_away"]["verbs"].split()),
        cue=re.compile("|".join(word.replace("_", r"\s") for word in raw["cue"]["words"].split())),
    )


def _sets(table: Mapping[str, str]) -> dict[str, frozenset[str]]:
    return {name: frozenset(words.split()) for name, words in table.items()}
