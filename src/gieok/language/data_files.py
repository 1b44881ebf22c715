"""Word lists and regular expressions that are kept in data files, each file read at first use."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Mapping
from functools import cache
from importlib.resources import files
from typing import Any, Final

_PART: Final = re.compile(r"\{([A-Z_]+)\}")


@cache
def data_file(name: str, package: str = "gieok.language") -> dict[str, Any]:
    """Return the content of a TOML file of a package."""
    return tomllib.loads(files(package).joinpath(name).read_text(encoding="utf-8"))


class WordSets:
    """The word lists of some tables of a data file of this package; each list is an attribute."""

    def __init__(self, file: str, *tables: str) -> None:
        self._from = (file, tables)

    def __getattr__(self, name: str) -> frozenset[str]:
        file, tables = self._from
        for table in tables:
            listed = {key: words for key, words in data_file(file)[table].items() if isinstance(words, str)}
            self.__dict__.update({key: frozenset(words.split()) for key, words in listed.items()})
        try:
            found: frozenset[str] = self.__dict__[name]
        except KeyError:
            raise AttributeError(f"{file} has no list {name!r} in {', '.join(tables)}") from None
        return found


class Patterns:
    """The regular expressions of a table of a data file; each is an attribute, compiled when it is first asked for.

    `{NAME}` in a pattern stands for the entry NAME of the table, or of what `parts` returns.
    """

    def __init__(
        self, package: str, file: str, table: str, parts: Callable[[], Mapping[str, str]] = dict[str, str]
    ) -> None:
        self._from = (package, file, table, parts)

    def __getattr__(self, name: str) -> re.Pattern[str]:
        package, file, table, parts = self._from
        written = data_file(file, package)[table]
        if name not in written:
            raise AttributeError(f"{file} has no pattern {name!r} in {table}")
        text, known = written[name], {**written, **parts()}
        while _PART.search(text):
            text = _PART.sub(lambda part: known[part[1]], text)
        found = self.__dict__[name] = re.compile(text.replace("\n", ""))
        return found
