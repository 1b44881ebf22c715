"""What may be asked for, what a certificate tells, and how words leave what is kept beside them."""

from dataclasses import replace

import pytest

from gieok.domain.claim import Brought
from gieok.domain.entity import Face
from gieok.domain.erasure import (
    BLANK,
    EVERYTHING,
    NO_THOUGHT,
    ErasurePart,
    Words,
    checked_erasure,
    checked_part,
    erased_operation,
    issued_certificate,
    memory_without,
    new_certificate,
    operation_without,
    request_without,
    value_without,
)
from gieok.domain.memory import Hold, Provisions, Retention, checked_days, is_over
from gieok.domain.model_conclusions import Evidence, Insight, Retelling
from gieok.domain.operation import Amend, Arrive, Erased, Learn, Think
from gieok.domain.scene import Scene
from gieok.domain.scope import Scope
from gieok.errors import InvalidQuery
from gieok.testing import day
from gieok.testing.builders import WALL, claim
from unit.domain.histories import told

LETIA = Scope(user="민수", character="레티아")


def test_a_user_or_a_character_has_to_be_named():
    for names in ({}, {"world": "학교"}):
        with pytest.raises(InvalidQuery, match="nothing was erased"):
            checked_erasure(None, **{"user": None, "character": None, "world": None} | names, part=EVERYTHING)
    asked = checked_erasure(None, user="민수", character=None, world=None, part=EVERYTHING)
    assert asked.holds(LETIA)
    assert not asked.holds(Scope(character="레티아"))
    one = checked_erasure(Scope(user="민수"), user=None, character=None, world=None, part=EVERYTHING)
    assert not one.holds(LETIA)


def test_a_part_is_narrowed_by_what_is_given_and_compared_in_small_composed_letters():
    part = checked_part(matching=" Cafe\u0301 ", since=day(1), until=day(2))
    assert part.matching == "café"
    assert (part.is_all, ErasurePart().is_all) == (False, True)
    assert [part.covers(day(each)) for each in (0.5, 1, 1.5, 2)] == [False, True, True, False]
    since, until = checked_part(since=day(1)), checked_part(until=day(2))
    assert [(since.covers(day(each)), until.covers(day(each))) for each in (0, 9)] == [(False, True), (True, False)]


def test_a_certificate_is_intact_only_once_proven_and_only_as_it_was():
    drawn = new_certificate(
        id="1", at=WALL, by="민수", salt="s", scope=LETIA, part=ErasurePart(turn="t1"), counts={"turns": 1}
    )
    assert not drawn.intact
    given_out = issued_certificate(drawn, at=WALL, means="VACUUM")
    assert given_out.intact
    for other in ({"by": "지영"}, {"counts": {"turns": 2}}, {"means": ""}, {"asked": {}}):
        assert not replace(given_out, **other).intact
    assert given_out.is_about(LETIA)
    assert not given_out.is_about(Scope(user="민수"))
    assert "t1" not in given_out.asked.values()


def test_claims_notes_and_topics_go_with_their_words_and_the_rest_stays():
    words = Words(rare=["보라색우산"])
    learn = Learn(claims=(claim("likes", "고양이", id="c1"), claim("likes", "보라색우산", id="c2")), used=("m1",))
    assert [each.id for each in request_without(learn, words).claims] == ["c1"]
    assert request_without(learn, Words(), gone={"c1", "m1"}) == replace(learn, claims=learn.claims[1:], used=())
    scene = Scene(
        id="s", started_at=WALL, last_at=WALL, first_turn=1, last_turn=1, place="보라색우산 가게",
        counts=(("고양이", 2), ("보라색우산", 1)),
    )  # fmt: skip
    assert value_without(scene, words) == replace(scene, place=None, counts=(("고양이", 2),))


def test_a_sentence_that_rules_worded_goes_only_by_exact_words():
    told = claim("likes", "고양이", id="c1", content="고양이를 좋아함")
    assert request_without(Learn(claims=(told,)), Words(rare=["좋아함"])).claims == (told,)
    assert request_without(Learn(claims=(told,)), Words(exact=["좋아함"])).claims == ()


def test_thoughts_keep_their_numbers_when_one_goes():
    grounds = (Evidence(memory_id="a", words="x"), Evidence(memory_id="b", words="y"))
    kept = Insight(content="동물을 좋아한다", about="동물", grounds=grounds[1:] * 2)
    think = Think(
        insights=(Insight(content="둘 다", about="둘", grounds=grounds), kept),
        retellings=(Retelling(content="그때", ground=grounds[0]),),
    )
    assert request_without(think, Words(), gone={"a"}) == Think(insights=(NO_THOUGHT, kept))
    assert request_without(think, Words(rare=["동물"])).insights == (think.insights[0], NO_THOUGHT)


def test_a_correction_of_what_is_gone_leaves_a_husk():
    assert request_without(Amend(memory_id="a", content="새 말"), Words(), gone={"a"}) == Erased()
    assert request_without(Amend(memory_id="b", content="새 말"), Words(rare=["새 말"])) == Erased()


def test_what_is_laid_down_for_a_scope_overrules_the_bank_and_a_hold_both():
    usual = {"note": 30.0, "event": 10.0}
    own = Retention(days={"note": 0.0, "fact": 5.0})
    assert Provisions().days(usual) == usual
    assert Provisions(retention=own).days(usual) == {"event": 10.0, "fact": 5.0}
    held = Provisions(retention=own, hold=Hold(since=WALL, by="법무팀"))
    assert held.days(usual) == {}
    assert held.laid_down(usual) == {"event": 10.0, "fact": 5.0}
    assert checked_days({"note": None, "event": 3}) == Retention(days={"note": 0.0, "event": 3.0})


def test_husks_and_blanks_hold_no_words(memory_of):
    memory = memory_of("보라색우산을 좋아함", attribute="likes", value="보라색우산", interpretation="우산이 좋은가 봐")
    bare = memory_without(memory, Words(rare=["보라색우산", "우산이"]))
    assert (bare.content, bare.value, bare.interpretation) == (BLANK, None, None)
    assert is_over(memory, day(40), {"preference": 30})
    assert not is_over(memory, day(20), {"preference": 30})
    assert not is_over(memory, day(40), {"event": 30})
    assert memory_without(memory, Words(rare=["고양이"])) == memory


@pytest.fixture
def memory_of():
    from gieok.testing.builders import memory

    def make(content, **fields):
        return replace(memory("m1"), content=content, content_type="preference", known_at=day(1), **fields)

    return make


def test_of_several_decisions_those_on_what_is_gone_go(operation):
    _, decisions = told(claim("likes", "고양이", id="c1"), claim("likes", "보라색우산", id="c2"))
    changes = tuple(change for each in decisions for change in each.changes)
    claims = tuple(each.claim for each in decisions)
    done = replace(operation, request=Learn(claims=claims), decisions=tuple(decisions), changes=changes)
    left = operation_without(done, Words(rare=["보라색우산"]))
    assert [each.claim.id for each in left.decisions] == [each.memory_id for each in left.changes] == ["c1"]
    assert left.request == Learn(claims=claims[:1])


def test_an_operation_without_words_is_left_as_it_was(operation):
    assert operation_without(operation, Words(rare=["보라색우산"])) == operation
    assert erased_operation(erased_operation(operation)) == erased_operation(operation)
    assert erased_operation(operation).request == Erased()


@pytest.fixture
def operation():
    from gieok.domain.judgement import Moment
    from gieok.domain.operation import Operation

    moment = Moment(at=day(1), recorded_at=WALL, turn_number=1, channel="카톡")
    return Operation(id="o1", kind="observe", moment=moment, who="rules/1", request=Learn(), turn_id="t1", number=3)


def test_what_moved_in_loses_the_words_that_go():
    words = Words(exact=["하늘봇", "비밀"])
    sky = Face(name="하늘봇", first_seen=day(1), last_seen=day(2))
    sea = Face(name="바다봇", summary="비밀을 안다", first_seen=day(1), last_seen=day(2))
    assert request_without(Arrive(person=sky), words) == Arrive()
    assert request_without(Arrive(person=sea), words) == Arrive(person=replace(sea, summary=""))
    told = claim("likes", "고양이", brought=Brought(uses=3, interpretation="비밀이다"))
    left = request_without(Learn(claims=(told,)), words)
    assert left == Learn(claims=(replace(told, brought=Brought(uses=3)),))
