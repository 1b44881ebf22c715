import json

from typer.testing import CliRunner

from gieok_evals.commands import app


def gieok_eval(*arguments):
    return CliRunner().invoke(app, list(arguments))


def test_planted_writes_json():
    done = gieok_eval("planted", "--split", "test", "--scripts", "1", "--embedder", "hashing", "--json")
    report = json.loads(done.stdout)
    assert report["scores"]["contains"]["share"]["of"] > 0
    assert report["failures"] == []


def test_facts_reads_a_file(tmp_path):
    data = tmp_path / "cases.jsonl"
    fact = {"subject": "user", "attribute": "likes", "value": "고양이"}
    line = {"id": "1", "speaker": "user", "utterance": "나 고양이 좋아해", "expected": [fact]}
    data.write_text(json.dumps(line, ensure_ascii=False), encoding="utf-8")
    done = gieok_eval("facts", "--data", str(data), "--embedder", "hashing", "--json")
    assert json.loads(done.stdout)["cases"] == 1


def test_no_sentence_of_the_test_split_is_shown():
    for command in ("frames", "planted"):
        done = gieok_eval(command, "--split", "test", "--show-misses")
        assert done.exit_code != 0
        assert "not shown" in str(done.exception)
