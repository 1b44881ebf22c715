"""Talking to a mind and asking it: observe, reroll, edit, recall, context, trace."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

import gieok
from gieok.domain.answer import ModelCall
from gieok.testing import day

LETIA = ("-u", "minsu", "-c", "letia")
KEYS_OF_A_MEMORY = set(
    "id content state type kind speaker subject subject_id attribute value surface polarity certainty importance "
    "strength emotion_intensity mentions uses last_used_at pinned doubtful origin valid_at invalid_at known_at "
    "recorded_at closed_by made_from forgotten_at sources tags interpretation channel pii_flags version".split()
)


@pytest.fixture
def told(run):
    """A bank in which letia knows that minsu liked cats, and now likes dogs."""
    cats = ("observe", "나 고양이 좋아해", "--reply", "저도 고양이 좋아해요!")
    run(*cats, *LETIA, "--at", "2026-03-01T20:00", "--turn-id", "t1")
    run("observe", "요즘은 강아지가 더 좋아", *LETIA, "--at", "2026-03-30T20:00+09:00")
    return run


def contents(run):
    return {memory["content"] for memory in run("facts", "--json").record}


def test_observing_shows_what_was_made_of_it(run):
    first = run("observe", "나 고양이 좋아해", "-r", "저도 고양이 좋아해요!", *LETIA, "--turn-id", "t1")
    assert first.code == 0
    *shown, last = [line.split() for line in first.out.splitlines()]
    assert shown[:2] == [["+", "기억", "minsu", "고양이를", "좋아함"], ["+", "기억", "letia", "고양이를", "좋아함"]]
    assert last == ["대화", "ID", "t1"]
    assert "질문" in run("observe", "너는 뭐 좋아해?", *LETIA).out


def test_observing_as_json(told):
    record = told(
        "observe", "나 다시 고양이가 더 좋아", "--json", *LETIA, "--at", "2026-04-01", "--session", "s"
    ).record
    assert set(record) == {
        "turn_id", "number", "at", "session", "unread", "again", "pii", "ask", "questions", "decisions", "emotions",
        "level",
    }  # fmt: skip
    assert record["at"] == "2026-04-01T00:00:00+09:00"
    assert (record["number"], record["session"], record["again"]) == (3, "s", False)
    for decision in record["decisions"]:
        assert set(decision) == {"decision", "content", "memory", "closed", "promotion", "why"}
        assert set(decision["memory"]) == KEYS_OF_A_MEMORY


def test_personal_data_is_named_and_so_is_the_way_to_consent(run, monkeypatch):
    monkeypatch.setenv("GIEOK_PII_PHONE", "ask")
    shown = run("observe", "내 번호는 010-1234-5678이야", *LETIA).out
    assert "개인 정보: 전화번호" in shown
    assert "--consent phone" in shown


def test_the_same_turn_id_is_harmless_and_other_words_under_it_are_refused(told):
    again = told("observe", "나 고양이 좋아해", "-r", "저도 고양이 좋아해요!", *LETIA, "--turn-id", "t1", "--json")
    assert again.record["again"] is True
    assert "gieok rewind t1" in told("observe", "나 뱀 좋아해", *LETIA, "--turn-id", "t1").refused


def test_the_only_scope_need_not_be_named(told):
    assert told("observe", "나 서른 살이야").code == 0
    assert "강아지를 좋아함" in told("recall", "강아지").out


def test_another_reply_takes_the_place_of_the_first_and_of_what_followed(told):
    ran = told("reroll", "t1", "나는 토끼 좋아해")
    assert ran.code == 0
    assert ran.out.endswith("대화 ID t1\n")
    assert contents(told) == {"고양이를 좋아함", "토끼를 좋아함"}


def test_an_earlier_turn_is_said_otherwise(told):
    assert told("edit", "t1", "--text", "나 부산에 살아", "--json").record["turn_id"] == "t1"
    assert contents(told) == {"부산에 삶", "고양이를 좋아함"}


@pytest.mark.parametrize(("arguments", "trouble"), [(("reroll", "t1", " "), "비어 있어요"), (("edit", "t1"), "--text")])
def test_what_cannot_be_said_takes_nothing_back(told, arguments, trouble):
    before = contents(told)
    assert trouble in told(*arguments).refused
    assert contents(told) == before


def test_recalling_as_json(told):
    hits = told("recall", "강아지", "-k", "2", "--json", *LETIA).record
    assert len(hits) == 2
    for hit in hits:
        assert set(hit) == {"text", "score", "parts", "contributions", "why", "scope", "memory", "utterance", "answers"}
        assert set(hit["parts"]) == {"recency", "importance", "relevance", "keyword", "strength", "graph"}
        assert (hit["memory"] is None) != (hit["utterance"] is None)
    assert hits[0]["memory"]["content"] == "강아지를 좋아함"
    assert hits[0]["scope"] == {"user": "minsu", "character": "letia", "world": None}


def test_explaining_shows_what_each_score_is_made_of(told):
    shown = told("recall", "강아지", "--explain", *LETIA).out
    assert "가중치" in shown
    assert "뜻━" in shown
    for hit in told("recall", "강아지", "--explain", "--json", *LETIA).record:
        assert set(hit["contributions"]) == set(hit["parts"])
        assert sum(hit["contributions"].values()) == pytest.approx(hit["score"])
    assert told("recall", "강아지", "--json", *LETIA).record[0]["contributions"] is None


def test_weights_and_a_preset_may_be_given_for_one_question(told):
    weighed = ("--weights", "keyword=0, relevance=2", "--explain", "--json")
    for hit in told("recall", "강아지", *weighed, *LETIA).record:
        assert hit["contributions"]["keyword"] == 0
        assert hit["contributions"]["relevance"] == pytest.approx(2 * hit["parts"]["relevance"])
    for hit in told("recall", "강아지", "--preset", "vtuber:document", "--json", *LETIA).record:
        assert hit["score"] == pytest.approx(hit["parts"]["relevance"] + hit["parts"]["importance"])
        assert hit["memory"] is not None
    assert "평균" in told("recall", "강아지", "--preset", "social:document", "--explain", *LETIA).out
    assert "강아지" in told("context", "강아지", "--preset", "care", "--text", *LETIA).out


@pytest.mark.parametrize(
    ("option", "trouble"),
    [
        (("--weights", "relevance"), "'relevance'는 이름=숫자 꼴이 아니에요"),
        (("--weights", "relevance=1,keyword=much"), "'keyword=much'"),
        (("--weights", "topic=1"), "가중치 'topic'은 없어요"),
        (("--weights", "keyword=-1"), "0 이상의 수"),
        (("--preset", "heroin"), "혹시 heroine인가요?"),
    ],
)
def test_weights_and_presets_that_are_none_are_one_line(told, option, trouble):
    assert trouble in told("recall", "강아지", *option, *LETIA).refused


def test_recalling_from_an_earlier_day_brings_what_was_true_then(told):
    texts = [hit["text"] for hit in told("recall", "고양이", "--at", "2026-03-15", "--json", *LETIA).record]
    assert "고양이를 좋아함" in texts
    assert "강아지를 좋아함" not in texts


def test_a_context_with_its_cost(told):
    shown = told("context", "뭐 하고 놀까?", "--budget", "300", *LETIA).out
    assert "/ 300토큰" in shown
    assert "[최근 대화]" in shown
    bare = told("context", "뭐 하고 놀까?", "--text", *LETIA).out
    assert bare.endswith("뭐 하고 놀까?\n")
    record = told("context", "뭐 하고 놀까?", "--json", *LETIA).record
    assert set(record) == {"query", "text", "tokens", "budget", "messages", "blocks", "items", "degraded"}
    assert record["text"] == bare.rstrip("\n")
    assert record["messages"][-1] == {"role": "user", "content": "뭐 하고 놀까?"}
    assert "질문만" in told("context", "뭐 하고 놀까?", "--budget", "1", *LETIA).out


@pytest.mark.parametrize(
    ("arguments", "trouble"),
    [
        (("observe", "안녕"), "-u minsu -c letia"),
        (("observe", "", *LETIA), "비어 있어요"),
        (("observe", *LETIA), "한 말이 없어요"),
        (("observe", "가" * 8_001, *LETIA), "8,000"),
        (("observe", "안녕", *LETIA, "--at", "내일"), "날짜가 아니에요"),
        (("observe", "안녕", "-u", " "), "user 값이 비어 있어요"),
        (("recall", "고양이"), "저장소가 없어요"),
        (("recall", " "), "query 값이 비어 있어요"),
        (("context", "고양이", *LETIA), "저장소가 없어요"),
    ],
)
def test_what_cannot_be_done_is_one_line_and_makes_no_file(run, tmp_path, arguments, trouble):
    assert trouble in run(*arguments).refused
    assert list(tmp_path.iterdir()) == []


@pytest.fixture
def traced(run, tmp_path: Path):
    """A bank with a turn that was made with a context and a model, on the 16th in Seoul."""
    at = datetime(2026, 11, 15, 18, 30, tzinfo=UTC)
    with gieok.open(tmp_path / "gieok.db", embedder="hashing") as bank:
        letia = bank.scope(user="minsu", character="letia")
        letia.observe("나 고양이 좋아해", at=at, turn_id="t1")
        context = letia.context("고양이", budget=500, at=at)
        raw = '{"happy": 1}\n정말요!'
        felt = gieok.Felt(speaker="character", emotion="happy", intensity=0.5, by="emotion/1 small", raw=raw)
        figures = {"seconds": 1.5, "prompt_tokens": 70, "answer_tokens": 9, "cost": 0.02}
        calls = [
            ModelCall(task="reply", model="small", at=day(2), **figures),
            ModelCall(task="emotion", model="small", at=day(2), seconds=0.5, failure="timeout"),
        ]
        told = {"reply": "좋아요!", "context": context, "felt": [felt], "calls": calls}
        letia.observe("고양이 보러 가자", at=at, turn_id="t2", **told)
    return run


def test_how_the_last_turn_was_processed_is_shown(traced):
    shown = " ".join(traced("trace", *LETIA).out.split())
    assert shown.startswith("t2 minsu 고양이 보러 가자 letia 좋아요!")
    assert shown.count("고양이를 좋아함") == 1
    assert "/ 500토큰" in shown
    assert 'letia 기쁨 0.50 emotion/1 small {"happy": 1} 정말요!' in shown
    assert "대답 small 1.50초 · 70 + 9토큰 · 0.020000" in shown
    assert "감정 읽기 small 0.50초 · 0 + 0토큰 · timeout" in shown
    earlier = traced("trace", "t1", *LETIA, "--json").record
    assert (earlier["turn_id"], earlier["scored"]) == ("t1", [])


def test_days_are_those_of_the_bank_s_time_zone(traced):
    for command in (("trace",), ("recall", "고양이"), ("recall", "고양이", "--explain")):
        shown = traced(*command, *LETIA).out
        assert "11월 16일" in shown
        assert "11월 15일" not in shown
