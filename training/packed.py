"""Writes learned weights for the wheel: bytes with a scale for each row. `gieok.language.weights` reads them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from gieok.language.weights import META, SCALE

SMALL = 4096  # numbers from which an array is packed


def write(path: Path, arrays: Mapping[str, np.ndarray], meta: Mapping[str, Any]) -> None:
    packed: dict[str, np.ndarray] = {META: np.array(json.dumps(meta, ensure_ascii=False))}
    for name, value in arrays.items():
        if value.dtype.kind != "f":
            packed[name] = value
        elif value.ndim < 2 or value.size < SMALL:
            packed[name] = value.astype(np.float16)
        else:
            scale = np.maximum(np.abs(value).max(1, keepdims=True) / 127, 1e-8)
            packed[name] = np.round(value / scale).astype(np.int8)
            packed[name + SCALE] = scale.astype(np.float16)
    np.savez_compressed(path, **packed)
    print(f"wrote {path}, {path.stat().st_size // 1024} kB")
