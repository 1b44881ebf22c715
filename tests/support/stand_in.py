"""Turns and recalls over HTTP as far as load and kill tests need them, until the API's own routes are there.

python stand_in.py serve --port 0      # the command, with them
"""

from pathlib import Path
from threading import Event
from time import sleep
from typing import Annotated

from fastapi import Depends, FastAPI
from pydantic import BaseModel

from gieok.bank import MemoryBank, Mind
from gieok.http.asking import mind_for
from gieok.serve import running
from gieok.serve.app import create_app


class _Turn(BaseModel):
    text: str
    reply: str | None = None
    turn_id: str | None = None


class _Recall(BaseModel):
    query: str
    k: int = 8


def with_stand_ins(app: FastAPI) -> FastAPI:
    @app.post("/v1/turns", status_code=201)
    def observe(turn: _Turn, mind: Annotated[Mind, Depends(mind_for("writer"))]) -> dict[str, str]:
        return {"turn_id": mind.observe(turn.text, reply=turn.reply, turn_id=turn.turn_id).turn.id}

    @app.post("/v1/recall")
    def recall(asked: _Recall, mind: Annotated[Mind, Depends(mind_for("reader"))]) -> dict[str, list[str]]:
        return {"hits": [hit.text for hit in mind.recall(asked.query, k=asked.k)]}

    @app.get("/broken")
    def broken(user: str) -> None:
        raise RuntimeError(user)

    begun = Event()

    @app.get("/slow")
    def slow() -> str:
        begun.set()
        while not Path("go-on").exists():
            sleep(0.01)
        return "done"

    @app.get("/slow/begun")
    async def has_begun() -> bool:
        return begun.is_set()

    return app


def app_of(bank: MemoryBank, **options) -> FastAPI:
    return with_stand_ins(create_app(bank, **options))


if __name__ == "__main__":
    from gieok.cli import main

    running.create_app = app_of
    main()
