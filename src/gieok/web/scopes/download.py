"""All of a scope as a file to be kept. How it is written is told by whoever puts the server together."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Final
from urllib.parse import quote, urlencode

from fastapi import APIRouter, Request
from fastapi.responses import PlainTextResponse, Response, StreamingResponse

from gieok.access.refusals import TurnedAway
from gieok.bank import MemoryBank, Mind
from gieok.domain.scope import Scope
from gieok.errors import Forbidden, InvalidScope
from gieok.web.paths import EXPORT
from gieok.web.visitors import Gone, visitor_in

if TYPE_CHECKING:
    from gieok.web.mounting import Pages

Export = Callable[[Mind, MemoryBank], Iterator[bytes]]
_MEDIA_TYPE: Final = "application/x-ndjson"


def download_of(scope: Scope) -> str:
    """Return where all of a scope can be fetched; its names are in it as data."""
    names = {"user": scope.user, "character": scope.character, "world": scope.world}
    return f"{EXPORT}?{urlencode({key: name for key, name in names.items() if name is not None})}"


def download_routes() -> APIRouter:
    routes = APIRouter()

    @routes.get(EXPORT)
    async def export(request: Request) -> Response:
        visitor = visitor_in(request.scope)
        try:
            caller = await visitor.caller(counts=True)
            scope = Scope(**{each: request.query_params.get(each) or None for each in ("user", "character", "world")})
            caller.check("reader", scope)
            await visitor.notes_reading(caller, scope, f"GET {EXPORT}")
        except Gone:
            return PlainTextResponse(visitor.words("frame.forbidden"), 401)
        except TurnedAway as turned:
            return PlainTextResponse(turned.refusal.detail, turned.refusal.status)
        except InvalidScope as wrong:
            return PlainTextResponse(str(wrong), 422)
        except Forbidden as refused:
            return PlainTextResponse(str(refused), 403)
        pages: Pages = request.scope["gieok.pages"]
        lines = pages.export(visitor.bank.mind(scope), visitor.bank)
        return StreamingResponse(lines, media_type=_MEDIA_TYPE, headers={"Content-Disposition": _named(scope)})

    return routes


def _named(scope: Scope) -> str:
    told = "-".join(name for name in (scope.character, scope.user, scope.world) if name is not None)
    return f"attachment; filename=\"gieok.jsonl\"; filename*=UTF-8''{quote(f'gieok-{told}.jsonl', safe='')}"
