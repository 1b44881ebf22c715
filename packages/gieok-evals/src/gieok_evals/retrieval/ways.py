"""Which ways of ranking are set side by side: everything left out in turn, presets, and weights of one's own."""

from __future__ import annotations

from typing import Final, get_args

from gieok.domain.answer import Aid
from gieok.domain.scoring import PART_NAMES
from gieok.errors import InvalidQuery
from gieok_evals.retrieval.playing import DEFAULT, Way

_SWITCHES: Final = {"rerank": "rerank", "compress": "compress", "rewrite": "rewrite_query"}
_AIDS: Final[tuple[Aid, ...]] = get_args(Aid)


def ablations() -> tuple[Way, ...]:
    """Return a way for each part with a weight of 0, and one for each source left out."""
    parts = (Way(name=f"{name} = 0", weights={name: 0.0}) for name in PART_NAMES)
    sources = (Way(name=f"without {aid}", without=(aid,)) for aid in _AIDS)
    return (*parts, *sources)


def compared(text: str) -> tuple[Way, ...]:
    """Read what --compare names.

    "heroine,vtuber" are presets, "default+rerank,heroine+compress+rewrite" let a model help as well, and
    "default,mine=relevance:0.7,keyword:0.2" gives weights.
    """
    entries: list[list[str]] = []
    for piece in filter(None, map(str.strip, text.split(","))):
        if ":" in piece and "=" not in piece and entries:
            entries[-1].append(piece)
        else:
            entries.append([piece])
    ways = tuple(_way(entry) for entry in entries)
    if len({way.name for way in ways}) < len(ways):
        raise InvalidQuery(f"--compare {text}: give every entry a name of its own")
    return ways


def _way(pieces: list[str]) -> Way:
    name, given, first = (each.strip() for each in pieces[0].partition("="))
    if not given and len(pieces) == 1 and ":" not in name:
        preset, *helps = name.split("+")
        return Way(name=name, preset=None if preset == DEFAULT else preset, switches=tuple(map(_switch, helps)))
    if not given or name in ("", DEFAULT):
        raise InvalidQuery(
            f"--compare {','.join(pieces)}: weights need a name of their own, e.g. mine=relevance:0.7,keyword:0.2"
        )
    return Way(name=name, weights=dict(_weight(piece) for piece in (first, *pieces[1:])))


def _switch(name: str) -> str:
    if name not in _SWITCHES:
        raise InvalidQuery(f"--compare: a model cannot help by {name!r}; add +{', +'.join(_SWITCHES)}")
    return _SWITCHES[name]


def _weight(piece: str) -> tuple[str, float]:
    part, _, value = piece.partition(":")
    if part not in PART_NAMES:
        raise InvalidQuery(f"--compare: unknown weight {part!r}; the parts are {', '.join(PART_NAMES)}")
    try:
        return part, float(value)
    except ValueError as cause:
        raise InvalidQuery(f"--compare: {piece!r} is no weight; write it like {part}:0.5") from cause
