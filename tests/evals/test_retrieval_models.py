"""What a model's help is worth, side by side with doing without it."""

import json
import re
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from rich.console import Console
from typer.testing import CliRunner

from gieok.bank import open_bank
from gieok.domain.answer import ModelCall
from gieok.errors import InvalidQuery, ModelFailed
from gieok.testing import ScriptedModel
from gieok_evals.commands import app
from gieok_evals.retrieval.loading import load
from gieok_evals.retrieval.measuring import Plan, measure
from gieok_evals.retrieval.record import record
from gieok_evals.retrieval.running import Asked
from gieok_evals.retrieval.tables import show
from gieok_evals.retrieval.ways import compared

TALK = {
    "id": "바다",
    "turns": [
        {"id": str(number), "speaker": "민수" if number % 2 else "레티아", "text": text}
        for number, text in enumerate(
            ["강릉 바다에 갔어", "바다는 어땠어요?", "바다에서 모래성을 쌓았지", "바다 사진도 찍었어요?"], start=1
        )
    ],
    "queries": [{"query": "바다에서 뭐 했어?", "evidence": ["3"]}, {"query": "바다 이야기", "evidence": ["1"]}],
}


class Answering(ScriptedModel):
    """Says that the memory with `best` in it is the best one, and has every call counted, as a real one has."""

    def __init__(self, store, best):
        super().__init__({"rerank": self._ranked, "compress": '{"items": []}', "rewrite_query": "모래성"})
        self._store = store
        self._best = best

    def ask(self, prompt):
        failure = None
        try:
            return super().ask(prompt)
        except ModelFailed as failed:
            failure = failed.failure
            raise
        finally:
            self._store.note_call(
                ModelCall(task=prompt.task, model=self.name, at=datetime.now(UTC), seconds=1.5, failure=failure)
            )

    def _ranked(self, messages):
        rows = map(json.loads, re.findall(r'\{"id": .*\}', messages[-1].content))
        return json.dumps({"ids": [row["id"] for row in rows if self._best in row["text"]] or ["m99"]})


@pytest.fixture
def data(tmp_path):
    path = tmp_path / "own.jsonl"
    path.write_text(json.dumps(TALK, ensure_ascii=False), encoding="utf-8")
    return path


def helped_by(best):
    """Return an opener whose banks are helped by a model that likes `best`."""

    def opened(bank, way):
        handle = open_bank(bank.settings.bank, embedder=bank.embedder, preset=way.preset)
        names = {"rewrite_query": "rewrite"}
        fields = {names.get(switch, switch): True for switch in way.switches}
        model = Answering(bank.services.store, best)
        vars(handle.services)["recaller"] = replace(handle.services.recaller, model=model, **fields)
        return handle

    return opened


def printed(report):
    console = Console(width=160, record=True, file=None, quiet=False)
    with console.capture() as shown:
        show(report, console)
    return shown.get()


def test_compare_reads_what_a_model_helps_with():
    ways = compared("default+rerank,heroine+compress+rewrite,social")
    assert [(way.name, way.preset, way.switches) for way in ways] == [
        ("default+rerank", None, ("rerank",)),
        ("heroine+compress+rewrite", "heroine", ("compress", "rewrite_query")),
        ("social", "social", ()),
    ]


@pytest.mark.parametrize("text", ["default+magic", "default+", "heroine+rerank+Compress"])
def test_help_that_there_is_not_is_refused_with_what_there_is(text):
    with pytest.raises(InvalidQuery, match=r"add \+rerank, \+compress, \+rewrite"):
        compared(text)


def test_without_a_model_help_cannot_be_measured(data):
    done = CliRunner().invoke(
        app, ["retrieval", "--embedder", "hashing", "--data", str(data), "--compare", "default+rerank"]
    )
    assert "--compare default+rerank asks a model; name one, e.g. --llm" in str(done.exception)


def test_a_models_order_is_measured_beside_the_default_with_its_seconds(data):
    plan = Plan(compare=compared("default,default+rerank"))
    report = measure(load(data), plan, embedder="hashing", opener=helped_by("강릉"))

    first = report.compared["default+rerank"]
    assert list(report.compared) == ["default", "default+rerank"]
    assert report.asked == {"default+rerank": Asked(calls=2, failed=0, seconds=3.0)}
    assert first.overall.figures["mrr"].value > report.default.overall.figures["mrr"].value
    assert report.contexts == {}
    table = printed(report)
    assert re.search(r"model s +calls +failed", table)
    assert re.search(r"default\+rerank .* 3\.0 +2 +0", table)
    assert record(report)["model"] == {"default+rerank": {"calls": 2, "failed": 0, "seconds": 3.0}}


def test_a_model_that_fails_leaves_the_figures_of_the_default_and_is_counted(data):
    plan = Plan(compare=compared("default+rerank"))
    report = measure(load(data), plan, embedder="hashing", opener=helped_by("없는 말"))

    assert report.compared["default+rerank"] == report.default
    assert report.asked["default+rerank"] == Asked(calls=2, failed=2, seconds=3.0)


def test_shortening_is_measured_by_what_contexts_hold(data):
    plan = Plan(compare=compared("default+compress,default+rewrite+compress"))
    report = measure(load(data), plan, embedder="hashing", opener=helped_by("모래성"))

    assert list(report.contexts) == ["default", "default+compress", "default+rewrite+compress"]
    assert report.contexts["default"].held == 1
    assert report.contexts["default"].tokens > 0
    assert re.search(r"in context +tokens", printed(report))
    assert set(record(report)["contexts"]["default"]) == {"held", "tokens"}
