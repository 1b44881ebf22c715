"""The store contract, one module for each topic; `gieok.testing.store_contract` puts it together."""

import pytest

TOPICS = (
    "turn_log",
    "memories",
    "earlier_beliefs",
    "journal",
    "rewinding",
    "living",
    "layout",
    "vectors",
    "keywords",
    "isolation",
    "erasing",
    "scope_list",
    "concurrency",
    "reindexing",
    "lifetime",
)

# Without this, a failing assertion of the suite would not show the values it compared.
pytest.register_assert_rewrite(*(f"{__name__}.{topic}" for topic in TOPICS))
