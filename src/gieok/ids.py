"""Public ids: opaque strings, never reused, that sort by when they were made."""

from __future__ import annotations

import secrets
import threading
import time
from typing import Final

_ALPHABET: Final = "0123456789abcdefghjkmnpqrstvwxyz"  # Crockford's base 32: no letter is mistaken for a digit
_LENGTH: Final = 26

_made = threading.Lock()
_last = 0


def new_id() -> str:
    """Return 48 bits of milliseconds and 80 random bits, as 26 letters and digits.

    Within one process each is greater than the one before, also within a millisecond and when the clock is set back.
    """
    global _last
    with _made:
        _last = max((time.time_ns() // 1_000_000) << 80 | secrets.randbits(80), _last + 1)
        number = _last
    return "".join(_ALPHABET[number >> shift & 31] for shift in range(5 * (_LENGTH - 1), -1, -5))
