"""The contract that every store keeps, as one pytest class.

    class TestMyStore(StoreContract):
        @pytest.fixture
        def store(self, tmp_path): ...          # a new bank, opened for `VECTORS`

        @pytest.fixture
        def reopen(self, store): ...            # a function that closes it and opens it again

A store that ranks words itself (`View.weighed`) inherits `contract.ranking.Rankings` as well.
`second_handle` (the same bank, opened once more) and `rounds` (how many random stories) may be given too.
"""

from __future__ import annotations

from gieok.testing.contract.auditing import Audits
from gieok.testing.contract.base import OTHER_VECTORS, VECTORS, Reopen
from gieok.testing.contract.carrying import Carrying
from gieok.testing.contract.concurrency import Concurrency
from gieok.testing.contract.desk import Desks
from gieok.testing.contract.earlier_beliefs import EarlierBeliefs
from gieok.testing.contract.erasing import Erasing
from gieok.testing.contract.isolation import Isolation
from gieok.testing.contract.journal import Journal
from gieok.testing.contract.keywords import Keywords
from gieok.testing.contract.layout import Layouts
from gieok.testing.contract.lifetime import Lifetime
from gieok.testing.contract.living import Livings
from gieok.testing.contract.memories import Memories
from gieok.testing.contract.model_calls import ModelCalls
from gieok.testing.contract.readings import Readings
from gieok.testing.contract.reindexing import Reindexing
from gieok.testing.contract.rewinding import Rewinding
from gieok.testing.contract.scope_list import ScopeLists
from gieok.testing.contract.touching import Touching
from gieok.testing.contract.traces import Traces
from gieok.testing.contract.turn_log import TurnLog
from gieok.testing.contract.vectors import Vectors

__all__ = ["OTHER_VECTORS", "VECTORS", "Reopen", "StoreContract"]


class StoreContract(
    TurnLog,
    Memories,
    EarlierBeliefs,
    Readings,
    Journal,
    Rewinding,
    Livings,
    Touching,
    Layouts,
    Vectors,
    Keywords,
    Isolation,
    ScopeLists,
    Erasing,
    Audits,
    Carrying,
    Concurrency,
    Reindexing,
    ModelCalls,
    Traces,
    Desks,
    Lifetime,
):
    """Subclass it as `Test…`, give it `store` and `reopen`, and it says what is missing."""
