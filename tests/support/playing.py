"""Playing an example as its command does, but into a folder of the test and onto a screen that is kept."""

from __future__ import annotations

import importlib
import io
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

EXAMPLES = Path(__file__).parents[2] / "examples"


def player(name: str, patch: pytest.MonkeyPatch) -> Callable[..., tuple[Any, str]]:
    """Return what plays `examples/<name>/play.py`: it takes a folder and settings, and returns result and screen."""
    folder = EXAMPLES / name
    for module in [path.stem for path in folder.glob("*.py")]:  # another example's may go by the same names
        patch.delitem(sys.modules, module, raising=False)
    patch.syspath_prepend(str(folder))
    module = importlib.import_module("play")

    def play(into: Path, **settings: Any) -> tuple[Any, str]:
        screen = io.StringIO()
        return module.play(into, Console(file=screen, width=100), **settings), screen.getvalue()

    return play
