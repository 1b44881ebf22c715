"""All pages, by their paths."""

from __future__ import annotations

from typing import Final

from gieok.web import ask, graph, memories, relationship, scopes, talk, upkeep
from gieok.web.frame import Page
from gieok.web.kit import PATHS

PAGES: Final = {
    page.path: page
    for page in (
        Page(name="talk", path=PATHS["talk"], build=talk.build),
        Page(name="memories", path=PATHS["memories"], build=memories.build),
        Page(name="ask", path=PATHS["ask"], build=ask.build),
        Page(name="relationship", path=PATHS["relationship"], build=relationship.build),
        Page(name="graph", path=PATHS["graph"], build=graph.build),
        Page(name="upkeep", path=PATHS["upkeep"], build=upkeep.build),
        Page(name="scopes", path=PATHS["scopes"], build=scopes.build, needs_mind=False),
    )
}
