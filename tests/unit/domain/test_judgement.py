"""What is done with a claim, in the words of the people who make it."""

import pytest
from hypothesis import given

from gieok.domain.attributes import attribute
from gieok.domain.claim import Brought
from gieok.domain.decision import Ignore, Reinforce, Remember, Retract, Supersede
from gieok.domain.judgement import Beliefs, judge
from gieok.errors import InvalidQuery
from gieok.testing import claim, day, memory, note
from support.rows import from_rows
from unit.domain.histories import NOW, POLICY, histories, moment, told, true_values

LATER = day(NOW + 500)


def likes(beliefs, at=LATER):
    return sorted(true_values(beliefs.all(), "likes", at))


def kinds(decisions):
    return [type(decision) for decision in decisions]


def animal(value, act="assert", **fields):
    return claim("likes", value, act=act, value_class="animal", **fields)


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


def test_a_new_age_supersedes_the_old_one_and_keeps_it_in_history():
    beliefs, decisions = told(claim("age", "25", id="c1"), claim("age", "26", id="c2"))
    assert kinds(decisions) == [Remember, Supersede]
    assert decisions[1].closed == (beliefs["c1"],)
    assert (beliefs["c1"].invalid_at, beliefs["c1"].closed_by) == (day(NOW + 1), "c2")
    assert true_values(beliefs.all(), "age", day(NOW + 0.5)) == ["25"]


def test_an_attribute_with_many_values_collects_them():
    beliefs, decisions = told(claim("allergy", "땅콩"), claim("allergy", "새우"))
    assert kinds(decisions) == [Remember, Remember]
    assert sorted(true_values(beliefs.all(), "allergy", LATER)) == ["땅콩", "새우"]


@pytest.mark.parametrize(
    ("first", "then"), [("likes", "dislikes"), ("dislikes", "likes"), ("favorite.animal", "dislikes")]
)
def test_the_opposite_closes_what_was_said_before(first, then):
    beliefs, decisions = told(
        claim(first, "고양이"), claim("hobby", "고양이"), claim(then, "토끼"), claim(then, "고양이")
    )
    assert kinds(decisions) == [Remember, Remember, Remember, Supersede]
    assert sorted(true_values(beliefs.all(), then, LATER)) == ["고양이", "토끼"]
    assert true_values(beliefs.all(), first, LATER) == []
    assert true_values(beliefs.all(), first, day(NOW + 2.5)) == ["고양이"]


def test_a_favourite_does_not_end_a_liking():
    beliefs, _ = told(claim("likes", "고양이"), claim("favorite.animal", "고양이"), claim("likes", "토끼"))
    assert likes(beliefs) == ["고양이", "토끼"]


def test_not_disliking_something_does_not_end_liking_it():
    beliefs, _ = told(claim("likes", "고양이"), claim("dislikes", "고양이", polarity="-"))
    assert likes(beliefs) == ["고양이"]


def test_no_longer_doing_something_closes_it():
    beliefs, decisions = told(claim("hobby", "수영"), claim("hobby", "수영", act="end", polarity="-"))
    assert isinstance(decisions[1], Supersede)
    assert true_values(beliefs.all(), "hobby", LATER) == []
    assert true_values(beliefs.all(), "hobby", day(NOW + 0.5)) == ["수영"]


def test_ending_what_was_never_known_of_a_single_value_is_ignored():
    _, (decision,) = told(claim("residence", "서울", act="end", polarity="-"))
    assert decision.why == "nothing_to_end"


def test_liking_dogs_more_these_days_closes_the_one_animal_and_not_the_food():
    beliefs, decisions = told(
        animal("고양이"), claim("likes", "떡볶이", value_class="food"), animal("강아지", act="prefer")
    )
    assert isinstance(decisions[2], Supersede)
    assert likes(beliefs) == ["강아지", "떡볶이"]
    assert likes(beliefs, day(NOW + 1.5)) == ["고양이", "떡볶이"]


def test_of_two_animals_it_closes_none():
    beliefs, _ = told(animal("고양이"), animal("토끼"), animal("강아지", act="prefer"))
    assert likes(beliefs) == ["강아지", "고양이", "토끼"]


def test_preferring_something_of_no_known_class_closes_nothing():
    beliefs, _ = told(claim("likes", "고양이"), claim("likes", "강아지", act="prefer"))
    assert likes(beliefs) == ["강아지", "고양이"]


def test_preferring_it_to_something_named_closes_just_that():
    beliefs, _ = told(animal("고양이"), animal("토끼"), animal("강아지", act="prefer", instead_of="토끼"))
    assert likes(beliefs) == ["강아지", "고양이"]


def test_preferring_something_already_liked_still_closes_the_other():
    beliefs, decisions = told(animal("강아지", id="c1"), animal("고양이"), animal("강아지", act="prefer"))
    assert likes(beliefs) == ["강아지"]
    assert isinstance(decisions[2], Supersede)
    assert beliefs["c1"].mentions == 1


def test_preferring_a_favourite_closes_the_old_favourite_once():
    old, new = ({"value_class": "animal", "id": name} for name in ("c1", "c2"))
    beliefs, decisions = told(
        claim("favorite.animal", "고양이", **old), claim("favorite.animal", "강아지", act="prefer", **new)
    )
    assert [change.memory_id for change in decisions[1].changes] == ["c2", "c1"]
    assert beliefs["c1"].version == 2


def test_yujin_was_never_the_name_and_yubin_always_was():
    beliefs, decisions = told(
        claim("name", "유진", id="c1", valid_at=day(1)),
        claim("name", "유빈", id="c2", act="correct", instead_of="유진"),
    )
    assert isinstance(decisions[1], Supersede)
    assert beliefs["c1"].retracted
    assert beliefs["c2"].valid_at == day(1)
    assert true_values(beliefs.all(), "name", day(2)) == ["유빈"]
    assert beliefs["c2"].known_at == day(NOW + 1)


def test_a_correction_keeps_what_the_mistake_had_closed_closed():
    beliefs, _ = told(
        claim("residence", "서울", id="c1", valid_at=day(1)),
        claim("residence", "부산", id="c2", valid_at=day(10)),
        claim("residence", "울산", id="c3", act="correct", instead_of="부산"),
    )
    assert (beliefs["c1"].closed_by, beliefs["c1"].invalid_at) == ("c3", day(10))
    assert true_values(beliefs.all(), "residence", LATER) == ["울산"]


def test_a_correction_among_many_values_takes_back_just_the_one_it_names():
    beliefs, _ = told(
        claim("allergy", "땅콩", id="c1"),
        claim("allergy", "새우"),
        claim("allergy", "호두", act="correct", instead_of="땅콩"),
    )
    assert sorted(true_values(beliefs.all(), "allergy", LATER)) == ["새우", "호두"]
    assert beliefs["c1"].retracted


def test_a_correction_to_something_known_takes_back_the_mistake():
    beliefs, _ = told(
        claim("allergy", "땅콩", id="c1"),
        claim("allergy", "호두"),
        claim("allergy", "호두", act="correct", instead_of="땅콩"),
    )
    assert true_values(beliefs.all(), "allergy", LATER) == ["호두"]
    assert beliefs["c1"].retracted


def test_a_correction_to_what_was_denied_leaves_no_denial_standing():
    beliefs, _ = told(
        claim("name", "유빈", polarity="-"),
        claim("name", "유진", id="c2"),
        claim("name", "유빈", id="c3", act="correct"),
    )
    current = [each for each in beliefs.all().values() if each.true_at(LATER)]
    assert [(each.value, each.polarity) for each in current] == [("유빈", "+")]
    assert beliefs["c2"].retracted


def test_a_lie_was_never_true_and_what_it_closed_is_open_again():
    beliefs, decisions = told(
        claim("residence", "서울", id="c1"),
        claim("residence", "부산", id="c2"),
        claim("residence", "부산", act="retract"),
    )
    assert isinstance(decisions[2], Retract)
    assert beliefs["c2"].retracted
    assert (beliefs["c1"].invalid_at, beliefs["c1"].closed_by) == (None, None)
    assert true_values(beliefs.all(), "residence", day(NOW + 1.5)) == ["서울"]


def test_a_lie_in_the_middle_gives_its_time_back_up_to_what_came_next():
    beliefs, _ = told(
        claim("residence", "서울", id="c1", valid_at=day(1)),
        claim("residence", "부산", id="c2", valid_at=day(10)),
        claim("residence", "제주", id="c3", valid_at=day(20)),
        claim("residence", "부산", act="retract", valid_at=day(15)),
    )
    assert (beliefs["c1"].invalid_at, beliefs["c1"].closed_by) == (day(20), "c3")


def test_a_denial_taken_back_does_not_reopen_what_has_been_replaced_since():
    beliefs, _ = told(
        claim("residence", "서울"),
        claim("residence", "서울", act="end", polarity="-"),
        claim("residence", "부산"),
        claim("residence", "서울", act="retract"),
    )
    assert true_values(beliefs.all(), "residence", LATER) == ["부산"]


def test_a_preference_taken_back_does_not_double_what_was_said_again_since():
    beliefs, _ = told(
        animal("고양이"), animal("강아지", act="prefer"), animal("고양이"), animal("강아지", act="retract")
    )
    assert likes(beliefs) == ["고양이"]


def test_what_ended_by_itself_stays_ended_when_its_successor_is_taken_back():
    beliefs, _ = told(
        claim("residence", "부산", valid_at=day(50)),
        claim("residence", "서울", id="c2", valid_at=day(1), invalid_at=day(10)),
        claim("residence", "부산", act="retract"),
    )
    assert beliefs["c2"].invalid_at == day(10)
    assert true_values(beliefs.all(), "residence", LATER) == []


def test_there_is_nothing_to_take_back_when_nothing_was_said():
    _, (decision,) = told(claim("residence", "부산", act="retract"))
    assert decision.why == "nothing_to_retract"


@pytest.mark.parametrize("act", ["assert", "correct", "retract"])
def test_the_character_cannot_overrule_what_the_user_said_of_themself(act):
    value = "유진" if act == "retract" else "유빈"
    beliefs, decisions = told(claim("name", "유진"), claim("name", value, speaker="character", act=act))
    assert decisions[1].why == "knows_better"
    assert true_values(beliefs.all(), "name", LATER) == ["유진"]


def test_the_user_overrules_what_the_character_said_of_them():
    beliefs, _ = told(claim("name", "유진", speaker="character"), claim("name", "유빈"))
    assert true_values(beliefs.all(), "name", LATER) == ["유빈"]


def test_somebody_elses_word_on_themself_counts_more_than_the_users():
    father = {"subject": "other", "subject_id": "아빠"}
    _, decisions = told(claim("job", "의사", speaker="아빠", **father), claim("job", "교사", **father))
    assert decisions[1].why == "knows_better"


def test_what_is_said_in_passing_does_not_change_where_somebody_was_born():
    _, decisions = told(claim("hometown", "부산", certainty=0.9), claim("hometown", "잠실", certainty=0.7))
    assert decisions[1].why == "less_certain"


@from_rows
def test_what_is_told_plainly_or_as_a_change_or_may_change_does(attribute, later):
    _, decisions = told(claim(attribute, "하나", certainty=0.9), claim(attribute, "둘", **later))
    assert isinstance(decisions[1], Supersede)


def test_two_things_said_in_passing_replace_each_other():
    _, decisions = told(claim("hometown", "부산", certainty=0.7), claim("hometown", "잠실", certainty=0.7))
    assert isinstance(decisions[1], Supersede)


@pytest.mark.parametrize("act", ["assert", "retract"])
def test_a_doubtful_claim_does_not_overrule_a_trusted_one(act):
    value = "서울" if act == "retract" else "부산"
    beliefs, decisions = told(claim("residence", "서울"), claim("residence", value, certainty=0.4, act=act))
    assert decisions[1].why == "less_certain"
    assert true_values(beliefs.all(), "residence", LATER) == ["서울"]


def test_a_doubtful_claim_does_overrule_a_doubtful_one():
    beliefs, _ = told(claim("residence", "서울", certainty=0.4), claim("residence", "부산", certainty=0.4))
    assert true_values(beliefs.all(), "residence", LATER) == ["부산"]


def test_a_person_who_corrects_outright_overrules_anybody():
    beliefs, _ = told(claim("name", "유진"), claim("name", "유빈", speaker="character", certainty=0.1, origin="person"))
    assert true_values(beliefs.all(), "name", LATER) == ["유빈"]


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


def test_the_same_value_told_for_an_earlier_day_makes_the_memory_older():
    beliefs, decisions = told(claim("residence", "서울", id="c1"), claim("residence", "서울", valid_at=day(5)))
    assert isinstance(decisions[1], Reinforce)
    assert (beliefs["c1"].valid_at, beliefs["c1"].known_at) == (day(5), day(NOW))


def test_pinned_is_what_belongs_into_every_context():
    beliefs, _ = told(
        claim("allergy", "땅콩", id="allergy"),
        claim("name", "민수", id="name"),
        claim("likes", "고양이", id="likes"),
        claim("allergy", "새우", id="denied", polarity="-"),
        claim("name", "나비", id="other", subject="other", subject_id="나비"),
    )
    assert {each.id for each in beliefs.all().values() if each.pinned} == {"allergy", "name"}


@pytest.mark.parametrize(
    ("said", "kind"),
    [
        (claim("likes", "고양이"), "semantic"),
        (claim("event", "소풍"), "episodic"),
        (note("소풍을 갔다"), "episodic"),
        (note("엄청 울었다", emotion_intensity=0.9), "emotional"),
        (claim("event", "이별", emotion_intensity=0.9), "emotional"),
        (claim("likes", "고양이", emotion_intensity=0.9), "semantic"),
        (note("평화로운 마을이다", content_type="fact"), "semantic"),
    ],
)
def test_how_a_memory_fades_follows_from_what_it_is(said, kind):
    beliefs, _ = told(said)
    assert beliefs[said.id].kind == kind


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


def test_a_change_that_names_no_old_value_closes_the_only_one():
    beliefs, _ = told(claim("part_time_job", "빵집"), claim("part_time_job", "서점", act="prefer"))
    assert list(true_values(beliefs.all(), "part_time_job", LATER)) == ["서점"]

    beliefs, _ = told(claim("hobby", "낚시"), claim("hobby", "캠핑"), claim("hobby", "체스", act="prefer"))
    assert sorted(true_values(beliefs.all(), "hobby", LATER)) == ["낚시", "체스", "캠핑"]


def by_model(attribute, value, **fields):
    return claim(attribute, value, origin="model", certainty=0.6, **fields)


@pytest.mark.parametrize("origin", ["rule", "person", "import"])
def test_a_models_reading_does_not_overrule_what_was_told(origin):
    beliefs, decisions = told(claim("residence", "서울", origin=origin, id="c1"), by_model("residence", "부산"))
    assert (kinds(decisions), decisions[1].why) == ([Remember, Ignore], "less_certain")
    assert true_values(beliefs.all(), "residence", LATER) == ["서울"]


def test_a_models_reading_of_an_older_turn_does_not_stand_before_what_was_told_since():
    beliefs, _ = told(claim("residence", "서울"))
    (decision,) = judge([by_model("residence", "부산")], beliefs, moment(NOW - 5), POLICY)
    assert (type(decision), decision.why) == (Ignore, "less_certain")


def test_words_that_say_it_changed_let_a_model_overrule_what_was_told_before_but_not_since():
    beliefs, decisions = told(claim("residence", "서울", id="c1"), by_model("residence", "부산", act="prefer"))
    assert kinds(decisions) == [Remember, Supersede]
    assert true_values(beliefs.all(), "residence", LATER) == ["부산"]
    assert beliefs["c1"].retracted is False

    beliefs, _ = told(claim("residence", "서울"))
    (decision,) = judge([by_model("residence", "부산", act="prefer")], beliefs, moment(NOW), POLICY)
    assert (type(decision), decision.why) == (Ignore, "less_certain")


def test_one_reading_of_a_model_gives_way_to_the_next_and_to_a_rule():
    beliefs, decisions = told(
        by_model("residence", "서울"), by_model("residence", "부산"), claim("residence", "제주", certainty=0.9)
    )
    assert kinds(decisions) == [Remember, Supersede, Supersede]
    assert true_values(beliefs.all(), "residence", LATER) == ["제주"]


def test_what_a_rule_reads_too_is_no_longer_a_models_reading_alone():
    beliefs, decisions = told(
        by_model("residence", "서울", id="c1"), claim("residence", "서울"), by_model("residence", "부산")
    )
    assert kinds(decisions) == [Remember, Reinforce, Ignore]
    assert beliefs["c1"].origin == "rule"


def test_a_model_may_tell_what_is_over_beside_what_holds():
    beliefs, decisions = told(claim("residence", "서울"), by_model("residence", "부산", invalid_at=day(NOW + 1)))
    assert kinds(decisions) == [Remember, Remember]
    assert true_values(beliefs.all(), "residence", LATER) == ["서울"]


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
