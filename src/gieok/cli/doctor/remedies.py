"""What to do about a bank that does not open."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from gieok.errors import BankUnavailable, DiskFull, GieokError, NewerSchema, NotABank, SettingsError

if TYPE_CHECKING:
    from gieok.settings import Settings

ALLOW: Final = "check the permissions: the file and its folder must be readable and writable"
RESTORE: Final = "restore the file from a backup"
ANOTHER: Final = "name another file by --bank or GIEOK_BANK"
_PAGE: Final = 512  #: bytes; a database file is made of whole pages of at least this size


def remedy(trouble: GieokError, settings: Settings) -> str:
    match trouble:
        case NotABank():
            return _for_another_file(trouble, settings)
        case NewerSchema():
            return "pip install -U gieok"
        case DiskFull():
            return "free some space on its disk"
        case BankUnavailable():
            return _for_an_unreachable_file(trouble)
        case SettingsError():
            return "put the setting right, or leave it out"
    return ANOTHER


def _for_another_file(trouble: NotABank, settings: Settings) -> str:
    import apsw

    unreadable = isinstance(trouble.__cause__, apsw.NotADBError)
    if settings.key is not None:
        key = "set GIEOK_KEY to the key that it was made with" if unreadable else "leave GIEOK_KEY out"
        return f"{key}; if it is no bank, {ANOTHER}"
    if unreadable:  # its first bytes were those of a bank
        return RESTORE
    if _may_be_encrypted(Path(settings.bank)):
        return f"if it is an encrypted bank, set GIEOK_KEY to its key; otherwise {ANOTHER}"
    return ANOTHER


def _for_an_unreachable_file(trouble: BankUnavailable) -> str:
    import apsw

    match trouble.__cause__:
        case apsw.CorruptError():
            return RESTORE
        case apsw.BusyError():
            return "end the other program that uses it, or try again later"
        case apsw.IOError():
            return f"check the disk; if it is in order, {RESTORE}"
    return ALLOW


def _may_be_encrypted(path: Path) -> bool:
    if not path.is_file() or path.stat().st_size % _PAGE:
        return False
    with path.open("rb") as file:
        return not file.read(len(b"SQLite")).startswith(b"SQLite")
