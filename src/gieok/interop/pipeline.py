"""The functions of "RAG 기반 장기 메모리 아키텍처" over a bank: a store, a writer, a retriever, a context.

Records have the document's fields, and also their subject, attribute and value.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from datetime import datetime, timedelta
from typing import Any, Final, cast

from gieok.bank import MemoryBank, Mind
from gieok.bank.adapters import claims_in, with_context
from gieok.domain.answer import Hit, Where
from gieok.domain.attributes import ContentType
from gieok.domain.claim import Claim, Polarity
from gieok.domain.decision import Decision, Ignore
from gieok.domain.memory import Memory
from gieok.domain.promotion import promotion
from gieok.domain.turn import CHARACTER, USER
from gieok.domain.upkeep import Kept, PassName
from gieok.errors import InvalidQuery
from gieok.interop.marks import about
from gieok.interop.messages import Line, lines_of, moment_of, written

TOP_K: Final = 8  #: retrieval_top_k
_TURN: Final = "turn:"  #: prefix of a tag with a turn id of another system
_WEEK: Final = "weekly"
_NO_TOPIC: Final = re.compile(r"weekly|rolling|[0-9]{4}-W[0-9]{2}")
_FILTERS: Final = ("type", "tags", "importance", "since", "until")
_POLICY: Final = ("passes", "at", "dry_run")
_MORE: Final = 4  #: factor by which more hits are requested if filters drop some
_TOLD: Final = ("assert", "prefer", "correct")  #: acts that state something; ends apply to minds only


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryRecord:
    """A memory with the document's fields. Its vector stays in the store."""

    content: str
    id: str | None = None
    user_id: str | None = None
    type: str | None = None
    importance: float | None = None  #: 0–1
    timestamp: str | float | datetime | None = None
    source_turn_ids: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    version: int = 1
    pii_flags: tuple[str, ...] = ()
    about: str = USER  #: "user", "character", "world" or a name
    attribute: str | None = None
    value: str | None = None
    polarity: Polarity = "+"


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryCandidate:
    """A candidate for storage."""

    content: str
    type: str
    said_by: str
    claim: Claim = field(repr=False)  #: the extracted claim


@dataclass(frozen=True, slots=True, kw_only=True)
class SummaryDoc:
    """A summary made by consolidation."""

    id: str
    user_id: str
    span: tuple[str, str]
    topics: tuple[str, ...]
    summary_text: str
    linked_source_ids: tuple[str, ...]


class MemoryPipeline:
    """The document's functions over a bank, for one profile. `user_id` is the default for functions without one.

    Turns are messages ({"role": "user", "content": …}), oldest first.
    """

    def __init__(
        self, bank: MemoryBank, user_id: str, *, character: str | None = None, world: str | None = None
    ) -> None:
        self._bank = bank
        self._character = character
        self._world = world
        self.user_id = user_id

    def mind(self, user_id: str | None = None) -> Mind:
        return self._bank.scope(user=user_id or self.user_id, character=self._character, world=self._world)

    def upsert_memories(self, user_id: str, memories: Iterable[MemoryRecord | Mapping[str, Any]]) -> list[str]:
        """Store records and return their ids. A known id is corrected; the same statement is the same memory.

        A record that contradicts a more certain memory is not stored, and has no id in the result.
        """
        mind = self.mind(user_id)
        records = [_record(each) for each in memories]
        return [memory_id for record in records if (memory_id := self._upserted(mind, record)) is not None]

    def retrieve(
        self, user_id: str, query: str, k: int = TOP_K, filters: Mapping[str, Any] | None = None
    ) -> list[MemoryRecord]:
        """Return the best hits, filtered by type, tags, minimum importance, since and until."""
        asked = _checked("filter", filters, _FILTERS)
        where = Where(kind="memory", type=asked.get("type"), since=asked.get("since"), until=asked.get("until"))
        narrow = "tags" in asked or "importance" in asked
        mind = self.mind(user_id)
        hits = mind.recall(query, k=k * _MORE if narrow else k, where=where)
        tags, least = set(asked.get("tags", ())), asked.get("importance", 0.0)
        return [_told(each, mind) for each in _own(mind, hits) if tags <= set(each.tags) and each.importance >= least][
            :k
        ]

    def consolidate(self, user_id: str, policy: Mapping[str, Any] | None = None) -> list[SummaryDoc]:
        """Run the upkeep that is due and return the summaries that it made.

        A policy may set the `passes` to run, the time `at`, and `dry_run`.
        """
        asked = _checked("policy", policy, _POLICY)
        mind = self.mind(user_id)
        done = mind.maintain(
            cast("Iterable[PassName] | None", asked.get("passes")),
            at=moment_of(asked.get("at")),
            dry_run=bool(asked.get("dry_run", False)),
        )
        return [doc for kept in done.kept for doc in _summaries(kept, user_id)]

    def delete(self, user_id: str, ids: Iterable[str]) -> None:
        """Forget memories; raises `UnknownMemory` before any is forgotten."""
        mind, named = self.mind(user_id), list(ids)
        for memory_id in named:
            mind.memory(memory_id)
        for memory_id in named:
            mind.forget(memory_id)

    def extract_candidates(
        self, recent_turns: Sequence[Mapping[str, Any]], assistant_reply: str | None = None
    ) -> list[MemoryCandidate]:
        """Return candidates from the last user message and the reply; earlier turns are context."""
        lines = lines_of(list(recent_turns))
        last = next((at for at in range(len(lines) - 1, -1, -1) if lines[at].role == "user"), None)
        said = [] if last is None else [(USER, lines[last].text)]
        if assistant_reply:
            said.append((CHARACTER, assistant_reply))
        if not said:
            return []
        before = [(USER if line.role == "user" else CHARACTER, line.text) for line in lines[: last or 0]]
        claims = claims_in(self._bank, self.mind().key, said, before=before, at=self._bank.clock.now())
        return [
            MemoryCandidate(content=claim.content, type=claim.content_type, said_by=claim.speaker, claim=claim)
            for claim in claims
            if claim.act in _TOLD and claim.flaw is None
        ]

    def score_and_normalize(self, candidates: Iterable[MemoryCandidate]) -> list[MemoryRecord]:
        """Return the candidates whose promotion score reaches `promote_threshold`; it becomes their importance."""
        policy = self._bank.services.policy
        scored = [
            (each.claim, promotion(each.claim, heard_before=0, novelty=1.0, weights=policy.promotion_weights).score)
            for each in candidates
        ]
        return [self._normal(claim, score) for claim, score in scored if score >= policy.promote_threshold]

    def rewrite_query(self, recent_turns: Sequence[Mapping[str, Any]], summary_text: str = "") -> str:
        """Return the query: the last user message, completed from earlier ones if it refers to them.

        The summary is not used: it would bias every query towards the same memories.
        """
        said = _said_by_user(recent_turns)
        if not said:
            raise InvalidQuery("recent_turns holds no message of a user")
        return with_context(said[-1], said[:-1])

    def retrieve_memories(
        self, user_id: str, query: str, now: datetime | None = None, k: int = TOP_K
    ) -> list[MemoryRecord]:
        """Return the best hits at `now`, with the weights of the bank (preset `care:document`: 0.7, 0.2, 0.1)."""
        mind = self.mind(user_id)
        hits = mind.recall(query, k=k, at=now, where=Where(kind="memory"))
        return [_told(memory, mind) for memory in _own(mind, hits)]

    def build_context_messages(
        self,
        summary_text: str,
        recent_turns: Sequence[Mapping[str, Any]],
        retrieved_memories: Iterable[MemoryRecord | Mapping[str, Any]],
        new_user: str,
        *,
        budget: int | None = None,
    ) -> list[dict[str, str]]:
        """Return messages for a model: summary, pinned and retrieved memories, recent turns, the new message.

        If the budget is too small, the summary is dropped first, then memories, then the oldest turns.
        """
        room = self._bank.settings.context_budget if budget is None else budget
        turns, left = self._fitting(lines_of(list(recent_turns)), new_user, room)
        context = self.mind().context(
            new_user,
            budget=left,
            k=1,
            include=[record.id for record in map(_record, retrieved_memories) if record.id is not None],
            shown=(),
            without=("summary",) if summary_text else (),
        )
        fits = self._bank.services.recaller.count(summary_text) <= left - context.tokens
        material = [message.content for message in context.messages if message.role == "system"]
        system = "\n\n".join([*([summary_text] if summary_text and fits else []), *material])
        return [
            *([{"role": "system", "content": system}] if system else []),
            *({"role": line.role, "content": line.text} for line in turns),
            {"role": "user", "content": new_user},
        ]

    def post_turn_write(self, recent_turns: Sequence[Mapping[str, Any]], assistant_reply: str | None) -> list[str]:
        """Learn from the last user message and the reply; return the ids of new and changed memories.

        Unlike the separate writer functions, it handles facts that ended or were never true.
        """
        said = _said_by_user(recent_turns)
        observed = self.mind().observe(said[-1] if said else None, reply=assistant_reply)
        return [each.memory.id for each in observed.decisions if not isinstance(each, Ignore)]

    def _upserted(self, mind: Mind, record: MemoryRecord) -> str | None:
        known = None if record.id is None else mind.items([record.id]).get(record.id)
        if isinstance(known, Memory):
            if known.content != record.content:
                mind.correct(known.id, record.content)
            return known.id
        decision: Decision = mind.remember(
            record.content,
            about=record.about,
            attribute=record.attribute,
            value=record.value,
            type=cast("ContentType | None", record.type),
            polarity=record.polarity,
            importance=record.importance,
            at=moment_of(record.timestamp),
            tags=(*record.tags, *(f"{_TURN}{each}" for each in record.source_turn_ids)),
        )
        return None if isinstance(decision, Ignore) else decision.memory.id

    def _normal(self, claim: Claim, score: float) -> MemoryRecord:
        return MemoryRecord(
            content=claim.content,
            user_id=self.user_id,
            type=claim.content_type,
            importance=score,
            timestamp=written(self._bank.clock.now()),
            tags=claim.tags,
            pii_flags=tuple(self._bank.services.policy.flags(claim.content)),
            about=claim.subject if claim.subject != "other" else claim.subject_id,
            attribute=claim.attribute,
            value=claim.surface or claim.value,
            polarity=claim.polarity,
        )

    def _fitting(self, turns: Sequence[Line], new_user: str, room: int) -> tuple[list[Line], int]:
        """Return the latest turns that fit beside the new message, and the remaining tokens."""
        count = self._bank.services.recaller.count
        left, kept = room - count(new_user), list[Line]()
        for line in reversed(turns):
            if count(line.text) > left:
                break
            left -= count(line.text)
            kept.insert(0, line)
        return kept, left + count(new_user)


def _record(given: MemoryRecord | Mapping[str, Any]) -> MemoryRecord:
    if isinstance(given, MemoryRecord):
        return given
    known = {each.name for each in fields(MemoryRecord)}
    unknown = [name for name in given if name not in known and name != "embedding"]
    if unknown or "content" not in given:
        trouble = f"has no field {unknown[0]!r}" if unknown else "needs its content"
        raise InvalidQuery(f"a record {trouble}; nothing was kept")
    lists = {"source_turn_ids", "tags", "pii_flags"}
    values: dict[str, Any] = {name: given[name] for name in given.keys() & known}
    return MemoryRecord(**values | {name: tuple(values[name]) for name in values.keys() & lists})


def _own(mind: Mind, hits: Iterable[Hit]) -> list[Memory]:
    return [hit.item for hit in hits if isinstance(hit.item, Memory) and hit.scope == mind.key]


def _told(memory: Memory, mind: Mind) -> MemoryRecord:
    named = tuple(tag.removeprefix(_TURN) for tag in memory.tags if tag.startswith(_TURN))
    return MemoryRecord(
        id=memory.id,
        user_id=mind.key.user,
        type=memory.content_type,
        content=memory.content,
        importance=memory.importance,
        timestamp=written(memory.known_at),
        source_turn_ids=(*named, *(turn.id for turn in mind.sources(memory.id))),
        tags=tuple(tag for tag in memory.tags if not tag.startswith(_TURN)),
        version=memory.version,
        pii_flags=memory.pii_flags,
        about=about(memory),
        attribute=memory.attribute,
        value=memory.value,
        polarity=memory.polarity,
    )


def _summaries(kept: Kept, user_id: str) -> Iterable[SummaryDoc]:
    for change in kept.changes:
        made = change.after
        if change.before is not None or made is None or made.content_type != "summary":
            continue
        end = made.valid_at + timedelta(days=7) if _WEEK in made.tags else made.known_at
        yield SummaryDoc(
            id=made.id,
            user_id=user_id,
            span=(written(made.valid_at), written(end)),
            topics=tuple(tag for tag in made.tags if not _NO_TOPIC.fullmatch(tag)),
            summary_text=made.content,
            linked_source_ids=(*made.made_from, *made.sources),
        )


def _checked(what: str, given: Mapping[str, Any] | None, known: Sequence[str]) -> dict[str, Any]:
    unknown = [name for name in given or {} if name not in known]
    if unknown:
        raise InvalidQuery(f"unknown {what} {unknown[0]!r}; there are {', '.join(known)}")
    return dict(given or {})


def _said_by_user(turns: Sequence[Mapping[str, Any]]) -> list[str]:
    return [line.text for line in lines_of(list(turns)) if line.role == "user"]
