"""The words by which people call each other, from `address.toml`."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files


@dataclass(frozen=True, slots=True, kw_only=True)
class AddressWords:
    """Forms of address, by what they say of the two."""

    kin: frozenset[str]
    titles: frozenset[str]
    sweet: frozenset[str]
    plain: frozenset[str]
    no_names: frozenset[str]
    english_sweet: frozenset[str]
    english_polite: frozenset[str]
    english_openers: frozenset[str]
    english_no_names: frozenset[str]
    called: frozenset[str]  #: kin, titles and sweet words: what may stand for the listener


@cache
def address_words() -> AddressWords:
    """Return the words, read at the first use."""
    raw = tomllib.loads(files(__package__).joinpath("address.toml").read_text(encoding="utf-8"))
    english = raw.pop("english")
    korean = {name: frozenset(words.split()) for name, words in raw.items()}
    called = korean["kin"] | korean["titles"] | korean["sweet"]
    return AddressWords(
        **korean, called=called, **{f"english_{name}": frozenset(words.split()) for name, words in english.items()}
    )
