"""The contract of gieok's stores, as a pytest class to subclass.

    from gieok_contract import StoreContract

    class TestMyStore(StoreContract):
        @pytest.fixture
        def store(self, tmp_path): ...          # a new bank, opened for `VECTORS`

        @pytest.fixture
        def reopen(self, store): ...            # a function that closes it and opens it again

A store that ranks words itself (`View.weighed`) inherits `gieok_contract.search.Rankings` as well.
The fixtures `second_handle` (the same bank, opened once more) and `rounds` (how many random stories) are optional.
"""

import pkgutil

import pytest

# Without this, a failing assertion of the suite would not show the values it compared.
pytest.register_assert_rewrite(*(f"{__name__}.{module.name}" for module in pkgutil.iter_modules(__path__)))

from gieok_contract.bank import Concurrency, HookCalls, Lifetime, ModelCalls
from gieok_contract.base import OTHER_VECTORS, VECTORS, Reopen
from gieok_contract.erasure import Carrying, Erasing
from gieok_contract.journal import Journal, Rewinding
from gieok_contract.memories import EarlierBeliefs, Memories, Touching
from gieok_contract.reindex import Reindexing
from gieok_contract.scopes import Isolation, ScopeLists
from gieok_contract.search import Keywords, Layouts, Vectors
from gieok_contract.server import Audits, Desks
from gieok_contract.state import Livings
from gieok_contract.turns import Readings, Traces, TurnLog

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
    HookCalls,
    Lifetime,
):
    """All topics together. Subclass it as `Test…` with the fixtures `store` and `reopen`."""
