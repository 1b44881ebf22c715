"""Giving a bank's file another key; see `gieok.stores.sqlite.rekey` for how."""

from __future__ import annotations

import os

from gieok.errors import InvalidQuery, InvalidSetting
from gieok.settings import Settings, load
from gieok.stores.location import found_key


def rekey(
    location: str | os.PathLike[str] | None = None,
    *,
    new_key: str | None = None,
    new_key_file: str | None = None,
    new_key_command: str | None = None,
    decrypt: bool = False,
    settings: Settings | None = None,
    **overrides: object,
) -> Settings:
    """Encrypt the bank at `location` with another key, for the first time, or (`decrypt`) no more.

    What opens it now is what the settings say (`key`, `key_file`, `key_command`). Nobody may have it open meanwhile,
    this process included. Raises `WrongKey`, `BankInUse` and the like; the bank is then as it was. Returns the
    settings that opened it: from now on, others do.
    """
    if settings is None:
        settings = load(given={"bank": location, **overrides})
    elif location is not None or overrides:
        raise InvalidQuery("give either settings or a location with single settings, not both")
    if "://" in settings.bank:
        raise InvalidQuery("a key encrypts a file; on a server, encrypt its disk (docs/encryption.md)")
    fresh = _named(new_key, new_key_file, new_key_command)
    if decrypt == (fresh is not None):
        raise InvalidSetting("give a new key, or say that there shall be none: one of the two")
    from gieok.stores.sqlite.rekey import rekey as rekey_file

    rekey_file(settings.bank, found_key(**settings.key_from), fresh)
    return settings


def _named(key: str | None, file: str | None, command: str | None) -> str | None:
    """Return the new key; what goes wrong is told by the names of the old one's settings, with new_ before them."""
    try:
        return found_key(key=key, key_file=file, key_command=command)
    except InvalidSetting as trouble:
        told = str(trouble).replace("key_file", "new_key_file").replace("key_command", "new_key_command")
        raise InvalidSetting(f"the new key: {told}") from trouble
