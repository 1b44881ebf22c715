"""What the panels beside the talk show of a turn."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

import gieok
from gieok.domain.answer import Observed
from gieok.domain.record import decision_name
from gieok.testing import FixedClock, day
from gieok.web.talk_panels import block_text, manner_changes, moved, read_turn, why_decided, why_nothing
from gieok.words import words_in
from support.doubts import DoubtfulReader

KO = words_in("ko")


@pytest.fixture
def letia(tmp_path) -> Iterator[gieok.Mind]:
    with gieok.open(tmp_path / "memories.db", embedder="hashing", clock=FixedClock(day(1))) as bank:
        yield bank.scope(user="민수", character="레티아", world="별의 학원")


def decided(mind: gieok.Mind, text: str, reply: str = "그렇군요.") -> list[tuple[str, str]]:
    observed = mind.observe(text, reply=reply)
    return [(decision_name(each), why_decided(each, KO, 0.45)) for each in observed.decisions]


@pytest.mark.parametrize(
    ("first", "then", "kind", "why"),
    [
        ("안녕", "나 오이 싫어해", "remember", "싫어하는 것: 점수 0."),
        ("나 스물다섯 살이야", "나 스물여섯 살이야", "supersede", "나이 항목은 하나만 기억해서 새것으로 바꾸었어요."),
        ("나 고양이 좋아해", "나 이제 고양이 싫어해", "supersede", "전에 들은 말과 어긋나서 새것으로 바꾸었어요."),
        (
            "제 이름은 유진이에요",
            "제 이름 유진 아니고 유빈이에요",
            "supersede",
            "아니라고 고쳐 말해서 새것으로 바꾸었어요.",
        ),
        ("나 간호사야", "나 이제 간호사 그만뒀어", "supersede", "이제 그렇지 않다고 해서 바꾸었어요."),
        ("나 고양이 좋아해", "나 고양이 좋아해", "reinforce", "같은 말을 2번째 들어서 더 또렷해졌어요."),
        ("나 고양이 좋아해", "뻥이야 ㅋㅋ", "retract", "사실이 아니었다고 해서 철회했어요."),
    ],
)
def test_a_decision_has_its_reason(letia, first, then, kind, why):
    decided(letia, first)
    [(name, reason)] = decided(letia, then)
    assert name == kind
    assert reason.startswith(why)


def test_a_preference_that_takes_the_place_of_another_has_its_reason(letia):
    letia.observe("나 서울 살아")
    [changed] = letia.observe("나 이제 부산 살아").decisions
    preferred = replace(changed, claim=replace(changed.claim, act="prefer"))  # as a model may put it
    assert why_decided(preferred, KO, 0.45) == "이제 이쪽이 더 좋다고 해서 바꾸었어요."


def test_what_is_remembered_as_doubtful_says_that_it_needs_confirming(tmp_path):
    with gieok.open(tmp_path / "memories.db", embedder="hashing", extractor=DoubtfulReader()) as bank:
        letia = bank.scope(user="민수", character="레티아")
        assert decided(letia, "residence 부산?") == [("remember", "확실하지 않아서 확인이 필요해요.")]
        assert decided(letia, "likes 고양이")[0][1].startswith("좋아하는 것: 점수")


@pytest.mark.parametrize(
    ("said", "silence"),
    [
        ("오늘 뭐 먹을까?", "묻는 말이라 기억에 남기지 않았어요."),
        ("음, 그렇구나", "기억에 남길 만한 내용이 없었어요."),
    ],
)
def test_where_nothing_was_remembered_the_reason_is_given(letia, said, silence):
    observed = letia.observe(said)
    details = read_turn(letia, observed.turn.id, None)
    assert why_nothing(details.observed, details.moods, KO) == silence


def test_a_turn_moves_the_relationship_with_its_causes(letia):
    letia.observe("안녕", reply="안녕하세요")
    observed = letia.observe("나 고양이 좋아해", reply="그렇군요")
    before, after, causes = moved(letia.relationship(), observed.moves)
    assert before is not None
    assert after.trust - before.trust > 0.5
    assert "self_disclosure" in {cause.name for cause in causes if cause.axis == "trust"}
    assert moved(after, ()) == (None, after, ())


def test_a_new_speech_style_is_shown(letia):
    for text, reply in (
        ("안녕하세요, 잘 지내셨어요?", "네, 잘 지냈어요."),
        ("오늘 날씨가 좋네요.", "정말 좋네요."),
        ("우리 말 놓을까요?", "그래, 말 놓자."),
        ("응, 그러자. 오늘 뭐 했어?", "나는 책 읽었어."),
    ):
        last: Observed = letia.observe(text, reply=reply)
    assert any("존댓말 → 반말" in line for line in manner_changes(last.moves, letia.key, KO))


def test_of_an_earlier_context_what_is_still_known_is_shown(letia):
    liked = letia.observe("나 고양이 좋아해").decisions[0].memory
    letia.observe("나 땅콩 못 먹어")
    letia.observe("고양이 얘기 하자", context=letia.context("고양이 얘기 하자"), turn_id="then")

    def shown() -> str:
        details = read_turn(letia, "then", None)
        assert details.trace is not None
        return "\n".join(block_text(block, details.items, KO) for block in details.trace.injected)

    assert "고양이를 좋아함" in shown()
    letia.forget(liked.id)
    assert "고양이를 좋아함" not in shown()
    assert "그 뒤로 잊은 것" in shown()
