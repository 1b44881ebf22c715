import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

import gieok
from gieok.domain.answer import ModelCall
from gieok.testing import day

LETIA = ("-u", "minsu", "-c", "letia")
RAW = '{"happy": 1}\n정말요!'


@pytest.fixture
def told(run, tmp_path: Path):
    """A bank with a turn that was made with a context and a model."""
    with gieok.open(tmp_path / "gieok.db", embedder="hashing") as bank:
        letia = bank.scope(user="minsu", character="letia")
        letia.observe("나 고양이 좋아해", at=day(1), turn_id="t1")
        context = letia.context("고양이", budget=500, at=day(2))
        felt = gieok.Felt(speaker="character", emotion="happy", intensity=0.5, by="emotion/1 small", raw=RAW)
        calls = [
            ModelCall(
                task="reply", model="small", at=day(2), seconds=1.5, prompt_tokens=70, answer_tokens=9, cost=0.02
            ),
            ModelCall(task="emotion", model="small", at=day(2), seconds=0.5, failure="timeout"),
        ]
        letia.observe(
            "고양이 보러 가자", reply="좋아요!", at=day(2), turn_id="t2", context=context, felt=[felt], calls=calls
        )
    return run


def test_how_the_last_turn_came_about_is_shown(told):
    shown = " ".join(told("trace", *LETIA).out.split())
    assert shown.startswith("t2 minsu 고양이 보러 가자 letia 좋아요!")
    assert shown.count("고양이를 좋아함") == 1
    assert "/ 500 토큰" in shown
    assert 'letia 기쁨 0.50 emotion/1 small {"happy": 1} 정말요!' in shown
    assert "reply" in shown
    assert "1.50 s · 70 + 9 토큰 · 0.020000" in shown
    assert "0.50 s · 0 + 0 토큰 · timeout" in shown


def test_an_earlier_turn_is_named(told):
    trace = json.loads(told("trace", "t1", *LETIA, "--json").out)
    assert (trace["turn_id"], trace["scored"]) == ("t1", [])


def test_an_unknown_turn_is_told(told):
    ran = told("trace", "t9", *LETIA)
    assert ran.code != 0
    assert "t9" in ran.err


def test_days_are_those_of_the_bank_s_time_zone(run, tmp_path: Path):
    night = datetime(2026, 11, 15, 18, 30, tzinfo=UTC)  # the 16th in Seoul
    with gieok.open(tmp_path / "gieok.db", embedder="hashing") as bank:
        letia = bank.scope(user="minsu", character="letia")
        letia.observe("나 고양이 좋아해", at=night)
        letia.observe("고양이 보러 가자", at=night, context=letia.context("고양이", at=night))
    for command in (("trace",), ("recall", "고양이"), ("recall", "고양이", "--explain")):
        shown = run(*command, *LETIA).out
        assert "11월 16일" in shown
        assert "11월 15일" not in shown
