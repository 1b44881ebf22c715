import json


def test_a_bank_is_copied_and_the_copy_is_the_same(run):
    run("observe", "나 고양이 좋아해", "-u", "민수", "-c", "레티아")

    copied = run("copy", "gieok.db", "other.db", "--json")

    assert copied.code == 0, copied.err
    told = json.loads(copied.out)
    assert (told["scopes"], told["fresh"], told["moving"], told["different"]) == (1, 1, [], [])
    known = run("facts", "--bank", "other.db", "--json")
    assert json.loads(known.out) == json.loads(run("facts", "--json").out)


def test_copying_again_passes_over_what_is_there(run):
    run("observe", "나 고양이 좋아해", "-u", "민수", "-c", "레티아")
    run("copy", "gieok.db", "other.db")

    again = run("copy", "gieok.db", "other.db")

    assert again.code == 0
    assert "1 scopes are the same in both, 0 of them copied just now" in again.out


def test_what_went_on_in_the_target_is_left_and_told(run):
    run("observe", "나 고양이 좋아해", "-u", "민수", "-c", "레티아")
    run("copy", "gieok.db", "other.db")
    run("observe", "나 부산에 살아", "-u", "민수", "-c", "레티아", "--bank", "other.db")

    again = run("copy", "gieok.db", "other.db")

    assert again.code == 1
    assert "was written to or erased in the target since" in " ".join(again.out.split())
    assert json.loads(run("copy", "gieok.db", "other.db", "--json").out)["ahead"] == ["user=민수 character=레티아"]
    assert len(json.loads(run("facts", "--bank", "other.db", "--json").out)) == 2


def test_a_bank_is_not_copied_onto_itself(run):
    refused = run("copy", "gieok.db", "gieok.db")
    assert refused.code != 0
    assert "the same bank" in refused.err


def test_migrating_tells_where_a_bank_stands(run):
    run("observe", "나 고양이 좋아해", "-u", "민수", "-c", "레티아")
    told = json.loads(run("migrate", "--json").out)
    assert told["engine"].startswith("SQLite")
    assert told["schema"] >= 6


def test_a_file_is_no_cluster(run):
    run("observe", "나 고양이 좋아해", "-u", "민수", "-c", "레티아")
    refused = run("cluster", "plan", "gieok.db")
    assert refused.code != 0
    assert "postgresql://" in refused.err
