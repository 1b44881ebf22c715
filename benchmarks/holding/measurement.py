"""One measurement: a command that runs in a process of its own, and how its figures are read."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from machine import ROOT

Told = Literal["stdout", "file", "junit"]
_SHOWN_PYTHON: Final = "python"


@dataclass(frozen=True, slots=True, kw_only=True)
class Places:
    """Where things are on this machine. None of it comes into a page."""

    data: Path
    model: Path | None
    envs: Path


@dataclass(frozen=True, slots=True, kw_only=True)
class Measurement:
    """A command. `{data}`, `{model}` and `{envs}` in its words stand for places."""

    name: str
    words: tuple[str, ...]
    quick: tuple[str, ...] = ()  #: words of the quick form; as it is, where there are none
    needs: tuple[str, ...] = ()  #: files in the data folder
    needs_model: bool = False
    told: Told = "file"  #: how it tells its figures
    limit_minutes: float = 30

    def lacking(self, places: Places) -> str | None:
        """Return what is missing to run it."""
        missing = [name for name in self.needs if not (places.data / name).is_file()]
        if missing:
            return f"{', '.join(missing)} not in the data folder; name it: make figures DATA=/where/they/are"
        if self.needs_model and places.model is None:
            return "no model file was named; name one: make figures DATA=… MODEL=/where/it/is.gguf"
        if self.needs_model and places.model is not None and not places.model.is_file():
            return "there is no such model file"
        return None

    def command(self, places: Places, figures: Path, *, quick: bool) -> list[str]:
        """Return what to run; its figures go to the file `figures`, unless it prints them."""
        known = {"data": str(places.data), "model": str(places.model), "envs": str(places.envs)}
        words = [word.format_map(known) for word in (self.quick if quick and self.quick else self.words)]
        where = {"stdout": [], "file": ["--json", str(figures)], "junit": [f"--junitxml={figures}"]}[self.told]
        return [*_opened(words), *where]

    @property
    def shown(self) -> str:
        """The command as a page shows it: without anybody's folders."""
        known: Mapping[str, str] = {"data": "DATA", "model": "MODEL", "envs": "ENVS"}
        words = [word.format_map(known) for word in self.words]
        if self.told == "junit":
            words = ["pytest", *(word for word in words[1:] if word not in ("-q", "-n", "auto", "--timeout=3600"))]
        elif words[0].endswith(".py"):
            words = [_SHOWN_PYTHON, *words]
        words = [word for word in words if word != "--json"]
        return " ".join([*words, "--json", "FILE"] if self.told == "file" else words)


def _opened(words: list[str]) -> list[str]:
    """Return the words with the interpreter that runs this before them."""
    if words[0].endswith(".py"):
        return [sys.executable, str(ROOT / words[0]), *words[1:]]
    return [sys.executable, "-m", *words]
