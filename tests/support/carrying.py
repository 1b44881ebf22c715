"""What a store would put into a user's file, to be compared with another's."""

from __future__ import annotations

import json

from gieok.domain.scope import Scope
from gieok.ports import Store


def carried(store: Store, scope: Scope) -> list[tuple[str, str]]:
    """Return every line of a scope, in an order of its own; counters of the index are not meant."""
    with store.exported([scope]) as lines:
        told = [(line.table, dict(line.record)) for line in lines]
    for table, record in told:
        if table == "scopes":
            del record["index_epoch"]
    return sorted((table, json.dumps(record, ensure_ascii=False, sort_keys=True)) for table, record in told)
