import json

import pytest
from rich.console import Console
from typer.testing import CliRunner

from gieok.errors import InvalidQuery
from gieok_evals.commands import app
from gieok_evals.personal import PersonalCase, evaluate, load, show_personal

MARKED = "내 번호는 {phone:010-1234-5678}이야\n주문번호 20240315-0048271 언제 와?\n"
LINES = [
    {"text": "His RRN is 960121-1234567", "entity": "KR_RRN", "n": 1, "spans": [[11, 25]]},
    {"text": "911124-5678901", "entity": "KR_RRN", "n": 0, "spans": []},
]


@pytest.fixture
def marked(tmp_path):
    path = tmp_path / "marked.txt"
    path.write_text(MARKED, encoding="utf-8")
    return path


def test_marks_become_spans_of_the_bare_text(marked):
    first, second = load(marked)
    assert (first.text, first.spans) == ("내 번호는 010-1234-5678이야", {("phone", 6, 19)})
    assert (second.spans, second.only) == (frozenset(), None)


def test_of_json_lines_only_the_kind_that_is_asked_for_counts(tmp_path):
    path = tmp_path / "lines.jsonl"
    path.write_text("\n".join(json.dumps(line) for line in LINES), encoding="utf-8")
    report = evaluate(load(path), lambda text: [("foreigner", 0, 14)] if text[0] == "9" else [("resident", 11, 25)])

    assert (report.spans.found, report.spans.missed, report.spans.extra) == (1, 0, 0)
    assert (report.false_alarms.hits, report.false_alarms.of) == (0, 1)


def test_a_span_counts_only_where_kind_and_both_ends_are_right():
    case = PersonalCase(text="010-1234-5678", spans=frozenset({("phone", 0, 13)}))
    for wrong in (("phone", 0, 12), ("account", 0, 13)):
        report = evaluate([case], lambda _, wrong=wrong: [wrong])
        assert (report.spans.found, report.spans.missed, report.spans.extra) == (0, 1, 1)
        assert report.misses[0].missed == ("phone: 010-1234-5678",)


def test_a_false_alarm_is_counted_by_text():
    cases = [PersonalCase(text=text, spans=frozenset()) for text in ("112", "119")]
    report = evaluate(cases, lambda text: [("phone", 0, 3), ("phone", 1, 2)] if text == "112" else [])
    assert (report.false_alarms.hits, report.false_alarms.of) == (1, 2)


def test_the_command_tells_all_of_it(marked):
    done = CliRunner().invoke(app, ["pii", "--data", str(marked), "--json"])
    report = json.loads(done.stdout)
    assert report["cases"] == 2
    assert report["by_kind"]["phone"]["f1"] == 1
    assert report["milliseconds"] < 50


def test_the_table_shows_what_was_missed(capsys):
    case = PersonalCase(text="010-1234-5678", spans=frozenset({("phone", 0, 13)}))
    show_personal(evaluate([case], lambda _: []), Console(width=120))
    shown = capsys.readouterr().out
    assert "missed phone: 010-1234-5678" in shown
    assert "false alarms" in shown


@pytest.mark.parametrize(
    ("line", "trouble"),
    [("{fax:02-1}", "'fax' is no kind"), ('{"text": 1}', "is no text with its spans"), ("", "is empty")],
)
def test_a_file_that_is_none_is_refused(tmp_path, line, trouble):
    path = tmp_path / "wrong.txt"
    path.write_text(line, encoding="utf-8")
    with pytest.raises(InvalidQuery, match=trouble):
        load(path)
