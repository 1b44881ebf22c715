import json

import pytest

from gieok.errors import InvalidQuery
from gieok_evals.cases import case, load

FACT = {
    "subject": "user",
    "attribute": "job",
    "value": "백수",
    "polarity": "+",
    "time": "current",
    "value_alt": ["무직"],
}


def test_a_line_becomes_a_case():
    read = case(
        {
            "id": "1",
            "speaker": "user",
            "utterance": "사실 백수임",
            "expected": [FACT],
            "must_not_extract": [{"subject": "user", "attribute": "job", "value": "의사"}],
            "known": [{"subject": "user", "attribute": "job", "value": "의사"}],
            "context": [{"speaker": "character", "text": "의사라며?"}],
        }
    )
    assert read.expected[0].accepted == ("백수", "무직")
    assert read.must_not[0].value == read.known[0].value == "의사"
    assert read.context == (("character", "의사라며?"),)


def test_a_note_makes_what_is_expected_optional():
    read = case({"id": "1", "utterance": "…", "expected": [FACT], "note": "바람은 선택(optional)"})
    assert read.expected[0].optional


def test_a_broken_line_is_named(tmp_path):
    path = tmp_path / "cases.jsonl"
    good = json.dumps({"id": "1", "utterance": "…", "expected": []})
    path.write_text(f"{good}\n\n{{broken\n", encoding="utf-8")
    with pytest.raises(InvalidQuery, match="line 3"):
        load(path)
