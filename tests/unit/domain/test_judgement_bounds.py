"""Where one judgement ends and the next begins: moments that meet, scores on the threshold, and who is meant."""

import pytest

from gieok.domain.decision import Ignore, Reinforce, Remember, Retract, Supersede
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


def test_what_was_once_so_and_is_so_again_is_a_memory_of_its_own():
    beliefs, decisions = told(
        lived("서울", 1, id="c1"), lived("부산", 10, id="c2"), lived("서울", 20, id="c3"), lived("서울", 25)
    )
    assert [type(each) for each in decisions] == [Remember, Supersede, Supersede, Reinforce]
    assert decisions[3].memory.id == "c3"
    assert (beliefs["c1"].invalid_at, beliefs["c1"].version) == (day(10), 2)
    assert (beliefs["c2"].invalid_at, beliefs["c2"].closed_by) == (day(20), "c3")


def test_what_is_said_again_at_its_very_end_begins_anew():
    beliefs, decisions = told(lived("서울", 1, 10, id="c1"), lived("서울", 10, id="c2"))
    assert isinstance(decisions[1], Remember)
    beliefs, decisions = told(lived("서울", 1, 10, id="c1"), lived("서울", 9))
    assert isinstance(decisions[1], Reinforce)
    assert beliefs["c1"].valid_at == day(1)


def test_the_same_of_an_earlier_day_reaches_back_over_what_came_after_but_not_over_what_lay_between():
    beliefs, decisions = told(lived("서울", 10, id="c1"), lived("부산", 20), lived("서울", 5))
    assert isinstance(decisions[2], Reinforce)
    assert beliefs["c1"].valid_at == day(5)

    beliefs, decisions = told(lived("부산", 4, id="c0"), lived("서울", 10, id="c1"), lived("서울", 5, id="c2"))
    assert isinstance(decisions[2], Supersede)
    assert (beliefs["c1"].valid_at, beliefs["c2"].invalid_at) == (day(10), day(10))


def test_what_ended_just_when_it_was_told_lay_not_between():
    beliefs, decisions = told(lived("부산", 1, 5), lived("서울", 10, id="c1"), lived("서울", 5))
    assert isinstance(decisions[2], Reinforce)
    assert beliefs["c1"].valid_at == day(5)
    beliefs, decisions = told(lived("부산", 1, 10), lived("서울", 10, id="c1"), lived("서울", 5, id="c2"))
    assert isinstance(decisions[2], Supersede)


@pytest.mark.parametrize(("until", "end", "closer"), [(5, 5, None), (10, 10, None), (15, 10, "c1"), (None, 10, "c1")])
def test_an_older_truth_ends_by_itself_or_where_the_newer_begins(until, end, closer):
    beliefs, _ = told(lived("부산", 10, id="c1"), lived("서울", 1, until, id="c2"))
    assert (beliefs["c2"].invalid_at, beliefs["c2"].closed_by) == (day(end), closer)


@pytest.mark.parametrize(("until", "resumed"), [(None, [None]), (40, [40]), (30, []), (25, [])])
def test_what_was_only_interrupted_goes_on_after_it_until_its_own_end(until, resumed):
    beliefs, decisions = told(lived("서울", 1, until, id="c1"), lived("부산", 20, 30, id="c2"))
    assert isinstance(decisions[1], Supersede)
    assert (beliefs["c1"].invalid_at, beliefs["c1"].closed_by) == (day(20), "c2")
    again = [each for id, each in beliefs.all().items() if id.startswith("c2+")]
    assert [each.invalid_at for each in again] == [each and day(each) for each in resumed]
    assert all((each.id, each.value, each.valid_at, each.version) == ("c2+0", "서울", day(30), 1) for each in again)


def test_what_is_liked_more_for_a_while_interrupts_nothing():
    beliefs, _ = told(
        claim("likes", "고양이", value_class="animal"),
        claim("likes", "강아지", value_class="animal", act="prefer", invalid_at=day(NOW + 9)),
    )
    assert true_values(beliefs.all(), "likes", LATER) == []


def test_what_is_over_when_it_is_told_closes_nothing_and_what_lasts_does():
    beliefs, decisions = told(lived("서울", 1), lived("부산", 20, 20))
    assert isinstance(decisions[1], Remember)
    assert where(beliefs, 20) == ["서울"]
    beliefs, decisions = told(lived("서울", 1), lived("부산", 20, 21))
    assert where(beliefs, 20) == ["부산"]


def test_what_was_over_and_is_told_again_is_the_same_but_not_what_still_holds():
    _, decisions = told(lived("부산", 2, 2, id="c1"), lived("부산", 5, 5))
    assert isinstance(decisions[1], Reinforce)
    assert decisions[1].memory.id == "c1"
    _, decisions = told(lived("부산", 2), lived("부산", 20, 20))
    assert isinstance(decisions[1], Remember)


def test_ending_a_single_value_closes_it_and_ending_an_unknown_one_of_many_is_kept_as_a_denial():
    beliefs, decisions = told(claim("residence", "서울"), claim("residence", "서울", act="end", polarity="-"))
    assert isinstance(decisions[1], Supersede)
    assert true_values(beliefs.all(), "residence", LATER) == []
    _, (decision,) = told(claim("hobby", "수영", act="end", polarity="-"))
    assert isinstance(decision, Remember)


@pytest.mark.parametrize("first", ["+", "-"])
def test_not_to_live_somewhere_says_nothing_of_living_elsewhere(first):
    said = [claim("residence", "서울", polarity="-"), claim("residence", "부산")]
    beliefs, decisions = told(*(said if first == "-" else reversed(said)))
    assert [type(each) for each in decisions] == [Remember, Remember]
    assert all(each.true_at(LATER) for each in beliefs.all().values())


def test_preferring_it_to_something_closes_neither_a_hobby_of_that_name_nor_a_denial():
    beliefs, _ = told(
        claim("hobby", "토끼", id="hobby"),
        claim("likes", "토끼", id="denial", polarity="-"),
        claim("likes", "강아지", act="prefer", instead_of="토끼"),
    )
    assert beliefs["hobby"].true_at(LATER)
    assert beliefs["denial"].true_at(LATER)


def test_a_correction_that_names_nothing_takes_back_none_of_many():
    beliefs, _ = told(claim("allergy", "땅콩"), claim("allergy", "호두", act="correct"))
    assert sorted(true_values(beliefs.all(), "allergy", LATER)) == ["땅콩", "호두"]


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


def test_hearsay_replaces_hearsay():
    _, decisions = told(
        claim("residence", "서울", speaker="character"), claim("residence", "부산", speaker="character")
    )
    assert isinstance(decisions[1], Supersede)


@pytest.mark.parametrize(
    ("certainty", "known", "why"), [(0.49, 0.8, "less_certain"), (0.5, 0.8, None), (0.49, 0.79, None)]
)
def test_doubt_begins_below_a_half_and_trust_at_four_fifths(certainty, known, why):
    _, decisions = told(claim("residence", "서울", certainty=known), claim("residence", "부산", certainty=certainty))
    assert getattr(decisions[1], "why", None) == why


def test_of_a_lifelong_fact_four_fifths_are_as_good_as_certain():
    _, decisions = told(claim("hometown", "서울"), claim("hometown", "부산", certainty=0.8))
    assert isinstance(decisions[1], Supersede)
    _, decisions = told(claim("hometown", "서울"), claim("hometown", "부산", certainty=0.79))
    assert decisions[1].why == "less_certain"


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


def test_what_a_lie_had_closed_ends_only_where_something_later_speaks_against_it():
    beliefs, _ = told(
        lived("제주", 0.5),
        lived("서울", 1, id="c1"),
        lived("부산", 10),
        claim("age", "25", valid_at=day(12)),
        lived("부산", 15, act="retract"),
    )
    assert (beliefs["c1"].invalid_at, beliefs["c1"].closed_by) == (None, None)


def test_two_truths_of_the_same_moment_do_not_close_themselves_when_one_is_taken_back():
    beliefs, _ = told(lived("서울", 1, id="c1"), lived("부산", 1), lived("부산", 1, act="retract"))
    assert (beliefs["c1"].invalid_at, beliefs["c1"].closed_by) == (None, None)


def test_what_was_said_again_in_the_moment_it_was_closed_stands_once():
    beliefs, _ = told(
        claim("likes", "고양이", value_class="animal", valid_at=day(1)),
        claim("likes", "강아지", value_class="animal", valid_at=day(10), act="prefer"),
        claim("likes", "고양이", value_class="animal", valid_at=day(10)),
        claim("likes", "강아지", value_class="animal", act="retract"),
    )
    assert true_values(beliefs.all(), "likes", LATER) == ["고양이"]


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


def test_a_source_is_named_once_and_only_where_there_is_one():
    beliefs, _ = told(
        claim("likes", "차", id="c1", source_id="u1"),
        claim("likes", "차", source_id="u1"),
        claim("likes", "차"),
        claim("likes", "비", id="c2"),
    )
    assert (beliefs["c1"].sources, beliefs["c1"].mentions, beliefs["c2"].sources) == (("u1",), 2, ())


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
