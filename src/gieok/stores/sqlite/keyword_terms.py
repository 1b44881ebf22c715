"""Terms as the keyword index holds them: under their scope, and in one piece.

FTS5 splits words at separators. A term that could be split might carry another scope's prefix in its tail, so
separators are taken out before.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

TAG: Final = "\ue000"  #: begins a tag; no word of a language does
# Python does not count these as white space, but FTS5 splits there (U+180E was a space once).
_SPLITTERS: Final = {0x0000: None, 0x180E: None}


def scoped_terms(scope_id: int, terms: Iterable[str]) -> list[str]:
    """Return `terms` with their scope's prefix, without those of which nothing is left."""
    return [f"{scope_id}x{term}" for term in map(_whole, terms) if term]


def _whole(term: str) -> str:
    return "".join(term.translate(_SPLITTERS).split()).encode(errors="ignore").decode()
