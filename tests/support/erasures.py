"""Random stories of some scopes in one bank, with erasures: what is to be found nowhere afterwards is known by words.

Every turn holds a word that no other text holds, and that ends in two syllables that stand nowhere else.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from datetime import datetime

import gieok
from gieok.domain.memory import Memory
from gieok.domain.model_conclusions import Insight, Retelling, evidence_for
from gieok.domain.operation import Direct, Think
from gieok.domain.scope import Scope
from gieok.domain.upkeep import by_upkeep
from gieok.errors import ErasureUnproven
from gieok.ports import MemoryFilter
from gieok.testing import FixedClock
from support.models import director, ponderer

SAYINGS = (
    "나 {} 좋아해", "내 비밀은 {}이야", "{} 때문에 너무 슬퍼", "나 {} 알레르기 있어", "우리 강아지 이름은 {}야",
    "오늘 {}에 다녀왔어", "고마워, {} 덕분이야", "나는 {} 싫어해", "내 친구 {}는 정말 착해", "My secret is {}",
    "나 {} 말고 {} 좋아해", "I love {}", "{}라고 불러 줘", "나 {}에 살아", "그날 {}에서 {}를 봤어",
)  # fmt: skip
REPLIES = ("{}… 기억할게!", "그렇구나.", "정말? {}라니!", None)
SESSIONS = (None, "아침", "저녁")
PASSES = ("promote", "merge", "prune", "reflect", "summarise", "weekly")
ALL = MemoryFilter(include_hidden=True)
SYLLABLES = range(0xAC00, 0xD7A4)


class Coined:
    """Words that are made once. Their beginnings are shared: indexes leave those out."""

    def __init__(self, chance: random.Random) -> None:
        self._chance = chance
        self._ends = iter(chance.sample([chr(each) for each in SYLLABLES], 6_000))

    def word(self) -> str:
        return (
            self._chance.choice("가나다라마바사")
            + self._chance.choice("고노도로모보소")
            + next(self._ends)
            + next(self._ends)
        )


@dataclass(frozen=True, kw_only=True)
class Said:
    """A turn of the story."""

    scope: Scope
    turn_id: str
    session: str | None
    at: datetime
    words: frozenset[str]
    lines: tuple[str, ...] = ()  #: ids of its utterances


@dataclass(kw_only=True)
class Story:
    """What happens in a bank, and which words of it are to be found nowhere any more."""

    bank: gieok.MemoryBank
    clock: FixedClock
    chance: random.Random
    scopes: list[Scope]
    reader: Callable[[], AbstractContextManager[object]] | None = None  #: somebody who reads the state of the moment
    held_up: int = 0  #: erasures that such a reader kept from being proven
    said: list[Said] = field(default_factory=list)  #: taken back or not
    added: defaultdict[str, set[str]] = field(default_factory=lambda: defaultdict(set))  #: words by memory id
    outright: dict[str, Scope] = field(default_factory=dict)  #: memories that were told without a turn
    gone: set[str] = field(default_factory=set)
    touched: tuple[Scope, ...] = ()  #: by the last erasure
    number: int = 0

    def __post_init__(self) -> None:
        self.coined = Coined(self.chance)

    def play(self, steps: int) -> None:
        acts: dict[Callable[[gieok.Mind], None], int] = {
            self.talk: 10, self.remember: 2, self.correct: 2, self.rewind: 1, self.maintain: 1, self.think: 2,
            self.direct: 1,
        }  # fmt: skip
        for act in self.chance.choices(list(acts), list(acts.values()), k=steps):
            self.clock.advance(minutes=self.chance.choice((1, 30, 600)))
            act(self.bank.mind(self.chance.choice(self.scopes)))

    def talk(self, mind: gieok.Mind) -> None:
        self.number += 1
        text, words = self.chance.choice(SAYINGS), []
        while "{}" in text:
            words.append(self.coined.word())
            text = text.replace("{}", words[-1], 1)
        reply = self.chance.choice(REPLIES)
        reply = None if reply is None else reply.replace("{}", words[0])
        turn_id, session, at = f"turn-{self.number}", self.chance.choice(SESSIONS), self.clock.now()
        exchange = {"text": text, "reply": reply, "turn_id": turn_id, "session": session, "at": at}
        if self.chance.random() < 0.2:
            [turn] = mind.observe_many([exchange], read=self.chance.random() < 0.5)
        else:
            turn = mind.observe(**exchange).turn
        lines = tuple(line.id for line in turn.utterances)
        self.said.append(
            Said(scope=mind.key, turn_id=turn_id, session=session, at=at, words=frozenset(words), lines=lines)
        )

    def remember(self, mind: gieok.Mind) -> None:
        word = self.coined.word()
        decision = mind.remember(f"{word} 이야기를 했다", at=self.clock.now())
        memory_id = decision.changes[0].memory_id
        self.added[memory_id].add(word)
        self.outright.setdefault(memory_id, mind.key)

    def correct(self, mind: gieok.Mind) -> None:
        known = mind.facts()
        if known:
            memory, word = self.chance.choice(known), self.coined.word()
            mind.correct(memory.id, f"{word} 쪽이 맞다", value=word, at=self.clock.now())
            self.added[memory.id].add(word)

    def rewind(self, mind: gieok.Mind) -> None:
        if turns := mind.turns(100):
            mind.rewind(self.chance.choice(turns).id, at=self.clock.now())

    def maintain(self, mind: gieok.Mind) -> None:
        mind.maintain(PASSES, at=self.clock.now())

    def think(self, mind: gieok.Mind) -> None:
        known = mind.facts()
        if len(known) > 1:
            one, other = self.chance.sample(known, 2)
            told = f"{one.content}, {other.content}"
            think = Think(
                insights=(Insight(content=told, about="둘", grounds=(evidence_for(one), evidence_for(other))),),
                retellings=(Retelling(content=f"그때 {one.content}", ground=evidence_for(one)),),
            )
            ponderer(self.bank).keep(mind.key, think, who="reflect/1 scripted", at=self.clock.now())

    def direct(self, mind: gieok.Mind) -> None:
        if turns := mind.turns(1):
            note = Direct(note=f"다음엔 이 얘기를: {turns[0].utterances[0].text}")
            director(self.bank).leave(mind.key, turns[0], note, who="director/1 scripted")

    def erase(self) -> None:
        """Erase something at random, and note what is to be found nowhere from now on."""
        acts = (
            self._one_turn, self._a_session, self._matching, self._a_period, self._a_memory, self._a_memory,
            self._told_outright, self._a_scope,
        )  # fmt: skip
        self.touched = ()
        self.chance.choice(acts)()

    def _prove(self, erase: Callable[[], object]) -> None:
        """Erase. Sometimes somebody still reads the earlier state: no certificate is given before they have gone."""
        if self.reader is None or self.chance.random() < 0.7:
            erase()
            return
        with self.reader():
            try:
                erase()
            except ErasureUnproven:
                self.held_up += 1
                assert not all(certificate.proven for certificate in self.bank.certificates())
        self.bank.scrub()

    def _gone(self, *turns: Said) -> None:
        """Note that turns are gone, with what was put right of what they told."""
        for turn in turns:
            self.gone |= turn.words
            self.said.remove(turn)
            with self.bank.store.view(turn.scope) as view:
                told = [each.content for each in view.memories(ALL) if not each.id.startswith(turn.lines)]
            for memory_id in [each for each in self.added if each.startswith(turn.lines)]:
                words = self.added.pop(memory_id)  # a correction stays where another turn told the same
                self.gone |= {word for word in words if not any(word in content for content in told)}

    def _one_turn(self) -> None:
        if not self.said:
            return
        turn = self.chance.choice(self.said)
        self.touched = (turn.scope,)
        self._prove(lambda: self.bank.mind(turn.scope).erase(turn=turn.turn_id))
        self._gone(turn)

    def _a_session(self) -> None:
        scope, session = self.chance.choice(self.scopes), self.chance.choice(SESSIONS[1:])
        self.touched = (scope,)
        self._prove(lambda: self.bank.erase(user=scope.user, character=scope.character, session=session))
        self._gone(*[each for each in self.said if each.scope == scope and each.session == session])

    def _matching(self) -> None:
        if not self.said:
            return
        turn = self.chance.choice(self.said)
        self.touched = (turn.scope,)
        word = self.chance.choice(sorted(turn.words))
        self._prove(lambda: self.bank.mind(turn.scope).erase(matching=word))
        self._gone(turn)

    def _a_period(self) -> None:
        if not self.said:
            return
        first, last = sorted(self.chance.choices(self.said, k=2), key=lambda each: each.at)
        scope = first.scope
        self.touched = (scope,)
        self.clock.advance(minutes=1)
        mind = self.bank.mind(scope)
        since, until = first.at, max(last.at, first.at + (self.clock.now() - first.at) / 9)
        told = {each.id for each in mind.facts() if each.id in self.outright and since <= each.known_at < until}
        self._prove(lambda: mind.forget_said(since=since, until=until))
        self._gone(*[each for each in self.said if each.scope == scope and since <= each.at < until])
        for memory_id in told:
            self.gone |= self.added.pop(memory_id, set())

    def _a_memory(self) -> None:
        """Forget one, then scrub: what told it goes with it."""
        scope = self.chance.choice(self.scopes)
        mind = self.bank.mind(scope)
        if not (known := mind.facts()):
            return
        self.touched = (scope,)
        memory = self.chance.choice(known)
        told = self._words_of(mind, memory)
        mind.forget(memory.id, at=self.clock.now())
        assert all(memory.content not in hit.text for hit in mind.recall(memory.content, k=50))
        self._prove(self.bank.scrub)
        self.gone |= told

    def _words_of(self, mind: gieok.Mind, memory: Memory) -> set[str]:
        """Return the words that nothing tells any more once a memory and what it was read from are gone."""
        words = set(self.added.pop(memory.id, set()))
        with self.bank.store.view(mind.key) as view:
            others = [each.content for each in view.memories(ALL) if each.id != memory.id and not by_upkeep(each)]
        lines = [line.text for turn in mind.sources(memory.id) for line in turn.utterances if line.id in memory.sources]
        said = {word for turn in self.said if {*turn.lines} & {*memory.sources} for word in turn.words}
        words |= {word for word in said if any(word in text for text in (*lines, memory.content))}
        return {word for word in words if not any(word in text for text in others)}

    def _told_outright(self) -> None:
        if not self.outright:
            return
        memory_id = self.chance.choice(sorted(self.outright))
        scope = self.outright.pop(memory_id)
        self.touched = (scope,)
        mind = self.bank.mind(scope)
        words = self.added.pop(memory_id, set())
        for word in sorted(words):
            self._prove(lambda word=word: mind.erase(matching=word))
        self.gone |= words

    def _a_scope(self) -> None:
        scope = self.chance.choice(self.scopes)
        self.touched = (scope,)
        self._prove(lambda: self.bank.erase(scope))
        self._gone(*[each for each in self.said if each.scope == scope])
        for memory_id in [each for each, where in self.outright.items() if where == scope]:
            del self.outright[memory_id]
            self.gone |= self.added.pop(memory_id, set())


def remains(raw: bytes, words: set[str]) -> list[str]:
    """Return the words that still stand in `raw`, whole or by their last two syllables."""
    return sorted(word for word in words if word[-2:].encode() in raw)


CAST = [Scope(user="minsu", character="letia"), Scope(user="minsu", character="sera"), Scope(user="지영")]
BYSTANDER = Scope(user="minsu2", character="letia")


def erased_again_and_again(
    bank: gieok.MemoryBank,
    clock: FixedClock,
    seed: int,
    remaining: Callable[[set[str]], list[str]],
    *,
    reader: Callable[[], AbstractContextManager[object]] | None = None,
    rounds: int = 4,
    steps: int = 8,
) -> Story:
    """Play a story with erasures; after each, none of its words is `remaining`, and nobody else has lost anything."""
    story = Story(bank=bank, clock=clock, chance=random.Random(seed), scopes=CAST, reader=reader)
    bank.mind(BYSTANDER).observe("나 라면 좋아해", reply="나도!", at=clock.now())
    for _ in range(rounds):
        story.play(steps)
        before = {scope: bank.store.fingerprint(scope) for scope in (*CAST, BYSTANDER)}
        story.erase()
        changed = {scope for scope, held in before.items() if bank.store.fingerprint(scope) != held}
        assert changed <= {*story.touched}, f"seed {seed}: {changed} changed"
        assert remaining(story.gone) == [], f"seed {seed}"
        assert misnumbered(bank) == [], f"seed {seed}"
        assert bank.verify_audit().findings == (), f"seed {seed}"
    assert bank.store.problems() == [], f"seed {seed}"
    assert all(certificate.intact for certificate in bank.certificates())
    return story


def misnumbered(bank: gieok.MemoryBank) -> list[str]:
    """Return the turns whose operation tells another number than they have."""
    found = []
    for scope in CAST:
        with bank.store.view(scope) as view:
            numbers = {turn.id: turn.number for turn in view.turns(view.turn_number)}
            told = {each.turn_id: each.moment.turn_number for each in view.operations() if each.kind == "observe"}
        found += [f"{scope} {turn_id}" for turn_id, number in numbers.items() if told.get(turn_id) != number]
    return found
