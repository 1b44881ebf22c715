"""The walk over the wire: every route, every tool, the proxy; with keys that each open one scope of eight.

No answer, refusal, log line, figure or prompt says a word of another scope. Whoever adds a route or a tool says here
how it is walked. Until then a test fails.
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
from gieok.serve.logs import JsonFormatter
from gieok.serve.metrics import Metrics
from gieok.testing import ScriptedModel
from support.authorizing import Route, routes_of
from support.misbehaving import Misbehaving
from support.serving import served
from support.walking import Overheard, Place, leaked, places, plain, shown

HERE = "http://127.0.0.1:9/gieok"


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


def _get(path: str, **params: Any) -> Callable[[Asker], str]:
    return lambda a: a.ask("GET", path.format(a=a), params={k: v.format(a=a) for k, v in params.items()})


def _post(path: str, method: str = "POST", **body: Any) -> Callable[[Asker], str]:
    return lambda a: a.ask(
        method, path.format(a=a), {k: v.format(a=a) if isinstance(v, str) else v for k, v in body.items()}
    )


WALKED: dict[Route, Callable[[Asker], str]] = {
    ("GET", "/openapi.json"): _get("/openapi.json"),
    ("GET", "/"): _get("/"),
    ("GET", "/docs"): _get("/docs"),
    ("GET", "/healthz"): _get("/healthz"),
    ("GET", "/readyz"): _get("/readyz"),
    ("GET", "/metrics"): _get("/metrics"),
    ("POST", "/v1/chat/completions"): Asker.completions,
    ("GET", "/v1/models"): _get("/v1/models"),
    ("POST", "/v1/turns"): Asker.turns,
    ("GET", "/v1/turns"): _get("/v1/turns"),
    ("GET", "/v1/turns/{turn_id}"): _get("/v1/turns/{a.turn}"),
    ("PATCH", "/v1/turns/{turn_id}"): _post("/v1/turns/{a.turn}", "PATCH", text="나 {a.word} 싫어해"),
    ("POST", "/v1/turns/{turn_id}/reroll"): _post("/v1/turns/{a.turn}/reroll", reply="{a.word}네요"),
    ("POST", "/v1/turns/{turn_id}/rewind"): _post("/v1/turns/{a.turn}/rewind", following=False),
    ("GET", "/v1/turns/{turn_id}/trace"): _get("/v1/turns/{a.turn}/trace"),
    ("POST", "/v1/recall"): _post("/v1/recall", query="{a.head}"),
    ("POST", "/v1/context"): _post("/v1/context", query="{a.head} 기억해?"),
    ("GET", "/v1/facts"): _get("/v1/facts", history="true"),
    ("POST", "/v1/memories"): _post("/v1/memories", content="{a.word}을 모음", attribute="hobby", value="{a.word}"),
    ("GET", "/v1/memories"): _get("/v1/memories", state="all", text="{a.head}"),
    ("GET", "/v1/memories/{memory_id}"): _get("/v1/memories/{a.memory}"),
    ("PATCH", "/v1/memories/{memory_id}"): _post("/v1/memories/{a.memory}", "PATCH", content="{a.word}을 좋아함"),
    ("PUT", "/v1/memories/{memory_id}/pin"): _post("/v1/memories/{a.memory}/pin", "PUT"),
    ("DELETE", "/v1/memories/{memory_id}/pin"): _post("/v1/memories/{a.memory}/pin", "DELETE"),
    ("POST", "/v1/memories/{memory_id}/restore"): _post("/v1/memories/{a.memory}/restore", version=1),
    ("GET", "/v1/audit"): _get("/v1/audit"),
    ("GET", "/v1/audit/verify"): _get("/v1/audit/verify"),
    ("DELETE", "/v1/memories/{memory_id}"): _post("/v1/memories/{a.memory}", "DELETE"),
    ("GET", "/v1/memories/{memory_id}/history"): _get("/v1/memories/{a.memory}/history"),
    ("GET", "/v1/timeline"): _get("/v1/timeline"),
    ("GET", "/v1/relationship"): _get("/v1/relationship"),
    ("GET", "/v1/relationship/trajectory"): _get("/v1/relationship/trajectory"),
    ("GET", "/v1/manners"): _get("/v1/manners"),
    ("GET", "/v1/emotions"): _get("/v1/emotions"),
    ("GET", "/v1/entities"): _get("/v1/entities"),
    ("GET", "/v1/entities/{name}"): _get("/v1/entities/{a.head}"),
    ("GET", "/v1/scenes"): _get("/v1/scenes"),
    ("POST", "/v1/scenes"): _post("/v1/scenes", place="{a.word}"),
    ("POST", "/v1/scenes/end"): _post("/v1/scenes/end"),
    ("GET", "/v1/journal"): _get("/v1/journal"),
    ("GET", "/v1/summaries"): _get("/v1/summaries"),
    ("POST", "/v1/maintain"): _post("/v1/maintain"),
    ("POST", "/v1/maintain/all"): _post("/v1/maintain/all"),
    ("GET", "/v1/scopes"): _get("/v1/scopes"),
    ("GET", "/v1/bank"): _get("/v1/bank"),
    ("GET", "/v1/export"): _get("/v1/export"),
    ("GET", "/v1/about-me"): _get("/v1/about-me"),
    ("GET", "/v1/export.zip"): _get("/v1/export.zip"),
    ("POST", "/v1/chat"): Asker.chat,
    ("POST", "/v1/chat/{turn_id}/regenerate"): _post("/v1/chat/{a.turn}/regenerate"),
    ("POST", "/v1/chat/{turn_id}/edit"): _post("/v1/chat/{a.turn}/edit", text="{a.word}가 아니야"),
    ("GET", "/v1/chat/{turn_id}/events"): _get("/v1/chat/{a.turn}/events"),
    ("DELETE", "/v1/chat/{turn_id}"): _post("/v1/chat/{a.turn}", "DELETE"),
    ("POST", "/v1/webhooks"): _post("/v1/webhooks", url=HERE),
    ("POST", "/v1/erase"): _post("/v1/erase", matching="{a.head}", dry_run=True),
    ("GET", "/v1/erasures"): _get("/v1/erasures"),
    ("GET", "/v1/webhooks"): _get("/v1/webhooks"),
    ("DELETE", "/v1/webhooks/{webhook_id}"): _post("/v1/webhooks/w-1", "DELETE"),
    ("*", "/mcp"): lambda a: a.tool("facts", {"history": True}),
}
TOOLS: dict[str, Callable[[Asker], dict[str, Any]]] = {
    "remember": lambda a: {"content": f"{a.word}을 좋아함"},
    "recall": lambda a: {"query": a.head, "k": 20},
    "context": lambda a: {"query": f"{a.head} 기억해?"},
    "facts": lambda _: {"history": True},
    "timeline": lambda a: {"text": a.head},
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
            assert set(routes_of(app)) == set(WALKED), "say in WALKED how a new route is walked"
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
