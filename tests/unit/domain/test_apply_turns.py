"""What a turn does to the two, to the people they speak of, and to the scene."""

from __future__ import annotations

from dataclasses import replace

import pytest

from gieok.domain.apply import PAIR, OperationApplier, SocialRules, WorkingState
from gieok.domain.decision import Remember
from gieok.domain.entity import Entity, Face, entity_id
from gieok.domain.judgement import Beliefs, Moment
from gieok.domain.noticed import Manner, Mention, Noticed, Sign
from gieok.domain.operation import Arrive, Direct, Hide, Join, Learn, Operation, Part, Pin, Request, Stage
from gieok.domain.relationship import Manners, Relationship, new_relationship
from gieok.domain.scene import Scene
from gieok.domain.state import DIRECTOR, Alias, Delta, Note, ScopeState
from gieok.testing import claim, memory
from gieok.testing.builders import WALL, day


class Story:
    """Operations one after the other, `days` apart, on one present."""

    def __init__(self, *known, channel: str | None = None, days: float = 1) -> None:
        self.present = WorkingState(beliefs=Beliefs(known))
        self.number = 0
        self.channel = channel
        self.days = days

    @property
    def life(self) -> ScopeState:
        return self.present.life

    def does(self, request: Request, kind: str = "observe") -> Operation:
        self.number += 1
        at = day(1 + self.days * (self.number - 1))
        moment = Moment(at=at, recorded_at=WALL, turn_number=self.number, channel=self.channel)
        asked = Operation(id=f"o{self.number}", kind=kind, moment=moment, who="gpt", request=request)
        return OperationApplier().carried_out(asked, self.present)

    def hears(self, *manners: Manner, claims=(), character: str | None = None, **noticed) -> Operation:
        seen = Noticed(manners=manners, **noticed)
        return self.does(Learn(noticed=seen, claims=tuple(claims), character=character))

    def names(self, *names: str, **fields) -> Operation:
        return self.hears(mentions=tuple(Mention(name=name, **fields) for name in names))

    def causes(self, done: Operation) -> list[tuple[str, str, str]]:
        return [(each.name, each.axis, each.words) for move in done.moves for each in move.causes]

    def pair(self) -> Relationship:
        found = self.life.get(Relationship, PAIR)
        assert found is not None
        return found

    def scenes(self) -> list[tuple[str, Scene]]:
        return self.life.all(Scene)

    def people(self) -> dict[str, list[str]]:
        return {person.name: [face.name for face in person.faces] for _, person in self.life.all(Entity)}

    def aliases(self) -> dict[str, str]:
        return {id: alias.of for id, alias in self.life.all(Alias)}


def test_a_turn_of_which_nothing_was_noticed_moves_nothing():
    story = Story()
    assert story.does(Learn()).moves == ()
    assert story.life.items() == {}


def test_being_together_brings_closer_and_what_the_two_say_more():
    def trust(*signs: Sign) -> float:
        story = Story()
        story.hears(signs=signs)
        return story.pair().trust

    alone = trust()
    assert alone > new_relationship().trust
    assert trust(Sign(name="thanks", speaker="user")) > alone
    assert trust(Sign(name="thanks", speaker="character")) > alone
    assert trust(Sign(name="thanks", speaker="민지")) == alone


def test_every_turn_and_every_note_goes_on_from_where_the_two_stand():
    story = Story()
    story.hears()
    story.hears()
    assert story.pair().turns == 2
    trust = story.pair().trust
    story.does(Direct(note="…", deltas=(Delta(axis="trust", points=-1),)), "direct")
    story.does(Direct(note="…", deltas=(Delta(axis="trust", points=-1),)), "direct")
    assert story.pair().trust == pytest.approx(trust - 2)


def test_what_moved_is_told_with_its_cause_to_six_places():
    story = Story()
    [move] = [each for each in story.hears(signs=(Sign(name="thanks", speaker="user", words="고마워"),)).moves if
              each.kind == "relationship"]  # fmt: skip
    thanks = [each for each in move.causes if each.name == "thanks"]
    assert {each.axis for each in thanks} == {"affection", "trust", "respect"}
    assert {(each.speaker, each.words) for each in thanks} == {("user", "고마워")}
    assert all(each.amount == round(each.amount, 6) for each in move.causes)
    together = sum(each.amount for each in move.causes if each.axis == "trust")
    assert together == pytest.approx(story.pair().trust - new_relationship().trust, abs=2e-6)
    assert any(each.amount != round(each.amount, 5) for each in move.causes)


def test_to_tell_of_oneself_brings_closer_once_a_turn():
    def told(*claims) -> list[str]:
        story = Story()
        done = story.hears(claims=claims)
        return [words for name, axis, words in story.causes(done) if (name, axis) == ("self_disclosure", "trust")]

    assert told(claim("likes", "차"), claim("likes", "비")) == ["likes: 차"]
    assert told(claim("job", "의사", subject="other", subject_id="아빠")) == []
    assert told(claim("likes", "차", speaker="character")) == []
    assert told(claim("likes", "차", subject="character", subject_id="레티아", speaker="character")) == []
    assert told(claim("likes", "차", act="retract")) == []


def test_to_say_it_again_tells_nothing_new_but_to_change_it_does():
    story = Story()
    story.hears(claims=[claim("age", "25")])
    assert "self_disclosure" not in {name for name, *_ in story.causes(story.hears(claims=[claim("age", "25")]))}
    assert "self_disclosure" in {name for name, *_ in story.causes(story.hears(claims=[claim("age", "26")]))}


def test_whoever_is_mentioned_is_met_and_the_cause_says_by_whom_and_how_warmly():
    story = Story(channel="chat")
    done = story.names("지훈", valence=0.8, by="character")
    [move] = [each for each in done.moves if each.kind == "entity"]
    assert move.id == entity_id("지훈", "chat")
    assert [(each.name, each.speaker, each.amount) for each in move.causes] == [("mention", "character", 0.8)]
    assert story.people() == {"지훈": ["지훈"]}


def test_two_names_are_joined_and_the_other_leads_to_the_one():
    story = Story()
    story.names("지훈", "훈이")
    story.does(Join(name="지훈", other="훈이"), "people")
    assert story.people() == {"지훈": ["지훈", "훈이"]}
    assert story.aliases() == {entity_id("훈이"): entity_id("지훈")}

    story.names("훈이", valence=0.5)
    [(_, person)] = story.life.all(Entity)
    assert (person.interactions, person.faces[1].felt) == (3, 1)


def test_whoever_nobody_knows_or_is_the_same_already_is_not_joined():
    story = Story()
    story.names("지훈", "훈이")
    assert story.does(Join(name="지훈", other="민지"), "people").moves == ()
    assert story.does(Join(name="민지", other="지훈"), "people").moves == ()
    assert story.does(Join(name="지훈", other="지훈"), "people").moves == ()
    assert story.does(Join(name="지훈", other="훈이", channel="chat"), "people").moves == ()
    story.does(Join(name="지훈", other="훈이"), "people")
    assert story.does(Join(name="훈이", other="지훈"), "people").moves == ()


def joined() -> Story:
    story = Story()
    story.names("지훈", "훈이", "김 군")
    story.does(Join(name="지훈", other="훈이"), "people")
    story.does(Join(name="훈이", other="김 군"), "people")
    assert story.people() == {"지훈": ["지훈", "훈이", "김 군"]}
    return story


def test_a_name_that_leaves_is_a_person_of_its_own():
    story = joined()
    done = story.does(Part(name="지훈", other="훈이"), "people")
    assert story.people() == {"지훈": ["지훈", "김 군"], "훈이": ["훈이"]}
    assert story.aliases() == {entity_id("김 군"): entity_id("지훈")}
    assert {name for name, *_ in story.causes(done)} == {"different_people"}


def test_where_the_name_they_went_by_leaves_the_next_one_is_theirs():
    story = joined()
    story.does(Part(name="훈이", other="지훈"), "people")
    assert story.people() == {"훈이": ["훈이", "김 군"], "지훈": ["지훈"]}
    assert story.aliases() == {entity_id("김 군"): entity_id("훈이")}


def test_what_cannot_be_parted_stays():
    story = Story()
    story.names("지훈", "훈이")
    assert story.does(Part(name="지훈", other="지훈"), "people").moves == ()
    assert story.does(Part(name="민지", other="지훈"), "people").moves == ()
    assert story.does(Part(name="지훈", other="훈이"), "people").moves == ()
    story.does(Join(name="지훈", other="훈이"), "people")
    assert story.does(Part(name="지훈", other="훈이", channel="chat"), "people").moves == ()
    assert story.does(Part(name="지훈", other="민지"), "people").moves == ()
    assert len(story.does(Part(name="지훈", other="훈이"), "people").moves) == 3


def test_scenes_are_numbered_and_the_one_that_goes_on_keeps_its_place():
    story = Story(days=0.01)
    story.does(Learn(noticed=Noticed(place="카페"), session="밤", participants=("user", "레티아")))
    [(id, cafe)] = story.scenes()
    assert (id, cafe.id, cafe.place, cafe.session) == ("00000001", "scene-o1", "카페", "밤")
    assert cafe.participants == ("user", "레티아")

    story.does(Learn(noticed=Noticed()))
    [(id, cafe)] = story.scenes()
    assert (id, cafe.turns) == ("00000001", 2)

    story.does(Learn(noticed=Noticed(place="공원"), session="밤"))
    assert [(id, scene.place, scene.ended_by) for id, scene in story.scenes()] == [
        ("00000001", "카페", "place"),
        ("00000002", "공원", None),
    ]


def test_a_scene_that_is_set_ends_the_one_that_is_on():
    story = Story()
    story.hears(place="카페")
    story.does(Stage(place="바다", daytime="저녁", session="둘째", participants=("user",)), "scene")
    (_, cafe), (id, sea) = story.scenes()
    assert (cafe.ended_at, cafe.ended_by) == (day(2), "call")
    assert (id, sea.id, sea.place, sea.daytime, sea.session) == ("00000002", "scene-o2", "바다", "저녁", "둘째")
    assert (sea.participants, sea.turns, sea.first_turn, sea.ended_at) == (("user",), 0, 3, None)


def test_a_scene_that_only_ends_starts_none_and_ends_once():
    story = Story()
    assert story.does(Stage(ends=True), "scene").moves == ()
    story.hears(place="카페")
    story.does(Stage(ends=True), "scene")
    [(_, cafe)] = story.scenes()
    assert cafe.ended_at == day(3)
    assert story.does(Stage(ends=True), "scene").moves == ()
    story.does(Stage(place="바다"), "scene")
    assert [scene.ended_at for _, scene in story.scenes()] == [day(3), None]


def speaks(speaker: str, style: str, **fields) -> Manner:
    return Manner(speaker=speaker, style=style, **fields)


def events(done: Operation) -> list[str]:
    return [change.after.content for change in done.changes if change.after is not None]


def polite() -> Story:
    story = Story(channel="chat")
    for _ in range(2):
        first = story.hears(speaks("user", "formal"), speaks("character", "formal"))
        assert events(first) == []  # the first that is known is no event
    return story


def test_to_speak_otherwise_from_now_on_is_worth_remembering():
    story = polite()
    done = story.hears(speaks("user", "casual", asks_for="casual"), character="레티아")
    [kept] = [change.after for change in done.changes]
    assert (kept.id, kept.content, kept.value) == ("o3-manners-0", "user: style casual", "user: style casual")
    assert (kept.speaker, kept.subject, kept.subject_id, kept.attribute) == ("user", "user", "user", "milestone")
    assert (kept.kind, kept.content_type, kept.importance, kept.touched_turn) == ("episodic", "event", 0.6, 3)
    assert (kept.valid_at, kept.known_at, kept.channel) == (day(3), day(3), "chat")
    assert story.present.beliefs["o3-manners-0"] == kept


@pytest.mark.parametrize(("character", "who"), [("레티아", "레티아"), (None, "character")])
def test_the_character_is_called_by_her_name_where_it_is_known(character, who):
    story = polite()
    done = story.hears(speaks("character", "casual", asks_for="casual"), character=character)
    assert events(done) == [f"{who}: style casual"]


def test_where_one_follows_the_other_in_the_same_turn_they_changed_together():
    story = polite()
    seen = []
    living = SocialRules(retold=lambda change, character: seen.append(change) or "서로 말을 놓았다")
    request = Learn(
        noticed=Noticed(manners=(speaks("user", "casual", asks_for="casual"), speaks("character", "casual")))
    )
    moment = Moment(at=day(9), recorded_at=WALL, turn_number=9)
    asked = Operation(id="o9", kind="observe", moment=moment, who="gpt", request=request)
    done = OperationApplier(living=living).carried_out(asked, story.present)
    assert events(done) == ["서로 말을 놓았다"]
    [change] = seen
    assert (change.speaker, change.mutual, change.asked_by) == ("character", True, "user")


def test_a_style_that_nobody_asked_for_changes_and_is_no_event():
    story = polite()
    told = [events(story.hears(speaks("user", "casual"))) for _ in range(4)]
    manners = story.life.get(Manners, PAIR)
    assert told == [[], [], [], []]
    assert manners is not None
    assert manners.user.style.value == "casual"


def test_another_form_of_address_is_an_event_and_a_mere_you_is_none():
    story = Story()

    def calls(name: str) -> list[str]:
        return events(story.hears(Manner(speaker="user", address=name)))

    assert calls("야") == []
    assert calls("선배") == []
    assert calls("누나") == []
    assert calls("누나") == ["user: address 누나"]


def test_forgetting_wipes_out_the_directors_note_and_only_that():
    story = Story(memory(id="m1"), memory(id="m2"))
    assert story.does(Hide(memory_id="m2"), "forget").moves == ()
    story.does(Direct(note="차 이야기를 꺼낼 것", deltas=(Delta(axis="trust", points=1),)), "direct")
    left = story.life.get(Note, DIRECTOR)
    assert story.does(Hide(memory_id="gone"), "forget").moves == ()
    assert story.does(Pin(memory_id="m1", pinned=True), "pin").moves == ()
    [move] = story.does(Hide(memory_id="m1"), "forget").moves
    assert (move.before, move.after) == (left, replace(left, text=""))


def test_a_director_who_moves_nothing_still_leaves_a_note():
    story = Story()
    done = story.does(Direct(note="들어 줄 것"), "direct")
    assert [move.kind for move in done.moves] == ["relationship", "note"]
    assert story.pair() == new_relationship()
    assert [move.kind for move in story.does(Direct(note="들어 줄 것"), "direct").moves] == ["note"]


def test_a_claim_of_the_turn_is_decided_beside_all_that():
    story = Story()
    done = story.hears(claims=[claim("likes", "차", id="c1")])
    assert [type(each) for each in done.decisions] == [Remember]
    assert done.changes[0].memory_id == "c1"


SKY = Face(name="하늘봇", channel="moltbook", interactions=12, first_seen=day(1), last_seen=day(2))


def test_somebody_who_moves_in_is_known_unless_they_were_known_before():
    story = Story()
    [move] = story.does(Arrive(person=SKY), "arrive").moves
    assert (move.kind, move.id, [cause.name for cause in move.causes]) == ("entity", SKY.id, ["moved_in"])
    assert story.does(Arrive(person=replace(SKY, interactions=99)), "arrive").moves == ()
    assert story.people() == {"하늘봇": ["하늘봇"]}


def test_somebody_known_by_another_name_is_no_stranger():
    story = Story()
    story.does(Arrive(person=SKY), "arrive")
    story.does(Arrive(person=replace(SKY, name="하늘")), "arrive")
    story.does(Join(name="하늘봇", other="하늘", channel="moltbook"), "people")
    assert story.does(Arrive(person=replace(SKY, name="하늘")), "arrive").moves == ()


def test_a_standing_moves_in_with_the_turns_it_counts_in_and_stays_out_where_the_two_have_met_here():
    friends = replace(new_relationship(), affection=70.0, met_at=day(-90), last_at=day(-2))
    story = Story()
    story.hears()
    story.hears()
    assert story.does(Arrive(relationship=friends, turns=1), "arrive").moves == ()
    story.does(Arrive(relationship=friends, turns=2), "arrive")
    after = story.pair()
    assert (after.affection, after.turns, after.met_at) == (70.0, 2, day(-90))
    assert after.last_at is not None
    assert after.last_at > day(-2)


def test_a_source_alone_moves_nothing():
    assert Story().does(Arrive(), "arrive").moves == ()
