"""Erasing for good, retention, and what a user may see: erase, scrub, erasures, hold, retain, about-me."""

from pathlib import Path

import pytest

LETIA = ("-u", "minsu", "-c", "letia")


@pytest.fixture
def told(run):
    run("observe", "나 판교에 살아", *LETIA, "--turn-id", "t1", "--at", "2026-03-02T20:00")
    run("observe", "나 종이우산 좋아해", *LETIA, "--turn-id", "t2", "--at", "2026-03-03T20:00")
    run("observe", "나 고양이 좋아해", "-u", "지영", "-c", "letia", "--turn-id", "t1", "--at", "2026-03-03T20:00")
    return run


def known(run, *scope):
    return {memory["value"] for memory in run("facts", "--json", *scope).record}


def test_nothing_is_erased_without_yes_and_it_is_told_what_would_be(told):
    shown = told("erase", "--matching", "종이우산", *LETIA).out
    assert "--yes" in shown
    assert "minsu" in shown
    assert known(told, *LETIA) == {"판교", "종이우산"}
    assert "아직 지운 것이 없어요" in told("erasures").out


def test_with_yes_it_is_gone_from_the_file_and_a_certificate_is_listed(told):
    gone = told("erase", "--matching", "종이우산", *LETIA, "--yes", "--by", "민수", "--json").record
    assert set(gone) == {"dry_run", "counts", "scopes", "held", "certificates"}
    assert (gone["dry_run"], gone["counts"]["turns"]) == (False, 1)
    [certificate] = gone["certificates"]
    assert (certificate["by"], certificate["intact"]) == ("민수", True)
    assert known(told, *LETIA) == {"판교"}
    assert "종이우산".encode() not in Path("gieok.db").read_bytes()
    assert told("erasures", "--json").record == [certificate]
    assert "파일에 없음" in told("erasures").out


def test_what_was_erased_comes_back_only_once_that_is_lifted(told):
    told("export", "minsu.zip", "-u", "minsu")
    [certificate] = told("erase", "-u", "minsu", "--everything", "--yes", "--json").record["certificates"]
    refused = told("import", "gieok", "minsu.zip")
    assert (refused.code, certificate["id"] in refused.out) == (1, True)
    assert "막지 않아요" in told("lift", certificate["id"]).out
    assert "막고 있는 것이 없어요" in told("lift", certificate["id"]).out
    assert "gieok erasures" in told("lift", "nothing").refused
    assert told("import", "gieok", "minsu.zip").code == 0
    assert known(told, *LETIA) == {"판교", "종이우산"}


def test_a_day_is_named_by_words_or_by_dates_and_a_user_with_everything(told):
    day = told("erase", *LETIA, "--since", "2026-03-03", "--until", "2026-03-03", "--json").record
    assert day["counts"]["turns"] == 1
    assert "언제인지 알 수 없어요" in told("erase", *LETIA, "--when", "언젠가").refused
    gone = told("erase", "-u", "minsu", "--everything", "--yes", "--json").record
    assert [each["scope"] for each in gone["scopes"]] == ["user=minsu character=letia"]
    assert known(told, "-u", "지영", "-c", "letia") == {"고양이"}


@pytest.mark.parametrize(
    ("arguments", "trouble"),
    [
        (LETIA, "--everything"),
        ((*LETIA, "--everything", "--turn", "t1"), "--matching"),
        (("--everything",), "누구의 기억인가요?"),
        ((*LETIA, "--when", "어제", "--since", "2026-03-01"), "--since"),
    ],
)
def test_what_to_erase_and_whose_has_to_be_said(told, arguments, trouble):
    assert trouble in told("erase", *arguments, "--yes").refused
    assert known(told, *LETIA) == {"판교", "종이우산"}


def test_what_was_forgotten_is_scrubbed(told):
    memory = next(each for each in told("facts", "--json", *LETIA).record if each["value"] == "종이우산")
    told("forget", memory["id"], *LETIA)
    assert told("scrub", "--json").record["counts"]["memories"] == 1
    assert "종이우산".encode() in Path("gieok.db").read_bytes()
    assert told("scrub", "--yes").code == 0
    assert "종이우산".encode() not in Path("gieok.db").read_bytes()
    assert "지울 것이 없어요" in told("scrub", "--yes").out


def test_a_hold_is_named_until_it_is_released(told):
    assert told("hold", *LETIA, "--why", "소송", "--by", "법무팀", "--json").record["held"] is True
    refused = told("erase", *LETIA, "--everything", "--yes").refused
    assert "법무팀이 건 보존 조치가 있어요: 소송." in refused
    assert "gieok hold --release" in refused
    assert "건너뛰었어요: [user=minsu" in told("scrub", "--yes").out
    assert "풀었어요" in told("hold", *LETIA, "--release").out
    assert told("erase", *LETIA, "--everything", "--yes").code == 0


def test_a_scope_keeps_things_for_days_of_its_own(told):
    assert told("retain", "preference=1", *LETIA, "--json").record["days"] == {"preference": 1.0}
    assert known(told, *LETIA) == {"판교"}
    assert "모두 기한 없이 보관" in told("retain", *LETIA).out
    assert "note=30" in told("retain", "note", *LETIA).refused
    assert "종류 'nothing'은 없어요" in told("retain", "nothing=3", *LETIA).refused


def test_a_user_is_told_what_is_remembered_of_them_in_the_language_of_the_terminal(told, monkeypatch):
    shown = told("about-me", *LETIA).out
    assert "letia가 기억하고 있는 내용이에요." in shown
    assert "종이우산을 좋아해요." in shown
    assert "고양이" not in shown
    answer = told("about-me", *LETIA, "--json").record
    assert answer["parts"][0]["told"][0]["memory_id"]
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    assert "기억" not in told("about-me", *LETIA).out
