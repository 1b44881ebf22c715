"""What somebody hears of their own body, and attacks by their kind."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from gieok.domain.scope import Scope
from gieok.domain.turn import Turn, Utterance
from gieok.extract.korean import KoreanRules

AT = datetime(2025, 3, 1, tzinfo=UTC)


def illnesses(text):
    said = Utterance(id="u", turn_id="t", speaker="user", text=text, at=AT, position=0)
    turn = Turn(id="t", utterances=(said,), at=AT, recorded_at=AT)
    claims = KoreanRules().claims(turn, Scope(user="지호", character="루나"), ())
    return [(claim.subject_id, claim.value) for claim in claims if claim.attribute == "medical_condition"]


@pytest.mark.parametrize(
    ("text", "illness"),
    [
        ("나 빈혈이래", "빈혈"),
        ("나도 통풍이래 ㅠㅠ", "통풍"),
        ("나 심부전이래", "심부전"),
        ("나는 위염이래", "위염"),
        ("공황 발작이 심해서 지하철을 못 타", "공황 발작"),
        ("열성 발작을 앓고 있어", "열성 발작"),
    ],
)
def test_what_was_found_out_of_oneself_is_kept(text, illness):
    assert illnesses(text) == [("user", illness)]


@pytest.mark.parametrize(
    "text",
    [
        "친구가 나보고 조울증이래",
        "걔 나보고 결정장애래",
        "나 위염이래?",
        "나 감기래",
        "웃음 발작 왔어",
        "발작 버튼 눌렸네 ㅋㅋ",
        "전신 거울 샀어",
    ],
)
def test_what_others_call_one_and_what_is_only_so_called_is_no_illness(text):
    assert illnesses(text) == []
