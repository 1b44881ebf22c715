"""Interfaces that the engine needs: a store, an embedder, an extractor, a masker, a clock, and optionally a model."""

from typing import TYPE_CHECKING

from gieok.domain.personal import Masked as Masked
from gieok.domain.scope import Holdings as Holdings
from gieok.domain.scope import ScopeSummary as ScopeSummary
from gieok.ports.outside import Clock as Clock
from gieok.ports.outside import Completion as Completion
from gieok.ports.outside import Embedder as Embedder
from gieok.ports.outside import Extractor as Extractor
from gieok.ports.outside import Llm as Llm
from gieok.ports.outside import Masker as Masker
from gieok.ports.outside import Model as Model
from gieok.ports.outside import Watch as Watch
from gieok.ports.outside import embedded as embedded
from gieok.ports.store import AuditLog as AuditLog
from gieok.ports.store import Entry as Entry
from gieok.ports.store import Fate as Fate
from gieok.ports.store import Hooks as Hooks
from gieok.ports.store import Line as Line
from gieok.ports.store import PlannedEntry as PlannedEntry
from gieok.ports.store import Removal as Removal
from gieok.ports.store import Room as Room
from gieok.ports.store import ScopeMoved as ScopeMoved
from gieok.ports.store import ServerStore as ServerStore
from gieok.ports.store import Store as Store
from gieok.ports.store import TakenIn as TakenIn
from gieok.ports.view import NO_SITTING as NO_SITTING
from gieok.ports.view import About as About
from gieok.ports.view import BankInfo as BankInfo
from gieok.ports.view import BrowseFilter as BrowseFilter
from gieok.ports.view import Counts as Counts
from gieok.ports.view import IndexEntry as IndexEntry
from gieok.ports.view import Layout as Layout
from gieok.ports.view import Leaf as Leaf
from gieok.ports.view import Mark as Mark
from gieok.ports.view import Match as Match
from gieok.ports.view import MemoryFilter as MemoryFilter
from gieok.ports.view import Occurrences as Occurrences
from gieok.ports.view import Party as Party
from gieok.ports.view import RecordedMove as RecordedMove
from gieok.ports.view import RelatedFilter as RelatedFilter
from gieok.ports.view import RewoundTurn as RewoundTurn
from gieok.ports.view import Topic as Topic
from gieok.ports.view import TurnNoticed as TurnNoticed
from gieok.ports.view import Unembedded as Unembedded
from gieok.ports.view import View as View
from gieok.ports.view import WordWeights as WordWeights

if TYPE_CHECKING:
    from gieok.ports.view import Matrix as Matrix
    from gieok.ports.view import Places as Places
    from gieok.ports.view import Scores as Scores
    from gieok.ports.view import Vector as Vector
