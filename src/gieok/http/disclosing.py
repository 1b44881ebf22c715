"""/v1/about-me and /v1/export.zip: what a user gets to see of all that is kept of them."""

from __future__ import annotations

from typing import Final
from urllib.parse import quote

from fastapi.responses import StreamingResponse

from gieok.errors import InvalidScope
from gieok.http.answering import failing, router
from gieok.http.asking import Bank, ReadMind
from gieok.http.shapes.disclosing import AboutMeShape

_MEDIA_TYPE: Final = "application/zip"
routes = router("users")


@routes.get("/about-me", summary="What is remembered of the user, in plain words")
def about_me(mind: ReadMind) -> AboutMeShape:
    """Return an answer for the user, in the language of the bank: `text` as a whole, `parts` piece by piece.

    What is numbered has the id that `DELETE /v1/memories/{memory_id}` takes.
    """
    return AboutMeShape.of(mind.about_me())


@routes.get(
    "/export.zip",
    summary="All that is kept of a user, in one file",
    response_class=StreamingResponse,
    responses={
        **failing(404),
        200: {
            "description": "JSON lines, a page to read, and what is in it. `gieok import gieok FILE` takes it.",
            "content": {_MEDIA_TYPE: {"schema": {"type": "string", "format": "binary"}}},
        },
    },
)
def export(mind: ReadMind, bank: Bank) -> StreamingResponse:
    """Return the scopes of a user, all of them or those with the named character and world.

    A key that opens only some of a user's scopes has to name these. An answer without a whole zip was cut off.
    """
    scope = mind.key
    if scope.user is None:
        raise InvalidScope("whose? an export is a user's: name one in the query, ?user=minsu")
    pieces = bank.exported(user=scope.user, character=scope.character, world=scope.world)
    named = quote(f"gieok-{scope.user}.zip", safe="")
    headers = {"Content-Disposition": f"attachment; filename=\"gieok.zip\"; filename*=UTF-8''{named}"}
    return StreamingResponse(pieces, media_type=_MEDIA_TYPE, headers=headers)
