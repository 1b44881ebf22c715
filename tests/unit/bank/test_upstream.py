"""Where the proxy passes chats on to."""

from __future__ import annotations

import pytest

import gieok
from gieok.errors import InvalidSetting


def test_without_a_model_there_is_nowhere_to_go(tmp_path):
    with gieok.open(tmp_path / "bank.db", embedder="hashing") as bank:
        assert bank.upstream() is None


def test_it_is_where_the_model_is(tmp_path):
    with gieok.open(tmp_path / "bank.db", embedder="hashing", llm="ollama:qwen3:8b", llm_key="k1") as bank:
        found = bank.upstream()
    assert found is not None
    assert (found.url, found.key, found.model, found.here) == ("http://127.0.0.1:11434/v1", "k1", "qwen3:8b", True)


def test_an_endpoint_of_its_own_does_not_get_the_models_key(tmp_path):
    with gieok.open(
        tmp_path / "bank.db",
        embedder="hashing",
        llm="openai:gpt-4o-mini",
        llm_key="sk-secret",
        proxy_url="https://me:pass%20word@models.example/v1/?token=t0ken",
    ) as bank:
        found = bank.upstream()
    assert found is not None
    assert (found.key, found.model, found.here) == (None, "gpt-4o-mini", False)
    assert (found.login, found.shown) == (("me", "pass word"), "https://models.example/v1/")
    assert found.at("models") == "https://models.example/v1/models?token=t0ken"
    assert not any(secret in repr(found) for secret in ("secret", "pass", "t0ken"))


@pytest.mark.parametrize(
    ("settings", "model"),
    [
        ({"proxy_model": "big"}, "big"),
        ({"llm": "small", "llm_url": "http://127.0.0.1:9/v1"}, "small"),
        ({}, None),
    ],
)
def test_the_model_is_the_one_that_is_named(tmp_path, settings, model):
    with gieok.open(tmp_path / "bank.db", embedder="hashing", proxy_url="http://127.0.0.1:8/v1", **settings) as bank:
        found = bank.upstream()
    assert found is not None
    assert (found.url, found.model) == ("http://127.0.0.1:8/v1", model)


def test_an_address_that_is_none_is_told(tmp_path):
    with (
        gieok.open(tmp_path / "bank.db", embedder="hashing", proxy_url="localhost:8000") as bank,
        pytest.raises(InvalidSetting, match="not the address of an endpoint"),
    ):
        bank.upstream()
