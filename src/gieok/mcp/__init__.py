"""The Model Context Protocol: the memory as tools, scopes as resources."""

from __future__ import annotations

from importlib.util import find_spec

from gieok.errors import InvalidSetting


def is_installed() -> bool:
    """Whether the SDK is installed; without it this package cannot be used."""
    return find_spec("mcp") is not None


def require_sdk() -> None:
    """Raise `InvalidSetting` where the SDK is missing."""
    if not is_installed():
        raise InvalidSetting('MCP needs the package "mcp"; run: pip install "gieok[mcp]"')
