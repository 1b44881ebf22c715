"""Short self-contained sentences for what was understood: "lives in Pangyo", "likes ramen"."""

from __future__ import annotations

from gieok.extract.english.patterns import patterns


def sentence(attribute: str, shown: str, *, negative: bool = False, over: bool = False) -> str:
    """Return what `attribute` = `shown` means, without its subject; `over`: it is so no longer."""
    pattern = patterns().by_attribute.get(attribute)
    if pattern is None:
        kind = attribute.removeprefix("favorite.")
        told = f"likes {shown} best of all {kind}" if kind != attribute else f"{attribute}: {shown}"
        return f"{told} (not so)" if negative else told
    if negative and pattern.negative:
        return pattern.negative.replace("{v}", shown)
    told = pattern.sentence.replace("{v}", shown)
    if negative:
        return f"{told} ({'no longer' if over else 'not so'})"
    return f"{told} (formerly)" if over else told
