"""Where each page is, in the order in which they are offered."""

from __future__ import annotations

from typing import Final

EXPORT: Final = "/scopes/export"  #: no page, but a file to be kept
PATHS: Final = {
    "talk": "/",
    "memories": "/memories",
    "ask": "/ask",
    "relationship": "/relationship",
    "graph": "/graph",
    "upkeep": "/upkeep",
    "scopes": "/scopes",
}
