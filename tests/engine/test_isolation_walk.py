"""A long walk through every public call, by eight scopes at once: no byte of another one in any answer, error or log.

How each call is walked stands in `support/walk_calls.py`: whoever adds one says it there. Until then a test fails.
"""

import asyncio

import pytest

import gieok
from gieok import aio
from support.walk_calls import BANK, MIND, OPERATOR, WHOLE, public, told, walk_about, walking
from support.walking import Place, leaked, shared_with, shown


def test_every_public_call_is_walked():
    """Whoever adds a call says above what it is asked, and of whom."""
    assert public(gieok.Mind) == set(MIND)
    assert public(gieok.MemoryBank) == {*BANK, *WHOLE, *OPERATOR}
    assert public(aio.AsyncMind) == set(MIND)
    assert public(aio.AsyncBank) == public(gieok.MemoryBank)


@pytest.fixture
def walk(tmp_path):
    with walking(tmp_path / "memories.db", tmp_path) as walk:
        yield walk


def test_nothing_of_another_scope_in_any_answer_error_log_metric_trace_or_prompt(walk, counts):
    walk_about(walk, counts(2, 60))


@pytest.mark.parametrize("sharing", ["user_facts", "character"])
def test_what_is_shared_is_all_that_is_told(tmp_path, sharing, counts):
    with walking(tmp_path / "memories.db", tmp_path, sharing=sharing) as walk:
        walk.here, *_ = walk.cast
        [sibling] = shared_with(walk.here, walk.cast, sharing)
        walk.bank.mind(sibling.scope).observe(f"나 {sibling.word} 좋아해")
        assert sibling.tail in shown(walk.mind.recall("좋아해", k=50))
        walk_about(walk, counts(1, 30))


def test_the_async_objects_answer_as_the_sync_ones(walk):
    async def asked(place: Place) -> str:
        mind = aio.AsyncBank(walk.bank).mind(place.scope)
        calls = (mind.recall("비밀"), mind.context("비밀"), mind.facts(), mind.journal(), mind.about_me(), mind.turns())
        return shown(await asyncio.gather(*calls))

    async def all_at_once() -> list[str]:
        return await asyncio.gather(*map(asked, walk.cast))

    for place, answer in zip(walk.cast, asyncio.run(all_at_once()), strict=True):
        assert place.tail in answer
        assert not leaked(answer, place, walk.cast)


def test_erasing_one_scope_leaves_the_others_as_they_are(walk):
    gone, *others = walk.cast
    before = [shown(walk.bank.mind(place.scope).journal()) for place in others]
    walk.bank.erase(gone.scope)
    assert [shown(walk.bank.mind(place.scope).journal()) for place in others] == before
    for place in walk.cast:
        walk.here = place
        for step in MIND.values():
            assert gone.tail not in told(step, walk) or place is gone


def test_the_walk_finds_what_a_stranger_is_told(walk):
    walk.here, other = walk.cast[0], walk.cast[-1]
    assert leaked(shown(walk.bank.mind(other.scope).turns()), walk.here, walk.cast)
    assert leaked(shown(b"".join(walk.bank.exported(**other.params))), walk.here, walk.cast)
    assert leaked(f'{{"text": "{other.tail.encode("unicode_escape").decode()}"}}', walk.here, walk.cast)


def test_the_walk_stops_at_a_mind_that_tells_of_another(walk, monkeypatch):
    blabbed = walk.bank.mind(walk.cast[0].scope).timeline()
    monkeypatch.setattr(gieok.Mind, "timeline", lambda *_, **__: blabbed)
    monkeypatch.setattr(walk.dice, "choice", lambda some, last=walk.cast[-1]: last if some is walk.cast else some[0])
    with pytest.raises(AssertionError, match=r"timeline|export"):
        walk_about(walk, 1)
