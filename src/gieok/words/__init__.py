"""The words that gieok shows to people, in Korean and English, for every surface.

`ko/` and `en/` hold one TOML file per surface with the same keys in both. A file is read when a key of it is first
asked for, so a command loads the words of its own surface alone.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from string import Formatter
from typing import Any, Final, Literal

from gieok.words.particles import josa

Language = Literal["ko", "en"]
LANGUAGES: Final[tuple[Language, ...]] = ("ko", "en")


class _Particles(Formatter):
    """Format strings in which `{name:을/를}` adds the particle that fits the value."""

    def format_field(self, value: Any, format_spec: str) -> str:
        if "/" in format_spec:
            return josa(str(value), format_spec)
        return str(super().format_field(value, format_spec))


_FORMAT: Final = _Particles()


class Words:
    """The catalogue in one language. Keys have dots; the first part is the surface: `words("talk.send")`."""

    def __init__(self, language: Language, tables: Mapping[str, Any] | None = None) -> None:
        self.language: Language = language
        self._tables: dict[str, Any] = dict(tables or {})
        self._whole = tables is not None

    def __call__(self, key: str, /, **values: object) -> str:
        """Return the text of `key` with `values` filled in. Raises KeyError where there is none."""
        text = self._find(key)
        if not isinstance(text, str):
            raise KeyError(f"there are no words {key!r} in {self.language}")
        return _FORMAT.format(text, **values) if values else text

    def choices(self, key: str, /, **values: object) -> list[str]:
        """Return the texts of a list, each of which may be shown, with `values` filled in."""
        texts = self._find(key)
        if not isinstance(texts, list):
            raise KeyError(f"there is no list {key!r} in {self.language}")
        return [_FORMAT.format(text, **values) for text in texts]

    def some(self, key: str) -> dict[str, str]:
        """Return all texts of a table by their names: the choices of a menu, the labels of attributes."""
        table = self._find(key)
        if not isinstance(table, dict):
            raise KeyError(f"there is no table {key!r} in {self.language}")
        return {name: text for name, text in table.items() if isinstance(text, str)}

    def label(self, table: str, name: str) -> str:
        """Return what `shared.<table>` calls `name`; a name that is not in it stays as it is."""
        return self.some(f"shared.{table}").get(name, name)

    def attribute(self, key: str) -> str:
        """Return what the attribute `key` is called: of the schema, a favourite, or a free one."""
        kind, _, thing = key.partition(".")
        if kind == "favorite" and thing:
            return self.some("shared.favorites").get(thing, f"{self.label('attributes', kind)}: {thing}")
        if kind == "free" and thing:
            return self.some("shared.free").get(thing, thing.replace("_", " "))
        return self.label("attributes", key)

    def _find(self, key: str) -> Any:
        surface, _, rest = key.partition(".")
        if surface not in self._tables and not self._whole:
            self._tables[surface] = _read(self.language, surface)
        found: Any = self._tables.get(surface)
        for part in rest.split(".") if rest else ():
            found = found.get(part) if isinstance(found, Mapping) else None
        return found


def _read(language: Language, surface: str) -> dict[str, Any]:
    file = files("gieok.words") / language / f"{surface}.toml"
    return tomllib.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}


@cache
def words_in(language: Language) -> Words:
    """Return the catalogue in `language`; its surfaces are read as they are used."""
    return Words(language)


def accepted_language(header: str) -> Language | None:
    """Return the language that an Accept-Language header prefers: Korean or English; None where it names none.

    A browser that asks for neither gets English.
    """
    wanted: list[tuple[float, str]] = []
    for part in header.split(","):
        tag, _, quality = part.strip().partition(";q=")
        try:
            wanted.append((-float(quality or 1), tag.partition("-")[0].lower()))
        except ValueError:
            continue
    languages = [name for quality, name in sorted(wanted, key=lambda each: each[0]) if name.isalpha() and quality]
    return next((name for name in languages if name in LANGUAGES), "en" if languages else None)
