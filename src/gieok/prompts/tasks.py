"""Tasks for models: one function per task renders its document and parses the answer into a typed value.

`TASKS` holds the version of each document, which is stored with its results, and the limits of an answer.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from functools import cache, partial
from importlib.resources import files
from typing import Any, Final, Literal, TypeVar

from gieok.domain.answer import Prompt, Task
from gieok.domain.attributes import SCHEMA
from gieok.domain.emotion import EMOTIONS, Emotion, told
from gieok.domain.relationship import AXES
from gieok.domain.state import MOST, Delta
from gieok.prompts.answers import (
    NUMBER,
    TEXT,
    TEXT_ANSWER,
    items_in,
    list_of,
    number,
    object_in,
    one_of,
    schema_of,
    share,
    text_in,
    words,
)
from gieok.prompts.data import (
    Data,
    Language,
    Line,
    Quoted,
    aliases,
    cited,
    dated,
    named,
    named_by,
    quoted,
    remembered,
    rendered,
    said,
    seen,
    table,
)

Value = TypeVar("Value")
Row = Sequence[str | int]
SpokenAct = Literal["is", "was", "ended", "fixed", "not", "undo"]


@dataclass(frozen=True, slots=True)
class TaskLimits:
    """The version of a task's document, and limits of the answer."""

    version: str
    most_tokens: int
    longest: int = 0  #: characters per text in the answer
    most: int = 0  #: items


TASKS: Final[Mapping[Task, TaskLimits]] = {
    "compress": TaskLimits("compress/1", 768, longest=300, most=12),
    "conflict": TaskLimits("conflict/1", 256, most=8),
    "director": TaskLimits("director/1", 512, longest=300),
    "emotion": TaskLimits("emotion/1", 96, longest=1_000),
    "extract": TaskLimits("extract/2", 2_048, longest=200, most=60),
    "interpret": TaskLimits("interpret/1", 160, longest=240),
    "profile": TaskLimits("profile/1", 400, longest=600),
    "reflect": TaskLimits("reflect/1", 768, longest=300, most=3),
    "rerank": TaskLimits("rerank/1", 32),
    "rewrite_query": TaskLimits("rewrite_query/1", 128, longest=300),
    "summarise": TaskLimits("summarise/1", 768, longest=1_200),
}
_FEWEST_MEMORIES: Final = 2  #: for an insight
_LONGEST_REASON: Final = 100
_LONGEST_ABOUT: Final = 40
_WHO: Final = {"user": "user", "사용자": "user", "character": "character", "캐릭터": "character"}
_NONE: Final = frozenset({"none", "null", "n/a", "-"})
_ACTS: Final[tuple[SpokenAct, ...]] = ("is", "was", "ended", "fixed", "not", "undo")
_BIT: Final[Mapping[str, Any]] = {"type": "integer", "enum": [0, 1]}


@dataclass(frozen=True, slots=True, kw_only=True)
class Compressed:
    """What one or more memories say about a query."""

    content: str
    memory_ids: tuple[str, ...]  #: at least one


@dataclass(frozen=True, slots=True, kw_only=True)
class Direction:
    """A director's instructions after a turn."""

    note: str  #: "": none
    deltas: tuple[Delta, ...]  #: each axis once


@dataclass(frozen=True, slots=True, kw_only=True)
class Mood:
    """A speaker's feeling."""

    emotion: Emotion
    intensity: float  #: 0–1; 0 when neutral
    raw: str = field(default="", compare=False)  #: the raw answer, shortened if very long


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadFact:
    """A fact that a model extracted from a conversation; not validated yet."""

    line: int  #: 0: none given
    who: str  #: "user", "character" or a name
    attribute: str  #: may be outside the schema
    value: str
    quote: str  #: the words that state it
    act: SpokenAct
    when: str  #: "2025-07-07", "2025-07", "2025-03..", "..2025-05" or ""
    sure: float  #: 0–1


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelReading:
    """A model's reading of a section of conversation."""

    facts: tuple[ReadFact, ...]
    right: tuple[str, ...]  #: numbers of earlier readings that are correct
    wrong: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Reflection:
    """An insight from several memories."""

    content: str
    about: str  #: topic, in a word or two
    memory_ids: tuple[str, ...]  #: at least two
    importance: float  #: 0–1


_WRITTEN: Final[Mapping[str, Callable[[Any], Data]]] = {  #: formats the content of each slot
    **dict.fromkeys(("user", "character", "name", "speaker"), named),
    **dict.fromkeys(("persona", "relationship", "event", "query", "summary", "note_before"), quoted),
    **dict.fromkeys(("before", "lines"), said),
    **dict.fromkeys(("known", "earlier", "window", "readings"), table),
    "memories": remembered,
}


def _prompt(
    task: Task, language: Language, read: Callable[[str], Value], schema: Mapping[str, Any], **slots: Any
) -> Prompt[Value]:
    data = {name: _WRITTEN[name](value) if name in _WRITTEN else value for name, value in slots.items()}
    return Prompt(
        task=task,
        version=TASKS[task].version,
        messages=rendered(task, language, **data),
        schema=schema,
        read=read,
        most_tokens=TASKS[task].most_tokens,
    )


def _text_prompt(task: Task, language: Language, **slots: Any) -> Prompt[str]:
    return _prompt(task, language, partial(text_in, most=TASKS[task].longest), TEXT_ANSWER, **slots)


def interpret_prompt(
    *, event: str, user: str, character: str, persona: str, relationship: str, language: Language
) -> Prompt[str]:
    """Ask for the character's view of an event: one sentence in its own voice."""
    return _text_prompt(
        "interpret", language, user=user, character=character, persona=persona, relationship=relationship, event=event
    )


def profile_prompt(*, name: str, memories: Sequence[Quoted], language: Language) -> Prompt[str]:
    """Ask for a few sentences on `name`."""
    return _text_prompt("profile", language, name=name, memories=memories)


def rewrite_prompt(
    *, query: str, before: Sequence[Line], today: date, user: str, character: str, language: Language
) -> Prompt[str]:
    """Ask for `query` as a one-line search query that is understandable without `before`."""
    return _text_prompt(
        "rewrite_query",
        language,
        user=user,
        character=character,
        today=dated(today, language),
        before=before,
        query=query,
    )


def summarise_prompt(
    *, summary: str, lines: Sequence[Line], user: str, character: str, language: Language
) -> Prompt[str]:
    """Ask for `summary` updated with `lines`, in six sentences at most."""
    return _text_prompt("summarise", language, user=user, character=character, summary=summary, lines=lines)


def rerank_prompt(*, query: str, memories: Sequence[Quoted], language: Language) -> Prompt[tuple[str, ...]]:
    """Ask for the ids of relevant memories, the most useful first; others are irrelevant."""

    def read(answer: str) -> tuple[str, ...]:
        found = items_in(answer, "ids", partial(named_by, memories=memories), most=len(answer))
        return tuple(dict.fromkeys(found))

    schema = schema_of(ids=list_of(one_of(aliases(memories)), most=len(memories)))
    prompt = _prompt("rerank", language, read, schema, query=query, memories=memories)
    return replace(prompt, most_tokens=prompt.most_tokens + 8 * len(memories))


def compress_prompt(*, query: str, memories: Sequence[Quoted], language: Language) -> Prompt[tuple[Compressed, ...]]:
    """Ask for short sentences that answer `query`, each with its source memories."""
    limits = TASKS["compress"]

    def compressed(item: Any) -> Compressed | None:
        if not isinstance(item, dict):
            return None
        content = words(item.get("content"), most=limits.longest)
        ids = cited(item.get("memory_ids"), memories)
        return Compressed(content=content, memory_ids=ids) if content and ids else None

    item = schema_of(memory_ids=list_of(one_of(aliases(memories)), most=8), content=TEXT)
    return _prompt(
        "compress",
        language,
        lambda answer: items_in(answer, "items", compressed, most=limits.most),
        schema_of(items=list_of(item, most=limits.most)),
        query=query,
        memories=memories,
    )


def conflict_prompt(
    *, memories: Sequence[Quoted], today: date, language: Language
) -> Prompt[tuple[tuple[str, str], ...]]:
    """Ask for contradictory memories, as pairs of ids with the newer first; only the newer is still true."""
    most = TASKS["conflict"].most

    def pair(item: Any) -> tuple[str, str] | None:
        if not isinstance(item, dict):
            return None
        newer, older = named_by(item.get("newer"), memories), named_by(item.get("older"), memories)
        return (newer, older) if newer is not None and older is not None and newer != older else None

    name = one_of(aliases(memories))
    return _prompt(
        "conflict",
        language,
        lambda answer: tuple(dict.fromkeys(items_in(answer, "conflicts", pair, most=most))),
        schema_of(conflicts=list_of(schema_of(newer=name, older=name), most=most)),
        today=dated(today, language),
        memories=memories,
    )


def reflect_prompt(
    *, memories: Sequence[Quoted], today: date, user: str, character: str, language: Language
) -> Prompt[tuple[Reflection, ...]]:
    """Ask for at most three insights, each from at least two memories."""
    limits = TASKS["reflect"]

    def reflection(item: Any) -> Reflection | None:
        if not isinstance(item, dict):
            return None
        content = words(item.get("content"), most=limits.longest)
        about = words(item.get("about"), most=_LONGEST_ABOUT)
        ids = cited(item.get("memory_ids"), memories)
        if not content or not about or len(ids) < _FEWEST_MEMORIES:
            return None
        return Reflection(content=content, about=about, memory_ids=ids, importance=share(item.get("importance")))

    item = schema_of(memory_ids=list_of(one_of(aliases(memories)), most=8), about=TEXT, content=TEXT, importance=NUMBER)
    return _prompt(
        "reflect",
        language,
        lambda answer: items_in(answer, "reflections", reflection, most=limits.most),
        schema_of(reflections=list_of(item, most=limits.most)),
        user=user,
        character=character,
        today=dated(today, language),
        memories=memories,
    )


def director_prompt(
    *, lines: Sequence[Line], relationship: str, note_before: str, user: str, character: str, language: Language
) -> Prompt[Direction]:
    """Ask for a note on the next reply, and for changes of the relationship by the last lines."""
    delta = schema_of(axis=one_of(AXES), points=NUMBER, words=TEXT)
    return _prompt(
        "director",
        language,
        _direction,
        schema_of(note=TEXT, deltas=list_of(delta, most=len(AXES))),
        user=user,
        character=character,
        relationship=relationship,
        note_before=note_before,
        lines=lines,
    )


def _direction(answer: str) -> Direction:
    given = object_in(answer)
    if not isinstance(given.get("note"), str):
        raise ValueError('the answer has no text "note"')
    note = words(given["note"], most=TASKS["director"].longest)
    listed = given.get("deltas")
    deltas = [delta for delta in map(_delta, listed if isinstance(listed, list) else []) if delta is not None]
    return Direction(note=note, deltas=tuple({delta.axis: delta for delta in reversed(deltas)}.values())[::-1])


def _delta(item: Any) -> Delta | None:
    if not isinstance(item, dict):
        return None
    axis = next((axis for axis in AXES if axis == item.get("axis")), None)
    points = number(item.get("points"))
    if axis is None or not points:
        return None
    return Delta(axis=axis, points=min(max(points, -MOST), MOST), words=words(item.get("words"), most=_LONGEST_REASON))


def emotion_prompt(*, lines: Sequence[Line], speaker: str, language: Language) -> Prompt[Mood]:
    """Ask for the feeling of `speaker` at the end of `lines`. Anything that names an emotion is accepted."""
    schema = schema_of(**dict.fromkeys(EMOTIONS, _BIT), intensity=NUMBER)
    return _prompt("emotion", language, _mood, schema, speaker=speaker, lines=lines)


def _mood(answer: str) -> Mood:
    emotion = told(answer)
    if emotion is None:
        raise ValueError("the answer names no emotion")
    try:
        intensity = share(object_in(answer).get("intensity"))
    except ValueError:
        intensity = share(None)
    raw = seen(answer)[: TASKS["emotion"].longest]
    return Mood(emotion=emotion, intensity=0.0 if emotion == "neutral" else intensity, raw=raw)


def extract_prompt(
    *,
    window: Sequence[Row],
    earlier: Sequence[Row],
    known: Sequence[Row],
    readings: Sequence[Row],
    today: date,
    user: str,
    character: str,
    language: Language,
) -> Prompt[ModelReading]:
    """Ask for the facts in `window`, whose lines are (number, speaker, words); `readings` are earlier results."""
    numbers = [str(row[0]) for row in readings]
    fact = schema_of(
        line={"type": "integer"},
        who=TEXT,
        attribute=TEXT,
        value=TEXT,
        quote=TEXT,
        act=one_of(_ACTS),
        when=TEXT,
        sure=NUMBER,
    )
    listed = list_of(one_of(numbers), most=max(1, len(numbers)))
    return _prompt(
        "extract",
        language,
        partial(_reading, numbers=frozenset(numbers), called={user: "user", character: "character"}),
        schema_of(facts=list_of(fact, most=TASKS["extract"].most), right=listed, wrong=listed),
        attributes=attribute_list(language),
        user=user,
        character=character,
        today=dated(today, language),
        known=known,
        earlier=earlier,
        window=window,
        readings=readings,
    )


def _reading(answer: str, *, numbers: frozenset[str], called: Mapping[str, str]) -> ModelReading:
    facts = items_in(answer, "facts", partial(_read_fact, called=called), most=TASKS["extract"].most)
    try:
        given = object_in(answer)
    except ValueError:  # a bare list of facts
        given = {}
    listed = {name: given.get(name) for name in ("right", "wrong")}
    right, wrong = (
        tuple(dict.fromkeys(each for each in found if isinstance(each, str) and each in numbers))
        for found in (value if isinstance(value, list) else [] for value in listed.values())
    )
    return ModelReading(facts=facts, right=right, wrong=tuple(each for each in wrong if each not in right))


def _read_fact(item: Any, *, called: Mapping[str, str]) -> ReadFact | None:
    if not isinstance(item, dict):
        return None
    longest, line = TASKS["extract"].longest, number(item.get("line"))
    who, value = words(item.get("who"), most=_LONGEST_ABOUT), words(item.get("value"), most=longest)
    quote, key = words(item.get("quote")), _key(item.get("attribute"))
    if not who or not key or not (value or quote):
        return None
    return ReadFact(
        line=int(line) if line is not None else 0,
        who=_WHO.get(who.lower(), called.get(who, who)),
        attribute=key,
        value=value,
        quote=quote,
        act=next((act for act in _ACTS if act == item.get("act")), "is"),
        when=words(item.get("when"), most=_LONGEST_ABOUT),
        sure=share(item.get("sure")),
    )


@cache
def attribute_list(language: Language) -> Data:
    """Return every attribute of the schema, with an explanation if its name is not sufficient."""
    explained = tomllib.loads(files(__package__).joinpath("attributes.toml").read_text(encoding="utf-8"))[language]
    return Data(", ".join(f"{key}({explained[key]})" if key in explained else key for key in SCHEMA))


def _key(given: object) -> str:
    """Return the attribute key; some models copy its explanation, too: "job(직업)"."""
    key = words(given).partition("(")[0].strip().lower().replace(" ", "_")
    return "" if key in _NONE else key
