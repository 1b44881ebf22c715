"""Hits and contexts, and the caps that hold whatever the budget."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gieok.domain.answer import SHARES, Block, Caps, Context, Hit, share_budget
from gieok.domain.scope import Scope
from gieok.domain.scoring import Parts
from gieok.testing import memory, turn


def hit(item) -> Hit:
    return Hit(item=item, scope=Scope(user="민수"), score=0.5, parts=Parts(), why=())


def test_memories_have_at_most_1200_tokens_one_of_them_150_and_what_is_pinned_400():
    assert (Caps().memories, Caps().memory_item, Caps().pinned) == (1_200, 150, 400)


def test_a_hit_says_what_the_memory_or_the_utterance_says():
    assert hit(memory("고양이를 좋아함")).text == "고양이를 좋아함"
    assert hit(turn("나 고양이 좋아해").utterances[0]).text == "나 고양이 좋아해"


def test_a_context_is_its_blocks_one_after_the_other():
    blocks = (
        Block(name="system", text="너는 레티아다.", tokens=7, items=("m1",)),
        Block(name="summary", text="", tokens=0),
        Block(name="memories", text="고양이를 좋아함", tokens=9, items=("m2", "m1", "m3")),
    )
    context = Context(query="?", blocks=blocks, messages=(), hits=(), budget=100)
    assert context.text == "너는 레티아다.\n\n고양이를 좋아함"
    assert context.tokens == 16
    assert context.items == ("m1", "m2", "m3")


def test_how_long_it_took_makes_no_other_context():
    def made(seconds: float) -> Context:
        return Context(query="?", blocks=(), messages=(), hits=(), budget=1, took=(("dense", seconds),))

    assert made(0.1) == made(9.9)
    assert hit(memory(id="m")).contributions is None


names = st.sampled_from([*SHARES, "가외", "더"])
wants = st.dictionaries(names, st.integers(0, 5_000), max_size=8)
floors = st.dictionaries(names, st.integers(0, 2_000), max_size=8)
rooms = st.integers(-5, 9_000)


def test_the_shares_are_those_of_the_documents_and_make_a_whole():
    assert SHARES == {"system": 0.15, "people": 0.10, "memories": 0.20, "examples": 0.05, "talk": 0.40, "reply": 0.10}
    assert sum(SHARES.values()) == pytest.approx(1)


@given(rooms, wants, floors)
def test_never_over_the_room_never_more_than_wanted_and_nothing_wasted(room, wants, floors):
    given_out = share_budget(room, wants, floors)
    assert list(given_out) == list(wants)
    assert all(0 <= given_out[name] <= want for name, want in wants.items())
    assert sum(given_out.values()) == min(max(room, 0), sum(wants.values()))


@given(rooms, wants, floors)
def test_whoever_comes_last_is_sacrificed_first(room, wants, floors):
    given_out = share_budget(room, wants, floors)
    for place, name in enumerate(given_out):
        if given_out[name] < wants[name]:
            later = list(given_out)[place + 1 :]
            assert all(given_out[other] <= floors.get(other, 0) for other in later)
        if given_out[name] < min(wants[name], floors.get(name, 0)):
            assert not any(given_out[other] for other in list(given_out)[place + 1 :])


def test_a_block_keeps_its_share_whatever_the_others_want():
    given_out = share_budget(100, {"talk": 500, "memories": 500, "summary": 500}, {"talk": 50, "memories": 30})
    assert given_out == {"talk": 70, "memories": 30, "summary": 0}


def test_an_unused_share_flows_to_the_next_who_want_more():
    given_out = share_budget(100, {"talk": 10, "memories": 60, "summary": 500}, {"talk": 50, "memories": 30})
    assert given_out == {"talk": 10, "memories": 60, "summary": 30}


def test_nothing_is_shared_out_of_nothing():
    assert share_budget(-1, {"talk": 5}, {"talk": 5}) == {"talk": 0}
    assert share_budget(5, {}, {}) == {}
