"""Word vectors for the tagger, recovered from the similarities of the installed Kiwi model.

Kiwi tells how similar two morphemes are, but not their vectors. The similarities to a few hundred anchors determine
them up to a rotation. Usage: python training/vectors.py OUT.npz
"""

from __future__ import annotations

import sys

import numpy as np
from kiwipiepy import Kiwi

SIZE = 64
ANCHORS = 320
CODAS = str.maketrans(
    {chr(0x11A8 + i): coda for i, coda in enumerate("ㄱㄲㄳㄴㄵㄶㄷㄹㄺㄻㄼㄽㄾㄿㅀㅁㅂㅄㅅㅆㅇㅈㅊㅋㅌㅍㅎ")}
)
FIRST, LAST = 84, 70488  # ids of morphemes that have a vector


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
    scale = np.abs(kept).max(1, keepdims=True) / 127
    found = np.array([names[each] for each in keep])
    np.savez_compressed(
        out, names=found, vectors=np.round(kept / scale).astype(np.int8), scale=scale.astype(np.float16)
    )


if __name__ == "__main__":
    main(sys.argv[1])
