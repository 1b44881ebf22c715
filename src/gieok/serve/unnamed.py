"""A scope as the log knows it: recognisable while the server runs, but not by name."""

from __future__ import annotations

import secrets
from hashlib import blake2s
from typing import Final
from urllib.parse import parse_qs

from gieok.domain.scope import Scope

_SALT: Final = secrets.token_bytes(16)  # another one at every start: names cannot be guessed from an old log


def unnamed(scope: Scope) -> str:
    return _hashed(scope.user, scope.character, scope.world)


def unnamed_scope(query_string: bytes) -> str | None:
    """Return the scope that a query string names, unnamed; None: it names none."""
    given = parse_qs(query_string.decode("latin-1"), encoding="utf-8", errors="replace")
    # Of a name that is given twice the last counts, as it does for whoever answers.
    names = [given[name][-1] if name in given else None for name in ("user", "character", "world")]
    return _hashed(*names) if any(names) else None


def _hashed(*names: str | None) -> str:
    text = "\0".join(name or "" for name in names)
    return blake2s(text.encode("utf-8", "replace"), key=_SALT, digest_size=6).hexdigest()
