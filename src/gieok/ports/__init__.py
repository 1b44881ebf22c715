"""What the engine needs from the outside: a store, an embedder, an extractor, a masker, a clock; perhaps a model."""

from typing import TYPE_CHECKING

from gieok.domain.holdings import Holdings as Holdings
from gieok.domain.holdings import ScopeSummary as ScopeSummary
from gieok.domain.personal import Masked as Masked
from gieok.ports.asking import About as About
from gieok.ports.asking import BankInfo as BankInfo
from gieok.ports.asking import Counts as Counts
from gieok.ports.asking import Happened as Happened
from gieok.ports.asking import Leaf as Leaf
from gieok.ports.asking import Leafing as Leafing
from gieok.ports.asking import MemoryFilter as MemoryFilter
from gieok.ports.asking import TakenBack as TakenBack
from gieok.ports.asking import Topic as Topic
from gieok.ports.asking import Touch as Touch
from gieok.ports.asking import TurnNoticed as TurnNoticed
from gieok.ports.auditing import Trail as Trail
from gieok.ports.carrying import Fate as Fate
from gieok.ports.carrying import Line as Line
from gieok.ports.carrying import TakenIn as TakenIn
from gieok.ports.desk import Desk as Desk
from gieok.ports.outside import Clock as Clock
from gieok.ports.outside import Completion as Completion
from gieok.ports.outside import Embedder as Embedder
from gieok.ports.outside import Extractor as Extractor
from gieok.ports.outside import Llm as Llm
from gieok.ports.outside import Masker as Masker
from gieok.ports.outside import Model as Model
from gieok.ports.outside import Watch as Watch
from gieok.ports.outside import embedded as embedded
from gieok.ports.searching import NO_SITTING as NO_SITTING
from gieok.ports.searching import IndexEntry as IndexEntry
from gieok.ports.searching import Layout as Layout
from gieok.ports.searching import Mark as Mark
from gieok.ports.searching import Match as Match
from gieok.ports.searching import Occurrences as Occurrences
from gieok.ports.searching import Party as Party
from gieok.ports.searching import Unembedded as Unembedded
from gieok.ports.searching import Weighed as Weighed
from gieok.ports.store import Entry as Entry
from gieok.ports.store import Gone as Gone
from gieok.ports.store import Room as Room
from gieok.ports.store import ScopeMoved as ScopeMoved
from gieok.ports.store import Store as Store
from gieok.ports.view import View as View

if TYPE_CHECKING:
    from gieok.ports.searching import Matrix as Matrix
    from gieok.ports.searching import Places as Places
    from gieok.ports.searching import Scores as Scores
    from gieok.ports.searching import Vector as Vector
