"""mem0's `Memory` over a bank: the same calls, the same dicts, with gieok's memory behind them."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import fields, replace
from types import EllipsisType, TracebackType
from typing import Any, Final, Self

from gieok.bank import MemoryBank, Mind, open_bank
from gieok.bank.roll import every_scope
from gieok.domain.answer import Hit, Where
from gieok.domain.decision import Ignore, Retract
from gieok.domain.memory import Memory as Kept
from gieok.domain.scope import Scope
from gieok.domain.server_state import Bounds
from gieok.domain.turn import checked_text
from gieok.errors import InvalidQuery, MissingIdentity, UnderHold, UnknownMemory
from gieok.interop.mem0 import shapes
from gieok.interop.mem0.configuring import settings_in
from gieok.interop.mem0.filters import ANY, IDS, checked, identities, name, passes
from gieok.interop.mem0.learning import Learned, Learner
from gieok.interop.mem0.shapes import Item
from gieok.interop.mem0.shelf import NOTHING, Beside, Shelf
from gieok.interop.messages import lines_of, moment_of

_PROCEDURAL: Final = "procedural_memory"
_PAGE: Final = 200  #: memories that are leafed through at once
_MANY: Final = 1_000_000_000  #: scopes: all there are
_TOP_K: Final = 20
_MORE: Final = 4  #: times as many hits are asked for while filters leave too few


class Memory:
    """What mem0's `Memory` offers, kept in a bank. Safe to use from many threads.

    `config` is mem0's own configuration, of which gieok takes what it has a use for; its section "gieok" holds gieok's
    settings. `bank` is where the memories are: a file, an address, or a bank that is open, which its opener closes.
    """

    def __init__(self, config: object = None, *, bank: MemoryBank | str | os.PathLike[str] | None = None) -> None:
        settings = settings_in(config)
        configured = settings.pop("bank", None)
        self._is_ours = not isinstance(bank, MemoryBank)
        #: the bank behind it: everything else that gieok can do
        self.bank: MemoryBank = bank if isinstance(bank, MemoryBank) else open_bank(bank or configured, **settings)
        self._shelf = Shelf(self.bank)

    @classmethod
    def from_config(cls, config_dict: Mapping[str, Any]) -> Self:
        """Return a memory as mem0's configuration describes it."""
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
    ) -> dict[str, list[Item]]:
        """Learn from messages, or with `infer=False` keep each of them in its own words; return what changed.

        `timestamp` says when it was said. At least one of the ids is needed.
        """
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
        beside = Beside(
            metadata=self._shelf.checked(metadata, "\n".join(line.text for line in lines)),
            runs=() if run is None else (run,),
            expiration_date=shapes.day_of(expiration_date),
        )
        learner = Learner(
            mind=self.bank.mind(scope),
            run=run,
            at=moment_of(timestamp),
            names=frozenset(line.name for line in lines if line.role == "user" and line.name is not None),
        )
        if memory_type == _PROCEDURAL:
            beside = replace(beside, metadata={**beside.metadata, "memory_type": _PROCEDURAL})
        learned = learner.inferred(lines) if infer and memory_type is None else learner.verbatim(lines)
        return {"results": [told for each in learned for told in self._kept(learner.mind, each, beside)]}

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
    ) -> dict[str, list[Item]]:
        """Return what comes to mind, best first; `score` is the weighted mean of the parts of gieok's score, 0–1.

        Whose memories are meant say ids or `filters`; what is scored below `threshold` is left out. Whether a model
        puts hits in order is a setting of the bank (`rerank`).
        """
        asked = checked_text(query, "query").strip()
        least = _least(threshold)
        wanted = self._wanted(filters, asked, user_id=user_id, agent_id=agent_id, run_id=run_id)
        most = _most(top_k, limit)
        found: list[tuple[float, Item]] = []
        for mind in self._minds(wanted) if most else ():
            found += self._found(mind, asked, wanted, most, explain=explain, show_expired=show_expired)
        found = [(score, told) for score, told in found if score >= least]
        found.sort(key=lambda each: each[0], reverse=True)
        return {"results": [told for _, told in found[:most]]}

    def get(self, memory_id: str) -> Item | None:
        """Return a memory; None: there is none, or no longer."""
        mind = self._mind_of(memory_id)
        return None if mind is None else self._item(mind, mind.memory(memory_id), self._shelf.beside(memory_id))

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
    ) -> dict[str, list[Item]]:
        """Return the memories that hold now, those that were written down last first."""
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
        """Put a memory right (`data` is what `text` was once called), or what stands beside it.

        What it said before stays in its history. Raises `InvalidQuery`, a `ValueError`, for an unknown id.
        """
        words = data if text is None else text
        if words is None and metadata is None and isinstance(expiration_date, EllipsisType):
            raise InvalidQuery("what is to be changed? give text, metadata or expiration_date; nothing was changed")
        more = Beside(metadata=self._shelf.checked(metadata, words or ""), updated_at=self.bank.clock.now().isoformat())
        last = ... if isinstance(expiration_date, EllipsisType) else shapes.day_of(expiration_date)
        mind = self._needed(memory_id)
        if words is not None:
            mind.correct(memory_id, words)
        if metadata is not None or not isinstance(last, EllipsisType):
            beside = self._shelf.beside(memory_id).joined(more)
            beside = beside if isinstance(last, EllipsisType) else replace(beside, expiration_date=last)
            self._shelf.put(mind.key, memory_id, beside)
        return {"message": "Memory updated successfully!"}

    def delete(self, memory_id: str) -> dict[str, str]:
        """Forget a memory, and all that stands beside it; raises `InvalidQuery`, a `ValueError`, if there is none."""
        self._forget(self._needed(memory_id), memory_id)
        return {"message": "Memory deleted successfully!"}

    def delete_all(
        self, user_id: str | None = None, agent_id: str | None = None, run_id: str | None = None
    ) -> dict[str, str]:
        """Forget all memories of a user, an agent, a run, or of several at once; without any id nothing is."""
        ids = _ids(user_id=user_id, agent_id=agent_id, run_id=run_id, otherwise="; reset() forgets everything")
        for mind in self._minds(ids):
            for memory, _ in list(self._all(mind, ids, show_expired=True)):
                self._forget(mind, memory.id)
        return {"message": "Memories deleted successfully!"}

    def history(self, memory_id: str) -> list[Item]:
        """Return what happened to a memory, oldest first, also to a deleted one; nothing: there never was one."""
        mind = self._mind_of(memory_id, also_gone=True)
        if mind is None:
            return []
        beside = self._shelf.beside(memory_id)
        told = (shapes.history_entry(operation, change, beside) for operation, change in mind.history(memory_id))
        return [each for each in told if each is not None]

    def reset(self) -> None:
        """Erase everything in the bank, for good; raises `UnderHold` before anything goes."""
        scopes = list(every_scope(self.bank.store))
        for scope in scopes:
            hold = self.bank.provisions(scope).hold
            if hold is not None:
                raise UnderHold(str(scope), hold.by, hold.why)
        for scope in scopes:
            self.bank.erase(scope, prove=False)
        self.bank.prove()

    def close(self) -> None:
        """Close the bank, if it was opened here."""
        if self._is_ours:
            self.bank.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _kept(self, mind: Mind, learned: Learned, beside: Beside) -> Iterator[Item]:
        """Keep what stands beside the memories of `learned`, and yield what happened."""
        for run in beside.runs:
            self._shelf.note_run(run, mind.key)
        own = beside
        told: dict[str, Any] = {"metadata": dict(beside.metadata)} if beside.metadata else {}
        if learned.line is not None:
            actor = self._shelf.masked(learned.line.name, learned.line.text)
            own = replace(beside, role=learned.line.role, actor_id=actor)
            told |= {"actor_id": actor, "role": learned.line.role}
        for decision in learned.decisions:
            if not isinstance(decision, Ignore | Retract):
                self._shelf.add(mind.key, decision.memory.id, own)
        for event in shapes.happened(learned.decisions, mind.present()):
            yield {**event, **told} if event["event"] == "ADD" else event

    def _found(
        self, mind: Mind, query: str, wanted: Mapping[str, Any], most: int, *, explain: bool, show_expired: bool
    ) -> list[tuple[float, Item]]:
        """Return the best of one mind that fit; more is asked for as long as filters leave too few."""
        k = most
        while True:
            hits = mind.recall(query, k=k, where=Where(kind="memory"), explain=explain)
            fitting = [(hit, told) for hit in hits if (told := self._fitting(mind, hit, wanted, show_expired))]
            if len(fitting) >= most or len(hits) < k:
                return [_scored(mind, hit, told) for hit, told in fitting[:most]]
            k *= _MORE

    def _fitting(self, mind: Mind, hit: Hit, wanted: Mapping[str, Any], show_expired: bool) -> Item | None:
        if hit.scope != mind.key or not isinstance(hit.item, Kept):
            return None
        return self._passed(mind, hit.item, wanted, show_expired=show_expired)

    def _all(self, mind: Mind, wanted: Mapping[str, Any], *, show_expired: bool) -> Iterator[tuple[Kept, Item]]:
        """Yield the memories of a mind that hold now and fit, those that were written down last first."""
        before = None
        while leaves := mind.memories(_PAGE, before=before):
            for leaf in leaves:
                told = self._passed(mind, leaf.memory, wanted, show_expired=show_expired)
                if told is not None:
                    yield leaf.memory, told
            before = leaves[-1].place

    def _passed(self, mind: Mind, memory: Kept, wanted: Mapping[str, Any], *, show_expired: bool) -> Item | None:
        """Return a memory as it is shown; None: it does not fit. Summaries of the talk are no memories to mem0."""
        if memory.content_type == "summary":
            return None
        beside = self._shelf.beside(memory.id)
        if not show_expired and shapes.expired(beside, self.bank.clock.now()):
            return None
        runs = [each["run_id"] for each in identities(wanted) if "run_id" in each]
        told = self._item(mind, memory, beside, runs=runs)
        return told if passes(shapes.record(told, beside), wanted) else None

    def _item(self, mind: Mind, memory: Kept, beside: Beside, *, runs: Iterable[str] = ()) -> Item:
        updated = memory.known_at
        if memory.version > 1:
            for operation, change in mind.history(memory.id):
                if shapes.event_of(change, operation.moment.at) is not None:
                    updated = operation.moment.at
        return shapes.item(memory, mind.key, beside, updated_at=updated, runs=runs)

    def _wanted(self, filters: Mapping[str, Any] | None, beside: str, **ids: object) -> dict[str, Any]:
        """Return the whole filter; raises `InvalidQuery` where it does not say whose memories are meant."""
        given = {key: name(key, value) for key, value in ids.items() if value is not None}
        wanted = checked(self._shelf.masked({} if filters is None else filters, beside))
        whole = {"AND": [wanted, given]} if wanted and given else wanted or given
        if not all(any(name != ANY for name in whose.values()) for whose in identities(whole)):
            raise MissingIdentity(ids)
        return whole

    def _minds(self, wanted: Mapping[str, Any]) -> list[Mind]:
        """Return the minds in which something can fit, each once."""
        scopes: dict[Scope, None] = {}
        for whose in identities(wanted):
            user, agent, run = (None if whose.get(each) == ANY else whose.get(each) for each in IDS)
            if run is not None and user is None and agent is None:
                found = self._shelf.scopes_of(run)
            else:
                within = [Bounds(user=user, character=agent)]
                found = [summary.scope for summary in self.bank.latest_scopes(_MANY, within=within)]
            scopes |= dict.fromkeys(found)
        return [self.bank.mind(scope) for scope in scopes]

    def _mind_of(self, memory_id: str, *, also_gone: bool = False) -> Mind | None:
        """Return whose memory it is: as noted beside it, else by looking through the bank; None: nobody's."""
        noted = self._shelf.scope_of(memory_id)
        for scope in every_scope(self.bank.store) if noted is None else (noted,):
            mind = self.bank.mind(scope)
            try:
                memory = mind.memory(memory_id)
            except UnknownMemory:
                continue
            return mind if also_gone or shapes.holds(memory, mind.present()) else None
        return None

    def _needed(self, memory_id: str) -> Mind:
        mind = self._mind_of(memory_id)
        if mind is None:
            raise InvalidQuery(f"there is no memory with the id {memory_id!r}; get_all() lists what there is")
        return mind

    def _forget(self, mind: Mind, memory_id: str) -> None:
        mind.forget(memory_id)
        self._shelf.put(mind.key, memory_id, NOTHING)


def _scored(mind: Mind, hit: Hit, told: Item) -> tuple[float, Item]:
    together = sum(getattr(mind.weights, each.name) for each in fields(mind.weights))
    score = min(hit.score / together, 1.0) if together > 0 else 0.0
    details = {} if hit.contributions is None else {"score_details": dict(hit.contributions)}
    return score, {**told, "score": score, **details}


def _ids(*, otherwise: str = "", **given: object) -> dict[str, str]:
    """Return the ids that are given; raises `MissingIdentity` for none."""
    ids = {key: name(key, value) for key, value in given.items() if value is not None}
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
