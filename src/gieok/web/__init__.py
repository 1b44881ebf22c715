"""The inspector: a memory to be seen, searched and mended in a browser.

Its pages speak to banks and conversations as any other program does, never to a store.
"""

from __future__ import annotations

from importlib.util import find_spec


def is_installed() -> bool:
    """Whether what draws the pages is installed: pip install "gieok[web]"."""
    return find_spec("nicegui") is not None
