"""Scopes as resources: which there are, and what is known in each. Names in addresses are percent-encoded."""

from __future__ import annotations

from typing import Final
from urllib.parse import quote, urlencode

from mcp.server.mcpserver.exceptions import ResourceError, ResourceNotFoundError
from mcp.server.mcpserver.resources import ResourceSecurity
from mcp.types import Resource

from gieok.access.acting import note_read
from gieok.access.caller import Caller
from gieok.bank import MemoryBank
from gieok.bank.roll import is_begun
from gieok.domain.holdings import ScopeSummary
from gieok.domain.scope import Scope
from gieok.errors import GieokError
from gieok.mcp.calling import NAMES, Place, calling
from gieok.mcp.records import KnownScope, ScopeContents, memory_record, scope_record

SCOPES: Final = "gieok://scopes"
SCOPE: Final = "gieok://scope{?user,character,world}"
JSON: Final = "application/json"
NAMES_ARE_NO_PATHS: Final = ResourceSecurity(reject_path_traversal=False, reject_absolute_paths=False)


def uri_of(scope: Scope) -> str:
    """Return the address of a scope: gieok://scope?user=%EB%AF%BC%EC%88%98&character=letia."""
    names = {name: given for name in NAMES if (given := getattr(scope, name)) is not None}
    return f"gieok://scope?{urlencode(names, quote_via=quote, safe='')}"


class Shelf:
    """The resources of one bank, as far as whoever calls may see them."""

    def __init__(self, bank: MemoryBank, place: Place) -> None:
        self._bank = bank
        self._place = place
        self._most = bank.settings.serve_page

    def scopes(self) -> list[KnownScope]:
        """Whose memories there are, the latest first; gieok://scope?… tells what is known in one."""
        caller = calling()
        return [
            KnownScope(
                scope=scope_record(each.scope),
                uri=uri_of(each.scope),
                turns=each.turns,
                memories=each.memories,
                latest_at=each.latest_at,
            )
            for each in self._latest(caller)
            if self._shows(each.scope, caller)
        ]

    def scopes_text(self) -> str:
        """Whose memories there are, the latest first; gieok://scope?… tells what is known in one."""
        return "[" + ",\n ".join(each.model_dump_json() for each in self.scopes()) + "]"

    def scope_text(self, user: str | None = None, character: str | None = None, world: str | None = None) -> str:
        """What is known in a scope: its summary, and the facts that are true now."""
        try:
            scope = Scope(user=user or None, character=character or None, world=world or None)
            self._place.check(scope)
            caller = calling()
            caller.check("reader", scope)
            note_read(self._bank, caller, scope, "mcp gieok://scope")
            return self._contents(scope).model_dump_json(indent=1)
        except GieokError as trouble:
            raise ResourceError(str(trouble)) from trouble

    def listed(self) -> list[Resource]:
        """Return a resource for every scope that the caller may read."""
        return [
            Resource(uri=each.uri, name=" · ".join(each.scope.model_dump(exclude_none=True).values()), mime_type=JSON)
            for each in self.scopes()
        ]

    def _contents(self, scope: Scope) -> ScopeContents:
        known = self._bank.mind(scope).facts()
        if not known and not is_begun(self._bank.store, scope):
            raise ResourceNotFoundError(f"nothing is known of [{scope}]; {SCOPES} lists whose memories there are")
        summaries = [memory.content for memory in known if memory.content_type == "summary"]
        told = [memory_record(memory) for memory in known if memory.content_type != "summary"]
        return ScopeContents(
            scope=scope_record(scope),
            summary=summaries[-1] if summaries else None,
            total=len(told),
            facts=told[-self._most :],
        )

    def _latest(self, caller: Caller) -> list[ScopeSummary]:
        if self._place.fixed:  # by names, it stands before all others with the same ones
            return self._bank.scopes(1, within=[self._place.default])
        return self._bank.latest_scopes(self._most, within=caller.bounds)

    def _shows(self, scope: Scope, caller: Caller) -> bool:
        return caller.opens(scope) and self._place.holds(scope)
