"""Pack trained weights for the wheel: bytes with a scale for each row.

Usage: python training/pack.py MODEL.npz VECTORS.npz OUT.npz
"""

from __future__ import annotations

import sys

import numpy as np


def main(model: str, vectors: str, out: str) -> None:
    trained, words = np.load(model), np.load(vectors)
    packed: dict[str, np.ndarray] = {"alphabet": trained["alphabet"].astype(np.int32), "meta": trained["meta"]}

    def put(name: str, value: np.ndarray) -> None:
        if value.ndim < 2 or value.size < 4096:
            packed[name] = value.astype(np.float16)
            return
        scale = np.maximum(np.abs(value).max(1, keepdims=True) / 127, 1e-8)
        packed[name] = np.round(value / scale).astype(np.int8)
        packed[f"{name}/scale"] = scale.astype(np.float16)

    for name in trained.files:
        if not name.startswith("p.") or name.startswith("p.density"):
            continue
        value, short = trained[name].astype(np.float32), name[2:]
        if short.count(".") == 1 and short.endswith(".weight") and short.split(".")[0] in EMBEDDINGS:
            put(short.removesuffix(".weight"), value)
        elif short.endswith(".weight") and value.ndim == 2:
            put(short, value.T.copy())
        else:
            put(short, value)
    table = words["vectors"].astype(np.float32) * words["scale"].astype(np.float32)
    put("vectors", np.concatenate([np.zeros((1, table.shape[1]), np.float32), table / table.std()]))
    packed["names"] = np.frombuffer("\n".join(map(str, words["names"])).encode(), np.uint8)
    np.savez_compressed(out, **packed)


EMBEDDINGS = {"char", "syllables", "tag", "start", "speaker", "kind", "far"}

if __name__ == "__main__":
    main(*sys.argv[1:])
