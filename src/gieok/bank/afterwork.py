"""What models do for a scope after its turns: direct the next reply, read what rules left open, think things over."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gieok.domain.answer import Observed
from gieok.domain.decision import Retract, Supersede
from gieok.domain.scope import Scope
from gieok.ports import Store

if TYPE_CHECKING:
    from gieok.maintain.directing import Director
    from gieok.maintain.pondering import Pondered, Ponderer
    from gieok.observe.deepening import DeepReader


@dataclass(frozen=True, slots=True, kw_only=True)
class Deepened:
    """What models did in a scope."""

    directed: bool = False  #: a note was left for the next reply
    read: tuple[Observed, ...] = ()  #: turns that rules had left open
    pondered: Pondered | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Afterwork:
    """The models' work, in the order in which somebody waits for it."""

    store: Store
    given_up: Callable[[Scope], object]  #: called when something known was ended, so that the summary is remade
    director: Director | None = None
    reader: DeepReader | None = None
    ponderer: Ponderer | None = None

    @property
    def any(self) -> bool:
        return any((self.director, self.reader, self.ponderer))

    def __call__(self, scope: Scope) -> Deepened:
        directed = self._directed(scope)
        read = tuple(self.reader.read(scope)) if self.reader is not None else ()
        pondered = self.ponderer.ponder(scope) if self.ponderer is not None else None
        if _ended(read, pondered):
            self.given_up(scope)
        return Deepened(directed=directed, read=read, pondered=pondered)

    def _directed(self, scope: Scope) -> bool:
        if self.director is None:
            return False
        with self.store.view(scope) as view:
            last = next(iter(view.turns(1)), None)
        return last is not None and self.director.direct(scope, last)


def _ended(read: tuple[Observed, ...], pondered: Pondered | None) -> bool:
    """Whether something that was known is no longer so."""
    told = any(isinstance(decision, Supersede | Retract) for observed in read for decision in observed.decisions)
    return told or (pondered is not None and any(each.action == "settle" for each in pondered.kept))
