"""Where the command writes: answers on stdout, everything else on stderr."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.text import Text

if TYPE_CHECKING:
    from gieok.bank import MemoryBank


def answers() -> Console:
    """Return the console for what was asked for. What people said is shown as it stands: no markup, no emoji codes."""
    return Console(markup=False, emoji=False, highlight=False)


def asides() -> Console:
    """Return the console for progress and complaints, so that stdout stays fit for a pipe."""
    return Console(stderr=True, markup=False, emoji=False, highlight=False)


def complain(trouble: str) -> None:
    asides().print(Text.assemble(("gieok: ", "bold red"), (trouble, "red")), soft_wrap=True)


def print_json(record: Any) -> None:
    """Write `record`, and nothing else, to stdout."""
    sys.stdout.write(json.dumps(record, ensure_ascii=False, indent=2) + "\n")


def wake(bank: MemoryBank) -> None:
    """Load morphology and encoder, with a word on stderr about the wait.

    Without a working encoder words alone are searched, and the answer says so.
    """
    from contextlib import suppress

    from gieok.errors import EmbedderFailed
    from gieok.language import morphemes

    with asides().status("기억을 깨우는 중… (1/2) 형태소 분석기") as status:
        morphemes.warm()
        status.update("기억을 깨우는 중… (2/2) 문장 인코더")
        with suppress(EmbedderFailed):
            bank.embedder.warm()
