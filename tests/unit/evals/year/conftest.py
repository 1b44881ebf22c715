"""A mind that knows the script: it remembers what it is told to, and nothing else."""

from collections.abc import Callable, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from types import SimpleNamespace
from typing import Any

import pytest

from gieok.domain.answer import Observed
from gieok.domain.memory import Change, Memory
from gieok.domain.turn import Turn, Utterance
from gieok_evals.year import running
from gieok_evals.year.generator import START, Line, year
from gieok_evals.year.people import people


def memory(memory_id: str = "m", **fields: Any) -> Memory:
    given = {
        "speaker": "user",
        "subject": "user",
        "subject_id": "user",
        "content": memory_id,
        "content_type": "event",
        "kind": "episodic",
        "valid_at": START,
        "known_at": START,
        "recorded_at": START,
    }
    return Memory(id=memory_id, **(given | fields))


def made(after: Memory, turn: str | None, *, kind: str = "observe", before: Memory | None = None, why: str = "") -> Any:
    """An operation of the journal, as far as a year reads it."""
    change = Change(before=before, after=after)
    return SimpleNamespace(kind=kind, turn_id=turn, undone=False, why=why, decisions=(), kept=(), changes=(change,))


def step(at: datetime, score: float, level: str) -> Any:
    """A moment of a trajectory; all axes stand at `score`, but nobody is a rival."""
    axes = dict.fromkeys(("trust", "affection", "respect", "familiarity"), score)
    return SimpleNamespace(at=at, relationship=SimpleNamespace(**axes, rivalry=0.0, level=level))


@dataclass
class KnowingMind:
    """Remembers the facts, promises and events of one person's script; `forgets` picks turns it does not hear."""

    lines: Sequence[Line]
    forgets: Callable[[Line], bool] = lambda line: False
    score: Callable[[Line], float] = lambda line: line.day / 5
    keeps_notes: bool = False  #: never lets go of what is written down

    def __post_init__(self) -> None:
        self.operations: list[Any] = []
        self.current: dict[str, Memory] = {}
        self.steps: list[Any] = []
        self.by_turn = {f"turn-{line.number:05}": line for line in self.lines}
        self.noted: list[str] = []

    def observe(self, text: str, *, reply: str, at: datetime, session: str, turn_id: str) -> Observed:
        line = self.by_turn[turn_id]
        assert (line.text, line.reply, line.at, line.session) == (text, reply, at, session)
        if line.told is not None and not self.forgets(line):
            self._learn(line, turn_id)
        score = self.score(line)
        level = ("stranger", "acquaintance", "friend", "close_friend", "intimate")[min(4, int(score // 20))]
        self.steps.append(step(at, score, level))
        said = Utterance(id=f"u-{turn_id}", turn_id=turn_id, speaker="user", text=text, at=at, position=0)
        return Observed(turn=Turn(id=turn_id, utterances=(said,), at=at, recorded_at=at), decisions=())

    def _learn(self, line: Line, turn_id: str) -> None:
        assert line.told is not None
        fact = line.told.fact
        if fact is None and line.told.keep is None:
            return
        new = memory(f"m-{turn_id}", content=line.text, sources=(f"u-{turn_id}",))
        if fact is not None:
            whom = {} if fact.about == "user" else {"subject": "other", "subject_id": fact.about}
            new = memory(
                new.id, content=line.text, attribute=fact.attributes[0], value=fact.values[0], kind="semantic", **whom
            )
            for old in [each for each in self.current.values() if each.value in fact.ends]:
                closed = old.changed(invalid_at=line.at, closed_by=new.id)
                del self.current[old.id]
                self.operations.append(made(closed, turn_id, before=old, why="superseded"))
        self.current[new.id] = new
        self.operations.append(made(new, turn_id))

    def remember(self, content: str, *, type: str, importance: float, at: datetime) -> Any:
        self.noted.append(content)
        new = memory(f"n-{len(self.noted)}", content=content)
        self.operations.append(made(new, None, kind="remember"))
        if self.keeps_notes:
            self.current[new.id] = new
        else:
            gone = new.changed(forgotten_at=at)
            self.operations.append(made(gone, None, kind="pass", before=new, why="faded"))
        return SimpleNamespace(memory=new)

    def facts(self) -> list[Memory]:
        return list(self.current.values())

    def context(self, query: str, *, at: datetime) -> Any:
        return SimpleNamespace(items=tuple(self.current), text="")

    def recall(self, query: str, *, k: int, at: datetime) -> list[Any]:
        asked = {f"m-{turn}" for turn, line in self.by_turn.items() if line.told is not None and line.told.ask == query}
        return [SimpleNamespace(item=each) for each in self.current.values() if each.id in asked][:k]

    def history(self, memory_id: str) -> list[tuple[Any, Change]]:
        return [
            (operation, change)
            for operation in self.operations
            for change in operation.changes
            if change.memory_id == memory_id
        ]

    def journal(self) -> list[Any]:
        return self.operations

    def trajectory(self) -> list[Any]:
        return self.steps


@pytest.fixture
def minds(monkeypatch):
    """Let everybody live with a mind that knows the script; the options of the next minds can be set."""
    options: dict[str, Any] = {}
    opened: list[KnowingMind] = []

    @contextmanager
    def living(*, user, character, embedder, cap, clock):
        person = next(each for each in people() if each.user == user)
        mind = KnowingMind(year(person, seed=options.get("seed", 0), turns=options["turns"]), **options.get("with", {}))
        opened.append(mind)
        yield mind

    monkeypatch.setattr(running, "living", living)
    return SimpleNamespace(options=options, opened=opened)
