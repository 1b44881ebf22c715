"""Scenes start, go on and end; the shared ones are remembered."""

import json
from datetime import UTC, datetime, timedelta

import pytest

from gieok.domain.emotion import Emotion, Felt
from gieok.domain.judgement import Moment
from gieok.domain.noticed import Noticed
from gieok.domain.record import from_record, to_record
from gieok.domain.scene import (
    SHARED_IN_VIEW,
    Scene,
    SceneRules,
    end_scene,
    is_shared,
    last_time,
    new_scene,
    shared_scenes,
    staged,
)

START = datetime(2026, 3, 2, 19, tzinfo=UTC)
SMALL_TALK = Noticed()


def moment(turn: int, minutes: float | None = None) -> Moment:
    at = START + timedelta(minutes=turn if minutes is None else minutes)
    return Moment(at=at, recorded_at=at, turn_number=turn)


def feels(emotion: Emotion, intensity: float = 0.5, valence: float = 0.0) -> Noticed:
    return Noticed(felt=(Felt(speaker="user", emotion=emotion, intensity=intensity, valence=valence),))


def played(*turns: Noticed, scene: Scene | None = None, first: int = 1, session: str | None = None) -> list[Scene]:
    """All scenes that come of `turns`, a minute apart, in order."""
    scenes: list[Scene] = [scene] if scene is not None else []
    for number, noticed in enumerate(turns, first):
        latest = scenes.pop() if scenes else None
        closed = latest is not None and latest.ended_at is not None
        changed = staged(latest, noticed, moment(number), session=session)
        scenes += [latest] if closed and latest is not None else []
        scenes += changed
    return scenes


def one(*turns: Noticed) -> Scene:
    (scene,) = played(*turns)
    return scene


def over(*turns: Noticed, at: int = 0) -> Scene:
    (scene,) = played(*turns, first=at + 1)
    return end_scene(scene, scene.last_at)


def test_the_first_turn_starts_a_scene():
    scene = one(SMALL_TALK)
    assert (scene.id, scene.turns, scene.first_turn, scene.last_turn) == ("scene-1", 1, 1, 1)
    assert (scene.started_at, scene.last_at, scene.ended_at) == (moment(1).at, moment(1).at, None)
    assert (scene.place, scene.daytime, scene.tone, scene.topics, scene.title) == (None, None, "neutral", (), "")


def test_a_scene_may_be_given_its_id_when_it_starts():
    (scene,) = staged(None, SMALL_TALK, moment(1), scene_id="turn-a")
    (scene,) = staged(scene, SMALL_TALK, moment(2), scene_id="turn-b")
    assert scene.id == "turn-a"


def test_a_scene_goes_on_with_the_next_turn():
    scene = one(SMALL_TALK, SMALL_TALK, SMALL_TALK)
    assert (scene.turns, scene.first_turn, scene.last_turn, scene.last_at) == (3, 1, 3, moment(3).at)


def test_a_new_session_starts_a_new_scene_and_ends_the_one_before_at_its_last_turn():
    (scene,) = staged(None, SMALL_TALK, moment(1), session="월요일")
    before, now = staged(scene, SMALL_TALK, moment(2), session="화요일")

    assert (before.ended_at, before.ended_by) == (moment(1).at, "session")
    assert (now.session, now.first_turn, now.ended_at) == ("화요일", 2, None)


def test_a_turn_without_a_session_label_stays_in_the_scene():
    (scene,) = staged(None, SMALL_TALK, moment(1), session="월요일")
    assert len(staged(scene, SMALL_TALK, moment(2))) == 1


def test_an_hour_of_silence_ends_a_scene_and_a_minute_less_does_not():
    scene = one(SMALL_TALK)
    assert len(staged(scene, SMALL_TALK, moment(2, minutes=60))) == 1
    before, now = staged(scene, SMALL_TALK, moment(2, minutes=61))
    assert (before.ended_at, before.ended_by, now.turns) == (moment(1).at, "silence", 1)


def test_how_long_a_silence_is_can_be_changed():
    scene = one(SMALL_TALK)
    assert len(staged(scene, SMALL_TALK, moment(2, minutes=6), SceneRules(silence=timedelta(minutes=5)))) == 2


def test_after_a_farewell_ten_minutes_are_enough():
    parted = one(Noticed(farewell=True))
    assert len(staged(parted, SMALL_TALK, moment(2, minutes=10))) == 1
    assert len(staged(parted, SMALL_TALK, moment(2, minutes=11))) == 2


def test_a_turn_from_an_earlier_day_does_not_end_a_scene_nor_set_its_clock_back():
    (scene,) = staged(one(SMALL_TALK), SMALL_TALK, moment(2, minutes=-999))
    assert (scene.turns, scene.last_at) == (2, moment(1).at)


def test_another_place_starts_another_scene():
    cafe, park = played(Noticed(place="카페"), SMALL_TALK, Noticed(place="공원"))
    assert (cafe.place, cafe.ended_by, cafe.turns) == ("카페", "place", 2)
    assert (park.place, park.ended_at, park.turns) == ("공원", None, 1)


def test_the_same_place_named_again_changes_nothing():
    assert one(Noticed(place="카페"), Noticed(place="카페")).turns == 2


def test_a_place_named_early_was_the_place_from_the_start_and_a_late_one_is_a_change():
    assert one(SMALL_TALK, Noticed(place="카페")).place == "카페"
    before, now = played(SMALL_TALK, SMALL_TALK, Noticed(place="카페"))
    assert (before.place, now.place) == (None, "카페")


def test_the_time_of_day_is_the_one_told_first():
    assert one(SMALL_TALK, Noticed(daytime="저녁"), Noticed(daytime="밤")).daytime == "저녁"


def test_participants_are_kept_once_in_order():
    (scene,) = staged(None, SMALL_TALK, moment(1), participants=("user", "레티아"))
    (scene,) = staged(scene, SMALL_TALK, moment(2), participants=("user", "민지", "레티아"))
    assert scene.participants == ("user", "레티아", "민지")


def test_the_tone_is_what_was_felt_most_and_the_valence_its_mean():
    scene = one(feels("happy", 0.4, 0.6), feels("sad", 0.5, -0.4), feels("happy", 0.3, 0.4), feels("neutral", 0.0))
    assert scene.tone == "happy"
    assert scene.valence == pytest.approx(0.15)
    assert scene.strongest == 0.5


def test_of_equal_feelings_anger_outweighs_sadness_and_sadness_joy():
    assert one(feels("happy"), feels("sad"), feels("angry")).tone == "angry"
    assert one(feels("happy"), feels("sad")).tone == "sad"


def test_topics_come_with_the_most_frequent_first_and_a_turn_counts_once():
    scene = one(Noticed(topics=("고양이", "산책")), Noticed(topics=("산책", "산책")), Noticed(topics=("날씨",)))
    assert scene.topics == ("산책", "고양이", "날씨")


def test_topics_are_bounded_and_the_rarest_and_oldest_give_way():
    scene = one(Noticed(topics=("고양이",)), *[Noticed(topics=("고양이", f"화제 {n}")) for n in range(50)])
    assert len(scene.counts) == 30
    assert scene.topics[0] == "고양이"
    assert "화제 49" in scene.topics
    assert "화제 0" not in scene.topics


def test_a_title_says_what_is_known_in_one_line():
    scene = one(Noticed(place="공원", daytime="저녁", topics=("고양이", "산책", "날씨", "커피")))
    assert scene.title == "공원 · 저녁 · 고양이, 산책, 날씨"


def test_a_scene_ends_by_call_once_and_never_before_its_last_turn():
    scene = one(SMALL_TALK, SMALL_TALK)
    closed = end_scene(scene, moment(1).at)
    assert (closed.ended_at, closed.ended_by) == (moment(2).at, "call")
    assert end_scene(closed, moment(9).at) is closed


def test_a_turn_after_the_end_starts_a_new_scene_and_leaves_the_old_one_alone():
    (scene,) = staged(over(SMALL_TALK), SMALL_TALK, moment(2))
    assert (scene.id, scene.turns) == ("scene-2", 1)


def test_an_ended_scene_of_three_turns_is_a_shared_experience_and_one_of_two_is_not():
    assert shared_scenes([over(SMALL_TALK, SMALL_TALK, SMALL_TALK)])
    assert not shared_scenes([over(SMALL_TALK, SMALL_TALK)])


def test_a_strong_feeling_makes_a_short_scene_an_experience():
    assert shared_scenes([over(feels("happy", 0.7))])
    assert not shared_scenes([over(feels("happy", 0.69))])


def test_a_scene_that_goes_on_is_not_yet_an_experience():
    assert not shared_scenes([one(SMALL_TALK, SMALL_TALK, SMALL_TALK)])


def test_the_last_twenty_experiences_are_in_view():
    scenes = [over(feels("happy", 0.9), at=n) for n in range(25)]
    in_view = shared_scenes(reversed(scenes))
    assert SHARED_IN_VIEW == 20
    assert list(in_view) == scenes[-20:]
    assert shared_scenes(scenes, 0) == ()


def test_last_time_is_the_last_scene_that_is_over():
    first, second = over(*[SMALL_TALK] * 3), over(*[SMALL_TALK] * 3, at=10)
    now = one(SMALL_TALK)
    assert last_time([first, second]) == second
    assert last_time([]) is None
    assert last_time([now]) is None


def test_last_time_is_not_the_place_they_just_came_from():
    last_week = over(*[SMALL_TALK] * 3)
    today = played(*[Noticed(place="카페")] * 4, Noticed(place="공원"), first=100)
    assert [scene.place for scene in today] == ["카페", "공원"]
    assert last_time([last_week, *today]) == last_week


def test_last_time_prefers_a_scene_with_something_in_it():
    walk, greeting = over(*[SMALL_TALK] * 3), over(SMALL_TALK, at=10)
    assert last_time([walk, greeting]) == walk
    assert last_time([greeting]) == greeting


def test_a_scene_survives_being_written_down():
    scene = over(Noticed(place="공원", topics=("고양이", "산책")), feels("happy", 0.7, 0.9), feels("sad", 0.2, -0.3))
    assert from_record(Scene, json.loads(json.dumps(to_record(scene)))) == scene


def test_the_numbers_of_scenes_are_rules():
    rules = SceneRules()
    assert (rules.silence, rules.silence_after_farewell) == (timedelta(hours=1), timedelta(minutes=10))
    assert (rules.settling, rules.most_topics, rules.shared_turns, rules.shared_intensity) == (2, 30, 3, 0.7)


def test_a_feeling_however_faint_gives_the_tone():
    assert one(feels("happy", 0.005)).tone == "happy"
    assert one(feels("happy", 0.0)).tone == "neutral"
    assert one(feels("neutral", 0.9), feels("sad", 0.1)).tone == "sad"


def test_feelings_and_valences_are_kept_to_six_places():
    scene = one(feels("happy", 0.1, 0.1), feels("sad", 0.0), feels("happy", 0.0234567891, 0.0))
    assert scene.valence == 0.033333
    assert dict(scene.feelings)["happy"] == 0.123457
    assert one(feels("happy", 0.5, 0.12345678)).valences == 0.123457
    assert (one(SMALL_TALK).valence, one(SMALL_TALK).felt, scene.felt) == (0.0, 0, 3)


def test_who_says_farewell_and_talks_on_has_not_left():
    scene = one(Noticed(farewell=True), SMALL_TALK)
    assert not scene.parting
    assert len(staged(scene, SMALL_TALK, moment(3, minutes=30))) == 1


def test_a_scene_without_a_place_that_has_settled_moves_only_where_a_place_is_named():
    assert one(*[SMALL_TALK] * 5).turns == 5
    assert one(Noticed(place="카페"), *[SMALL_TALK] * 5).turns == 6


def test_the_first_session_label_starts_a_scene_of_its_own():
    before, now = staged(one(SMALL_TALK), SMALL_TALK, moment(2), session="월요일")
    assert (before.ended_by, now.session) == ("session", "월요일")
    assert len(staged(now, SMALL_TALK, moment(3), session="월요일")) == 1


def test_a_scene_that_is_set_waits_for_its_first_turn():
    scene = new_scene(moment(4), "scene-x", session="밤", place="바다", daytime="저녁", participants=["user", "레티아"])
    assert (scene.id, scene.session, scene.place, scene.daytime) == ("scene-x", "밤", "바다", "저녁")
    assert (scene.first_turn, scene.last_turn, scene.turns, scene.started_at) == (5, 5, 0, moment(4).at)
    assert scene.participants == ("user", "레티아")
    (played_on,) = staged(scene, Noticed(place="카페"), moment(5), session="밤", scene_id="other")[:1]
    assert played_on.ended_by == "place"


def test_a_scene_ends_when_it_is_called_off_also_later_than_its_last_turn():
    scene = one(SMALL_TALK)
    assert end_scene(scene, moment(30).at, by="silence").ended_at == moment(30).at
    assert end_scene(scene, moment(30).at, by="silence").ended_by == "silence"


def test_topics_of_equal_count_keep_their_order_and_the_oldest_of_the_rarest_goes():
    rules = SceneRules(most_topics=2)
    (scene,) = staged(None, Noticed(topics=("고양이", "산책")), moment(1), rules)
    (scene,) = staged(scene, Noticed(topics=("산책", "날씨")), moment(2), rules)
    assert scene.counts == (("산책", 2), ("날씨", 1))


def test_experiences_can_be_counted_otherwise():
    short = over(SMALL_TALK)
    assert not is_shared(short)
    assert is_shared(short, SceneRules(shared_turns=1))
    assert shared_scenes([short], rules=SceneRules(shared_turns=1)) == (short,)
    assert shared_scenes([short, over(*[SMALL_TALK] * 3, at=5)], 1)[0].turns == 3
    assert last_time([short, over(SMALL_TALK, at=5)], SceneRules(shared_turns=1)).first_turn == 6


def test_of_two_scenes_that_began_at_once_the_one_of_the_later_turn_is_the_later():
    first = over(*[SMALL_TALK] * 3)
    second = over(*[SMALL_TALK] * 3, at=10)
    twin = Scene(id="twin", started_at=first.started_at, last_at=first.last_at, ended_at=first.ended_at, turns=3,
                 first_turn=2, last_turn=4)  # fmt: skip
    assert last_time([twin, first]) == twin
    assert last_time([second, twin, first]) == second


def test_only_a_change_of_place_goes_on_with_the_same_meeting():
    cafe, park = played(*[Noticed(place="카페")] * 3, *[Noticed(place="공원")] * 3)
    home = end_scene(park, park.last_at)
    later = over(SMALL_TALK, at=50)
    assert last_time([cafe, home]) == home
    assert last_time([cafe, home, later]) == home
    assert last_time([cafe, park]) is None
    assert last_time([over(*[SMALL_TALK] * 3), *played(SMALL_TALK, first=90)]).turns == 3
