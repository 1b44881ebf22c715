"""gieok's own server in a thread, with stand-ins for the models: `gieok serve --llm …` is the same with real ones."""

from __future__ import annotations

import json
import socket
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from threading import Thread
from time import sleep
from typing import Any

import uvicorn

import gieok
from gieok.serve.app import create_app, guarded_app
from gieok.testing import ScriptedModel


@contextmanager
def served(bank: gieok.MemoryBank) -> Iterator[int]:
    """Serve a bank on a free port of this machine; yield the port."""
    with socket.create_server(("127.0.0.1", 0)) as door:
        server = uvicorn.Server(uvicorn.Config(guarded_app(create_app(bank)), log_level="warning"))
        thread = Thread(target=server.run, kwargs={"sockets": [door]})
        thread.start()
        try:
            while not server.started and thread.is_alive():
                sleep(0.01)
            yield door.getsockname()[1]
        finally:
            server.should_exit = True
            thread.join()


def actor(lines: Sequence[Mapping[str, Any]]) -> ScriptedModel:
    """Return a model that has learned its lines, and says one only if it was sent what the line takes."""

    def answer(line: Mapping[str, Any]) -> Callable[[Sequence[Any]], str]:
        needed = line.get("if_sent", "")
        return lambda sent: line["reply"] if needed in sent[0].content else line["otherwise"]

    replies = [each for line in lines for each in (answer(line), *([line["another"]] if "another" in line else ()))]
    return ScriptedModel({"reply": replies, "extract": json.dumps({"memories": []})})


def director(lines: Sequence[Mapping[str, Any]], summary: str) -> ScriptedModel:
    """Return a model that reads along: it leaves a note where the script has one, and sums the story up."""
    nothing = {"note": "", "deltas": []}
    notes = [json.dumps(line.get("director", nothing)) for line in lines]
    return ScriptedModel({"director": [*notes, json.dumps(nothing)], "summarise": json.dumps({"text": summary})})
