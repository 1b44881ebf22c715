"""JSON records of domain values: one mapping for HTTP, MCP and the command line.

A `Shape` lists the keys of a record. Only listed keys are sent, so a new field of a domain value stays
private until it gets a key here. A record holds datetimes as they are; each edge writes them in its own form.
"""

from __future__ import annotations

import types
from collections.abc import Callable, Mapping
from dataclasses import is_dataclass
from datetime import UTC, datetime
from functools import cache
from operator import attrgetter
from typing import Any, Final, Literal, NamedTuple, Union, get_args, get_origin, get_type_hints

from gieok.domain import answer
from gieok.domain.actor import Actor
from gieok.domain.audit import Deed, Finding, Verified
from gieok.domain.decision import Ignore, Reinforce, Remember, Retract, Supersede
from gieok.domain.emotion import Emotion, Felt, one_hot
from gieok.domain.entity import Entity
from gieok.domain.erasure import Certificate, Erasure
from gieok.domain.memory import Change, Memory, MemoryState
from gieok.domain.operation import Operation
from gieok.domain.record import decision_name, promotion_of, request_record, to_record
from gieok.domain.relationship import Habit, Manners, Relationship, Speech, score
from gieok.domain.scene import Scene
from gieok.domain.scope import Scope, ScopeSummary
from gieok.domain.scoring import Parts
from gieok.domain.server_state import Webhook
from gieok.domain.state import Cause, Move, StateRecord
from gieok.domain.turn import Turn, Utterance
from gieok.domain.upkeep import Kept, Upkept

Record = dict[str, Any]


_NO_SHAPES: Final[Mapping[str, Shape]] = {}
_PLAIN: Final = frozenset({str, int, float, bool, type(None), datetime})  #: most of what a record holds


class Computed(NamedTuple):
    """A key that no attribute holds the value of."""

    type: Any
    read: Callable[[Any], Any]


class Shape:
    """The keys of a record, in order, and where their values come from.

    `keys` are words: `id`; `type=content_type` where the attribute has another name; `at=moment.at` for a part of an
    attribute, null where that is None; `summary?` for a text that is null when it is empty; `**felt` for all keys of
    the record of an attribute. Keys whose value is computed are listed as well.
    """

    def __init__(self, source: type, keys: str, *, name: str | None = None, **computed: Computed) -> None:
        self.source = source
        self.name = name or source.__name__
        self._computed = computed
        self._paths: dict[str, str] = {}
        for word in keys.split():
            key, _, path = word.partition("=")
            self._paths[key.removesuffix("?")] = path or key.removeprefix("**")
        #: key (None: the parts of the value count as keys), and how its value is read
        self._readers = [
            (None if key.startswith("**") else key, computed[key].read if key in computed else _reader(path))
            for key, path in self._paths.items()
        ]

    def record(self, value: Any, own: Mapping[str, Shape] = _NO_SHAPES) -> Record:
        found: Record = {}
        for key, read in self._readers:
            part = read(value)
            if type(part) not in _PLAIN:
                part = record(part, own)
            if key is None:
                found |= part
            else:
                found[key] = part
        return found

    def types(self) -> dict[str, Any]:
        """Return the type of every key in terms of the domain; of a `**` key, the type of its attribute."""
        return {
            key: self._computed[key].type if key in self._computed else _type_of(self.source, path)
            for key, path in self._paths.items()
        }


def record(value: Any, own: Mapping[str, Shape] = _NO_SHAPES) -> Any:
    """Return `value` as a record; `own` are shapes by class name that count before those listed here.

    Raises `TypeError` for a domain value that has no shape.
    """
    if type(value) in _PLAIN:
        return value
    shape = own.get(type(value).__name__) or SHAPES.get(type(value))
    if shape is not None:
        return shape.record(value, own)
    if isinstance(value, tuple | list):
        return [record(each, own) for each in value]
    if isinstance(value, Mapping):
        return {key: record(part, own) for key, part in value.items()}
    if is_dataclass(value):
        return shape_of(type(value)).record(value, own)
    return value


def shape_of(kind: type) -> Shape:
    if kind not in SHAPES:
        _add_shapes_of_bank()
    if kind not in SHAPES:
        raise TypeError(f"{kind.__qualname__} has no record; list its keys in gieok.records")
    return SHAPES[kind]


def add_shape(source: type, keys: str, *, name: str | None = None, **computed: Computed) -> None:
    SHAPES[source] = Shape(source, keys, name=name, **computed)


def trace_record(turn_id: str, trace: answer.Trace) -> Record:
    """Return how a turn came about; times and costs are rounded to a billionth."""
    rounded: Record = _rounded(record(trace))
    return {"turn_id": turn_id, **rounded}


def _rounded(value: Any) -> Any:
    match value:
        case float():
            return round(value, 9)
        case datetime():
            return value.isoformat()
        case list():
            return [_rounded(each) for each in value]
        case dict():
            return {key: _rounded(part) for key, part in value.items()}
    return value


def _reader(path: str) -> Callable[[Any], Any]:
    names = path.removesuffix("?").split(".")
    if len(names) == 1 and not path.endswith("?"):
        return attrgetter(names[0])

    def read(value: Any) -> Any:
        for name in names:
            value = None if value is None else getattr(value, name)
        return value or None if path.endswith("?") else value

    return read


_hints_of: Final = cache(get_type_hints)


def _type_of(source: Any, path: str) -> Any:
    """Return the type of the attribute that `path` leads to."""
    nullable = path.endswith("?")
    found = source
    for name in path.removesuffix("?").split("."):
        if get_origin(found) in (Union, types.UnionType):
            nullable = True
            found = next(each for each in get_args(found) if each is not type(None))
        attribute = getattr(found, name, None)
        hints, key = (attribute.fget, "return") if isinstance(attribute, property) else (found, name)
        found = _hints_of(hints)[key]
    return found | None if nullable else found


def _state_record(state: StateRecord | None) -> Record | None:
    if type(state) in SHAPES:
        return SHAPES[type(state)].record(state)
    return None if state is None else dict(to_record(state))


def _promotion(decision: Any) -> float | None:
    promotion = promotion_of(decision)
    return None if promotion is None else promotion.score


def _cost(trace: answer.Trace) -> Record:
    return {
        "context_tokens": trace.tokens,
        "context_budget": trace.budget,
        "seconds": trace.seconds,
        "prompt_tokens": sum(call.prompt_tokens for call in trace.calls),
        "answer_tokens": sum(call.answer_tokens for call in trace.calls),
        "cost": trace.cost,
        "calls": record(trace.calls),
    }


_ONE_HOT: Final = Computed(dict[Emotion, int], lambda felt: one_hot(felt.emotion))
_STATE: Final = Record | None

SHAPES: Final[dict[type, Shape]] = {}

for _source, _keys in {
    Scope: "user character world",
    Deed: "number at act actor who why targets=touched operation digest link",
    Finding: "scope=chain.scope chain=chain.mark number since what",
    Verified: "sound chains deeds findings root uncovered",
    Certificate: "id at by salt subject asked counts proven_at means hash",
    Erasure: "dry_run counts certificates",
    Change: "before after",
    Cause: "cause=name speaker? words? axis? amount",
    Habit: "value since=at asked_by",
    Speech: "style address",
    Manners: "user character",
    Utterance: "id turn_id speaker text at session",
    Turn: "id number at recorded_at session channel present cut_off utterances",
    answer.Observed: "turn decisions emotions moves unread again pii ask questions",
    answer.Found: "source rank",
    Parts: "recency importance relevance keyword strength graph",
    answer.LeftOut: "id=item_id why",
    answer.Block: "name text tokens items shortened left_out",
    answer.Context: "query text tokens budget messages blocks items degraded",
    Kept: "action why changes",
    Upkept: "scope passes kept dry_run busy",
    answer.Gathered: "source hits seconds",
    answer.Scored: "id=item_id score parts why",
    answer.Injected: "name tokens items shortened left_out",
    answer.ModelCall: "task model at seconds prompt_tokens answer_tokens cost failure",
}.items():
    add_shape(_source, _keys)

add_shape(Actor, "kind name", kind=Computed(str, attrgetter("kind")))
add_shape(
    Scene,
    "id title session started_at last_at ended_at ended_by place daytime participants tone valence topics turns",
    ended_by=Computed(str | None, attrgetter("ended_by")),
)
add_shape(ScopeSummary, "**scope turns utterances memories latest_at", name="ScopeCount")
add_shape(answer.Message, "role content", name="ContextMessage")
add_shape(Webhook, "id url events include_text created_at", name="KnownWebhook")
add_shape(Felt, "speaker emotion intensity valence by one_hot", one_hot=_ONE_HOT)
add_shape(answer.Read, "speaker emotion one_hot intensity by raw?", one_hot=_ONE_HOT)
add_shape(
    Memory,
    "id content state type=content_type kind speaker subject subject_id attribute value surface polarity certainty "
    "importance strength emotion_intensity mentions uses last_used_at pinned doubtful origin valid_at invalid_at "
    "known_at recorded_at forgotten_at closed_by made_from sources tags interpretation channel pii_flags version",
    state=Computed(MemoryState, lambda memory: memory.state(datetime.now(UTC))),
)
add_shape(
    Relationship,
    "level score trust affection respect rivalry familiarity turns met_at last_at",
    score=Computed(float, score),
)
add_shape(
    Entity,
    "id name display_name aliases kind summary? interests personality interactions first_seen last_seen sentiment "
    "sentiment_label trust",
    interests=Computed(list[str], lambda entity: [note.text for note in entity.interests]),
    personality=Computed(list[str], lambda entity: [note.text for note in entity.personality]),
    sentiment_label=Computed(str, lambda entity: entity.sentiment_label()),
)
add_shape(
    Move,
    "kind id before after causes",
    before=Computed(_STATE, lambda move: _state_record(move.before)),
    after=Computed(_STATE, lambda move: _state_record(move.after)),
)
add_shape(
    answer.Hit,
    "text score parts contributions why scope memory utterance answers",
    memory=Computed(Memory | None, lambda hit: hit.item if isinstance(hit.item, Memory) else None),
    utterance=Computed(Utterance | None, lambda hit: None if isinstance(hit.item, Memory) else hit.item),
)
add_shape(
    Operation,
    "id number kind at=moment.at recorded_at=moment.recorded_at who why turn_id undone request decisions kept changes "
    "moves",
    request=Computed(Record, lambda operation: request_record(operation.request)),
)
add_shape(answer.Trace, "gathered scored injected used degraded emotions cost", cost=Computed(Record, _cost))
for _source in (Remember, Reinforce, Supersede, Retract, Ignore):
    add_shape(
        _source,
        "decision content=claim.content why promotion memory closed",
        name="Decision",
        decision=Computed(Literal["remember", "reinforce", "supersede", "retract", "ignore"], decision_name),
        why=Computed(str | None, lambda decision: getattr(decision, "why", None)),
        promotion=Computed(float | None, _promotion),
        memory=Computed(Memory | None, lambda decision: getattr(decision, "memory", None)),
        closed=Computed(list[Memory], lambda decision: getattr(decision, "closed", [])),
    )


#: What the tools and resources of MCP return: shorter records, with names that a model understands.
MCP_MEMORY: Final = Shape(
    Memory,
    "id content about=subject_id type=content_type attribute value importance pinned doubtful since=valid_at "
    "until=invalid_at",
    value=Computed(str | None, lambda memory: memory.surface or memory.value),
)
MCP_HIT: Final = Shape(
    answer.Hit,
    "text score kind said_by=item.speaker at scope memory",
    kind=Computed(str, lambda hit: "memory" if isinstance(hit.item, Memory) else "said"),
    at=Computed(datetime, lambda hit: hit.item.known_at if isinstance(hit.item, Memory) else hit.item.at),
    memory=Computed(_STATE, lambda hit: MCP_MEMORY.record(hit.item) if isinstance(hit.item, Memory) else None),
)
MCP_CONTEXT: Final = Shape(answer.Context, "text tokens items degraded")
MCP_SCOPE: Final = Shape(ScopeSummary, "scope turns memories latest_at")


@cache
def _add_shapes_of_bank() -> None:
    """Add the values that are made further out; loading the bank takes longer than printing a record may."""
    from gieok.bank.history import Feeling, Step, Version
    from gieok.export.about_me import AboutMe, Part, Told

    add_shape(Step, "at turn_id scene before after=relationship causes")
    add_shape(Feeling, "**felt at turn_id")
    add_shape(Told, "number text when memory_id")
    add_shape(Part, "group heading told", name="ToldPart")
    add_shape(AboutMe, "text parts")
    add_shape(
        Version,
        "operation=operation_id number=operation kind act version=number at recorded_at actor who why turn_id before "
        "after",
        name="Happened",
        actor=Computed(str | None, lambda version: version.actor and str(version.actor)),
    )
