"""Conversations through a bank with the embedder that needs no loading, and their questions asked."""

import json
from dataclasses import replace
from xml.etree import ElementTree as ET

import pytest
from typer.testing import CliRunner

from gieok.bank import open_bank
from gieok.domain.answer import Aid
from gieok.domain.scoring import PART_NAMES
from gieok.errors import InvalidQuery, InvalidText
from gieok_evals.commands import app
from gieok_evals.retrieval import chart
from gieok_evals.retrieval.loading import conversation, load
from gieok_evals.retrieval.measuring import Plan, measure
from gieok_evals.retrieval.metrics import NAMES
from gieok_evals.retrieval.playing import Asking, Way, play
from gieok_evals.retrieval.ways import ablations, compared

SEA = {
    "id": "바다",
    "turns": [
        {"id": "1", "speaker": "민수", "text": "나 지난달에 강릉 바다에 다녀왔어"},
        {"id": "2", "speaker": "레티아", "text": "우와, 수영도 했어요?"},
        {"id": "3", "speaker": "민수", "text": "파도가 높아서 모래성만 쌓았지"},
        {"id": "4", "speaker": "지훈", "text": "나는 산이 더 좋던데"},
    ],
    "queries": [
        {"query": "강릉 바다", "evidence": ["1"], "category": "곳"},
        {"query": "모래성", "evidence": ["3"], "category": "일"},
    ],
}
CAT = {
    "id": "고양이",
    "turns": [
        {"id": "1", "speaker": "민수", "text": "우리 고양이 이름은 코코야"},
        {"id": "2", "speaker": "레티아", "text": "코코는 뭘 좋아해요?"},
        {"id": "3", "speaker": "민수", "text": "참치 캔이라면 자다가도 일어나"},
    ],
    "queries": [
        {"query": "고양이 이름", "evidence": ["1"], "category": "일"},
        {"query": "참치 캔", "evidence": ["3"], "category": "일"},
    ],
}


@pytest.fixture
def data(tmp_path):
    path = tmp_path / "own.jsonl"
    path.write_text("\n".join(json.dumps(each, ensure_ascii=False) for each in (SEA, CAT)), encoding="utf-8")
    return path


def gieok_eval(*arguments):
    return CliRunner().invoke(app, ["retrieval", "--embedder", "hashing", *map(str, arguments)])


@pytest.fixture(scope="module")
def everything(tmp_path_factory):
    """One report with all there is in it."""
    path = tmp_path_factory.mktemp("data") / "own.jsonl"
    path.write_text("\n".join(json.dumps(each, ensure_ascii=False) for each in (SEA, CAT)), encoding="utf-8")
    plan = Plan(ablate=True, compare=compared("default,words=relevance:0,keyword:1"), tune=True)
    return measure(load(path), plan, embedder="hashing")


@pytest.fixture
def heard(tmp_path):
    with open_bank(tmp_path / "eval.db", embedder="hashing") as bank:
        yield bank, play(bank, conversation(SEA, 1), progress=lambda: None)


def test_lines_are_observed_as_their_speakers_said_them(heard):
    bank, played = heard
    said = [utterance for turn in bank.mind(played.scope).turns() for utterance in turn.utterances]
    assert [utterance.speaker for utterance in said] == ["user", "character", "user", "지훈"]
    assert (played.scope.user, played.scope.character) == ("민수", "레티아")


def test_a_line_that_cannot_be_kept_is_named(tmp_path):
    endless = {**SEA, "turns": [{"id": "9", "speaker": "민수", "text": "아" * 9_000}]}
    with (
        open_bank(tmp_path / "eval.db", embedder="hashing") as bank,
        pytest.raises(InvalidText, match=r"turn '9' of conversation '바다': .* at most 8,000"),
    ):
        play(bank, conversation(endless, 1), progress=lambda: None)


def test_a_question_ranks_the_lines_and_finds_its_own(heard):
    bank, played = heard
    answer = played.answer(bank, played.conversation.queries[0], Way(), Asking(depth=3))
    assert answer.ranking[0] == "1"
    assert len(answer.ranking) == len(set(answer.ranking)) <= 3
    assert answer.parts == ()


def test_a_line_that_is_the_question_itself_is_no_answer(heard):
    bank, played = heard
    itself = replace(played.conversation.queries[0], text=SEA["turns"][0]["text"], itself="1")
    answer = played.answer(bank, itself, Way(), Asking(depth=4, keep_parts=True))
    assert "1" not in answer.ranking
    assert len(answer.parts) == len(answer.ranking)


def test_a_memory_stands_for_the_line_it_was_read_from(tmp_path):
    with open_bank(tmp_path / "eval.db", embedder="hashing") as bank:
        played = play(bank, conversation(CAT, 1), progress=lambda: None)
        assert bank.mind(played.scope).facts(), "there has to be something to stand for"
        answer = played.answer(bank, played.conversation.queries[0], Way(), Asking(depth=5, with_memories=True))
    assert answer.ranking[0] == "1"
    assert len(answer.ranking) == len(set(answer.ranking))


def test_everything_is_left_out_once():
    ways = ablations()
    assert {name for way in ways for name in way.weights} == set(PART_NAMES)
    assert {name for way in ways for name in way.without} == set(Aid.__args__)
    assert all(len(way.weights) + len(way.without) == 1 for way in ways)


def test_what_a_part_is_worth_shows_when_it_is_left_out(everything):
    assert {each.name for each in everything.differences} == {way.name for way in ablations()}
    losses = [each.figures["recall@10"].value for each in everything.differences]
    assert losses == sorted(losses)
    assert everything.default.overall.figures["recall@10"].value == 1


def test_compared_weights_are_asked_beside_the_default(everything):
    assert list(everything.compared) == ["default", "words"]
    assert everything.compared["default"] == everything.default


def test_presets_are_asked_about_what_was_heard_once(data):
    heard = []
    plan = Plan(compare=compared("heroine,social"))
    report = measure(load(data), plan, embedder="hashing", progress=heard.append)
    assert list(report.compared) == ["default", "heroine", "social"]
    assert all(each.overall.queries == 4 for each in report.compared.values())
    assert (heard.count("observed"), heard.count("asked")) == (7, 12)


def test_ranking_again_by_arithmetic_gives_what_recall_gave(everything):
    figures = everything.default.overall.figures
    assert everything.tuning.default == pytest.approx({name: figures[name].value for name in NAMES})


def test_compare_reads_presets_and_weights():
    ways = compared("default, heroine ,mine=relevance:0.7,keyword:0.2,yours=graph:1")
    assert [(way.name, way.preset, dict(way.weights)) for way in ways] == [
        ("default", None, {}),
        ("heroine", "heroine", {}),
        ("mine", None, {"relevance": 0.7, "keyword": 0.2}),
        ("yours", None, {"graph": 1.0}),
    ]


@pytest.mark.parametrize(
    ("text", "way_out"),
    [
        ("relevance:0.7", "weights need a name"),
        ("default,keyword:1", "weights need a name"),
        ("default=keyword:1", "weights need a name of their own"),
        ("mine=relevanz:1", "the parts are recency"),
        ("mine=relevance:viel", "write it like relevance:0.5"),
        ("mine=graph:1,mine=graph:2", "a name of its own"),
    ],
)
def test_a_comparison_that_cannot_be_read_says_how_to_write_it(text, way_out):
    with pytest.raises(InvalidQuery, match=way_out):
        compared(text)


def test_only_what_was_said_can_be_tuned():
    with pytest.raises(InvalidQuery, match="leave out --with-memories"):
        Plan(tune=True, with_memories=True)


def test_a_bank_that_searches_memories_alone_is_told_how_to_be_measured(data, monkeypatch):
    monkeypatch.setenv("GIEOK_SEARCH_TURNS", "false")
    assert "add --with-memories" in str(gieok_eval("--data", data).exception)
    assert gieok_eval("--data", data, "--with-memories").exit_code == 0


def test_json_has_the_figures_at_the_top_and_nothing_else_is_on_stdout(data):
    done = gieok_eval("--data", data, "--json")
    report = json.loads(done.stdout)

    assert list(report)[:6] == [*NAMES, "categories"]
    assert report["recall@10"] == 1
    assert {name: set(figures) for name, figures in report["categories"].items()} == {
        "곳": set(NAMES),
        "일": set(NAMES),
    }
    assert report["counts"]["queries"] == 4
    assert report["counts"]["categories"] == {"곳": 1, "일": 3}
    assert report["data"] == {"name": "own.jsonl", "format": "JSON Lines"}
    assert report["settings"]["embedder"].startswith("hashing")
    assert set(report["settings"]["weights"]) == set(PART_NAMES)
    assert not {"ablation", "compare", "tuning"} & set(report)


def test_a_sample_is_asked_and_said_to_be_one(data):
    done = gieok_eval("--data", data, "--queries", 3, "--seed", 5)
    assert done.exit_code == 0
    assert "1 more question not asked; --queries 0 asks all" in done.stdout


def test_a_chart_shows_the_figures_or_the_changes(everything, tmp_path):
    drawn = {
        "figures": chart.svg(replace(everything, differences=())),
        "changes": chart.svg(everything),
    }
    texts = {name: " ".join(ET.fromstring(svg).itertext()) for name, svg in drawn.items()}
    assert "overall" in texts["figures"]
    assert "1.000" in texts["figures"]
    assert "without keyword" in texts["changes"]
    chart.save(everything, tmp_path / "chart.svg")
    assert (tmp_path / "chart.svg").read_text(encoding="utf-8") == drawn["changes"]


def test_names_in_a_chart_are_only_letters(everything):
    hostile = replace(everything, data='<script>"&', differences=())
    assert ET.fromstring(chart.svg(hostile)) is not None


@pytest.mark.parametrize(("name", "way_out"), [("chart.png", "chart.svg"), ("no/chart.svg", "make it first")])
def test_a_chart_that_cannot_be_drawn_is_refused_before_anything_is_measured(data, tmp_path, name, way_out):
    done = gieok_eval("--data", data, "--chart", tmp_path / name)
    assert way_out in str(done.exception)


def test_the_whole_report_as_json(data):
    done = gieok_eval("--data", data, "--ablate", "--compare", "default,mine=graph:0", "--tune", "--json")
    report = json.loads(done.stdout)
    assert {each["off"] for each in report["ablation"]} == {way.name for way in ablations()}
    assert set(report["ablation"][0]) == {"off", *NAMES, "intervals"}
    assert list(report["compare"]) == ["default", "mine"]
    assert set(report["tuning"]) == {"folds", "default", "held_out", "weights", "seen"}
