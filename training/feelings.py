"""Learn what somebody feels by what they say, from `training/emotions`: a softmax regression, in a minute on a CPU.

It looks at a message as the tagger's network encodes it, and at its letters and morphemes. `gieok eval emotion --data
training/emotions/dev.tsv` scores it.
Usage: python training/feelings.py
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from packed import write

from gieok.extract.feelings import BUCKETS, buckets, seen_of
from gieok.extract.learned.network import CHARACTER, USER

HERE = Path(__file__).parent
OUT = HERE.parent / "src/gieok/extract/learned/feelings.npz"
LETTERS = "nsha"  # as in gieok.domain.emotion
EVENED_OUT = 0.7  # how far rare emotions are made to count like common ones: 0 not, 1 fully
PLAIN, PLAINLY = ("written_plain", "written_denied"), 3.0  # how much more the files count that name feelings
STEPS, BATCH, RATE, DECAY, SMOOTHED = 1500, 256, 2e-3, 0.05, 0.1


@dataclass
class Messages:
    """What is seen of messages, and how it was labelled."""

    seen: np.ndarray
    places: list[np.ndarray]
    values: np.ndarray
    emotions: np.ndarray
    weights: np.ndarray

    def looks(self, which: np.ndarray, dense: np.ndarray, bag: np.ndarray) -> np.ndarray:
        """Return what speaks for each emotion."""
        of_bag = np.array([bag[self.places[each]].sum(0) for each in which]) * self.values[which, None]
        return self.seen[which] @ dense + of_bag


def messages(paths: list[Path]) -> Messages:
    rows = [(path.stem, *line.split("\t")) for path in paths for line in path.read_text("utf-8").splitlines()]
    seen = [seen_of(text, USER if who == "u" else CHARACTER) for _, _, who, text in rows]
    bags = [buckets(text) for *_, text in rows]
    return Messages(
        np.hstack([np.array(seen), np.ones((len(rows), 1))]).astype(np.float32),
        [places for places, _ in bags],
        np.array([value for _, value in bags], np.float32),
        np.array([LETTERS.index(letter) for _, letter, *_ in rows]),
        np.array([PLAINLY if stem in PLAIN else 1.0 for stem, *_ in rows]),
    )


def learned(known: Messages) -> tuple[np.ndarray, np.ndarray]:
    """Return the weights of what is seen, and those of the buckets, by Adam."""
    chance = np.random.default_rng(0)
    often = known.weights * np.bincount(known.emotions)[known.emotions] ** -EVENED_OUT
    wanted = np.eye(len(LETTERS))[known.emotions] * (1 - SMOOTHED) + SMOOTHED / len(LETTERS)
    at = [np.zeros((size, len(LETTERS)), np.float32) for size in (known.seen.shape[1], BUCKETS)]
    mean, square = [np.zeros_like(each) for each in at], [np.zeros_like(each) for each in at]
    for step in range(1, STEPS + 1):
        some = chance.choice(len(often), BATCH, p=often / often.sum())
        looks = known.looks(some, *at)
        raised = np.exp(looks - looks.max(1, keepdims=True))
        error = ((raised / raised.sum(1, keepdims=True) - wanted[some]) / BATCH).astype(np.float32)
        of_bag = np.zeros_like(at[1])
        for row, each in enumerate(some):
            of_bag[known.places[each]] += error[row] * known.values[each]
        for part, slope in enumerate((known.seen[some].T @ error, of_bag)):
            mean[part] = 0.9 * mean[part] + 0.1 * slope
            square[part] = 0.999 * square[part] + 0.001 * slope * slope
            way = mean[part] / (1 - 0.9**step) / (np.sqrt(square[part] / (1 - 0.999**step)) + 1e-8)
            rate = RATE * (1 - step / STEPS)
            at[part] = at[part] * (1 - rate * DECAY) - rate * way
    return at[0], at[1]


def main() -> None:
    paths = sorted((HERE / "emotions").glob("*.tsv"))
    known = messages([path for path in paths if path.stem != "dev"])
    spread = known.seen.std(0) + 1e-3  # so that all numbers learn alike
    spread[-1] = 1.0
    known.seen /= spread
    dense, bag = learned(known)
    dense /= spread[:, None]
    write(OUT, {"seen": dense[:-1].T, "bias": dense[-1], "buckets": bag.T}, {})


if __name__ == "__main__":
    main()
