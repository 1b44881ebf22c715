"""What went wrong, as RFC 9457 problem details: a title, and a text that names the way out."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Final

from fastapi import Request
from fastapi.responses import JSONResponse

from gieok import errors

MEDIA_TYPE: Final = "application/problem+json"


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """One answer that is not what was asked for."""

    status: int
    title: str
    detail: str
    kind: str = "about:blank"  #: a word for programs: "unknown-memory"
    more: dict[str, Any] = field(default_factory=dict)

    def response(self, headers: dict[str, str] | None = None) -> JSONResponse:
        body = {"type": self.kind, "title": self.title, "status": self.status, "detail": self.detail, **self.more}
        return JSONResponse(body, status_code=self.status, media_type=MEDIA_TYPE, headers=headers)


_STATUSES: Final[tuple[tuple[type[errors.GieokError], int, str], ...]] = (
    (errors.Forbidden, 403, "Not allowed"),
    (errors.MemoryMoved, 412, "Changed meanwhile"),
    (errors.UnknownMemory, 404, "Unknown memory"),
    (errors.UnknownTurn, 404, "Unknown turn"),
    (errors.UnknownPerson, 404, "Unknown person"),
    (errors.NoTrace, 404, "No trace"),
    (errors.TurnChanged, 409, "Turn changed"),
    (errors.TurnUnderWay, 409, "Another turn is under way"),
    (errors.NoModel, 503, "No model"),
    (errors.ModelFailed, 502, "The model failed"),
    (errors.BankError, 503, "The bank cannot be used"),
    (errors.InvalidInput, 422, "Invalid input"),
    (errors.GieokError, 422, "Not possible"),
)


def problem_of(error: errors.GieokError) -> Problem:
    """Return the problem that an error of gieok's is."""
    status, title = next((status, title) for kind, status, title in _STATUSES if isinstance(error, kind))
    return Problem(status=status, title=title, detail=str(error))


async def told(request: Request, error: Exception) -> JSONResponse:
    """Answer a request that failed."""
    assert isinstance(error, errors.GieokError)
    return problem_of(error).response()
