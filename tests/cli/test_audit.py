"""gieok audit, history and undo: who did what, whether that is as it was written, and back to any version."""

import json
from pathlib import Path

import apsw
import pytest

LETIA = ("-u", "minsu", "-c", "letia")


@pytest.fixture
def told(run):
    run("--as", "운영자 김", "observe", "나 판교에 살아", *LETIA, "--turn-id", "t1")
    run("observe", "나 고양이 좋아해", *LETIA, "--turn-id", "t2")
    return run


def facts(run):
    return {memory["attribute"]: memory["id"] for memory in run("facts", "--json").record}


def test_who_did_what_is_shown_with_the_name_that_was_given(told):
    shown = told("audit", "show")
    assert shown.code == 0
    assert "운영자 김" in shown.out
    first, second = told("audit", "show", "--json").record
    assert first["actor"] == {"kind": "person", "name": "운영자 김"}
    assert (first["act"], first["targets"][0]) == ("observe", "t1")
    assert second["actor"]["kind"] == "person"
    assert second["actor"]["name"] not in ("", "운영자 김")
    assert [deed["number"] for deed in told("audit", "show", "--limit", "1", "--json").record] == [2]


@pytest.mark.parametrize("name", ["", "  ", "a\nb", "김" * 201])
def test_a_name_that_cannot_be_written_down_is_refused(told, name):
    assert "이름은 보이는 글자로 1자에서 200자까지" in told("--as", name, "pin", facts(told)["likes"]).refused
    assert len(told("audit", "show", "--json").record) == 2


def test_reading_on_the_command_line_leaves_no_row(told):
    told("recall", "고양이", *LETIA)
    told("facts", *LETIA)
    assert len(told("audit", "show", "--json").record) == 2


def test_a_log_that_is_as_it_was_written_is_told_so(told):
    sound = told("audit", "verify")
    assert (sound.code, "처음 쓰인 그대로" in sound.out) == (0, True)
    found = told("audit", "verify", *LETIA, "--json").record
    root = found.pop("root")
    assert found == {"sound": True, "chains": 1, "deeds": 2, "findings": [], "uncovered": []}
    assert f"루트: {root}" in told("audit", "verify", *LETIA).out


def test_a_small_file_of_where_chains_end_finds_a_bank_that_was_put_back(told):
    before = Path("gieok.db").read_bytes()
    told("observe", "나 민초 좋아해", *LETIA, "--turn-id", "t3")
    assert told("audit", "export", "--heads", "heads.jsonl").code == 0
    [head] = map(json.loads, Path("heads.jsonl").read_text("utf-8").splitlines())
    assert (head["kind"], head["length"]) == ("chain", 3)
    told("observe", "나 커피도 좋아해", *LETIA, "--turn-id", "t4")
    assert told("audit", "verify", "--against", "heads.jsonl").code == 0
    Path("gieok.db").write_bytes(before)
    for beside in ("gieok.db-wal", "gieok.db-shm"):
        Path(beside).unlink(missing_ok=True)
    assert told("audit", "verify").code == 0
    behind = told("audit", "verify", "--against", "heads.jsonl")
    assert (behind.code, "3번 기록" in behind.out) == (1, True)


def test_a_log_that_was_tampered_with_ends_in_one(told):
    with apsw.Connection("gieok.db") as connection:
        connection.execute("DELETE FROM audit WHERE id = (SELECT min(id) FROM audit)")
    broken = told("audit", "verify")
    assert broken.code == 1
    assert "1번 기록이 없어졌어요" in broken.out
    found = json.loads(told("audit", "verify", "--json").out)
    assert not found["sound"]
    assert (found["findings"][0]["number"], found["findings"][0]["scope"]["user"]) == (1, "minsu")


def test_an_export_holds_what_was_before_and_after_and_the_bank_can_be_held_against_it(told):
    memory_id = facts(told)["residence"]
    told("correct", memory_id, "성남 판교에 삶", "--value", "성남 판교")
    assert told("audit", "export", "log.jsonl").code == 0
    chain, *deeds = [json.loads(line) for line in Path("log.jsonl").read_text(encoding="utf-8").splitlines()]
    assert (chain["kind"], chain["user"], chain["length"]) == ("chain", "minsu", 3)
    assert [deed["number"] for deed in deeds] == [3, 2, 1]
    [change] = [line[1] for line in deeds[0]["told"] if line[0] == "changes"]
    assert change["after"]["content"] == "성남 판교에 삶"
    assert change["before"]["content"] == "판교에 삶"
    assert told("audit", "verify", "--against", "log.jsonl").code == 0
    assert json.loads(told("audit", "export", "-").out.splitlines()[0])["kind"] == "chain"

    told("pin", memory_id)
    assert told("audit", "verify", "--against", "log.jsonl").code == 0


def test_a_chain_that_was_written_anew_from_the_start_is_found_by_an_earlier_export(told):
    told("audit", "export", "log.jsonl")
    Path("gieok.db").unlink()
    told("observe", "나 부산에 살아", *LETIA, "--turn-id", "t1")
    assert told("audit", "verify").code == 0
    other = told("audit", "verify", "--against", "log.jsonl")
    assert other.code == 1
    assert "없어졌어요" in other.out

    records = [json.loads(line) for line in Path("log.jsonl").read_text(encoding="utf-8").splitlines()]
    with apsw.Connection("gieok.db") as connection:
        [(mark,)] = connection.execute("SELECT mark FROM chains").fetchall()
    Path("log.jsonl").write_text("\n".join(json.dumps({**each, "chain": mark}) for each in records), encoding="utf-8")
    assert "1번 기록이 log.jsonl에 있는 것과 달라요" in told("audit", "verify", "--against", "log.jsonl").out
    Path("log.jsonl").write_text("nonsense", encoding="utf-8")
    assert "gieok audit export" in told("audit", "verify", "--against", "log.jsonl").refused


def test_the_versions_of_a_memory_are_shown_with_who_made_them(told):
    memory_id = facts(told)["residence"]
    told("--as", "운영자 김", "correct", memory_id, "성남 판교에 삶", "--value", "성남 판교")
    shown = told("history", memory_id[-8:])
    assert shown.code == 0
    assert "성남 판교에 삶" in shown.out
    first, second = told("history", memory_id, "--json").record
    assert (first["version"], first["act"], first["before"]) == (1, "observe", None)
    assert (second["version"], second["act"], second["actor"]["name"]) == (2, "correct", "운영자 김")
    assert (second["before"]["value"], second["after"]["value"]) == ("판교", "성남 판교")


def test_a_memory_goes_back_to_any_version_also_when_it_is_forgotten(told):
    memory_id = facts(told)["residence"]
    told("correct", memory_id, "성남 판교에 삶", "--value", "성남 판교")
    told("forget", memory_id)
    assert "residence" not in facts(told)
    back = told("undo", memory_id[-8:], "--to", "1", "--json").record
    assert (back["value"], back["forgotten_at"]) == ("판교", None)
    again = told("undo", memory_id, "--to", "2", "--json").record
    assert again["value"] == "성남 판교"
    acts = [each["act"] for each in told("history", memory_id, "--json").record]
    assert acts == ["observe", "correct", "forget", "restore", "restore"]
    assert told("audit", "verify").code == 0


def test_a_version_that_is_not_there_is_refused(told):
    memory_id = facts(told)["residence"]
    assert f"gieok history {memory_id}" in told("undo", memory_id, "--to", "7").refused
    assert told("history", "nope").code == 1
