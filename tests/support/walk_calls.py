"""Every public call of a mind and a bank, and how a walk asks it.

Whoever adds a public call says here how it is walked. Until then a test fails.
"""

from __future__ import annotations

import inspect
import os
import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Any

import gieok
from gieok.domain.actor import Actor
from gieok.domain.erasure import Erasing
from gieok.domain.server_state import Bounds
from gieok.errors import GieokError
from gieok.serve.metrics import Metrics
from gieok.testing import FixedClock, ScriptedModel, day
from support.walking import Overheard, Place, leaked, places, shown

KEY = Actor(kind="key", name="game server (ab12)")
SAID = (
    "나 {word} 좋아해",
    "내 이름은 {word}야",
    "{word}한테 비밀이 있어. 아무한테도 말하지 마",
    "우리 강아지 이름은 {word}야",
    "친구 {word}가 오늘 놀러 왔어",
    "우리 다음에 {word}에 같이 가기로 약속하자",
    "어제 {word}에서 엄청 웃었잖아, 진짜 행복했어",
    "이제 말 놓자. 나를 {word}라고 불러 줘",
    "나 {word} 알레르기가 있어",
    "고마워, 네 덕분에 {word} 끝냈어",
)


@dataclass
class Walk:
    """Who walks, and what they may have in their hands: their own things, and names of others' things."""

    bank: gieok.MemoryBank
    dice: random.Random
    cast: list[Place]
    file: Path
    here: Place = field(init=False)
    days: int = 0

    def __post_init__(self) -> None:
        self.here = self.cast[0]

    @property
    def mind(self) -> gieok.Mind:
        return self.bank.mind(self.here.scope)

    @property
    def somebody(self) -> Place:
        """Return oneself, or (every third time) somebody else: ids get about."""
        return self.here if self.dice.random() < 0.67 else self.dice.choice(self.cast)

    def text(self) -> str:
        return self.dice.choice(SAID).format(word=self.here.word)

    def query(self) -> str:
        return self.dice.choice(["비밀", "좋아해", "이름이 뭐야?", self.dice.choice(self.cast).head, self.here.word])

    def memory(self) -> str:
        known = self.bank.mind(self.somebody.scope).memories(20, state="all")
        return self.dice.choice([leaf.memory.id for leaf in known]) if known else "m-1"

    def turn(self) -> str:
        return self.dice.choice(self.somebody.turns or ["t-1"])

    def person(self) -> str:
        known = self.bank.mind(self.somebody.scope).entities()
        return self.dice.choice([each.id for each in known]) if known else "who-1"

    def name(self) -> str:
        return self.dice.choice([self.here.word, self.dice.choice(self.cast).head, "아빠"])

    def operation(self) -> str:
        known = self.bank.mind(self.somebody.scope).last_operations(20)
        return self.dice.choice([each.id for each in known]) if known else "o-1"

    def observe(self) -> Any:
        self.days += 1
        context = self.mind.context(self.query()) if self.dice.random() < 0.5 else None
        turn_id = f"t{self.days}-{self.here.head}"
        self.here.turns.append(turn_id)
        at = day(1) + timedelta(hours=7 * self.days)
        reply = f"{self.here.word}라니, 좋네요!"
        session = f"s{self.days // 20}"
        return self.mind.observe(self.text(), reply=reply, at=at, turn_id=turn_id, session=session, context=context)

    def observe_many(self) -> Any:
        known = len(self.here.turns)
        self.here.turns += [f"m{known}-{self.here.head}", f"n{known}-{self.here.head}"]
        at = day(1) + timedelta(hours=7 * self.days)
        said = ({"text": self.text(), "at": at, "turn_id": turn_id} for turn_id in self.here.turns[known:])
        return self.mind.observe_many(said, read=self.dice.random() < 0.5)

    def hear(self, register: Callable[..., Callable[[], None]], *words: Any) -> list[Any]:
        """Listen while something is said here."""
        heard: list[Any] = []
        take_back = register(*words, heard.append)
        try:
            self.observe()
        finally:
            take_back()
        return heard


Step = Callable[[Walk], Any]

MIND: dict[str, Step] = {
    "about_me": lambda w: w.mind.about_me(),
    "conclusions": lambda w: w.mind.conclusions(),
    "confirm": lambda w: w.mind.confirm(w.memory()),
    "context": lambda w: w.mind.context(w.query(), include=[w.memory()], shown=[w.turn()]),
    "correct": lambda w: w.mind.correct(w.memory(), w.text()),
    "course": lambda w: w.mind.course(),
    "courses_of_regard": lambda w: w.mind.courses_of_regard([w.person()]),
    "deepen": lambda w: w.mind.deepen(),
    "different_people": lambda w: w.mind.different_people(w.name(), w.name()),
    "doubtful": lambda w: w.mind.doubtful(),
    "due": lambda w: w.mind.due(),
    "edit": lambda w: w.mind.edit(w.turn(), text=w.text()),
    "emotions": lambda w: w.mind.emotions(),
    "end_scene": lambda w: w.mind.end_scene(),
    "entities": lambda w: w.mind.entities(),
    "entity": lambda w: w.mind.entity(w.name()),
    "erase": lambda w: w.mind.erase(turn=w.turn(), dry_run=w.dice.random() < 0.7, prove=False),
    "facts": lambda w: w.mind.facts(history=True),
    "forget": lambda w: w.mind.forget(w.memory()),
    "forget_said": lambda w: w.mind.forget_said("어제", dry_run=True),
    "frequent_contacts": lambda w: w.mind.frequent_contacts(),
    "grounds": lambda w: w.mind.grounds([w.memory()]),
    "history": lambda w: w.mind.history(w.memory()),
    "holdings": lambda w: w.mind.holdings(),
    "instead": lambda w: w.mind.instead(w.turn(), w.text(), reply="그래요"),
    "items": lambda w: w.mind.items([w.memory(), w.turn()]),
    "journal": lambda w: w.mind.journal(),
    "last_operations": lambda w: w.mind.last_operations(30),
    "last_time": lambda w: w.mind.last_time(),
    "level_changes": lambda w: w.mind.level_changes(),
    "lineage": lambda w: w.mind.lineage(w.memory()),
    "maintain": lambda w: w.mind.maintain(w.dice.choice([None, ["merge", "reflect", "summarise"]])),
    "manner_changes": lambda w: w.mind.manner_changes(),
    "manners": lambda w: w.mind.manners(),
    "memories": lambda w: w.mind.memories(50, state="all", text=w.dice.choice([None, w.query()])),
    "memory": lambda w: w.mind.memory(w.memory()),
    "months": lambda w: w.mind.months(),
    "observe": lambda w: w.observe(),
    "observe_many": lambda w: w.observe_many(),
    "observed": lambda w: w.mind.observed(w.turn()),
    "outlook": lambda w: w.mind.outlook(),
    "period": lambda w: w.mind.period(w.dice.choice(["어제", w.query()])),
    "pin": lambda w: w.mind.pin(w.memory()),
    "present": lambda w: w.mind.present(),
    "read_unread": lambda w: w.mind.read_unread(),
    "recall": lambda w: w.mind.recall(w.query(), k=30, explain=True),
    "reject": lambda w: w.mind.reject(w.memory()),
    "regards": lambda w: w.mind.regards(w.person()),
    "relationship": lambda w: w.mind.relationship(),
    "remember": lambda w: w.mind.remember(f"{w.here.word}을 모음", attribute="hobby", value=w.here.word),
    "reroll": lambda w: w.mind.reroll(w.turn(), f"{w.here.word}요?"),
    "restore": lambda w: w.mind.restore(w.memory(), w.operation()),
    "rewind": lambda w: w.mind.rewind(w.turn()),
    "same_person": lambda w: w.mind.same_person(w.name(), w.name()),
    "scene": lambda w: w.mind.scene(),
    "scenes": lambda w: w.mind.scenes(),
    "scrub": lambda w: w.mind.scrub(prove=False),
    "shared_experiences": lambda w: w.mind.shared_experiences(),
    "silence": lambda w: w.mind.silence(w.turn()),
    "sources": lambda w: w.mind.sources(w.memory()),
    "start_scene": lambda w: w.mind.start_scene(place=w.here.word),
    "story": lambda w: w.mind.story(50, state="all"),
    "strengths": lambda w: w.mind.strengths(w.mind.facts()),
    "subjects": lambda w: w.mind.subjects(),
    "summaries": lambda w: w.mind.summaries(),
    "surroundings": lambda w: w.mind.surroundings(w.dice.choice([None, f"memory:{w.memory()}", w.name()]), hops=2),
    "timeline": lambda w: w.mind.timeline(text=w.dice.choice([None, w.query()])),
    "trace": lambda w: w.mind.trace(w.turn()),
    "trajectory": lambda w: w.mind.trajectory(),
    "turn": lambda w: w.mind.turn(w.turn()),
    "turns": lambda w: w.mind.turns(50),
    "versions": lambda w: w.mind.versions(w.memory()),
    "upkept": lambda w: w.mind.upkept(None, at=None, dry_run=True),
    "under": lambda w: w.mind.under(w.bank.settings).recall(w.query()),
}


def _bounds(place: Place) -> Bounds:
    return Bounds(user=place.scope.user, character=place.scope.character, world=place.scope.world)


def _acted(w: Walk) -> Any:
    with w.bank.acting_as(w.here.word):
        return [w.observe(), w.bank.audit(w.here.scope, 1)]


def _exported(w: Walk) -> Any:
    exported = w.bank.export(to=w.file, **w.here.params)
    return [exported, w.file.read_bytes()]


def _imported(w: Walk) -> Any:
    w.bank.export(to=w.file, **w.here.params)
    return w.bank.import_export(w.file)


def _held(w: Walk) -> Any:
    held = w.bank.hold(w.here.scope, why=w.here.word)
    w.bank.release(w.here.scope)
    return held


#: What is asked of a bank about one scope.
BANK: dict[str, Step] = {
    "contexts": lambda w: w.bank.contexts([w.here.scope], w.query()),
    "erase": lambda w: w.bank.erase(w.here.scope, matching=w.query(), dry_run=True),
    "acting_as": _acted,
    "audit": lambda w: w.bank.audit(w.here.scope),
    "audit_records": lambda w: list(w.bank.audit_records(w.here.scope)),
    "is_unread": lambda w: w.bank.is_unread(w.here.scope, KEY),
    "note_read": lambda w: w.bank.note_read(w.here.scope, KEY, "GET /v1/facts"),
    "erase_asked": lambda w: w.bank.erase_asked(Erasing(scope=w.here.scope), dry_run=True),
    "export": _exported,
    "exported": lambda w: b"".join(w.bank.exported(**w.here.params)),
    "holdings": lambda w: w.bank.holdings(w.here.scope),
    "hold": _held,
    "import_export": _imported,
    "keep_for": lambda w: w.bank.keep_for(w.here.scope, {"note": 3_000.0}),
    "latest_scope": lambda w: w.bank.latest_scope([_bounds(w.here)]),
    "latest_scopes": lambda w: w.bank.latest_scopes(within=[_bounds(w.here)], text=w.dice.choice([None, w.query()])),
    "mind": lambda w: w.bank.mind(w.here.scope).facts(),
    "provisions": lambda w: w.bank.provisions(w.here.scope),
    "release": lambda w: w.bank.release(w.here.scope),
    "scope": lambda w: w.bank.scope(**w.here.params).facts(),
    "scrub": lambda w: w.bank.scrub([w.here.scope], prove=False),
    "scopes_of": lambda w: w.bank.scopes_of(w.here.scope.user or ""),
    "on": lambda w: w.hear(w.bank.on, "*"),
    "follow": lambda w: w.hear(w.bank.follow),
}
#: What is about the whole bank: it names nobody's words at all.
WHOLE: dict[str, Step] = {
    "calls": lambda w: w.bank.calls(),
    "certificates": lambda w: w.bank.certificates(),
    "prove": lambda w: w.bank.prove(),
    "info": lambda w: w.bank.info(),
    "settle": lambda w: w.bank.settle(1.0),
    "upstream": lambda w: w.bank.upstream(),
    "verify_audit": lambda w: w.bank.verify_audit(),
    "wake": lambda w: w.bank.wake(w.here.scope),
    "warm": lambda w: w.bank.warm(),
}
#: What is about the whole bank, and names scopes (and what upkeep did in them) to its operator.
OPERATOR = {"scopes", "maintain", "backup", "close", "lift", "erase_again"}


def public(kind: type) -> set[str]:
    return {name for name, _ in inspect.getmembers(kind, callable) if not name.startswith("_")}


@contextmanager
def walking(location: str | os.PathLike[str], folder: Path, *, sharing: str = "none") -> Iterator[Walk]:
    """Open a bank in which every scope has a little story."""
    dice = random.Random(20_260_301)
    model = ScriptedModel({"reply": "그렇군요", "extract": '{"facts": [], "right": [], "wrong": []}'})
    settings: dict[str, Any] = {"embedder": "hashing", "behind_the_scenes": "off", "director": True, "sharing": sharing}
    with gieok.open(
        location, clock=FixedClock(day(1)), model=model, deep_model=model, watch=Metrics(), **settings
    ) as bank:
        walk = Walk(bank, dice, places(dice), folder / "export.zip")
        for place in walk.cast:
            walk.here = place
            for _ in range(3):
                walk.observe()
        yield walk


def told(step: Step, walk: Walk) -> str:
    """Return all that comes of a step: its answer, or its error with all that led to it."""
    try:
        return shown(step(walk))
    except GieokError as error:
        causes = [error, error.__cause__, error.__context__]
        return "\n".join(f"{each} {shown(vars(each))}" for each in causes if each is not None)


def asked_of_models(walk: Walk) -> str:
    model = walk.bank.model
    assert isinstance(model, ScriptedModel)
    prompts, model.asked[:] = shown(model.asked), []
    return prompts


def walk_about(walk: Walk, rounds: int) -> None:
    """Ask everything `rounds` times, in any order and anywhere; fail at the first word that is not shared."""
    steps = [
        *((name, step, False) for name, step in [*MIND.items(), *BANK.items()]),
        *((n, s, True) for n, s in WHOLE.items()),
    ]
    asked_of_models(walk)
    with Overheard() as overheard:
        for number in range(rounds * len(steps)):
            if not number % len(steps):
                walk.dice.shuffle(steps)
            name, step, of_nobody = steps[number % len(steps)]
            walk.here = walk.dice.choice(walk.cast)
            answer = told(step, walk)
            own = None if of_nobody else walk.here
            sharing = walk.bank.settings.sharing
            assert not leaked(answer, own, walk.cast, sharing), (number, name, walk.here.scope)
            assert not leaked(overheard.taken(), walk.here, walk.cast, sharing), (number, name, "log")
            assert not leaked(asked_of_models(walk), walk.here, walk.cast, sharing), (number, name, "prompt")
        metrics = walk.bank.watch
        assert isinstance(metrics, Metrics)
        assert not leaked(metrics.text().decode(), None, walk.cast)
