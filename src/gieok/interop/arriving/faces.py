"""The faces of a character, put into a folder beside the bank: pictures, and which of them shows which feeling."""

from __future__ import annotations

import hashlib
import json
import os
import re
import tempfile
from pathlib import Path
from typing import Final

from gieok.interop.arriving.report import Count
from gieok.interop.arriving.shape import LeftOut, Sprites

FACES: Final = "faces.json"
_UNSAFE: Final = re.compile(r"[^\w.-]+")
_LONGEST: Final = 100


def put_beside(bank: str, sprites: Sprites, count: Count) -> list[Path]:
    """Write the faces of a character beside the file of the bank, and return the folder; what is there stays."""
    if "://" in bank or bank.startswith(":"):
        why = "the bank is no file, and has no place beside it for pictures"
        count.leave_out(LeftOut(where=sprites.where, why=why))
        return []
    folder = Path(f"{bank}.faces") / file_name(sprites.character)
    folder.mkdir(parents=True, exist_ok=True)
    names = {name: file_name(name) for name in sprites.pictures}
    for name, picture in sprites.pictures.items():
        _write(folder / names[name], picture)
    faces = {emotion: names.get(picture, picture) for emotion, picture in sprites.faces.items()}
    _write(folder / FACES, json.dumps(faces, ensure_ascii=False, indent=2).encode())
    return [folder]


def file_name(name: str) -> str:
    """Return a name as a file can have it anywhere; one that had to change keeps a part that tells it from others."""
    safe = _UNSAFE.sub("_", name).strip(".")
    if safe == name and len(safe) <= _LONGEST:
        return safe
    stem, dot, ending = safe[-_LONGEST:].rpartition(".")
    mark = hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:8]
    return f"{stem}-{mark}.{ending}" if dot else f"{ending}-{mark}"


def _write(path: Path, data: bytes) -> None:
    """Write a file whole, unless there is one."""
    if path.exists():
        return
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=".arriving-")
    with os.fdopen(handle, "wb") as file:
        file.write(data)
    os.replace(name, path)
