"""Small stories in real banks, and golden files."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

import gieok
from gieok.embedders import HashingEmbedder
from gieok.errors import EmbedderFailed
from gieok.testing import FixedClock, day

GOLDEN = Path(__file__).parent / "golden"


class BrokenEncoder(HashingEmbedder):
    """An encoder whose model is gone."""

    def embed(self, texts: Sequence[str], **options: Any) -> Any:
        raise EmbedderFailed("the model file is gone")


def told(mind: gieok.Mind) -> gieok.Mind:
    mind.observe("안녕하세요, 저는 민수예요", reply="반가워요, 민수 씨!", at=day(1))
    mind.observe("나 스물다섯 살이야. 판교에 살아", reply="저도 판교 좋아해요", at=day(2))
    mind.observe("나 고양이 좋아해", reply="저도 고양이 좋아해요", at=day(3))
    mind.observe("땅콩 알레르기 있어", reply="꼭 기억할게요", at=day(4))
    mind.observe("나 떡볶이 좋아해. 오늘 저녁에 먹을래", reply="오빠는 귀여운 사람이에요", at=day(5))
    return mind


@pytest.fixture
def open_mind(tmp_path: Path) -> Iterator[Callable[..., gieok.Mind]]:
    banks: list[gieok.MemoryBank] = []

    def open_it(**options: Any) -> gieok.Mind:
        options = {"embedder": "hashing", **options}
        bank = gieok.open(tmp_path / f"{len(banks)}.db", clock=FixedClock(day(6)), **options)
        banks.append(bank)
        return bank.scope(user="minsu", character="letia")

    yield open_it
    for bank in banks:
        bank.close()


@pytest.fixture
def bank(tmp_path: Path) -> Iterator[gieok.MemoryBank]:
    with gieok.open(tmp_path / "bank.db", embedder="hashing", clock=FixedClock(day(20)), tokens="estimate") as bank:
        yield bank


@pytest.fixture
def story(open_mind: Callable[..., gieok.Mind]) -> gieok.Mind:
    return told(open_mind(recent_turns=2))


@pytest.fixture
def english_story(open_mind: Callable[..., gieok.Mind]) -> gieok.Mind:
    mind = open_mind(recent_turns=2, language="en")
    mind.remember("is allergic to peanuts", attribute="allergy", value="peanuts", at=day(1))
    mind.remember("is called Min", attribute="name", value="Min", at=day(1))
    mind.remember("likes spicy rice cakes for dinner", attribute="likes", value="spicy rice cakes", at=day(2))
    mind.observe("It was a long day.", reply="Then let us eat something warm.", at=day(3))
    return mind


@pytest.fixture
def broken_encoder_story(open_mind: Callable[..., gieok.Mind]) -> gieok.Mind:
    return told(open_mind(embedder=BrokenEncoder()))


@pytest.fixture
def golden() -> Callable[[str, str], None]:
    """Compare with a golden file; a missing one is written and fails, so that somebody reads it."""

    def compare(name: str, text: str) -> None:
        path = GOLDEN / name
        if not path.exists():
            path.parent.mkdir(exist_ok=True)
            path.write_text(text + "\n", encoding="utf-8")
            pytest.fail(f"{path.name} was written; read it, then run again")
        assert text + "\n" == path.read_text(encoding="utf-8")

    return compare
