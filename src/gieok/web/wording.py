"""The words on the pages, in Korean and in English: `words/<language>/<page>.toml`, the same names in both."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from gieok.web.desks import Language


class Words:
    """What a page says, by names with dots: `words("memories.filter.state")`."""

    def __init__(self, language: Language, tables: Mapping[str, Any]) -> None:
        self.language = language
        self._tables = tables

    def __call__(self, name: str, /, **given: object) -> str:
        """Return the words of that name, with `given` filled in."""
        text = self._found(name)
        if not isinstance(text, str):
            raise KeyError(f"there are no words {name!r} in {self.language}")
        return text.format(**given) if given else text

    def some(self, name: str) -> dict[str, str]:
        """Return all words of a table: choices, by what they stand for."""
        table = self._found(name)
        if not isinstance(table, dict):
            raise KeyError(f"there is no table {name!r} in {self.language}")
        return {key: value for key, value in table.items() if isinstance(value, str)}

    def _found(self, name: str) -> Any:
        found: Any = self._tables
        for part in name.split("."):
            found = found.get(part) if isinstance(found, Mapping) else None
        return found


@cache
def words_in(language: Language) -> Words:
    folder = files("gieok.web") / "words" / language
    return Words(
        language,
        {
            file.name.removesuffix(".toml"): tomllib.loads(file.read_text(encoding="utf-8"))
            for file in folder.iterdir()
            if file.name.endswith(".toml")
        },
    )
