import io
from dataclasses import replace
from typing import get_args
from zoneinfo import ZoneInfo

import pytest
from rich.cells import cell_len

from gieok.cli.bench import Asking, Reading, Report, Writing
from gieok.cli.console import answers
from gieok.cli.doctor import Check
from gieok.cli.look.admin import bench_tables, check_line
from gieok.cli.look.bars import labelled, meter, stacked
from gieok.cli.look.memories import (
    ExplainedHits,
    HitsTable,
    changed,
    context_blocks,
    facts_table,
    outcome_table,
    outcomes,
    scopes_table,
    token_meter,
)
from gieok.cli.look.words import WORDS
from gieok.domain.answer import Block, Context, Found, Hit, Observed, Source
from gieok.domain.decision import Ignore, Reinforce, Remember, Retract, Supersede
from gieok.domain.memory import Change
from gieok.domain.promotion import Promotion
from gieok.domain.scope import Scope
from gieok.domain.scoring import PART_NAMES, Parts, Weights, combined, contributions
from gieok.ports import ScopeSummary
from gieok.testing import claim, day, memory, turn

SEOUL = ZoneInfo("Asia/Seoul")
LETIA = Scope(user="민수", character="레티아")
WEIGHTS = Weights(recency=0.05, importance=0.2, relevance=0.45, keyword=0.6, strength=0.05, graph=0.8)
WORTH = Promotion(
    type_importance=0.6, confidence=0.9, future_impact=0.6, emotion=0.0, recurrence=0.0, novelty=1.0, score=0.6
)


def drawn(shown, width=100):
    """What `shown` looks like without colours."""
    console = answers()
    console.file, console.width = io.StringIO(), width
    console.print(shown)
    return console.file.getvalue()


def new(content, **fields):
    return Change(before=None, after=memory(content, **fields))


@pytest.mark.parametrize(
    ("value", "bar"),
    [(0.0, "────"), (0.001, "╸───"), (0.5, "━━──"), (0.6, "━━╸─"), (1.0, "━━━━"), (7.0, "━━━━"), (-1.0, "────")],
)
def test_a_meter_is_filled_to_half_a_cell_and_shows_whatever_is_above_nothing(value, bar):
    assert meter(value, 4, "green").plain == bar


def test_a_stacked_bar_is_as_long_as_its_sum_however_many_segments_it_has():
    thirds = [(0.1, "red")] * 3
    assert stacked(thirds, 1.0, 10).plain.rstrip() == "━━━"
    assert stacked([(2.0, "red")], 1.0, 10).plain == "━" * 10
    assert stacked([], 0.0, 10).plain == " " * 10


SEGMENTS = [(0.5, "red", "중요"), (0.25, "green", "뜻"), (0.05, "blue", "최근"), (0.0, "cyan", "연결")]


def test_a_labelled_bar_names_its_segments_as_far_as_they_have_room():
    assert labelled(SEGMENTS, 1.0, 20, coloured=False).plain == "중요━━━━━━뜻━━━┃"
    assert labelled(SEGMENTS, 1.0, 60, coloured=False).plain == "중요" + "━" * 26 + "뜻" + "━" * 13 + "최━"
    assert labelled([(0.0, "red", "중요")], 0.0, 20, coloured=False).plain == ""


@pytest.mark.parametrize("width", [7, 20, 33, 60])
@pytest.mark.parametrize("coloured", [True, False])
def test_a_labelled_bar_is_as_wide_as_its_sum_whatever_the_letters(width, coloured):
    assert labelled(SEGMENTS, 0.8, width, coloured=coloured).cell_len == width


def test_a_labelled_bar_in_colours_is_filled_with_them():
    bar = labelled(SEGMENTS, 1.0, 20, coloured=True)
    assert bar.plain == "중요      뜻    "
    assert [str(span.style) for span in bar.spans] == ["reverse red", "reverse green", "reverse blue"]


def test_outcomes_of_every_kind(on_file):
    decisions = (
        Remember(claim=claim("likes", "고양이"), changes=(new("고양이를 좋아함"),), promotion=WORTH),
        Remember(
            claim=claim("opinion", None),
            changes=(new("따뜻한 사람임", speaker="character"),),
            promotion=WORTH,
        ),
        Remember(
            claim=claim("job", "의사"),
            changes=(new("직업은 의사임", subject="other", subject_id="지훈이"),),
            promotion=WORTH,
        ),
        Reinforce(claim=claim("likes", "고양이"), changes=(new("고양이를 좋아함", mentions=2),)),
        Supersede(
            claim=claim("residence", "부산"),
            changes=(new("부산에 삶"), new("판교에 삶", invalid_at=day(30))),
            promotion=WORTH,
        ),
        Retract(claim=claim("age", "25"), changes=(new("나이는 25살임", retracted=True),)),
        Ignore(claim=claim("mood", "졸림", content="졸림"), why="below_threshold"),
    )
    observed = Observed(turn=turn("나 고양이 좋아해"), decisions=decisions)
    rows = [*outcomes(observed, WORDS["ko"]), changed("correct", [memory("부산에 삶")], memory("부산 해운대에 삶"))]
    on_file("outcomes", drawn(outcome_table(rows, LETIA, WORDS["ko"]), 60))


@pytest.mark.parametrize(
    ("silence", "unread", "said"),
    [((), False, "잡담"), (("question", "wish"), False, "질문, 바람"), ((), True, "아직 읽지 못함")],
)
def test_a_turn_that_gave_nothing_says_why(silence, unread, said):
    observed = Observed(turn=turn("음"), decisions=(), unread=unread)
    rows = outcomes(observed, WORDS["ko"], silence=silence)
    assert drawn(outcome_table(rows, LETIA, WORDS["ko"])).split(maxsplit=2)[2].strip() == said


def hits():
    liking = memory("강아지를 좋아함", known_at=day(30))
    line = turn("강아지랑 산책했어", at=day(31)).utterances[0]
    near = (Found(source="dense", rank=13), Found(source="dense", rank=1), Found(source="keyword", rank=2))
    return [
        Hit(
            item=liking,
            scope=LETIA,
            score=0.76,
            parts=Parts(recency=0.97, importance=0.6, relevance=0.7, keyword=1.0, strength=1.0),
            why=near,
        ),
        Hit(
            item=line,
            scope=LETIA,
            score=0.31,
            parts=Parts(recency=1.0, importance=0.3, relevance=0.4, strength=0.3, graph=0.5),
            why=(Found(source="dense", rank=2), Found(source="speaker", rank=1)),
        ),
        Hit(
            item=memory("세계에는 달이 둘 있음", subject="world", subject_id="world"),
            scope=Scope(world="아카데미"),
            score=0.1,
            parts=Parts(importance=0.5, relevance=0.1),
            why=(Found(source="dense", rank=40),),
        ),
    ]


@pytest.mark.parametrize(("width", "language"), [(100, "ko"), (80, "ko"), (100, "en")])
def test_hits_with_every_part_of_their_score(on_file, width, language):
    table = HitsTable(hits=hits(), scope=LETIA, words=WORDS[language], weights=WEIGHTS)
    on_file(f"hits-{width}-{language}", drawn(table, width))


def explained(language, combine="sum"):
    weights = replace(WEIGHTS, strength=0.0)
    found = [
        replace(hit, score=combined(hit.parts, weights), contributions=contributions(hit.parts, weights))
        for hit in hits()
    ]
    return ExplainedHits(hits=found, scope=LETIA, words=WORDS[language], weights=weights, combine=combine)


@pytest.mark.parametrize(("width", "language"), [(80, "ko"), (60, "ko"), (80, "en")])
def test_hits_with_what_their_scores_are_made_of(on_file, width, language):
    shown = drawn(explained(language), width)
    on_file(f"explained-{width}-{language}", shown)
    assert max(cell_len(line.rstrip()) for line in shown.splitlines()) <= width


def test_an_explanation_says_where_only_what_found_a_hit_counts():
    assert "뜻·낱말·연결: 그 기억을 찾은 방법들의 점수만 평균" in drawn(explained("ko", "mean_of_sources"))
    assert "평균" not in drawn(explained("ko"))


@pytest.mark.parametrize(("language", "place"), [("ko", "모델1"), ("en", "model#1")])
def test_an_explanation_shows_the_place_that_a_model_gave_a_hit(language, place):
    shown = explained(language)
    first, *others = shown.hits
    moved = replace(first, why=(*first.why, Found(source="rerank", rank=1)))
    assert place in drawn(replace(shown, hits=[moved, *others]))
    assert place not in drawn(shown)


def facts():
    return [
        memory("고양이를 좋아함", id="m-00000001", attribute="likes", invalid_at=day(30)),
        memory("땅콩 알레르기가 있음", id="m-00000002", attribute="allergy", pinned=True, known_at=day(3)),
        memory("강아지를 좋아함", id="m-00000003", attribute="likes", valid_at=day(30), known_at=day(30)),
        memory("직업은 의사임", id="m-00000004", attribute="job", subject="other", subject_id="지훈이"),
    ]


def test_facts_as_they_are_now(on_file):
    on_file("facts", drawn(facts_table(facts()[1:], LETIA, WORDS["ko"], SEOUL), 80))


@pytest.mark.parametrize("language", ["ko", "en"])
def test_facts_with_their_history_show_both_clocks(on_file, language):
    on_file(f"history-{language}", drawn(facts_table(facts(), LETIA, WORDS[language], SEOUL, history=True), 80))


def test_a_narrow_screen_shows_what_is_remembered_before_all_else():
    for shown in (
        HitsTable(hits=hits()[:1], scope=LETIA, words=WORDS["ko"], weights=WEIGHTS),
        facts_table([memory("강아지를 좋아함")], LETIA, WORDS["ko"], SEOUL, history=True),
    ):
        lines = drawn(shown, 40).splitlines()
        assert any("강아지를 좋아함" in line for line in lines)
        assert max(cell_len(line.rstrip()) for line in lines) <= 40


def test_no_hits_and_no_facts_are_a_sentence():
    assert drawn(HitsTable(hits=[], scope=LETIA, words=WORDS["ko"], weights=WEIGHTS)).strip() == WORDS["ko"].nothing
    nothing = ExplainedHits(hits=[], scope=LETIA, words=WORDS["ko"], weights=WEIGHTS, combine="sum")
    assert drawn(nothing).strip() == WORDS["ko"].nothing
    assert drawn(facts_table([], LETIA, WORDS["en"], SEOUL)).strip() == "Nothing is known."


def test_a_context_with_a_meter_for_each_block(on_file):
    context = Context(
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
    on_file("context", drawn(context_blocks(context), 60) + drawn(token_meter(context, WORDS["ko"]), 60))


@pytest.mark.parametrize("language", WORDS)
def test_a_question_over_the_budget_is_said_plainly(language):
    question = Block(name="message", text="뭐 먹을까?", tokens=4)
    context = Context(query="뭐 먹을까?", blocks=(question,), messages=(), hits=(), budget=1)
    shown = drawn(token_meter(context, WORDS[language]))
    assert WORDS[language].over.format(n=4, budget=1) in shown
    assert "4 / 1" not in shown


def test_scopes_with_what_is_in_them(on_file):
    summaries = [
        ScopeSummary(scope=LETIA, turns=1_200, memories=80, utterances=2_400, latest_at=day(30)),
        ScopeSummary(scope=Scope(world="아카데미"), turns=0, memories=3, utterances=0, latest_at=None),
    ]
    on_file("scopes", drawn(scopes_table(summaries, SEOUL)))


def test_checks_of_every_state(on_file):
    checks = [
        Check(name="python", detail="3.11.7"),
        Check(name="bank", state="note", detail="gieok.db is not there yet"),
        Check(name="vectors", state="bad", detail="made by another embedder", remedy="run: gieok reindex"),
    ]
    on_file("checks", "".join(drawn(check_line(check)) for check in checks))


def test_a_bench_report(on_file):
    report = Report(
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
    on_file("bench", drawn(bench_tables(report)))


def test_both_languages_have_words_for_the_same_things():
    korean, english = WORDS["ko"], WORDS["en"]
    for name in ("parts", "sources", "reasons", "blocks"):
        assert set(getattr(korean, name)) == set(getattr(english, name))


@pytest.mark.parametrize("language", WORDS)
def test_every_part_and_every_source_has_its_words(language):
    assert tuple(WORDS[language].parts) == PART_NAMES
    assert set(WORDS[language].sources) == set(get_args(Source))


def test_text_from_users_is_never_read_as_markup():
    rows = [changed("correct", [memory("[red]이전[/red]")], memory("[bold]지금[/]"))]
    assert "[red]이전[/red] → [bold]지금[/]" in drawn(outcome_table(rows, LETIA, WORDS["ko"]))
    shown = facts_table([memory("[red]값[/red]", subject="other", subject_id="[b]")], LETIA, WORDS["ko"], SEOUL)
    assert "[red]값[/red]" in drawn(shown)
    assert "[b]" in drawn(shown)
