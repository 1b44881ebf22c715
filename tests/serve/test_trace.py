"""How a turn came about, asked over HTTP."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import httpx2
import pytest

import gieok
from gieok.serve.app import create_app
from support.chat_place import guarded
from support.serving import served

LETIA = {"user": "minsu", "character": "letia"}


def asked(tmp_path: Path, turn_id: str, key: str = "", **settings: Any) -> httpx2.Response:
    """Return what a server says of a turn after a short talk."""
    with gieok.open(tmp_path / "memories.db", embedder="hashing", **settings) as bank:
        letia = bank.scope(user="minsu", character="letia")
        letia.observe("나 고양이 좋아해", turn_id="t1")
        letia.observe("고양이 보러 가자", reply="좋아요!", turn_id="t2", context=letia.context("고양이", budget=500))
        with served(guarded(create_app(bank))) as url:
            return httpx2.get(f"{url}/v1/turns/{turn_id}/trace", params=LETIA, headers={"X-Key": key} if key else {})


def test_a_trace_is_a_page_with_every_part(tmp_path):
    trace = asked(tmp_path, "t2").json()
    assert trace["turn_id"] == "t2"
    assert {"dense", "keyword"} & {each["source"] for each in trace["gathered"]}
    best = trace["scored"][0]
    assert set(best["parts"]) == {"recency", "importance", "relevance", "keyword", "strength", "graph"}
    assert best["why"][0]["rank"] >= 1
    assert best["id"] in [item for block in trace["injected"] for item in block["items"]]
    assert trace["used"]
    assert trace["cost"]["context_tokens"] == sum(block["tokens"] for block in trace["injected"])
    assert trace["cost"]["calls"] == []
    assert [(each["speaker"], each["by"], each["raw"]) for each in trace["emotions"]] == [
        ("user", "classifier/2", None),
        ("character", "classifier/2", None),
    ]


def test_no_word_of_what_was_said_stands_in_it(tmp_path):
    assert not any("가" <= letter <= "힣" for letter in asked(tmp_path, "t2").text)


@pytest.mark.parametrize(
    ("turn_id", "settings", "way_out"), [("t1", {"keep_traces": 1}, "keep_traces"), ("t9", {}, "never observed")]
)
def test_a_turn_without_one_is_a_problem_that_names_the_way_out(tmp_path, turn_id, settings, way_out):
    answer = asked(tmp_path, turn_id, **settings)
    assert (answer.status_code, answer.headers["content-type"]) == (404, "application/problem+json")
    assert way_out in answer.json()["detail"]
