"""Text as Korean and English: what readers, indexes and prompts know about words.

Importing this room costs next to nothing: a name brings its module along when it is first used. Kiwi, the
morphological analyser, takes seconds to load and does so at the first Korean text (or at `warm()`); a text
without a Hangul syllable never needs it.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from gieok.language.morphemes import Morpheme, analyse, loaded, warm
    from gieok.language.numerals import FoundNumber, MonthDay, find_month_days, find_numbers, read_number
    from gieok.language.periods import Period, asked_periods
    from gieok.language.terms import QueryTerms, index_terms, query_terms
    from gieok.language.text import fold, has_hangul, normalise
    from gieok.language.token_count import estimate_tokens
    from gieok.language.wording import josa

__all__ = [
    "FoundNumber", "MonthDay", "Morpheme", "Period", "QueryTerms", "analyse", "asked_periods", "estimate_tokens",
    "find_month_days", "find_numbers", "fold", "has_hangul", "index_terms", "josa", "loaded", "normalise",
    "query_terms", "read_number", "warm",
]  # fmt: skip

_HOMES = {
    "morphemes": ("Morpheme", "analyse", "loaded", "warm"),
    "numerals": ("FoundNumber", "MonthDay", "find_month_days", "find_numbers", "read_number"),
    "periods": ("Period", "asked_periods"),
    "terms": ("QueryTerms", "index_terms", "query_terms"),
    "text": ("fold", "has_hangul", "normalise"),
    "token_count": ("estimate_tokens",),
    "wording": ("josa",),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> Any:
    """Bring a public name from its module at the first use (PEP 562)."""
    if name not in _HOME_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{_HOME_OF[name]}"), name)
    globals()[name] = value
    return value
