"""How a turn came about, as it is traced."""

import pytest

from gieok.domain.answer import (
    Block,
    Context,
    Found,
    Gathered,
    Hit,
    Injected,
    LeftOut,
    ModelCall,
    Scored,
    emotion_reading,
    trace_of,
)
from gieok.domain.emotion import Felt
from gieok.domain.scope import Scope
from gieok.domain.scoring import Parts
from gieok.testing import memory
from gieok.testing.builders import WALL

PARTS = Parts(relevance=0.8)


def hit(id: str, *sources: str) -> Hit:
    why = tuple(Found(source=source, rank=1) for source in sources)
    return Hit(item=memory(id=id), scope=Scope(user="민수"), score=0.5, parts=PARTS, why=why)


def context(**fields) -> Context:
    return Context(**{"query": "?", "blocks": (), "messages": (), "hits": (), "budget": 900, **fields})


def call(seconds: float, cost: float) -> ModelCall:
    return ModelCall(task="reply", model="gpt", at=WALL, seconds=seconds, cost=cost)


def test_a_turn_without_a_context_has_its_calls_alone():
    trace = trace_of(None, [call(1.5, 0.01), call(0.5, 0.02)])
    assert (trace.budget, trace.tokens, trace.scored, len(trace.calls)) == (None, 0, (), 2)
    assert (trace.seconds, trace.cost) == (2.0, pytest.approx(0.03))


def test_what_the_model_saw_is_traced_by_ids_and_numbers():
    left = LeftOut(item_id="m9", why="over_budget")
    blocks = (
        Block(name="memories", text="…", tokens=40, items=("m1", "m2"), shortened=("m2",), left_out=(left,)),
        Block(name="summary", text="", tokens=0),
        Block(name="examples", text="", tokens=0, left_out=(left,)),
    )
    trace = trace_of(context(blocks=blocks, hits=(hit("m1", "dense"),), degraded=("no vectors",)))

    assert (trace.budget, trace.tokens, trace.degraded) == (900, 40, ("no vectors",))
    assert trace.scored == (Scored("m1", 0.5, PARTS, (Found(source="dense", rank=1),)),)
    assert trace.injected == (
        Injected(name="memories", tokens=40, items=("m1", "m2"), shortened=("m2",), left_out=(left,)),
        Injected(name="examples", tokens=0, left_out=(left,)),
    )


def test_a_source_counts_each_hit_once_and_all_the_time_it_took():
    hits = (hit("m1", "dense", "keyword", "dense"), hit("m2", "dense"), hit("m3", "topic", "person"))
    took = (("keyword", 0.5), ("dense", 0.25), ("keyword", 0.25), ("whole", 2.0))
    assert trace_of(context(hits=hits, took=took)).gathered == (
        Gathered(source="keyword", hits=1, seconds=0.75),
        Gathered(source="dense", hits=2, seconds=0.25),
        Gathered(source="whole", hits=0, seconds=2.0),
        Gathered(source="person", hits=1),
        Gathered(source="topic", hits=1),
    )


def test_a_thousand_characters_are_kept_of_what_a_model_answered():
    felt = Felt(speaker="user", emotion="sad", intensity=0.4, by="emotion/1 gpt", raw="슬" * 1_001)
    read = emotion_reading(felt)
    assert (read.speaker, read.emotion, read.intensity, read.by) == ("user", "sad", 0.4, "emotion/1 gpt")
    assert read.raw == "슬" * 1_000
