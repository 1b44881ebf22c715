"""Which sitting a chat goes on with: in doubt a new one, so that nothing is lost."""

from __future__ import annotations

from datetime import UTC, datetime

from gieok.proxy.history import Exchange, LoggedTurn, choose_session, client_history
from support.clients import Pair, messages

AT = datetime(2026, 3, 1, tzinfo=UTC)
GREETING: Pair = (None, "어서 와요!")
A, B, C, D, E = [(f"{name} 이야기를 할게", f"{name} 이야기군요") for name in ("가족", "나무", "다람쥐", "라면", "마법")]


def log(label: str, *pairs: Pair) -> list[LoggedTurn]:
    turns = []
    for number, (text, reply) in enumerate(pairs):
        said, id = Exchange(text=text, reply=reply), f"{label}{number}"
        turns.append(LoggedTurn(id=id, at=AT, said=said, utterances=(id,), session=label))
    return turns


def label(sessions: dict[str, list[LoggedTurn]], shown: list[Pair], pending: str | None = "다음 말") -> str | None:
    found = choose_session(sessions, client_history(messages(shown, pending)))
    return found[0] if found else None


def test_a_chat_goes_on_where_most_of_it_stands():
    sessions = {"old": log("old", A, B, C), "new": log("new", A, D)}
    assert label(sessions, [A, B, C]) == "old"
    assert label(sessions, [A, D]) == "new"


def test_the_first_words_of_a_chat_begin_a_new_one():
    assert label({"old": log("old", A, B)}, [], "처음 뵙겠습니다") is None
    assert label({}, [A]) is None


def test_a_shared_greeting_is_no_evidence():
    assert label({"old": log("old", GREETING, A, B)}, [GREETING], A[0]) is None
    assert label({"old": log("old", GREETING, A, B)}, [GREETING, C]) is None


def test_a_talk_that_goes_on_from_an_earlier_exchange_is_a_branch_of_the_old_one():
    sessions = {"old": log("old", A, B, C, D, E)}
    assert label(sessions, [A, B, C], "새 이야기") == "old"
    assert label(sessions, [A], "새 이야기") == "old"


def test_a_new_chat_that_begins_with_the_same_exchange_goes_on_with_its_own():
    for sessions in (
        {"old": log("old", A, B, C, D), "new": log("new", A)},
        {"new": log("new", A), "old": log("old", A, B, C, D)},
    ):
        assert label(sessions, [A], "새 이야기") == "new"


def test_a_talk_that_shares_but_little_with_an_old_one_is_new():
    assert label({"old": log("old", A, B, C, D)}, [("다른 말", "다른 대답"), A], "새 이야기") is None


def test_the_only_exchange_of_the_newest_may_be_edited_or_answered_again():
    sessions = {"old": log("old", B), "new": log("new", GREETING, A)}
    assert label(sessions, [GREETING], A[0]) == "new"
    assert label(sessions, [GREETING], "가족 이야기를 할까?") == "new"
    assert label(sessions, [(A[0], "고친 대답")]) == "new"
    assert label(sessions, [], "오늘은 뭘 하고 지냈어?") is None
