"""Clients of pip and npm, through the proxy, in front of a real small model with a strict chat template."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from gieok.proxy import routes
from support.proxied import Proxied, proxied
from support.small_model import TEMPLATES, serving

PACKAGES = ("openai@7.55.0", "ai@6.0.326", "@ai-sdk/openai-compatible@2")
PERSONA = {"role": "system", "content": "You are Letia, a student of a school of magic."}

pytestmark = pytest.mark.check


@pytest.fixture
def chat(tmp_path, request, monkeypatch) -> Iterator[Proxied]:
    monkeypatch.setattr(routes, "_PATIENCE", 60.0)  # on a busy machine memory may be late
    with (
        serving(request.param) as url,
        proxied(tmp_path, proxy_url=url, proxy_key=None, proxy_model="small", llm_seconds=60) as chat,
    ):
        yield chat


@pytest.mark.parametrize("chat", TEMPLATES, indirect=True)
def test_the_client_of_pip_is_never_refused_by_a_strict_template(chat):
    told = chat.client.chat.completions.with_raw_response.create(
        model="gieok/letia", max_tokens=8, messages=[PERSONA, {"role": "user", "content": "I'm allergic to peanuts."}]
    )
    assert told.status_code == 200
    said: list[dict[str, str]] = [PERSONA]
    contexts = []
    for text in ("What should I eat tonight?", "I have a cat named Nabi.", "What is my cat called?"):
        said.append({"role": "user", "content": text})
        got = chat.client.chat.completions.with_raw_response.create(model="gieok/letia", max_tokens=8, messages=said)
        contexts.append(got.headers["x-gieok-context"])
        said.append({"role": "assistant", "content": got.parse().choices[0].message.content})
    assert "tokens" in contexts[0]
    with chat.client.chat.completions.stream(
        model="gieok/letia", max_tokens=8, messages=[*said, {"role": "user", "content": "Good night!"}]
    ) as stream:
        assert [event.type for event in stream][-1] == "content.done"
        assert stream.current_completion_snapshot.choices[0].message.role == "assistant"
    assert chat.mind().facts(attribute="allergy")


@pytest.fixture(scope="session")
def packages(tmp_path_factory) -> Path:
    """A folder with the packages of npm. It needs npm, and its registry."""
    npm = shutil.which("npm")
    if npm is None:
        pytest.skip("npm is not installed")
    folder = tmp_path_factory.mktemp("npm")
    (folder / "package.json").write_text('{"private": true}')
    done = subprocess.run(
        [npm, "install", "--no-audit", "--no-fund", *PACKAGES], cwd=folder, capture_output=True, text=True, check=False
    )
    if done.returncode != 0:
        pytest.skip(f"npm cannot install the packages: {done.stderr[-300:]}")
    shutil.copy(Path(__file__).with_name("clients.mjs"), folder)
    return folder


@pytest.mark.parametrize("chat", ["system first"], indirect=True)
def test_the_clients_of_npm_talk_to_a_character(chat, packages):
    node = ["node", "clients.mjs", chat.url]
    done = subprocess.run(node, cwd=packages, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stderr
    came = json.loads(done.stdout)
    assert (came["create"], came["stream"], came["generateText"], came["streamText"]) == (
        "assistant", "assistant", "length", True,
    )  # fmt: skip
    assert came["models"][0] == came["retrieve"] == "gieok/letia"
    assert came["embeddings"][0] == 400
    assert "/v1/chat/completions" in came["embeddings"][1]
    assert "I'm allergic to peanuts." in [text for talk in chat.sessions().values() for text, _ in talk]
