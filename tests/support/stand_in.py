"""`gieok serve` with more routes, which no caller could make as slow or as broken, or which tell who answers.

python stand_in.py serve --port 0
"""

import os
from pathlib import Path
from threading import Event
from time import sleep

from fastapi import FastAPI

from gieok.bank import MemoryBank
from gieok.serve import app
from gieok.serve.app import create_app


def with_stand_ins(app: FastAPI) -> FastAPI:
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

    @app.get("/v1/process")
    async def process() -> int:
        return os.getpid()

    return app


def app_of(bank: MemoryBank, **options) -> FastAPI:
    return with_stand_ins(create_app(bank, **options))


if __name__ == "__main__":
    from gieok.cli import main

    app.create_app = app_of
    main()
