"""What the page of the talk shows of a turn, before it is drawn."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import gieok
from gieok.domain.answer import Block, Context, LeftOut
from gieok.testing import FixedClock, day
from gieok.web.talk_panels import named_items, outcomes, sent, sent_before, standing
from gieok.words import words_in

KO = words_in("ko")


@pytest.fixture
def letia(tmp_path) -> Iterator[gieok.Mind]:
    with gieok.open(tmp_path / "memories.db", embedder="hashing", clock=FixedClock(day(1))) as bank:
        yield bank.scope(user="민수", character="레티아", world="별의 학원")


def shaped(mind: gieok.Mind, text: str, reply: str = "그렇군요."):
    observed = mind.observe(text, reply=reply)
    told = outcomes(observed, mind.silence(observed.turn.id), mind.key, KO, threshold=0.45)
    return told, standing(mind.relationship(), observed.moves, mind.key, KO)


def test_what_is_remembered_says_of_whom_and_why(letia):
    told, _ = shaped(letia, "나 매운 거 못 먹어")
    [row] = told.rows
    assert (row.kind, row.whose, row.content) == ("remember", "민수", "매운 걸 싫어함")
    assert row.why.startswith("싫어하는 것: 점수 0.")
    assert row.memory_id == letia.facts()[0].id
    assert len(row.parts) == 6
    assert told.silence == ""


@pytest.mark.parametrize(
    ("first", "then", "why"),
    [
        ("나 스물다섯 살이야", "나 스물여섯 살이야", "나이 항목은 하나만 기억해서 새것으로 바꾸었어요."),
        ("나 고양이 좋아해", "요즘은 강아지가 더 좋아", "이제 이쪽이 더 좋다고 해서 바꾸었어요."),
    ],
)
def test_what_is_changed_says_what_was_before_and_why(letia, first, then, why):
    before = shaped(letia, first)[0].rows[0].content
    [row] = shaped(letia, then)[0].rows
    assert (row.kind, row.old, row.why) == ("supersede", (before,), why)


def test_what_is_heard_again_or_taken_back_says_so(letia):
    shaped(letia, "나 고양이 좋아해")
    [again] = shaped(letia, "나 고양이 좋아해")[0].rows
    assert (again.kind, again.why) == ("reinforce", "같은 말을 2번째 들어서 더 또렷해졌어요.")
    [back] = shaped(letia, "고양이 좋아한다는 거 뻥이야")[0].rows
    assert back.kind == "retract"


@pytest.mark.parametrize(
    ("said", "silence"),
    [
        ("오늘 뭐 먹을까?", "묻는 말이라 기억에 남기지 않았어요."),
        ("음, 그렇구나", "기억에 남길 만한 내용이 없었어요."),
    ],
)
def test_where_nothing_was_remembered_the_reason_is_told(letia, said, silence):
    told, _ = shaped(letia, said)
    assert told.rows == ()
    assert told.silence == silence


def test_the_bars_show_what_moved_and_by_what(letia):
    shaped(letia, "안녕")
    _, moved = shaped(letia, "나 고양이 좋아해")
    trust = next(bar for bar in moved.bars if bar.name == "신뢰")
    assert trust.change > 0.5
    assert trust.before == pytest.approx(trust.value - trust.change)
    assert any(cause.startswith("자기 이야기") for cause in trust.causes)
    rivalry = next(bar for bar in moved.bars if bar.name == "경쟁심")
    assert (rivalry.change, rivalry.causes) == (0.0, ())
    assert (moved.level, moved.level_before) == ("낯선 사이", "")


def test_a_new_manner_of_speech_is_told(letia):
    shaped(letia, "안녕하세요, 잘 지내셨어요?", "네, 잘 지냈어요.")
    shaped(letia, "오늘 날씨가 좋네요.", "정말 좋네요.")
    shaped(letia, "우리 말 놓을까요?", "그래, 말 놓자.")
    _, moved = shaped(letia, "응, 그러자. 오늘 뭐 했어?", "나는 책 읽었어.")
    assert any("존댓말 → 반말" in line for line in moved.manners)


def test_a_context_is_shown_block_by_block_with_its_share_of_what_was_sent():
    context = Context(
        query="안녕",
        blocks=(
            Block(name="system", text="", tokens=0),
            Block(name="pinned", text="[항상 기억할 것]\n- 땅콩", tokens=30),
            Block(name="memories", text="", tokens=0, left_out=(LeftOut(item_id="m1", why="over_budget"),) * 2),
            Block(name="message", text="안녕", tokens=10),
        ),
        messages=(),
        hits=(),
        budget=400,
        degraded=("dense is down",),
    )
    told = sent(context, KO)
    assert [(sheet.name, sheet.tokens, sheet.share) for sheet in told.sheets] == [
        ("항상 기억할 것", 30, 0.75),
        ("떠오르는 기억", 0, 0.0),
        ("새 메시지", 10, 0.25),
    ]
    assert told.sheets[1].left_out == (("자리가 모자라서", 2),)
    assert (told.tokens, told.budget, told.share, told.degraded) == (40, 400, 0.1, ("dense is down",))


def test_of_an_earlier_context_what_is_still_known_is_shown(letia):
    liked = letia.observe("나 고양이 좋아해").decisions[0].memory
    letia.observe("나 땅콩 못 먹어")
    letia.observe("고양이 얘기 하자", context=letia.context("고양이 얘기 하자"), turn_id="then")
    trace = letia.trace("then")
    told = sent_before(trace, letia.items(named_items(trace)), KO)
    assert told is not None
    assert not told.in_full
    assert "고양이를 좋아함" in "\n".join(sheet.text for sheet in told.sheets)

    letia.forget(liked.id)
    told = sent_before(trace, letia.items(named_items(trace)), KO)
    assert told is not None
    words = "\n".join(sheet.text for sheet in told.sheets)
    assert "고양이를 좋아함" not in words
    assert "그 뒤로 잊은 것" in words


def test_a_turn_without_a_context_has_none_to_show(letia):
    letia.observe("나 고양이 좋아해", turn_id="plain")
    assert sent_before(letia.trace("plain"), {}, KO) is None
