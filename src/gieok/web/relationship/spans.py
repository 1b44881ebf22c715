"""Which stretch of time a page of something long shows, in words."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from gieok.web.dates import day
from gieok.web.visitors import Visitor


def span_told(name: str, moments: Sequence[datetime], visitor: Visitor) -> str:
    """Return the words of that name for what is shown; "" where nothing is."""
    if not moments:
        return ""
    since, until = day(min(moments), visitor), day(max(moments), visitor)
    span = since if since == until else f"{since} ~ {until}"
    return visitor.words(name, span=span, count=f"{len(moments):,}")
