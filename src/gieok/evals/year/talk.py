"""What anybody says on any day, as `talk/*.toml` has it: frames with slots, and answers to them."""

from __future__ import annotations

import random
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Final

from gieok.evals.planted.particles import fitting
from gieok.evals.year.people import Register, lines

_SLOT: Final = re.compile(r"\{([^{}]+)\}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Talk:
    """The talk of one register."""

    words: Mapping[str, tuple[str, ...]]  #: values of the slots
    everyday: Mapping[str, tuple[str, ...]]  #: frames by topic
    courtesy: Mapping[str, tuple[str, ...]]  #: thanks, praise, insults …
    answers: Mapping[str, tuple[str, ...]]  #: of the character, by topic or courtesy

    def filled(self, frame: str, dice: random.Random) -> str:
        """Return `frame` with a value in every slot, and particles that fit the word before them."""
        said = ""
        rest = 0
        for slot in _SLOT.finditer(frame):
            said += frame[rest : slot.start()]
            name = slot[1]
            said += fitting(said, name) if "/" in name else dice.choice(self.words[name])
            rest = slot.end()
        return said + frame[rest:]

    def answer(self, topic: str, dice: random.Random) -> str:
        return dice.choice(self.answers[topic])


@cache
def talk(register: Register) -> Talk:
    document = files("gieok.evals.year") / "talk" / f"{register}.toml"
    given = tomllib.loads(document.read_text(encoding="utf-8"))
    return Talk(
        words={name: _split(values, ",") for name, values in given["words"].items()},
        everyday={topic: lines(block) for topic, block in given["everyday"].items()},
        courtesy={name: lines(block) for name, block in given["courtesy"].items()},
        answers={name: _split(values, "|") for name, values in given["answers"].items()},
    )


def _split(values: str, mark: str) -> tuple[str, ...]:
    return tuple(map(str.strip, values.split(mark)))
