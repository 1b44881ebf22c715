"""The audit log: who did what, when and why, in hash chains that reveal changed, missing and moved rows.

Each scope has its own chain. The link of a deed is a digest of the previous link and of the deed. Data that may be
erased later (names, texts) enters a link as a salted digest: once text and salt are erased, the text cannot be
guessed, and the chain can still be verified.
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
READ: Final = "read"  #: another user's scope was read
ERASE: Final = "erase"  #: texts of some deeds were erased
ERASED: Final = "erased"  #: the whole scope was erased
HOLD: Final = "hold"  #: the scope may not be erased from now on
RELEASE: Final = "release"  #: it may be erased again
IMPORT: Final = "import"  #: the scope came from a file
KEY: Final = "key"  #: a key of a server was created or changed
WEBHOOK: Final = "webhook"  #: a webhook was created
UNHOOK: Final = "unhook"  #: a webhook was removed
DOCUMENT: Final = "document"  #: a document was stored or changed
DROP: Final = "drop"  #: a document was deleted
REINDEX: Final = "reindex"  #: vectors of another embedder are used from now on
LIFT: Final = "lift"  #: erased data may be learned again
RETAIN: Final = "retain"  #: the retention of the scope was set
CERTIFICATE: Final = "certificate"  #: the certificate of an erasure was created or proven
_MOST_TARGETS: Final = 50
_SHOWN: Final = (  #: fields of a deed in a record, in this order
    "number at recorded_at act actor who targets why record operation turn covers name_salt names salt digest link"
).split()
_IN_FULL: Final = 1e16  #: from here on Python writes floats with an exponent
_JSON: Final = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), sort_keys=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class Deed:
    """One row of a chain. Erased fields are None."""

    number: int  #: from 1, without gaps
    at: datetime  #: when it was recorded
    recorded_at: int  #: the same in microseconds
    act: str  #: observe, correct, restore, rewind, pass, read, erase …
    operation: int | None = None  #: number of its operation in the journal
    turn: int | None = None  #: internal number of the turn that it stored
    covers: str | None = None  #: JSON, ranges of the deeds whose texts it erased
    actor: Actor | None = None
    who: str | None = None  #: what did it: the reader, prompt or pass with its version, or "person"
    name_salt: str | None = None
    names: str  #: digest of actor and who
    targets: str | None = None  #: JSON list: ids of the affected turn and memories
    why: str | None = None
    record: str | None = None  #: the previous lines of a revised operation, or the digest of a row (`row_digest`)
    salt: str | None = None
    digest: str  #: digest of targets, why, record, and the journal lines of the operation
    link: str

    @property
    def is_bare(self) -> bool:
        return self.salt is None

    @property
    def touched(self) -> tuple[str, ...]:
        return tuple(str(each) for each in _listed(self.targets))

    @property
    def covered(self) -> tuple[tuple[int, int], ...]:
        """Ranges of the deeds whose texts this deed erased."""
        pairs = (each for each in _listed(self.covers) if isinstance(each, list) and len(each) == 2)
        return tuple((first, last) for first, last in pairs if isinstance(first, int) and isinstance(last, int))


def _listed(text: str | None) -> list[Any]:
    """Return the JSON list in a column; [] if the column was tampered with."""
    try:
        found = json.loads(text) if text is not None else []
    except ValueError:
        return []
    return found if isinstance(found, list) else []


@dataclass(frozen=True, slots=True, kw_only=True)
class Chain:
    """A chain with its end."""

    mark: str  #: a random id that remains after the scope is erased
    scope: Scope | None  #: None: erased, or the bank's own chain
    since: int  #: number of operations before the first deed
    length: int
    head: str  #: link of the last deed; "" without one
    of_bank: bool = False  #: the chain of the bank itself: keys, webhooks, documents, embedders


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """A difference from what was recorded."""

    chain: Chain | None  #: None: the scope has no chain, or the rows belong to none
    number: int | None = None  #: the first affected deed
    since: datetime | None = None  #: time of the last reliable deed before it
    what: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Verified:
    """The result of a verification."""

    chains: int
    deeds: int
    findings: tuple[Finding, ...] = ()
    root: str = ""  #: digest of the ends of these chains, see `root_of`
    uncovered: tuple[str, ...] = ()  #: data from earlier versions without a digest

    @property
    def sound(self) -> bool:
        return not self.findings


def canonical(value: Any) -> str:
    """Return JSON that is the same on every database."""
    return _JSON.encode(value)


def parsed_json(text: str) -> Any:
    """Parse JSON; numbers that PostgreSQL and SQLite write differently give equal values."""
    if "-0.0" in text or "e+" in text:
        return json.loads(text, parse_float=_number)
    return json.loads(text)


def _number(text: str) -> float | int:
    """Return a number as PostgreSQL reads it: without -0.0, and with 1e+16 in full."""
    number = float(text)
    if number == 0:
        return 0.0
    return int(number) if abs(number) >= _IN_FULL else number


class Content:
    """An incremental digest of a deed's content, fed line by line to save memory."""

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
        """Return the final digest; call it once."""
        self.line(canonical([targets, why, record]))
        told: str = self._hash.hexdigest()
        return told


def names_digest(salt: str, actor: Actor, who: str, scope: Scope | None = None) -> str:
    """Return the digest of actor and scope; None: no scope, or version 0.1."""
    whose = [] if scope is None else [scope.user, scope.character, scope.world]
    return _digest(salt, [actor.kind, actor.name, who, *whose])


def row_digest(salt: str, kind: str, record: str) -> str:
    """Return the digest of a row that is not in the journal; `record` is JSON."""
    return _digest(salt, [kind, parsed_json(record)])


def document_mark(namespace: Sequence[str], key: str) -> str:
    """Return the digest that identifies a document in the audit log; its name may be personal data."""
    return hashlib.sha256(json.dumps([*namespace, key]).encode()).hexdigest()[:16]


def root_of(chains: Iterable[Chain]) -> str:
    """Return one digest of the ends of all chains, to be stored outside the bank."""
    ends = sorted([each.mark, each.since, each.length, each.head] for each in chains)
    return _digest("gieok root 1", ends) if ends else ""


def first_link(mark: str, since: int) -> str:
    return _digest("gieok audit 1", [mark, since])


def link_of(before: str, mark: str, deed: Deed) -> str:
    """Return the link of a deed; `before` is the link of the previous one."""
    told = [
        mark, deed.number, deed.recorded_at, deed.act, deed.operation, deed.turn, deed.covers, deed.names, deed.digest,
    ]  # fmt: skip
    return _digest(before, told)


def _digest(first: str, told: Sequence[Any]) -> str:
    return hashlib.sha256(f"{first}\n{canonical(told)}".encode(errors="surrogatepass")).hexdigest()


def act_of(operation: Operation) -> str:
    """Return the name of an operation in the log; a correction that restores an earlier state is `restore`."""
    match operation.request:
        case Restore():
            return "restore"
        case Pin(pinned=False):
            return "unpin"
    return "catch_up" if operation.kind == "read" else operation.kind


def targets_of(operation: Operation, changed: Iterable[str]) -> tuple[str, ...]:
    """Return the ids of an operation's turn and changed memories, at most `_MOST_TARGETS`."""
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
    """Verifies the deeds of a chain, fed in order."""

    def __init__(self, chain: Chain) -> None:
        self.chain = chain
        self.findings: list[Finding] = []
        self.bare: list[Deed] = []  #: deeds without texts and without a matching erasure so far
        self.expected = 1
        self.trusted: datetime | None = None  #: time of the last correct deed
        self.last: Deed | None = None
        self.names_scope = False  #: whether a deed covers the names of the scope
        self._renamed: list[int] = []
        self._before = {first_link(chain.mark, chain.since)}  #: possible links of the previous deed

    def take(self, deed: Deed) -> None:
        if deed.number > self.expected:
            self._missing(self.expected, deed.number - 1)
            self._before = set()
        elif deed.number < self.expected:
            self._find(deed.number, ErrorText("audit.added_before", row=deed.number))
            return
        self._check_link(deed)
        self._check_names(deed)
        self._note_erasures(deed)
        self.expected = deed.number + 1
        self.last = deed

    def end(self) -> None:
        """Check the end of the chain, after all deeds were fed."""
        length, reached = self.chain.length, self.expected - 1
        if reached < length:
            self._missing(self.expected, length)
        elif reached > length:
            self._find(length + 1, ErrorText("audit.added_after", row=length + 1, last=length))
        elif length and self.chain.head not in self._before:
            self._find(length, ErrorText("audit.end_changed", row=length))
        if not length and self.chain.head:
            self._find(None, ErrorText("audit.empty"))
        for first, last in ranges(self._renamed):
            rows = f"{first}" if first == last else f"{first}–{last}"
            self._find(first, ErrorText("audit.names_changed", rows=rows))
        for deed in self.bare:
            self._find(deed.number, ErrorText("audit.texts_lost", row=deed.number))
        closed = self.last is not None and self.last.act == ERASED
        if self.chain.scope is None and not self.chain.of_bank and not closed:
            self._find(None, ErrorText("audit.scope_gone"))

    def _check_link(self, deed: Deed) -> None:
        computed = {link_of(before, self.chain.mark, deed) for before in self._before}
        if self._before and deed.link not in computed:
            self._find(deed.number, ErrorText("audit.link_changed", row=deed.number))
        elif self._before:
            self.trusted = deed.at
        self._before = {deed.link} if deed.link in computed else {deed.link, *computed}

    def _check_names(self, deed: Deed) -> None:
        if deed.name_salt is None:
            if deed.actor is not None or deed.who is not None:
                self._find(deed.number, ErrorText("audit.names_uncovered", row=deed.number))
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
        one = ErrorText("audit.missing", row=first)
        self._find(first, one if first == last else ErrorText("audit.missing_rows", first=first, last=last))

    def _find(self, number: int | None, what: ErrorText) -> None:
        self.findings.append(Finding(chain=self.chain, number=number, since=self.trusted, what=what))
