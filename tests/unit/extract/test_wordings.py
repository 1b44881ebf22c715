"""The documents' 25 items, each in five natural wordings. They were written by somebody who had not seen the rules.

Those that are not understood yet stand in `wordings_missed.txt`; whoever makes one understood takes it out there.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from gieok.domain.scope import Scope
from gieok.extract.korean import KoreanRules
from support.speech import spoken

DATA = Path(__file__).parents[2] / "data"
WORDINGS = [json.loads(line) for line in (DATA / "wordings.jsonl").read_text(encoding="utf-8").splitlines()]
MISSED = frozenset((DATA / "wordings_missed.txt").read_text(encoding="utf-8").splitlines())
NOT_YET = pytest.mark.xfail(reason="not understood yet", strict=True)


def squeezed(text: str) -> str:
    return "".join(text.split()).casefold()


@pytest.mark.parametrize(
    "wording",
    [
        pytest.param(wording, id=wording["text"], marks=[NOT_YET] if wording["text"] in MISSED else [])
        for wording in WORDINGS
    ],
)
def test_an_item_is_understood_however_it_is_worded(wording: dict[str, Any]) -> None:
    turn = spoken(wording["text"])
    claims = KoreanRules().claims(turn, Scope(user="minsu"), ())

    taste = {"likes"} if wording["attribute"].startswith("favorite.") else set()
    accepted = {squeezed(value) for value in (wording["value"], *wording["alt"])}
    understood = [
        claim.value
        for claim in claims
        if claim.subject == "user" and claim.polarity == "+" and claim.attribute in {wording["attribute"], *taste}
    ]
    assert accepted & {squeezed(value or "") for value in understood}, [
        (claim.subject_id, claim.attribute, claim.value) for claim in claims
    ]
