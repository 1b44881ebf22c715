"""What `gieok eval` shows of retrieval and of facts, and how it complains."""

import io
import json

import pytest
from rich.console import Console

from gieok.domain.scoring import PART_NAMES
from gieok_evals.retrieval import RetrievalReport, show_retrieval
from gieok_evals.retrieval.metrics import NAMES, Difference, Figure, Scored, Summary
from gieok_evals.retrieval.tuning import Fold, Tuning
from support.misbehaving import Misbehaving
from support.misbehaving import answer as answers
from support.proposals import answer, fact

WEIGHTS = dict(zip(PART_NAMES, (0.05, 0.2, 0.45, 0.6, 0.05, 0.8), strict=True))


def scored(queries, *values, spread=0.03):
    ends = [(value - spread, value + spread) if spread else None for value in values]
    figures = {name: Figure(value=value, interval=end) for name, value, end in zip(NAMES, values, ends, strict=True)}
    return Scored(queries=queries, figures=figures)


@pytest.fixture
def report():
    default = Summary(
        overall=scored(760, 0.701, 0.782, 0.843, 0.551, 0.604),
        categories={
            "multi-hop": scored(120, 0.402, 0.511, 0.612, 0.492, 0.433),
            "[bold]질문": scored(640, 0.75, 0.82, 0.87, 0.56, 0.64, spread=0),
        },
        apart={"adversarial": scored(237, 0.6, 0.7, 0.8, 0.4, 0.5)},
    )
    other = Summary(overall=scored(760, 0.6, 0.7, 0.8, 0.4, 0.5), categories={}, apart={})
    figures = dict(zip(NAMES, (0.7, 0.78, 0.84, 0.55, 0.6), strict=True))
    fold = Fold(left_out="talk-1", queries=380, weights=WEIGHTS, default=figures, tuned=figures)
    return RetrievalReport(
        data="talks.json",
        format="LoCoMo",
        unit="conversation",
        settings={"embedder": "hashing-256", "weights": WEIGHTS, "ranked": "turns", "depth": 100, "seed": 0},
        counts={"conversations": 2, "turns": 1_234, "queries": 997, "left_out": 1, "unasked": 2_000},
        seconds=61.4,
        default=default,
        differences=(
            Difference(name="keyword = 0", figures=scored(0, -0.1, -0.12, -0.1, -0.2, -0.1).figures),
            Difference(name="without period", figures=scored(0, 0.0, 0.0, 0.0, 0.0001, 0.0).figures),
        ),
        compared={"default": default, "heroine": other},
        tuning=Tuning(folds=(fold, fold), default=figures, held_out=figures, weights=WEIGHTS, seen=figures),
    )


@pytest.mark.parametrize("width", [80, 120])
def test_a_report_of_retrieval_on_the_terminal(report, on_file, width):
    page = io.StringIO()
    show_retrieval(report, Console(file=page, width=width, emoji=False, highlight=False))
    on_file(f"retrieval-{width}", page.getvalue())


def test_a_run_from_the_command_line(run, tmp_path):
    turns = [
        {"id": "1", "speaker": "민수", "text": "나 강릉 바다에 다녀왔어"},
        {"id": "2", "speaker": "레티아", "text": "좋았겠다!"},
    ]
    record = {"id": "talk", "turns": turns, "queries": [{"query": "강릉 바다", "evidence": ["1"]}]}
    (tmp_path / "own.jsonl").write_text(json.dumps(record, ensure_ascii=False), encoding="utf-8")

    shown = run("eval", "retrieval", "--data", "own.jsonl", "--chart", "own.svg")
    assert shown.code == 0
    assert "own.jsonl: turns found" in shown.out
    assert (tmp_path / "own.svg").exists()
    assert json.loads(run("eval", "retrieval", "--data", "own.jsonl", "--json").out)["mrr"] == 1


@pytest.mark.parametrize(
    ("content", "options", "way_out"),
    [
        ("", (), "is empty; the formats are LoCoMo"),
        ("아무 글", (), "has an unknown format; the formats are LoCoMo"),
        ("0\t가\n0\t나\n", ("--chart", "x.png"), "x.svg"),
        ("0\t가\n0\t나\n", ("--compare", "heroin"), "혹시 heroine인가요?"),
        ("0\t가\n0\t나\n", ("--compare", "vtuber:document"), "searches memories alone, and finds no turn"),
    ],
)
def test_what_cannot_be_measured_is_one_line_on_stderr(run, tmp_path, content, options, way_out):
    (tmp_path / "data.txt").write_text(content, encoding="utf-8")
    ran = run("eval", "retrieval", "--data", "data.txt", *options)
    assert (ran.code, ran.out) == (1, "")
    assert way_out in ran.err
    assert "Traceback" not in ran.err


POTTERY = "어제 드디어 도예 공방에 등록했어"


@pytest.fixture
def cases(tmp_path):
    hobby = {"subject": "user", "attribute": "hobby", "value": "도예"}
    lines = (
        {"id": "c1", "utterance": POTTERY, "expected": [hobby]},
        {"id": "c2", "utterance": "뭐 해?", "expected": []},
    )
    written = "\n".join(json.dumps(line, ensure_ascii=False) for line in lines)
    (tmp_path / "cases.jsonl").write_text(written, encoding="utf-8")
    return ("eval", "facts", "--data", "cases.jsonl", "--embedder", "hashing")


def test_facts_are_read_by_rules_by_a_model_and_by_both(run, cases, monkeypatch):
    with Misbehaving() as server:
        monkeypatch.setenv("GIEOK_LLM_URL", server.url)
        server.always(answers(answer(fact("hobby", "도예", POTTERY))))
        report = json.loads(run(*cases, "--llm", "qwen", "--json").out)
        shown = run(*cases, "--llm", "qwen", "--limit", "1")
    rows = {row["who"]: row for row in report["rows"]}
    assert (report["model"], report["cases"], list(rows)) == ("qwen", 2, ["rules", "model", "both"])
    assert (rows["rules"]["asked"], rows["model"]["asked"]) == (0, 2)
    assert rows["model"]["extraction"]["f1"] == 1
    assert shown.code == 0
    assert "utterances with and without qwen" in shown.out


def test_a_model_that_does_not_answer_is_told_before_anything_is_measured(run, cases, monkeypatch):
    monkeypatch.setenv("GIEOK_LLM_RETRIES", "0")
    monkeypatch.setenv("GIEOK_LLM_URL", "http://127.0.0.1:9/v1")
    ran = run(*cases, "--llm", "qwen")
    assert (ran.code, ran.out) == (1, "")
    assert "모델 'qwen'이 답하지 않았어요 (unreachable)" in ran.err


def test_a_model_that_nobody_knows_is_one_line_on_stderr(run, cases):
    ran = run(*cases, "--llm", "opnai:gpt")
    assert ran.code == 1
    assert "혹시 openai" in ran.err
    assert "Traceback" not in ran.err


def test_without_the_package_eval_says_how_to_install_it(run, monkeypatch):
    monkeypatch.setattr("gieok.cli.app.entry_points", lambda **_: ())
    ran = run("eval", "planted", "--json")
    assert (ran.code, ran.out) == (1, "")
    assert "pip install gieok-evals" in ran.err
    assert "pip install gieok-evals" in run("eval", "--help").out
    assert "eval" in run("--help").out
