"""Every pass by its name."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from gieok.domain.judgement import Moment
from gieok.domain.upkeep import Ground, Kept, PassName, UpkeepRules
from gieok.maintain.merging import merged
from gieok.maintain.promoting import promoted
from gieok.maintain.pruning import pruned
from gieok.maintain.reflecting import reflected
from gieok.maintain.retaining import retained
from gieok.maintain.summarising import summarised
from gieok.maintain.weekly import weeks_documented

Pass = Callable[[Ground, Moment, UpkeepRules, Callable[[int], str]], Iterator[Kept]]

PASSES: Final[Mapping[PassName, Pass]] = {
    "promote": promoted,
    "merge": merged,
    "prune": pruned,
    "retain": retained,
    "reflect": reflected,
    "summarise": summarised,
    "weekly": weeks_documented,
}
