"""What is done with a claim, in the words of the people who make it."""

from datetime import datetime

import pytest
from hypothesis import given

from gieok.domain.attributes import attribute
from gieok.domain.claim import Brought
from gieok.domain.decision import Ignore, Reinforce, Remember, Supersede
from gieok.domain.judgement import Beliefs, judge
from gieok.errors import InvalidQuery
from gieok.testing import claim, day, memory, note
from support.rows import from_rows
from unit.domain.histories import NOW, POLICY, as_said, histories, moment, told, true_values

LATER = day(NOW + 500)


def kinds(decisions):
    return [type(decision) for decision in decisions]


@from_rows
def test_what_is_believed_after_what_was_said(story, said, then):
    beliefs, decisions = told(*map(as_said, said.split("; ")))
    for what, _, wanted in (clause.partition(":") for clause in then.split("; ")):
        memory_id, _, field = what.rpartition(".")
        wanted = wanted.strip()
        if what == "decided":
            assert [type(each).__name__.lower() for each in decisions] == wanted.split()
        elif what == "why":
            assert decisions[-1].why == wanted
        elif memory_id in beliefs:
            found = getattr(beliefs[memory_id], field)
            if isinstance(found, datetime):
                assert found == day(float(wanted) + (NOW if wanted[0] == "+" else 0))
            else:
                assert str(found) == wanted
        else:
            attribute, since, when = next((what.partition(sign) for sign in "@+" if sign in what), (what, "", "500"))
            at = day(float(when) + (0 if since == "@" else NOW))
            assert ", ".join(sorted(true_values(beliefs.all(), attribute, at))) == wanted


def test_a_new_fact_is_remembered_with_what_was_said_about_it():
    said = claim("pet", "나비", id="c1", source_id="t1/0", tags=("집",), details=("나비",), extractor="korean/1")
    beliefs, (decision,) = told(said)
    assert isinstance(decision, Remember)
    kept = beliefs["c1"]
    assert kept == decision.memory
    assert (kept.valid_at, kept.known_at, kept.invalid_at) == (day(NOW), day(NOW), None)
    assert (kept.sources, kept.tags, kept.details, kept.extractor) == (("t1/0",), ("집",), ("나비",), "korean/1")
    assert (kept.kind, kept.pinned, kept.mentions, kept.version) == ("semantic", True, 0, 1)


def test_the_same_said_again_reinforces_and_keeps_the_new_source():
    beliefs, decisions = told(
        claim("likes", "고양이", id="c1", source_id="t1/0", certainty=0.8),
        claim("likes", "고양이", id="c2", source_id="t2/0", importance=0.9),
    )
    assert kinds(decisions) == [Remember, Reinforce]
    assert set(beliefs.all()) == {"c1"}
    assert (beliefs["c1"].mentions, beliefs["c1"].sources) == (1, ("t1/0", "t2/0"))
    assert (beliefs["c1"].importance, beliefs["c1"].certainty, beliefs["c1"].strength) == (0.9, 1.0, 1.0)


def test_reinforcing_gives_back_a_fifth_of_the_strength():
    beliefs = Beliefs([memory("", id="m1", attribute="likes", value="고양이", strength=0.5)])
    judge([claim("likes", "고양이")], beliefs, moment(turn_number=3), POLICY)
    assert (beliefs["m1"].strength, beliefs["m1"].touched_turn) == (pytest.approx(0.7), 3)


def test_small_talk_is_below_the_threshold_unless_a_person_asks_for_it():
    small = {"content_type": "note", "certainty": 0.2, "importance": 0.1}
    _, (ignored, kept) = told(note("날씨가 흐리다", **small), note("날씨가 흐리다", origin="person", **small))
    assert isinstance(ignored, Ignore)
    assert ignored.why == "below_threshold"
    assert ignored.promotion.score < POLICY.promote_threshold
    assert isinstance(kept, Remember)


def test_hearing_something_often_makes_it_worth_remembering():
    small = {"content_type": "opinion", "certainty": 0.5}
    _, decisions = told(*(note("바다가 그립대", **small) for _ in range(4)))
    assert [decision.promotion.recurrence for decision in decisions] == pytest.approx([0, 1 / 3, 2 / 3, 1])


def test_claims_of_one_turn_see_each_other():
    beliefs = Beliefs()
    pair = [claim("age", "25", id="c1"), claim("age", "26", id="c2")]
    decisions = judge(pair, beliefs, moment(), POLICY)
    assert kinds(decisions) == [Remember, Supersede]
    assert true_values(beliefs.all(), "age", LATER) == ["26"]


def test_facts_of_different_people_do_not_touch_each_other():
    beliefs, decisions = told(
        claim("age", "25"),
        claim("age", "50", subject="other", subject_id="아빠"),
        claim("age", "48", subject="other", subject_id="엄마"),
        claim("age", "17", speaker="character", subject="character", subject_id="레티아"),
    )
    assert kinds(decisions) == [Remember] * 4
    assert len([each for each in beliefs.all().values() if each.true_at(LATER)]) == 4


def test_pinned_is_what_belongs_into_every_context():
    beliefs, _ = told(
        claim("allergy", "땅콩", id="allergy"),
        claim("name", "민수", id="name"),
        claim("likes", "고양이", id="likes"),
        claim("allergy", "새우", id="denied", polarity="-"),
        claim("name", "나비", id="other", subject="other", subject_id="나비"),
    )
    assert {each.id for each in beliefs.all().values() if each.pinned} == {"allergy", "name"}


def test_an_attribute_outside_the_schema_is_refused():
    with pytest.raises(InvalidQuery, match="unknown attribute 'shoe_size'"):
        claim("shoe_size", "270")


@given(histories(edits=False, events=False, most=14))
def test_a_decision_depends_only_on_what_agrees_with_the_claim_or_speaks_against_it(history):
    everything = Beliefs()
    for asked in history:
        for said in asked.request.claims:
            schema = attribute(said.attribute)
            heard = {said.saying: everything.times_heard(said.saying)}
            near = {
                each.id: each
                for each in everything.all().values()
                if each.attribute == said.attribute or each.value == said.value or schema.opposed_to(each.attribute)
            }
            closed = [each for each in everything.all().values() if each.closed_by in near]
            few = Beliefs([*near.values(), *(each for each in closed if each.id not in near)], heard=heard)
            assert judge([said], few, asked.moment, POLICY) == judge([said], everything, asked.moment, POLICY)


def by_model(attribute, value, **fields):
    return claim(attribute, value, origin="model", certainty=0.6, **fields)


@pytest.mark.parametrize(("act", "when"), [("assert", NOW - 5), ("prefer", NOW)])
def test_a_models_reading_of_an_older_turn_does_not_stand_before_what_was_told_since(act, when):
    beliefs, _ = told(claim("residence", "서울"))
    (decision,) = judge([by_model("residence", "부산", act=act)], beliefs, moment(when), POLICY)
    assert (type(decision), decision.why) == (Ignore, "less_certain")


def test_what_another_system_weighed_counted_and_thought_comes_along():
    brought = Brought(pinned=True, uses=4, mentions=2, strength=0.5, kind="emotional", interpretation="놀랐구나")
    beliefs, _ = told(note("거미를 보았다", id="c1", importance=0.2, origin="import", brought=brought))
    kept = beliefs["c1"]
    assert (kept.importance, kept.pinned, kept.uses, kept.mentions) == (0.2, True, 4, 2)
    assert (kept.strength, kept.kind, kept.interpretation) == (0.5, "emotional", "놀랐구나")


def test_what_both_knew_is_counted_together():
    brought = Brought(pinned=True, uses=4, mentions=2)
    beliefs, decisions = told(
        claim("likes", "고양이", id="c1"), claim("likes", "고양이", origin="import", brought=brought)
    )
    assert kinds(decisions) == [Remember, Reinforce]
    assert (beliefs["c1"].uses, beliefs["c1"].mentions, beliefs["c1"].pinned) == (4, 3, True)
