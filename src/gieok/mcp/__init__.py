"""Model Context Protocol: memory as tools, scopes as resources."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Final

PATH: Final = "/mcp"  #: path on a server


def is_installed() -> bool:
    """Return whether the MCP SDK is installed; this package needs it."""
    return find_spec("mcp") is not None
