"""Conversation sheets: what the validator refuses, and what a sheet becomes."""

import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "training"))
import sheets  # noqa: E402  # a script beside the package, not a module of it

HEAD = """=== hodu
persona: 29세 다온 / 캐릭터 보리
lang: ko
entities:
  hodu | 호두, 호두짱 | pet | 고양이
--- 2025-03-05 23:12
"""
TALK = (
    "U: 호두 {신부전|hodu:medical_condition} 초기래\nC: 에고\nU: 나 {신촌|residence} 살아\nU: {세 살|hodu:age=3}이야\n"
    "U: 나 {자퇴|free.status~retracted}했어\nU: {뻥이야|!retract=자퇴}\nU: {얘|=hodu} 귀엽지\n"
    "U: {연희동|residence}으로 옮겼어\n"
    "U: {알바|part_time_job=투썸} 해\nU: {알바|part_time_job=투썸!end} 그만뒀어\nU: ㅋㅋ\nU: 응\nU: 잘자\n"
)
PROBES = (
    "? 나 어디 살지 || 연희동 || 신촌 || update\n? 호두 병명 || 신부전 || || other-person\n? 혈액형? || || || abstain\n"
)


def built(tmp_path, text):
    path = tmp_path / "a99.1.talk"
    path.write_text(text, encoding="utf-8")
    return sheets.read(path)


def test_a_sheet_becomes_facts_with_holders_spans_and_ends(tmp_path):
    (draft,), problems = built(tmp_path, HEAD + TALK + PROBES)
    record = sheets.built(draft, "a99")
    facts = {(fact["about"], fact["attribute"], fact["value"]): fact for fact in record["facts"]}

    assert problems == []
    assert facts["호두/호두짱/hodu", "age", "3"]["alts"] == ["세 살"]
    assert facts["user", "residence", "신촌"]["until"] == [6]
    assert facts["user", "residence", "연희동"]["until"] == [None]
    assert facts["user", "part_time_job", "투썸"]["until"] == [8]
    assert [each["why"] for each in record["not_facts"]] == ["retracted"]
    assert [each["value"] for each in record["retractions"]] == ["자퇴"]
    for fact in record["facts"]:
        for span in fact["spans"]:
            said = record["turns"][span["turn"]][span["part"]][span["start"] : span["end"]]
            assert said in {fact["value"], *fact["alts"], "알바"}


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("U: {새우|alergy} 못 먹어", "unknown attribute 'alergy'"),
        ("U: {새우|mom:allergy} 못 먹어", "unknown holder 'mom'"),
        ("U: {새우|allergy!often}", "unknown state"),
        ("U: {새우|allergy~maybe}", "unknown reason"),
        ("U: {새우|plan!plan@soon}", "cannot be read"),
        ("U: {새우 못 먹어", "brace or bar"),
        ("지훈: 안녕", "not among the entities"),
        ("? 나 뭐 좋아하지 || || || direct", "gold values"),
        ("? 나 뭐 좋아하지 || 수박 || || direct", "no gold value"),
        ("그냥 한 줄", "not a line of the guide"),
    ],
)
def test_what_does_not_fit_the_guide_is_refused_with_its_line(tmp_path, line, problem):
    _, problems = built(tmp_path, f"{HEAD}{TALK}{line}\n{PROBES}")

    assert any(problem in each for each in problems), problems
    assert all(each.startswith("a99.1.talk:") for each in problems)


def test_two_readers_agree_by_value_attribute_holder_state_and_fact(tmp_path):
    (first,), _ = built(tmp_path, HEAD + TALK + PROBES)
    changed = TALK.replace("{신촌|residence}", "{신촌|hometown}").replace("{세 살|hodu:age=3}", "{세 살|age=3}")
    (second,), _ = built(tmp_path, HEAD + changed.replace("{연희동|residence}", "연희동") + PROBES)

    assert sheets.agreement([first], [first]) == dict.fromkeys(("value", "attribute", "holder", "act", "fact"), 1.0)
    assert sheets.agreement([first], [second]) == {
        "value": pytest.approx(12 / 13),
        "attribute": pytest.approx(5 / 6),
        "holder": pytest.approx(5 / 6),
        "act": 1.0,
        "fact": 1.0,
    }


def test_what_a_second_reader_adds_is_marked_and_ends_nothing(tmp_path):
    (first,), _ = built(tmp_path, HEAD + TALK + PROBES)
    (second,), _ = built(tmp_path, HEAD + TALK.replace("U: 응", "U: 응 {서대문구|residence} 쪽") + PROBES)
    record = sheets.completed(sheets.built(first, "a99"), sheets.built(second, "a99"))
    homes = {fact["value"]: fact for fact in record["facts"] if fact["attribute"] == "residence"}
    assert homes["서대문구"]["added"]
    assert "added" not in homes["연희동"]
    assert homes["연희동"]["until"] == [None], "another wording of the same home"
    assert homes["신촌"]["until"] != [None]
