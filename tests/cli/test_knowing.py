import json

import pytest

import gieok

LETIA = ("-u", "minsu", "-c", "letia")


@pytest.fixture
def told(run):
    """A bank in which letia knows that minsu liked cats, and now likes dogs."""
    run("observe", "나 고양이 좋아해", "--reply", "저도 고양이 좋아해요!", *LETIA, "--at", "2026-03-01T20:00")
    run("observe", "요즘은 강아지가 더 좋아", *LETIA, "--at", "2026-03-30T20:00")
    return run


def contents(ran):
    return [memory["content"] for memory in json.loads(ran.out)]


def test_facts_now_and_then(told):
    assert contents(told("facts", "--about", "user", "--json")) == ["강아지를 좋아함"]
    assert contents(told("facts", "--about", "user", "--as-of", "2026-03-15", "--json")) == ["고양이를 좋아함"]
    assert contents(told("facts", "--about", "user", "--history", "--json")) == ["고양이를 좋아함", "강아지를 좋아함"]


def test_a_bare_day_counts_whole(told):
    assert contents(told("facts", "--about", "user", "--as-of", "2026-03-30", "--json")) == ["강아지를 좋아함"]
    assert contents(told("facts", "--about", "user", "--as-of", "2026-03-30T12:00", "--json")) == ["고양이를 좋아함"]
    assert contents(told("facts", "--known-at", "2026-03-01", "--json")) == ["고양이를 좋아함", "고양이를 좋아함"]
    assert contents(told("facts", "--known-at", "2026-02-28", "--json")) == []


def test_facts_are_narrowed_down_by_whom_they_are_about_and_who_said_so(told):
    assert contents(told("facts", "--about", "letia", "--json")) == ["고양이를 좋아함"]
    assert contents(told("facts", "--said-by", "minsu", "--attribute", "likes", "--json")) == ["강아지를 좋아함"]
    assert contents(told("facts", "--type", "opinion", "--json")) == []


def test_a_table_shows_the_dates_of_both_clocks(told):
    table = told("facts", "--history", "--about", "user").out
    assert "2026-03-01  2026-03-30  2026-03-01" in table
    assert "2026-03-30  지금        2026-03-30" in table


@pytest.mark.parametrize(
    ("arguments", "trouble"),
    [
        (("--attribute", "liks"), "unknown attribute 'liks'"),
        (("--type", "thing"), "unknown type 'thing'"),
        (("--as-of", "gestern"), "--as-of 'gestern' is no date"),
        (("-u", "nobody"), "known scopes: [user=minsu character=letia]"),
    ],
)
def test_a_slip_is_named(told, arguments, trouble):
    ran = told("facts", *arguments)
    assert (ran.code, ran.out) == (1, "")
    assert trouble in ran.err


def test_of_several_scopes_one_must_be_named(told):
    told("observe", "안녕", "-u", "minsu", "-c", "sera")
    ran = told("facts")
    assert ran.code == 1
    assert "[user=minsu character=letia], [user=minsu character=sera]" in ran.err
    assert contents(told("facts", "--json", "-u", "minsu", "-c", "sera")) == []


def test_of_very_many_scopes_a_message_names_the_first(told, tmp_path):
    with gieok.open(tmp_path / "gieok.db", embedder="hashing") as bank:
        for number in range(60):
            bank.hold(gieok.Scope(user=f"u{number:02}"))
    for command in (("facts",), ("facts", "-u", "nobody")):
        ran = told(*command)
        assert (ran.code, ran.err.count("[user=u")) == (1, 49), "beside minsu"
        assert "… (gieok scopes lists them all)" in ran.err
    assert told("facts", "-u", "u59").code == 0


def test_scopes_and_what_is_in_them(told):
    assert "letia" in told("scopes").out
    (summary,) = json.loads(told("scopes", "--json").out)
    assert set(summary) == {"user", "character", "world", "turns", "utterances", "memories", "latest_at"}
    assert (summary["turns"], summary["memories"]) == (2, 3)


def test_asking_makes_no_bank(run, tmp_path):
    for command in ("facts", "scopes"):
        ran = run(command, "--bank", "none.db")
        assert ran.code == 1
        assert "there is no bank at" in ran.err
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_is_not_a_bank_is_left_as_it_is(run, tmp_path):
    (tmp_path / "notes.txt").write_text("장보기 목록", encoding="utf-8")
    ran = run("facts", "--bank", "notes.txt")
    assert ran.code == 1
    assert "is not a gieok bank" in ran.err
    assert (tmp_path / "notes.txt").read_text(encoding="utf-8") == "장보기 목록"


@pytest.mark.parametrize("llm", ["opnai:gpt-4o", "openai:gpt-4o-mini", "gguf:nowhere.gguf"])
def test_what_needs_no_model_works_also_where_one_is_wrongly_set(run, monkeypatch, llm):
    run("observe", "나 고양이 좋아해", "-u", "minsu", "-c", "letia")
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.setenv("GIEOK_LLM", llm)
    ran = run("facts")
    assert ran.code == 0, ran.err
    assert "고양이를 좋아함" in ran.out
    assert run("observe", "나 개도 좋아해").code == 1, "a turn that a model is to read waits for the right setting"
