"""Find families of words in what Kiwi has learned of their company: `make families`.

Kiwi tells how alike two morphemes are. Asked of a few hundred of them beside all others, that gives back where each
stands among all (Nyström's way), and k-means finds the families. Writes `src/gieok/language/families.npz`.
"""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import numpy as np
from kiwipiepy import Kiwi
from numpy.typing import NDArray

PATH = Path(__file__).parents[1] / "src/gieok/language/families.npz"
TAGS = ("NNG", "NNP", "NR", "NP", "VV", "VA", "MAG", "XR", "IC", "SL")
FREQUENT = 50_000  #: Kiwi's own numbers grow as words get rarer
ANCHORS = 500  #: more than its vectors have dimensions
FAINT = 0.05  #: directions in which anchors hardly differ are noise
WIDE, NARROW = 64, 400
ROUNDS = 15

Floats = NDArray[np.float32]


def vectors(kiwi: Kiwi) -> tuple[list[str], Floats]:
    """Return words, the most frequent first, and where they stand."""
    everything = kiwi.most_similar_morphemes("사람", top_n=1_000_000)
    words = sorted((each for each in everything if is_word(each)), key=lambda each: each.id)
    place = {each.id: number for number, each in enumerate(words)}
    anchors = random.Random(0).sample(words, ANCHORS)
    alike = np.zeros((len(words), ANCHORS), dtype=np.float32)
    for column, anchor in enumerate(anchors):
        alike[place[anchor.id], column] = 1.0
        for each in kiwi.most_similar_morphemes(anchor.id, top_n=1_000_000):
            if each.id in place and each.id != anchor.id:
                alike[place[each.id], column] = each.score
    among = alike[[place[anchor.id] for anchor in anchors]]
    strength, ways = np.linalg.eigh((among + among.T) / 2)
    strong = strength > FAINT
    standing = unit(alike @ (ways[:, strong] / np.sqrt(strength[strong])))
    return [lemma(each) for each in words], unit(standing - standing.mean(axis=0))


def is_word(each: Any) -> bool:
    return each.id < FREQUENT and str(each.tag).partition("-")[0] in TAGS


def lemma(each: Any) -> str:
    return f"{each.form}다" if str(each.tag)[:2] in ("VV", "VA") else str(each.form)


def unit(rows: Floats) -> Floats:
    return np.asarray(rows / np.linalg.norm(rows, axis=1, keepdims=True), dtype=np.float32)


def families(rows: Floats, count: int) -> NDArray[np.intp]:
    """Return the family of each row: k-means by the angle."""
    dice = np.random.default_rng(0)
    middles = rows[dice.choice(len(rows), count, replace=False)]
    for _ in range(ROUNDS):
        nearest = (rows @ middles.T).argmax(axis=1)
        sums = np.zeros_like(middles)
        np.add.at(sums, nearest, rows)
        left = ~sums.any(axis=1)
        sums[left] = rows[dice.choice(len(rows), int(left.sum()))]
        middles = unit(sums)
    return np.asarray(nearest)


def main() -> None:
    """Find them, and write them down."""
    words, rows = vectors(Kiwi())
    found = {"wide": families(rows, WIDE).astype(np.uint8), "narrow": families(rows, NARROW).astype(np.uint16)}
    first = firsts(words)
    kept = {name: own[first] for name, own in found.items()}
    np.savez_compressed(PATH, words=np.array("\n".join(words[place] for place in first)), **kept)
    print(f"wrote {PATH.name}: {len(first)} words, {PATH.stat().st_size // 1024} kB")


def firsts(words: list[str]) -> list[int]:
    """Return where each word stands first: as what it is most often."""
    place: dict[str, int] = {}
    for number, word in enumerate(words):
        if word.strip():
            place.setdefault(word, number)
    return list(place.values())


if __name__ == "__main__":
    main()
