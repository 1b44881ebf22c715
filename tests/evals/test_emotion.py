import json

import pytest
from rich.console import Console
from typer.testing import CliRunner

from gieok.errors import InvalidQuery
from gieok_evals.commands import app
from gieok_evals.emotion import EmotionCase, evaluate, load, scores, show_emotion

LABELLED = [("너무 행복해", "happy"), ("너무 슬퍼", "sad"), ("진짜 짜증나", "angry"), ("나 서울 살아", "neutral")]
CASES = [EmotionCase(text=text, emotion=label) for text, label in LABELLED]


@pytest.fixture
def data(tmp_path):
    path = tmp_path / "labelled.jsonl"
    path.write_text("\n".join(json.dumps({"text": text, "label": label}) for text, label in LABELLED), encoding="utf-8")
    return path


def test_macro_f1_is_the_mean_over_emotions_however_rare():
    cases = [EmotionCase(text="", emotion="happy")] * 8 + [EmotionCase(text="", emotion="sad")] * 2
    told = scores(cases, ["happy"] * 10)

    assert told.accuracy == 0.8
    assert told.macro_f1 == pytest.approx((16 / 18 + 0) / 2)
    assert told.by_emotion["happy"].precision == 0.8
    assert told.by_emotion["sad"].recall == 0
    assert told.confusion["sad"]["happy"] == 2


def test_every_reader_reads_every_text_and_says_so():
    steps = []
    report = evaluate(CASES, {"glad": lambda _: "happy", "calm": lambda _: "neutral"}, progress=lambda: steps.append(1))

    assert len(steps) == 8
    assert [each.accuracy for each in report.readers.values()] == [0.25, 0.25]


def test_the_command_puts_keywords_beside_the_classifier(data):
    done = CliRunner().invoke(app, ["emotion", "--data", str(data), "--json"])
    report = json.loads(done.stdout)

    assert report["cases"] == 4
    assert report["readers"]["classifier"]["macro_f1"] == report["readers"]["keywords"]["macro_f1"] == 1
    assert report["readers"]["keywords"]["by_emotion"]["sad"]["precision"] == 1


def test_the_table_shows_precision_recall_and_what_was_taken_for_what(capsys):
    show_emotion(evaluate(CASES, {"glad": lambda _: "happy"}), Console(width=100))
    shown = capsys.readouterr().out

    assert "glad: macro-F1 0.100, accuracy 25.0 % (4 texts)" in shown
    assert "precision" in shown
    assert "recall" in shown


@pytest.mark.parametrize(
    ("line", "trouble"),
    [("{", "line 1 is no labelled text"), ('{"text": "가", "label": "joy"}', "it may be neutral"), ("", "is empty")],
)
def test_a_line_that_is_no_labelled_text_is_named(tmp_path, line, trouble):
    path = tmp_path / "x.jsonl"
    path.write_text(line, encoding="utf-8")
    with pytest.raises(InvalidQuery, match=trouble):
        load(path)
