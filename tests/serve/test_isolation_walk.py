"""The walk over the wire: every route, every tool, the proxy; with keys that each open one scope of eight.

No answer, refusal, log line, figure or prompt says a word of another scope. Whoever adds a route or a tool says in
tests/data/routes.toml or in TOOLS how it is walked. Until then a test fails.
"""

from __future__ import annotations

import logging
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import quote

import httpx2
import pytest

import gieok
from gieok.access.keys import create_key
from gieok.domain.server_state import Bounds
from gieok.mcp.tools import TOOLS as MCP_TOOLS
from gieok.serve.app import create_app, guarded_app
from gieok.serve.metrics import JsonFormatter, Metrics
from gieok.testing import ScriptedModel
from support.authorizing import ROUTES, Route, routes_of
from support.misbehaving import Misbehaving
from support.serving import served
from support.walking import Overheard, Place, leaked, places, plain, shown


@dataclass
class Asker:
    """Asks for one place after the other, with the key of each."""

    client: httpx2.Client
    bank: gieok.MemoryBank
    dice: random.Random
    cast: list[Place]
    keys: dict[int, str]
    upstream: Misbehaving
    model: ScriptedModel
    here: Place = field(init=False)
    told: int = 0

    def __post_init__(self) -> None:
        self.here = self.cast[0]

    @property
    def head(self) -> str:
        return self.dice.choice(self.cast).head

    @property
    def word(self) -> str:
        return self.here.word

    @property
    def somebody(self) -> Place:
        return self.here if self.dice.random() < 0.67 else self.dice.choice(self.cast)

    @property
    def memory(self) -> str:
        known = self.bank.mind(self.somebody.scope).memories(20, state="all")
        return quote(self.dice.choice([leaf.memory.id for leaf in known] or ["m-1"]), safe="")

    @property
    def turn(self) -> str:
        known = self.bank.mind(self.somebody.scope).turns(20)
        return quote(self.dice.choice([turn.id for turn in known] or ["t-1"]), safe="")

    def ask(self, method: str, path: str, body: Any = None, **more: Any) -> str:
        """Return all that comes back: status, headers and body."""
        params = {**self.here.params, **more.pop("params", {})}
        headers = {"Authorization": f"Bearer {self.keys[id(self.here)]}", **more.pop("headers", {})}
        response = self.client.request(method, path, json=body, params=params, headers=headers, **more)
        assert response.status_code < 500 or response.status_code in (502, 503), response.text
        data = response.content
        kind = response.headers.get("content-type", "")
        answer = plain(response.json()) if "json" in kind and "ndjson" not in kind and data else shown(data)
        return f"{response.status_code} {response.headers} {answer}"

    def turns(self) -> str:
        self.told += 1
        text = self.dice.choice(["나 {} 좋아해", "우리 {}에 가기로 약속하자", "친구 {}가 왔어", "내 이름은 {}야"])
        return self.ask("POST", "/v1/turns", {"text": text.format(self.word), "reply": f"{self.word}요?"})

    def chat(self) -> str:
        return self.ask("POST", "/v1/chat", {"text": f"{self.word} 얘기 해 줘"})

    def completions(self) -> str:
        names = {f"X-Gieok-{name.capitalize()}": quote(value) for name, value in self.here.params.items()}
        body = {"model": "small", "messages": [{"role": "user", "content": f"{self.word} 기억해?"}]}
        return self.ask("POST", "/v1/chat/completions", body, headers=names)

    def tool(self, name: str, arguments: dict[str, Any]) -> str:
        body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": name, "arguments": arguments}}
        return self.ask("POST", "/mcp", body, headers={"Accept": "application/json, text/event-stream"})


def walked(route: Route, row: dict[str, Any]) -> Callable[[Asker], str]:
    method, path = route

    def ask(a: Asker) -> str:
        ids = {"turn_id": a.turn, "memory_id": a.memory, "name": a.head, "webhook_id": "w-1", "certificate_id": "c-1"}
        words = {"head": a.head, "word": a.word}
        params, body = dict(row.get("params", {})), dict(row.get("body", {}))
        for given in (params, body):
            given |= {name: value.format(**words) for name, value in given.items() if isinstance(value, str)}
        return a.ask(
            method, path.replace(":path}", "}").format(**ids), None if method == "GET" else body, params=params
        )

    return ask


WALKED: dict[Route, Callable[[Asker], str]] = {
    **{route: walked(route, row) for route, row in ROUTES.items()},
    ("POST", "/v1/chat/completions"): Asker.completions,
    ("POST", "/chat/completions"): Asker.completions,
    ("POST", "/v1/turns"): Asker.turns,
    ("POST", "/v1/chat"): Asker.chat,
    ("*", "/mcp"): lambda a: a.tool("facts", {"history": True}),
}
TOOLS: dict[str, Callable[[Asker], dict[str, Any]]] = {
    "remember": lambda a: {"content": f"{a.word}을 좋아함"},
    "recall": lambda a: {"query": a.head, "k": 20},
    "context": lambda a: {"query": f"{a.head} 기억해?"},
    "facts": lambda _: {"history": True},
    "timeline": lambda a: {"text": a.head},
    "doubtful": lambda _: {},
    "confirm": lambda a: {"memory_id": a.memory},
    "reject": lambda a: {"memory_id": a.memory},
    "correct": lambda a: {"memory_id": a.memory, "content": f"{a.word}을 싫어함"},
    "forget": lambda a: {"memory_id": a.memory},
}


@pytest.fixture
def asker(tmp_path: Path) -> Iterator[Asker]:
    dice = random.Random(1_234)
    cast = places(dice)
    model = ScriptedModel({"reply": "그렇군요"})
    with Misbehaving() as upstream:
        settings: dict[str, Any] = {"serve_keys": "always", "behind_the_scenes": "off", "embedder": "hashing"}
        upstream_settings = {"proxy_url": upstream.url, "proxy_key": "k", "proxy_model": "small"}
        with gieok.open(
            tmp_path / "memories.db", model=model, watch=Metrics(), **settings, **upstream_settings
        ) as bank:
            keys = {id(place): _key(bank, place) for place in cast}
            app = create_app(bank)
            assert set(routes_of(app)) == set(WALKED), "say in tests/data/routes.toml how a new route is walked"
            with (
                served(guarded_app(app)) as url,
                httpx2.Client(base_url=url, timeout=60, trust_env=False) as client,
            ):
                asker = Asker(client, bank, dice, cast, keys, upstream, model)
                for place in cast:
                    asker.here = place
                    for _ in range(2):
                        asker.turns()
                yield asker


def _key(bank: gieok.MemoryBank, place: Place) -> str:
    bounds = Bounds(**place.params)
    token, kept = create_key("k", "admin", now=datetime.now(UTC), bounds=(bounds,), home=bounds, per_minute=0)
    bank.store.server.keep_key(kept)
    return token


class Logged(Overheard):
    """Keeps the log as a server writes it."""

    def __init__(self) -> None:
        super().__init__()
        self.setFormatter(JsonFormatter(log_text=False))

    def emit(self, record: logging.LogRecord) -> None:
        if record.name.startswith("gieok"):
            super().emit(record)


def heard(asker: Asker) -> str:
    """Return what models were asked since the last time."""
    prompts = shown([*asker.model.asked, *(each.text for each in asker.upstream.asked)])
    asker.model.asked.clear()
    asker.upstream.asked.clear()
    return prompts


def test_no_route_tells_a_word_of_another_scope(asker: Asker, counts: Callable[[int, int], int]) -> None:
    heard(asker)
    routes = list(WALKED.items())
    with Logged() as logged:
        for number in range(counts(1, 40) * len(routes)):
            if not number % len(routes):
                asker.dice.shuffle(routes)
            route, walked = routes[number % len(routes)]
            asker.here = asker.dice.choice(asker.cast)
            answer = walked(asker)
            assert not leaked(answer, asker.here, asker.cast), (number, route)
            assert not leaked(heard(asker), asker.here, asker.cast), (number, route, "prompt")
            assert not leaked(logged.taken(), None, asker.cast), (number, route, "log")


def test_a_foreign_scope_is_refused_without_a_word_of_it(asker: Asker) -> None:
    for route, walked in WALKED.items():
        own, other = asker.cast[0], asker.cast[-1]
        asker.here = Place(other.scope, own.head, own.tail)  # asks about the other's scope …
        asker.keys[id(asker.here)] = asker.keys[id(own)]  # … with a key for another
        answer = walked(asker)
        assert other.tail not in answer, route


def test_the_figures_name_nobody(asker: Asker) -> None:
    for walked in WALKED.values():
        walked(asker)
    metrics = asker.bank.watch
    assert isinstance(metrics, Metrics)
    assert not leaked(metrics.text().decode(), None, asker.cast)


def test_no_tool_tells_a_word_of_another_scope(asker: Asker, counts: Callable[[int, int], int]) -> None:
    assert {ability.name for ability in MCP_TOOLS} == set(TOOLS), "say in TOOLS how a new tool is walked"
    for _ in range(counts(1, 20)):
        for name, arguments in TOOLS.items():
            for place in asker.cast:
                asker.here = place
                assert not leaked(asker.tool(name, arguments(asker)), place, asker.cast), name
    asker.here = asker.cast[0]
    for method, params in (("resources/list", {}), ("resources/read", {"uri": "gieok://scopes"}), ("tools/list", {})):
        body = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
        answer = asker.ask("POST", "/mcp", body, headers={"Accept": "application/json, text/event-stream"})
        assert '"result"' in answer, method
        assert not leaked(answer, asker.here, asker.cast), method


def test_the_walk_has_something_to_find(asker: Asker) -> None:
    for place in asker.cast:
        asker.here = place
        assert place.tail in WALKED["GET", "/v1/turns"](asker)
        assert place.tail in WALKED["GET", "/v1/export.zip"](asker)
