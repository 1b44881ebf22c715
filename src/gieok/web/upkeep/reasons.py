"""Why upkeep did something, in the visitor's words."""

from __future__ import annotations

import re
from typing import Final

from gieok.web.wording import Words

_KNOWN: Final = tuple(
    (re.compile(pattern), name)
    for pattern, name in (
        (r"told (\d+) times", "told"),
        (r"the more important one stays", "more_important"),
        (r"said again (\d+) times, used (\d+) times", "often"),
        (r"faded and never mentioned", "faded"),
        (r"unimportant, never used and older than ([\d.]+) days", "unimportant"),
        (r"over the cap of (\d+)", "cap"),
        (r"\w+ is kept for ([\d.]+) days", "past"),
        (r"made from what is past its time", "ground_past"),
        (r"(\d+) memories together", "together"),
        (r"retold by (.+)", "retold"),
        (r"both cannot hold", "conflict"),
        (r"week (\d+)-W0?(\d+) is over", "week"),
        (r"(\d+) turns were not summarised", "unsummarised"),
    )
)


def reason(why: str, words: Words) -> str:
    """Return `why` as the page says it; one that it has no words for stays as it is."""
    for pattern, name in _KNOWN:
        found = pattern.fullmatch(why)
        if found is not None:
            text = words(f"upkeep.why.{name}")
            for number, group in enumerate(found.groups()):
                text = text.replace(f"{{{number}}}", group)
            return text
    return why
