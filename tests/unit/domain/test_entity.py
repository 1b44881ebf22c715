"""People are met, judged, merged and taken apart again."""

import json
from dataclasses import asdict, replace
from datetime import UTC, datetime, timedelta

import pytest

from gieok.domain.entity import Entity, Face, PeopleRules, entity_id, merged, met, most_frequent, split
from gieok.domain.judgement import Moment
from gieok.domain.noticed import Mention
from gieok.domain.record import from_record, to_record

START = datetime(2026, 3, 2, 19, tzinfo=UTC)


def moment(turn: int, channel: str | None = None) -> Moment:
    at = START + timedelta(hours=turn)
    return Moment(at=at, recorded_at=at, turn_number=turn, channel=channel)


def after(*mentions: Mention, entity: Entity | None = None, first_turn: int = 1) -> Entity:
    for turn, mention in enumerate(mentions, first_turn):
        entity = met(entity, mention, moment(turn))
    assert entity is not None
    return entity


JIHUN = Mention(name="지훈")
PRAISED = Mention(name="지훈", valence=0.8)
BLAMED = Mention(name="지훈", valence=-0.8)


def test_somebody_just_met_is_neutral_with_half_of_the_trust():
    jihun = after(JIHUN)

    assert (jihun.name, jihun.display_name, jihun.kind, jihun.interactions) == ("지훈", "지훈", "person", 1)
    assert (jihun.sentiment, jihun.sentiment_label(), jihun.trust) == (0.0, "neutral", 50.0)
    assert jihun.first_seen == jihun.last_seen == START + timedelta(hours=1)


def test_an_id_depends_on_channel_and_name_alone():
    assert after(JIHUN).id == entity_id("지훈")
    assert entity_id("지훈", "디스코드") != entity_id("지훈")
    assert entity_id("b", "a:") != entity_id(":b", "a")
    assert entity_id("", "a") != entity_id("a", "")


def test_the_same_name_in_another_channel_is_somebody_else():
    here = met(None, JIHUN, moment(1, "chat"))
    there = met(None, JIHUN, moment(1, "discord"))

    assert here.id != there.id
    assert there.goes_by("지훈", "discord")
    assert not there.goes_by("지훈")


def test_a_turn_counts_once_however_often_it_names_somebody():
    jihun = met(after(JIHUN), JIHUN, moment(1))
    assert jihun.interactions == 1
    assert met(jihun, JIHUN, moment(2)).interactions == 2


def test_sentiment_is_an_exponential_average_of_the_valences():
    jihun = after(PRAISED, BLAMED)
    first = 0.3 * 0.8
    assert jihun.sentiment == pytest.approx(first + 0.3 * (-0.8 - first))


def test_being_named_in_passing_leaves_the_sentiment_as_it_is():
    assert after(PRAISED, JIHUN, JIHUN).sentiment == after(PRAISED).sentiment


@pytest.mark.parametrize(("mention", "label"), [(PRAISED, "positive"), (BLAMED, "negative")])
def test_the_label_follows_the_score(mention, label):
    assert after(mention, mention).sentiment_label() == label


def test_sentiment_and_trust_stay_within_their_bounds():
    adored = after(*[Mention(name="지훈", valence=7.0)] * 100)
    loathed = after(*[Mention(name="지훈", valence=-7.0)] * 100)

    assert 0.99 < adored.sentiment <= 1.0
    assert -1.0 <= loathed.sentiment < -0.99
    assert (adored.trust, loathed.trust) == (100.0, 0.0)


def test_trust_is_lost_faster_than_it_is_won():
    assert after(PRAISED).trust == pytest.approx(50 + 0.8 * 2)
    assert after(BLAMED).trust == pytest.approx(50 - 0.8 * 4)


def test_notes_are_kept_by_their_kind_and_once():
    likes = Mention(name="지훈", note="게임", note_kind="interest")
    jihun = met(met(None, likes, moment(1)), likes, moment(2))
    jihun = met(jihun, Mention(name="지훈", note="성격이 급함", note_kind="personality"), moment(3))

    assert [note.text for note in jihun.interests] == ["게임"]
    assert [note.text for note in jihun.personality] == ["성격이 급함"]


def test_only_so_many_notes_are_kept_and_the_oldest_give_way():
    notes = [Mention(name="지훈", note=f"취미 {n}", note_kind="interest") for n in range(30)]
    kept = [note.text for note in after(*notes).interests]
    assert kept == [f"취미 {n}" for n in range(10, 30)]


def test_a_name_may_turn_out_to_be_a_cats():
    nabi = after(Mention(name="나비"), Mention(name="나비", kind="pet"), Mention(name="나비"))
    assert nabi.kind == "pet"


def test_a_late_report_of_an_earlier_day_moves_first_seen_only():
    jihun = met(met(None, JIHUN, moment(9)), JIHUN, moment(3))
    assert (jihun.first_seen, jihun.last_seen) == (moment(3).at, moment(9).at)


def test_two_names_of_one_person_become_one():
    both = merged(after(PRAISED, JIHUN), after(Mention(name="훈이", valence=-0.4), first_turn=3))

    assert (both.id, both.name, both.aliases) == (entity_id("지훈"), "지훈", ("훈이",))
    assert both.interactions == 3
    assert both.sentiment == pytest.approx((0.3 * 0.8 + 0.3 * -0.4) / 2, abs=1e-6)
    assert both.goes_by("훈이")


def test_splitting_gives_both_back_as_they_were():
    one, other = after(PRAISED, JIHUN), after(Mention(name="훈이", valence=-0.4, note="축구", note_kind="interest"))
    assert split(merged(one, other), "훈이") == (one, other)


def test_what_is_learned_meanwhile_goes_to_the_name_it_was_learned_under():
    both = merged(after(JIHUN), after(Mention(name="훈이"), first_turn=2))
    both = met(both, Mention(name="훈이", valence=0.8, note="축구", note_kind="interest"), moment(5))
    jihun, huni = split(both, "훈이")

    assert (jihun.interactions, jihun.sentiment, jihun.interests) == (1, 0.0, ())
    assert (huni.interactions, huni.sentiment, [note.text for note in huni.interests]) == (2, 0.24, ["축구"])


def test_a_turn_that_uses_both_names_counts_once_for_the_one_person():
    both = merged(after(JIHUN), after(Mention(name="훈이"), first_turn=2))
    both = met(met(both, JIHUN, moment(7)), Mention(name="훈이"), moment(7))
    assert both.interactions == 3


def described(entity, **told):
    main, *others = entity.faces
    return Entity(faces=(replace(main, **told), *others))


def test_a_summary_stays_with_the_name_that_the_entity_goes_by():
    both = described(merged(after(JIHUN), after(Mention(name="훈이"))), summary="대학 친구", display_name="김지훈")
    jihun, huni = split(both, "훈이")

    assert (jihun.summary, jihun.display_name) == ("대학 친구", "김지훈")
    assert (huni.summary, huni.display_name) == ("", "훈이")


def test_an_entity_is_merged_neither_with_itself_nor_split_from_its_only_name():
    jihun = after(JIHUN)
    with pytest.raises(ValueError, match="share a name"):
        merged(jihun, jihun)
    with pytest.raises(ValueError, match="cannot be split"):
        split(jihun, "지훈")
    with pytest.raises(ValueError, match="cannot be split"):
        split(jihun, "민지")


def test_frequent_contacts_are_ordered_by_meetings_then_by_the_last_one():
    often = after(*[Mention(name="지훈")] * 3)
    lately = after(Mention(name="민지"), Mention(name="민지"), first_turn=8)
    before = after(Mention(name="수아"), Mention(name="수아"))
    once = after(Mention(name="현우"), first_turn=20)

    assert [each.name for each in most_frequent([once, before, lately, often])] == ["지훈", "민지", "수아", "현우"]
    assert [each.name for each in most_frequent([once, before, lately, often], 2)] == ["지훈", "민지"]


def test_an_entity_survives_being_written_down():
    both = merged(
        after(PRAISED, JIHUN), met(None, Mention(name="훈이", note="축구", note_kind="interest"), moment(3, "x"))
    )
    assert from_record(Entity, json.loads(json.dumps(to_record(both)))) == both


def test_the_numbers_that_a_person_is_seen_by():
    assert asdict(PeopleRules()) == {
        "pace": 0.3, "positive_from": 0.15, "negative_to": -0.15, "trust": 50.0, "trust_gain": 2.0, "trust_loss": 4.0,
        "most_notes": 20,
    }  # fmt: skip


def test_an_id_never_changes_for_it_is_kept_in_banks():
    assert entity_id("지훈") == "who-a7aa59b979341d9754b0"
    assert entity_id("지훈", "chat") == "who-676b1941ffd7aed1e5f7"
    assert entity_id("지훈", "") != entity_id("지훈")


@pytest.mark.parametrize(
    ("valence", "label"), [(0.15, "positive"), (0.149, "neutral"), (-0.149, "neutral"), (-0.15, "negative")]
)
def test_a_label_begins_at_its_bound(valence, label):
    face = Face(name="지훈", sentiment=valence, first_seen=START, last_seen=START)
    assert Entity(faces=(face,)).sentiment_label() == label


def test_figures_are_kept_to_six_places():
    jihun = after(Mention(name="지훈", valence=0.12345678))
    assert (jihun.sentiment, jihun.trust) == (0.037037, 50.246914)
    thirds = merged(after(PRAISED, PRAISED), after(Mention(name="훈이", valence=0.1), first_turn=3))
    assert thirds.sentiment == round((2 * 0.408 + 0.03) / 3, 6)


def test_of_several_names_each_weighs_as_often_as_it_was_spoken_of_warmly_or_coldly():
    both = merged(after(JIHUN, JIHUN, JIHUN), after(Mention(name="훈이", valence=0.5), first_turn=5))
    assert (both.sentiment, both.trust) == (0.15, 51.0)
    assert merged(after(JIHUN), after(Mention(name="훈이"))).trust == 50.0


def test_a_mention_that_only_names_tells_nothing_but_that():
    plain = after(Mention(name="지훈", note="게임"), Mention(name="지훈", note_kind="interest"))
    assert (plain.interests, plain.personality, plain.faces[0].felt) == ((), (), 0)
    assert after(PRAISED, JIHUN, BLAMED).faces[0].felt == 2


def test_a_face_that_was_never_counted_is_counted_in_the_turn_it_is_met():
    written = Entity(faces=(Face(name="지훈", first_seen=START, last_seen=START),))
    jihun = met(written, JIHUN, moment(0))
    assert jihun.interactions == 1
    assert met(jihun, JIHUN, moment(0)).interactions == 1


def test_another_name_of_somebody_known_becomes_another_face_in_its_place():
    both = merged(after(JIHUN), after(Mention(name="훈이"), first_turn=2))
    both = met(both, Mention(name="훈이", valence=1.0), moment(3))
    assert [(face.name, face.felt) for face in both.faces] == [("지훈", 0), ("훈이", 1)]
    here = met(met(None, JIHUN, moment(1, "chat")), JIHUN, moment(2, "discord"))
    assert [face.channel for face in here.faces] == ["chat", "discord"]
    assert (here.channel, here.aliases) == ("chat", ())


def test_the_first_that_is_told_of_any_name_tells_of_all():
    cat = after(Mention(name="코코", kind="pet", note="우유", note_kind="interest"), first_turn=4)
    both = merged(after(Mention(name="꼬맹이", note="우유", note_kind="interest")), described(cat, summary="고양이"))
    assert (both.kind, both.summary, [note.text for note in both.interests]) == ("pet", "고양이", ["우유"])
    assert (both.first_seen, both.last_seen) == (moment(1).at, moment(4).at)


def test_a_name_of_another_channel_is_not_split():
    both = merged(met(None, JIHUN, moment(1, "chat")), after(Mention(name="훈이")))
    with pytest.raises(ValueError, match="cannot be split"):
        split(both, "지훈")
    assert split(both, "지훈", "chat")[1].name == "지훈"


def test_ten_frequent_contacts_are_named_of_equal_ones_by_their_ids():
    many = [after(Mention(name=f"친구 {n}")) for n in range(12)]
    found = most_frequent(many)
    assert len(found) == 10
    assert [each.id for each in found] == sorted(each.id for each in many)[:10]
    assert len(most_frequent(many, 3)) == 3
    never = Entity(faces=(Face(name="x", first_seen=START, last_seen=START),))
    assert most_frequent([never]) == ()
