"""Whether a server is ready: warmed, not stopping, and its bank answers and can be written to."""

from __future__ import annotations

import asyncio
import os
import shutil
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Final

from fastapi import APIRouter, Depends, Request, Response

from gieok.bank import MemoryBank
from gieok.errors import GieokError
from gieok.http.asking import whole_bank_for
from gieok.http.problems import Problem
from gieok.serve.metrics import MEDIA_TYPE, Metrics

_PATIENCE: Final = 2.0  #: seconds that the bank has to answer
_ROOM: Final = 16 * 1024 * 1024  #: bytes that the disk must have left
_Admin = Annotated[MemoryBank, Depends(whole_bank_for("admin"))]


@dataclass(slots=True)
class Standing:
    """How a server is."""

    bank: MemoryBank
    warmed: bool = False
    stopping: bool = False
    #: one of its own: a look at the bank neither waits behind requests nor piles up
    _thread: ThreadPoolExecutor = field(default_factory=lambda: ThreadPoolExecutor(1, "gieok-ready"))
    _look: asyncio.Future[list[str]] | None = None

    async def reasons(self) -> list[str]:
        """Return why it is not ready, in words; nothing: it is."""
        if self.stopping:
            return ["the server is stopping"]
        found = [] if self.warmed else ["morphology and encoder are being loaded"]
        if self._look is None or self._look.done():
            self._look = asyncio.get_running_loop().run_in_executor(self._thread, _troubles, self.bank)
        try:
            return found + await asyncio.wait_for(asyncio.shield(self._look), _PATIENCE)
        except TimeoutError:
            return [*found, f"the bank did not answer within {_PATIENCE:g} s"]

    def stop(self) -> None:
        """Say from now on that it is not ready, so that nobody new is sent here."""
        self.stopping = True

    def close(self) -> None:
        self._thread.shutdown(wait=False)


def _troubles(bank: MemoryBank) -> list[str]:
    try:
        bank.store.desk.webhooks()
        bank.store.desk.count_uses(datetime.now(UTC).date().isoformat(), {})  # writes nothing, but the writer answers
    except GieokError as trouble:
        return [f"the bank cannot be used ({type(trouble).__name__})"]
    return _disk_troubles(Path(bank.settings.bank))


def _disk_troubles(bank: Path) -> list[str]:
    folder = bank.resolve().parent
    if not folder.is_dir():
        return []  # not a file of ours: a server keeps it
    if not os.access(folder, os.W_OK) or (bank.exists() and not os.access(bank, os.W_OK)):
        return ["the bank's folder cannot be written to"]
    if shutil.disk_usage(folder).free < _ROOM:
        return ["the disk is full"]
    return []


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
