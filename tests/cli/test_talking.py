import json

import pytest

LETIA = ("-u", "minsu", "-c", "letia")
KEYS_OF_A_MEMORY = {
    "id", "content", "type", "kind", "speaker", "subject", "subject_id", "attribute", "value", "surface", "polarity",
    "certainty", "importance", "strength", "mentions", "uses", "pinned", "origin", "valid_at", "invalid_at", "known_at",
    "recorded_at", "closed_by", "forgotten_at", "sources", "tags", "version",
}  # fmt: skip


@pytest.fixture
def told(run):
    """A bank in which letia knows that minsu liked cats, and now likes dogs."""
    run(
        "observe",
        "나 고양이 좋아해",
        "--reply",
        "저도 고양이 좋아해요!",
        *LETIA,
        "--at",
        "2026-03-01T20:00",
        "--turn-id",
        "t1",
    )
    run("observe", "요즘은 강아지가 더 좋아", *LETIA, "--at", "2026-03-30T20:00+09:00")
    return run


def test_observing_shows_what_was_made_of_it(run):
    first = run("observe", "나 고양이 좋아해", "-r", "저도 고양이 좋아해요!", *LETIA, "--turn-id", "t1")
    assert first.code == 0
    *shown, last = [line.split() for line in first.out.splitlines()]
    assert shown[:2] == [
        ["+", "기억", "minsu", "고양이를", "좋아함"],
        ["+", "기억", "letia", "고양이를", "좋아함"],
    ]
    assert last == ["turn", "t1"]
    assert "질문" in run("observe", "너는 뭐 좋아해?", *LETIA).out


def test_observing_as_json(told):
    record = json.loads(
        told("observe", "나 다시 고양이가 더 좋아", "--json", *LETIA, "--at", "2026-04-01", "--session", "s").out
    )
    assert set(record) == {
        "turn_id", "number", "at", "session", "unread", "again", "pii", "ask", "decisions", "emotions", "level",
    }  # fmt: skip
    assert record["at"] == "2026-04-01T00:00:00+09:00"
    assert (record["number"], record["session"], record["again"]) == (3, "s", False)
    for decision in record["decisions"]:
        assert set(decision) == {"decision", "content", "memory", "closed", "promotion", "why"}
        assert set(decision["memory"]) == KEYS_OF_A_MEMORY


def test_the_same_turn_id_is_harmless_and_other_words_under_it_are_refused(told):
    again = told("observe", "나 고양이 좋아해", "-r", "저도 고양이 좋아해요!", *LETIA, "--turn-id", "t1", "--json")
    assert json.loads(again.out)["again"] is True
    other = told("observe", "나 뱀 좋아해", *LETIA, "--turn-id", "t1")
    assert (other.code, other.out) == (1, "")
    assert "gieok rewind t1" in other.err
    assert "rewind('t1')" not in other.err


def test_the_only_scope_need_not_be_named(told):
    assert told("observe", "나 서른 살이야").code == 0
    assert "강아지를 좋아함" in told("recall", "강아지").out


def test_recalling_as_json(told):
    hits = json.loads(told("recall", "강아지", "-k", "2", "--json", *LETIA).out)
    assert len(hits) == 2
    for hit in hits:
        assert set(hit) == {"text", "score", "parts", "contributions", "why", "scope", "memory", "utterance"}
        assert set(hit["parts"]) == {"recency", "importance", "relevance", "keyword", "strength", "graph"}
        assert (hit["memory"] is None) != (hit["utterance"] is None)
    assert hits[0]["memory"]["content"] == "강아지를 좋아함"
    assert hits[0]["scope"] == {"user": "minsu", "character": "letia", "world": None}


def test_explaining_shows_what_each_score_is_made_of(told):
    shown = told("recall", "강아지", "--explain", *LETIA)
    assert shown.code == 0
    assert "가중치" in shown.out
    assert "뜻━" in shown.out
    for hit in json.loads(told("recall", "강아지", "--explain", "--json", *LETIA).out):
        assert set(hit["contributions"]) == set(hit["parts"])
        assert sum(hit["contributions"].values()) == pytest.approx(hit["score"])
    assert json.loads(told("recall", "강아지", "--json", *LETIA).out)[0]["contributions"] is None


def test_weights_may_be_given_for_one_question(told):
    weighed = ("--weights", "keyword=0, relevance=2", "--explain", "--json")
    for hit in json.loads(told("recall", "강아지", *weighed, *LETIA).out):
        assert hit["contributions"]["keyword"] == 0
        assert hit["contributions"]["relevance"] == pytest.approx(2 * hit["parts"]["relevance"])


def test_a_preset_may_be_named_for_one_question(told):
    for hit in json.loads(told("recall", "강아지", "--preset", "vtuber", "--json", *LETIA).out):
        assert hit["score"] == pytest.approx(hit["parts"]["relevance"] + hit["parts"]["importance"])
        assert hit["memory"] is not None
    assert "평균" in told("recall", "강아지", "--preset", "social", "--explain", *LETIA).out
    assert "강아지" in told("context", "강아지", "--preset", "care", "--text", *LETIA).out


@pytest.mark.parametrize(
    ("option", "trouble"),
    [
        (("--weights", "relevance"), "'relevance' is not PART=NUMBER"),
        (("--weights", "relevance=1,keyword=much"), "'keyword=much' is not PART=NUMBER"),
        (("--weights", "topic=1"), "unknown weight 'topic'"),
        (("--weights", "keyword=-1"), "at least 0"),
        (("--preset", "heroin"), "did you mean heroine?"),
    ],
)
def test_weights_and_presets_that_are_none_are_one_line(told, option, trouble):
    ran = told("recall", "강아지", *option, *LETIA)
    assert (ran.code, ran.out) == (1, "")
    assert trouble in ran.err
    assert ran.err.count("\n") == 1


def test_recalling_from_an_earlier_day_brings_what_was_true_then(told):
    texts = [hit["text"] for hit in json.loads(told("recall", "고양이", "--at", "2026-03-15", "--json", *LETIA).out)]
    assert "고양이를 좋아함" in texts
    assert "강아지를 좋아함" not in texts


def test_a_context_with_its_cost(told):
    shown = told("context", "뭐 하고 놀까?", "--budget", "300", *LETIA)
    assert "/ 300 토큰" in shown.out
    assert "[최근 대화]" in shown.out
    bare = told("context", "뭐 하고 놀까?", "--text", *LETIA).out
    assert bare.endswith("뭐 하고 놀까?\n")
    record = json.loads(told("context", "뭐 하고 놀까?", "--json", *LETIA).out)
    assert set(record) == {"query", "text", "tokens", "budget", "messages", "blocks", "items", "degraded"}
    assert record["text"] == bare.rstrip("\n")
    assert record["messages"][-1] == {"role": "user", "content": "뭐 하고 놀까?"}


def test_a_budget_that_the_question_alone_is_over(told):
    ran = told("context", "뭐 하고 놀까?", "--budget", "1", *LETIA)
    assert ran.code == 0
    assert "/ 1 토큰" not in ran.out
    assert "질문만" in ran.out


def test_the_words_around_follow_the_language_of_the_settings(told, monkeypatch):
    monkeypatch.setenv("GIEOK_LANGUAGE", "en")
    assert "score" in told("recall", "강아지", *LETIA).out


@pytest.mark.parametrize(
    ("arguments", "trouble"),
    [
        (("observe", "안녕"), "whose memory?"),
        (("observe", "", *LETIA), "empty"),
        (("observe", *LETIA), "nothing was said"),
        (("observe", "가" * 8_001, *LETIA), "8,000"),
        (("observe", "안녕", *LETIA, "--at", "내일"), "is no date"),
        (("observe", "안녕", "-u", " "), "user is empty"),
        (("recall", "고양이"), "there is no bank"),
        (("context", "고양이", *LETIA), "there is no bank"),
    ],
)
def test_what_cannot_be_done_is_one_line_and_makes_no_file(run, tmp_path, arguments, trouble):
    ran = run(*arguments)
    assert (ran.code, ran.out) == (1, "")
    assert trouble in ran.err
    assert ran.err.startswith("gieok: ")
    assert ran.err.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_a_wrong_usage_ends_with_2(run):
    assert run("recall").code == 2
    assert run("recall", "고양이", "-k", "0").code == 2
    assert run("remember").code == 2
