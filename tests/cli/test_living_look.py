import io
import tomllib
from dataclasses import replace
from xml.etree import ElementTree as ET
from zoneinfo import ZoneInfo

import pytest
from rich.cells import cell_len

from gieok.bank.history import Feeling, Regard, Step
from gieok.cli.console import answers
from gieok.cli.look.memories import (
    Speaking,
    chart,
    emotions_table,
    history_table,
    last_time_in_english,
    moved_line,
    people_table,
    ponder_report,
    profile,
    reason,
    relationship_view,
    scenes_table,
    timeline_table,
    upkeep_report,
    watch_line,
    worth_telling,
)
from gieok.cli.look.words import LIVING_WORDS, WORDS
from gieok.cli.story import rules_in_force, written
from gieok.domain.answer import Observed
from gieok.domain.emotion import EMOTIONS, Felt, valence
from gieok.domain.entity import Entity, Face, Note
from gieok.domain.memory import Change
from gieok.domain.model_conclusions import THOUGHTS
from gieok.domain.relationship import AXES, LEVELS, Habit, Manners, Relationship, Speech, default_rules, rules_from
from gieok.domain.scene import Scene
from gieok.domain.scope import Scope
from gieok.domain.state import Cause, Move
from gieok.domain.upkeep import PASSES, Kept, Upkept
from gieok.maintain.model_passes import Pondered
from gieok.testing import day, memory, turn

SEOUL = ZoneInfo("Asia/Seoul")
LETIA = Scope(user="민수", character="레티아")
WIDTHS = [(80, "ko"), (120, "ko"), (80, "en")]


def speaking(language="ko"):
    return Speaking(scope=LETIA, words=WORDS[language], living=LIVING_WORDS[language], zone=SEOUL)


def drawn(shown, width=80):
    console = answers()
    console.file, console.width = io.StringIO(), width
    console.print(shown)
    return console.file.getvalue()


def fitting(on_file, name, shown, width):
    """Compare with what is on file; no line may be wider than the terminal."""
    text = drawn(shown, width)
    assert max(cell_len(line.rstrip()) for line in text.splitlines()) <= width
    on_file(name, text)


FRIENDS = Relationship(
    trust=44.2, affection=48, respect=35.5, rivalry=2, familiarity=38, level="friend", turns=1_204,
    met_at=day(1), last_at=day(90),
)  # fmt: skip
BEFORE = replace(FRIENDS, trust=41.0, level="acquaintance")
MANNERS = Manners(
    user=Speech(
        style=Habit(value="casual", at=day(20), turn_number=9, asked_by="character"),
        address=Habit(value="레티아", at=day(2), turn_number=3),
    ),
    character=Speech(address=Habit(value="오빠", at=day(21), turn_number=10, asked_by="user")),
)


def caused(name, words="", speaker="user", **amounts):
    return [Cause(name=name, speaker=speaker, words=words, axis=axis, amount=by) for axis, by in amounts.items()]


def step(at, before, after, *causes, scene=None):
    return Step(number=1, at=at, turn_id="t", scene=scene, before=before, relationship=after, causes=tuple(causes))


def steps():
    kept = caused("promise_kept", "약속한 대로 왔어", trust=2.5, respect=1.2, affection=0.01)
    together = caused("time_together", speaker="", familiarity=0.3)
    own = caused("shared_secret", "비밀인데", trust=1.0)
    return [
        step(day(60), None, BEFORE, *together),
        step(day(70), BEFORE, BEFORE, *together, *caused("absence", speaker="", familiarity=-3.1), scene="s1"),
        step(day(71), BEFORE, BEFORE, *together, *caused("insult", "바보야", affection=-3.0), scene="s1"),
        step(day(80), BEFORE, FRIENDS, *together, *kept, *own, scene="s2"),
    ]


def scene(id="s1", **fields):
    about = {"started_at": day(70), "last_at": day(70.02), "ended_at": day(70.02), "turns": 4}
    return Scene(id=id, first_turn=1, last_turn=4, **{**about, **fields})


SCENES = [
    scene(place="한강공원", counts=(("벚꽃", 2), ("도시락", 1)), feelings=(("happy", 1.4),)),
    scene("s2", started_at=day(71.6), ended_at=day(72.1), turns=1_200, feelings=(("angry", 0.5),)),
    scene(
        "s3",
        started_at=day(90),
        ended_at=None,
        counts=tuple((topic, 1) for topic in ("이직", "면접", "자기소개서", "첫 출근", "점심시간", "회식")),
    ),
]


@pytest.mark.parametrize(("width", "language"), WIDTHS)
def test_how_it_stands_between_the_two(on_file, width, language):
    told = worth_telling(steps())
    shown = relationship_view(FRIENDS, MANNERS, told, SCENES, speaking(language))
    fitting(on_file, f"relationship-{width}-{language}", shown, width)


def test_mere_turns_are_not_worth_telling():
    assert [each.at for each in worth_telling(steps())] == [day(70), day(71), day(80)]


def test_two_who_never_met_are_told_so():
    begun = Relationship(trust=5, affection=5, respect=10, rivalry=0, familiarity=0)
    shown = drawn(relationship_view(begun, Manners(), [], [], speaking()))
    for words in (
        "낯선 사이",
        "아직 이야기를 나눈 적이 없어요.",
        "말투는 아직 몰라요",
        "아직 달라진 것이 없어요.",
    ):
        assert words in shown


def test_the_closest_of_levels_has_none_above_it():
    closest = replace(FRIENDS, trust=99, affection=99, respect=99, familiarity=99, level="intimate")
    assert "더 가까운 사이는 없어요" in drawn(relationship_view(closest, MANNERS, [], [], speaking()))


@pytest.mark.parametrize(("width", "language"), WIDTHS)
def test_the_history_of_a_relationship(on_file, width, language):
    fitting(on_file, f"trajectory-{width}-{language}", history_table(steps(), 12, speaking(language)), width)


def test_a_chart_draws_every_axis_and_names_every_level():
    hostile = "<b>민수</b> & \x1b[2J"
    for some in (steps(), steps()[:1]):
        picture = chart(some, hostile, LIVING_WORDS["ko"], SEOUL)
        root = ET.fromstring(picture)
        texts = [each.text for each in root.iter("{http://www.w3.org/2000/svg}text")]
        assert texts[0] == "<b>민수</b> & [2J"
        assert set(LIVING_WORDS["ko"].levels.values()) | set(LIVING_WORDS["ko"].axes.values()) <= set(texts)
        assert len(list(root.iter("{http://www.w3.org/2000/svg}polyline"))) == len(AXES) + 1
        assert len(texts) == len(set(texts)), "a date is written once"


def person(name, **fields):
    return Face(name=name, first_seen=day(1), last_seen=day(40), **fields)


JIHUN = Entity(
    faces=(
        person(
            "지훈",
            summary="민수의 오랜 친구",
            interests=(Note(text="등산"), Note(text="커피")),
            personality=(Note(text="다정함"),),
            interactions=1_012,
            felt=3,
            sentiment=0.42,
            trust=58,
        ),
        person("지훈쌤", interactions=2),
    )
)
NABI = Entity(faces=(person("나비", kind="pet", interactions=3),))
BOSS = Entity(faces=(person("김 팀장", interactions=8, felt=2, sentiment=-0.7, trust=31.6),))


@pytest.mark.parametrize(("width", "language"), WIDTHS)
def test_people_with_how_they_are_thought_of(on_file, width, language):
    fitting(on_file, f"people-{width}-{language}", people_table([JIHUN, BOSS, NABI], speaking(language)), width)


def test_a_narrow_terminal_still_shows_who_it_is():
    assert "지훈" in drawn(people_table([JIHUN, BOSS, NABI], speaking()), 60)


@pytest.mark.parametrize(("width", "language"), WIDTHS)
def test_the_whole_profile_of_one(on_file, width, language):
    facts = [
        memory("직업은 의사임", id="m-00000001", attribute="job", subject="other", subject_id="지훈"),
        memory("등산을 좋아함", id="m-00000002", attribute="likes", subject="other", subject_id="지훈쌤"),
    ]
    course = [
        Regard(at=day(1), turn_id="t1", entity=Entity(faces=(person("지훈"),))),
        Regard(at=day(40), turn_id="t2", entity=JIHUN),
    ]
    fitting(on_file, f"profile-{width}-{language}", profile(JIHUN, facts, course, speaking(language)), width)


def test_of_whom_little_is_known_little_is_said():
    shown = drawn(profile(NABI, [], [], speaking()))
    assert "반려동물" in shown
    for label in ("다른 이름", "소개", "관심사", "성격", "알고 있는 것"):
        assert label not in shown


@pytest.mark.parametrize(("width", "language"), WIDTHS)
def test_scenes_with_their_tone_and_topics(on_file, width, language):
    fitting(on_file, f"scenes-{width}-{language}", scenes_table(SCENES, speaking(language)), width)


def test_last_time_in_english_says_what_is_in_the_scene():
    assert last_time_in_english(SCENES[0], speaking("en")) == (
        "Last time (May 9) they talked at 한강공원 about 벚꽃, 도시락; the mood was happy."
    )
    assert last_time_in_english(scene(), speaking("en")) == "Last time (May 9) they talked."


def feelings():
    felt = [
        ("t1", "user", "happy", 0.9),
        ("t1", "character", "neutral", 0.0),
        ("t2", "user", "angry", 0.5),
        ("t2", "character", "sad", 0.02),
        ("t2", "하나", "neutral", 0.0),
    ]
    return [
        Feeling(
            at=day(3),
            turn_id=turn_id,
            turn_number=int(turn_id[1:]),
            felt=Felt(speaker=who, emotion=emotion, intensity=strength, valence=valence(emotion, strength)),
        )
        for turn_id, who, emotion, strength in felt
    ]


@pytest.mark.parametrize(("width", "language"), WIDTHS)
def test_feelings_beside_what_was_said(on_file, width, language):
    said = {
        ("t1", "user"): "나 드디어 합격했어!\n너무 기뻐서 잠이 안 와. 네가 매일 응원해 줘서 그런 것 같아. 정말 고마워",
        ("t1", "character"): "축하해요",
        ("t2", "user"): "근데 아무도 안 믿어 줘",
    }
    fitting(on_file, f"emotions-{width}-{language}", emotions_table(feelings(), said, speaking(language)), width)


@pytest.mark.parametrize(("width", "language"), WIDTHS)
def test_a_timeline_with_what_is_over_and_what_has_faded(on_file, width, language):
    memories = [
        memory("3월 1일~3월 7일의 대화\n3월 1일: 고양이를 좋아함", content_type="summary"),
        memory("고양이를 좋아함", attribute="likes", invalid_at=day(30)),
        memory("비가 왔음", content_type="event", faded_at=day(60)),
        memory("지훈이는 의사임", attribute="job", subject="other", subject_id="지훈"),
    ]
    fitting(on_file, f"timeline-{width}-{language}", timeline_table(memories, speaking(language)), width)


def test_a_narrow_screen_shows_what_happened_before_all_else():
    liking = memory("고양이를 좋아함", attribute="likes")
    said = {("t1", "user"): "나 합격했어!"}
    for shown, words in (
        (timeline_table([liking], speaking()), "고양이를 좋아함"),
        (emotions_table(feelings(), said, speaking()), "나 합격했어!"),
        (scenes_table(SCENES, speaking()), "벚꽃"),
    ):
        lines = drawn(shown, 40).splitlines()
        assert any(words in line for line in lines)
        assert max(cell_len(line.rstrip()) for line in lines) <= 40


def kept():
    old = memory("어제 떡볶이를 먹었다고 함")
    gone = Change(before=old, after=old.changed(faded_at=day(3)))
    made = Change(before=None, after=memory("떡볶이를 자주 먹음"))
    return (
        Kept(action="merge", why="told 2 times", changes=(made, gone)),
        Kept(action="promote", why="said again 3 times, used 1 times", changes=(Change(before=old, after=old),)),
        Kept(action="forget", why="faded and never mentioned", changes=(gone,)),
    )


@pytest.mark.parametrize(("width", "language"), WIDTHS)
def test_a_dry_run_tells_what_would_happen(on_file, width, language):
    upkept = Upkept(scope=LETIA, passes=("promote", "merge", "prune"), kept=kept(), dry_run=True)
    fitting(on_file, f"upkeep-{width}-{language}", upkeep_report(upkept, LIVING_WORDS[language], language), width)


def test_a_report_of_very_many_changes_is_cut_and_says_so():
    upkept = Upkept(scope=LETIA, passes=("merge",), kept=kept() * 20)
    shown = drawn(upkeep_report(upkept, LIVING_WORDS["ko"], "ko", most=5))
    assert "손질을 마쳤어요: 합치기" in shown
    assert "… 그 밖에 75가지" in shown
    assert "새로 20 · 바뀜 20 · 지난 기억으로 40" in shown


def test_of_a_summary_that_is_closed_one_line_is_enough():
    old = memory("3월 1일의 대화\n고양이를 좋아함", content_type="summary")
    new = memory("3월 1일~2일의 대화\n산책을 했음", content_type="summary")
    changes = (Change(before=None, after=new), Change(before=old, after=old.changed(faded_at=day(3))))
    summed_up = Kept(action="summarise", why="14 turns were not summarised", changes=changes)
    shown = drawn(
        upkeep_report(Upkept(scope=LETIA, passes=("summarise",), kept=(summed_up,)), LIVING_WORDS["ko"], "ko")
    )
    assert "산책을 했음" in shown
    assert "3월 1일의 대화 …" in shown
    assert "고양이를 좋아함" not in shown


def pondered():
    old, new = memory("매일 커피를 마심"), memory("커피를 끊음")
    summary = memory("3월 1일의 대화\n커피를 끊음", content_type="summary")
    insight = memory("몸을 챙기기 시작했다", content_type="insight")
    closed = old.changed(invalid_at=day(2), closed_by=new.id)
    retold = summary.changed(interpretation="커피를 끊은 이야기를 나누었다.")
    return (
        Kept(action="settle", why="both cannot hold", changes=(Change(before=old, after=closed),)),
        Kept(action="retell", why="retold by summarise/1 gpt", changes=(Change(before=summary, after=retold),)),
        Kept(action="reflect", why="2 memories together", changes=(Change(before=None, after=insight),)),
    )


@pytest.mark.parametrize(("width", "language"), WIDTHS)
def test_what_a_model_thought_is_told_with_what_it_did_not_answer(on_file, width, language):
    done = Pondered(scope=LETIA, asked=("conflict", "summarise", "reflect"), failed=("profile",), kept=pondered())
    fitting(on_file, f"pondered-{width}-{language}", ponder_report(done, LIVING_WORDS[language], language), width)


@pytest.mark.parametrize("language", ["ko", "en"])
def test_where_a_model_changed_nothing_a_sentence_says_so(language):
    words = LIVING_WORDS[language]
    assert words.nothing_due in drawn(ponder_report(Pondered(scope=LETIA), words, language))
    for thought in THOUGHTS:
        looked = drawn(ponder_report(Pondered(scope=LETIA, asked=(thought,)), words, language))
        assert looked.strip() == words.looked_at.format(passes=words.thoughts[thought])


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"passes": (), "busy": True}, "다른 프로세스가 손질하는 중이에요."),
        ({"passes": ()}, "지금은 할 일이 없어요."),
        ({"passes": ("merge", "prune")}, "살펴봤지만 손댈 것이 없었어요: 합치기, 놓아주기"),
    ],
)
def test_where_nothing_is_done_a_sentence_says_why(fields, said):
    assert said in drawn(upkeep_report(Upkept(scope=LETIA, kept=(), **fields), LIVING_WORDS["ko"], "ko"))


def test_a_watch_has_one_line_for_what_it_did():
    done = Upkept(scope=LETIA, passes=("merge",), kept=kept())
    now = day(3).astimezone(SEOUL)
    assert watch_line(done, now, LIVING_WORDS["ko"]).plain == (
        "09:00:00 [user=민수 character=레티아] 합치기 — 새로 1 · 바뀜 1 · 지난 기억으로 2"
    )
    assert "다른 프로세스" in watch_line(replace(done, busy=True), now, LIVING_WORDS["ko"]).plain


@pytest.mark.parametrize(
    ("why", "korean"),
    [
        ("told 4 times", "4번 들은 이야기"),
        ("said again 3 times, used 12 times", "3번 다시 나왔고 12번 떠올림"),
        ("unimportant, never used and older than 60 days", "중요하지 않고 60일 넘게 쓰이지 않음"),
        ("week 2026-W05 is over", "2026년 5번째 주가 끝남"),
        ("event is kept for 30.5 days", "보관 기한 30.5일이 지남"),
        ("retold by summarise/1 gpt-4o", "모델이 새로 풀어 씀 (summarise/1 gpt-4o)"),
        ("both cannot hold", "둘 다 맞을 수는 없음"),
        ("a builder's own reason", "a builder's own reason"),
    ],
)
def test_reasons_are_told_in_the_language_of_the_reader(why, korean):
    assert reason(why, "ko") == korean
    assert reason(why, "en") == why


def observed(emotions=(), moves=()):
    return Observed(turn=turn("안녕"), decisions=(), emotions=tuple(emotions), moves=tuple(moves))


def line(language="ko", **what):
    shown = moved_line(observed(**what), LETIA, WORDS[language], LIVING_WORDS[language])
    return None if shown is None else shown.plain


def move(kind, before, after):
    return Move(kind=kind, id="pair", before=before, after=after)


def test_a_turn_tells_quietly_what_it_moved():
    felt = [feelings()[0].felt, feelings()[1].felt, replace(feelings()[3].felt, intensity=0.3)]
    polite = Manners(user=Speech(style=Habit(value="formal", at=day(1), turn_number=1)))
    named = replace(MANNERS, character=Speech(address=Habit(value="민수 씨", at=day(1), turn_number=1)))
    assert line(emotions=felt) == "민수 기쁨 · 레티아 슬픔"
    assert line(moves=[move("relationship", BEFORE, FRIENDS)]) == "두 사람의 사이: 얼굴을 아는 사이 → 친구 사이"
    assert line(moves=[move("manners", polite, MANNERS)]) == "민수: 존댓말 → 반말"
    assert line(moves=[move("manners", named, MANNERS)]) == "레티아: “민수 씨” → “오빠”"


def test_a_turn_that_moved_nothing_to_speak_of_has_no_such_line():
    calm = [feelings()[1].felt, feelings()[3].felt]
    closer = replace(BEFORE, trust=41.3)
    moves = [move("relationship", BEFORE, closer), move("relationship", None, BEFORE), move("manners", None, MANNERS)]
    assert line(emotions=calm, moves=[*moves, move("manners", Manners(), MANNERS)]) is None


@pytest.mark.parametrize("language", LIVING_WORDS)
def test_every_name_of_the_domain_has_a_word(language):
    living = LIVING_WORDS[language]
    assert set(living.levels) == set(LEVELS)
    assert set(living.axes) == set(AXES)
    assert set(living.emotions) == set(EMOTIONS)
    assert set(living.passes) == set(PASSES)
    assert all(living.causes.get(name) for name in ("time_together", "absence"))


def test_every_sign_of_the_rules_has_a_korean_name():
    assert set(default_rules().signs) <= set(LIVING_WORDS["ko"].causes)


def test_the_rules_in_force_can_be_read_back(tmp_path):
    assert rules_from(tomllib.loads(rules_in_force(None))) == default_rules()
    assert rules_from(tomllib.loads(written(default_rules()))) == default_rules()
    changed = tmp_path / "rules.toml"
    changed.write_text(
        '[signs.thanks]\ntrust = 0.1234567891\n[signs."함께 \\"요리\\""]\nnew = true\naffection = 1\n', encoding="utf-8"
    )
    again = rules_from(tomllib.loads(rules_in_force(str(changed))))
    assert again == rules_from(tomllib.loads(changed.read_text(encoding="utf-8")))
    assert again.signs["thanks"].moves["trust"] == 0.1234567891
