"""Weights on the command line: `relevance=0.7,keyword=0`."""

from __future__ import annotations

from gieok.errors import InvalidQuery


def weights_named(text: str | None) -> dict[str, float] | None:
    """Return the weights in `text`, by the names of their parts, which are not checked here."""
    if text is None:
        return None
    weights: dict[str, float] = {}
    for pair in text.split(","):
        name, given, weight = (piece.strip() for piece in pair.partition("="))
        try:
            if not name or not given:
                raise ValueError("no name, or no number")
            weights[name] = float(weight)
        except ValueError as cause:
            raise InvalidQuery(
                f"--weights: {pair.strip()!r} is not PART=NUMBER, e.g. relevance=0.7,keyword=0"
            ) from cause
    return weights
