"""How many tokens a language model will see: counted where its vocabulary is at hand, estimated otherwise.

`tiktoken` fetches a vocabulary that it does not have from the network, which recalling must never do: it is asked only
when the file lies in its cache, whole.
"""

from __future__ import annotations

import hashlib
import logging
import os
import re
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import Final

from gieok.language.cache import cached_by_text

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Vocabulary:
    """A file that tiktoken keeps under the hash of its address."""

    address: str
    sha256: str


_PUBLIC: Final = "https://openaipublic.blob.core.windows.net/encodings/"
_VOCABULARIES: Final = {
    "o200k_base": _Vocabulary(
        address=f"{_PUBLIC}o200k_base.tiktoken",
        sha256="446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d",
    ),
    "cl100k_base": _Vocabulary(
        address=f"{_PUBLIC}cl100k_base.tiktoken",
        sha256="223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7",
    ),
}
_TODAYS: Final = "o200k_base"

_RUN = re.compile(
    r"(?P<ideograph>[가-힣ㄱ-ㆎ\u1100-\u11ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]+)"
    r"|(?P<latin>[A-Za-z]+)|(?P<digits>[0-9]+)|(?P<lines>\n+)|(?P<mark>[!-/:-@\[-`{-~]+)|(?P<other>\S)"
)
#: Tokens for a number of characters, by the kind of run; docs/architecture.md has what they were held against.
_RATES: Final = {
    "ideograph": (1, 1),
    "latin": (1, 5),
    "digits": (1, 2),
    "lines": (1, 4),
    "mark": (1, 1),
    "other": (2, 1),
}
#: The same in a vocabulary without Hangul, which spells it in UTF-8 bytes.
_BYTEWISE: Final = {**_RATES, "ideograph": (3, 1), "other": (4, 1)}


_LINES: Final = 4_096  #: counts that are kept: a context offers more than a hundred lines, and the next one the same
_counted: Final[Callable[[Callable[[str], int]], Callable[[str], int]]] = partial(cached_by_text, short_ones=_LINES)


@_counted
def estimate_tokens(text: str) -> int:
    """Return about how many tokens `text` costs: 0 for "", rather too many than too few.

    Text added at either end never lowers it, and two texts together never cost more than apart.
    """
    return _estimated(text, _RATES)


@_counted
def bytewise_tokens(text: str) -> int:
    """Return about how many tokens `text` costs a model that was hardly taught any Korean: three a syllable."""
    return _estimated(text, _BYTEWISE)


def _estimated(text: str, rates: Mapping[str, tuple[int, int]]) -> int:
    total = 0
    for match in _RUN.finditer(text):
        tokens, characters = rates[match.lastgroup or "other"]
        total -= -(match.end() - match.start()) * tokens // characters
    return total


_ESTIMATES: Final[Mapping[str, Callable[[str], int]]] = {"estimate": estimate_tokens, "bytes": bytewise_tokens}


@cache
def token_counter(name: str = "auto") -> Callable[[str], int]:
    """Return how to count tokens: by "estimate" or "bytes", a tiktoken encoding, or "auto": today's if it is at hand.

    What is not at hand is estimated; asked for by its name, with a warning. Nothing is ever fetched.
    """
    if name in _ESTIMATES:
        return _ESTIMATES[name]
    encoding = _TODAYS if name == "auto" else name
    exact = _exact(encoding)
    if exact is None and name != "auto":
        log.warning("tokens are estimated: tiktoken or its vocabulary %s is not at hand", encoding)
    return exact or estimate_tokens


def _exact(encoding: str) -> Callable[[str], int] | None:
    if not _is_cached(_VOCABULARIES[encoding]):
        return None
    try:
        import tiktoken
    except ImportError:
        return None
    encode = tiktoken.get_encoding(encoding).encode_ordinary
    return _counted(lambda text: len(encode(text)))


def _is_cached(vocabulary: _Vocabulary) -> bool:
    """Whether tiktoken will find the file where it looks, and take it: a damaged one it would fetch anew."""
    folder = next(
        (os.environ[name] for name in ("TIKTOKEN_CACHE_DIR", "DATA_GYM_CACHE_DIR") if name in os.environ), None
    )
    if folder == "":
        return False  # caching is switched off
    place = Path(folder or Path(tempfile.gettempdir()) / "data-gym-cache")
    key = hashlib.sha1(vocabulary.address.encode(), usedforsecurity=False).hexdigest()
    try:
        return hashlib.sha256((place / key).read_bytes()).hexdigest() == vocabulary.sha256
    except OSError:
        return False
