"""The Model Context Protocol: the memory as tools, scopes as resources."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Final

PATH: Final = "/mcp"  #: of the server


def is_installed() -> bool:
    """Whether the SDK is installed; without it this package cannot be used."""
    return find_spec("mcp") is not None
