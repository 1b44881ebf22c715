"""The words that the English rules know, read once from `lexicon.en.toml`."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from gieok.extract.english_measures import number_words


@dataclass(frozen=True, slots=True, kw_only=True)
class Lexicon:
    """Sets of lower-case words and phrases."""

    classes: Mapping[str, frozenset[str]]
    class_of: Mapping[str, str]  #: cat → "animal"
    canonical: Mapping[str, str]  #: veggie → vegetarian, diabetic → diabetes
    numbers: Mapping[str, int]
    months: Mapping[str, int]
    fixed_pairs: frozenset[str]
    best_friends: frozenset[str]
    siblings: frozenset[str]
    no_names: frozenset[str]
    job_endings: tuple[str, ...]
    places: frozenset[str]
    nowhere: frozenset[str]
    adverbs: frozenset[str]
    openers: frozenset[str]
    laughter: frozenset[str]
    prepositions: frozenset[str]
    time_words: frozenset[str]
    pronouns: frozenset[str]
    determiners: frozenset[str]
    irregular: tuple[tuple[str, str, str], ...]
    regular: frozenset[str]
    nouns_too: frozenset[str]
    own: frozenset[str]
    skippable: frozenset[str]  #: adverbs and words of opening
    people: frozenset[str]  #: kin and others
    small: frozenset[str]  #: words that no noun phrase goes on with
    skills: frozenset[str]
    demands: frozenset[str]
    idle: frozenset[str]
    aims: frozenset[str]
    soon: frozenset[str]
    substances: frozenset[str]
    qualities: frozenset[str]  #: kind, peaceful: what is thought of people and places
    kinds: frozenset[str]  #: person, friend
    world: frozenset[str]  #: places of a story
    first_names: frozenset[str]
    roles: frozenset[str]  #: proud, lifelong: what may stand before what somebody is

    def of_class(self, name: str) -> frozenset[str]:
        return self.classes[name]


@cache
def lexicon() -> Lexicon:
    raw = tomllib.loads(files(__package__).joinpath("lexicon.en.toml").read_text(encoding="utf-8"))
    grammar, people, verbs, places = raw["grammar"], raw["people"], raw["verbs"], raw["places"]
    pairs = ("religion_names", "condition_words", "shortened", "phobia_words", "athletes")
    classes = {name: _phrases(words) for name, words in raw["classes"].items() if name not in pairs}
    doings = raw["doings"]
    classes |= {"job": _phrases(raw["jobs"]["words"]), "vaccine": _phrases(doings["vaccine"])}
    classes |= {name: _phrases(doings[name]) for name in ("vice", "venue", "trade")}
    meanings = _meanings(raw["classes"], classes)
    classes["athlete"] = frozenset(row[0] for row in _rows(raw["classes"]["athletes"]))
    adverbs, prepositions = frozenset(grammar["adverbs"].split()), frozenset(grammar["prepositions"].split())
    times, determiners = frozenset(grammar["time_words"].split()), frozenset(grammar["determiners"].split())
    for pairs_of, kind in (
        ("condition_words", "condition"),
        ("phobia_words", "phobia"),
        ("religion_names", "religion"),
    ):
        classes[kind] |= frozenset(meanings[said] for said in meanings if said in raw["classes"][pairs_of])
    return Lexicon(
        classes=classes
        | {name: _phrases(raw["sets"][name]) for name in ("event", "dread", "ordeal", "vehicle", "limit")},
        first_names=frozenset(raw["sets"]["first_names"].split()),
        roles=frozenset(raw["sets"]["roles"].split()),
        skippable=adverbs | frozenset(grammar["openers"].split()),
        people=frozenset([*people["kin"].split(), *people["others"].split()]),
        small=adverbs | prepositions | times | determiners,
        adverbs=adverbs,
        prepositions=prepositions,
        time_words=times,
        determiners=determiners,
        class_of={word: name for name, words in classes.items() for word in words},
        canonical=meanings,
        numbers=number_words("numbers"),
        months=number_words("months"),
        fixed_pairs=_phrases(grammar["fixed_pairs"]),
        best_friends=_phrases(people["best_friends"]),
        job_endings=tuple(sorted(_phrases(raw["jobs"]["endings"]))),
        places=_phrases(places["known"]),
        nowhere=frozenset(places["nowhere"].split()),
        irregular=tuple((base, past, done) for base, past, done in _rows(verbs["irregular"])),
        siblings=frozenset(people["siblings"].split()),
        **{name: frozenset(verbs[name].split()) for name in ("regular", "nouns_too", "own")},
        **{name: frozenset(grammar[name].split()) for name in ("openers", "laughter", "pronouns")},
        **{name: frozenset(doings[name].split()) for name in ("skills", "demands", "idle", "aims", "soon")},
        qualities=frozenset(raw["opinions"]["qualities"].split()),
        kinds=frozenset(raw["opinions"]["kinds"].split()),
        world=frozenset(raw["opinions"]["places"].split()),
        substances=_phrases(doings["substances"]),
        no_names=frozenset(people["no_names"].split()),
    )


def _phrases(listed: str) -> frozenset[str]:
    parts = listed.split(",") if "," in listed else listed.split()
    return frozenset(" ".join(part.split()) for part in parts if part.strip())


def _rows(listed: str) -> list[list[str]]:
    return [row.split() for row in listed.split(",") if row.strip()]


def _meanings(raw: Mapping[str, Any], classes: Mapping[str, frozenset[str]]) -> dict[str, str]:
    """Return what words stand for; a row is a spelling followed by its meaning, which is a known phrase or one word."""
    known = frozenset(word for words in classes.values() for word in words)
    meanings: dict[str, str] = {}
    for name in ("religion_names", "condition_words", "shortened", "phobia_words", "athletes"):
        for row in _rows(raw[name]):
            cut = next((i for i in range(1, len(row)) if " ".join(row[i:]) in known), len(row) - 1)
            meanings[" ".join(row[:cut])] = " ".join(row[cut:])
    return meanings
