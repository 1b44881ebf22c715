"""How everything looks on a screen: bars, tables that drop columns, and what is on file in both languages."""

from dataclasses import asdict, replace
from datetime import UTC, datetime
from xml.etree import ElementTree as ET
from zoneinfo import ZoneInfo

import pytest

from gieok.access.keys import AccessKey
from gieok.bank.history import Feeling, Regard, Step, Version
from gieok.bank.models import Deepened
from gieok.cli.bench import Asking, Reading, Report, Writing, bench_view
from gieok.cli.console import Terms
from gieok.cli.keys import keys_table
from gieok.cli.maintain import ModelWork, deep_report, ponder_report, upkeep_report, watch_line
from gieok.cli.memories import facts_table, scopes_table, timeline_table
from gieok.cli.privacy import deeds_table, verified_view, versions_table
from gieok.cli.relationship import drawn as chart
from gieok.cli.relationship import (
    emotions_table,
    history_table,
    people_table,
    profile,
    relationship_view,
    scenes_table,
    worth_telling,
)
from gieok.cli.table import Column, Listing, labelled, meter, stacked
from gieok.cli.talk import (
    ExplainedHits,
    Hits,
    changed,
    context_view,
    moved_line,
    outcome_table,
    outcomes,
    token_meter,
)
from gieok.domain.actor import Actor
from gieok.domain.answer import Block, Context, Found, Hit, Observed
from gieok.domain.audit import Chain, Deed, Finding, Verified
from gieok.domain.decision import Ignore, Reinforce, Remember, Retract, Supersede
from gieok.domain.emotion import Felt, valence
from gieok.domain.entity import Entity, Face, Note
from gieok.domain.memory import Change
from gieok.domain.promotion import Promotion
from gieok.domain.relationship import AXES, Habit, Manners, Relationship, Speech
from gieok.domain.scene import Scene
from gieok.domain.scope import Scope
from gieok.domain.scoring import Parts, Weights, contributions, weighed
from gieok.domain.server_state import Bounds
from gieok.domain.state import Cause, Move
from gieok.domain.upkeep import Kept, Upkept
from gieok.errors import ErrorText
from gieok.maintain.model_passes import Pondered
from gieok.ports import ScopeSummary
from gieok.settings import Settings
from gieok.testing import claim, day, memory, turn
from gieok.words import LANGUAGES, words_in
from gieok.words.reasons import reason
from support.screen import drawn

LETIA = Scope(user="민수", character="레티아")


def terms(language="ko"):
    return Terms(words_in(language), LETIA, ZoneInfo("Asia/Seoul"))


@pytest.mark.parametrize(
    ("value", "bar"),
    [(0.0, "────"), (0.001, "╸───"), (0.5, "━━──"), (0.6, "━━╸─"), (1.0, "━━━━"), (7.0, "━━━━"), (-1.0, "────")],
)
def test_a_meter_is_filled_to_half_a_cell_and_shows_whatever_is_above_nothing(value, bar):
    assert meter(value, 4, "green").plain == bar


def test_a_stacked_bar_is_as_long_as_its_sum_however_many_segments_it_has():
    assert stacked([(0.1, "red")] * 3, 1.0, 10).plain.rstrip() == "━━━"
    assert stacked([(2.0, "red")], 1.0, 10).plain == "━" * 10
    assert stacked([], 0.0, 10).plain == " " * 10


SEGMENTS = [(0.5, "red", "중요"), (0.25, "green", "뜻"), (0.05, "blue", "최근"), (0.0, "cyan", "연결")]


def test_a_labelled_bar_names_its_segments_as_far_as_they_have_room():
    assert labelled(SEGMENTS, 1.0, 20, coloured=False).plain == "중요━━━━━━뜻━━━┃"
    assert labelled(SEGMENTS, 1.0, 60, coloured=False).plain == "중요" + "━" * 26 + "뜻" + "━" * 13 + "최━"
    assert labelled([(0.0, "red", "중요")], 0.0, 20, coloured=False).plain == ""
    coloured = labelled(SEGMENTS, 1.0, 20, coloured=True)
    assert coloured.plain == "중요      뜻    "
    assert [str(span.style) for span in coloured.spans] == ["reverse red", "reverse green", "reverse blue"]
    for width in (7, 20, 33, 60):
        assert {labelled(SEGMENTS, 0.8, width, coloured=each).cell_len for each in (True, False)} == {width}


def test_a_table_drops_columns_one_by_one_where_the_screen_is_too_narrow():
    columns = [
        Column("id", lambda row: row[0]),
        Column("memory", lambda row: row[1], fold=True),
        Column("when", lambda row: row[2], drop=1),
        Column("why", lambda row: row[3], drop=2),
    ]
    table = Listing(
        [("m1", "강아지를 아주 많이 좋아하고 날마다 산책함", "2026-03-02", "들은 말")], columns, words_in("ko")
    )
    shown = {
        width: [word in drawn(table, width) for word in ("m1", "강아지를", "2026", "들은")] for width in (60, 40, 25)
    }
    assert shown == {60: [True] * 4, 40: [True, True, True, False], 25: [True, True, False, False]}


WORTH = Promotion(
    type_importance=0.6, confidence=0.9, future_impact=0.6, emotion=0.0, recurrence=0.0, novelty=1.0, score=0.6
)


def new(content, **fields):
    return Change(before=None, after=memory(content, **fields))


def every_outcome(language):
    view = terms(language)
    close = (new("부산에 삶"), new("판교에 삶", invalid_at=day(30)))
    doctor = new("직업은 의사임", subject="other", subject_id="지훈이")
    decisions = (
        Remember(claim=claim("likes", "고양이"), changes=(new("고양이를 좋아함"),), promotion=WORTH),
        Remember(claim=claim("opinion", None), changes=(new("따뜻한 사람임", speaker="character"),), promotion=WORTH),
        Remember(claim=claim("job", "의사"), changes=(doctor,), promotion=WORTH),
        Reinforce(claim=claim("likes", "고양이"), changes=(new("고양이를 좋아함", mentions=2),)),
        Supersede(claim=claim("residence", "부산"), changes=close, promotion=WORTH),
        Retract(claim=claim("age", "25"), changes=(new("나이는 25살임", retracted=True),)),
        Ignore(claim=claim("mood", "졸림", content="졸림"), why="below_threshold"),
    )
    rows = outcomes(Observed(turn=turn("나 고양이 좋아해"), decisions=decisions), view)
    return outcome_table([*rows, changed("correct", [memory("부산에 삶")], memory("부산 해운대에 삶"))], view)


WEIGHTS = Weights(recency=0.05, importance=0.2, relevance=0.45, keyword=0.6, strength=0.0, graph=0.8)


def hits():
    near = (Found(source="dense", rank=13), Found(source="dense", rank=1), Found(source="keyword", rank=2))
    found = [
        (memory("강아지를 좋아함", known_at=day(30)), LETIA, (0.97, 0.6, 0.7, 1.0, 1.0, 0.0), near),
        (turn("강아지랑 산책했어", at=day(31)).utterances[0], LETIA, (1.0, 0.3, 0.4, 0.0, 0.3, 0.5), near[1:2]),
        (
            memory("세계에는 달이 둘 있음", subject="world", subject_id="world"),
            Scope(world="아카데미"),
            (0.0, 0.5, 0.1, 0.0, 0.0, 0.0),
            (Found(source="rerank", rank=1),),
        ),
    ]
    for item, scope, figures, why in found:
        parts = Parts(
            **dict(zip(("recency", "importance", "relevance", "keyword", "strength", "graph"), figures, strict=True))
        )
        adds = contributions(parts, WEIGHTS)
        yield Hit(
            item=item, scope=scope, score=weighed(WEIGHTS, **asdict(parts)), parts=parts, why=why, contributions=adds
        )


FACTS = [
    memory("고양이를 좋아함", id="m-00000001", attribute="likes", invalid_at=day(30)),
    memory("땅콩 알레르기가 있음", id="m-00000002", attribute="allergy", pinned=True, known_at=day(3)),
    memory("강아지를 좋아함", id="m-00000003", attribute="favorite.animal", valid_at=day(30), known_at=day(30)),
    memory("직업은 의사임", id="m-00000004", attribute="job", subject="other", subject_id="지훈이"),
    memory("비가 왔음", id="m-00000005", attribute=None, content_type="event", faded_at=day(60)),
]
CONTEXT = Context(
    query="뭐 먹을까?",
    blocks=(
        Block(name="preface", text="아래는 기억에서 가져온 자료이다.", tokens=20),
        Block(name="pinned", text="[항상 기억할 것]\n- 주의: 땅콩 알레르기가 있음", tokens=30),
        Block(name="memories", text="", tokens=0),
        Block(name="message", text="뭐 먹을까? " * 12, tokens=60),
    ),
    messages=(),
    hits=(),
    budget=220,
)
SUMMARIES = [
    ScopeSummary(scope=LETIA, turns=1_200, memories=80, utterances=2_400, latest_at=day(30)),
    ScopeSummary(scope=Scope(world="아카데미"), turns=0, memories=3, utterances=0, latest_at=None),
]
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


TOGETHER = caused("time_together", speaker="", familiarity=0.3)
STEPS = [
    step(day(60), None, BEFORE, *TOGETHER),
    step(day(70), BEFORE, BEFORE, *TOGETHER, *caused("absence", speaker="", familiarity=-3.1), scene="s1"),
    step(day(71), BEFORE, BEFORE, *TOGETHER, *caused("insult", "바보야", affection=-3.0), scene="s1"),
    step(
        day(80),
        BEFORE,
        FRIENDS,
        *caused("promise_kept", "약속한 대로 왔어", trust=2.5, respect=1.2, affection=0.01),
        *caused("shared_secret", "비밀인데", trust=1.0),
        scene="s2",
    ),
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
        counts=tuple((topic, 1) for topic in "이직 면접 출근 점심 회식 야근".split()),
    ),
]


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
REGARDS = [
    Regard(at=day(1), turn_id="t1", entity=Entity(faces=(person("지훈"),))),
    Regard(at=day(40), turn_id="t2", entity=JIHUN),
]


def feeling(turn_id, speaker, emotion, intensity):
    felt = Felt(speaker=speaker, emotion=emotion, intensity=intensity, valence=valence(emotion, intensity))
    return Feeling(at=day(3), turn_id=turn_id, turn_number=int(turn_id[1:]), felt=felt)


FEELINGS = [
    feeling("t1", "user", "happy", 0.9),
    feeling("t1", "character", "neutral", 0.0),
    feeling("t2", "user", "angry", 0.5),
    feeling("t2", "character", "sad", 0.3),
    feeling("t2", "하나", "neutral", 0.0),
]
SAID = {
    ("t1", "user"): "나 드디어 합격했어!\n너무 기뻐서 잠이 안 와. 네가 매일 응원해 줘서 그런 것 같아. 정말 고마워",
    ("t1", "character"): "축하해요",
    ("t2", "user"): "근데 아무도 안 믿어 줘",
}


def kept():
    old, summary = (
        memory("어제 떡볶이를 먹었다고 함"),
        memory("3월 1일의 대화\n고양이를 좋아함", content_type="summary"),
    )
    gone = Change(before=old, after=old.changed(faded_at=day(3)))
    told = memory("3월 1일~2일의 대화\n산책을 했음", content_type="summary")
    closed = Change(before=summary, after=summary.changed(faded_at=day(3)))
    return (
        Kept(action="merge", why="told 2 times", changes=(new("떡볶이를 자주 먹음"), gone)),
        Kept(action="promote", why="said again 3 times, used 1 times", changes=(Change(before=old, after=old),)),
        Kept(action="forget", why="faded and never mentioned", changes=(gone,)),
        Kept(action="summarise", why="14 turns were not summarised", changes=(Change(before=None, after=told), closed)),
        Kept(action="settle", why="both cannot hold", changes=(gone,)),
        Kept(
            action="reflect", why="2 memories together", changes=(new("몸을 챙기기 시작했다", content_type="insight"),)
        ),
    )


def deeds():
    plain = {"at": day(1), "recorded_at": 1, "names": "n", "digest": "d", "link": "l", "salt": "s", "name_salt": "s"}
    key = Actor(kind="key", name="게임 서버 (ab12)")
    return [
        Deed(number=1, act="observe", actor=key, who="korean/1", why="", targets='["t1","c1","c2","c3"]', **plain),
        Deed(number=2, act="read", actor=key, who="", why="GET /v1/facts", targets="[]", **plain),
        Deed(number=3, act="erase", **{**plain, "salt": None, "name_salt": None}),
    ]


def versions():
    first, second = memory("고양이를 좋아함"), memory("개를 좋아함")
    plain = {"operation_id": "o", "operation": 1, "kind": "observe", "at": day(1), "recorded_at": day(1)}
    plain |= {"why": "", "turn_id": None}
    operator = Actor(kind="person", name="운영자 김")
    return [
        Version(number=1, act="observe", actor=None, who="korean/1", before=None, after=first, **plain),
        Version(number=2, act="correct", actor=operator, who="person", before=first, after=second, **plain),
        Version(number=None, act="erase", actor=operator, who="", before=first, after=None, **plain),
    ]


BROKEN = Verified(
    chains=1,
    deeds=3,
    findings=(
        Finding(
            chain=Chain(mark="abc", scope=LETIA, since=0, length=3, head="l"),
            number=2,
            since=day(1),
            what=ErrorText("audit.missing", row=2),
        ),
    ),
)
GAME = AccessKey(
    id="r88vtm60dqfe",
    name="게임 서버",
    role="writer",
    digest="",
    bounds=(Bounds(user="민수", character="레티아"), Bounds(world="학원")),
    per_day=10_000,
    created_at=datetime(2026, 11, 15, 12, tzinfo=UTC),
)
KEYS = (
    GAME,
    replace(GAME, id="ka32ye3nbv7r", name="operator", role="admin", bounds=(), per_minute=0, per_day=None),
    replace(GAME, id="0hx4k9w2m7pz", name="old", role="reader", bounds=(), per_day=None, revoked_at=GAME.created_at),
)
BENCH = Report(
    embedder="use-m3-512",
    asking=Asking(encode_ms=1.8, morphology_ms=0.5),
    writing=(Writing(threads=1, turns=200, per_second=110.4, cpu_ms=7.91),),
    reading=(
        Reading(scope="full-1000", memories=1_000, p50_ms=1.234, p95_ms=2.5, cpu_ms=1.3),
        Reading(scope="beside-1000", memories=10, p50_ms=0.3, p95_ms=0.5, cpu_ms=0.3),
    ),
    peak_memory_mb=612.4,
    bank_mb=12.0,
)
THOUGHT = Pondered(scope=LETIA, asked=("conflict", "reflect"), failed=("profile",), kept=kept()[4:])
WORK = ModelWork(scope=LETIA, done=Deepened(directed=True, pondered=THOUGHT), note="더 들어 줄 것.", left_open=2)

VIEWS = {
    "outcomes": every_outcome,
    "hits": lambda language: Hits(list(hits()), WEIGHTS, terms(language)),
    "explained": lambda language: ExplainedHits(list(hits()), WEIGHTS, "mean_of_sources", terms(language)),
    "facts": lambda language: facts_table(FACTS, terms(language)),
    "facts-history": lambda language: facts_table(FACTS, terms(language), history=True),
    "timeline": lambda language: timeline_table(FACTS, terms(language)),
    "context": lambda language: context_view(CONTEXT, terms(language)),
    "scopes": lambda language: scopes_table(SUMMARIES, terms(language)),
    "relationship": lambda language: relationship_view(FRIENDS, MANNERS, worth_telling(STEPS), SCENES, terms(language)),
    "relationship-history": lambda language: history_table(STEPS, 12, terms(language)),
    "people": lambda language: people_table([JIHUN, BOSS, NABI], terms(language)),
    "profile": lambda language: profile(JIHUN, FACTS[3:4], REGARDS, terms(language)),
    "scenes": lambda language: scenes_table(SCENES, terms(language)),
    "emotions": lambda language: emotions_table(FEELINGS, SAID, terms(language)),
    "upkeep": lambda language: upkeep_report(
        Upkept(scope=LETIA, passes=("promote", "merge", "prune"), kept=kept(), dry_run=True), terms(language), most=7
    ),
    "deep": lambda language: deep_report(WORK, terms(language)),
    "audit": lambda language: deeds_table(deeds(), terms(language)),
    "versions": lambda language: versions_table(versions(), terms(language)),
    "verified": lambda language: verified_view(BROKEN, terms(language)),
    "keys": lambda language: keys_table(KEYS, {GAME.id: 4321}, Settings()),
    "bench": lambda language: bench_view(BENCH, words_in(language)),
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_view_on_a_wide_a_usual_and_a_narrow_screen(on_file, language, monkeypatch):
    monkeypatch.setenv("GIEOK_LANGUAGE", language)
    page = [
        f"── {name}, {width} ──\n{drawn(view(language), width)}"
        for name, view in VIEWS.items()
        for width in (120, 80, 50)
    ]
    on_file(f"views-{language}", "\n".join(page))


@pytest.mark.parametrize(
    ("silence", "unread", "said"),
    [((), False, "잡담"), (("question", "wish"), False, "질문, 바람"), ((), True, "아직 읽지 못함")],
)
def test_a_turn_that_gave_nothing_says_why(silence, unread, said):
    observed = Observed(turn=turn("음"), decisions=(), unread=unread)
    rows = outcomes(observed, terms(), silence=silence)
    assert drawn(outcome_table(rows, terms())).split(maxsplit=2)[2].strip() == said


def test_where_there_is_nothing_a_sentence_says_so():
    view = terms()
    begun = Relationship(trust=5, affection=5, respect=10, rivalry=0, familiarity=0)
    for shown, said in (
        (Hits([], WEIGHTS, view), "떠오르는 기억이 없어요."),
        (ExplainedHits([], WEIGHTS, "sum", view), "떠오르는 기억이 없어요."),
        (facts_table([], view), "기억하는 내용이 없어요."),
        (relationship_view(begun, Manners(), [], [], view), "아직 이야기를 나눈 적이 없어요."),
        (deeds_table([], view), "아직 기록이 없어요."),
        (verified_view(Verified(chains=2, deeds=1_234), view), "기록 1,234개."),
        (keys_table([], {}, Settings()), "gieok keys create"),
        (upkeep_report(Upkept(scope=LETIA, passes=(), kept=(), busy=True), view), "다른 프로세스가 정리하는 중이에요."),
        (upkeep_report(Upkept(scope=LETIA, passes=(), kept=()), view), "지금은 할 일이 없어요."),
        (upkeep_report(Upkept(scope=LETIA, passes=("merge",), kept=()), view), "바꿀 것이 없었어요: 합치기"),
        (ponder_report(Pondered(scope=LETIA), view), "지금은 할 일이 없어요."),
        (ponder_report(Pondered(scope=LETIA, asked=("reflect",)), view), "바꿀 것이 없었어요: 돌아보기"),
    ):
        assert said in drawn(shown)


def test_the_closest_of_levels_has_none_above_it():
    closest = replace(FRIENDS, trust=99, affection=99, respect=99, familiarity=99, level="intimate")
    assert "더 가까운 사이는 없어요" in drawn(relationship_view(closest, MANNERS, [], [], terms()))


def test_a_question_over_the_budget_is_said_plainly():
    shown = drawn(token_meter([Block(name="message", text="뭐 먹을까?", tokens=4)], 1, terms()))
    assert "질문만 4토큰이라" in shown
    assert "4 / 1" not in shown


def test_an_explanation_says_only_where_it_holds_that_what_found_a_hit_counts():
    assert "평균" not in drawn(ExplainedHits(list(hits()), WEIGHTS, "sum", terms()))


def test_a_report_of_very_many_changes_is_cut_and_says_so():
    shown = drawn(upkeep_report(Upkept(scope=LETIA, passes=("merge",), kept=kept() * 20), terms(), most=5))
    assert "… 그 밖에 155가지" in shown
    assert "새로 60 · 바뀜 20 · 지난 기억이 됨 80" in shown


def test_a_watch_has_one_line_for_what_it_did():
    done = Upkept(scope=LETIA, passes=("merge",), kept=kept()[:3])
    now = day(3).astimezone(terms().zone)
    assert watch_line(done, now, terms()).plain == (
        "09:00:00 [user=민수 character=레티아] 합치기 — 새로 1 · 바뀜 1 · 지난 기억이 됨 2"
    )
    assert "다른 프로세스" in watch_line(replace(done, busy=True), now, terms()).plain


@pytest.mark.parametrize(
    ("why", "korean", "english"),
    [
        ("told 4 times", "4번 들은 이야기", "mentioned 4 times"),
        ("said again 3 times, used 12 times", "3번 다시 나왔고 12번 쓰임", "repeated 3 times, used 12 times"),
        ("week 2026-W05 is over", "2026년 5번째 주가 끝남", "week 5 of 2026 is over"),
        ("event is kept for 30.5 days", "보관 기한 30.5일이 지남", "older than 30.5 days"),
        ("retold by summarise/1 gpt-4o", "모델이 새로 풀어 씀 (summarise/1 gpt-4o)", "rewritten by summarise/1 gpt-4o"),
        ("a builder's own reason", "a builder's own reason", "a builder's own reason"),
    ],
)
def test_reasons_are_told_in_the_language_of_the_reader(why, korean, english):
    assert (reason(why, words_in("ko")), reason(why, words_in("en"))) == (korean, english)


def test_a_chart_draws_every_axis_and_names_every_level():
    hostile = replace(terms(), scope=Scope(user="<b>민수</b> & \u202e", character="레티아"))
    for some in (STEPS, STEPS[:1]):
        root = ET.fromstring(chart(some, hostile))
        texts = [each.text for each in root.iter("{http://www.w3.org/2000/svg}text")]
        assert texts[0] == "<b>민수</b> &  ↔ 레티아"
        labels = {*words_in("ko").some("shared.levels").values(), *words_in("ko").some("shared.axes").values()}
        assert labels <= set(texts)
        assert len(list(root.iter("{http://www.w3.org/2000/svg}polyline"))) == len(AXES) + 1
        assert len(texts) == len(set(texts)), "a date is written once"


def moved(emotions=(), moves=()):
    observed = Observed(turn=turn("안녕"), decisions=(), emotions=tuple(emotions), moves=tuple(moves))
    shown = moved_line(observed, terms())
    return None if shown is None else shown.plain


def move(kind, before, after):
    return Move(kind=kind, id="pair", before=before, after=after)


def test_a_turn_tells_quietly_what_it_moved_and_nothing_where_nothing_did():
    felt = [each.felt for each in FEELINGS]
    polite = Manners(user=Speech(style=Habit(value="formal", at=day(1), turn_number=1)))
    named = replace(MANNERS, character=Speech(address=Habit(value="민수 씨", at=day(1), turn_number=1)))
    assert moved([felt[0], felt[1], felt[3]]) == "민수 기쁨 · 레티아 슬픔"
    assert moved(moves=[move("relationship", BEFORE, FRIENDS)]) == "두 사람의 사이: 얼굴을 아는 사이 → 친구 사이"
    assert moved(moves=[move("manners", polite, MANNERS)]) == "민수: 존댓말 → 반말"
    assert moved(moves=[move("manners", named, MANNERS)]) == "레티아: “민수 씨” → “오빠”"
    small = [move("relationship", BEFORE, replace(BEFORE, trust=41.3)), move("relationship", None, BEFORE)]
    calm = [felt[1], replace(felt[3], intensity=0.02)]
    assert moved(calm, [*small, move("manners", None, MANNERS), move("manners", Manners(), MANNERS)]) is None


def test_text_from_users_is_never_read_as_markup():
    rows = [changed("correct", [memory("[red]이전[/red]")], memory("[bold]지금[/]"))]
    assert "[red]이전[/red] → [bold]지금[/]" in drawn(outcome_table(rows, terms()))
    shown = drawn(facts_table([memory("[red]값[/red]", subject="other", subject_id="[b]")], terms()))
    assert "[red]값[/red]" in shown
    assert "[b]" in shown
