"""A bank to measure in: a temporary file, with the settings of every day, gone afterwards."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from gieok.bank import MemoryBank, open_bank
from gieok.domain.personal import PERSONAL_KINDS


class StoryClock:
    """Stands where it is put; only the story moves it."""

    def __init__(self, at: datetime) -> None:
        self._at = at

    def now(self) -> datetime:
        return self._at

    def move_to(self, at: datetime) -> None:
        self._at = max(self._at, at)


#: What is understood is measured, not what is masked.
_AS_SAID: Final[dict[str, Any]] = {f"pii_{kind}": "keep" for kind in PERSONAL_KINDS}


@contextmanager
def temporary_bank(
    *,
    embedder: str | None = None,
    clock: StoryClock | None = None,
    like: MemoryBank | None = None,
    extractor: Any = None,
) -> Iterator[MemoryBank]:
    """Open a new bank; settings come from gieok.toml and GIEOK_* as for any other, `embedder` outranks them.

    A bank opened `like` an earlier one goes on with its embedder, which is loaded already. `extractor` reads instead
    of the rules.
    """
    own = like.embedder if like else embedder
    with (
        TemporaryDirectory(prefix="gieok-eval-") as folder,
        open_bank(
            Path(folder) / "eval.db",
            embedder=own,
            clock=clock,
            extractor=extractor,
            behind_the_scenes="off",
            **_AS_SAID,
        ) as bank,
    ):
        yield bank
