"""Pack the trained tagger for the wheel.

Usage: python training/pack.py MODEL.npz VECTORS.npz OUT.npz
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np
from packed import write

UNUSED = {"density", "guess", "mood", "emotion", "hear", "gist"}  # of use in training alone
EMBEDDINGS = {"char", "syllables", "tag", "start", "speaker", "kind", "far"}


def main(model: str, vectors: str, out: str) -> None:
    trained, words = np.load(model), np.load(vectors)
    arrays: dict[str, np.ndarray] = {"alphabet": trained["alphabet"].astype(np.int32)}
    for name in trained.files:
        if not name.startswith("p.") or name.split(".")[1] in UNUSED:
            continue
        value, short = trained[name].astype(np.float32), name[2:]
        if short.count(".") == 1 and short.endswith(".weight") and short.split(".")[0] in EMBEDDINGS:
            arrays[short.removesuffix(".weight")] = value
        elif short.endswith(".weight") and value.ndim == 2:
            arrays[short] = value.T.copy()
        else:
            arrays[short] = value
    table = words["vectors"].astype(np.float32) * words["scale"].astype(np.float32)
    arrays["vectors"] = np.concatenate([np.zeros((1, table.shape[1]), np.float32), table / table.std()])
    arrays["names"] = np.frombuffer("\n".join(map(str, words["names"])).encode(), np.uint8)
    write(Path(out), arrays, json.loads(str(trained["meta"])))


if __name__ == "__main__":
    main(*sys.argv[1:])
