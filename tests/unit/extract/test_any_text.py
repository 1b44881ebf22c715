"""Whatever is typed, reading it raises nothing."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from pathlib import Path

from gieok.domain.scope import Scope
from gieok.domain.turn import Utterance
from gieok.extract.rules import Rules
from gieok.testing import day
from support.speech import spoken

WORDINGS = Path(__file__).parents[2] / "data/wordings.jsonl"
STRANGE = (
    "\x00\u200b\u200d\ufeff\ud800\U0010ffff*_~`'\"“”‘’「」()[]{}<>:;,.!?…/\\|@#%&+-=^$ \n\t\r0１한ㅋㅠ가힣aZé👍🏽♪½"
)
SCOPE = Scope(user="minsu", character="letia")


def read(said: str, before: str) -> None:
    asked = Utterance(id="b", turn_id="b", speaker="character", text=before, at=day(1), position=0)
    turn = spoken(said)
    Rules().claims(turn, SCOPE, (asked,))


def mutated(text: str, chance: random.Random, texts: list[str]) -> str:
    """Return `text` with letters lost, doubled, swapped or made strange, or cut into another one."""
    letters = list(text)
    for _ in range(chance.randint(1, 6)):
        place = chance.randrange(len(letters) + 1)
        match chance.randrange(6):
            case 0:
                letters[place : place + chance.randint(1, 4)] = []
            case 1:
                letters[place:place] = letters[max(0, place - 3) : place] * chance.randint(1, 3)
            case 2:
                letters[place:place] = chance.choice(STRANGE)
            case 3:
                letters[place:place] = chr(
                    chance.choice((chance.randrange(0xD800), chance.randrange(0xE000, 0x110000)))
                )
            case 4:
                letters[place:] = chance.choice(texts)[chance.randrange(20) :]
            case _:
                letters = [letter for letter in letters if letter != " "]
    return "".join(letters)


def strings(count: int, chance: random.Random) -> Iterator[str]:
    texts = [json.loads(line)["text"] for line in WORDINGS.read_text(encoding="utf-8").splitlines()]
    texts += ["I moved to Leeds last month, not Bath", "my sister's allergic to nuts lol", "Name: Anna / Age: 27"]
    for number in range(count):
        if number % 4:
            yield mutated(chance.choice(texts), chance, texts)
        else:
            yield "".join(chance.choice(STRANGE + "나는이름은살이야") for _ in range(chance.randrange(60)))


def test_no_string_raises_anything(counts: Callable[[int, int], int]) -> None:
    chance = random.Random(11)
    last = "몇 살이야?"
    for text in strings(counts(1_500, 100_000), chance):
        read(text, last)
        last = text
