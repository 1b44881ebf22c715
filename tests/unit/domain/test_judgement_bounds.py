"""Where one judgement ends and the next begins: moments that meet, scores on the threshold, and who is meant."""

import pytest

from gieok.domain.decision import Ignore, Remember, Retract, Supersede
from gieok.domain.judgement import Beliefs, Moment, Policy, judge
from gieok.domain.promotion import PromotionWeights
from gieok.testing import claim, day, memory, note
from gieok.testing.builders import WALL
from support.rows import from_rows
from unit.domain.histories import NOW, POLICY, moment, told, true_values

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
    known = memory(attribute="residence", value="서울", origin="rule")
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
