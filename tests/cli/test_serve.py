"""`gieok serve` where it cannot start: a line that says why, and the way out."""

import io
import shlex
import socket

import pytest

import gieok
from gieok.cli.console import Screen
from gieok.cli.serve import first_call, greeting
from support.screen import drawn


@pytest.mark.parametrize("language", ["ko", "en"])
def test_the_greeting_says_where_it_is_and_what_to_try(tmp_path, on_file, monkeypatch, language):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GIEOK_LANGUAGE", language)
    monkeypatch.setattr("gieok.web.is_installed", lambda: True)
    with gieok.open("bank.db", embedder="hashing") as bank:
        bank.scope(user="minsu", character="letia").observe("나 고양이 좋아해")
        shown = [greeting(bank, 8420, keys=language == "en"), first_call(bank.settings, 8420, keys=language == "en")]
        on_file(f"serving-{language}", "".join(drawn(each, 110) for each in shown))


def test_the_greeting_names_the_way_for_chat_apps_and_the_inspector_or_how_to_get_them(tmp_path, monkeypatch):
    with gieok.open(tmp_path / "bank.db", embedder="hashing", proxy_url="http://127.0.0.1:11434/v1") as bank:
        monkeypatch.setattr("gieok.web.is_installed", lambda: True)
        shown = drawn(greeting(bank, 8420, keys=False))
        assert "http://127.0.0.1:8420/ " in shown
        assert "http://127.0.0.1:8420/v1 · 모델 이름에 gieok/letia처럼" in shown
        monkeypatch.setattr("gieok.web.is_installed", lambda: False)
        assert 'pip install "gieok[web]"' in drawn(greeting(bank, 8420, keys=False))


def test_what_to_try_first_can_be_copied_from_a_narrow_terminal(tmp_path):
    with gieok.open(tmp_path / "bank.db", embedder="hashing") as bank:
        screen = Screen(file=io.StringIO(), width=40, markup=False, emoji=False, highlight=False)
        screen.print(first_call(bank.settings, 8420, keys=False), soft_wrap=True)
    _, *call = screen.file.getvalue().splitlines()
    assert shlex.split("\n".join(call).replace("\\\n", "")) == [
        "curl",
        "http://127.0.0.1:8420/v1/turns?user=minsu&character=letia",
        "--json",
        '{"text": "나 고양이 좋아해", "reply": "저도 좋아해요!"}',
    ]


def flat(text):
    return " ".join(text.split())


def test_a_port_in_use_is_told_plainly_with_the_way_out(run, tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        ran = run("serve", "--port", str(port))
    assert ran.code == 1
    assert f"포트 {port}" in ran.err
    assert f"gieok serve --port {port + 1}" in flat(ran.err)
    assert not (tmp_path / "gieok.db").exists()


@pytest.mark.parametrize("arguments", [("--host", "0.0.0.0"), ("--host", "::")])
def test_an_address_that_others_reach_takes_a_key_first(run, arguments):
    ran = run("serve", "--port", "0", *arguments)
    assert ran.code == 1
    assert "gieok keys create me --role admin" in flat(ran.err)


def test_keys_that_are_always_asked_for_take_a_key_first_on_this_machine_too(run, monkeypatch):
    monkeypatch.setenv("GIEOK_SERVE_KEYS", "always")
    ran = run("serve", "--port", "0")
    assert (ran.code, "gieok keys create" in flat(ran.err)) == (1, True)


def test_an_address_that_is_not_here_is_told_plainly(run):
    ran = run("serve", "--port", "0", "--host", "203.0.113.1")
    assert ran.code == 1
    assert "203.0.113.1에서 서버를 열 수 없어요" in ran.err
    assert "--host 127.0.0.1" in flat(ran.err)


def test_a_certificate_without_its_key_is_told_plainly(run):
    ran = run("serve", "--tls-cert", "cert.pem")
    assert (ran.code, "--tls-key" in ran.err) == (1, True)


def test_files_that_are_no_certificate_are_told_plainly(run, tmp_path):
    (tmp_path / "cert.pem").write_text("no certificate")
    (tmp_path / "key.pem").write_text("no key")
    ran = run("serve", "--tls-cert", "cert.pem", "--tls-key", "key.pem")
    assert ran.code == 1
    assert "짝이 맞는 PEM 파일" in flat(ran.err)


def test_a_certificate_that_is_not_there_is_named(run, tmp_path):
    (tmp_path / "cert.pem").write_text("no certificate")
    ran = run("serve", "--tls-cert", "cert.pem", "--tls-key", "kee.pem")
    assert ran.code == 1
    assert "kee.pem을 읽을 수 없어요" in flat(ran.err)


@pytest.mark.check
@pytest.mark.parametrize("missing", ["fastapi", "uvicorn", "httpx2", "prometheus_client"])
def test_without_the_extra_serving_names_it(run, tmp_path, without, missing):
    without(missing)
    ran = run("serve", "--port", "0")
    assert ran.code == 1
    assert missing in ran.err
    assert 'pip install "gieok[serve]"' in flat(ran.err)
    assert "Traceback" not in ran.err
    assert not (tmp_path / "gieok.db").exists()


@pytest.mark.parametrize("arguments", [(), ("--http",)])
def test_without_the_extra_mcp_names_it(run, tmp_path, without, arguments):
    without("mcp")
    ran = run("mcp", *arguments)
    assert ran.code == 1
    assert 'pip install "gieok[mcp]"' in flat(ran.err)
    assert "Traceback" not in ran.err
    assert not (tmp_path / "gieok.db").exists()


def test_a_port_that_mcp_finds_in_use_is_told_plainly(run):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        ran = run("mcp", "--listen", f"127.0.0.1:{port}")
    assert ran.code == 1
    assert f"다른 포트를 쓰세요: gieok mcp --listen {port + 1}" in flat(ran.err)


def test_the_way_to_a_first_key_names_the_bank(run):
    ran = run("serve", "--port", "0", "--host", "0.0.0.0", "--bank", "my bank.db")
    assert "gieok keys create me --role admin --bank 'my bank.db'" in flat(ran.err)


def test_a_file_that_is_no_bank_is_refused_as_every_command_does(run, tmp_path):
    (tmp_path / "notes.txt").write_text("not a bank" * 1000)
    ran = run("serve", "--port", "0", "--bank", "notes.txt")
    assert ran.code == 1
    assert "notes.txt" in ran.err
    assert "Traceback" not in ran.err
