"""English words as search terms: stop words and stems."""

from __future__ import annotations

import threading
from functools import lru_cache
from typing import Any

STOP_WORDS = frozenset(
    """a about after again all also am an and any are aren as at be because been before being both but by can
    could couldn d did didn do does doesn doing don down each else ever few for from further get got had
    hadn has hasn have haven having he her here hers herself him himself his how i if in into is isn it
    its itself just let ll m me more most my myself no nor not now o of off on once only or other our ours
    out over own re really s same shall she should shouldn so some such t than that the their theirs them
    then there these they this those through to too under until up ve very was wasn we were weren what
    when where which while who whom why will with won would wouldn y yes you your yours yourself""".split()
)

_stemming = threading.Lock()


@lru_cache(maxsize=4096)
def stem(word: str) -> str:
    """Return the stem of a lower-case English `word`: running → run."""
    with _stemming:  # the stemmer keeps its word in itself
        return str(_stemmer().stemWord(word))


@lru_cache(maxsize=1)
def _stemmer() -> Any:
    import snowballstemmer

    return snowballstemmer.stemmer("english")
