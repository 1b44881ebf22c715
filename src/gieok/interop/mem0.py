"""mem0's classes backed by a bank, with the same calls and dicts: to migrate from mem0, change one import."""

from __future__ import annotations

import asyncio
import json
import os
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from datetime import UTC, date, datetime
from hashlib import md5
from threading import Lock
from types import EllipsisType
from typing import Any, Final, Literal, Self

from gieok.bank import MemoryBank, Mind, iter_scopes, open_bank
from gieok.bank.adapters import sentences_left_open
from gieok.domain.answer import Hit, Where
from gieok.domain.decision import Decision, Ignore, Retract
from gieok.domain.memory import Change
from gieok.domain.memory import Memory as StoredMemory
from gieok.domain.operation import Operation
from gieok.domain.scope import Scope
from gieok.domain.server_state import Bounds, Document
from gieok.domain.turn import CHARACTER, USER, checked_text, display_name
from gieok.errors import InvalidQuery, InvalidSetting, MissingIdentity, UnknownMemory
from gieok.ids import new_id
from gieok.interop.mem0_filters import ANY, IDS, checked_filter, checked_id, identities, passes
from gieok.interop.messages import Line, as_json, exchanges, lines_of, masked, moment_of, written

__all__ = ["AsyncMemory", "Memory", "MemoryClient"]

_PROCEDURAL: Final = "procedural_memory"
_DAY_LENGTH: Final = len("2026-11-19")
_PAGE: Final = 200  #: memories per read
_MANY: Final = 1_000_000_000  #: no limit on scopes
_TOP_K: Final = 20
#: options of mem0, mostly of its platform, that are not used here or are settings of the bank
_UNUSED: Final = frozenset(
    ("version", "output_format", "async_mode", "enable_graph", "keyword_search", "filter_memories", "fields", "llm",
     "custom_categories", "custom_instructions", "includes", "excludes", "immutable", "org_id", "project_id",
     "only_metadata_based_search", "deduced_memories", "source")
)  # fmt: skip
_MORE: Final = 4  #: factor by which more hits are requested if filters drop too many

Item = dict[str, Any]
Learned = tuple[tuple[Decision, ...], Line | None]  #: decisions on a line or an exchange; a line stored verbatim


class Memory:
    """mem0's `Memory` over a bank. Thread-safe.

    `config` is mem0's configuration; its section "gieok" holds gieok's settings. `bank` is a file, a URL, or an open
    bank, which its opener closes.
    """

    def __init__(self, config: object = None, *, bank: MemoryBank | str | os.PathLike[str] | None = None) -> None:
        settings = settings_in(config)
        configured = settings.pop("bank", None)
        self._is_ours = not isinstance(bank, MemoryBank)
        #: the underlying bank
        self.bank: MemoryBank = bank if isinstance(bank, MemoryBank) else open_bank(bank or configured, **settings)
        self._extras = ExtrasStore(self.bank)

    @classmethod
    def from_config(cls, config_dict: Mapping[str, Any]) -> Self:
        return cls(config_dict)

    def add(
        self,
        messages: str | Mapping[str, Any] | Sequence[Mapping[str, Any]],
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        metadata: Mapping[str, Any] | None = None,
        timestamp: object = None,
        expiration_date: object = None,
        infer: bool = True,
        memory_type: str | None = None,
        prompt: str | None = None,
        **unused: object,
    ) -> dict[str, list[Item]]:
        """Learn from messages (with `infer=False`: store each verbatim) and return what changed.

        `timestamp` is when they were said. At least one of the ids is required.
        """
        _warn_of("add", unused)
        if memory_type not in (None, _PROCEDURAL):
            raise InvalidQuery(f"memory_type={memory_type!r}: there is only {_PROCEDURAL!r}; nothing was kept")
        if prompt is not None:
            warnings.warn("gieok's prompts are documents of its own: prompt= is not used", stacklevel=2)
        ids = _ids(user_id=user_id, agent_id=agent_id, run_id=run_id)
        scope = Scope(
            user=ids.get("user_id"),
            character=ids.get("agent_id"),
            world=ids["run_id"] if len(ids) == 1 and "run_id" in ids else None,
        )
        lines, run = lines_of(messages), ids.get("run_id")
        extras = Extras(
            metadata=self._extras.checked(metadata, "\n".join(line.text for line in lines)),
            runs=() if run is None else (run,),
            expiration_date=_day(expiration_date),
        )
        learner = Learner(
            mind=self.bank.mind(scope),
            run=run,
            at=moment_of(timestamp),
            names=frozenset(line.name for line in lines if line.role == "user" and line.name is not None),
        )
        if memory_type == _PROCEDURAL:
            extras = replace(extras, metadata={**extras.metadata, "memory_type": _PROCEDURAL})
        learned = learner.inferred(lines) if infer and memory_type is None else learner.verbatim(lines)
        return {"results": [told for each in learned for told in self._store(learner.mind, each, extras)]}

    def search(
        self,
        query: str,
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        top_k: int | None = None,
        limit: int | None = None,
        filters: Mapping[str, Any] | None = None,
        threshold: float | None = None,
        rerank: bool = False,
        explain: bool = False,
        show_expired: bool = False,
        reference_date: object = None,
        **unused: object,
    ) -> dict[str, list[Item]]:
        """Return the best hits; `score` is the weighted mean of the parts of gieok's score, 0–1.

        `reference_date` is the day (or time) that "last week" refers to, and at which the results must be true. Ids or
        `filters` select the memories. Hits below `threshold` are dropped. Reranking by a model is a setting of the bank
        (`rerank`).
        """
        _warn_of("search", unused)
        asked = checked_text(query, "query").strip()
        at = None if reference_date is None else self._moment(reference_date)
        least = _least(threshold)
        wanted = self._wanted(filters, asked, user_id=user_id, agent_id=agent_id, run_id=run_id)
        most = _most(top_k, limit)
        found: list[tuple[float, Item]] = []
        for mind in self._minds(wanted) if most else ():
            found += self._found(mind, asked, wanted, most, at=at, explain=explain, show_expired=show_expired)
        found = [(score, told) for score, told in found if score >= least]
        found.sort(key=lambda each: each[0], reverse=True)
        return {"results": [told for _, told in found[:most]]}

    def get(self, memory_id: str) -> Item | None:
        """Return a memory; None: it does not exist, or no longer."""
        mind = self._mind_of(memory_id)
        return None if mind is None else self._item(mind, mind.memory(memory_id), self._extras.get(memory_id))

    def get_all(
        self,
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        top_k: int | None = None,
        limit: int | None = None,
        filters: Mapping[str, Any] | None = None,
        show_expired: bool = False,
        **unused: object,
    ) -> dict[str, list[Item]]:
        """Return the current memories, the newest first."""
        _warn_of("get_all", unused)
        wanted = self._wanted(filters, "", user_id=user_id, agent_id=agent_id, run_id=run_id)
        most = _most(top_k, limit)
        found: list[Item] = []
        for mind in self._minds(wanted):
            mine = (told for _, told in self._all(mind, wanted, show_expired=show_expired))
            found += [told for _, told in zip(range(most), mine, strict=False)]
        found.sort(key=lambda told: str(told["created_at"]), reverse=True)
        return {"results": found[:most]}

    def update(
        self,
        memory_id: str,
        text: str | None = None,
        metadata: Mapping[str, Any] | None = None,
        expiration_date: object = ...,
        data: str | None = None,
    ) -> dict[str, str]:
        """Correct a memory, its metadata or its expiration date. `data` is an older name of `text`.

        The history keeps the old text. Raises `InvalidQuery`, a `ValueError`, for an unknown id.
        """
        words = data if text is None else text
        if words is None and metadata is None and isinstance(expiration_date, EllipsisType):
            raise InvalidQuery("what should change? give text, metadata or expiration_date; nothing was changed")
        changed = self._extras.checked(metadata, words or "")
        more = Extras(metadata=changed, updated_at=self.bank.clock.now().isoformat())
        last = ... if isinstance(expiration_date, EllipsisType) else _day(expiration_date)
        mind = self._needed(memory_id)
        if words is not None:
            mind.correct(memory_id, words)
        if metadata is not None or not isinstance(last, EllipsisType):
            extras = self._extras.get(memory_id).joined(more)
            extras = extras if isinstance(last, EllipsisType) else replace(extras, expiration_date=last)
            self._extras.put(mind.key, memory_id, extras)
        return {"message": "Memory updated successfully!"}

    def delete(self, memory_id: str) -> dict[str, str]:
        """Forget a memory with its metadata; raises `InvalidQuery`, a `ValueError`, if it does not exist."""
        self._forget(self._needed(memory_id), memory_id)
        return {"message": "Memory deleted successfully!"}

    def delete_all(
        self, user_id: str | None = None, agent_id: str | None = None, run_id: str | None = None
    ) -> dict[str, str]:
        """Forget all memories of a user, an agent or a run, or of a combination; at least one id is required."""
        ids = _ids(user_id=user_id, agent_id=agent_id, run_id=run_id, otherwise="; reset() forgets everything")
        for mind in self._minds(ids):
            for memory, _ in list(self._all(mind, ids, show_expired=True)):
                self._forget(mind, memory.id)
        return {"message": "Memories deleted successfully!"}

    def history(self, memory_id: str) -> list[Item]:
        """Return the history of a memory, oldest first, also of a deleted one; []: it never existed."""
        mind, extras = self._mind_of(memory_id, also_gone=True), self._extras.get(memory_id)
        changes = [] if mind is None else mind.history(memory_id)
        told = (_history_entry(operation, change, extras) for operation, change in changes)
        return [each for each in told if each is not None]

    def reset(self) -> None:
        """Erase everything in the bank; raises `UnderHold` before anything is erased."""
        scopes = list(iter_scopes(self.bank.store))
        for scope in scopes:
            self.bank.provisions(scope).check_hold(scope)
        for scope in scopes:
            self.bank.erase(scope, prove=False)
        self.bank.prove()

    def close(self) -> None:
        if self._is_ours:
            self.bank.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _moment(self, day: object) -> datetime:
        """Return a time; the default time zone is the bank's. A date means its end."""
        if isinstance(day, date) and not isinstance(day, datetime):
            day = day.isoformat()
        ends = isinstance(day, str) and len(day.strip()) == _DAY_LENGTH
        moment = moment_of(day.strip() if isinstance(day, str) else day)
        assert moment is not None
        moment = moment.replace(hour=23, minute=59, second=59) if ends else moment
        return moment if moment.tzinfo is not None else moment.replace(tzinfo=self.bank.settings.zone)

    def _store(self, mind: Mind, learned: Learned, extras: Extras) -> Iterator[Item]:
        """Store extras for the memories of `learned`, and yield what changed. A repetition is no change."""
        for run in extras.runs:
            self._extras.note_run(run, mind.key)
        decisions, line = learned
        told: dict[str, Any] = {}
        if line is not None:
            told = {"actor_id": self._extras.masked(line.name, line.text), "role": line.role}
        for decision in decisions:
            if not isinstance(decision, Ignore | Retract):
                self._extras.add(mind.key, decision.memory.id, replace(extras, **told))
        for change in (change for decision in decisions for change in decision.changes):
            event, memory = _event(change, mind.present()), change.after or change.before
            if event is not None and memory is not None:
                shown = _metadata(memory, extras)
                added = told | ({"metadata": shown} if shown else {}) if event == "ADD" else {}
                yield {"id": memory.id, "memory": memory.content, "event": event, **added}

    def _found(
        self,
        mind: Mind,
        query: str,
        wanted: Mapping[str, Any],
        most: int,
        *,
        at: datetime | None,
        explain: bool,
        show_expired: bool,
    ) -> list[tuple[float, Item]]:
        """Return the best hits of one mind that pass the filter; request more while it drops too many."""
        k = most
        while True:
            hits = mind.recall(query, k=k, at=at, where=Where(kind="memory"), explain=explain)
            fitting: list[tuple[float, Item]] = []
            for hit in hits:
                if hit.scope != mind.key or not isinstance(hit.item, StoredMemory):
                    continue
                if told := self._passed(mind, hit.item, wanted, show_expired=show_expired):
                    fitting.append(_scored(mind, hit, told))
            if len(fitting) >= most or len(hits) < k:
                return fitting[:most]
            k *= _MORE

    def _all(self, mind: Mind, wanted: Mapping[str, Any], *, show_expired: bool) -> Iterator[tuple[StoredMemory, Item]]:
        """Yield the current memories of a mind that pass the filter, the newest first."""
        before = None
        while leaves := mind.memories(_PAGE, before=before):
            for leaf in leaves:
                told = self._passed(mind, leaf.memory, wanted, show_expired=show_expired)
                if told is not None:
                    yield leaf.memory, told
            before = leaves[-1].place

    def _passed(
        self, mind: Mind, memory: StoredMemory, wanted: Mapping[str, Any], *, show_expired: bool
    ) -> Item | None:
        """Return a memory in mem0's format; None: filtered out. Summaries are not included."""
        if memory.content_type == "summary":
            return None
        extras = self._extras.get(memory.id)
        if not show_expired and extras.expired(self.bank.clock.now()):
            return None
        runs = [each["run_id"] for each in identities(wanted) if "run_id" in each]
        told = self._item(mind, memory, extras, runs=runs)
        metadata = _metadata(memory, extras)
        record = {**metadata, **told, "metadata": metadata, "run_id": list(extras.runs)}
        return told if passes(record, wanted) else None

    def _item(self, mind: Mind, memory: StoredMemory, extras: Extras, *, runs: Iterable[str] = ()) -> Item:
        """Return a memory in mem0's format; if it has several runs, with a requested one."""
        updated = memory.known_at
        for operation, change in mind.history(memory.id) if memory.version > 1 else ():
            if _event(change, operation.moment.at) is not None:
                updated = operation.moment.at
        asked = [run for run in extras.runs if run in tuple(runs)] or extras.runs
        told = {
            "user_id": mind.key.user,
            "agent_id": mind.key.character,
            "run_id": asked[-1] if asked else None,
            "actor_id": extras.actor_id,
            "role": extras.role,
            "expiration_date": extras.expiration_date,
        }
        return {
            "id": memory.id,
            "memory": memory.content,
            "hash": md5(memory.content.encode(), usedforsecurity=False).hexdigest(),
            "metadata": _metadata(memory, extras) or None,
            "created_at": written(memory.known_at),
            "updated_at": max(written(updated), extras.updated_at or ""),
            **{name: value for name, value in told.items() if value is not None},
        }

    def _wanted(self, filters: Mapping[str, Any] | None, beside: str, **ids: object) -> dict[str, Any]:
        """Return the complete filter; raises `MissingIdentity` if it names no user, agent or run."""
        given = {key: checked_id(key, value) for key, value in ids.items() if value is not None}
        wanted = checked_filter(self._extras.masked({} if filters is None else filters, beside))
        whole = {"AND": [wanted, given]} if wanted and given else wanted or given
        if not all(any(name != ANY for name in whose.values()) for whose in identities(whole)):
            raise MissingIdentity(ids)
        return whole

    def _minds(self, wanted: Mapping[str, Any]) -> list[Mind]:
        """Return the minds whose memories can pass a filter, each once."""
        scopes: dict[Scope, None] = {}
        for whose in identities(wanted):
            user, agent, run = (None if whose.get(each) == ANY else whose.get(each) for each in IDS)
            if run is not None and user is None and agent is None:
                scopes |= dict.fromkeys(self._extras.scopes_of(run))
                continue
            within = [Bounds(user=user, character=agent)]
            scopes |= dict.fromkeys(summary.scope for summary in self.bank.latest_scopes(_MANY, within=within))
        return [self.bank.mind(scope) for scope in scopes]

    def _mind_of(self, memory_id: str, *, also_gone: bool = False) -> Mind | None:
        """Return the mind of a memory, from its extras or by a search; None: not found."""
        noted = self._extras.scope_of(memory_id)
        for scope in iter_scopes(self.bank.store) if noted is None else (noted,):
            mind = self.bank.mind(scope)
            try:
                memory = mind.memory(memory_id)
            except UnknownMemory:
                continue
            return mind if also_gone or _holds(memory, mind.present()) else None
        return None

    def _needed(self, memory_id: str) -> Mind:
        mind = self._mind_of(memory_id)
        if mind is None:
            raise InvalidQuery(f"there is no memory with the id {memory_id!r}; get_all() lists what there is")
        return mind

    def _forget(self, mind: Mind, memory_id: str) -> None:
        mind.forget(memory_id)
        self._extras.put(mind.key, memory_id, _NO_EXTRAS)


class MemoryClient(Memory):
    """mem0's `MemoryClient` over a bank: nothing is sent to mem0's platform, and its API key is not used."""

    def __init__(
        self,
        api_key: str | None = None,
        host: str | None = None,
        org_id: str | None = None,
        project_id: str | None = None,
        *,
        config: object = None,
        bank: MemoryBank | str | os.PathLike[str] | None = None,
    ) -> None:
        given = {"api_key": api_key, "host": host, "org_id": org_id, "project_id": project_id}
        if unused := [name for name, value in given.items() if value]:
            told = f"gieok does not use {', '.join(unused)}: memories are in a bank of your own, not on mem0's platform"
            warnings.warn(told, stacklevel=2)
        super().__init__(config, bank=bank)

    def users(self) -> dict[str, list[Item]]:
        """Return the existing users and agents."""
        names = {("user", each.user) for each in iter_scopes(self.bank.store)}
        names |= {("agent", each.character) for each in iter_scopes(self.bank.store)}
        known = sorted((kind, name) for kind, name in names if name is not None)
        return {"results": [{"name": name, "type": kind} for kind, name in known]}

    def delete_users(self, user_id: str | None = None, agent_id: str | None = None) -> dict[str, str]:
        """Forget all memories of a user or an agent; at least one id is required."""
        return self.delete_all(user_id=user_id, agent_id=agent_id)

    def batch_update(self, memories: Sequence[Mapping[str, Any]]) -> dict[str, str]:
        """Correct memories, each given as {"memory_id": …, "text": …}."""
        for each in memories:
            self.update(each["memory_id"], each.get("text"), each.get("metadata"))
        return {"message": f"Successfully updated {len(memories)} memories"}

    def batch_delete(self, memories: Sequence[Mapping[str, Any]]) -> dict[str, str]:
        """Forget memories, each given as {"memory_id": …}."""
        for each in memories:
            self.delete(each["memory_id"])
        return {"message": f"Successfully deleted {len(memories)} memories"}


class AsyncMemory:
    """A `Memory` with awaitable calls. `sync` is the underlying memory."""

    def __init__(self, config: object = None, *, bank: MemoryBank | str | os.PathLike[str] | None = None) -> None:
        self.sync = Memory(config, bank=bank)
        self.bank = self.sync.bank

    @classmethod
    def from_config(cls, config_dict: Mapping[str, Any]) -> Self:
        return cls(config_dict)

    async def add(self, messages: Any, **options: Any) -> dict[str, list[Item]]:
        return await asyncio.to_thread(self.sync.add, messages, **options)

    async def search(self, query: str, **options: Any) -> dict[str, list[Item]]:
        return await asyncio.to_thread(self.sync.search, query, **options)

    async def get(self, memory_id: str) -> Item | None:
        return await asyncio.to_thread(self.sync.get, memory_id)

    async def get_all(self, **options: Any) -> dict[str, list[Item]]:
        return await asyncio.to_thread(self.sync.get_all, **options)

    async def update(self, memory_id: str, *arguments: Any, **options: Any) -> dict[str, str]:
        return await asyncio.to_thread(self.sync.update, memory_id, *arguments, **options)

    async def delete(self, memory_id: str) -> dict[str, str]:
        return await asyncio.to_thread(self.sync.delete, memory_id)

    async def delete_all(self, **options: Any) -> dict[str, str]:
        return await asyncio.to_thread(self.sync.delete_all, **options)

    async def history(self, memory_id: str) -> list[Item]:
        return await asyncio.to_thread(self.sync.history, memory_id)

    async def reset(self) -> None:
        await asyncio.to_thread(self.sync.reset)

    def close(self) -> None:
        self.sync.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await asyncio.to_thread(self.sync.close)


_OWN_SECTION: Final = "gieok"
_PROVIDERS: Final = ("openai", "gemini", "ollama", "vllm", "lmstudio")  #: providers that both know by the same name


def settings_in(config: object) -> dict[str, Any]:
    """Return the settings in a mem0 configuration: a dict, or an object with `model_dump`.

    Model and embedder are used if gieok knows their provider. One warning lists unused options.
    """
    dump = getattr(config, "model_dump", None)
    given = {} if config is None else dump(exclude_unset=True) if callable(dump) else config
    if not isinstance(given, Mapping):
        raise InvalidSetting(f"a configuration is a dict like mem0's, not {type(config).__name__}; no bank was opened")
    settings = dict(given.get(_OWN_SECTION) or {})
    used = (_OWN_SECTION, "llm", "embedder", "version")
    unused = [name for name, value in given.items() if value and name not in used]
    for name in ("llm", "embedder"):
        section = given.get(name)
        if section and not (taken := _model_settings(name, section)):
            unused.append(f"{name} ({section.get('provider', 'without a provider')})")
        elif section:
            settings = taken | settings
    if unused:
        warnings.warn(
            f"gieok does not use {', '.join(unused)}: vectors, history and links are in the bank itself, and gieok's "
            "own settings are in the section 'gieok' (docs/settings.md)",
            stacklevel=4,
        )
    return settings


def _model_settings(name: str, section: Any) -> dict[str, Any]:
    """Return the settings of a model; {} if its provider is unknown or missing."""
    if not isinstance(section, Mapping):
        raise InvalidSetting(f"{name} is a dict with a provider and its config; no bank was opened")
    provider, config = section.get("provider"), section.get("config") or {}
    model = config.get("model")
    if provider not in _PROVIDERS or not model:
        return {}
    dimension = config.get("embedding_dims") if name == "embedder" else None
    url = config.get(f"{provider}_base_url") or config.get("base_url")
    if provider == "ollama" and isinstance(url, str) and not url.rstrip("/").endswith("/v1"):
        url = f"{url.rstrip('/')}/v1"  # mem0 uses Ollama's own API, gieok the one at /v1
    found = {
        name: f"{provider}:{model}" + (f"@{dimension}" if dimension else ""),
        f"{name}_key": config.get("api_key"),
        f"{name}_url": url,
    }
    return {setting: value for setting, value in found.items() if value is not None}


_EXTRAS: Final = ("mem0.memories",)
_RUNS: Final = "mem0.runs"
_RESERVED: Final = ("user_id", "agent_id", "run_id", "actor_id")  #: come from the call, never from metadata
_DOUBTFUL: Final = "doubtful"  #: in metadata: the memory is unconfirmed


@dataclass(frozen=True, slots=True, kw_only=True)
class Extras:
    """Data that mem0's callers store with a memory."""

    metadata: Mapping[str, Any] = field(default_factory=dict)
    runs: tuple[str, ...] = ()  #: the runs it was said in, the latest last
    role: str | None = None
    actor_id: str | None = None
    expiration_date: str | None = None  #: last day on which it is found, "2026-11-16"
    updated_at: str | None = None  #: last change of these data

    def joined(self, more: Extras) -> Extras:
        """Return these merged with `more`, which takes precedence."""
        said = {each.name: getattr(more, each.name) for each in fields(Extras) if getattr(more, each.name)}
        runs = (*(run for run in self.runs if run not in more.runs), *more.runs)
        return replace(self, **{**said, "metadata": {**self.metadata, **more.metadata}, "runs": runs})

    def expired(self, now: datetime) -> bool:
        return self.expiration_date is not None and self.expiration_date < now.astimezone(UTC).date().isoformat()


_NO_EXTRAS: Final = Extras()


class ExtrasStore:
    """Stores extras as documents in a memory's scope, under its id: found by that id, erased with the scope."""

    def __init__(self, bank: MemoryBank) -> None:
        self._bank = bank
        self._writing = Lock()

    def checked(self, metadata: object, beside: str) -> dict[str, Any]:
        """Return storable metadata with personal data masked; raises `InvalidQuery`.

        The text `beside` it may show what a bare number is.
        """
        if metadata is None:
            return {}
        if not isinstance(metadata, Mapping):
            raise InvalidQuery(f"metadata must be a dict, not {type(metadata).__name__}; nothing was kept")
        own = {key: value for key, value in metadata.items() if key not in (*_RESERVED, _DOUBTFUL)}
        try:
            return dict(json.loads(as_json(self.masked(own, beside))))
        except (TypeError, ValueError) as cause:
            raise InvalidQuery(f"metadata must be what JSON can hold: {cause}; nothing was kept") from cause

    def masked(self, value: Any, beside: str) -> Any:
        """Return a value with personal data masked as in stored metadata; ids are unchanged."""
        mask = self._bank.services.mask
        return masked(value, lambda text: mask(text, (), beside).text, whole=_RESERVED)

    def scope_of(self, memory_id: str) -> Scope | None:
        document = self._bank.store.server.document(_EXTRAS, memory_id)
        return None if document is None else document.scope

    def get(self, memory_id: str) -> Extras:
        document = self._bank.store.server.document(_EXTRAS, memory_id)
        told = {} if document is None else json.loads(document.value)
        return Extras(**{**told, "runs": tuple(told.get("runs", ()))})

    def add(self, scope: Scope, memory_id: str, more: Extras) -> None:
        with self._writing:
            self._put(_EXTRAS, memory_id, self.get(memory_id).joined(more), scope, memory_id)

    def put(self, scope: Scope, memory_id: str, extras: Extras) -> None:
        with self._writing:
            self._put(_EXTRAS, memory_id, extras, scope, memory_id)

    def note_run(self, run: str, scope: Scope) -> None:
        if self._bank.store.server.document((_RUNS, run), str(scope)) is None:
            self._put((_RUNS, run), str(scope), _NO_EXTRAS, scope, None)

    def scopes_of(self, run: str) -> list[Scope]:
        return [document.scope for document in self._bank.store.server.documents((_RUNS, run))]

    def _put(self, namespace: tuple[str, ...], key: str, extras: Extras, scope: Scope, memory_id: str | None) -> None:
        now = self._bank.clock.now()
        value = as_json({name: part for name, part in asdict(extras).items() if part})
        place: dict[str, Any] = {"namespace": namespace, "key": key, "scope": scope, "memory_id": memory_id}
        self._bank.store.server.put_document(Document(**place, value=value, created_at=now, updated_at=now))


@dataclass(frozen=True, slots=True, kw_only=True)
class Learner:
    """Learns from the messages of one `add`."""

    mind: Mind
    run: str | None
    at: datetime | None
    names: frozenset[str]  #: names of speakers with the user role; a single name given with a user id is the user's own

    def verbatim(self, lines: Sequence[Line]) -> Iterator[Learned]:
        """Store every line verbatim. Each gets a unique value, so that none is merged with another."""
        for line in lines:
            speaker = self._speaker(line)
            decision = self.mind.remember(
                line.text, about=speaker, said_by=speaker, attribute="note", value=new_id(), at=self.at
            )
            yield (decision,), line

    def inferred(self, lines: Sequence[Line]) -> Iterator[Learned]:
        """Observe every exchange. Statements without extracted facts are stored verbatim as notes.

        If a model reads what the reader left open, its result is awaited instead.
        """
        bank = self.mind.bank
        deep = bank.model is not None and bank.settings.deep_extraction
        before = [each.number for each in self.mind.last_operations(1)]
        turns = []
        heard = [line if self._speaker(line) == CHARACTER else replace(line, role="user") for line in lines]
        for said, answered in exchanges(heard):  # another agent's message counts as said to this mind
            observed = self.mind.observe(
                None if said is None else said.text,
                reply=None if answered is None else answered.text,
                speaker=None if said is None or (who := self._speaker(said)) == USER else who,
                session=self.run,
                at=self.at,
            )
            turns.append(observed.turn.id)
            yield observed.decisions, None
            for utterance, sentences in () if deep else sentences_left_open(observed):
                who = utterance.speaker
                for sentence in sentences:
                    yield (self.mind.remember(sentence, about=who, said_by=who, at=observed.turn.at),), None
        if deep:
            yield from self._deepened(turns, since=max(before, default=0) + 1)

    def _deepened(self, turns: Sequence[str], *, since: int) -> Iterator[Learned]:
        """Wait for the model, and yield its readings of these turns."""
        bank = self.mind.bank
        bank.settle()
        self.mind.deepen()
        for operation in self.mind.journal(since=since):
            if operation.kind == "deepen" and operation.turn_id in turns and not operation.undone:
                yield operation.decisions, None

    def _speaker(self, line: Line) -> str:
        """Return the speaker of a line: the user or the agent, unless another is named."""
        key = self.mind.key
        if line.role == "assistant":
            return display_name(line.name) if line.name and key.character not in (None, line.name) else CHARACTER
        if line.name is None or (key.user is not None and self.names == {line.name}):
            return USER
        return display_name(line.name)


def _holds(memory: StoredMemory, at: datetime) -> bool:
    """Return whether mem0 would have the memory: not forgotten, pruned or ended."""
    return not memory.hidden and (memory.invalid_at is None or memory.invalid_at > at)


def _metadata(memory: StoredMemory, extras: Extras) -> dict[str, Any]:
    """Return the metadata to show: as given, with `doubtful` for an unconfirmed memory."""
    return {**extras.metadata, _DOUBTFUL: True} if memory.doubtful else dict(extras.metadata)


def _event(change: Change, at: datetime) -> Literal["ADD", "UPDATE", "DELETE"] | None:
    """Return mem0's name for a change; None: mem0 would not report it."""
    before = change.before if change.before is not None and _holds(change.before, at) else None
    after = change.after if change.after is not None and _holds(change.after, at) else None
    if before is None:
        return None if after is None else "ADD"
    if after is None:
        return "DELETE"
    return "UPDATE" if before.content != after.content else None


def _history_entry(operation: Operation, change: Change, extras: Extras) -> Item | None:
    event, known = _event(change, operation.moment.at), change.after or change.before
    if event is None:
        return None
    return {
        "id": operation.id,
        "memory_id": change.memory_id,
        "old_memory": None if event == "ADD" or change.before is None else change.before.content,
        "new_memory": None if event == "DELETE" or change.after is None else change.after.content,
        "event": event,
        "created_at": None if known is None else written(known.known_at),
        "updated_at": written(operation.moment.at),
        "is_deleted": event == "DELETE",
        "actor_id": extras.actor_id,
        "role": extras.role,
    }


def _warn_of(call: str, options: Mapping[str, object]) -> None:
    """Warn of unused options; raises `InvalidQuery` for options that mem0 does not have."""
    if unknown := [name for name in options if name not in _UNUSED]:
        raise InvalidQuery(f"{call}() has no option {', '.join(map(repr, unknown))}; nothing was done")
    if options:
        warnings.warn(f"gieok does not use {', '.join(options)} in {call}() (docs/interop.md)", stacklevel=3)


def _day(expiration: object) -> str | None:
    """Return an expiration date in stored form; raises `InvalidQuery`."""
    if expiration is None:
        return None
    if isinstance(expiration, date):
        return (expiration.date() if isinstance(expiration, datetime) else expiration).isoformat()
    try:
        return date.fromisoformat(str(expiration)).isoformat()
    except ValueError as cause:
        raise InvalidQuery(f"expiration_date={expiration!r} is no day like 2026-11-16; nothing was kept") from cause


def _scored(mind: Mind, hit: Hit, told: Item) -> tuple[float, Item]:
    together = sum(getattr(mind.weights, each.name) for each in fields(mind.weights))
    score = min(hit.score / together, 1.0) if together > 0 else 0.0
    details = {} if hit.contributions is None else {"score_details": dict(hit.contributions)}
    return score, {**told, "score": score, **details}


def _ids(*, otherwise: str = "", **given: object) -> dict[str, str]:
    """Return the given ids; raises `MissingIdentity` if there are none."""
    ids = {key: checked_id(key, value) for key, value in given.items() if value is not None}
    if not ids:
        raise MissingIdentity(given, otherwise)
    return ids


def _most(top_k: int | None, limit: int | None) -> int:
    most: object = top_k if top_k is not None else limit if limit is not None else _TOP_K
    if not isinstance(most, int) or isinstance(most, bool) or most < 0:
        raise InvalidQuery(f"top_k={most!r} must be a whole number of at least 0")
    return most


def _least(threshold: object) -> float:
    if threshold is None:
        return 0.0
    if not isinstance(threshold, int | float) or not 0 <= threshold <= 1:
        raise InvalidQuery(f"threshold={threshold!r} must be a number between 0 and 1")
    return float(threshold)
