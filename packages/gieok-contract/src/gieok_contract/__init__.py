"""The contract of gieok's stores, as a pytest class to subclass.

    from gieok_contract import StoreContract

    class TestMyStore(StoreContract):
        @pytest.fixture
        def store(self, tmp_path): ...          # a new bank, opened for `VECTORS`

        @pytest.fixture
        def reopen(self, store): ...            # a function that closes it and opens it again

A store that ranks words itself (`View.weighed`) inherits `gieok_contract.ranking.Rankings` as well.
The fixtures `second_handle` (the same bank, opened once more) and `rounds` (how many random stories) are optional.
"""

import pkgutil

import pytest

# Without this, a failing assertion of the suite would not show the values it compared.
pytest.register_assert_rewrite(*(f"{__name__}.{module.name}" for module in pkgutil.iter_modules(__path__)))

from gieok_contract.base import OTHER_VECTORS, VECTORS, Reopen  # noqa: E402 - after the assertions are registered
from gieok_contract.suite import StoreContract  # noqa: E402

__all__ = ["OTHER_VECTORS", "VECTORS", "Reopen", "StoreContract"]
