"""What the rules read in sentences of all kinds, as it is now: no change of a rule goes unseen.

The sentences of `korean.jsonl` and `english.jsonl` were written by people who had not read the rules, and are kept
where another way through the rules is taken; those of `*_ways.jsonl` were written to the rules, one on each side of a
condition; those of `everyday.jsonl` are drawn from what the learned reader was taught by (`tools/spans`). What is read
in them is recorded, not approved: much of it is right, some of it is not, and where it gets better the record is
written anew with UPDATE_SNAPSHOTS=1, so that the change can be looked at line by line.
"""

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from gieok.domain.claim import Claim
from gieok.domain.memory import Background
from gieok.domain.scope import Scope
from gieok.domain.turn import Turn, Utterance
from gieok.extract.rules import Rules
from gieok.testing import memory

RECORDS = Path(__file__).parent / "as_read"
NOW = datetime(2026, 3, 2, 9, tzinfo=UTC)
SCOPE = Scope(user="minsu", character="letia")
OF_THE_TURN = {"id", "speaker", "source_id", "origin", "extractor", "emotion_intensity", "flaw"}
Record = dict[str, Any]


def spoken(said: str, *, speaker: str = "user", turn: str = "t") -> Utterance:
    return Utterance(id=f"{turn}-{speaker}", turn_id=turn, speaker=speaker, text=said, at=NOW, position=0)


def read(record: Mapping[str, Any]) -> list[Record]:
    """Read what was said `by` somebody to answer what was `asked`, where facts are `known`: [["pet", "고양이"]]."""
    known = tuple(
        memory(attribute=attribute, value=value, surface=value) for attribute, value in record.get("known", ())
    )
    before = [spoken(record["asked"], speaker="character", turn="before")] if "asked" in record else []
    said = spoken(record["said"], speaker=record.get("by", "user"))
    turn = Turn(id="t", utterances=(said,), at=NOW, recorded_at=NOW)
    return [told(claim) for claim in Rules().claims(turn, SCOPE, before, Background(mentioned=known))]


def told(claim: Claim) -> Record:
    plain = Claim(id="", speaker="", subject="user", subject_id="user", content="", content_type="fact")
    usual = asdict(plain)
    return {
        name: str(value) if isinstance(value, datetime) else [*value] if isinstance(value, tuple) else value
        for name, value in asdict(claim).items()
        if name not in OF_THE_TURN and value != usual[name]
    }


def records(path: Path) -> list[Record]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def written(found: Sequence[Record]) -> str:
    return "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in found)


@pytest.mark.parametrize(
    "name", ["korean", "english", "korean_ways", "english_ways", pytest.param("everyday", marks=pytest.mark.soak)]
)
def test_every_sentence_is_read_as_it_was(name):
    path = RECORDS / f"{name}.jsonl"
    kept = records(path)
    now = [{**record, "read": read(record)} for record in kept]
    if os.environ.get("UPDATE_SNAPSHOTS"):
        path.write_text(written(now), encoding="utf-8")
    changed = [(before, after) for before, after in zip(kept, now, strict=True) if before != after]
    shown = "\n".join(f"{was['said']}\n  was {was['read']}\n  is  {new['read']}" for was, new in changed[:20])
    assert not changed, f"{len(changed)} are read otherwise; if this is better, run with UPDATE_SNAPSHOTS=1:\n{shown}"
