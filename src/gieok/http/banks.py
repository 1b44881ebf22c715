"""/v1/scopes, /v1/bank and /v1/export: what there is, and all of a scope in one piece."""

from __future__ import annotations

from fastapi.responses import StreamingResponse

from gieok.domain.scope import Scope
from gieok.errors import InvalidScope
from gieok.http.answering import router
from gieok.http.asking import Asked, Bank, ReadMind
from gieok.http.exporting import MEDIA_TYPE, exported
from gieok.http.paging import Cursor, Limit, cursor, page_size, place_in, unknown_cursor
from gieok.http.shapes.journal import BankShape, ScopeCount, ScopePage

routes = router("bank")


@routes.get("/scopes", summary="Whose memories there are")
def scopes(bank: Bank, caller: Asked, limit: Limit = 100, after: Cursor = None) -> ScopePage:
    """Return the scopes that your key opens, by their names, with how much is in each."""
    size = page_size(bank, limit)
    page = bank.scopes(size + 1, after=_scope_in(after), within=caller.bounds)
    following = _cursor(page[size - 1].scope) if len(page) > size else None
    items = [
        ScopeCount(
            user=each.scope.user,
            character=each.scope.character,
            world=each.scope.world,
            turns=each.turns,
            utterances=each.utterances,
            memories=each.memories,
            latest_at=each.latest_at,
        )
        for each in page[:size]
    ]
    return ScopePage(items=items, next=following)


@routes.get("/bank", summary="What the bank is made of")
def bank_info(bank: Bank, caller: Asked) -> BankShape:
    """Return what keeps the memories and finds them again."""
    info, settings = bank.info(), bank.settings
    everything = caller.key is None or not caller.key.bounds
    return BankShape(
        engine=info.engine,
        schema_version=info.schema,
        encrypted=info.encrypted,
        embedder=info.embedder,
        dimension=info.dimension,
        preset=settings.preset,
        language=settings.language,
        timezone=settings.timezone,
        model=settings.llm,
        size_bytes=info.size_bytes if everything else None,
        counts=dict(info.counts) if everything else None,
    )


@routes.get(
    "/export",
    summary="All of a scope, line by line",
    response_class=StreamingResponse,
    responses={
        200: {
            "description": "One JSON object a line: `kind` tells what it is, `data` is it. The last line is `end`.",
            "content": {"application/x-ndjson": {"schema": {"type": "string"}}},
        }
    },
)
def export(mind: ReadMind, bank: Bank) -> StreamingResponse:
    """Return the turns, the memories in every state, people, scenes and the journal of a scope.

    What is written meanwhile may be in it or not. An answer without its last line, `end`, was cut off.
    """
    return StreamingResponse(exported(mind, bank), media_type=MEDIA_TYPE)


def _cursor(scope: Scope) -> str:
    return cursor("scopes", [scope.user or "", scope.character or "", scope.world or ""])


def _scope_in(after: str | None) -> Scope | None:
    place = place_in("scopes", after, str, str, str)
    if place is None:
        return None
    user, character, world = (name or None for name in place)
    try:
        return Scope(user=user, character=character, world=world)
    except InvalidScope as cause:
        raise unknown_cursor("scopes") from cause
