import json
import socket
import tomllib
from pathlib import Path

import pytest

from gieok.cli.doctor import EXTRAS


def found(run, name):
    return next(check for check in json.loads(run("doctor", "--json").out)["checks"] if check["name"] == name)


def test_the_doctor_tells_where_a_server_would_be_and_who_would_be_let_in(run, monkeypatch):
    assert "127.0.0.1:8420, for this machine alone, no key is asked for" in found(run, "server")["detail"]
    assert found(run, "keys")["detail"] == "none, and none is needed"

    monkeypatch.setenv("GIEOK_SERVE_HOST", "0.0.0.0")
    monkeypatch.setenv("GIEOK_BANK", "my bank.db")
    assert "0.0.0.0:8420, keys are asked for" in found(run, "server")["detail"]
    assert found(run, "keys")["remedy"] == "gieok keys create me --role admin --bank 'my bank.db'"


def test_keys_are_counted_as_long_as_they_are_in_force(run):
    made = json.loads(run("keys", "create", "봇", "--role", "reader", "--json").out)
    run("keys", "create", "앱", "--role", "writer")
    assert found(run, "keys")["detail"] == "2 in force"
    run("keys", "revoke", made["id"])
    assert found(run, "keys")["detail"] == "1 in force"


def test_a_server_that_runs_is_noticed(run, monkeypatch):
    with socket.create_server(("127.0.0.1", 0)) as server:
        monkeypatch.setenv("GIEOK_SERVE_PORT", str(server.getsockname()[1]))
        assert found(run, "server")["detail"].endswith("something listens there")


def test_a_setting_that_no_server_takes_is_a_trouble(run, monkeypatch):
    monkeypatch.setenv("GIEOK_SERVE_ORIGINS", "*")
    check = found(run, "server")
    assert check["state"] == "bad"
    assert "serve_origins" in check["detail"]


@pytest.mark.parametrize(("package", "extra"), [("fastapi", "serve"), ("mcp", "mcp"), ("langgraph", "langgraph")])
def test_an_extra_that_is_not_installed_is_named_with_the_way_to_it(run, without, package, extra):
    without(package)
    check = found(run, "extras")
    assert check["state"] == "note"
    assert f'pip install "gieok[{extra}]"' in check["remedy"]


def test_the_doctor_knows_every_extra_of_the_package():
    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert set(EXTRAS) == set(project["optional-dependencies"]) - {"all", "dev"}
