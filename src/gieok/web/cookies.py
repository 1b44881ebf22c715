"""Cookies as they are set: no script reads them, and no other site sends them along."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def set_cookie(name: str, value: str, scope: Mapping[str, Any], *, seconds: int | None = None) -> str:
    """Return the header for a cookie; None: it lasts until the browser is closed."""
    parts = [f"{name}={value}", "Path=/", "HttpOnly", "SameSite=Strict"]
    if scope.get("scheme") in ("https", "wss"):
        parts.append("Secure")
    if seconds is not None:
        parts.append(f"Max-Age={seconds}")
    return "; ".join(parts)
