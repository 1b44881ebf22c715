"""The contract of gieok's stores, as a pytest class to subclass.

    from gieok_contract import StoreContract

    class TestMyStore(StoreContract):
        @pytest.fixture
        def store(self, tmp_path): ...          # a new bank, opened for `VECTORS`

        @pytest.fixture
        def reopen(self, store): ...            # a function that closes it and opens it again

A store that ranks words itself (`View.word_weights`) inherits `gieok_contract.search.Rankings` as well.
The fixtures `second_handle` (the same bank, opened once more) and `rounds` (how many random stories) are optional.
"""

import pkgutil

import pytest

# Without this, a failing assertion of the suite would not show the values it compared.
pytest.register_assert_rewrite(*(f"{__name__}.{module.name}" for module in pkgutil.iter_modules(__path__)))

from gieok_contract.bank import Concurrency, HookCalls, Lifetime, ModelCalls
from gieok_contract.base import OTHER_VECTORS, VECTORS, Reopen
from gieok_contract.erasure import Erasure, ExportImport
from gieok_contract.journal import Journal, Rewind
from gieok_contract.memories import EarlierBeliefs, Memories, MemoryLookups
from gieok_contract.reindex import Reindex
from gieok_contract.scopes import Isolation, ScopeLists
from gieok_contract.search import Keywords, Layout, Vectors
from gieok_contract.server import AuditLog, ServerState
from gieok_contract.state import StateRecords
from gieok_contract.turns import Sources, Traces, TurnLog
from gieok_contract.warm_handles import WarmHandles

__all__ = ["OTHER_VECTORS", "VECTORS", "Reopen", "StoreContract"]


class StoreContract(
    TurnLog,
    Memories,
    EarlierBeliefs,
    Sources,
    Journal,
    Rewind,
    StateRecords,
    MemoryLookups,
    Layout,
    Vectors,
    Keywords,
    Isolation,
    ScopeLists,
    Erasure,
    AuditLog,
    ExportImport,
    Concurrency,
    Reindex,
    ModelCalls,
    Traces,
    ServerState,
    HookCalls,
    WarmHandles,
    Lifetime,
):
    """All topics together. Subclass it as `Test…` with the fixtures `store` and `reopen`."""
