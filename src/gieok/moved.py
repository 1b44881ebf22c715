"""Old import paths that the documentation of 0.1.0 showed. Importing one gives the module that replaced it."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from functools import partial
from importlib import import_module
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Final

MOVED: Final = {
    "gieok.domain.emotion_answer": "gieok.domain.emotion",
    "gieok.domain.manners": "gieok.domain.relationship",
    "gieok.domain.relationship_rules": "gieok.domain.relationship",
    "gieok.interop.arriving": "gieok.interop.importers",
    "gieok.interop.arriving.cards": "gieok.interop.importers.cards",
    "gieok.interop.arriving.shape": "gieok.interop.importers",
    "gieok.interop.leaving": "gieok.interop.exporters",
    "gieok.interop.leaving.formats": "gieok.interop.exporters",
    "gieok.language.emotions": "gieok.extract.feelings",
    "gieok.language.living_wording": "gieok.language.wording",
    "gieok.mcp.over_http": "gieok.mcp.http",
    "gieok.prompts.extract": "gieok.prompts.tasks",
    "gieok.prompts.quoting": "gieok.prompts.data",
}


class _Moved:
    """Finds the modules of `MOVED`. It is asked last, after every ordinary finder."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname not in MOVED:
            return None
        return ModuleSpec(fullname, self, is_package=True)  # type: ignore[arg-type]  # importlib.abc is slow to load

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        return None  # an ordinary one

    def exec_module(self, module: ModuleType) -> None:
        module.__getattr__ = partial(getattr, import_module(MOVED[module.__name__]))  # type: ignore[method-assign]  # PEP 562


def install() -> None:
    """Let the old paths be imported."""
    if not any(isinstance(finder, _Moved) for finder in sys.meta_path):
        sys.meta_path.append(_Moved())
