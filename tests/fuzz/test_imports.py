"""An export that somebody has had their hands on is refused, or else everything in it can be read."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import gieok
from gieok.errors import InvalidExport
from gieok.ports import Line
from gieok.testing import FixedClock, day
from support import hostile
from support.api import asking

READ = (
    "/v1/turns",
    "/v1/facts?history=true",
    "/v1/memories?state=all",
    "/v1/timeline",
    "/v1/relationship",
    "/v1/relationship/trajectory",
    "/v1/manners",
    "/v1/emotions",
    "/v1/entities",
    "/v1/scenes",
    "/v1/journal",
    "/v1/summaries",
    "/v1/export",
    "/v1/export.zip",
    "/v1/about-me",
    "/v1/turns/t1/trace",
)
SCOPE = gieok.Scope(user="minsu", character="letia")


@pytest.fixture
def lines(tmp_path: Path) -> list[Line]:
    """All lines of a scope in which all kinds of things happened."""
    with gieok.open(tmp_path / "source.db", embedder="hashing", clock=FixedClock(day(1))) as bank:
        mind = bank.mind(SCOPE)
        told = (
            "나 부산에 살아",
            "친구 지훈이가 놀러 왔어, 진짜 고마워",
            "나 서울로 이사했어",
            "말 놓자",
            "나 카페에 왔어",
        )
        for number, text in enumerate(told):
            context = mind.context("어디 살아?")
            mind.observe(text, reply="좋네요", at=day(1 + number), turn_id=f"t{number}", context=context)
        mind.forget(mind.facts()[0].id)
        mind.rewind("t4")
        mind.maintain(["merge", "reflect", "summarise"])
        with bank.store.exported([SCOPE]) as found:
            return [
                Line(each.table, each.scope, json.loads(json.dumps(each.record)), n) for n, each in enumerate(found)
            ]


@pytest.fixture
def bank(tmp_path: Path) -> Iterator[gieok.MemoryBank]:
    with gieok.open(tmp_path / "target.db", embedder="hashing", clock=FixedClock(day(1))) as bank:
        yield bank


def test_a_spoilt_line_is_refused_or_can_be_read(
    lines: list[Line], bank: gieok.MemoryBank, counts: Callable[[int, int], int]
) -> None:
    dice = random.Random(11)
    taken = 0
    with asking(bank, scope={"user": "minsu", "character": "letia"}) as client:
        for number in range(counts(100, 20_000)):
            spoilt = one_spoilt(lines, dice)
            try:
                bank.store.import_lines(lambda spoilt=spoilt: spoilt)  # type: ignore[misc]  # each round has its own
            except InvalidExport:
                assert bank.scopes() == []
                continue
            taken += 1
            for path in READ:
                response = client.get(path)
                assert response.status_code < 500, (number, path, response.text)
            for path, body in (("/v1/recall", {"query": "어디 살아?"}), ("/v1/context", {"query": "지훈"})):
                assert client.post(path, json=body).status_code < 500, (number, path)
            told = client.post("/v1/turns", json={"text": "나 대전에 살아", "at": "2027-01-01T00:00:00+09:00"})
            assert told.status_code < 500, (number, told.text)
            bank.erase(SCOPE)
    assert taken, "some changes do no harm"


def one_spoilt(lines: list[Line], dice: random.Random) -> list[Line]:
    place = dice.randrange(len(lines))
    line = lines[place]
    other: Any = dice.choice(
        [*hostile.VALUES, *(each for each in hostile.TEXTS if len(each) < 300 and _keepable(each))]
    )
    if isinstance(other, float) and other != other:  # no file can say it
        other = None
    record = hostile.spoilt(dict(line.record), dice, other)
    if not isinstance(record, dict):
        return lines[:place] + lines[place + 1 :]
    return [*lines[:place], Line(line.table, line.scope, record, line.number), *lines[place + 1 :]]


def _keepable(text: str) -> bool:
    """Whether a file could hold it: the reader of files refuses the rest."""
    return "\0" not in text and not any("\ud800" <= letter <= "\udfff" for letter in text)
