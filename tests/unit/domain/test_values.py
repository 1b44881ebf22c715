"""Every value of the domain is frozen, slotted and keyword-only, and begins as its fields say."""

from dataclasses import MISSING, FrozenInstanceError, fields

import pytest

import gieok.domain
from gieok.domain.answer import Context, Gathered, Hit, ModelCall, Observed, Prompt, Read, Trace, Where
from gieok.domain.attributes import Attribute
from gieok.domain.claim import Claim
from gieok.domain.emotion import Felt
from gieok.domain.entity import Face
from gieok.domain.memory import Memory
from gieok.domain.noticed import Mention, Noticed, Sign
from gieok.domain.operation import Operation, Stage
from gieok.domain.relationship import MannerChange, Relationship
from gieok.domain.scene import Scene
from gieok.domain.scoring import Parts
from gieok.domain.server_state import AccessKey, KeptAnswer, Webhook, WebhookDelivery
from gieok.domain.state import Cause
from gieok.domain.turn import Turn
from gieok.domain.upkeep import UpkeepCounters
from gieok.testing import memory
from support.values import values_of

VALUES = values_of(gieok.domain)


def test_the_values_of_the_domain_are_found():
    assert len(VALUES) > 90
    assert {Memory, Scene} <= set(VALUES)


@pytest.mark.parametrize("kind", VALUES, ids=lambda kind: kind.__name__)
def test_every_value_is_frozen_slotted_and_keyword_only(kind):
    assert kind.__dataclass_params__.frozen
    assert "__slots__" in vars(kind)
    assert all(field.kw_only for field in fields(kind) if field.init)


def test_a_frozen_value_is_what_it_says():
    kept = memory()
    with pytest.raises(FrozenInstanceError):
        kept.content = "다른 말"
    assert not hasattr(kept, "__dict__")


@pytest.mark.parametrize(
    ("kind", "unsaid"),
    [
        (Claim, {"certainty": 1.0, "importance": 0.5, "emotion_intensity": 0.0, "polarity": "+", "act": "assert"}),
        (
            Memory,
            {
                "certainty": 1.0, "importance": 0.5, "emotion_intensity": 0.0, "strength": 1.0, "touched_turn": 0,
                "retracted": False, "mentions": 0, "uses": 0, "pinned": False, "version": 1,
            },
        ),
        (Felt, {"intensity": 0.0, "valence": 0.0, "by": "classifier/2"}),
        (Sign, {"strength": 1.0}),
        (Mention, {"valence": 0.0, "by": "user", "kind": "person"}),
        (Noticed, {"farewell": False, "place": None}),
        (Face, {"interactions": 0, "felt": 0, "sentiment": 0.0, "trust": 50.0, "last_turn": 0}),
        (Relationship, {"turns": 0, "level": "stranger"}),
        (Scene, {"valences": 0.0, "felt": 0, "strongest": 0.0, "turns": 0, "parting": False}),
        (Turn, {"cut_off": False, "number": 0}),
        (MannerChange, {"mutual": False, "asked_by": None}),
        (Attribute, {"lifelong": False, "opposes": ()}),
        (Stage, {"ends": False}),
        (Operation, {"number": 0, "undone": False}),
        (UpkeepCounters, {"new_memories": 0, "unsummarised_tokens": 0}),
        (Cause, {"amount": 0.0}),
        (Where, {"history": False, "kind": None}),
        (Observed, {"unread": False, "again": False}),
        (Parts, dict.fromkeys(("recency", "importance", "relevance", "keyword", "strength", "graph"), 0.0)),
        (Prompt, {"most_tokens": 512}),
        (ModelCall, {"prompt_tokens": 0, "answer_tokens": 0, "cost": 0.0, "failure": None}),
        (Gathered, {"hits": 0, "seconds": None}),
        (Read, {"intensity": 0.0, "raw": ""}),
        (Trace, {"budget": None, "tokens": 0}),
        (WebhookDelivery, {"number": 0, "tries": 0}),
        (Webhook, {"include_text": False, "events": ("*",)}),
        (KeptAnswer, {"body": "", "headers": (), "scope": None}),
    ],
)  # fmt: skip
def test_what_nobody_said_is_as_little_as_can_be(kind, unsaid):
    given = {field.name: field.default for field in fields(kind) if field.default is not MISSING}
    assert {name: given[name] for name in unsaid} == unsaid


@pytest.mark.parametrize("kind", [AccessKey, Webhook])
def test_no_secret_stands_in_what_is_printed(kind):
    secret = {AccessKey: "digest", Webhook: "secret"}[kind]
    assert {field.name for field in fields(kind) if not field.repr} == {secret}


@pytest.mark.parametrize(("kind", "beside"), [(Hit, "contributions"), (Context, "took"), (Felt, "raw")])
def test_what_only_explains_makes_no_difference(kind, beside):
    assert [field.name for field in fields(kind) if not field.compare] == [beside]
