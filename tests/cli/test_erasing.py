import json
from pathlib import Path

import pytest

LETIA = ("-u", "minsu", "-c", "letia")


@pytest.fixture
def told(run):
    run("observe", "나 판교에 살아", *LETIA, "--turn-id", "t1", "--at", "2026-03-02T20:00")
    run("observe", "나 보라색우산 좋아해", *LETIA, "--turn-id", "t2", "--at", "2026-03-03T20:00")
    run("observe", "나 고양이 좋아해", "-u", "지영", "-c", "letia", "--turn-id", "t1", "--at", "2026-03-03T20:00")
    return run


def known(run, *scope):
    return {memory["value"] for memory in json.loads(run("facts", "--json", *scope).out)}


def test_nothing_goes_without_yes_and_it_is_told_what_would(told):
    ran = told("erase", "--matching", "보라색우산", *LETIA)
    assert ran.code == 0
    assert "--yes" in ran.out
    assert "minsu" in ran.out
    assert known(told, *LETIA) == {"판교", "보라색우산"}
    assert "아직 지운 것이 없어요" in told("erasures").out


def test_with_yes_it_is_gone_from_the_file_and_a_certificate_is_listed(told):
    gone = json.loads(told("erase", "--matching", "보라색우산", *LETIA, "--yes", "--by", "민수", "--json").out)
    assert (gone["dry_run"], gone["counts"]["turns"]) == (False, 1)
    [certificate] = gone["certificates"]
    assert (certificate["by"], certificate["intact"]) == ("민수", True)
    assert known(told, *LETIA) == {"판교"}
    assert "보라색우산".encode() not in Path("gieok.db").read_bytes()
    assert json.loads(told("erasures", "--json").out) == [certificate]
    assert certificate["id"] in told("erasures").out


def test_a_day_is_named_by_words_or_by_dates_and_a_user_with_everything(told):
    assert (
        json.loads(told("erase", *LETIA, "--since", "2026-03-03", "--until", "2026-03-03", "--json").out)["counts"][
            "turns"
        ]
        == 1
    )
    assert "no time that is known" in told("erase", *LETIA, "--when", "언젠가").err
    gone = json.loads(told("erase", "-u", "minsu", "--everything", "--yes", "--json").out)
    assert [each["scope"] for each in gone["scopes"]] == ["user=minsu character=letia"]
    assert known(told, "-u", "지영", "-c", "letia") == {"고양이"}


def test_what_is_to_go_and_whose_has_to_be_said(told):
    for words in (LETIA, (*LETIA, "--everything", "--turn", "t1")):
        assert "what is to go?" in told("erase", *words, "--yes").err
    assert "whose memory?" in told("erase", "--everything", "--yes").err
    assert "leave out --since" in told("erase", *LETIA, "--when", "어제", "--since", "2026-03-01").err
    assert known(told, *LETIA) == {"판교", "보라색우산"}


def test_what_was_forgotten_is_scrubbed(told):
    memory_id = next(
        each["id"] for each in json.loads(told("facts", "--json", *LETIA).out) if each["value"] == "보라색우산"
    )
    told("forget", memory_id, *LETIA)
    assert json.loads(told("scrub", "--json").out)["counts"]["memories"] == 1
    assert "보라색우산".encode() in Path("gieok.db").read_bytes()
    assert told("scrub", "--yes").code == 0
    assert "보라색우산".encode() not in Path("gieok.db").read_bytes()
    assert "지울 것이 없어요" in told("scrub", "--yes").out


def test_a_hold_is_named_until_it_is_released(told):
    assert json.loads(told("hold", *LETIA, "--why", "소송", "--by", "법무팀", "--json").out)["held"] is True
    refused = told("erase", *LETIA, "--everything", "--yes")
    assert refused.code == 1
    assert "법무팀" in refused.err
    assert "gieok hold --release" in refused.err
    assert "user=minsu" in told("scrub", "--yes").out
    assert "released" in told("hold", *LETIA, "--release").out
    assert told("erase", *LETIA, "--everything", "--yes").code == 0


def test_a_scope_keeps_things_for_days_of_its_own(told):
    assert json.loads(told("retain", "preference=1", *LETIA, "--json").out)["days"] == {"preference": 1.0}
    assert known(told, *LETIA) == {"판교"}
    assert "everything for good" in told("retain", *LETIA).out
    assert "is not like note=30" in told("retain", "note", *LETIA).err
    assert "unknown type" in told("retain", "nothing=3", *LETIA).err
