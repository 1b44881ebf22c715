"""Every error a caller can meet.

A message names the trouble and the way out; the facts behind it are attributes.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime


class GieokError(Exception):
    """Base of every error that gieok raises on purpose."""


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
        super().__init__(f"memory {memory_id!r} has no version {version}; versions() lists those it has")
        self.memory_id = memory_id
        self.version = version


class NaiveDatetime(InvalidInput):
    """A datetime without a time zone was given where a moment is needed."""

    def __init__(self, name: str, value: datetime) -> None:
        super().__init__(
            f"{name}={value.isoformat()} has no time zone; pass an aware datetime, "
            f'e.g. {name}.replace(tzinfo=ZoneInfo("Asia/Seoul"))'
        )
        self.name = name
        self.value = value


class NotFound(GieokError, LookupError):
    """Something was named that is not there."""


class UnknownMemory(NotFound):
    """No such memory in this scope (a foreign scope's memory is unknown, too)."""

    def __init__(self, memory_id: str) -> None:
        super().__init__(f"no memory {memory_id!r} in this scope; facts(history=True) lists what there is")
        self.memory_id = memory_id


class UnknownTurn(NotFound):
    """No such turn in this scope, or it was rewound already."""

    def __init__(self, turn_id: str) -> None:
        super().__init__(f"no turn {turn_id!r} in this scope; it was never observed here or is rewound already")
        self.turn_id = turn_id


class NoTrace(NotFound):
    """Nobody kept how a turn came about, or it is too long ago."""

    def __init__(self, turn_id: str, kept: int) -> None:
        way_out = f"the last {kept} turns of a scope keep theirs; raise keep_traces to keep more"
        super().__init__(f"turn {turn_id!r} has no trace; {way_out if kept else 'set keep_traces to keep them'}")
        self.turn_id = turn_id
        self.kept = kept


class UnknownPerson(NotFound):
    """Nobody of that name was ever spoken of in this scope."""

    def __init__(self, name: str) -> None:
        super().__init__(f"nobody goes by {name!r} in this scope; entities() lists whom it knows")
        self.name = name


class UnknownScope(NotFound):
    """Nothing was ever observed in this scope."""

    def __init__(self, scope: str, known: tuple[str, ...] = ()) -> None:
        hint = f"; known scopes: {', '.join(known)}" if known else "; this bank is still empty"
        super().__init__(f"nothing was ever observed for {scope}{hint}")
        self.scope = scope
        self.known = known


class UnknownUser(NotFound):
    """Nothing is kept of a user."""

    def __init__(self, scope: str) -> None:
        super().__init__(f"nothing is kept of [{scope}]; check how the name is written")
        self.scope = scope


class TurnChanged(GieokError):
    """A turn id was used again with other words."""

    def __init__(self, turn_id: str) -> None:
        super().__init__(
            f"turn {turn_id!r} was observed with another text; use a new turn_id, or rewind({turn_id!r}) first"
        )
        self.turn_id = turn_id


class ScopeBusy(GieokError):
    """Other writers kept changing the scope; the operation was not carried out."""

    def __init__(self, attempts: int) -> None:
        super().__init__(f"others changed this scope {attempts} times in a row; nothing was written, try again")
        self.attempts = attempts


class TurnUnderWay(GieokError):
    """Another turn of the same talk has not ended; this one was not begun."""

    def __init__(self, scope: str, seconds: float) -> None:
        super().__init__(
            f"another turn in [{scope}] is still under way after {seconds:g} s; read its events to the end, or close it"
        )
        self.scope = scope
        self.seconds = seconds


class InvalidExport(InvalidInput):
    """A file that should hold somebody's memories cannot be taken in; nothing was."""

    def __init__(self, flaw: str, *, table: str | None = None, line: int = 0) -> None:
        where = "" if table is None else f"{table}.jsonl, line {line}: " if line else f"{table}.jsonl: "
        super().__init__(f"{where}{flaw}; nothing was imported")
        self.flaw = flaw
        self.table = table  #: the file within the file, without its ending
        self.line = line  #: 0: not one line alone


class InvalidImport(InvalidInput):
    """A file or folder of another system cannot be read; nothing of it was taken in."""

    def __init__(self, flaw: str, *, where: str | None = None) -> None:
        super().__init__(f"{where}: {flaw}; nothing was imported" if where else f"{flaw}; nothing was imported")
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
        super().__init__(
            f"memory {memory_id!r} is at version {found} by now, not {expected}; read it again, then change it"
        )
        self.memory_id = memory_id
        self.expected = expected
        self.found = found


class BankClosed(BankError):
    """The bank was closed."""

    def __init__(self) -> None:
        super().__init__("this bank is closed; gieok.open(…) gives a new handle")


class NotABank(BankError):
    """The file exists but gieok did not make it (or it is encrypted with another key)."""


class WrongKey(NotABank):
    """The file is encrypted, and the key that was given does not open it."""


class BackupDamaged(BankError):
    """A backup is not what it was when it was made, or lacks a part; nothing was restored."""


class NewerSchema(BankError):
    """The bank was written by a later gieok."""

    def __init__(self, found: int, known: int) -> None:
        super().__init__(
            f"this bank has schema {found}, but this gieok knows only up to {known}; upgrade: pip install -U gieok"
        )
        self.found = found
        self.known = known


class BankUnavailable(BankError):
    """The file cannot be opened, read or written (folder, permissions, disk)."""


class BankInterrupted(BankUnavailable):
    """The bank broke off in the middle of something: a server that stopped, a connection that was lost."""


class BankInUse(BankUnavailable):
    """Somebody has the bank open who must not; nothing was changed."""


class DiskFull(BankUnavailable):
    """There is no room left to write; the operation was not carried out."""


class UnderHold(GieokError):
    """A hold stands on a scope: nothing of it may go."""

    def __init__(self, scope: str, by: str, why: str) -> None:
        reason = f": {why}" if why else ""
        super().__init__(
            f"a hold by {by} stands on [{scope}]{reason}; nothing was erased, release it first: bank.release(scope)"
        )
        self.scope = scope
        self.by = by
        self.why = why


class ErasureUnproven(BankError):
    """What was asked for is erased, but something in the files may still tell of it. No certificate was given out."""


class ScopeFull(BankError):
    """A scope holds as many items as its id range allows."""


class EmbedderMismatch(BankError):
    """The bank's vectors were made by another embedder than the one configured."""

    def __init__(self, *, built_with: str, configured: str) -> None:
        super().__init__(
            f"this bank was built with embedder {built_with!r}, but {configured!r} is configured; "
            f'run "gieok reindex" to re-embed, or set embedder = "{built_with}"'
        )
        self.built_with = built_with
        self.configured = configured


class EmbedderFailed(GieokError):
    """The embedder gave no usable vectors; keyword search still works."""


class SettingsError(GieokError):
    """The configuration cannot be used."""


class UnknownSetting(SettingsError):
    """A setting's name is not known."""

    def __init__(self, name: str, suggestion: str | None, where: str) -> None:
        hint = f"did you mean {suggestion}?" if suggestion else "docs/settings.md lists those there are"
        super().__init__(f"unknown setting {name} in {where}; {hint}")
        self.name = name
        self.suggestion = suggestion


class UnknownPreset(SettingsError):
    """No preset has this name."""

    def __init__(self, name: str, suggestion: str | None, known: tuple[str, ...]) -> None:
        hint = f"did you mean {suggestion}?" if suggestion else f"choose one of {', '.join(known)}"
        super().__init__(f"unknown preset {name!r}; {hint}")
        self.name = name
        self.suggestion = suggestion
        self.known = known


class InvalidSetting(SettingsError):
    """A setting has a value of the wrong kind or out of range."""


class NoModel(GieokError):
    """Something needs a language model, and none is configured."""

    def __init__(self) -> None:
        super().__init__(
            'no model is configured to speak; set llm = "ollama:qwen3:8b" (or openai:…, gguf:PATH) in gieok.toml, '
            "or hand one in: Conversation(mind, model)"
        )


class ModelFailed(GieokError):
    """A language model gave no usable answer. Nothing was made up in its place; rules do what they can without it."""

    def __init__(self, failure: str, model: str, detail: str, *, answer: str = "") -> None:
        super().__init__(f"model {model!r} gave no answer ({failure}): {detail}")
        self.failure = failure  #: one of `gieok.domain.answer.Failure`
        self.model = model
        self.detail = detail
        self.answer = answer  #: what it said, where that could not be read
