"""Whom a request is about."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

import pytest

from gieok.domain.scope import Scope
from gieok.domain.server_state import Bounds
from gieok.errors import InvalidScope
from gieok.proxy.history import ChatTarget, chat_target, model_name
from gieok.proxy.upstream import ProxyError


def asked(model: object = None, *, home: Bounds | None = None, body_user: object = None, **headers: str) -> ChatTarget:
    given: dict[str, Any] = {"model": model, "user": body_user}
    sent = {name.replace("_", "-"): value for name, value in headers.items()}
    return chat_target(sent, given, home=home or Bounds(), user="somebody")


@pytest.mark.parametrize(
    ("model", "world", "character", "upstream"),
    [
        ("gieok/letia", None, "letia", None),
        ("gieok/레티아", None, "레티아", None),
        ("Gieok/academy/letia", "academy", "letia", None),
        ("gieok/letia@gpt-4o", None, "letia", "gpt-4o"),
        ("gieok/a%2Fb@ollama/qwen3:8b", None, "a/b", "ollama/qwen3:8b"),
    ],
)
def test_a_model_may_be_a_character(model, world, character, upstream):
    found = asked(model)
    assert found.scope == Scope(user="somebody", character=character, world=world)
    assert (found.ours, found.model) == (True, upstream)


@pytest.mark.parametrize("scope", [Scope(character="레티아", world="학원"), Scope(character="a/b@c%", world="w")])
def test_the_name_of_a_listed_model_leads_back_to_its_character(scope):
    found = asked(model_name(scope)).scope
    assert (found.character, found.world) == (scope.character, scope.world)


def test_headers_come_first_then_the_model_the_body_and_the_key():
    home = Bounds(user="home", character="집", world="w0")
    assert asked("gpt-4o", home=home).scope == Scope(user="home", character="집", world="w0")
    assert asked("gpt-4o", home=home, body_user="body").scope.user == "body"
    assert asked("gieok/w1/letia", home=home).scope == Scope(user="home", character="letia", world="w1")
    everything = asked(
        "gieok/w1/letia", home=home, body_user="body",
        x_gieok_user="u", x_gieok_character="c", x_gieok_world="w", x_gieok_session="s",
    )  # fmt: skip
    assert everything == ChatTarget(scope=Scope(user="u", character="c", world="w"), session="s", ours=True, model=None)


@pytest.mark.parametrize(
    "value", [quote("레티아"), "레티아".encode().decode("latin-1"), "  레티아 ".encode().decode("latin-1")]
)
def test_a_header_may_be_korean(value):
    assert asked("gpt-4o", x_gieok_character=value).scope.character == "레티아"


@pytest.mark.parametrize("model", ["gpt-4o", "", None, 7, ["gieok/letia"]])
def test_a_plain_model_has_no_memory(model):
    assert asked(model) == ChatTarget(scope=None, session=None, ours=False, model=None)


@pytest.mark.parametrize("model", ["gieok", "gieok/"])
def test_without_a_character_the_way_out_is_told(model):
    with pytest.raises(ProxyError, match="gieok/<character>") as told:
        asked(model)
    assert told.value.status == 404


@pytest.mark.parametrize(
    "value", [quote("레티아", encoding="cp949"), "레티아".encode("cp949").decode("latin-1"), "레티아"]
)
def test_a_header_that_is_not_utf_8_is_refused_and_not_mixed_up(value: str) -> None:
    with pytest.raises(InvalidScope, match="x-gieok-user is not UTF-8; percent-encode it"):
        chat_target({"x-gieok-user": value}, {"model": "gieok/letia"}, home=Bounds(), user="user")
