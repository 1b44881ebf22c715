"""Rules alone, a model alone, and both: the same utterances, three figures."""

import pytest

from gieok.errors import ModelFailed
from gieok.testing import ScriptedModel
from gieok_evals.cases import case
from gieok_evals.figures import plain
from gieok_evals.model_facts import compare, sample
from support.proposals import answer, proposal

POTTERY = "어제 드디어 도예 공방에 등록했어"
WEEDS = "나는 주말에 동네 화단 잡초를 뽑았어"
SEOUL = {"subject": "user", "attribute": "residence", "value": "서울"}
CASES = [
    case({"id": "c1", "utterance": "나는 서울에 살아", "expected": [SEOUL]}),
    case({"id": "c2", "utterance": POTTERY, "expected": [{"subject": "user", "attribute": "hobby", "value": "도예"}]}),
    case({"id": "c3", "utterance": WEEDS, "expected": []}),
    case({"id": "c4", "utterance": "뭐 해?", "expected": []}),
]


def reads(messages):
    said = messages[-1].content
    if "서울" in said:
        return answer(proposal("residence", "서울", "나는 서울에 살아"))
    if "도예" in said:
        return answer(proposal("hobby", "도예", POTTERY), proposal("hobby", "승마", POTTERY))
    return answer(proposal("event", "동네 화단 잡초", WEEDS, content="화단 잡초를 뽑음"))


@pytest.fixture(scope="module")
def rows():
    report = compare(ScriptedModel({"extract": reads}), CASES, embedder="hashing")
    assert (report.model, report.cases) == ("scripted", 4)
    return {row.who: row for row in report.rows}


def test_rules_are_measured_without_the_model(rows):
    assert rows["rules"].asked == 0
    assert rows["rules"].extraction.found >= 1
    assert rows["rules"].from_nothing.hits == 0


def test_the_model_alone_reads_what_rules_would_have(rows):
    assert rows["model"].extraction.found == 2
    assert rows["model"].asked == 3


def test_both_find_what_either_does_and_count_what_was_read_from_nothing(rows):
    assert rows["both"].extraction.found == 2
    assert (rows["both"].from_nothing.hits, rows["both"].from_nothing.of) == (1, 2)
    assert rows["both"].asked < rows["model"].asked


def test_a_model_that_fails_leaves_the_rules_figures_and_is_counted():
    broken = ScriptedModel({"extract": ModelFailed("timeout", "scripted", "slow")})
    rules, model, both = compare(broken, CASES, embedder="hashing").rows
    assert both.extraction == rules.extraction
    assert model.failures == {"timeout": 3}
    assert plain(model)["failures"] == {"timeout": 3}


def test_a_sample_is_the_same_for_the_same_seed():
    assert [each.id for each in sample(CASES, 2, 1)] == [each.id for each in sample(CASES, 2, 1)]
    assert len(sample(CASES, 2, 1)) == 2
    assert sample(CASES, None, 1) == CASES
