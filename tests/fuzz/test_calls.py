"""Every public call with hostile words for whatever it takes: it answers or refuses, and the bank stays sound."""

from __future__ import annotations

import inspect
import random
import typing
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

import gieok
from gieok.errors import GieokError
from gieok.interop.mem0 import Memory
from gieok.interop.social import SocialMemory
from gieok.testing import FixedClock, day
from support import hostile
from support.hostile import within

SECONDS = 30.0
LEFT = {"under", "strengths"}  # they take values that gieok made
MOMENTS = (
    datetime.min.replace(tzinfo=UTC),
    datetime.max.replace(tzinfo=UTC),
    datetime(2026, 3, 1),  # noqa: DTZ001  # the fault under test
    day(3),
)


@pytest.fixture
def mind(tmp_path: Path) -> Iterator[gieok.Mind]:
    with gieok.open(tmp_path / "memories.db", embedder="hashing", clock=FixedClock(day(1))) as bank:
        mind = bank.scope(user="minsu", character="letia")
        mind.observe("나 고양이 좋아해. 친구 지훈이가 왔어", reply="저도요!", at=day(1), turn_id="t1")
        yield mind
        assert bank.store.problems() == []
        mind.recall("고양이")


_PLAIN: dict[Any, Callable[[random.Random], Any]] = {
    str: lambda dice: dice.choice(hostile.TEXTS),
    int: lambda dice: dice.choice([0, -1, 1, 7, 2**31, 2**63, 10**30]),
    float: lambda dice: dice.choice([each for each in hostile.NUMBERS if isinstance(each, float)]),
    bool: lambda dice: dice.random() < 0.5,
    datetime: lambda dice: dice.choice(MOMENTS),
}


def drawn(hint: Any, dice: random.Random) -> Any:
    """Return something hostile of a type; raises KeyError where no such thing is known."""
    if hint in _PLAIN:
        return _PLAIN[hint](dice)
    origin, inner = typing.get_origin(hint), typing.get_args(hint)
    if origin is Iterable:
        return [drawn(inner[0], dice) for _ in range(dice.randrange(3))]
    if origin is typing.Literal:
        return dice.choice([*inner, "unheard of"])
    if typing.is_typeddict(hint):
        fields = typing.get_type_hints(hint)
        return {name: drawn(kind, dice) for name, kind in fields.items() if dice.random() < 0.7}
    if inner and type(None) in inner:
        return None if dice.random() < 0.3 else drawn(next(each for each in inner if each is not type(None)), dice)
    if inner and str in inner:
        return [dice.choice(hostile.TEXTS) for _ in range(dice.randrange(3))]
    raise KeyError(hint)


def asked(call: Callable[..., Any], dice: random.Random) -> tuple[list[Any], dict[str, Any]]:
    words: list[Any] = []
    named: dict[str, Any] = {}
    hints = typing.get_type_hints(call, vars(inspect.getmodule(call)) | _TYPES)
    for name, parameter in inspect.signature(call).parameters.items():
        if parameter.kind in (parameter.VAR_KEYWORD, parameter.VAR_POSITIONAL):
            continue
        optional = parameter.default is not parameter.empty
        if optional and dice.random() < 0.5:
            continue
        try:
            value = drawn(hints[name], dice)
        except KeyError:
            assert optional, (call, name, hints[name])
            continue
        if parameter.kind is parameter.KEYWORD_ONLY:
            named[name] = value
        else:
            words.append(value)
            if len(words) < list(inspect.signature(call).parameters).index(name) + 1:
                words.pop()
    return words, named


_TYPES: dict[str, Any] = dict.fromkeys(("Settings", "Upkept", "Deepened", "Mood", "AboutMe"), object)
CALLS = sorted(name for name, _ in inspect.getmembers(gieok.Mind, callable) if name[0] != "_" and name not in LEFT)


@pytest.mark.parametrize("name", CALLS)
def test_a_call_answers_or_refuses(name: str, mind: gieok.Mind, counts: Callable[[int, int], int]) -> None:
    dice = random.Random(name)
    call = getattr(mind, name)
    for _ in range(counts(12, 600)):
        words, named = asked(call, dice)
        with within(SECONDS, (name, words, named)), suppress(GieokError):
            call(*words, **named)


def test_posts_of_strangers_are_taken_or_refused(mind: gieok.Mind, counts: Callable[[int, int], int]) -> None:
    dice = random.Random(3)
    bot = SocialMemory(mind.bank, "letia-bot")
    calls = [
        name for name, _ in inspect.getmembers(bot, callable) if name[0] != "_" and name not in ("subscribe", "mind")
    ]
    for _ in range(counts(1, 100)):
        for name in calls:
            words, named = asked(getattr(bot, name), dice)
            with within(SECONDS, (name, words)), suppress(GieokError):
                getattr(bot, name)(*words, **named)


def test_documents_of_a_graph_are_taken_or_refused(mind: gieok.Mind, counts: Callable[[int, int], int]) -> None:
    pytest.importorskip("langgraph")
    from gieok.interop.langgraph import GieokStore

    dice = random.Random(5)
    store = GieokStore(mind.bank)

    def text() -> str:
        return dice.choice([each for each in hostile.TEXTS if len(each) < 9_000])

    steps: list[Callable[[], Any]] = [
        lambda: store.put((text(), text()), text(), {text(): dice.choice(hostile.VALUES)}),
        lambda: store.put(("user", "minsu"), text(), {"text": text()}, index=[text()]),
        lambda: store.get(("user", "minsu"), text()),
        lambda: store.search((text(),), query=text(), limit=dice.choice([0, 1, 10, 10**9])),
        lambda: store.search(("user",), filter={text(): dice.choice(hostile.VALUES)}),
        lambda: store.list_namespaces(prefix=(text(),), max_depth=dice.choice([None, 1, 3])),
        lambda: store.delete(("user", "minsu"), text()),
    ]
    for _ in range(counts(40, 3_000)):
        step = dice.choice(steps)
        with within(SECONDS, step), suppress(GieokError, ValueError):  # LangGraph's own refusals are ValueErrors
            step()


def test_messages_under_mem0_s_names_are_taken_or_refused(mind: gieok.Mind, counts: Callable[[int, int], int]) -> None:
    dice = random.Random(7)
    memory = Memory(bank=mind.bank)

    def text() -> str:
        return dice.choice(hostile.TEXTS)

    def value() -> Any:
        return dice.choice(hostile.VALUES)

    steps: list[Callable[[], Any]] = [
        lambda: memory.add(text(), user_id=text(), metadata={text(): value()}, infer=dice.random() < 0.5),
        lambda: memory.add([{"role": "user", "content": value(), "name": value()}], run_id=text(), timestamp=value()),
        lambda: memory.add("나 고양이 좋아해", agent_id=value(), expiration_date=value(), metadata=value()),
        lambda: memory.search(text(), user_id="minsu", filters={text(): value()}, threshold=value()),
        lambda: memory.search("고양이", filters={dice.choice(["AND", "OR", "NOT", "user_id"]): value()}, top_k=value()),
        lambda: memory.get_all(filters={"user_id": {text(): value(), "in": value()}}),
        lambda: (memory.get(text()), memory.history(text())),
        lambda: memory.update(text(), text(), metadata=value()),
        lambda: memory.delete_all(run_id=text()),
    ]
    for _ in range(counts(60, 3_000)):
        step = dice.choice(steps)
        with within(SECONDS, inspect.getsource(step)), suppress(GieokError):
            step()
