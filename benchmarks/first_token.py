"""How long a reply's first token waits for gieok.

    python benchmarks/first_token.py --memories 1000

One bank, one scope of so many memories and as many turns, and a model behind HTTP on loopback that answers at once, in
a process of its own. Each question is answered twice: through a `Conversation`, and by the same model, given the same
messages, without gieok. The difference is what gieok adds; its parts are measured in the same runs.
"""

from __future__ import annotations

import json
import multiprocessing
import os
import shutil
import time
from collections import defaultdict
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import islice
from multiprocessing.connection import Connection
from pathlib import Path
from tempfile import mkdtemp
from typing import Annotated, Any, Final, Self, TypeVar

import typer
from rich.table import Table

import gieok
from figures import Spread, spread
from gieok.bank import MemoryBank, Mind
from gieok.cli import bench
from gieok.cli.console import answers, asides
from gieok.conversation import Conversation
from gieok.conversation.events import ContextBuilt, Delta, Done
from gieok.domain.answer import Context, Message, Prompt, Task
from gieok.domain.scope import Scope

Answer = TypeVar("Answer")

_SCOPE: Final = Scope(user="민수", character="레티아")
_PERSONA: Final = "너는 마법 학원의 학생 레티아다. 다정하고 장난스럽게, 존댓말로 대답한다."
_REPLY: Final = ("그래요", "? ", "저도 ", "좋아해요", ".")
_WARMING: Final = 10  #: questions that are not counted
_GOAL: Final = 50.0  #: milliseconds
_ADDED: Final = "added by gieok"
_FIRST_DAY: Final = datetime(2026, 1, 1, 9, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Spent:
    """Seconds, by the clock and of this process's processor time."""

    wall: float
    cpu: float

    @classmethod
    def now(cls) -> Self:
        return cls(time.perf_counter(), time.process_time())

    def __sub__(self, other: Spent) -> Spent:
        return Spent(self.wall - other.wall, self.cpu - other.cpu)


@dataclass(frozen=True, slots=True, kw_only=True)
class Findings:
    """A whole run; `--json` writes it with these keys. Milliseconds."""

    memories: int
    questions: int
    wall: dict[str, Spread]
    cpu: dict[str, Spread]
    added: Spread  #: of the first token, by gieok and by the clock
    load: float  #: of the machine


class AtOnce(BaseHTTPRequestHandler):
    """Streams the same reply to whatever it is asked, as an OpenAI-compatible endpoint does."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Connection", "close")
        self.end_headers()
        for bit in _REPLY:
            chunk = {"choices": [{"index": 0, "delta": {"content": bit}}]}
            self.wfile.write(b"data: %s\n\n" % json.dumps(chunk).encode())
        self.wfile.write(b"data: [DONE]\n\n")
        self.close_connection = True

    def log_message(self, format: str, *arguments: Any) -> None:
        """Say nothing."""


class OverHttp:
    """A model behind that server, by the standard library alone: what it costs is the same with and without gieok."""

    name = "at-once"

    def __init__(self, port: int) -> None:
        self._port = port

    def ask(self, prompt: Prompt[Answer]) -> Answer:
        raise NotImplementedError("a reply is streamed")

    def stream(
        self, messages: Sequence[Message], *, task: Task = "reply", most_tokens: int
    ) -> Generator[str, None, None]:
        body = {"stream": True, "max_tokens": most_tokens}
        said = [{"role": message.role, "content": message.content} for message in messages]
        connection = HTTPConnection("127.0.0.1", self._port)
        try:
            connection.request("POST", "/v1/chat/completions", json.dumps({**body, "messages": said}))
            for line in connection.getresponse():
                if line.startswith(b"data: {"):
                    yield json.loads(line[6:])["choices"][0]["delta"]["content"]
        finally:
            connection.close()


class Timed(Mind):
    """A mind that notes how long its contexts took."""

    took = Spent(0.0, 0.0)

    def context(self, *arguments: Any, **options: Any) -> Context:
        start = Spent.now()
        context = super().context(*arguments, **options)
        self.took = Spent.now() - start
        return context


def main(
    memories: Annotated[int, typer.Option(min=1, help="Memories in the scope.")] = 1_000,
    questions: Annotated[int, typer.Option(min=20, help="Questions that are counted.")] = 200,
    embedder: Annotated[str, typer.Option(help="The embedder.")] = "universal",
    json_file: Annotated[Path | None, typer.Option("--json", metavar="FILE", help="Write the figures there.")] = None,
) -> None:
    """Measure what gieok adds before the first token of a reply; a guide, not a test."""
    folder = Path(mkdtemp(prefix="gieok-first-token-"))
    try:
        with gieok.open(folder / "bank.db", embedder=embedder, upkeep="off") as bank, _server() as port:
            _fill(bank, memories)
            found = _measured(bank, OverHttp(port), questions)
    finally:
        shutil.rmtree(folder)
    if json_file is not None:
        json_file.write_text(json.dumps(asdict(found), indent=2) + "\n", encoding="utf-8")
    answers().print(_table(found))


def _serve(told: Connection) -> None:
    server = ThreadingHTTPServer(("127.0.0.1", 0), AtOnce)
    told.send(server.server_address[1])
    server.serve_forever()


@contextmanager
def _server() -> Iterator[int]:
    spawned = multiprocessing.get_context("spawn")  # processor time of its own
    here, there = spawned.Pipe()
    server = spawned.Process(target=_serve, args=(there,), daemon=True)
    server.start()
    try:
        yield here.recv()
    finally:
        server.terminate()
        server.join()


def _fill(bank: MemoryBank, memories: int) -> None:
    """Tell the scope so many things, and say something beside each."""
    mind = bank.mind(_SCOPE)
    talk = bench.made_turns(seed=1)
    with asides().status("filling") as status:
        for number, (attribute, text) in enumerate(islice(bench.memories(), memories)):
            at = _FIRST_DAY + number * timedelta(hours=1)
            mind.remember(text, attribute=attribute, value=text, at=at)
            mind.observe(next(talk)[:200], reply="그랬군요.", at=at)
            status.update(f"filling: {number + 1:,} of {memories:,}")


def _measured(bank: MemoryBank, model: OverHttp, count: int) -> Findings:
    mind = Timed(bank, _SCOPE)
    conversation = Conversation(mind, model, persona=_PERSONA, session="bench")
    took: defaultdict[str, list[Spent]] = defaultdict(list)
    known = len(mind.facts())
    for number, question in enumerate(islice(bench.questions(), count + _WARMING)):
        parts = _one(conversation, mind, model, question)
        if number >= _WARMING:
            for name, spent in parts.items():
                took[name].append(spent)
    wall = {name: spread([spent.wall * 1000 for spent in each]) for name, each in took.items()}
    return Findings(
        memories=known,
        questions=count,
        wall=wall,
        cpu={name: spread([spent.cpu * 1000 for spent in each]) for name, each in took.items()},
        added=wall[_ADDED],
        load=os.getloadavg()[0],
    )


def _table(found: Findings) -> Table:
    table = Table(title=f"before the first token: {found.memories:,} memories, {found.questions} questions (ms)")
    for name in ("part", "median", "p95", "CPU median", "CPU p95"):
        table.add_column(name, justify="left" if name == "part" else "right")
    for name, wall in found.wall.items():
        cpu = found.cpu[name]
        table.add_row(name, *(f"{figure:.1f}" for figure in (wall.p50, wall.p95, cpu.p50, cpu.p95)))
    met = "met" if found.added.p50 <= _GOAL else "MISSED"
    busy = f"load {found.load:.1f} on {os.cpu_count()} cores"
    table.caption = f"goal: at most {_GOAL:g} ms added; {met} by the clock, {busy}"
    return table


def _one(conversation: Conversation, mind: Timed, model: OverHttp, question: str) -> dict[str, Spent]:
    """Answer `question` with gieok and without; return what each part took."""
    start = Spent.now()
    at: dict[type[object], Spent] = {}  # the first of each kind of event
    last = start
    seen: Context | None = None
    for event in conversation.say(question):
        at.setdefault(type(event), Spent.now() - start)
        if isinstance(event, ContextBuilt):
            seen = event.context
        if isinstance(event, Delta):
            last = Spent.now() - start
    assert seen is not None, "a context comes first"
    start = Spent.now()
    bits = model.stream(seen.messages, most_tokens=512)
    next(bits)
    alone = Spent.now() - start
    list(bits)
    return {
        "with gieok": at[Delta],
        "without": alone,
        _ADDED: at[Delta] - alone,
        "  mind.context": mind.took,
        "  turn-taking, window, hand-over": at[ContextBuilt] - mind.took,
        "  reply's first bit, less without": at[Delta] - at[ContextBuilt] - alone,
        "after the last token: keeping it": at[Done] - last,
    }


if __name__ == "__main__":
    typer.run(main)
