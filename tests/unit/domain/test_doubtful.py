"""What becomes of a claim that its reader could not be sure of, and what a firm one makes of it."""

import pytest

from gieok.domain.apply import OperationApplier, WorkingState
from gieok.domain.decision import Ignore, Reinforce, Remember, Retract, Supersede
from gieok.domain.judgement import Beliefs, judge
from gieok.domain.noticed import Noticed
from gieok.domain.operation import Amend, Confirm, Learn, Operation, Pin, Reject, Restore
from gieok.testing import claim, day, note
from unit.domain.histories import NOW, POLICY, moment


def told(*claims, beliefs=None):
    """Judge `claims`, each in a turn and on a day of its own; return what is believed then, and the decisions."""
    known = beliefs or Beliefs()
    turns = enumerate(claims)
    return known, [judge([each], known, moment(NOW + n, turn_number=n + 1), POLICY)[0] for n, each in turns]


def maybe(attribute, value, **fields):
    return claim(attribute, value, doubtful=True, **fields)


def current(beliefs, attribute):
    found = (each for each in beliefs.all().values() if each.attribute == attribute and each.true_at(day(NOW + 50)))
    return sorted((each.value, each.doubtful) for each in found)


def test_a_doubtful_claim_is_remembered_as_doubtful_and_not_pinned():
    beliefs, (decision,) = told(maybe("allergy", "땅콩", id="c1"))
    assert isinstance(decision, Remember)
    assert (beliefs["c1"].doubtful, beliefs["c1"].pinned) == (True, False)


@pytest.mark.parametrize(
    ("known", "said"),
    [
        (claim("residence", "서울"), maybe("residence", "부산")),
        (claim("residence", "서울"), maybe("residence", "부산", act="correct", instead_of="서울")),
        (claim("likes", "고양이"), maybe("likes", "고양이", polarity="-")),
        (claim("likes", "고양이"), maybe("likes", "고양이", polarity="-", act="end")),
        (claim("likes", "고양이"), maybe("dislikes", "고양이")),
        (claim("likes", "고양이"), maybe("likes", "강아지", act="prefer", instead_of="고양이")),
    ],
)
def test_a_doubtful_claim_stands_beside_the_firm_memory_that_it_speaks_against(known, said):
    beliefs, (first, second) = told(known, said)
    assert isinstance(second, Remember)
    assert second.memory.doubtful
    assert beliefs[first.memory.id] == first.memory


def test_a_doubtful_retraction_takes_nothing_back():
    beliefs, (first, second) = told(claim("residence", "서울"), maybe("residence", "서울", act="retract"))
    assert (type(second), second.why) == (Ignore, "doubtful")
    assert beliefs[first.memory.id] == first.memory


def test_a_doubtful_claim_reinforces_a_firm_memory_that_says_the_same():
    beliefs, (_, again) = told(claim("residence", "서울", id="c1"), maybe("residence", "서울"))
    assert isinstance(again, Reinforce)
    assert (beliefs["c1"].mentions, beliefs["c1"].doubtful, beliefs["c1"].pinned) == (1, False, True)


@pytest.mark.parametrize("again", [claim, maybe])
def test_said_again_in_another_turn_a_doubtful_memory_is_firm_and_pinned_by_its_attribute(again):
    beliefs, _ = told(
        maybe("residence", "서울", id="c1", source_id="t1/0"), again("residence", "서울", source_id="t2/0")
    )
    assert (beliefs["c1"].doubtful, beliefs["c1"].pinned, beliefs["c1"].mentions) == (False, True, 1)


@pytest.mark.parametrize(("again", "doubtful"), [(maybe, True), (claim, False)])
def test_in_the_same_turn_only_a_firm_reading_confirms_a_doubtful_one(again, doubtful):
    beliefs = Beliefs()
    said = [maybe("residence", "서울", id="c1", source_id="t1/0"), again("residence", "서울", source_id="t1/1")]
    judge(said, beliefs, moment(), POLICY)
    assert beliefs["c1"].doubtful is doubtful


def test_the_same_words_read_again_later_confirm_nothing():
    beliefs, _ = told(*(maybe("residence", "서울", id=id, source_id="t1/0") for id in ("c1", "c2")))
    assert beliefs["c1"].doubtful


def test_repeated_doubt_does_not_stand_up_against_a_firm_memory():
    beliefs, _ = told(claim("residence", "서울"), *(maybe("residence", "부산", id=f"c{n}") for n in range(3)))
    assert current(beliefs, "residence") == [("부산", True), ("서울", False)]
    assert beliefs["c0"].mentions == 2


def test_a_firm_claim_that_says_the_same_confirms_it_and_closes_the_other_value_since_then():
    beliefs, decisions = told(
        claim("residence", "서울", id="seoul"), maybe("residence", "부산", id="busan"), claim("residence", "부산")
    )
    assert isinstance(decisions[-1], Supersede)
    assert current(beliefs, "residence") == [("부산", False)]
    assert (beliefs["seoul"].invalid_at, beliefs["seoul"].closed_by) == (day(NOW + 1), "busan")


@pytest.mark.parametrize("since", [None, day(NOW - 50)])
def test_a_firm_claim_of_another_value_closes_a_doubtful_one(since):
    beliefs, _ = told(maybe("residence", "부산", id="busan"), claim("residence", "서울", id="seoul", valid_at=since))
    assert current(beliefs, "residence") == [("서울", False)]
    assert (beliefs["seoul"].invalid_at, beliefs["busan"].closed_by) == (None, "seoul")


def test_no_doubtful_memory_keeps_a_less_certain_claim_from_being_believed():
    beliefs, _ = told(
        maybe("residence", "부산", certainty=1.0), claim("residence", "서울", certainty=0.4, origin="model")
    )
    assert current(beliefs, "residence") == [("서울", False)]


def test_a_retraction_takes_a_doubtful_memory_back():
    _, (_, decision) = told(maybe("residence", "부산"), claim("residence", None, act="retract"))
    assert isinstance(decision, Retract)
    assert decision.memory.retracted


def test_what_a_retracted_value_had_closed_is_open_again_whatever_is_doubtful():
    beliefs, _ = told(
        claim("residence", "서울"),
        claim("residence", "제주"),
        maybe("residence", "부산"),
        claim("residence", "제주", act="retract"),
    )
    assert current(beliefs, "residence") == [("부산", True), ("서울", False)]


def test_a_doubtful_sentence_without_an_attribute_is_confirmed_when_it_is_said_again():
    beliefs = Beliefs(similarity={("c2", "c1"): 0.9})
    told(note("한강에서 넘어졌다", id="c1", doubtful=True), note("한강에서 넘어졌다", id="c2"), beliefs=beliefs)
    assert (beliefs["c1"].doubtful, beliefs["c1"].mentions) == (False, 1)


def test_what_is_near_a_doubtful_sentence_is_no_less_news():
    firm = note("한강에서 자전거를 탔다", id="c2", importance=0.6)
    near = Beliefs(similarity={("c2", "c1"): 0.7})
    _, decisions = told(note("한강에서 넘어졌다", id="c1", doubtful=True), firm, beliefs=near)
    assert isinstance(decisions[1], Remember)


def edited(request, *claims):
    """Return what is believed after `claims` and an edit, and the operation that edited."""
    beliefs, _ = told(*claims)
    asked = Operation(id="edit", kind="confirm", moment=moment(NOW + 20), who="person", request=request)
    return beliefs, OperationApplier().carried_out(asked, WorkingState(beliefs=beliefs))


BUSAN = maybe("residence", "부산", id="busan")


def test_confirming_makes_a_memory_firm_and_pinned_and_closes_what_cannot_be_true_beside_it():
    beliefs, _ = edited(Confirm(memory_id="busan"), claim("residence", "서울", id="seoul"), BUSAN)
    assert current(beliefs, "residence") == [("부산", False)]
    assert (beliefs["busan"].pinned, beliefs["busan"].certainty) == (True, 1.0)
    assert (beliefs["seoul"].invalid_at, beliefs["seoul"].closed_by) == (day(NOW + 1), "busan")


def test_rejecting_says_that_it_was_never_true():
    beliefs, _ = edited(Reject(memory_id="busan"), claim("residence", "서울"), BUSAN)
    assert beliefs["busan"].retracted
    assert current(beliefs, "residence") == [("서울", False)]


@pytest.mark.parametrize("request_", [Confirm(memory_id="c1"), Reject(memory_id="c1")], ids=["confirm", "reject"])
def test_a_firm_memory_is_neither_confirmed_nor_rejected(request_):
    _, done = edited(request_, claim("residence", "서울", id="c1"))
    assert done.changes == ()


def test_a_doubtful_memory_cannot_be_pinned():
    beliefs, _ = edited(Pin(memory_id="busan", pinned=True), BUSAN)
    assert not beliefs["busan"].pinned


def test_a_person_who_corrects_a_doubtful_memory_vouches_for_it():
    beliefs, _ = edited(
        Amend(memory_id="busan", content="부산 해운대에 삶", value="해운대"), claim("residence", "서울"), BUSAN
    )
    assert current(beliefs, "residence") == [("해운대", False)]


def test_a_memory_that_is_restored_to_what_it_was_in_doubt_closes_nothing():
    doubtful, _ = told(BUSAN)
    beliefs, _ = edited(
        Restore(memory_id="busan", to=doubtful["busan"]), BUSAN, claim("residence", "부산"), claim("residence", "서울")
    )
    assert current(beliefs, "residence") == [("서울", False)]
    assert beliefs["busan"].doubtful


def test_telling_something_doubtful_brings_nobody_closer():
    def closer(said):
        request = Learn(claims=(said,), noticed=Noticed())
        asked = Operation(id="o1", kind="observe", moment=moment(), who="person", request=request)
        done = OperationApplier().carried_out(asked, WorkingState())
        return {cause.name for move in done.moves for cause in move.causes}

    assert closer(claim("residence", "서울")) - closer(BUSAN) == {"self_disclosure"}
