"""The first visit: nothing is remembered yet, and one button tells a story so that every page has something to show."""

from __future__ import annotations

from gieok.web.kit import heading, said
from gieok.web.visitors import Visitor


async def welcome(visitor: Visitor) -> None:
    heading(visitor.words("welcome.title"))
    said(visitor.words("welcome.text"))
