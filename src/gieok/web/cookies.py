"""Cookies as they are set: no script reads them, and other sites send them along with nothing but a link."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gieok.access.visits import cookie_name


def set_cookie(kind: str, value: str, scope: Mapping[str, Any], *, gone: bool = False) -> str:
    """Return the header for a cookie that lasts until the browser is closed, or (`gone`) no longer."""
    parts = [f"{cookie_name(kind, scope)}={value}", "Path=/", "HttpOnly", "SameSite=Lax"]
    if _came_by_https(scope):
        parts.append("Secure")
    if gone:
        parts.append("Max-Age=0")
    return "; ".join(parts)


def _came_by_https(scope: Mapping[str, Any]) -> bool:
    """Whether the browser speaks https, if need be to a proxy before us: the guard has looked at its Origin."""
    origins = [value for name, value in scope["headers"] if name.lower() == b"origin"]
    return scope.get("scheme") in ("https", "wss") or any(each.startswith(b"https://") for each in origins)
