"""Contexts that were handed out."""

from datetime import UTC, datetime, timedelta

import pytest

from gieok.domain.answer import Block, Context, Message
from gieok.domain.scope import Scope
from gieok.http.memories import KEPT, MOST, Contexts
from gieok.http.problems import Refused
from gieok.testing import FixedClock

LETIA = Scope(user="민수", character="레티아")
CONTEXT = Context(query="안녕", blocks=(), messages=(), hits=(), budget=100)


def handed_out() -> tuple[Contexts, FixedClock]:
    clock = FixedClock(datetime(2026, 11, 15, tzinfo=UTC))
    return Contexts(now=clock.now), clock


def test_whoever_got_a_context_may_name_it_until_its_time_is_over() -> None:
    contexts, clock = handed_out()
    context_id = contexts.hand_out(CONTEXT, "k1", LETIA)
    assert contexts.named(context_id, "k1", LETIA) is CONTEXT
    clock.set(clock.now() + KEPT - timedelta(seconds=1))
    assert contexts.named(context_id, "k1", LETIA) is CONTEXT
    clock.set(clock.now() + timedelta(seconds=1))
    with pytest.raises(Refused, match="POST /v1/context"):
        contexts.named(context_id, "k1", LETIA)


def test_nobody_else_may_and_nowhere_else() -> None:
    contexts, _ = handed_out()
    context_id = contexts.hand_out(CONTEXT, "k1", LETIA)
    for caller, scope in (("k2", LETIA), ("k1", LETIA.beside("세라"))):
        with pytest.raises(Refused):
            contexts.named(context_id, caller, scope)


def test_the_oldest_give_way() -> None:
    contexts, _ = handed_out()
    ids = [contexts.hand_out(CONTEXT, "k1", LETIA) for _ in range(MOST + 1)]
    with pytest.raises(Refused):
        contexts.named(ids[0], "k1", LETIA)
    assert contexts.named(ids[1], "k1", LETIA) is CONTEXT
    assert contexts.named(None, "k1", LETIA) is None


def test_nobody_loses_theirs_because_another_asks_for_many() -> None:
    contexts, _ = handed_out()
    mine = contexts.hand_out(CONTEXT, "k1", LETIA)
    for _ in range(MOST + 1):
        contexts.hand_out(CONTEXT, "k2", LETIA)
    assert contexts.named(mine, "k1", LETIA) is CONTEXT


def test_of_what_stood_in_a_context_the_words_are_not_kept() -> None:
    contexts, _ = handed_out()
    prompt = "너는 레티아" * 20_000
    block = Block(name="system", text=prompt, tokens=7, items=("m1",))
    message = Message(role="system", content=prompt)
    whole = Context(query="안녕", blocks=(block,), messages=(message,), hits=(), budget=100)

    kept = contexts.named(contexts.hand_out(whole, "k1", LETIA), "k1", LETIA)

    assert kept is not None
    assert (kept.items, kept.tokens, kept.budget) == (("m1",), 7, 100)
    assert prompt not in repr(kept)
