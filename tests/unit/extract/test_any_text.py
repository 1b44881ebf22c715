"""Whatever is typed, reading it raises nothing."""

from __future__ import annotations

import json
import random
import re
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
ENGLISH = (
    "I moved to Leeds last month, not Bath",
    "my sister's allergic to nuts lol",
    "Name: Anna / Age: 27",
    "hey, I'm Tom, 31, a nurse from Busan!",
    "Any plans? married to my work tbh",
    "single and fed up, here",
    "INFP here, which is why I hate parties",
    "only child, born and bred Scot",
    "five foot two and still growing",
    "I've got two cats, Miso and Nabi, and a dog called Rex.",
    "we don't have any pets anymore, sadly",
    "used to live in Toronto but now it's Seoul",
    "can't stand coriander, never could",
    "my favourite colour is teal... or was it green?",
    "I work at St Mary's as a lorry driver",
    "been vegan since 2019, no dairy either",
    "I'm not a student, I teach at Yonsei University",
    "my birthday's on the 3rd of March",
    "born 12/05/1994 in Gwangju",
    "please call me Maddie, everyone does",
    "my name isn't Katherine, it's Catherine with a C",
    "I quit smoking two years ago",
    "my mum's a dentist and dad's retired",
    "do you remember what my brother's called?",
    "he's 6'2\", I'm only 5'4\"",
    "I weigh about 70 kilos now, down from 85",
    "blood type O negative, just in case",
    "I'm lactose intolerant so no milk for me",
    "I take ibuprofen for my migraines, 200mg twice a day",
    "left-handed like my grandma",
    "I'd rather have tea than coffee any day",
    "hate mornings, love late nights",
    "I really really love The Beatles & Radiohead",
    "my best friend Jihoon just got engaged!!",
    "got married last June, honeymoon in Jeju",
    "we broke up, so I'm single again :(",
    "I speak Korean, English and a bit of French",
    "studying physics, second year",
    "I play the cello and used to play the drums",
    "my phone number is 010-1234-5678, don't share it",
    "email me at anna.k@example.com",
    "gotta run, talk later xx",
    "what about you? where do you live?",
    "If I lived in Paris I'd eat croissants daily",
    "I wish I had a dog",
    "just kidding, I don't have a twin",
    "actually scratch that, I'm 28 not 27",
    "no wait - it's Daegu, sorry",
    "she said she likes jazz; I like techno",
    "\"I'm a doctor,\" he told me, but he isn't",
    "thinking of getting a tattoo, maybe a fox",
    "I'm scared of spiders, heights, and clowns",
    "on Sundays I go climbing with my cousin Min",
    "I'm saving up for a house by 2030",
    "never been to Japan, would love to go",
    "my go-to order is a flat white, oat milk",
    "I drive an old Volvo, it's called Bertha",
    "they/them please, I'm non-binary",
    "im 19 n i live w my gran in hull",
    "ok so. long story short: fired, moved home, adopted a ferret",
    "I'm, like, the worst cook — burnt toast is my speciality",
    "my anniversary is 14 Feb, corny I know",
    "Here: Any, married, two kids",
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
    everything = [*texts, *ENGLISH]
    for number in range(count):
        match number % 4:
            case 0:
                yield "".join(chance.choice(STRANGE + "나는이름은살이야") for _ in range(chance.randrange(60)))
            case 1:
                yield mutated(chance.choice(ENGLISH), chance, everything)
            case 2:
                yield shuffled(chance)
            case _:
                yield mutated(chance.choice(texts), chance, everything)


def shuffled(chance: random.Random) -> str:
    """Return words and marks of the English sentences in an order that nobody meant."""
    words = [word for _ in range(2) for word in re.findall(r"[\w']+|[^\w\s]", chance.choice(ENGLISH))]
    some = chance.sample(words, min(len(words), chance.randint(1, 9)))
    return " ".join(some).replace(" ,", ",").replace(" .", ".")


def test_every_english_sentence_can_be_read() -> None:
    assert len(set(ENGLISH)) == len(ENGLISH) >= 60
    for before, said in zip(("", *ENGLISH), ENGLISH, strict=False):
        read(said, before)


def test_no_string_raises_anything(counts: Callable[[int, int], int]) -> None:
    chance = random.Random(11)
    last = "몇 살이야?"
    for text in strings(counts(1_500, 100_000), chance):
        read(text, last)
        last = text
