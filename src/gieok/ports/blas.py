"""One BLAS thread for small matrices: with more, the threads of several callers fight over the cores."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from threading import Lock
from typing import Any

_lock = Lock()
_held: list[Any] = []  #: the limit, if one is set, and an entry for each caller


@contextmanager
def one_thread() -> Iterator[None]:
    """Let BLAS use one thread until the last caller is through; only the first sets it, only the last sets it back."""
    with _lock:
        _held.append(None if _held else _blas().limit(limits=1))
        limit = _held[0]
    try:
        yield
    finally:
        with _lock:
            _held.pop()
            if not _held:
                limit.restore_original_limits()


@cache
def _blas() -> Any:
    import numpy as np  # noqa: F401 - its BLAS has to be loaded to be found
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController().select(user_api="blas")
