"""Labelled texts: emotions, and personal data."""

import json

import pytest
from rich.console import Console
from typer.testing import CliRunner

from gieok.errors import InvalidQuery
from gieok_evals import emotion, pii
from gieok_evals.commands import app
from gieok_evals.emotion import EmotionCase
from gieok_evals.pii import PersonalCase

LABELLED = [("너무 행복해", "happy"), ("너무 슬퍼", "sad"), ("진짜 짜증나", "angry"), ("나 서울 살아", "neutral")]
CASES = [EmotionCase(text=text, emotion=label) for text, label in LABELLED]
MARKED = "내 번호는 {phone:010-1234-5678}이야\n주문번호 20240315-0048271 언제 와?\n"
PHONE = PersonalCase(text="010-1234-5678", spans=frozenset({("phone", 0, 13)}))
JSON_LINES = [
    {"text": "His RRN is 960121-1234567", "entity": "KR_RRN", "n": 1, "spans": [[11, 25]]},
    {"text": "911124-5678901", "entity": "KR_RRN", "n": 0, "spans": []},
]


@pytest.fixture
def data(tmp_path):
    def write(text):
        path = tmp_path / "data.txt"
        path.write_text(text, encoding="utf-8")
        return path

    return write


def gieok_eval(*arguments):
    return json.loads(CliRunner().invoke(app, [*map(str, arguments), "--json"]).stdout)


def test_macro_f1_is_the_mean_over_emotions_however_rare():
    cases = [EmotionCase(text="", emotion="happy")] * 8 + [EmotionCase(text="", emotion="sad")] * 2
    scores = emotion.scores(cases, ["happy"] * 10)

    assert scores.accuracy == 0.8
    assert scores.macro_f1 == pytest.approx((16 / 18 + 0) / 2)
    assert scores.by_emotion["happy"].precision == 0.8
    assert scores.by_emotion["sad"].recall == 0
    assert scores.confusion["sad"]["happy"] == 2


def test_speakers_are_scored_apart(capsys):
    steps = []
    cases = [*CASES, EmotionCase(text="", emotion="happy", speaker="character")]
    report = emotion.evaluate(cases, lambda text, speaker: "happy", progress=lambda: steps.append(1))
    emotion.show_emotion(report, Console(width=100))

    assert len(steps) == 5
    assert {who: each.accuracy for who, each in report.speakers.items()} == {"user": 0.25, "character": 1.0}
    assert "user: macro-F1 0.100, accuracy 25.0 % (4 texts)" in capsys.readouterr().out


def test_the_emotion_command_reads_with_the_classifier(data):
    lines = [json.dumps({"text": text, "label": label}) for text, label in LABELLED]
    lines.append(json.dumps({"text": "*환하게 웃으며* 고마워!", "label": "happy", "speaker": "character"}))
    report = gieok_eval("emotion", "--data", data("\n".join(lines)))

    assert report["cases"] == 5
    assert report["speakers"]["user"]["macro_f1"] == report["speakers"]["character"]["macro_f1"] == 1


def test_the_lines_that_the_classifier_is_taught_with_can_be_read(tmp_path):
    path = tmp_path / "dev.tsv"
    path.write_text("s\tu\t슬퍼\nh\tc\t*웃는다* 좋아\n", encoding="utf-8")
    assert emotion.load(path) == [
        EmotionCase(text="슬퍼", emotion="sad"),
        EmotionCase(text="*웃는다* 좋아", emotion="happy", speaker="character"),
    ]
    path.write_text("x\tu\t가\n", encoding="utf-8")
    with pytest.raises(InvalidQuery, match="line 1 is not a labelled text"):
        emotion.load(path)


def test_marks_become_spans_of_the_plain_text(data):
    first, second = pii.load(data(MARKED))
    assert (first.text, first.spans) == ("내 번호는 010-1234-5678이야", {("phone", 6, 19)})
    assert (second.spans, second.only) == (frozenset(), None)


def test_in_json_lines_only_one_kind_counts(data):
    cases = pii.load(data("\n".join(map(json.dumps, JSON_LINES))))
    report = pii.evaluate(cases, lambda text: [("foreigner", 0, 14)] if text[0] == "9" else [("resident", 11, 25)])

    assert (report.spans.found, report.spans.missed, report.spans.extra) == (1, 0, 0)
    assert (report.false_alarms.hits, report.false_alarms.of) == (0, 1)


@pytest.mark.parametrize("wrong", [("phone", 0, 12), ("account", 0, 13)])
def test_a_span_counts_only_if_kind_and_both_ends_are_right(wrong, capsys):
    report = pii.evaluate([PHONE], lambda _: [wrong])
    pii.show_pii(report, Console(width=120))

    assert (report.spans.found, report.spans.missed, report.spans.extra) == (0, 1, 1)
    assert "missed phone: 010-1234-5678" in capsys.readouterr().out


def test_a_false_alarm_is_counted_by_text():
    cases = [PersonalCase(text=text, spans=frozenset()) for text in ("112", "119")]
    report = pii.evaluate(cases, lambda text: [("phone", 0, 3), ("phone", 1, 2)] if text == "112" else [])
    assert (report.false_alarms.hits, report.false_alarms.of) == (1, 2)


def test_the_pii_command_reports_kinds_and_time(data):
    report = gieok_eval("pii", "--data", data(MARKED))
    assert report["cases"] == 2
    assert report["by_kind"]["phone"]["f1"] == 1
    assert report["milliseconds"] < 50


@pytest.mark.parametrize(
    ("load", "text", "trouble"),
    [
        (emotion.load, "{", "line 1 is not a labelled text"),
        (emotion.load, '{"text": "가", "label": "joy"}', "use one of neutral"),
        (emotion.load, "", "is empty"),
        (pii.load, "{fax:02-1}", "'fax' is not a kind"),
        (pii.load, '{"text": 1}', "is not a text with its spans"),
        (pii.load, "", "is empty"),
    ],
)
def test_a_bad_line_is_named(data, load, text, trouble):
    with pytest.raises(InvalidQuery, match=trouble):
        load(data(text))
