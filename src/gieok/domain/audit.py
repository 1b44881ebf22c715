"""The audit log: who did what, when and why, in a chain in which nothing is changed, left out or moved unnoticed.

Every scope has a chain of its own. A deed's link is a digest of the link before it and of what the deed tells. What may
have to be erased one day (names, texts) stands in a link only by a salted digest: once text and salt are gone, nobody
can guess what it was, and the chain still holds.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from gieok.domain.actor import Actor
from gieok.domain.operation import Operation, Pin, Restore
from gieok.domain.scope import Scope
from gieok.errors import ErrorText

REVISED: Final = "revise"  #: a rewind gave an earlier operation another outcome
READ: Final = "read"  #: somebody read what is not theirs
ERASE: Final = "erase"  #: texts of some deeds were erased
ERASED: Final = "erased"  #: the whole scope was
HOLD: Final = "hold"  #: nothing of the scope may go from here on
RELEASE: Final = "release"  #: it may again
IMPORT: Final = "import"  #: the scope came from a file
KEY: Final = "key"  #: a key of a server was made, or changed
WEBHOOK: Final = "webhook"  #: somebody is told of what happens from here on
UNHOOK: Final = "unhook"  #: … and is no longer
DOCUMENT: Final = "document"  #: a document was put there or changed
DROP: Final = "drop"  #: … and is gone
REINDEX: Final = "reindex"  #: vectors of another embedder answer from here on
LIFT: Final = "lift"  #: what an erasure took may be learned again
RETAIN: Final = "retain"  #: for how long the scope keeps things was laid down
CERTIFICATE: Final = "certificate"  #: of an erasure: was drawn up, or proven
_MOST_TARGETS: Final = 50
_SHOWN: Final = (  #: of a deed in a record, in this order
    "number at recorded_at act actor who targets why record operation turn covers name_salt names salt digest link"
).split()
_IN_FULL: Final = 1e16  #: from here on Python writes numbers with an exponent
_JSON: Final = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), sort_keys=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class Deed:
    """One row of a chain. What was erased is None."""

    number: int  #: from 1 on, without a gap
    at: datetime  #: when it was recorded
    recorded_at: int  #: the same in microseconds
    act: str  #: observe, correct, restore, rewind, pass, read, erase …
    operation: int | None = None  #: the number of the operation in the journal that it is about
    turn: int | None = None  #: private number of the turn that it kept
    covers: str | None = None  #: JSON, ranges of deeds: which ones' texts this one erased
    actor: Actor | None = None
    who: str | None = None  #: what carried it out: the reader, prompt or pass with its version; "person": nobody else
    name_salt: str | None = None
    names: str  #: digest of actor and who
    targets: str | None = None  #: JSON list: ids of the turn and the memories that it touched
    why: str | None = None
    record: str | None = None  #: what a revised operation told before, line by line; the digest of a row (`row_digest`)
    salt: str | None = None
    digest: str  #: of targets, why, record, and what the journal tells of the operation
    link: str

    @property
    def is_bare(self) -> bool:
        return self.salt is None

    @property
    def touched(self) -> tuple[str, ...]:
        return tuple(str(each) for each in _listed(self.targets))

    @property
    def covered(self) -> tuple[tuple[int, int], ...]:
        """The deeds whose texts it erased, as ranges."""
        pairs = (each for each in _listed(self.covers) if isinstance(each, list) and len(each) == 2)
        return tuple((first, last) for first, last in pairs if isinstance(first, int) and isinstance(last, int))


def _listed(text: str | None) -> list[Any]:
    """Return a list that stands in a row; of one that somebody has tampered with, nothing."""
    try:
        found = json.loads(text) if text is not None else []
    except ValueError:
        return []
    return found if isinstance(found, list) else []


@dataclass(frozen=True, slots=True, kw_only=True)
class Chain:
    """Where a chain stands."""

    mark: str  #: random: all that is left of whose it was, once the scope is erased
    scope: Scope | None  #: None: it was erased, or is the bank's own
    since: int  #: operations that the scope had before its first deed
    length: int
    head: str  #: the link of the last deed; "" without one
    of_bank: bool = False  #: it tells of what belongs to no scope: keys, webhooks, documents, embedders


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """Something that is not as it was written."""

    chain: Chain | None  #: None: of a scope that has none, or of rows that belong to none
    number: int | None = None  #: the first deed that is concerned
    since: datetime | None = None  #: the last moment before it that can be relied on
    what: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Verified:
    """What came of looking through chains."""

    chains: int
    deeds: int
    findings: tuple[Finding, ...] = ()
    root: str = ""  #: digest of where these chains end, see `root_of`
    uncovered: tuple[str, ...] = ()  #: what earlier versions wrote without a digest

    @property
    def sound(self) -> bool:
        return not self.findings


def canonical(value: Any) -> str:
    """Return JSON that is the same wherever the value was kept."""
    return _JSON.encode(value)


def parsed_json(text: str) -> Any:
    """Return what JSON says. The few numbers that a server spells otherwise than a file are the same from both."""
    if "-0.0" in text or "e+" in text:
        return json.loads(text, parse_float=_number)
    return json.loads(text)


def _number(text: str) -> float | int:
    """Return a number as a server reads it: it knows no -0.0, and writes 1e+16 in full."""
    number = float(text)
    if number == 0:
        return 0.0
    return int(number) if abs(number) >= _IN_FULL else number


class Content:
    """What a deed tells beside its own row, line by line: nothing of it need be held in memory."""

    __slots__ = ("_hash", "salt")

    def __init__(self, salt: str) -> None:
        self.salt = salt
        self._hash = hashlib.sha256(salt.encode())

    def line(self, text: str) -> None:
        self._hash.update(b"\n" + text.encode(errors="surrogatepass"))

    def passing(self, lines: Iterable[str]) -> Content:
        for text in lines:
            self.line(text)
        return self

    def digest(self, *, targets: str | None, why: str | None, record: str | None) -> str:
        """Return the digest of all of it; to be asked once, at the end."""
        self.line(canonical([targets, why, record]))
        told: str = self._hash.hexdigest()
        return told


def names_digest(salt: str, actor: Actor, who: str, scope: Scope | None = None) -> str:
    """Return the digest of who did something, and in whose scope; None: in none, or as version 0.1 took it."""
    whose = [] if scope is None else [scope.user, scope.character, scope.world]
    return _digest(salt, [actor.kind, actor.name, who, *whose])


def row_digest(salt: str, kind: str, record: str) -> str:
    """Return the digest of a row that stands in no journal; `record` is JSON."""
    return _digest(salt, [kind, parsed_json(record)])


def document_mark(namespace: Sequence[str], key: str) -> str:
    """Return what stands for a document in the audit log: its own name may name somebody."""
    return hashlib.sha256(json.dumps([*namespace, key]).encode()).hexdigest()[:16]


def root_of(chains: Iterable[Chain]) -> str:
    """Return one digest for where all chains end: kept outside, it vouches for a list of them."""
    ends = sorted([each.mark, each.since, each.length, each.head] for each in chains)
    return _digest("gieok root 1", ends) if ends else ""


def first_link(mark: str, since: int) -> str:
    return _digest("gieok audit 1", [mark, since])


def link_of(before: str, mark: str, deed: Deed) -> str:
    """Return the link of a deed; `before` is that of the one before it."""
    told = [
        mark, deed.number, deed.recorded_at, deed.act, deed.operation, deed.turn, deed.covers, deed.names, deed.digest,
    ]  # fmt: skip
    return _digest(before, told)


def _digest(first: str, told: Sequence[Any]) -> str:
    return hashlib.sha256(f"{first}\n{canonical(told)}".encode(errors="surrogatepass")).hexdigest()


def act_of(operation: Operation) -> str:
    """Return what an operation is called: a memory that is made what it was is restored, not corrected."""
    match operation.request:
        case Restore():
            return "restore"
        case Pin(pinned=False):
            return "unpin"
    return "catch_up" if operation.kind == "read" else operation.kind


def targets_of(operation: Operation, changed: Iterable[str]) -> tuple[str, ...]:
    """Return what an operation is about: its turn and the memories that it changed, of very many the first ones."""
    named = [operation.turn_id] if operation.turn_id is not None else []
    ids = list(dict.fromkeys([*named, *changed]))
    left = len(ids) - _MOST_TARGETS
    return tuple(ids) if left <= 0 else (*ids[:_MOST_TARGETS], f"+{left}")


def ranges(numbers: Iterable[int]) -> tuple[tuple[int, int], ...]:
    found: list[tuple[int, int]] = []
    for number in sorted(set(numbers)):
        if found and found[-1][1] == number - 1:
            found[-1] = (found[-1][0], number)
        else:
            found.append((number, number))
    return tuple(found)


def deed_record(deed: Deed) -> dict[str, Any]:
    return {name: getattr(deed, name) for name in _SHOWN} | {
        "at": deed.at.isoformat(),
        "actor": None if deed.actor is None else {"kind": deed.actor.kind, "name": deed.actor.name},
        "targets": list(deed.touched),
        "covers": [list(each) for each in deed.covered],
    }


class ChainCheck:
    """Takes the deeds of a chain in order, and tells what is wrong with them."""

    def __init__(self, chain: Chain) -> None:
        self.chain = chain
        self.findings: list[Finding] = []
        self.bare: list[Deed] = []  #: deeds without texts that no erasure was seen for yet
        self.expected = 1
        self.trusted: datetime | None = None  #: when the last deed that is as it should be was written
        self.last: Deed | None = None
        self.names_scope = False  #: some deed vouches for the names of the scope
        self._renamed: list[int] = []
        self._before = {first_link(chain.mark, chain.since)}  #: what the link before may have been

    def take(self, deed: Deed) -> None:
        if deed.number > self.expected:
            self._missing(self.expected, deed.number - 1)
            self._before = set()
        elif deed.number < self.expected:
            self._find(deed.number, f"row {deed.number} was added before the first one")
            return
        self._check_link(deed)
        self._check_names(deed)
        self._note_erasures(deed)
        self.expected = deed.number + 1
        self.last = deed

    def end(self) -> None:
        """All deeds were taken: see whether the chain ends where it should."""
        length, reached = self.chain.length, self.expected - 1
        if reached < length:
            self._missing(self.expected, length)
        elif reached > length:
            self._find(length + 1, f"row {length + 1} and what follows was added: the chain ends with row {length}")
        elif length and self.chain.head not in self._before:
            self._find(length, f"the end of the chain was changed: it does not end with the link of row {length}")
        if not length and self.chain.head:
            self._find(None, "the chain is empty, but its head is that of a deed")
        for first, last in ranges(self._renamed):
            rows = f"{first}" if first == last else f"{first}–{last}"
            self._find(first, ErrorText("audit.names_changed", rows=rows))
        for deed in self.bare:
            self._find(deed.number, f"row {deed.number} has lost its texts, and no erasure tells of it")
        closed = self.last is not None and self.last.act == ERASED
        if self.chain.scope is None and not self.chain.of_bank and not closed:
            self._find(None, "the scope is gone, but no row tells that it was erased")

    def _check_link(self, deed: Deed) -> None:
        computed = {link_of(before, self.chain.mark, deed) for before in self._before}
        if self._before and deed.link not in computed:
            self._find(deed.number, f"row {deed.number} was changed, or stands where another stood")
        elif self._before:
            self.trusted = deed.at
        self._before = {deed.link} if deed.link in computed else {deed.link, *computed}

    def _check_names(self, deed: Deed) -> None:
        if deed.name_salt is None:
            if deed.actor is not None or deed.who is not None:
                self._find(deed.number, f"row {deed.number} names somebody, but nothing vouches for it")
            return
        if deed.actor is not None and deed.who is not None:
            if self.chain.scope is not None and deed.names == names_digest(
                deed.name_salt, deed.actor, deed.who, self.chain.scope
            ):
                self.names_scope = True
                return
            if deed.names == names_digest(deed.name_salt, deed.actor, deed.who):
                return
        self._renamed.append(deed.number)

    def _note_erasures(self, deed: Deed) -> None:
        if deed.act == ERASED:
            self.bare.clear()
        elif deed.act == ERASE:
            covered = deed.covered
            self.bare = [
                each
                for each in self.bare
                if each.name_salt is None or not any(first <= each.number <= last for first, last in covered)
            ]
        if deed.salt is None or deed.name_salt is None:
            self.bare.append(deed)

    def _missing(self, first: int, last: int) -> None:
        told = f"row {first} is missing" if first == last else f"rows {first} to {last} are missing"
        self._find(first, told)

    def _find(self, number: int | None, what: str) -> None:
        self.findings.append(Finding(chain=self.chain, number=number, since=self.trusted, what=what))
