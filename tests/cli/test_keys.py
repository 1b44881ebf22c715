"""API keys: keys create, keys list, keys revoke."""

import json
import unicodedata
from datetime import UTC, datetime

import pytest

import gieok
from gieok.access.keys import Keyring
from gieok.domain.server_state import Bounds


def opening(token):
    """Return the key that opens with `token` in the bank of this folder."""
    with gieok.open("gieok.db", embedder="hashing") as bank:
        ring = Keyring(bank.store.server)
        ring.refresh()
        return ring.find(token)


def test_a_key_is_made_before_anybody_talked_and_is_all_that_a_pipe_gets(run):
    ran = run("keys", "create", "게임 서버", "--role", "writer")
    assert ran.code == 0
    assert opening(ran.out.strip()).name == "게임 서버"
    assert "이 키는 다시 볼 수 없어요" in ran.err
    assert "게임 서버 · writer · 전체" in ran.err


def test_what_a_key_opens_its_home_and_its_limits(run):
    ran = run(
        *("keys", "create", "bot", "--role", "reader", "-u", "minsu", "-c", "letia", "-c", "sera", "-w", "학원"),
        *("--home-character", "sera", "--per-minute", "30", "--per-day", "1000", "--json"),
    )
    record = json.loads(ran.out)
    key = opening(record.pop("token"))
    assert key.bounds == tuple(Bounds(user="minsu", character=name, world="학원") for name in ("letia", "sera"))
    assert (key.role, key.home, key.per_minute, key.per_day) == ("reader", Bounds(character="sera"), 30, 1000)
    assert record["bounds"][1] == {"user": "minsu", "character": "sera", "world": "학원"}
    assert ran.err == ""


def test_a_key_for_one_place_is_at_home_there(run):
    token = run("keys", "create", "bot", "--role", "writer", "-u", "minsu", "-c", "letia", "--home-world", "학원").out
    assert opening(token.strip()).home == Bounds(user="minsu", character="letia", world="학원")


def test_names_are_kept_as_scopes_spell_them(run):
    decomposed = unicodedata.normalize("NFD", "레티아")
    token = run("keys", "create", "bot", "--role", "writer", "-c", decomposed).out.strip()
    assert opening(token).opens(gieok.Scope(character="레티아"))


def test_no_long_token_is_broken_into_lines(run, monkeypatch):
    monkeypatch.setenv("COLUMNS", "40")
    (line,) = run("keys", "create", "bot", "--role", "admin").out.splitlines()
    assert opening(line) is not None


def test_the_list_tells_everything_but_the_key(run):
    token = run("keys", "create", "bot", "--role", "writer", "-u", "minsu").out.strip()
    _, id, secret = token.split("_")
    with gieok.open("gieok.db", embedder="hashing") as bank:
        (kept,) = bank.store.server.access_keys()
        bank.store.server.count_uses(datetime.now(UTC).date().isoformat(), {id: 1234})
    shown, record = run("keys", "list").out, run("keys", "list", "--json").out
    assert "1,234" in shown
    assert json.loads(record)[0]["uses_today"] == 1234
    for told in (shown, record):
        assert id in told
        assert secret not in told
        assert kept.digest not in told


def test_a_revoked_key_opens_nothing_and_stays_in_the_list(run):
    token = run("keys", "create", "bot", "--role", "writer").out.strip()
    ran = run("keys", "revoke", token.split("_")[1])
    assert (ran.code, "폐기했어요: bot" in ran.out) == (0, True)
    assert opening(token) is None
    assert "폐기" in run("keys", "list").out
    assert json.loads(run("keys", "list", "--json").out)[0]["revoked_at"] is not None


def test_english_is_spoken_where_it_is_set(run, monkeypatch):
    monkeypatch.setenv("GIEOK_LANGUAGE", "en")
    assert "This key is not shown again" in run("keys", "create", "bot", "--role", "writer").err
    assert "everything" in run("keys", "list").out


@pytest.mark.parametrize(
    ("arguments", "trouble"),
    [
        (("create", "bot"), "--role"),
        (("create", " ", "--role", "reader"), "알아볼 수 있는 이름이 필요해요"),
        (("create", "bot", "--role", "reader", "-u", ""), "user 값이 비어 있어요"),
        (("create", "bot", "--role", "reader", "-u", "minsu", "--home-user", "jisu"), "--home-…"),
        (("create", "bot", "--role", "reader", "--per-day", "0"), "--per-day"),
        (("list",), "저장소가 없어요"),
        (("revoke", "nope"), "저장소가 없어요"),
    ],
)
def test_a_slip_is_named_and_makes_no_bank(run, tmp_path, arguments, trouble):
    ran = run("keys", *arguments)
    assert ran.code != 0
    assert trouble in ran.err
    assert list(tmp_path.iterdir()) == []


def test_an_unknown_key_cannot_be_revoked(run):
    run("keys", "create", "bot", "--role", "writer")
    ran = run("keys", "revoke", "nope")
    assert ran.code == 1
    assert "gieok keys list" in ran.err
