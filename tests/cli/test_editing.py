import json

import pytest

LETIA = ("-u", "minsu", "-c", "letia")


@pytest.fixture
def told(run):
    run("observe", "나 판교에 살아", *LETIA, "--turn-id", "t1")
    run("observe", "나 고양이 좋아해", *LETIA, "--turn-id", "t2")
    return run


def facts(run):
    return {memory["attribute"]: memory for memory in json.loads(run("facts", "--json").out)}


def test_a_memory_is_put_right_by_the_end_of_its_id(told):
    memory_id = facts(told)["residence"]["id"]
    ran = told("correct", memory_id[-8:], "성남 판교에 삶", "--value", "성남 판교")
    assert ran.code == 0
    assert "성남 판교에 삶" in ran.out
    assert facts(told)["residence"]["value"] == "성남 판교"


def test_pinning_and_unpinning(told):
    memory_id = facts(told)["likes"]["id"]
    assert json.loads(told("pin", memory_id, "--json").out)["pinned"] is True
    assert json.loads(told("pin", memory_id, "--off", "--json").out)["pinned"] is False


def test_forgetting_hides_at_once(told):
    forgotten = json.loads(told("forget", facts(told)["likes"]["id"], "--json").out)
    assert forgotten["forgotten_at"] is not None
    assert set(facts(told)) == {"residence"}


def test_rewinding_a_turn_and_those_after_it(told):
    assert json.loads(told("rewind", "t2", "--json").out) == {"rewound": ["t2"]}
    assert set(facts(told)) == {"residence"}
    assert told("rewind", "t2").code == 1
    assert "t1" in told("rewind", "t1", "--following").out
    assert facts(told) == {}


def test_an_id_must_be_known_and_unmistakable(told):
    unknown = told("forget", "nope")
    assert (unknown.code, unknown.out) == (1, "")
    assert "no memory 'nope'" in unknown.err
    assert "gieok facts --history" in unknown.err
    assert "history=True" not in unknown.err
    ambiguous = told("forget", "--", "-0")
    assert "2 memories have an id that ends in '-0'" in ambiguous.err
    assert len(facts(told)) == 2
