"""Temporary banks to measure in."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from gieok.bank import MemoryBank, open_bank
from gieok.domain.personal import PERSONAL_KINDS
from gieok.ports import Model

#: Personal data is kept: these measures are about understanding, not masking.
_UNMASKED: Final[dict[str, Any]] = {f"pii_{kind}": "keep" for kind in PERSONAL_KINDS}


class StoryClock:
    """A clock that only `move_to` moves, never back."""

    def __init__(self, at: datetime) -> None:
        self._at = at

    def now(self) -> datetime:
        return self._at

    def move_to(self, at: datetime) -> None:
        self._at = max(self._at, at)


@contextmanager
def temporary_bank(
    *,
    embedder: str | None = None,
    clock: StoryClock | None = None,
    like: MemoryBank | None = None,
    extractor: Any = None,
    model: Model | None = None,
    **given: Any,
) -> Iterator[MemoryBank]:
    """Open a new bank in a temporary file, with the settings of gieok.toml and GIEOK_*.

    `embedder` overrides the settings. `like` reuses the loaded embedder of another bank. `extractor` replaces the
    reader; `model` reads behind it; `given` are further settings.
    """
    with (
        TemporaryDirectory(prefix="gieok-eval-") as folder,
        open_bank(
            Path(folder) / "eval.db",
            embedder=like.embedder if like else embedder,
            clock=clock,
            extractor=extractor,
            model=model,
            behind_the_scenes="off",
            **_UNMASKED,
            **given,
        ) as bank,
    ):
        yield bank
