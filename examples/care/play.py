"""Ten years with three cats: what each of them must not have is in every context, year after year."""

from __future__ import annotations

import tempfile
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import chain, zip_longest
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from rich.console import Console
from stage import Stage

import gieok

STORY = tomllib.loads((Path(__file__).parent / "story.toml").read_text(encoding="utf-8"))
CATS, YEARS = STORY["cats"], STORY["years"]
CAUTIONS = ("allergy", "contraindication", "medical_condition", "medication", "diet")
SEOUL = ZoneInfo("Asia/Seoul")
TEN_YEARS_ON = datetime(STORY["first_year"] + len(YEARS) - 1, 12, 20, 10, tzinfo=SEOUL)


@dataclass(frozen=True, slots=True, kw_only=True)
class Year:
    """What was to be kept in mind at the end of a year, and what of it stood in the context of a talk about nothing."""

    title: str
    cautions: Sequence[str]
    missing: Sequence[str]
    done: int  #: how much upkeep did


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What the memory has to say to a question about one cat."""

    cat: str
    cautions: Sequence[str]  #: of that cat, out of the context
    others: Sequence[str]  #: of the other cats, which stand there too, each under its own name


@dataclass(frozen=True, slots=True, kw_only=True)
class Cared:
    """How ten years went."""

    years: Mapping[int, Year]
    answers: Sequence[Answer]
    vaccinations: Mapping[str, Sequence[str]]  #: by cat, the oldest first
    weights: Mapping[str, Sequence[tuple[int, str]]]  #: by cat: in which year, how many kilograms

    @property
    def forgotten(self) -> list[tuple[int, str]]:
        return [(number, what) for number, year in self.years.items() for what in year.missing]


def play(folder: Path, console: Console, **settings: Any) -> Cared:
    """Live through the story with a new bank in `folder`."""
    stage = Stage(console, CATS)
    with gieok.open(folder / "cats.db", preset="care", **settings) as bank:
        meow = bank.scope(user=STORY["owner"], character=STORY["assistant"])
        bank.on("memory.remembered", stage.learned)
        years = {STORY["first_year"] + number: live(meow, number, stage) for number in range(len(YEARS))}
        stage.title("십 년째 겨울, 동물병원에서")
        answers = [ask(meow, question, stage) for question in STORY["questions"]]
        shots = {cat: [str(each.value) for each in told(meow, cat, "vaccination")] for cat in CATS}
        weighed = {
            cat: [(each.valid_at.year, str(each.value)) for each in told(meow, cat, "weight", history=True)]
            for cat in CATS
        }
        stage.book(shots, weighed)
        return Cared(years=years, answers=answers, vaccinations=shots, weights=weighed)


def live(meow: gieok.Mind, number: int, stage: Stage) -> Year:
    """Tell everything of one year, let upkeep pass over it, and see what is still kept in mind."""
    year = YEARS[number]
    stage.title(f"{STORY['first_year'] + number} · {year['title']}")
    small_talk = [(words, "그렇군요.") for words in STORY["chatter"]]
    spoken = [each for each in chain.from_iterable(zip_longest(year["lines"], small_talk)) if each]
    for place, (words, reply) in enumerate(spoken):
        at = day(number, 20 * place)
        if (words, reply) not in small_talk:
            stage.says(STORY["owner"], words)
            stage.says(STORY["assistant"], reply)
        meow.observe(words, reply=reply, at=at)
        stage.news()
    done = len(meow.maintain(at=day(number, 340)).kept)
    own = [fact for fact in meow.facts(as_of=day(number, 345)) if fact.subject == "user" or fact.subject_id in CATS]
    known = [line(fact) for fact in own if fact.attribute in CAUTIONS]
    always = pinned(meow.context("오늘 저녁 뭐 먹을까요?", at=day(number, 345)))
    missing = [each for each in known if not any(each in shown for shown in always)]
    stage.kept(len(known), missing, done)
    return Year(title=year["title"], cautions=known, missing=missing, done=done)


def day(number: int, days: int) -> datetime:
    return datetime(STORY["first_year"] + number, 1, 10, 20, tzinfo=SEOUL) + timedelta(days=days)


def pinned(context: gieok.Context) -> list[str]:
    """Return the lines that stand in every context."""
    return [shown for block in context.blocks if block.name == "pinned" for shown in block.text.splitlines()]


def line(fact: gieok.Memory) -> str:
    """Return a caution as it stands in a context: whose it is, and what."""
    return f"({'상대' if fact.subject == 'user' else fact.subject_id}) {fact.content}"


def ask(meow: gieok.Mind, question: Mapping[str, str], stage: Stage) -> Answer:
    """Ask about one cat; the answer is what the context says of it, word by word."""
    warnings = [shown.partition(": ")[2] for shown in pinned(meow.context(question["asked"], at=TEN_YEARS_ON))]
    of_cats = {cat: [each for each in warnings if each.startswith(f"({cat})")] for cat in CATS}
    cat = question["cat"]
    others = [each for name, found in of_cats.items() if name != cat for each in found]
    stage.says(STORY["owner"], question["asked"])
    stage.warns(cat, of_cats[cat], others)
    return Answer(cat=cat, cautions=of_cats[cat], others=others)


def told(meow: gieok.Mind, cat: str, attribute: str, **options: Any) -> list[gieok.Memory]:
    return meow.facts(about=cat, attribute=attribute, as_of=None if options else TEN_YEARS_ON, **options)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        cared = play(Path(folder), Console())
    raise SystemExit(f"잊은 주의 사항이 있습니다: {cared.forgotten}" if cared.forgotten else 0)
