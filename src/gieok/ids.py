"""Public ids: opaque strings, never reused, that sort by when they were made."""

from __future__ import annotations

import secrets
import time
from typing import Final

_ALPHABET: Final = "0123456789abcdefghjkmnpqrstvwxyz"  # Crockford's base 32: no letter is mistaken for a digit
_LENGTH: Final = 26


def new_id() -> str:
    """Return 48 bits of milliseconds and 80 random bits, as 26 letters and digits."""
    number = (time.time_ns() // 1_000_000) << 80 | secrets.randbits(80)
    return "".join(_ALPHABET[number >> shift & 31] for shift in range(5 * (_LENGTH - 1), -1, -5))
