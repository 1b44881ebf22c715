"""What an operator asks a server: is it up, is it ready, what are its figures."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Request, Response

from gieok.bank import MemoryBank
from gieok.http.asking import whole_bank_for
from gieok.http.problems import Problem
from gieok.serve.metrics import MEDIA_TYPE, Metrics
from gieok.serve.standing import Standing

_Admin = Annotated[MemoryBank, Depends(whole_bank_for("admin"))]


def operator_routes() -> APIRouter:
    """Return /healthz and /readyz, which anybody may ask, and /metrics."""
    routes = APIRouter(tags=["operations"])

    @routes.get("/healthz", summary="Is the process up?")
    async def healthz() -> dict[str, str]:
        """Say that the process is up. The bank is not asked."""
        return {"status": "up"}

    @routes.get(
        "/readyz",
        summary="Can it answer?",
        responses={503: {"description": "Not ready; the reasons are in `reasons`."}},
    )
    async def readyz(request: Request) -> Response:
        """Say whether requests can be answered: the bank answers and can be written to, and all is loaded."""
        standing = request.app.state.standing
        assert isinstance(standing, Standing)
        reasons = await standing.reasons()
        if reasons:
            told = Problem(status=503, title="Not ready", detail="; ".join(reasons), more={"reasons": reasons})
            return told.response({"Retry-After": "2"})
        return Response('{"status":"ready"}', media_type="application/json")

    @routes.get("/metrics", summary="The figures", response_class=Response)
    def metrics(request: Request, bank: _Admin) -> Response:
        """Give the figures of this server in the text form of Prometheus."""
        figures = request.app.state.metrics
        assert isinstance(figures, Metrics)
        return Response(figures.text(), media_type=MEDIA_TYPE)

    return routes
