"""Erasure requests and certificates. A certificate records when and how much was erased, never the erased text.

Names and search terms of the request are stored as salted digests: whoever knows them can verify that a certificate is
about them, but cannot read them from it.
"""

from __future__ import annotations

import hashlib
import json
import re
import unicodedata
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass, replace
from datetime import datetime
from typing import Any, Final, TypeVar

from gieok.domain.claim import Brought, Claim, Statement
from gieok.domain.decision import Decision, Ignore
from gieok.domain.entity import Entity, Face
from gieok.domain.entity import Note as EntityNote
from gieok.domain.memory import Change, Memory
from gieok.domain.model_conclusions import Insight, Retelling
from gieok.domain.noticed import Manner, Mention, Noticed, Sign
from gieok.domain.operation import (
    Amend,
    Arrive,
    Confirm,
    Direct,
    Edit,
    Erased,
    Hide,
    Join,
    Learn,
    Operation,
    Part,
    Pin,
    Reject,
    Request,
    Restore,
    Stage,
    Think,
)
from gieok.domain.relationship import Habit, Speech
from gieok.domain.relationship import Request as Wish
from gieok.domain.scene import Scene
from gieok.domain.scope import Scope
from gieok.domain.server_state import Bounds
from gieok.domain.state import Cause, Delta, Move
from gieok.domain.state import Note as DirectorsNote
from gieok.domain.turn import checked_moment
from gieok.domain.upkeep import Kept
from gieok.errors import ErrorText, InvalidQuery

ANYWHERE: Final = Bounds()
SHORTEST: Final = 2  #: minimum length of text that can be erased by matching: a single letter matches everywhere


@dataclass(frozen=True, slots=True, kw_only=True)
class ErasurePart:
    """The part of a scope to erase; a field of None does not filter. Without any, the whole scope."""

    session: str | None = None
    turn: str | None = None
    matching: str | None = None  #: turns, memories and documents that contain this, ignoring case
    since: datetime | None = None  #: story time, from …
    until: datetime | None = None  #: … to before
    known: frozenset[str] | None = None  #: digests of data that was erased before and has come back

    @property
    def is_all(self) -> bool:
        asked = (self.session, self.turn, self.matching, self.since, self.until)
        return self.known is None and not any(asked)

    def covers(self, at: datetime) -> bool:
        return (self.since is None or at >= self.since) and (self.until is None or at < self.until)


EVERYTHING: Final = ErasurePart()


@dataclass(frozen=True, slots=True, kw_only=True)
class Erasing:
    """An erasure request: scopes, and the part of them to erase."""

    bounds: Bounds = ANYWHERE
    scope: Scope | None = None  #: only this scope
    part: ErasurePart = EVERYTHING

    def holds(self, scope: Scope) -> bool:
        return scope == self.scope if self.scope is not None else self.bounds.hold(scope)


def checked_part(
    *,
    session: str | None = None,
    turn: str | None = None,
    matching: str | None = None,
    since: datetime | None = None,
    until: datetime | None = None,
) -> ErasurePart:
    """Return the part to erase; raises `InvalidInput` for invalid arguments."""
    for name, given in (("session", session), ("turn", turn), ("matching", matching)):
        if given is not None and not given.strip():
            raise InvalidQuery(ErrorText("erase.empty", name=name))
    if matching is not None and len(matching.strip()) < SHORTEST:
        raise InvalidQuery(ErrorText("erase.too_common", matching=matching, shortest=SHORTEST))
    for name, moment in (("since", since), ("until", until)):
        if moment is not None:
            checked_moment(moment, name)
    if since is not None and until is not None and since >= until:
        raise InvalidQuery(ErrorText("erase.empty_period"))
    text = None if matching is None else folded_text(matching.strip())
    return ErasurePart(session=session, turn=turn, matching=text, since=since, until=until)


def checked_erasure(
    scope: Scope | None, *, user: str | None, character: str | None, world: str | None, part: ErasurePart
) -> Erasing:
    """Return the erasure request; raises `InvalidQuery` unless it names a user, character or scope."""
    bounds = Bounds(user=user, character=character, world=world)
    if scope is not None:
        if bounds != ANYWHERE:
            raise InvalidQuery(ErrorText("erase.scope_twice"))
        return Erasing(scope=scope, part=part)
    if user is None and character is None:
        raise InvalidQuery(ErrorText("erase.whose"))
    named = Scope(user=user, character=character, world=world)  # this checks the names
    return Erasing(bounds=Bounds(user=named.user, character=named.character, world=named.world), part=part)


def folded_text(text: str) -> str:
    """Return `text` normalised for comparison: NFC, lower case."""
    return unicodedata.normalize("NFC", text).lower()


@dataclass(frozen=True, slots=True, kw_only=True)
class Certificate:
    """Proof of an erasure, without any erased content."""

    id: str
    at: datetime  #: wall time
    by: str  #: who requested it: a person, a key, a pass
    salt: str
    subject: str  #: digest of the scope's names
    asked: Mapping[str, str] = field(default_factory=dict)  #: times in clear, everything else as digests
    counts: Mapping[str, int] = field(default_factory=dict)  #: number of erased items, by type
    proven_at: datetime | None = None  #: when the files were found clean; None: not proven yet
    means: str = ""  #: how it was proven
    left: tuple[str, ...] = ()  #: older files of gieok that may still hold it: backups, banks that were set aside
    hash: str = ""  #: over all fields above, once proven

    @property
    def proven(self) -> bool:
        return self.proven_at is not None

    @property
    def intact(self) -> bool:
        return self.proven and self.hash == _hash(self)

    def is_about(self, scope: Scope) -> bool:
        return self.subject == digest(self.salt, *_names(scope))


def new_certificate(
    *, id: str, at: datetime, by: str, salt: str, scope: Scope, part: ErasurePart, counts: Mapping[str, int]
) -> Certificate:
    asked = {"all": "yes"} if part.is_all else {} if part.known is None else {"again": "yes"}
    for name in ("session", "turn", "matching"):
        if (given := getattr(part, name)) is not None:
            asked[name] = digest(salt, given)
    for name in ("since", "until"):
        if (moment := getattr(part, name)) is not None:
            asked[name] = moment.isoformat()
    return Certificate(
        id=id, at=at, by=by, salt=salt, subject=digest(salt, *_names(scope)), asked=asked, counts=dict(counts)
    )


def issued_certificate(certificate: Certificate, *, at: datetime, means: str, left: Sequence[str] = ()) -> Certificate:
    sure = replace(certificate, proven_at=at, means=means, left=tuple(left))
    return replace(sure, hash=_hash(sure))


def unissued_certificate(certificate: Certificate) -> Certificate:
    """Return the certificate without its proof, which holds only for the files it was issued for."""
    return replace(certificate, proven_at=None, means="", left=(), hash="")


def digest(salt: str, *words: str) -> str:
    text = json.dumps([salt, *words], ensure_ascii=False)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _names(scope: Scope) -> tuple[str, str, str]:
    return (scope.user or "", scope.character or "", scope.world or "")


def _hash(certificate: Certificate) -> str:
    told = {each.name: getattr(certificate, each.name) for each in fields(certificate) if each.name != "hash"}
    told |= {"asked": dict(certificate.asked), "counts": dict(certificate.counts)}
    if not certificate.left:  # older certificates do not have this field
        del told["left"]
    text = json.dumps(told, ensure_ascii=False, sort_keys=True, separators=(",", ":"), default=datetime.isoformat)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


@dataclass(frozen=True, slots=True, kw_only=True)
class ErasedScope:
    """What was erased from one scope, or would be."""

    scope: Scope
    counts: Mapping[str, int] = field(default_factory=dict)
    certificate: Certificate | None = None  #: None: a dry run, or nothing was erased


@dataclass(frozen=True, slots=True, kw_only=True)
class Erasure:
    """What was erased, or would be."""

    scopes: tuple[ErasedScope, ...] = ()  #: scopes from which something was erased
    dry_run: bool = False
    held: tuple[Scope, ...] = ()  #: scopes that a scrub skipped because of a hold

    @property
    def counts(self) -> dict[str, int]:
        """Number of erased items in all scopes, by type."""
        total: Counter[str] = Counter()
        for each in self.scopes:
            total.update(each.counts)
        return dict(total)

    @property
    def certificates(self) -> tuple[Certificate, ...]:
        return tuple(each.certificate for each in self.scopes if each.certificate is not None)

    @property
    def turns(self) -> int:
        return self.counts.get("turns", 0)

    @property
    def memories(self) -> int:
        return self.counts.get("memories", 0)


BLANK: Final = "[…]"  #: replaces erased text
NO_THOUGHT: Final = Insight(content="", about="", grounds=())  #: has no grounds, so it has no effect
Value = TypeVar("Value")

#: Text fields: those that the value depends on, and the others.
_WORDS: Final[dict[type[Any], tuple[tuple[str, ...], tuple[str, ...]]]] = {
    Claim: (("instead_of",), ("tags", "details")),  # see also `mentions_any`
    Brought: ((), ("interpretation",)),
    Sign: ((), ("words",)),
    Manner: ((), ("address", "perhaps_called", "asks_to_be_called")),
    Mention: (("name",), ("note",)),
    Noticed: ((), ("place", "daytime", "topics")),
    Face: (("name",), ("display_name", "summary")),
    EntityNote: (("text",), ()),
    Scene: ((), ("place", "daytime", "participants", "counts")),
    Habit: (("value",), ()),
    Speech: ((), ("addresses_heard",)),
    Wish: (("value",), ()),
    DirectorsNote: ((), ("text",)),
    Cause: ((), ("words",)),
    Delta: ((), ("words",)),
    Insight: (("content", "about", "subject_id"), ()),
    Retelling: (("content",), ()),
    Stage: ((), ("place", "daytime", "participants")),
    Learn: ((), ("participants",)),
    Direct: ((), ("note",)),
}


class Words:
    """Words to erase: `exact` ones everywhere, `rare` ones except in sentences that rules generated.

    Generated sentences ("고양이를 좋아함") contain words that nobody said; their value is checked instead.
    """

    def __init__(self, exact: Iterable[str] = (), rare: Iterable[str] = ()) -> None:
        self.exact = frozenset(folded_text(word) for word in exact if word)
        self.rare = frozenset(folded_text(word) for word in rare if word)
        self._exact = _any_of(self.exact)
        self._any = _any_of(self.exact | self.rare)

    def __bool__(self) -> bool:
        return self._any is not None

    def stand_in(self, text: str | None) -> bool:
        return self._any is not None and bool(text) and self._any.search(folded_text(text or "")) is not None

    def stand_in_any(self, texts: Iterable[str | None]) -> bool:
        return any(map(self.stand_in, texts))

    def are_told_in(self, sentence: str) -> bool:
        """Whether `sentence`, which rules may have generated, contains one of the exact words."""
        return self._exact is not None and self._exact.search(folded_text(sentence)) is not None


def _any_of(words: Collection[str]) -> re.Pattern[str] | None:
    longest_first = sorted(words, key=len, reverse=True)
    return re.compile("|".join(map(re.escape, longest_first))) if words else None


_GONE: Final = object()  #: nothing is left


def value_without(value: Value, words: Words) -> Value | None:
    """Return `value` without texts that contain `words`; None: nothing is left. Supports all types of `_WORDS`."""
    left = _cleaned(value, words)
    return None if left is _GONE else left


def _cleaned(value: Any, words: Words) -> Any:
    if isinstance(value, tuple):
        return tuple(left for left in (_part(each, words) for each in value) if left is not _GONE)
    if isinstance(value, Memory):
        return memory_without(value, words)
    if not is_dataclass(value) or isinstance(value, type):
        return value
    needed, beside = _WORDS.get(type(value), ((), ()))
    told_of = isinstance(value, Claim) and mentions_any(value, words)
    if told_of or words.stand_in_any(getattr(value, name) for name in needed):
        return _GONE
    left = {
        field.name: _field(value, field.name, words, holds_words=field.name in beside) for field in fields(type(value))
    }
    changed = {name: part for name, part in left.items() if part != getattr(value, name)}
    if isinstance(value, Entity) and not left["faces"]:
        return _GONE
    return replace(value, **changed) if changed else value


def _field(value: Any, name: str, words: Words, *, holds_words: bool) -> Any:
    before = getattr(value, name)
    if isinstance(before, str):
        default = next(each.default for each in fields(value) if each.name == name)
        blank = default if isinstance(default, str) or default is None else ""
        return blank if holds_words and words.stand_in(before) else before
    if isinstance(before, tuple) and not holds_words:  # plain strings in it are ids and names of rules
        left = (_cleaned(each, words) if is_dataclass(each) else each for each in before)
        return tuple(each for each in left if each is not _GONE)
    after = _cleaned(before, words)
    return None if after is _GONE else after


def _part(value: Any, words: Words) -> Any:
    if isinstance(value, str):
        return _GONE if words.stand_in(value) else value
    if isinstance(value, tuple):
        return _GONE if words.stand_in_any(each for each in value if isinstance(each, str)) else value
    return _cleaned(value, words)


def mentions_any(memory: Statement, words: Words) -> bool:
    name = memory.subject_id if memory.subject == "other" else None
    return words.are_told_in(memory.content) or words.stand_in_any((memory.value, memory.surface, name))


def memory_without(memory: Memory, words: Words) -> Memory:
    changed: dict[str, Any] = {}
    if mentions_any(memory, words):
        changed |= {"content": BLANK, "value": None, "surface": None, "tags": (), "details": ()}
        if memory.subject == "other":
            changed["subject_id"] = BLANK
    else:
        for name in ("tags", "details"):
            changed[name] = tuple(text for text in getattr(memory, name) if not words.stand_in(text))
    if words.stand_in(memory.interpretation):
        changed["interpretation"] = None
    return replace(memory, **{name: part for name, part in changed.items() if part != getattr(memory, name)})


def erased_operation(operation: Operation) -> Operation:
    """Return what is left of an operation whose text is erased: that it happened, its kind and time."""
    return replace(
        operation,
        request=Erased(),
        why="",
        turn_id=None,
        decisions=(),
        kept=(),
        changes=(),
        moves=(),
        moment=replace(operation.moment, channel=None),
    )


def request_without(request: Request, words: Words, gone: Collection[str] = frozenset()) -> Request:
    """Return a request without `words` and without the memories `gone`; `Erased`: nothing is left."""
    match request:
        case Learn():
            left = value_without(request, words) or Learn()
            claims = tuple(claim for claim in left.claims if claim.id not in gone)
            used, confirmed, doubted = (
                tuple(each for each in ids if each not in gone) for ids in (left.used, left.confirmed, left.doubted)
            )
            return replace(left, claims=claims, used=used, confirmed=confirmed, doubted=doubted)
        case Amend() | Pin() | Confirm() | Reject() | Hide() | Restore():
            return Erased() if request.memory_id in gone or _edit_tells(request, words) else request
        case Join() | Part():
            return Erased() if words.stand_in_any((request.name, request.other)) else request
        case Think():
            return _rewritten_thought(request, words, gone)
        case Direct() | Stage() | Arrive():
            return value_without(request, words) or Erased()
    return request


def _edit_tells(request: Edit, words: Words) -> bool:
    said: tuple[str | None, ...] = request.saying[1:] if request.saying is not None else ()
    if isinstance(request, Amend):
        said += (request.content, request.value, request.surface)
    if isinstance(request, Restore) and mentions_any(request.to, words):
        return True
    return words.stand_in_any(text for text in said if text not in ("user", "world"))


def _rewritten_thought(request: Think, words: Words, gone: Collection[str]) -> Think:
    def left(thought: Insight) -> Insight:
        """Return the thought, or an empty one in its place, since later thoughts are numbered by position."""
        rests = not any(ground.memory_id in gone for ground in thought.grounds)
        return (value_without(thought, words) if rests else None) or NO_THOUGHT

    retold = (each for each in request.retellings if each.ground.memory_id not in gone)
    return replace(
        request,
        insights=tuple(map(left, request.insights)),
        retellings=tuple(each for each in retold if value_without(each, words) is not None),
        conflicts=tuple(
            each for each in request.conflicts if not {each.newer.memory_id, each.older.memory_id} & set(gone)
        ),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Outcome:
    """What is left of an operation's outcome."""

    gone: Collection[str]
    words: Words

    def changes(self, changes: Iterable[Change]) -> Iterator[Change]:
        for change in changes:
            if change.memory_id not in self.gone:
                before, after = (side and memory_without(side, self.words) for side in (change.before, change.after))
                yield Change(before=before, after=after)

    def decided(self, decision: Decision, request: Learn) -> Decision | None:
        """Return a decision without erased data; None: it was about that data only."""
        claim = next((claim for claim in request.claims if claim.id == decision.claim.id), None)
        if claim is None or (decision.changes and decision.changes[0].memory_id in self.gone):
            return None
        if isinstance(decision, Ignore):
            return replace(decision, claim=claim)
        return replace(decision, claim=claim, changes=tuple(self.changes(decision.changes)))

    def kept(self, each: Kept) -> Kept | None:
        changes = tuple(self.changes(each.changes))
        if not changes:
            return None
        return replace(each, changes=changes, why="" if self.words.stand_in(each.why) else each.why)

    def move(self, move: Move) -> Move | None:
        before, after = (side and value_without(side, self.words) for side in (move.before, move.after))
        if before is None and after is None:
            return None
        return replace(move, before=before, after=after, causes=value_without(move.causes, self.words) or ())


def operation_without(operation: Operation, words: Words, gone: Collection[str] = frozenset()) -> Operation:
    request = request_without(operation.request, words, gone)
    if isinstance(request, Erased):
        return operation if operation.request == request else erased_operation(operation)
    left = _Outcome(gone=gone, words=words)
    decisions: list[Decision] = []
    rest: list[Change] = []  # changes of remaining memories by erased decisions
    decided = sum(len(decision.changes) for decision in operation.decisions)
    if isinstance(request, Learn) and operation.decisions:
        for decision in operation.decisions:
            stays = left.decided(decision, request)
            if stays is not None:
                decisions.append(stays)
            elif not isinstance(decision, Ignore):
                rest += left.changes(each for each in decision.changes if each.before is not None)
        request = replace(request, claims=tuple(decision.claim for decision in decisions))
    kept = tuple(each for each in map(left.kept, operation.kept) if each is not None)
    beside = decided + sum(len(each.changes) for each in operation.kept)
    changes = (
        *(change for each in (*decisions, *kept) for change in each.changes),
        *rest,
        *left.changes(operation.changes[beside:]),
    )
    return replace(
        operation,
        request=request,
        why="" if words.stand_in(operation.why) else operation.why,
        decisions=tuple(decisions),
        kept=kept,
        changes=changes,
        moves=tuple(move for move in map(left.move, operation.moves) if move is not None),
    )
