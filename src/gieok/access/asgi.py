"""How the guard hands a caller on to whoever answers the request."""

from __future__ import annotations

from collections.abc import Mapping, MutableMapping
from typing import Any, Final

from gieok.access.caller import Caller

_PLACE: Final = "gieok.caller"


def let_in(scope: MutableMapping[str, Any], caller: Caller) -> None:
    """Note in an ASGI scope who is calling."""
    scope[_PLACE] = caller


def caller_in(scope: Mapping[str, Any]) -> Caller:
    """Return who is calling. Nobody gets past the guard without a name: there is no default."""
    caller = scope[_PLACE]
    assert isinstance(caller, Caller)
    return caller
