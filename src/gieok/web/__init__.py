"""The inspector: shows, searches and corrects memories in a browser.

Its pages use banks and conversations as any other program does, never a store.
"""

from __future__ import annotations

from importlib.util import find_spec
from typing import Final

from gieok.access.guard import LOGIN, LOGOUT

EXPORT: Final = "/scopes/export"  #: not a page but a file
PATHS: Final = {
    "talk": "/",
    "memories": "/memories",
    "ask": "/ask",
    "relationship": "/relationship",
    "graph": "/graph",
    "upkeep": "/upkeep",
    "scopes": "/scopes",
}
SOCKETS: Final = "/_nicegui_ws/"
_OWN: Final = frozenset({*PATHS.values(), LOGIN, LOGOUT, "/favicon.ico", EXPORT})
_BELOW: Final = ("/_nicegui/", SOCKETS, "/look/")


def is_installed() -> bool:
    """Whether what draws the pages is installed: pip install "gieok[web]"."""
    return find_spec("nicegui") is not None


def is_page(path: str) -> bool:
    """Whether a path is one of the inspector's. What draws the pages is not loaded by this."""
    return path in _OWN or path.startswith(_BELOW)


def page_template(path: str) -> str:
    """Return the name of a page's path in the log and the metrics, which must not grow with what strangers ask for."""
    return next((f"{start}…" for start in _BELOW if path.startswith(start)), path)
