"""Contexts that were handed out."""

from datetime import UTC, datetime, timedelta

import pytest

from gieok.domain.answer import Block, Context, Message
from gieok.domain.scope import Scope
from gieok.http.memories import CONTEXT_LIFETIME, MOST_CONTEXTS, ContextRegistry
from gieok.http.problems import HTTPProblem
from gieok.testing import FixedClock

LETIA = Scope(user="민수", character="레티아")
CONTEXT = Context(query="안녕", blocks=(), messages=(), hits=(), budget=100)


def handed_out() -> tuple[ContextRegistry, FixedClock]:
    clock = FixedClock(datetime(2026, 11, 15, tzinfo=UTC))
    return ContextRegistry(now=clock.now), clock


def test_whoever_got_a_context_may_name_it_until_its_time_is_over() -> None:
    contexts, clock = handed_out()
    context_id = contexts.add(CONTEXT, "k1", LETIA)
    assert contexts.get(context_id, "k1", LETIA) is CONTEXT
    clock.set(clock.now() + CONTEXT_LIFETIME - timedelta(seconds=1))
    assert contexts.get(context_id, "k1", LETIA) is CONTEXT
    clock.set(clock.now() + timedelta(seconds=1))
    with pytest.raises(HTTPProblem, match="POST /v1/context"):
        contexts.get(context_id, "k1", LETIA)


def test_nobody_else_may_and_nowhere_else() -> None:
    contexts, _ = handed_out()
    context_id = contexts.add(CONTEXT, "k1", LETIA)
    for caller, scope in (("k2", LETIA), ("k1", LETIA.beside("세라"))):
        with pytest.raises(HTTPProblem):
            contexts.get(context_id, caller, scope)


def test_nobody_loses_theirs_because_another_asks_for_many() -> None:
    contexts, _ = handed_out()
    mine = contexts.add(CONTEXT, "k1", LETIA)
    for _ in range(MOST_CONTEXTS + 1):
        contexts.add(CONTEXT, "k2", LETIA)
    assert contexts.get(mine, "k1", LETIA) is CONTEXT


def test_of_what_stood_in_a_context_the_words_are_not_kept() -> None:
    contexts, _ = handed_out()
    prompt = "너는 레티아" * 20_000
    block = Block(name="system", text=prompt, tokens=7, items=("m1",))
    message = Message(role="system", content=prompt)
    whole = Context(query="안녕", blocks=(block,), messages=(message,), hits=(), budget=100)

    kept = contexts.get(contexts.add(whole, "k1", LETIA), "k1", LETIA)

    assert kept is not None
    assert (kept.items, kept.tokens, kept.budget) == (("m1",), 7, 100)
    assert prompt not in repr(kept)
