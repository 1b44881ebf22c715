"""The key of an encrypted bank. It stands in no message, and in nothing that has a repr."""

from __future__ import annotations

from gieok.errors import InvalidSetting


def checked_key(key: str | None) -> str | None:
    """Return `key` if a file can be encrypted with it, else raise `InvalidSetting`."""
    if key is None:
        return None
    if not key:
        raise InvalidSetting("the key is empty; leave it out for a bank without encryption")
    if "\x00" in key:
        raise InvalidSetting("the key holds a NUL character; choose one without")
    if any("\ud800" <= letter <= "\udfff" for letter in key):
        raise InvalidSetting("the key holds a lone surrogate, which is no character; choose one without")
    return key
