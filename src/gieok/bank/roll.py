"""The roll of a bank: whose memories it holds, without a look at what is in them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from gieok.domain.scope import Scope
from gieok.domain.server_state import Bounds
from gieok.ports import Store

_AT_ONCE: Final = 1_000


def every_scope(store: Store, within: Sequence[Bounds] = ()) -> Iterator[Scope]:
    """Yield the scopes by their names, canon first; bounds narrow them down.

    What was there all the time comes once, whatever is written or erased meanwhile.
    """
    page = store.scope_names(_AT_ONCE, within=within)
    while page:
        yield from page
        page = store.scope_names(_AT_ONCE, after=page[-1], within=within)


def is_begun(store: Store, scope: Scope) -> bool:
    """Whether `scope` was ever written to."""
    with store.view(scope) as view:
        return view.version > 0
