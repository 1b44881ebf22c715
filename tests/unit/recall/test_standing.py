"""How things stand, in a line each: of the two, of what they feel, of where they are, and of whom a question names."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from gieok.domain.apply import PAIR
from gieok.domain.emotion import Emotion, Felt
from gieok.domain.entity import Entity, Face
from gieok.domain.entity import Note as Trait
from gieok.domain.judgement import Moment
from gieok.domain.memory import Memory
from gieok.domain.noticed import Mention, Noticed
from gieok.domain.operation import Learn
from gieok.domain.relationship import Habit, Manners, Relationship, Speech
from gieok.domain.scene import Scene
from gieok.domain.scope import Scope
from gieok.domain.state import DIRECTOR, Move, Note, StateRecord
from gieok.domain.turn import Turn
from gieok.recall.context import forgotten_notes, rolling_summary, state_lines, visible_scenes
from gieok.stores.sqlite import SqliteStore, open_store
from gieok.testing import HashVectors, day, entry_for, memory, turn

VECTORS = HashVectors(32)
SCOPE = Scope(user="minsu", character="letia")


class Story:
    """Writes what the two live through, a turn at a time."""

    def __init__(self, store: SqliteStore) -> None:
        self.store = store
        self.turns = 0

    def live(self, *moves: Move, at: float = 1, said: Turn | None = None, **noticed: Any) -> Turn:
        lived = said or turn("안녕", at=day(at))
        self.turns += 1
        when = Moment(at=lived.at, recorded_at=lived.recorded_at, turn_number=self.turns)
        learned = Learn(noticed=Noticed(**noticed))
        entry = entry_for(lived, moment=when, request=learned, moves=moves, vectors=VECTORS)
        self.apply(replace(entry, moves=moves))
        return lived

    def remember(self, *memories: Memory) -> None:
        self.apply(entry_for(memories=memories, vectors=VECTORS))

    def apply(self, entry: Any) -> None:
        with self.store.locked(SCOPE) as room:
            room.apply(entry)

    def lines(self, query: str = "", *, language: str = "ko", now: float = 100) -> list[str]:
        with self.store.view(SCOPE) as view:
            return state_lines(view, SCOPE, query, language, day(now))


@pytest.fixture
def story(tmp_path: Path) -> Iterator[Story]:
    store = open_store(tmp_path / "bank.db", embedder=VECTORS.name, dimension=VECTORS.dimension)
    yield Story(store)
    store.close()


def moved(kind: str, id: str, after: StateRecord, before: StateRecord | None = None) -> Move:
    return Move(kind=kind, id=id, before=before, after=after)


def pair(level: Any, points: float = 50) -> Relationship:
    return Relationship(trust=points, affection=points, respect=points, rivalry=0, familiarity=points, level=level)


def habit(value: str | None) -> Habit | None:
    return None if value is None else Habit(value=value, at=day(1), turn_number=1)


def speech(style: str | None = None, address: str | None = None) -> Speech:
    return Speech(style=habit(style), address=habit(address))


def scene(id: str = "s1", start: float = 1, **fields: Any) -> Move:
    about = {"started_at": day(start), "last_at": day(start), "first_turn": 1, "last_turn": 1, "turns": 1}
    return moved("scene", id, Scene(id=id, **{**about, **fields}))


def person(name: str, **fields: Any) -> Move:
    face = Face(name=name, first_seen=day(1), last_seen=day(1), **fields)
    return moved("entity", face.id, Entity(faces=(face,)))


def traits(*words: str) -> tuple[Trait, ...]:
    return tuple(Trait(text=word) for word in words)


def test_of_two_who_never_met_there_is_nothing_to_say(story: Story) -> None:
    assert story.lines("민지는 어때?") == []
    story.live()
    assert story.lines("민지는 어때?") == []


def test_how_close_the_two_are_stands_first(story: Story) -> None:
    story.live(moved("relationship", PAIR, pair("friend")), scene(place="공원"))

    assert story.lines() == ["둘의 사이: 친구 사이 (친밀도 50/100)", "지금 장면: 공원"]
    assert story.lines(language="en")[0].startswith("The two are ")


@pytest.mark.parametrize(
    ("user", "character", "korean", "english"),
    [
        (speech("formal"), speech(), "상대는 존댓말을 쓴다", "the user speaks politely"),
        (speech(), speech("casual"), "나는 반말을 쓴다", "I speak casually"),
        (speech(None, "선배"), speech(), "상대는 나를 '선배'라고 부른다", 'the user calls me "선배"'),
        (speech(), speech(None, "민수 씨"), "나는 상대를 '민수 씨'라고 부른다", 'I call the user "민수 씨"'),
        (
            speech("intimate", "레티안"),
            speech("formal", "오빠"),
            "상대는 다정한 반말을 쓰고 나를 '레티안'이라고 부른다, 나는 존댓말을 쓰고 상대를 '오빠'라고 부른다",
            'the user speaks affectionately and calls me "레티안", I speak politely and call the user "오빠"',
        ),
    ],
)
def test_manners_tell_how_each_speaks_and_what_they_call_the_other(
    story: Story, user: Speech, character: Speech, korean: str, english: str
) -> None:
    story.live(moved("manners", PAIR, Manners(user=user, character=character)))

    assert story.lines() == [f"말투: {korean}"]
    assert [line.replace("”", '"') for line in story.lines(language="en")] == [f"Manners: {english}"]


@pytest.mark.parametrize(
    ("speaker", "emotion", "intensity", "line"),
    [
        ("user", "sad", 0.3, ["상대는 지금 슬퍼한다"]),
        ("user", "sad", 0.29, []),
        ("character", "angry", 0.9, ["나는 지금 화가 나 있다"]),
        ("user", "neutral", 0.9, []),
        ("민지", "sad", 0.9, []),
    ],
)
def test_a_feeling_of_one_of_the_two_is_told_from_where_it_shows(
    story: Story, speaker: str, emotion: Emotion, intensity: float, line: list[str]
) -> None:
    story.live(felt=(Felt(speaker=speaker, emotion=emotion, intensity=intensity),))

    assert story.lines() == line


def test_only_the_feelings_of_the_last_turn_before_the_question_are_told(story: Story) -> None:
    story.live(at=2, felt=(Felt(speaker="user", emotion="sad", intensity=1.0),))
    story.live(at=4, felt=(Felt(speaker="user", emotion="happy", intensity=1.0),))

    assert story.lines(now=4) == ["상대는 지금 기뻐한다"]
    assert story.lines(now=3) == story.lines(now=2) == ["상대는 지금 슬퍼한다"]
    assert story.lines(now=1) == []
    story.live(at=5)
    assert story.lines(now=5) == []


def directions(story: Story, note: Note, at: float = 2) -> None:
    story.live(moved("note", DIRECTOR, note), at=at)


@pytest.mark.parametrize(("noted", "shown"), [(None, True), (2.0, True), (2.1, False)])
def test_a_directors_note_is_told_once_its_turn_is_past(story: Story, noted: float | None, shown: bool) -> None:
    directions(story, Note(text="'천천히' 말해", turn_number=1, at=None if noted is None else day(noted)))

    assert story.lines(now=2) == (["이번 대답에 대한 연출 메모: '’천천히’ 말해'"] if shown else [])


def test_a_directors_note_is_of_no_use_after_another_turn_nor_without_words(story: Story) -> None:
    directions(story, Note(text="천천히 말해", turn_number=1))
    assert len(story.lines()) == 1
    story.live(at=3)
    assert story.lines() == []
    directions(story, Note(text="", turn_number=3), at=4)
    assert story.lines() == []


@pytest.mark.parametrize(
    ("fields", "lines"),
    [
        ({"place": "공원", "daytime": "저녁"}, ["지금 장면: 공원 · 저녁"]),
        ({"daytime": "저녁"}, ["지금 장면: 저녁"]),
        ({"place": "공원"}, ["지금 장면: 공원"]),
        ({}, []),
    ],
)
def test_the_scene_that_is_on_is_told_by_what_is_known_of_it(
    story: Story, fields: dict[str, Any], lines: list[str]
) -> None:
    story.live(scene(**fields))

    assert story.lines() == lines


def test_a_scene_that_is_over_is_what_they_did_last_time(story: Story) -> None:
    story.live(
        scene(place="공원", ended_at=day(2), ended_by="farewell", counts=(("시험", 1),), participants=("letia", "민지"))
    )

    assert story.lines() == ["지난번(3월 1일 아침)에는 민지와 함께 공원에서 시험 얘기를 했다."]
    assert story.lines(now=400)[0].startswith("지난번(2026년 3월 1일")
    assert story.lines(language="en") == []


def test_people_whom_the_question_names_are_told_of_by_any_of_their_names(story: Story) -> None:
    faces = (
        Face(name="민지", display_name="민지 언니", summary="화가다", first_seen=day(1), last_seen=day(1)),
        Face(name="밍", first_seen=day(1), last_seen=day(1)),
    )
    story.live(moved("entity", faces[0].id, Entity(faces=faces)))

    told = ["민지 언니: 화가다"]
    assert story.lines("민지 뭐 해?") == story.lines("밍 뭐 해?") == told
    assert story.lines("지훈이 뭐 해?") == []


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({"sentiment": 0.5, "felt": 1}, "민지: 좋게 여김"),
        ({"sentiment": -0.5, "felt": 1}, "민지: 좋지 않게 여김"),
        ({"interests": traits("하나", "둘", "셋", "넷", "다섯", "여섯")}, "민지: 관심사: 둘, 셋, 넷, 다섯, 여섯"),
        ({"personality": traits("하나", "둘", "셋", "넷", "다섯", "여섯")}, "민지: 둘, 셋, 넷, 다섯, 여섯"),
        ({"summary": "화가다", "interests": traits("그림")}, "민지: 화가다 · 관심사: 그림"),
        ({}, None),
    ],
)
def test_of_a_person_it_is_told_what_is_known_and_of_many_notes_the_last_five(
    story: Story, fields: dict[str, Any], told: str | None
) -> None:
    story.live(person("민지", **fields))

    assert story.lines("민지") == ([] if told is None else [told])


def test_of_many_people_the_three_of_whom_most_is_said_are_told_of(story: Story) -> None:
    names = {"가람": 1, "나래": 4, "다솜": 3, "라온": 2}
    story.live(*(person(name, summary="친구", interactions=count) for name, count in names.items()))

    assert [line.split(":")[0] for line in story.lines("가람 나래 다솜 라온")] == ["나래", "다솜", "라온"]


def test_asked_of_an_earlier_moment_things_stand_as_they_did_then(story: Story) -> None:
    story.live(moved("relationship", PAIR, pair("acquaintance", 30)), at=1)
    story.live(moved("relationship", PAIR, pair("friend"), pair("acquaintance", 30)), at=5)

    before, after = "둘의 사이: 얼굴을 아는 사이 (친밀도 30/100)", "둘의 사이: 친구 사이 (친밀도 50/100)"
    assert [story.lines(now=now) for now in (0.5, 1, 4.9, 5, 6)] == [[], [before], [before], [after], [after]]


def forgotten(story: Story, *, at: float, number: int = 1, **noticed: Any) -> None:
    """Let the user say something and have it forgotten."""
    said = turn("시험 얘기 좀 하자", at=day(at))
    story.live(at=at, said=said, **noticed)
    story.remember(memory(f"시험을 봄 {number}", sources=(said.utterances[0].id,), forgotten_at=day(at)))


def test_what_came_up_only_in_forgotten_words_is_no_topic_of_its_scene(story: Story) -> None:
    forgotten(story, at=2, topics=("시험", "고양이"))
    story.live(at=3, topics=("고양이",))
    about = {"started_at": day(2), "last_at": day(3), "first_turn": 1, "last_turn": 2}
    here = Scene(id="s1", counts=(("시험", 1), ("고양이", 2)), **about)  # type: ignore[arg-type]  # fields by their names
    later = replace(here, id="s2", first_turn=2, last_turn=3)
    with story.store.view(SCOPE) as view:
        assert [each.counts for each in visible_scenes(view, [here, later])] == [(("고양이", 1),), later.counts]
        before = replace(here, first_turn=0, last_turn=0)
        assert visible_scenes(view, [before]) == [before]
        assert visible_scenes(view, [replace(here, last_at=day(2))])[0].counts == (("고양이", 1),)
        outside = replace(here, started_at=day(2.1), last_at=day(3))
        assert visible_scenes(view, [outside]) == [outside], "its turn lies before them all"
        ended = replace(here, started_at=day(1), last_at=day(1.9))
        assert visible_scenes(view, [ended]) == [ended]
        assert visible_scenes(view, []) == []


def test_what_forgotten_words_noted_of_somebody_is_not_told(story: Story) -> None:
    note = Mention(name="민지", note="그림", note_kind="interest")
    forgotten(story, at=1, mentions=(note, Mention(name="지훈")))
    story.live(person("민지", interests=traits("그림", "춤"), personality=traits("그림", "다정함")))
    with story.store.view(SCOPE) as view:
        assert forgotten_notes(view) == {"그림"}

    assert story.lines("민지") == ["민지: 관심사: 춤 · 다정함"]


def summary(text: str, at: float, **fields: Any) -> Memory:
    about = {"content_type": "summary", "kind": "insight", "tags": ("rolling",), "origin": "reflection"}
    return memory(text, **{**about, "valid_at": day(at), "known_at": day(at), "extractor": "upkeep/1", **fields})


def test_the_story_so_far_is_the_newest_that_is_true_and_well_founded(story: Story) -> None:
    ground = memory("학생임", invalid_at=day(9))
    story.remember(ground)
    story.remember(
        summary("처음", 2), summary("다음", 4, interpretation="다음 이야기"), summary("끝", 6, made_from=(ground.id,))
    )
    story.remember(summary("주간", 8, tags=("weekly",)))

    def told(now: float) -> str:
        with story.store.view(SCOPE) as view:
            return rolling_summary(view, day(now))

    assert [told(now) for now in (1, 2, 4, 6, 9)] == ["", "처음", "다음 이야기", "끝", "다음 이야기"]
