"""Every error a caller can meet.

A message names the trouble and the way out; the facts behind it are attributes. `str(error)` is English. What a person
reads comes from `error.in_language(words)`: the texts are in `words/ko/errors.toml` and `words/en/errors.toml`.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Any, Self

if TYPE_CHECKING:
    from gieok.words import Words


class ErrorText(str):
    """The English text of `errors.<key>`, which can also be shown in another language. A fact may be a message."""

    key: str
    facts: Mapping[str, Any]

    def __new__(cls, key: str, /, **facts: Any) -> Self:
        from gieok.words import words_in

        self = super().__new__(cls, words_in("en")(f"errors.{key}", **facts))
        self.key, self.facts = key, facts
        return self

    def __getnewargs_ex__(self) -> tuple[tuple[str], dict[str, Any]]:
        return (self.key,), dict(self.facts)

    def in_language(self, words: Words) -> str:
        facts = {name: in_language(fact, words) for name, fact in self.facts.items()}
        return words(f"errors.{self.key}", **facts)


def in_language(value: Any, words: Words) -> Any:
    """Return a message in the language of `words`; any other value stays as it is."""
    return value.in_language(words) if isinstance(value, ErrorText) else value


class GieokError(Exception):
    """Base of every error that gieok raises on purpose."""

    def in_language(self, words: Words) -> str:
        """Return the message in the language of `words`; a text without a key, which a program made, is English."""
        return str(in_language(self.args[0], words)) if self.args else str(self)


class InvalidInput(GieokError, ValueError):
    """What was handed in cannot be used; nothing was changed."""


class InvalidText(InvalidInput):
    """A text is empty, too long, or holds characters that cannot be stored."""


class InvalidScope(InvalidInput):
    """A scope's names are missing or malformed."""


class MissingIdentity(InvalidScope):
    """A call under mem0's names does not say whose memories it means; the facts are named as mem0 names them."""

    error_code = "VALIDATION_001"

    def __init__(self, provided: Mapping[str, object], otherwise: str = "") -> None:
        self.suggestion = f"give at least one of user_id, agent_id and run_id{otherwise}"
        self.message = f"whose memories are meant? {self.suggestion}; nothing was changed"
        super().__init__(self.message)
        self.details = {"provided_ids": dict(provided)}


class InvalidQuery(InvalidInput):
    """A question about memories makes no sense as it stands."""


class UnknownVersion(InvalidQuery):
    """A memory shall be again what it never was."""

    def __init__(self, memory_id: str, version: int | None) -> None:
        super().__init__(ErrorText("unknown.version", memory_id=memory_id, version=version))
        self.memory_id = memory_id
        self.version = version


class NaiveDatetime(InvalidInput):
    """A datetime without a time zone was given where a moment is needed."""

    def __init__(self, name: str, value: datetime) -> None:
        super().__init__(ErrorText("query.no_zone", name=name, moment=value.isoformat()))
        self.name = name
        self.value = value


class NotFound(GieokError, LookupError):
    """Something was named that is not there."""


class UnknownMemory(NotFound):
    """No such memory in this scope (a foreign scope's memory is unknown, too)."""

    def __init__(self, memory_id: str) -> None:
        super().__init__(ErrorText("unknown.memory", memory_id=memory_id))
        self.memory_id = memory_id


class UnknownTurn(NotFound):
    """No such turn in this scope, or it was rewound already."""

    def __init__(self, turn_id: str) -> None:
        super().__init__(ErrorText("unknown.turn", turn_id=turn_id))
        self.turn_id = turn_id


class NoTrace(NotFound):
    """Nobody kept how a turn came about, or it is too long ago."""

    def __init__(self, turn_id: str, kept: int) -> None:
        super().__init__(ErrorText("unknown.trace" if kept else "unknown.no_traces", turn_id=turn_id, kept=kept))
        self.turn_id = turn_id
        self.kept = kept


class UnknownPerson(NotFound):
    """Nobody of that name was ever spoken of in this scope."""

    def __init__(self, name: str) -> None:
        super().__init__(ErrorText("unknown.person", name=name))
        self.name = name


class UnknownScope(NotFound):
    """Nothing was ever observed in this scope."""

    def __init__(self, scope: str, known: tuple[str, ...] = ()) -> None:
        key = "unknown.scope" if known else "unknown.scope_in_empty_bank"
        super().__init__(ErrorText(key, scope=scope, known=", ".join(known)))
        self.scope = scope
        self.known = known


class UnknownUser(NotFound):
    """Nothing is kept of a user."""

    def __init__(self, scope: str) -> None:
        super().__init__(ErrorText("unknown.user", scope=scope))
        self.scope = scope


class TurnChanged(GieokError):
    """A turn id was used again with other words."""

    def __init__(self, turn_id: str) -> None:
        super().__init__(ErrorText("talk.turn_changed", turn_id=turn_id))
        self.turn_id = turn_id


class ScopeBusy(GieokError):
    """Other writers kept changing the scope; the operation was not carried out."""

    def __init__(self, attempts: int) -> None:
        super().__init__(ErrorText("bank.busy", attempts=attempts))
        self.attempts = attempts


class TurnUnderWay(GieokError):
    """Another turn of the same talk has not ended; this one was not begun."""

    def __init__(self, scope: str, seconds: float) -> None:
        super().__init__(ErrorText("talk.under_way", scope=scope, seconds=seconds))
        self.scope = scope
        self.seconds = seconds


class InvalidExport(InvalidInput):
    """A file that should hold somebody's memories cannot be taken in; nothing was."""

    def __init__(self, flaw: str, *, table: str | None = None, line: int = 0) -> None:
        file = "" if table is None else f"{table}.jsonl"
        where = ErrorText("import.line", file=file, line=line) if line else file
        super().__init__(ErrorText("import.failed_at" if where else "import.failed", flaw=flaw, where=where))
        self.flaw = flaw
        self.table = table  #: the file within the file, without its ending
        self.line = line  #: 0: not one line alone


class InvalidImport(InvalidInput):
    """A file or folder of another system cannot be read; nothing of it was taken in."""

    def __init__(self, flaw: str, *, where: str | None = None) -> None:
        super().__init__(ErrorText("import.failed_at" if where else "import.failed", flaw=flaw, where=where))
        self.flaw = flaw
        self.where = where  #: the line, row or entry; None: the file as a whole


class BankError(GieokError):
    """The bank itself cannot be used as asked."""


class Forbidden(GieokError):
    """The caller's key does not allow it."""


class CannotListen(GieokError):
    """A server cannot open its door where it was told to."""


class MemoryMoved(GieokError):
    """Somebody else changed a memory since the caller read it."""

    def __init__(self, memory_id: str, *, expected: int, found: int) -> None:
        super().__init__(ErrorText("query.moved", memory_id=memory_id, found=found, expected=expected))
        self.memory_id = memory_id
        self.expected = expected
        self.found = found


class BankClosed(BankError):
    """The bank was closed."""

    def __init__(self) -> None:
        super().__init__(ErrorText("bank.closed"))


class NotABank(BankError):
    """The file exists but gieok did not make it (or it is encrypted with another key)."""


class WrongKey(NotABank):
    """The file is encrypted, and the key that was given does not open it."""


class BackupDamaged(BankError):
    """A backup is not what it was when it was made, or lacks a part; nothing was restored."""


class NewerSchema(BankError):
    """The bank was written by a later gieok."""

    def __init__(self, found: int, known: int) -> None:
        super().__init__(ErrorText("bank.newer", found=found, known=known))
        self.found = found
        self.known = known


class BankUnavailable(BankError):
    """The file cannot be opened, read or written (folder, permissions, disk)."""


class BankDamaged(BankUnavailable):
    """What stands in the bank cannot be read: a disk, or somebody, has changed it. Restore a backup."""


class BankInterrupted(BankUnavailable):
    """The bank broke off in the middle of something: a server that stopped, a connection that was lost."""


class BankInUse(BankUnavailable):
    """Somebody has the bank open who must not; nothing was changed."""


class DiskFull(BankUnavailable):
    """There is no room left to write; the operation was not carried out."""


class UnderHold(GieokError):
    """A hold stands on a scope: nothing of it may go."""

    def __init__(self, scope: str, by: str, why: str) -> None:
        super().__init__(ErrorText("hold.stands", scope=scope, by=by, reason=f": {why}" if why else ""))
        self.scope = scope
        self.by = by
        self.why = why


class UnknownCertificate(NotFound):
    """No erasure has a certificate with this id."""

    def __init__(self, certificate_id: str) -> None:
        super().__init__(ErrorText("erase.no_certificate", certificate_id=certificate_id))
        self.certificate_id = certificate_id


class ErasedBefore(GieokError):
    """Something was erased in a scope, and is not learned again from an import, until a person lifts the erasure."""

    def __init__(self, scope: str) -> None:
        super().__init__(ErrorText("erase.before", scope=scope))
        self.scope = scope


class ErasureUnproven(BankError):
    """What was asked for is erased, but something in the files may still tell of it. No certificate was given out."""


class ScopeFull(BankError):
    """A scope holds as many items as its id range allows."""


class EmbedderMismatch(BankError):
    """The bank's vectors were made by another embedder than the one configured."""

    def __init__(self, *, built_with: str, configured: str) -> None:
        super().__init__(ErrorText("embedder.mismatch", built_with=built_with, configured=configured))
        self.built_with = built_with
        self.configured = configured


class EmbedderFailed(GieokError):
    """The embedder gave no usable vectors; keyword search still works."""


class SettingsError(GieokError):
    """The configuration cannot be used."""


class UnknownSetting(SettingsError):
    """A setting's name is not known."""

    def __init__(self, name: str, suggestion: str | None, where: str) -> None:
        hint = ErrorText("hint.similar", name=suggestion) if suggestion else ErrorText("hint.settings")
        super().__init__(ErrorText("settings.unknown", name=name, where=where, hint=hint))
        self.name = name
        self.suggestion = suggestion


class UnknownPreset(SettingsError):
    """No preset has this name."""

    def __init__(self, name: str, suggestion: str | None, known: tuple[str, ...]) -> None:
        one_of = ErrorText("hint.one_of", known=", ".join(known))
        hint = ErrorText("hint.similar", name=suggestion) if suggestion else one_of
        super().__init__(ErrorText("settings.preset", name=name, hint=hint))
        self.name = name
        self.suggestion = suggestion
        self.known = known


class InvalidSetting(SettingsError):
    """A setting has a value of the wrong kind or out of range."""


class NoModel(GieokError):
    """Something needs a language model, and none is configured."""

    def __init__(self) -> None:
        super().__init__(ErrorText("model.none"))


class ModelFailed(GieokError):
    """A language model gave no usable answer. Nothing was made up in its place; rules do what they can without it."""

    def __init__(self, failure: str, model: str, detail: str, *, answer: str = "") -> None:
        super().__init__(ErrorText("model.failed", model=model, failure=failure, detail=detail))
        self.failure = failure  #: one of `gieok.domain.answer.Failure`
        self.model = model
        self.detail = detail
        self.answer = answer  #: what it said, where that could not be read
