"""Files that are on the disk for good: a name that was given is found after a power cut, with all that it names."""

from __future__ import annotations

import os
from pathlib import Path


def sync_file(path: Path) -> None:
    """Wait until all of a file that nobody has open is on the disk."""
    file = os.open(path, os.O_RDWR)
    try:
        os.fsync(file)
    finally:
        os.close(file)


def settle_folder(folder: Path) -> None:
    """Wait until the names in a folder are on the disk; some systems cannot, or need not."""
    if os.name != "posix":
        return
    names = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(names)
    finally:
        os.close(names)
