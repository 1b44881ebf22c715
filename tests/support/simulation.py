"""Several people talk to one bank on a simulated machine; what must hold is looked at after each death and at the end.

A `Caller` is the only one who writes to the scopes of its user, so that it knows what must be kept: whatever an
operation was interrupted by, it happened as a whole or not at all. All callers talk in one scope that they share, too.

After a kill, a loss of power, a full, read-only or failing disk and failing statements everything holds that is checked
here. An error means unchanged, but for one case that no log can exclude: where the last sync of a commit failed and the
process dies before anything else is written, the operation may be there, whole, when the bank is opened again. After a
disk that lies about syncs has lost power, turns may be missing; then the bank is sound, or says that it is damaged.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

import gieok
from gieok.domain.claim import Claim
from gieok.domain.erasure import Erasure
from gieok.domain.recognition import turn_imprints
from gieok.domain.scope import Scope
from gieok.domain.turn import Turn
from gieok.errors import ErasureUnproven, GieokError
from gieok.stores.copy import copy_bank
from gieok.testing import FixedClock, HashVectors, claim
from support.simulated import Baton, Disk, Fault, Thread, simulated

USERS: Final = ("ann", "bob", "cho")
CAST: Final = ("letia", "kai")
HALL: Final = Scope(user="hall", character="letia")
GUESTS: Final = tuple(Scope(user="guest", character=name) for name in CAST)
STEPS: Final = 6  #: of each caller in each life
SAYINGS: Final = ("I like {}", "I am allergic to {}", "My secret is {}", "It was {} and nothing else")
REPLIES: Final = ("So do I", "Tell me more about {}", None)
_LETTERS: Final = "bcdfghjkmnpqrtvwxz"


class Violation(AssertionError):
    """Something that must hold does not."""


class Died(Exception):
    """The process of a caller is dead."""


class Damaged(Exception):
    """The bank is damaged, and says so."""


class Extractor:
    """Reads the claims of `SAYINGS`."""

    name = "simulated/1"

    def claims(self, turn: Turn, *_: object) -> Sequence[Claim]:
        found = []
        for line in turn.utterances:
            for words, attribute in (("I like ", "likes"), ("I am allergic to ", "allergy")):
                if line.text.startswith(words):
                    value = line.text.removeprefix(words)
                    found.append(claim(attribute, value, content=line.text, id=f"{line.id}-0", source_id=line.id))
        return found


Lines = tuple[tuple[str, str], ...]  #: speakers and texts


def lines_of(turn: Turn) -> Lines:
    return tuple((line.speaker, line.text) for line in turn.utterances)


@dataclass(frozen=True)
class Kept:
    """What a scope must hold."""

    turns: tuple[tuple[str, Lines], ...] = ()  #: in force: their ids, and who said what
    notes: frozenset[tuple[str, bool]] = frozenset()  #: remembered outright: what, and whether it is pinned

    def without(self, turn_id: str, *, following: bool) -> Kept:
        ids = [each for each, _ in self.turns]
        if turn_id not in ids:
            return self
        at = ids.index(turn_id)
        return replace(self, turns=self.turns[:at] + (() if following else self.turns[at + 1 :]))


State = dict[Scope, Kept]


def exchanged(text: str, reply: str | None) -> Lines:
    return (("user", text),) if reply is None else (("user", text), ("character", reply))


def seen(bank: gieok.MemoryBank, scopes: Sequence[Scope]) -> State:
    """Return what a bank holds of these scopes."""
    found = {}
    for scope in scopes:
        mind = bank.mind(scope)
        turns = tuple((turn.id, lines_of(turn)) for turn in mind.turns(1_000))
        facts = mind.facts()
        notes = frozenset((fact.content, fact.pinned) for fact in facts if fact.attribute is None)
        told = {fact.value for fact in facts if fact.attribute is not None}
        claimed = {text.split()[-1] for _, lines in turns for _, text in lines if text.startswith(("I like", "I am"))}
        if told != claimed:
            raise Violation(f"{scope}: {sorted(told ^ claimed)} is believed and was not said, or the other way round")
        found[scope] = Kept(turns, notes)
    return {scope: kept for scope, kept in found.items() if kept != Kept()}


def difference(expected: State, found: State) -> str:
    told = []
    for scope in sorted({*expected, *found}, key=str):
        for name in ("turns", "notes"):
            one, other = getattr(expected.get(scope, Kept()), name), getattr(found.get(scope, Kept()), name)
            if one != other:
                told.append(f"{name} of {scope}: expected {list(one)}, found {list(other)}")
    return "; ".join(told)


@dataclass(kw_only=True)
class Act:
    """One operation of a user: what it does, and what must be kept after it."""

    name: str
    run: Callable[[gieok.MemoryBank], Any]
    after: State
    said: dict[tuple[Scope, str], set[str]] = field(default_factory=dict)  #: words that the files hold from now on
    erased: tuple[tuple[Scope, str | None], ...] = ()  #: turns (None: all) of which nothing is held afterwards
    hall: str | None = None  #: a turn in the scope that is shared


@dataclass(eq=False)
class Caller:
    """Somebody who uses the bank: one thread, one user."""

    world: World
    user: str
    chance: random.Random
    process: int = 0
    state: State = field(default_factory=dict)
    held: defaultdict[tuple[Scope, str], set[str]] = field(default_factory=lambda: defaultdict(set))
    open: list[Act] = field(default_factory=list)  #: perhaps done, perhaps not
    gone: set[str] = field(default_factory=set)  #: words that were erased
    proven: set[str] = field(default_factory=set)  #: … and that are to be found nowhere
    known: set[tuple[Scope, tuple[str, ...]]] = field(default_factory=set)  #: erased turns, which are recognised
    parcel: Path | None = None  #: an export of this user
    said: defaultdict[tuple[Scope, str], set[Lines]] = field(default_factory=lambda: defaultdict(set))
    number: int = 0
    words: set[str] = field(default_factory=set)

    @property
    def scopes(self) -> list[Scope]:
        return [Scope(user=self.user, character=name) for name in CAST]

    @property
    def watched(self) -> list[Scope]:
        """The scopes that nobody else writes to."""
        return [*self.scopes, *(GUESTS if self.user == USERS[0] else ())]

    def word(self) -> str:
        word = "so" + "".join(self.chance.choices(_LETTERS, k=10))
        self.words.add(word)
        return word

    def exchange(self) -> tuple[str, str | None]:
        word = self.word()
        reply = self.chance.choice(REPLIES)
        return self.chance.choice(SAYINGS).format(word), reply and reply.format(word)

    # What a caller does

    def talk(self) -> Act:
        scope, text, reply = self.chance.choice(self.scopes), *self.exchange()
        others = [name for name in CAST if name != scope.character] if self.chance.random() < 0.4 else []
        return self._said("observe", scope, self._turn_id(), text, reply, exchanged(text, reply), others)

    def edit(self) -> Act | None:
        scope = self.chance.choice(self.scopes)
        turns = self.state.get(scope, Kept()).turns
        if not turns:
            return None
        turn_id, lines = self.chance.choice(turns[-3:])
        how = self.chance.choice(("edit", "reroll", "instead"))
        text, reply = self.exchange()
        if how == "edit":
            lines = (("user", text), *lines[1:])
        elif how == "reroll":
            lines = (*(line for line in lines if line[0] != "character"), ("character", reply or "Not so"))
        else:
            lines = exchanged(text, reply)
        return self._said(how, scope, turn_id, text, reply, lines, self.world.present[scope, turn_id])

    def _turn_id(self) -> str:
        self.number += 1
        return f"{self.user}-{self.number}"

    def _said(
        self, how: str, scope: Scope, turn_id: str, text: str, reply: str | None, lines: Lines, others: Sequence[str]
    ) -> Act:
        after, said = dict(self.state), {}
        for each in (scope, *(scope.beside(name) for name in others)):
            kept = after.get(each, Kept()).without(turn_id, following=True)
            names = {} if each == scope else {"character": str(scope.character)}
            heard = tuple((names.get(who, who), words) for who, words in lines)
            after[each] = replace(kept, turns=(*kept.turns, (turn_id, heard)))
            self.said[each, turn_id].add(heard)
            said[each, turn_id] = {word for _, line in lines for word in line.split()} & self.words
            self.world.present.setdefault((each, turn_id), tuple(others) if each == scope else ())

        def run(bank: gieok.MemoryBank) -> object:
            mind = bank.mind(scope)
            if how == "edit":
                return mind.edit(turn_id, text=text)
            if how == "reroll":
                return mind.reroll(turn_id, reply or "Not so")
            if how == "instead":
                return mind.instead(turn_id, text, reply=reply)
            context = mind.context(text, budget=400) if self.chance.random() < 0.2 else None
            return mind.observe(text, reply=reply, turn_id=turn_id, present=others, context=context)

        return Act(name=how, run=run, after=after, said=said)

    def rewind(self) -> Act | None:
        scope = self.chance.choice(self.scopes)
        kept = self.state.get(scope, Kept())
        if not kept.turns:
            return None
        turn_id, following = self.chance.choice(kept.turns)[0], self.chance.random() < 0.3
        after = self.state | {scope: kept.without(turn_id, following=following)}
        return Act(name="rewind", run=lambda bank: bank.mind(scope).rewind(turn_id, following=following), after=after)

    def remember(self) -> Act:
        scope, word = self.chance.choice(self.scopes), self.word()
        kept = self.state.get(scope, Kept())
        content = f"noted {word}"
        after = self.state | {scope: replace(kept, notes=kept.notes | {(content, False)})}
        return Act(
            name="remember",
            run=lambda bank: bank.mind(scope).remember(content),
            after=after,
            said={(scope, f"note {word}"): {word}},
        )

    def change(self) -> Act | None:
        """Correct, pin or forget a note."""
        scope = self.chance.choice(self.scopes)
        kept = self.state.get(scope, Kept())
        if not kept.notes:
            return None
        content, pinned = note = self.chance.choice(sorted(kept.notes))
        how = self.chance.choice(("correct", "pin", "forget"))
        word = self.word()
        becomes = {"correct": {(f"put right {word}", pinned)}, "pin": {(content, not pinned)}, "forget": set()}[how]
        after = self.state | {scope: replace(kept, notes=kept.notes - {note} | becomes)}

        def run(bank: gieok.MemoryBank) -> object:
            mind = bank.mind(scope)
            [memory] = [each for each in mind.facts() if each.content == content]
            if how == "correct":
                return mind.correct(memory.id, f"put right {word}")
            return mind.pin(memory.id, not pinned) if how == "pin" else mind.forget(memory.id)

        said = {(scope, f"note {word}"): {word}} if how == "correct" else {}
        return Act(name=how, run=run, after=after, said=said)

    def erase(self) -> Act | None:
        """Erase a turn, what holds a word, or all of this user."""
        if self.chance.random() < 0.3:
            prove = self.chance.random() < 0.8
            return Act(
                name="erase user",
                run=lambda bank: bank.erase(user=self.user, prove=prove),
                after={scope: kept for scope, kept in self.state.items() if scope.user != self.user},
                erased=tuple((scope, None) for scope in self.scopes),
            )
        scope = self.chance.choice(self.scopes)
        ids = sorted({turn_id for where, turn_id in self.held if where == scope and not turn_id.startswith("note")})
        if not ids:
            return None
        turn_id = self.chance.choice(ids)
        kept = self.state.get(scope, Kept())
        asked = {"turn": turn_id}
        if turn_id in dict(kept.turns) and self.chance.random() < 0.3:
            [word] = {word for word in self.words if word in dict(kept.turns)[turn_id][0][1]}
            asked = {"matching": word}
        kept = kept.without(turn_id, following=False)
        return Act(
            name="erase turn",
            run=lambda bank: bank.mind(scope).erase(**asked),
            after=self.state | {scope: kept},
            erased=((scope, turn_id),),
        )

    def meet(self) -> Act:
        """Say something in the scope that all share."""
        text, reply = self.exchange()
        turn_id = self._turn_id()
        self.world.hall[turn_id] = exchanged(text, reply)
        return Act(
            name="meet",
            run=lambda bank: bank.mind(HALL).observe(text, reply=reply, turn_id=turn_id),
            after=self.state,
            hall=turn_id,
        )

    def export(self) -> Act | None:
        """Write all there is into a file, or bring it back: what is here stays, and what was erased stays erased."""
        if any(scope.user == self.user for scope in self.state) and (self.parcel is None or self.chance.random() < 0.3):
            path = self.world.elsewhere / f"{self.user}-{self._turn_id()}.zip"

            def run(bank: gieok.MemoryBank) -> None:
                bank.export(user=self.user, to=path)
                self.parcel = path

            return Act(name="export", run=run, after=self.state)
        parcel = self.parcel
        return parcel and Act(name="import", run=lambda bank: bank.import_export(parcel), after=self.state)

    def welcome(self) -> Act | None:
        """Import what a guest brings, in two scopes."""
        if self.user != USERS[0]:
            return None
        path, state = self.world.guest
        return Act(name="welcome", run=lambda bank: bank.import_export(path), after=self.state | state)

    def look(self) -> Act:
        """Read; nothing is written."""
        scope, word = self.chance.choice(self.scopes), self.chance.choice(sorted(self.words) or ["nothing"])

        def run(bank: gieok.MemoryBank) -> object:
            hits = bank.mind(scope).recall(f"who likes {word}")
            self.world.only_own(self, "a recall", " ".join(hit.text for hit in hits))
            return hits

        return Act(name="recall", run=run, after=self.state)

    def scrub(self) -> Act:
        return Act(name="scrub", run=lambda bank: bank.scrub(self.scopes, prove=False), after=self.state)

    # How it goes

    def live(self, bank: gieok.MemoryBank, steps: int) -> None:
        """Do `steps` things, or as many as there is time for before the process dies."""
        acts = {
            self.talk: 10, self.meet: 4, self.edit: 4, self.rewind: 2, self.remember: 2, self.change: 2,
            self.erase: 2, self.look: 2, self.scrub: 1, self.export: 1, self.welcome: 1,
        }  # fmt: skip
        for choose in self.chance.choices(list(acts), list(acts.values()), k=steps):
            act = choose()
            if act is not None:
                self.attempt(bank, act)

    def attempt(self, bank: gieok.MemoryBank, act: Act) -> None:
        world = self.world
        world.clock.advance(minutes=self.chance.choice((0, 1, 30, -20)))
        for place, words in act.said.items():
            self.held[place] |= words
        try:
            result = act.run(bank)
        except ErasureUnproven:
            self.done(act)
            return
        except GieokError as error:
            world.disk.note(act.name, type(error).__name__)
            self.open.append(act)
            if world.disk.gone(self.process):
                raise Died from error
            if not world.disk.struck:
                raise Violation(f"{act.name} failed, and nothing was wrong: {error!r}") from error
            self.failed(bank, act)
            return
        world.disk.note(act.name, "done")
        self.done(act)
        proven = isinstance(result, Erasure) and all(each.proven for each in result.certificates)
        if proven and result.certificates and world.disk.fault.kind != "lost sync":
            self.check_gone()

    def failed(self, bank: gieok.MemoryBank, act: Act) -> None:
        """Check that an error means unchanged, as soon as the bank can be read again."""
        while True:
            try:
                now, met = seen(bank, self.watched), self.met(bank)
                break
            except GieokError as error:
                if self.world.disk.gone(self.process):
                    raise Died from error
        if now != self.clean(self.state):
            raise Violation(f"{act.name} by {self.user} failed and changed something: {difference(self.state, now)}")
        if act.hall is not None and act.hall in met:
            raise Violation(f"{act.name} by {self.user} failed, and the turn is there")

    def met(self, bank: gieok.MemoryBank) -> list[str]:
        return [turn.id for turn in bank.mind(HALL).turns(1_000)]

    @staticmethod
    def clean(state: State) -> State:
        return {scope: kept for scope, kept in state.items() if kept != Kept()}

    def done(self, act: Act) -> None:
        """Note what holds from now on."""
        if act.hall is not None or self.clean(act.after) != self.state:
            self.open.clear()  # what failed before is written over
        for scope, turn_id in act.erased:
            turns = self.state.get(scope, Kept()).turns
            self.known |= {(scope, tuple(text for _, text in told)) for id, told in turns if turn_id in (None, id)}
        self.state = self.clean(act.after)
        if act.hall is not None:
            self.world.acknowledged.add(act.hall)
        for scope, turn_id in act.erased:
            for place in [each for each in self.held if each[0] == scope and turn_id in (None, each[1])]:
                words = self.held.pop(place)
                self.gone |= words
        self.gone -= {word for words in self.held.values() for word in words}

    def settle(self, bank: gieok.MemoryBank) -> None:
        """After a death: say what became of what was under way."""
        now, met = seen(bank, self.watched), self.met(bank)
        for act in self.open:
            if act.hall is not None:
                if act.hall in met:
                    self.done(act)
                    return
            elif now == self.clean(act.after) != self.clean(self.state):
                self.done(act)
                return
        if now != self.clean(self.state):
            raise Violation(f"{self.user}: {difference(self.state, now)}; open: {[each.name for each in self.open]}")
        self.open.clear()

    def check_gone(self) -> None:
        """Check that what was erased stands nowhere in the files, nor on the platter."""
        self.proven |= self.gone
        self.world.check_files(self)


@dataclass
class World:
    """The bank, its machine, and who uses it."""

    folder: Path
    baton: Baton
    disk: Disk
    clock: FixedClock
    chance: random.Random
    callers: list[Caller] = field(default_factory=list)
    present: dict[tuple[Scope, str], tuple[str, ...]] = field(default_factory=dict)
    hall: dict[str, Lines] = field(default_factory=dict)  #: what was said there, acknowledged or not
    acknowledged: set[str] = field(default_factory=set)
    guest: tuple[Path, State] = (Path(), {})  #: what somebody brings along, and what must be kept of it
    processes: int = 0
    trouble: list[BaseException] = field(default_factory=list)

    @property
    def elsewhere(self) -> Path:
        return self.folder / "elsewhere"

    def open(self, name: str = "memories.db") -> gieok.MemoryBank:
        return gieok.open(
            self.folder / name,
            embedder=HashVectors(),
            extractor=Extractor(),
            clock=self.clock,
            upkeep="off",
            language="en",
            erase_seconds=5.0,
        )

    def run(self) -> None:
        count = self.chance.choice((1, 2, 3))
        self.callers = [Caller(self, user, random.Random(self.chance.random())) for user in USERS[:count]]
        self.elsewhere.mkdir()
        with self.open("elsewhere/guest.db") as bank:
            bank.mind(GUESTS[0]).observe("I like tea", reply="So do I", present=[str(GUESTS[1].character)])
            bank.mind(GUESTS[0]).remember("noted at home")
            bank.export(user="guest", to=self.elsewhere / "guest.zip")
            self.guest = self.elsewhere / "guest.zip", seen(bank, GUESTS)
        for _ in range(self.chance.choice((2, 3, 4))):
            self.life(self.fault())
            if self.disk.lied:
                self.look_at_ruins()
                return
            self.check()
        self.end()

    def fault(self) -> Fault:
        kind = self.chance.choice(("none", "kill", "kill", "power", "power", "full", "read-only", "input/output",
                                   "statement", "lost sync"))  # fmt: skip
        lasts = {"full": 40, "read-only": 10, "input/output": 3, "lost sync": 150, "statement": 4}.get(kind, 1)
        at = self.chance.randint(1, 400 if kind != "statement" else 800)
        only, after = "", kind in ("kill", "power") and self.chance.random() < 0.5
        if kind in ("kill", "power", "input/output") and self.chance.random() < 0.4:
            only, at = "sync", self.chance.randint(1, 25)
        return Fault(kind=kind, at=at, lasts=self.chance.randint(1, lasts), only=only, after=after)

    def life(self, fault: Fault) -> None:
        """Have the bank used in one process or two, until something dies."""
        self.disk.struck = 0
        early = self.chance.random() < 0.2
        if early:
            self.disk.arm(replace(fault, at=self.chance.randint(1, 40)))
        banks = self.opened(self.chance.choice((1, 1, 2)))
        if not early:
            self.disk.arm(fault)
        threads = []
        for number, caller in enumerate(self.callers if banks else ()):
            caller.process, bank = banks[number % len(banks)]
            with self.baton.of_process(caller.process):
                threads.append(self.thread(caller, bank))
                threads[-1].start()
        for thread in threads:
            thread.join()
        if self.trouble:
            raise self.trouble[0]
        self.disk.ceased |= fault.kind in ("power", "lost sync")
        for process, bank in banks:
            with self.baton.of_process(process):
                bank.close()

    def opened(self, count: int) -> list[tuple[int, gieok.MemoryBank]]:
        """Open the bank in so many processes, or as many as the disk allows."""
        banks = []
        for _ in range(count):
            self.processes += 1
            with self.baton.of_process(self.processes):
                try:
                    banks.append((self.processes, self.open()))
                except GieokError:
                    if not self.disk.struck:
                        raise
        return banks

    def thread(self, caller: Caller, bank: gieok.MemoryBank) -> Thread:
        def run() -> None:
            try:
                caller.live(bank, STEPS)
            except Died:
                pass
            except BaseException as error:  # noqa: BLE001  # the main thread tells it
                self.trouble.append(error)

        made = type("SimulatedThread", (Thread,), {"baton": self.baton})
        return made(target=run)

    def check(self) -> None:
        """Start the machine again and look at everything."""
        self.restart()
        with self.baton.of_process(self.processes), self.open() as bank:
            for caller in self.callers:
                caller.settle(bank)
            self.check_hall(bank)
            self.check_bank(bank)

    def look_at_ruins(self) -> None:
        """After a disk lied about what it kept: turns may be lost, but what is left is whole, or the damage is told."""
        self.restart()
        with self.baton.of_process(self.processes):
            try:
                with self.open() as bank:
                    told = [*bank.store.problems(), *bank.verify_audit().findings]
                    held = {} if told else {caller: seen(bank, caller.watched) for caller in self.callers}
            except GieokError as error:
                told, held = [error], {}
        self.disk.note("ruins", bool(told))
        for caller, state in held.items():
            for scope in {*state} - {*GUESTS}:
                for turn_id, lines in state[scope].turns:
                    if lines not in caller.said[scope, turn_id]:
                        raise Violation(f"{turn_id} of {scope} was never {lines}")

    def restart(self) -> None:
        self.disk.restart(self.processes)
        self.processes += 1

    def check_hall(self, bank: gieok.MemoryBank) -> None:
        turns = [(turn.id, lines_of(turn)) for turn in bank.mind(HALL).turns(1_000)]
        ids = [each for each, _ in turns]
        if len(set(ids)) != len(ids) or not self.acknowledged <= set(ids):
            raise Violation(f"turns were lost or doubled: {ids} instead of {sorted(self.acknowledged)}")
        if any(self.hall[each] != texts for each, texts in turns):
            raise Violation(f"turns say something else: {turns}")

    def check_bank(self, bank: gieok.MemoryBank) -> None:
        """Check the tables, the audit chains, what is replayed from the journal, and whose words are where."""
        if problems := bank.store.problems():
            raise Violation(f"the bank has problems: {problems}")
        if findings := bank.verify_audit().findings:
            raise Violation(f"the audit finds {[str(each) for each in findings]}")
        for caller in self.callers:
            for scope, texts in caller.known:
                with bank.store.view(scope) as view:
                    if not view.recognised(turn_imprints(texts)):
                        raise Violation(f"{texts} was erased in {scope} and is not recognised")
            with bank.store.exported(bank.scopes_of(caller.user)) as lines:
                self.only_own(caller, "the tables", "".join(map(str, lines)))

    def only_own(self, caller: Caller, where: str, text: str) -> None:
        foreign = [word for each in self.callers if each is not caller for word in each.words if word in text]
        if foreign:
            raise Violation(f"{where} of {caller.user} holds {foreign}")

    def files(self) -> bytes:
        return b"\n".join(path.read_bytes() for path in sorted(self.folder.iterdir()) if path.is_file())

    def check_files(self, *callers: Caller) -> None:
        for where, raw in (("the files", self.files()), ("the disk", self.disk.on_platter())):
            left = [word for each in callers for word in sorted(each.proven) if word[-6:].encode() in raw]
            if left:
                raise Violation(f"{left} was erased and stands in {where}")

    def end(self) -> None:
        """Prove every erasure, and look whether anything of it is left; copy the bank, and look at the copy."""
        self.processes += 1
        with self.baton.of_process(self.processes):
            with self.open() as bank, self.open("elsewhere/copy.db") as copy:
                bank.prove()
                for caller in self.callers:
                    caller.check_gone()
                copied = copy_bank(bank.store, copy.store, now=self.clock.now(), progress=lambda *_: None)
                if not copied.is_whole:
                    raise Violation(f"the copy is not whole: {copied}")
                for each in (bank, copy):
                    self.check_bank(each)
                    self.check_hall(each)
                    for caller in self.callers:
                        caller.settle(each)
            self.check_files(*self.callers)


def simulate(seed: int, folder: Path) -> str:
    """Live through what happens by `seed` in an empty folder; return a digest of it. Raises `Violation`."""
    with simulated(seed) as (baton, disk, clock, chance):
        World(folder, baton, disk, clock, chance).run()
        return disk.trace
