"""What owners tell of their animals is the animal's, under its name, and its cautions stand in every context."""

import tomllib
from dataclasses import dataclass
from pathlib import Path

import pytest

import gieok
from gieok.testing import day

TOLD = tomllib.loads((Path(__file__).parents[1] / "data" / "pets.toml").read_text(encoding="utf-8"))
CAUTIONS = ("allergy", "medical_condition", "medication", "contraindication", "diet", "constraint")
WATCHED = (*CAUTIONS, "age", "weight")


@dataclass(frozen=True, slots=True)
class Fact:
    whose: str
    attributes: tuple[str, ...]  #: any of these would be right
    word: str  #: stands in the value

    def fits(self, memory: gieok.Memory) -> bool:
        return (
            memory.subject_id == self.whose
            and memory.attribute in self.attributes
            and self.word.replace(" ", "") in (memory.value or "").replace(" ", "")
        )


@dataclass(frozen=True, slots=True)
class Case:
    said: tuple[str, ...]
    two_cats: bool  #: 나비 and 코코 are known before
    facts: tuple[Fact, ...]
    strangers: str  #: of whom anything may be known, but nothing pinned

    @classmethod
    def of(cls, line: str) -> "Case":
        said, told, mine = (part.strip() for part in (*line.split("|"), "", "")[:3])
        told, _, strangers = told.partition("~")
        facts = [*(each.split(maxsplit=2) for each in told.split(";") if each.strip())]
        facts += [["user", *each.split(maxsplit=1)] for each in mine.split(";") if each.strip()]
        return cls(
            said=tuple(turn.strip() for turn in said.removeprefix("=").split("/")),
            two_cats=said.startswith("="),
            facts=tuple(Fact(whose, tuple(attributes.split(",")), word) for whose, attributes, word in facts),
            strangers=strangers.strip(),
        )


RIGHT = 44  #: of the cases that are understood in full
CASES = [Case.of(line) for line in TOLD["told"].strip().splitlines()]


@pytest.fixture(scope="module")
def bank(tmp_path_factory):
    with gieok.open(tmp_path_factory.mktemp("pets") / "memories.db", preset="care", embedder="hashing") as bank:
        yield bank


def name(mind: gieok.Mind, *cats: str) -> None:
    for cat in cats:
        mind.remember(f"이름은 {cat}임", about="고양이", attribute="name", value=cat, tags=["pet"], at=day(1))


def mistakes(bank: gieok.MemoryBank, case: Case) -> list[str]:
    """Tell the assistant of one owner everything that `case` says, and return what it got wrong."""
    mind = bank.scope(user=" / ".join(case.said)[-60:], character="meow")
    if case.two_cats:
        name(mind, "나비", "코코")
    for number, line in enumerate(case.said, start=2):
        spoken = {"reply": line.removeprefix("> ")} if line.startswith("> ") else {"text": line}
        mind.observe(**spoken, at=day(number))
    later = day(900)
    known = [memory for memory in mind.facts(as_of=later) if memory.polarity == "+"]
    cautions = [memory for memory in known if memory.attribute in WATCHED]
    wrong = [f"missing: {fact}" for fact in case.facts if not any(fact.fits(memory) for memory in known)]
    wrong += [
        f"made up: {memory.subject_id} {memory.attribute} {memory.value}"
        for memory in cautions
        if memory.subject_id not in (*case.strangers.split(" "), case.strangers)
        and not any(fact.fits(memory) for fact in case.facts)
    ]
    return wrong + unpinned(mind.context("오늘 뭐 할까?", at=later), case)


def unpinned(context: gieok.Context, case: Case) -> list[str]:
    """Return the cautions that do not stand in every context beside the name, and strangers' that do."""
    lines = [line for block in context.blocks if block.name == "pinned" for line in block.text.splitlines()]
    wanted = [fact for fact in case.facts if set(fact.attributes) & set(CAUTIONS)]
    missing = [
        f"not pinned: {fact}"
        for fact in wanted
        if not any(fact.word in line and (fact.whose == "user" or fact.whose in line) for line in lines)
    ]
    illness = ("신부전", "알레르기", "당뇨")
    pinned = [line for line in lines if any(word in line for word in illness)] if case.strangers else []
    return missing + [f"pinned: {line}" for line in pinned]


def test_what_is_told_of_an_animal_is_its_own(bank):
    """Not every wording is understood, but no caution of an animal becomes the owner's."""
    wrong = {" / ".join(case.said): mistakes(bank, case) for case in CASES}
    made_up = [
        each.removeprefix("made up: ").split() for found in wrong.values() for each in found if "made up" in each
    ]
    assert not [each for each in made_up if each[0] == "user" and each[1] in CAUTIONS]
    assert sum(not found for found in wrong.values()) >= RIGHT, wrong


@pytest.fixture
def meow(bank, request):
    """An assistant that knows of 나비 and 코코."""
    mind = bank.scope(user=request.node.name, character="meow")
    name(mind, "나비", "코코")
    return mind


def always(mind: gieok.Mind) -> str:
    return next(block.text for block in mind.context("오늘 뭐 할까?", at=day(900)).blocks if block.name == "pinned")


def test_two_cats_have_two_names_and_neither_is_a_change_of_the_other(meow):
    name(meow, "치즈")

    names = meow.facts(about="고양이", attribute="name")
    assert {name.value for name in names} == {"나비", "코코", "치즈"}


def test_what_is_remembered_outright_of_a_cat_stands_in_every_context_and_what_of_a_friend_does_not(meow):
    meow.remember("닭고기를 먹으면 안 됨", about="코코", attribute="allergy", value="닭고기", at=day(2))
    meow.remember("새우를 먹으면 안 됨", about="지훈", attribute="allergy", value="새우", at=day(2))

    assert "(코코) 닭고기" in always(meow)
    assert "새우" not in always(meow)


def test_a_cat_that_died_needs_no_care_any_more_and_the_other_one_does(meow):
    meow.observe("나비는 신부전이 있어", at=day(2))
    meow.observe("코코는 닭고기 알레르기가 있어", at=day(3))
    assert "신부전" in always(meow)
    meow.observe("나비가 어제 무지개다리를 건넜어", at=day(4))

    assert "신부전" not in always(meow)
    assert "(코코) 닭고기" in always(meow)
    assert [fact.value for fact in meow.facts(about="나비", as_of=day(3))] == ["신부전"]


def test_a_change_of_weight_is_the_cats_own(meow):
    name(meow, "모모")
    meow.observe("모모는 5kg야", at=day(2))
    meow.observe("코코는 4.2kg야", at=day(3))
    meow.observe("코코는 이제 4.8kg야", at=day(400))

    assert [fact.value for fact in meow.facts(about="코코", attribute="weight", as_of=day(500))] == ["4.8"]
    assert [fact.value for fact in meow.facts(about="모모", attribute="weight", as_of=day(500))] == ["5"]


def test_who_turns_out_to_be_a_cat_has_its_cautions_in_every_context_from_then_on(bank):
    mind = bank.scope(user="nothing known", character="meow")
    mind.observe("코코는 닭고기 알레르기가 있어", at=day(1))
    assert "닭고기" not in always(mind)
    mind.observe("코코는 우리 집 고양이야", at=day(3))

    assert "(코코) 닭고기" in always(mind)
