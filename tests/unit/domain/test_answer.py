"""Hits and contexts, and the caps that hold whatever the budget."""

from gieok.domain.answer import Block, Caps, Context, Hit
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
