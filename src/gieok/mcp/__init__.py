"""The Model Context Protocol: a memory as tools, scopes as resources."""

from __future__ import annotations

from importlib.util import find_spec

from gieok.errors import InvalidSetting


def is_installed() -> bool:
    """Whether the protocol's SDK is there; without it this room cannot be used."""
    return find_spec("mcp") is not None


def require_sdk() -> None:
    """Raise `InvalidSetting` with the way out where the SDK is missing."""
    if not is_installed():
        raise InvalidSetting('MCP needs the package "mcp"; run: pip install "gieok[mcp]"')
