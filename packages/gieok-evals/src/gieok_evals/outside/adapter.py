"""What a memory must offer to be put to the test, and how it is found by its name."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from datetime import datetime
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any, Protocol

from gieok.errors import InvalidQuery


class Adapter(Protocol):
    """A memory: each script gets a new one, made without arguments; `close()` is called at the end where there is one.

    A `user` is whose memory it is: nothing that one was told may come up for another.
    """

    def observe(self, user: str, text: str, reply: str, at: datetime) -> None:
        """Hear what the user said at a moment, and what the character answered."""
        ...

    def ask(self, user: str, question: str) -> Sequence[str]:
        """Return what comes to mind, the best first. Being asked must leave no trace in the memory."""
        ...


def load(named: str) -> type[Any]:
    """Return the class that "package.module:Class" or "path/to/file.py:Class" names. Raises `InvalidQuery`."""
    place, _, name = named.rpartition(":")
    if not place or not name:
        raise InvalidQuery(f"--adapter {named}: name it as MODULE:CLASS or FILE.py:CLASS")
    module = _from_file(Path(place)) if place.endswith(".py") else _from_path(place)
    found = getattr(module, name, None)
    if not isinstance(found, type):
        raise InvalidQuery(f"--adapter {named}: there is no class {name} in {place}")
    missing = [each for each in ("observe", "ask") if not callable(getattr(found, each, None))]
    if missing:
        raise InvalidQuery(f"--adapter {named}: {name} has no {' and no '.join(missing)}; see docs/benchmark.md")
    return found


def _from_file(path: Path) -> ModuleType:
    spec = spec_from_file_location(f"adapter_in_{path.stem}", path)
    if not path.is_file() or spec is None or spec.loader is None:
        raise InvalidQuery(f"there is no file {path} with an adapter")
    _look_in(path.absolute().parent)
    module = module_from_spec(spec)
    sys.modules[module.__name__] = module  # dataclasses look themselves up there
    spec.loader.exec_module(module)
    return module


def _from_path(name: str) -> ModuleType:
    """Import a module, one in the folder where this runs as well."""
    _look_in(Path.cwd())
    try:
        return import_module(name)
    except ModuleNotFoundError as cause:
        if cause.name is None or not f"{name}.".startswith(f"{cause.name}."):
            raise  # it is there, and something that it needs is not
        raise InvalidQuery(f"there is no module {name}; name a file instead: path/to/adapter.py:Class") from cause


def _look_in(folder: Path) -> None:
    """Have modules beside an adapter be found, later ones too: as Python does for a script."""
    if str(folder) not in sys.path:
        sys.path.insert(0, str(folder))
