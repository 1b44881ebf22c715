"""The work that every peer is given: texts, and one vector for each, encoded once and read by all.

For the speed runs the turns are told again and again, each time with its number and its vector a little off.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np

from comparing.locomo import Asked, Conversation, Note

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Vector = NDArray[np.float32]

_MARK: Final = " #"  #: before the number of a text that was told again
_OFF: Final = 0.65  #: length of the noise on a unit vector: two tellings of a turn have a cosine of 0.7
_NOISES: Final = 4_096
_TEXTS, _VECTORS = "texts.json", "vectors.npy"


@dataclass(frozen=True, slots=True, kw_only=True)
class Workload:
    """Conversations with all their vectors."""

    conversations: tuple[Conversation, ...]
    vectors: NDArray[np.float32]  #: in the order of `texts`

    @property
    def texts(self) -> list[str]:
        return texts_of(self.conversations)

    def save(self, folder: Path) -> None:
        np.save(folder / _VECTORS, self.vectors)
        written = json.dumps([asdict(each) for each in self.conversations], ensure_ascii=False)
        (folder / _TEXTS).write_text(written, encoding="utf-8")


def texts_of(conversations: Iterable[Conversation]) -> list[str]:
    """Return every text that is remembered or asked, each once: the turns first."""
    known = tuple(conversations)
    notes = dict.fromkeys(note.text for each in known for note in each.notes)
    return list(notes | dict.fromkeys(asked.text for each in known for asked in each.questions))


def load(folder: Path) -> Workload:
    told = json.loads((folder / _TEXTS).read_text(encoding="utf-8"))
    return Workload(
        conversations=tuple(
            Conversation(
                name=each["name"],
                notes=tuple(Note(**note) for note in each["notes"]),
                questions=tuple(
                    Asked(text=asked["text"], category=asked["category"], evidence=tuple(asked["evidence"]))
                    for asked in each["questions"]
                ),
            )
            for each in told
        ),
        vectors=np.load(folder / _VECTORS),
    )


class Vectors:
    """The lookup embedder: a peer hands it a text and gets the vector that all the others get."""

    def __init__(self, work: Workload) -> None:
        self.dimension = int(work.vectors.shape[1])
        self._rows: dict[str, Vector] = dict(zip(work.texts, work.vectors, strict=True))
        noises = np.random.default_rng(0).standard_normal((_NOISES, self.dimension), dtype=np.float32)
        self._noises = noises / np.linalg.norm(noises, axis=1, keepdims=True)

    def learn(self, text: str, row: Iterable[float]) -> None:
        """Take in a vector that was not foreseen: in a talk nobody knows beforehand what will be said."""
        self._rows[text] = np.asarray(tuple(row), dtype=np.float32)

    def known(self, text: str) -> bool:
        told, _, number = text.rpartition(_MARK)
        return text in self._rows or (told in self._rows and number.isdecimal())  # not what a memory adds to it: a date

    def __call__(self, text: str) -> Vector:
        """Return the vector of `text`; raises `KeyError` for one that was not foreseen: a made-up one would hide it."""
        row = self._rows.get(text)
        if row is not None:
            return row
        told, _, number = text.rpartition(_MARK)
        row = self._rows.get(told)
        if row is None:
            raise KeyError(f"no vector was prepared for {text!r}")
        off: Vector = row + _OFF * self._noises[int(number) % _NOISES]
        off /= np.float32(np.linalg.norm(off))
        return off

    def stranger(self, text: str) -> Vector:
        """Return a direction for a text that was not foreseen, where only the time counts."""
        direction: Vector = self._noises[zlib.crc32(text.encode()) % _NOISES]
        return direction


def told_again(notes: list[Note], number: int) -> Note:
    """Return the `number`th of as many notes as wanted, no two alike; the first ones are the notes themselves."""
    note = notes[number % len(notes)]
    if number < len(notes):
        return note
    return Note(key=f"{note.key}#{number}", text=f"{note.text}{_MARK}{number}", speaker=note.speaker, at=note.at)
