"""How well people, places and topics are read: counted over sentences that were written before the rules."""

import re
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from gieok.language.people import mentions
from gieok.language.scenes import setting
from gieok.language.terms import topics_of
from support.rows import from_rows

SENTENCES = tomllib.loads((Path(__file__).parents[2] / "data" / "people_sentences.toml").read_text(encoding="utf-8"))
NAME = re.compile(r"(?:(?:Dr\.|Professor|[김이박최]) )?[^\s+-]+")
FELT = 0.2


def rows(part: str, half: str) -> Iterator[tuple[str, list[str]]]:
    for line in SENTENCES[part][half].strip().splitlines():
        text, *told = (piece.strip() for piece in line.split("|"))
        yield text, told


def people(text: str) -> set[str]:
    return {mention.name for mention in mentions(text, parties=("레티아", "민수"))}


def places_and_times(text: str) -> set[str]:
    place, daytime = setting(text)
    return {f"{kind}:{told}" for kind, told in (("place", place), ("time", daytime)) if told}


def topics(text: str) -> set[str]:
    return set(topics_of(text))


def told_people(told: list[str]) -> set[str]:
    return set(NAME.findall(told[0]))


def told_setting(told: list[str]) -> set[str]:
    return {f"{kind}:{each}" for kind, each in zip(("place", "time"), told, strict=True) if each}


def told_topics(told: list[str]) -> set[str]:
    return set(told[0].split())


Reader = Callable[[str], set[str]]
READERS: dict[str, tuple[Reader, Callable[[list[str]], set[str]]]] = {
    "mentions": (people, told_people),
    "settings": (places_and_times, told_setting),
    "topics": (topics, told_topics),
}


def precision_and_recall(part: str, half: str) -> tuple[float, float]:
    read, told_by = READERS[part]
    right = found = wanted = 0
    for text, told in rows(part, half):
        got, gold = read(text), told_by(told)
        right, found, wanted = right + len(got & gold), found + len(got), wanted + len(gold)
    return right / found, right / wanted


def test_about_half_of_the_sentences_tell_nothing():
    told = [any(told) for part in ("mentions", "settings") for half in ("seen", "held") for _, told in rows(part, half)]
    assert len(told) > 150
    assert 0.4 < sum(told) / len(told) < 0.6


@pytest.mark.parametrize("part", ["mentions", "settings", "topics"])
def test_the_sentences_that_the_rules_were_written_with_are_read(part):
    precision, recall = precision_and_recall(part, "seen")
    assert precision >= 0.98
    assert recall >= 0.98


@from_rows
def test_the_sentences_that_were_only_counted_are_read_as_well(part, least_precision, least_recall):
    precision, recall = precision_and_recall(part, "held")
    assert precision >= least_precision
    assert recall >= least_recall


@pytest.mark.parametrize("half", ["seen", "held"])
def test_whether_somebody_is_spoken_of_well_or_ill_is_mostly_read(half):
    right = wrong = 0
    for text, told in rows("mentions", half):
        gold = dict(re.findall(rf"({NAME.pattern})([+-]?)", told[0]))
        for mention in mentions(text, parties=("레티아", "민수")):
            if mention.name in gold:
                sign = "+" if mention.valence > FELT else "-" if mention.valence < -FELT else ""
                right, wrong = right + (sign == gold[mention.name]), wrong + (sign != gold[mention.name])
    assert right / (right + wrong) >= 0.95
