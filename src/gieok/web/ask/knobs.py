"""What can be turned while one asks: weights, sizes, presets and blocks. Nothing of it is kept in the bank."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import Any, Final, Literal

from gieok.domain.answer import BLOCKS
from gieok.domain.scoring import PART_NAMES
from gieok.settings import Settings

Group = Literal["weights", "sizes", "windows"]
OWN: Final = "own"  #: as the bank is set
DEFAULT: Final = "default"
CHOICES: Final = (OWN, DEFAULT, "heroine", "social", "character", "care", "vtuber")
SWITCHED: Final = tuple(name for name in BLOCKS if name != "examples")  #: nobody gives examples here


@dataclass(frozen=True, slots=True, kw_only=True)
class Knob:
    """One setting that is turned by a slider."""

    name: str  #: of the setting
    group: Group
    least: float
    most: float
    step: float
    digits: int = 0

    def reach(self, value: float) -> float:
        """Return how far the slider must go to show `value`, too."""
        return max(self.most, value)


KNOBS: Final = (
    *(Knob(name=f"weights_{each}", group="weights", least=0, most=1, step=0.01, digits=2) for each in PART_NAMES),
    Knob(name="recall_k", group="sizes", least=1, most=30, step=1),
    Knob(name="context_budget", group="sizes", least=64, most=8_192, step=64),
    Knob(name="caps_memories", group="sizes", least=0, most=2_400, step=20),
    Knob(name="caps_memory_item", group="sizes", least=10, most=400, step=10),
    Knob(name="caps_pinned", group="sizes", least=0, most=1_200, step=20),
    Knob(name="context_k", group="windows", least=1, most=100, step=1),
    Knob(name="context_said", group="windows", least=0, most=100, step=1),
    Knob(name="recent_turns", group="windows", least=1, most=40, step=1),
)
_BY_NAME: Final = {knob.name: knob for knob in KNOBS}


def grouped(group: Group) -> list[Knob]:
    return [knob for knob in KNOBS if knob.group == group]


@dataclass(frozen=True, slots=True, kw_only=True)
class Knobs:
    """How everything is turned at a moment."""

    own: Settings  #: as the bank is set
    settings: Settings  #: as they are turned
    choice: str = OWN  #: what was turned from
    without: frozenset[str] = frozenset()  #: blocks that are switched off

    @classmethod
    def of(cls, settings: Settings) -> Knobs:
        """Return them as a bank is set. Models are not asked while somebody turns knobs: every call is written down."""
        own = replace(settings, rerank=False, compress=False, rewrite_query=False)
        return cls(own=own, settings=own)

    @property
    def is_changed(self) -> bool:
        """Whether anything is other than the bank has it."""
        return bool(self.without) or self.ranks_otherwise

    @property
    def ranks_otherwise(self) -> bool:
        return any(
            getattr(self.settings, each.name) != getattr(self.own, each.name)
            for each in fields(Settings)
            if each.name != "preset"
        )

    def value(self, name: str) -> float:
        return float(getattr(self.settings, name))

    def turned(self, name: str, value: float) -> Knobs:
        """Return them with one knob turned, as far as it goes."""
        knob = _BY_NAME[name]
        within = min(max(value, knob.least), knob.reach(float(getattr(self.own, name))))
        changes: dict[str, Any] = {name: within if knob.digits else round(within)}
        if name == "recent_turns":
            changes["recent_messages"] = 0  # a number of messages would be asked before that of turns
        return replace(self, settings=replace(self.settings, **changes))

    def switched(self, block: str, on: bool) -> Knobs:
        return replace(self, without=self.without - {block} if on else self.without | {block})

    def chosen(self, choice: str) -> Knobs:
        """Return them as a preset ranks and assembles; the blocks stay as they are switched."""
        if choice == OWN:
            return replace(self, settings=self.own, choice=OWN)
        return replace(self, settings=self.own.as_preset(None if choice == DEFAULT else choice), choice=choice)

    def back(self) -> Knobs:
        return Knobs(own=self.own, settings=self.own)
