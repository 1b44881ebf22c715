import json
import zipfile

import pytest

LETIA = ("-u", "minsu", "-c", "letia")


@pytest.fixture
def told(run):
    run("observe", "나는 민수야. 고양이 좋아해", "--reply", "저도요!", *LETIA, "--at", "2026-03-01T20:00")
    run("observe", "나는 소방관이야", "-u", "jisu", "-c", "letia", "--at", "2026-03-01T20:00")
    return run


def test_a_user_is_told_what_is_remembered_of_them(told):
    ran = told("about-me", *LETIA)
    assert ran.code == 0
    assert "letia가 민수님에 대해 기억하고 있는 내용이에요." in ran.out
    assert "고양이를 좋아해요." in ran.out
    assert "소방관" not in ran.out


def test_the_answer_comes_as_json_too(told):
    answer = json.loads(told("about-me", *LETIA, "--json").out)
    assert answer["parts"][0]["told"][0]["memory_id"]


def test_a_users_memories_go_to_a_file_and_into_another_bank(told, tmp_path):
    ran = told("export", "minsu.zip", "--user", "minsu")
    assert (ran.code, ran.err) == (0, "")
    assert "minsu.zip: [user=minsu character=letia]" in ran.out
    assert "index.html" in zipfile.ZipFile(tmp_path / "minsu.zip").namelist()

    dry = told("import", "gieok", "minsu.zip", "--bank", "other.db", "--dry-run")
    assert "[user=minsu character=letia] would be imported: 1 turns" in dry.out
    first = told("import", "gieok", "minsu.zip", "--bank", "other.db")
    assert "[user=minsu character=letia] imported: 1 turns" in first.out
    again = told("import", "gieok", "minsu.zip", "--bank", "other.db")
    assert (again.code, "nothing was done" in again.out) == (0, True)
    assert "고양이를 좋아함" in told("facts", "--bank", "other.db", "--about", "user").out


def test_what_is_kept_otherwise_stays_and_the_command_says_so(told):
    told("export", "minsu.zip", "--user", "minsu")
    told("observe", "나 강아지 좋아해", *LETIA, "--bank", "other.db")
    ran = told("import", "gieok", "minsu.zip", "--bank", "other.db", "--json")
    assert ran.code == 1
    assert json.loads(ran.out)[0]["fate"] == "differs"


@pytest.mark.parametrize(
    ("arguments", "trouble"),
    [
        (("import", "tavern", "minsu.zip"), "unknown kind of file 'tavern'; choose one of gieok"),
        (("import", "gieok", "nowhere.zip"), "there is no file 'nowhere.zip'; nothing was imported"),
        (("import", "gieok", "gieok.db"), "is no export of gieok"),
        (("export", "x.zip", "--user", "nobody"), "nothing is kept of [user=nobody]"),
    ],
)
def test_a_slip_is_named(told, arguments, trouble):
    ran = told(*arguments)
    assert (ran.code, ran.out) == (1, "")
    assert trouble in ran.err
