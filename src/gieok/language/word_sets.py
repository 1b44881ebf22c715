"""Sets of words, kept in the data files of this package and read at first use."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files
from typing import Any


@cache
def data_file(name: str) -> dict[str, Any]:
    """Return the content of a TOML file beside this module."""
    return tomllib.loads(files(__package__).joinpath(name).read_text(encoding="utf-8"))


class WordSets:
    """The word lists of some tables of a data file; each list is an attribute."""

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
