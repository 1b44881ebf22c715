"""What somebody hears of their own body, attacks by their kind, what they take for it and must keep off."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from gieok.domain.scope import Scope
from gieok.domain.turn import Turn, Utterance
from gieok.extract.korean import KoreanRules

AT = datetime(2025, 3, 1, tzinfo=UTC)


def told(text, attribute):
    said = Utterance(id="u", turn_id="t", speaker="user", text=text, at=AT, position=0)
    turn = Turn(id="t", utterances=(said,), at=AT, recorded_at=AT)
    claims = KoreanRules().claims(turn, Scope(user="지호", character="루나"), ())
    return [(claim.subject_id, claim.value) for claim in claims if claim.attribute == attribute]


def illnesses(text):
    return told(text, "medical_condition")


@pytest.mark.parametrize(
    ("text", "illness"),
    [
        ("나 빈혈이래", "빈혈"),
        ("나도 통풍이래 ㅠㅠ", "통풍"),
        ("나 심부전이래", "심부전"),
        ("나는 위염이래", "위염"),
        ("공황 발작이 심해서 지하철을 못 타", "공황 발작"),
        ("열성 발작을 앓고 있어", "열성 발작"),
        ("등에 혈관종 있어요", "혈관종"),
        ("갑상선에 결절 있대요", "결절"),
        ("궤양성 대장염 관해기입니다", "궤양성 대장염"),
        ("39킬로까지 빠졌어 항암하느라", "암"),
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
        "갑상선약 먹어요",
    ],
)
def test_what_others_call_one_and_what_is_only_so_called_is_no_illness(text):
    assert illnesses(text) == []


@pytest.mark.parametrize(
    ("text", "attribute", "value"),
    [
        ("지르텍으로 버텨", "medication", "지르텍"),
        ("심장약 때문에 감초 들어간 한약은 피해야 한대", "medication", "심장약"),
        ("항생제 먹는 동안은 술 금지래", "medication", "항생제"),
        ("항생제 먹는 동안은 술 금지래", "contraindication", "술"),
        ("철분제랑 상극이라 홍차 마시면 안 된대", "medication", "철분제"),
        ("철분제랑 상극이라 홍차 마시면 안 된대", "contraindication", "홍차"),
        ("저 조영제 맞으면 안 돼요", "contraindication", "조영제"),
        ("아스피린 먹으면 안 되는 몸이에요", "contraindication", "아스피린"),
        ("혈당 때문에 빵 못 먹어요", "contraindication", "빵"),
    ],
)
def test_what_is_taken_and_what_it_forbids(text, attribute, value):
    assert told(text, attribute) == [("user", value)]


@pytest.mark.parametrize(
    ("text", "attribute"),
    [
        ("커피로 버텨", "medication"),
        ("지르텍 어디서 사?", "medication"),
        ("강아지 심장약 먹여", "medication"),
        ("아스피린 먹으면 안 되는 몸이에요", "medication"),
        ("철분제랑 상극이라 홍차 마시면 안 된대", "dislikes"),
        ("혈압약 먹는데 짜게 먹지 말라네", "contraindication"),
        ("강아지는 초콜릿 먹으면 안 된대", "contraindication"),
        ("조영제가 뭐야?", "contraindication"),
    ],
)
def test_what_is_only_asked_given_to_others_or_no_thing_is_not(text, attribute):
    assert "user" not in [whose for whose, _ in told(text, attribute)]
