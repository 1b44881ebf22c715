"""The format of all learned weights: bytes with a scale for each row, smaller arrays as they are, names as JSON.

`training/packed.py` writes it.
"""

from __future__ import annotations

import json
from importlib.resources import files
from io import BytesIO
from typing import Any, Final

import numpy as np

META: Final = "meta"
SCALE: Final = "/scale"
_TABLE: Final = 4096  #: rows from which on an array stays in bytes; a few of its rows are read at a time


class Rows:
    """A large table in bytes. Indexing returns 32-bit rows."""

    __slots__ = ("_scale", "_stored", "shape")

    def __init__(self, stored: Any, scale: Any) -> None:
        self._stored, self._scale = stored, scale
        self.shape: tuple[int, ...] = stored.shape

    def __len__(self) -> int:
        return self.shape[0]

    def __getitem__(self, rows: Any) -> Any:
        return self._stored[rows].astype(np.float32) * self._scale[rows].astype(np.float32)


def shipped(package: str, name: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the arrays of a file in a package, as 32-bit numbers or `Rows` where they are fractions, and its names."""
    return unpacked(files(package).joinpath(name).read_bytes())


def unpacked(data: bytes) -> tuple[dict[str, Any], dict[str, Any]]:
    stored = np.load(BytesIO(data))
    arrays: dict[str, Any] = {}
    for name in stored.files:
        if name == META or name.endswith(SCALE):
            continue
        held = stored[name]
        if name + SCALE in stored.files and len(held) >= _TABLE:
            held = Rows(held, stored[name + SCALE])
        elif name + SCALE in stored.files:
            held = held.astype(np.float32) * stored[name + SCALE].astype(np.float32)
        elif held.dtype == np.float16:
            held = held.astype(np.float32)
        arrays[name] = held
    return arrays, json.loads(str(stored[META]))
