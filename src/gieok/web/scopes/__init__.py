"""The page "scopes"."""

from __future__ import annotations

from gieok.web.kit import heading
from gieok.web.visitors import Visitor


async def build(visitor: Visitor) -> None:
    heading(visitor.words("frame.pages.scopes"))
