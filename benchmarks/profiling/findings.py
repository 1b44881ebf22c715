"""What was profiled; `--json` writes it with these keys."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

Act = Literal["observe", "recall", "context", "serve"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Profiled:
    """One kind of call: what it took of the processor, and which phase how much of that."""

    act: Act
    memories: int | None  #: in the scope; None: many scopes, a few in each
    count: int  #: calls
    cpu_ms: float  #: of one call, all threads together
    phases: Mapping[str, float]  #: milliseconds of one call, by phase

    def share(self, phase: str) -> float:
        return self.phases.get(phase, 0.0) / self.cpu_ms if self.cpu_ms else 0.0

    @property
    def largest(self) -> list[str]:
        """The phases, the largest cost first."""
        return sorted(self.phases, key=lambda name: (-self.phases[name], name))
