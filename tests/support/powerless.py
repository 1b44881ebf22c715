"""Doing something without root's power to write everywhere: tests of permissions then mean the same for everybody."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

_LINUX_CAPABILITY_VERSION_3 = 0x20080522


def without_privileges(act: Callable[[], Any]) -> Any:
    """Run `act` in a thread that gave up its capabilities: on Linux they belong to a thread, not to the process."""
    with ThreadPoolExecutor(1) as pool:
        if os.geteuid() == 0:
            pool.submit(_drop_capabilities).result()
        return pool.submit(act).result()


def _drop_capabilities() -> None:
    header = (ctypes.c_uint32 * 2)(_LINUX_CAPABILITY_VERSION_3, 0)
    nothing = (ctypes.c_uint32 * 6)()
    if ctypes.CDLL(None, use_errno=True).capset(header, nothing) != 0:
        raise OSError(ctypes.get_errno(), "the capabilities of root could not be dropped")
