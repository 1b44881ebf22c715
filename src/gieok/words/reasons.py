"""Why upkeep changed a memory, in the words of the catalogue. The journal keeps the reason as an English sentence."""

from __future__ import annotations

import re
from typing import Final

from gieok.words import Words

_REASONS: Final = tuple(
    (re.compile(pattern), key)
    for pattern, key in (
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
        (r"scrubbed", "scrubbed"),
        (r"as after operation .*", "restored"),
    )
)


def reason(why: str, words: Words) -> str:
    """Return a reason of upkeep in the language of `words`; an unknown one stays as it is."""
    for pattern, key in _REASONS:
        if (found := pattern.fullmatch(why)) is not None:
            values = {f"v{number}": group for number, group in enumerate(found.groups())}
            return words(f"shared.why.{key}", **values)
    return why
