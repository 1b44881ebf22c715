"""What is done with a claim, in the words of the people who make it."""

from datetime import datetime

import pytest
from hypothesis import given

from gieok.domain.attributes import attribute
from gieok.domain.claim import Brought
from gieok.domain.decision import Ignore, Reinforce, Remember, Retract, Supersede
from gieok.domain.judgement import Beliefs, Moment, Policy, judge
from gieok.domain.promotion import PromotionWeights
from gieok.errors import InvalidQuery
from gieok.testing import claim, day, memory, note
from gieok.testing.builders import WALL
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
        elif beliefs.get(memory_id) is not None:
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


LATER = day(NOW + 500)


def lived(value, since, until=None, **fields):
    """A claim of where somebody lived from one day to another."""
    return claim("residence", value, valid_at=day(since), invalid_at=until and day(until), **fields)


def where(beliefs, at):
    return true_values(beliefs.all(), "residence", day(at))


def judged(said, *known, **fields):
    beliefs = Beliefs(known)
    [decision] = judge([said], beliefs, moment(), Policy(**fields))
    return beliefs, decision


def test_the_numbers_of_judgement_are_the_documents():
    assert (POLICY.promote_threshold, POLICY.reinforcement, POLICY.doubtful, POLICY.trusted) == (0.45, 0.2, 0.5, 0.8)


@pytest.mark.parametrize(
    ("said", "kind"),
    [
        (note("별을 봤다", emotion_intensity=0.7), "emotional"),
        (note("별을 봤다", emotion_intensity=0.69), "episodic"),
        (note("별을 봤다", content_type="opinion"), "episodic"),
        (note("별을 봤다", content_type="fact"), "semantic"),
        (note("별을 봤다", content_type="fact", emotion_intensity=0.9), "emotional"),
        (claim("likes", "차", emotion_intensity=0.9), "semantic"),
        (claim("mood", "들뜸"), "episodic"),
        (claim("milestone", "첫 만남", content_type="fact"), "episodic"),
        (claim("event", "여행", emotion_intensity=0.7), "emotional"),
    ],
)
def test_how_a_memory_fades_follows_from_what_it_is_and_how_strongly_it_was_felt(said, kind):
    assert judged(said)[1].memory.kind == kind


SURE = {"promotion_weights": PromotionWeights(**dict.fromkeys(PromotionWeights.__slots__, 0.0) | {"confidence": 1.0})}


@pytest.mark.parametrize(
    "make",
    [
        lambda **about: note("별을 봤다", **about),
        lambda **about: claim("hobby", "수영", **about),
        lambda **about: claim("hobby", "수영", valid_at=day(2), invalid_at=day(2), **about),
    ],
    ids=["free", "with an attribute", "bygone"],
)
def test_what_is_just_worth_it_is_kept_what_is_less_is_not_and_what_a_person_says_always(make):
    policy = {"promote_threshold": 0.5, **SURE}
    assert isinstance(judged(make(certainty=0.5), **policy)[1], Remember)
    assert judged(make(certainty=0.49), **policy)[1].why == "below_threshold"
    assert isinstance(judged(make(certainty=0.1, origin="person"), **policy)[1], Remember)


def test_what_is_new_of_its_kind_is_newer_than_what_changes_or_comes_again():
    _, decisions = told(
        claim("residence", "서울"), claim("residence", "부산"), claim("residence", "서울"), claim("likes", "차")
    )
    assert [decision.promotion.novelty for decision in decisions] == [1.0, 0.8, 0.8, 1.0]


def test_the_less_a_sentence_is_like_what_is_known_the_newer_it_is_and_a_preference_repeated_is_not_new():
    assert judged(note("별을 봤다"))[1].promotion.novelty == 1.0
    beliefs = Beliefs([memory(id="m1")], similarity={("c1", "m1"): 0.25})
    [decision] = judge([note("별을 봤다", id="c1")], beliefs, moment(), POLICY)
    assert decision.promotion.novelty == 0.75
    animals = [claim("likes", value, value_class="animal") for value in ("강아지", "고양이")]
    _, decisions = told(*animals, claim("likes", "강아지", value_class="animal", act="prefer"))
    assert decisions[2].promotion.novelty == 0.0


def test_a_plan_that_is_called_off_in_other_words_ends_and_no_other_does():
    beliefs, decisions = told(
        claim("plan", "4월에 제주 환상 자전거길 일주", id="c1"),
        claim("plan", "부산 가기", id="c2"),
        claim("plan", "제주 일주", id="c3", act="end", polarity="-"),
        claim("goal", "유학", id="c4", act="end", polarity="-"),
    )
    assert (beliefs["c1"].closed_by, beliefs["c2"].closed_by) == ("c3", None)
    assert decisions[3].why == "nothing_to_end"


@pytest.mark.parametrize(("sure", "closes"), [(0.59, False), (0.6, True)])
def test_what_is_heard_of_others_changes_what_is_known_only_where_it_is_certain(sure, closes):
    of_mina = {"subject": "other", "subject_id": "미나"}
    beliefs, _ = told(
        claim("job", "교사", id="c1", certainty=0.7, **of_mina),
        claim("job", "의사", id="c2", certainty=sure, **of_mina),
    )
    assert (beliefs["c1"].closed_by == "c2") is closes
    assert beliefs["c2"].doubtful is not closes


@pytest.mark.parametrize(("until", "resumed"), [(None, [None]), (40, [40]), (30, []), (25, [])])
def test_what_was_only_interrupted_goes_on_after_it_until_its_own_end(until, resumed):
    beliefs, decisions = told(lived("서울", 1, until, id="c1"), lived("부산", 20, 30, id="c2"))
    assert isinstance(decisions[1], Supersede)
    assert (beliefs["c1"].invalid_at, beliefs["c1"].closed_by) == (day(20), "c2")
    again = [each for id, each in beliefs.all().items() if id.startswith("c2+")]
    assert [each.invalid_at for each in again] == [each and day(each) for each in resumed]
    assert all((each.id, each.value, each.valid_at, each.version) == ("c2+0", "서울", day(30), 1) for each in again)


@pytest.mark.parametrize(("until", "end", "closer"), [(None, 30, "no"), (40, 30, "no"), (30, 30, None), (25, 25, None)])
def test_what_is_put_right_lasts_as_long_as_the_mistake_unless_something_speaks_against_it(until, end, closer):
    wrong = memory(
        id="wrong", attribute="allergy", value="땅콩", valid_at=day(1), invalid_at=until and day(until)
    )  # fmt: skip
    denial = memory(id="no", attribute="allergy", value="호두", polarity="-", valid_at=day(30))
    said = claim("allergy", "호두", id="c1", act="correct", instead_of="땅콩", valid_at=day(20))
    beliefs, _ = judged(said, wrong, denial)
    assert (beliefs["c1"].valid_at, beliefs["c1"].invalid_at, beliefs["c1"].closed_by) == (day(1), day(end), closer)
    assert (beliefs["wrong"].retracted, beliefs["wrong"].closed_by) == (True, "c1")


@from_rows
def test_a_models_reading_gives_way_to_what_was_told_unless_it_changed_since(act, since, origin, why):
    known = memory(attribute="residence", value="서울", origin=origin, valid_at=day(10))
    said = claim("residence", "서울", polarity="-", act=act, origin="model", valid_at=day(since))
    assert getattr(judged(said, known)[1], "why", None) == why


def test_a_models_reading_of_a_while_may_interrupt_what_was_told():
    known = memory(attribute="residence", value="서울", origin="person", valid_at=day(20))
    visit = lived("부산", 20, 30, origin="model")
    assert isinstance(judged(visit, known)[1], Supersede)
    assert judged(lived("부산", 20, origin="model"), known)[1].why == "less_certain"


def test_a_models_reading_of_the_past_does_not_give_way_to_what_is_over():
    known = memory(attribute="residence", value="서울", origin="rule", valid_at=day(1), invalid_at=day(10))
    said = claim("residence", "부산", origin="model", valid_at=day(20))
    assert isinstance(judged(said, known)[1], Remember)


def test_what_is_taken_back_is_what_holds_of_that_attribute_with_that_value():
    known = (
        memory(id="home", attribute="residence", value="부산"),
        memory(id="like", attribute="likes", value="부산"),
        memory(id="past", attribute="residence", value="부산", invalid_at=day(3)),
        memory(id="soon", attribute="residence", value="부산", valid_at=day(NOW + 1)),
    )
    beliefs, decision = judged(claim("residence", "부산", act="retract"), *known)
    assert isinstance(decision, Retract)
    assert [id for id, each in beliefs.all().items() if each.retracted] == ["home"]
    assert judged(claim("residence", "서울", act="retract"), *known)[1].why == "nothing_to_retract"
    beliefs, _ = judged(claim("residence", None, act="retract"), *known)
    assert beliefs["home"].retracted


@pytest.mark.parametrize(
    "fields",
    [
        {"invalid_at": day(10)},
        {"invalid_at": None},
        {"invalid_at": None, "attribute": "residence", "value": "제주"},
    ],
    ids=["free", "without an end", "without an end, with an attribute"],
)
def test_what_a_lie_had_closed_is_open_again_where_nothing_else_could_end_it(fields):
    closed = memory("집에서 쉰다", id="old", closed_by="lie", **fields)
    lie = memory(id="lie", attribute="residence", value="부산", valid_at=day(10))
    other = memory(attribute="residence", value="서울", valid_at=day(20), invalid_at=day(30))
    beliefs, _ = judged(claim("residence", "부산", act="retract"), closed, lie, other)
    assert (beliefs["old"].invalid_at, beliefs["old"].closed_by) == (None, None)


def test_what_must_not_be_believed_is_not_even_heard():
    beliefs = Beliefs()
    flawed, plain = claim("likes", "차", flaw="unsure"), claim("likes", "비")
    decisions = judge([flawed, plain], beliefs, moment(), POLICY)
    assert isinstance(decisions[0], Ignore)
    assert decisions[0].why == "unsure"
    assert (beliefs.times_heard(flawed.saying), beliefs.times_heard(plain.saying)) == (0, 1)


def test_what_is_said_again_is_as_strong_as_it_faded_to_and_a_fifth_more():
    known = memory(attribute="likes", value="차", strength=0.5, importance=0.0, emotion_intensity=0.2)
    at = Moment(at=day(NOW), recorded_at=WALL, turn_number=5, channel=None)
    said = claim("likes", "차", importance=0.4, emotion_intensity=0.1, certainty=0.5)
    [decision] = judge([said], Beliefs([known]), at, POLICY)
    share = 0.98 + 0.02 * 0.2 * 0.4
    assert decision.memory.strength == pytest.approx(0.5 * share + 0.2)
    assert (decision.memory.importance, decision.memory.emotion_intensity, decision.memory.certainty) == (0.4, 0.2, 1.0)


@pytest.mark.parametrize(("known", "said", "after"), [("model", "rule", "rule"), ("rule", "model", "rule")])
def test_what_a_model_read_becomes_what_was_told_and_never_back(known, said, after):
    belief = memory(attribute="likes", value="차", origin=known)
    assert judged(claim("likes", "차", origin=said), belief)[1].memory.origin == after


def test_a_decision_names_the_memory_it_is_about_and_what_it_closed():
    beliefs, decisions = told(
        claim("residence", "서울", id="c1"),
        claim("residence", "서울"),
        claim("residence", "부산", id="c2"),
        claim("residence", "부산", act="retract"),
        claim("residence", "제주", act="retract"),
    )
    remembered, again, moved, lied, nothing = decisions
    assert [type(each) for each in decisions] == [Remember, Reinforce, Supersede, Retract, Ignore]
    assert (remembered.memory.id, again.memory.id, moved.memory.id, lied.memory.id) == ("c1", "c1", "c2", "c2")
    assert [each.id for each in moved.closed] == ["c1"]
    assert (again.memory.mentions, lied.memory.retracted, nothing.changes) == (1, True, ())
    assert [change.memory_id for change in lied.changes] == ["c2", "c1"]
    assert beliefs["c1"].invalid_at is None
