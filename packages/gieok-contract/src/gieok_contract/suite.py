"""All topics of the contract together."""

from __future__ import annotations

from gieok_contract.auditing import Audits
from gieok_contract.carrying import Carrying
from gieok_contract.concurrency import Concurrency
from gieok_contract.desk import Desks
from gieok_contract.earlier_beliefs import EarlierBeliefs
from gieok_contract.erasing import Erasing
from gieok_contract.hooks import HookCalls
from gieok_contract.isolation import Isolation
from gieok_contract.journal import Journal
from gieok_contract.keywords import Keywords
from gieok_contract.layout import Layouts
from gieok_contract.lifetime import Lifetime
from gieok_contract.living import Livings
from gieok_contract.memories import Memories
from gieok_contract.model_calls import ModelCalls
from gieok_contract.readings import Readings
from gieok_contract.reindexing import Reindexing
from gieok_contract.rewinding import Rewinding
from gieok_contract.scope_list import ScopeLists
from gieok_contract.touching import Touching
from gieok_contract.traces import Traces
from gieok_contract.turn_log import TurnLog
from gieok_contract.vectors import Vectors


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
    HookCalls,
    Lifetime,
):
    """Subclass it as `Test…`, give it `store` and `reopen`, and it says what is missing."""
