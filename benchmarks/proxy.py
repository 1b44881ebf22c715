"""How long the first token of a reply waits for the proxy.

    python benchmarks/proxy.py --memories 1000

A bank with one scope of so many memories and as many turns, served by gieok; a model that answers at once; and whoever
asks: three processes. Every question is asked twice, in turn with and without gieok between, over connections that
stay open. The client resends its history with every question, as chat clients do. The difference is what gieok adds.
"""

from __future__ import annotations

import json
import multiprocessing
import os
import shutil
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import islice
from multiprocessing.connection import Connection
from pathlib import Path
from tempfile import mkdtemp
from typing import Annotated, Any, Final

import typer
from rich.table import Table

import gieok
from figures import Spread, spread
from gieok.bank import Mind
from gieok.cli import bench
from gieok.cli.console import answers, asides
from gieok.domain.answer import Context

_PERSONA: Final = "너는 마법 학원의 학생 레티아다. 다정하고 장난스럽게, 존댓말로 대답한다."
_REPLY: Final = ("그래요", "? ", "저도 ", "좋아해요", ".")
_WARMING: Final = 10  #: questions that are not counted
_SHOWN: Final = 20  #: exchanges that the client resends
_GOAL: Final = 8.0  #: milliseconds
_ADDED: Final = "added by gieok"
_FIRST_DAY: Final = datetime(2026, 1, 1, 9, tzinfo=UTC)


class AtOnce(BaseHTTPRequestHandler):
    """Streams the same reply to whatever it is asked, and keeps the connection open."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        for bit in _REPLY:
            self._event(json.dumps({"choices": [{"index": 0, "delta": {"content": bit}}]}).encode())
        self._event(b'{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}')
        self._event(b"[DONE]")
        self.wfile.write(b"0\r\n\r\n")

    def _event(self, data: bytes) -> None:
        event = b"data: %s\n\n" % data
        self.wfile.write(b"%x\r\n%s\r\n" % (len(event), event))

    def log_message(self, format: str, *arguments: Any) -> None:
        """Say nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Findings:
    """A whole run; `--json` writes it with these keys."""

    memories: int
    questions: int
    parts: dict[str, Spread]  #: milliseconds
    added: Spread  #: of the first token, by gieok
    forgetful: int  #: questions that were asked without memory
    load: float  #: of the machine


@dataclass(frozen=True, slots=True)
class Asked:
    """What one question took, in milliseconds."""

    first: float  #: until the first token
    whole: float  #: until the end
    remembering: bool  #: the model was told something


def main(
    memories: Annotated[int, typer.Option(min=1, help="Memories in the scope.")] = 1_000,
    questions: Annotated[int, typer.Option(min=20, help="Questions that are counted, each with and without.")] = 150,
    embedder: Annotated[str, typer.Option(help="The embedder.")] = "universal",
    json_file: Annotated[Path | None, typer.Option("--json", metavar="FILE", help="Write the figures there.")] = None,
) -> None:
    """Measure what the proxy adds before the first token of a reply; a guide, not a test."""
    folder = Path(mkdtemp(prefix="gieok-proxy-"))
    try:
        _fill(folder, memories, embedder)
        with _process(_model) as (model, _), _process(_gieok, str(folder), embedder, model) as (port, told):
            found = _measured(model, port, told, memories, questions)
    finally:
        shutil.rmtree(folder)
    if json_file is not None:
        json_file.write_text(json.dumps(asdict(found), indent=2) + "\n", encoding="utf-8")
    answers().print(_table(found))


def _fill(folder: Path, memories: int, embedder: str) -> None:
    """Tell the scope so many things, and say something beside each."""
    talk = bench.made_turns(seed=1)
    with gieok.open(folder / "bank.db", embedder=embedder, upkeep="off") as bank, asides().status("filling") as status:
        mind = bank.scope(user="민수", character="레티아")
        for number, (attribute, text) in enumerate(islice(bench.memories(), memories)):
            at = _FIRST_DAY + number * timedelta(hours=1)
            mind.remember(text, attribute=attribute, value=text, at=at)
            mind.observe(next(talk)[:200], reply="그랬군요.", at=at)
            status.update(f"filling: {number + 1:,} of {memories:,}")


def _model(told: Connection) -> None:
    server = ThreadingHTTPServer(("127.0.0.1", 0), AtOnce)
    told.send(server.server_address[1])
    server.serve_forever()


def _gieok(told: Connection, folder: str, embedder: str, model: int) -> None:
    """Serve the bank; whenever asked to, tell what the last request took."""
    import socket

    import uvicorn

    from gieok.access.caller import Caller, let_in
    from gieok.serve.app import create_app

    took: dict[str, float] = {}
    plain = Mind.context

    def context(self: Mind, *arguments: Any, **options: Any) -> Context:
        start, cpu = time.perf_counter(), time.process_time()
        found = plain(self, *arguments, **options)
        took["context"], took["context's cpu"] = time.perf_counter() - start, time.process_time() - cpu
        return found

    Mind.context = context  # type: ignore[method-assign]  # timed where it is called
    bank = gieok.open(
        Path(folder) / "bank.db",
        embedder=embedder,
        upkeep="off",  # as it was filled; else the first turn would do the upkeep of them all
        proxy_url=f"http://127.0.0.1:{model}/v1",
        proxy_model="at-once",
    )
    bank.warm()
    app = create_app(bank)

    async def guarded(scope: Any, receive: Any, send: Any) -> None:
        cpu = time.process_time()
        took.pop("cpu", None)

        async def watched(message: Any) -> None:
            if message["type"] == "http.response.body":
                took.setdefault("cpu", time.process_time() - cpu)
            await send(message)

        let_in(scope, Caller())
        await app(scope, receive, watched)

    def answer() -> None:
        while True:
            told.recv()
            told.send(dict(took))

    # By its name: asyncio takes Nagle's delay only off sockets that say what they are.
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listening.bind(("127.0.0.1", 0))
    listening.listen()
    told.send(listening.getsockname()[1])
    threading.Thread(target=answer, daemon=True).start()
    uvicorn.Server(uvicorn.Config(guarded, log_level="warning")).run(sockets=[listening])


@contextmanager
def _process(work: Any, *given: Any) -> Iterator[tuple[int, Connection]]:
    spawned = multiprocessing.get_context("spawn")  # processor time of its own
    here, there = spawned.Pipe()
    process = spawned.Process(target=work, args=(there, *given), daemon=True)
    process.start()
    try:
        yield here.recv(), here
    finally:
        process.terminate()
        process.join()


def _measured(model: int, port: int, told: Connection, memories: int, count: int) -> Findings:
    direct, through = HTTPConnection("127.0.0.1", model), HTTPConnection("127.0.0.1", port)
    history: list[dict[str, str]] = []
    columns: dict[str, list[float]] = {}
    forgetful = 0
    for number, question in enumerate(islice(bench.questions(), count + _WARMING)):
        said = [{"role": "system", "content": _PERSONA}, *history[-2 * _SHOWN :], {"role": "user", "content": question}]
        without = _ask(direct, said)
        with_gieok = _ask(through, said)
        told.send(None)
        took = {name: seconds * 1000 for name, seconds in told.recv().items()}
        history += [{"role": "user", "content": question}, {"role": "assistant", "content": "".join(_REPLY)}]
        if number < _WARMING:
            continue
        added = with_gieok.first - without.first
        forgetful += not with_gieok.remembering
        for name, figure in (
            ("first token, direct", without.first),
            ("first token, through gieok", with_gieok.first),
            (_ADDED, added),
            ("  mind.context", took["context"]),
            ("  all the rest", added - took["context"]),
            ("processor time of gieok until then", took["cpu"]),
            ("  of mind.context", took["context's cpu"]),
            ("  of all the rest", took["cpu"] - took["context's cpu"]),
            ("end of the reply, through gieok: the turn is kept", with_gieok.whole),
        ):
            columns.setdefault(name, []).append(figure)
    parts = {name: spread(figures) for name, figures in columns.items()}
    return Findings(
        memories=memories,
        questions=count,
        parts=parts,
        added=parts[_ADDED],
        forgetful=forgetful,
        load=os.getloadavg()[0],
    )


def _table(found: Findings) -> Table:
    table = Table(title=f"through the proxy: {found.memories:,} memories, {found.questions} questions (milliseconds)")
    for name in ("part", "median", "p95"):
        table.add_column(name, justify="left" if name == "part" else "right")
    for name, times in found.parts.items():
        table.add_row(name, f"{times.p50:.1f}", f"{times.p95:.1f}")
    met = "met" if found.added.p50 <= _GOAL else "MISSED"
    busy = f"load {found.load:.1f} on {os.cpu_count()} cores"
    table.caption = f"goal: at most {_GOAL:g} ms added at the median; {met}, {busy}; without memory: {found.forgetful}"
    return table


def _ask(connection: HTTPConnection, messages: Sequence[dict[str, str]]) -> Asked:
    body = json.dumps({"model": "gieok/레티아", "user": "민수", "stream": True, "messages": messages})
    start = time.perf_counter()
    connection.request("POST", "/v1/chat/completions", body.encode(), {"Content-Type": "application/json"})
    response = connection.getresponse()
    response.readline()
    first = time.perf_counter()
    response.read()
    remembering = "tokens" in response.getheader("X-Gieok-Context", "")
    return Asked((first - start) * 1000, (time.perf_counter() - start) * 1000, remembering)


if __name__ == "__main__":
    typer.run(main)
