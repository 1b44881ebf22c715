"""Making words findable: search terms from morphemes, vectors from the embedder."""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import accumulate, combinations
from typing import TYPE_CHECKING, Any, Final

from gieok.domain.answer import Trace
from gieok.domain.apply import OperationApplier, WorkingState
from gieok.domain.attributes import attribute
from gieok.domain.claim import Claim
from gieok.domain.judgement import Beliefs
from gieok.domain.memory import Change, Memory
from gieok.domain.operation import Learn, Operation
from gieok.domain.scope import Scope
from gieok.domain.state import ScopeState
from gieok.errors import EmbedderFailed, GieokError
from gieok.language import morphemes
from gieok.language.mood import is_question
from gieok.language.terms import holds_number, holds_time, index_terms
from gieok.language.text import has_hangul, passages
from gieok.language.topics import topics
from gieok.ports import Embedder, Entry, IndexEntry, Mark, Masker, Room, Store, Topic, View, embedded
from gieok.ports.store import entry
from gieok.words import Language

if TYPE_CHECKING:
    from gieok.ports import Matrix, Vector


log = logging.getLogger(__name__)
_AT_ONCE: Final = 16  #: items
_BATCH: Final = 64  #: items of a whole bank
_NEAREST: Final = 20  #: free memories compared with a free claim


@dataclass(frozen=True, slots=True)
class Indexer:
    """Makes index entries of texts."""

    embedder: Embedder
    language: Language = "en"  #: in which memories are put

    def warm(self) -> None:
        """Load what `entries` takes, where it is not loaded: to be called before a transaction that needs it."""
        if self.language == "ko":
            morphemes.warm()
        with suppress(EmbedderFailed):  # `entries` does without
            self.embedder.warm()

    def entries(self, texts: Mapping[str, str]) -> dict[str, IndexEntry]:
        """Return an index entry for each text, by the same keys, embedded in one batch.

        Without a working embedder the entries have no vector: keyword search finds them, and
        `gieok reindex` fills the vectors in later.
        """
        vectors: Sequence[Matrix | None] = []
        try:
            vectors = passage_vectors(list(texts.values()), self.embedder) if texts else []
        except EmbedderFailed as trouble:
            log.warning("%d texts are kept without vectors: %s", len(texts), trouble)
            vectors = [None] * len(texts)
        return {key: self.entry(text, rows) for (key, text), rows in zip(texts.items(), vectors, strict=True)}

    def with_new_memories(self, entries: Mapping[str, IndexEntry], changes: Iterable[Change]) -> dict[str, IndexEntry]:
        """Return `entries` and what is missing of the memories that `changes` make: one that resumes after another."""
        made = {change.after.id: change.after.findable for change in changes if change.after and not change.before}
        missing = {memory_id: content for memory_id, content in made.items() if memory_id not in entries}
        return {**entries, **self.entries(missing)} if missing else dict(entries)

    def entry(self, text: str, vectors: Matrix | None) -> IndexEntry:
        """Return the entry of a text whose vectors are known."""
        terms = index_terms(text)
        learned = topics()
        known = vectors if self.embedder.name == learned.embedder else None
        within = [index_terms(passage) for passage in passages(text)[1:]]
        told = learned.told(known, [terms, *within])
        marks = (
            Mark.TELLS * told.lasting
            | Mark.ASKS * (text.rstrip().endswith("?") or (len(within) < 2 and has_hangul(text) and is_question(text)))
            | Mark.HOLDS_TIME * holds_time(text)
            | Mark.HOLDS_NUMBER * holds_number(terms)
        )
        return IndexEntry(terms=terms, tags=told.tags, marks=marks, vectors=vectors)


def passage_vectors(texts: Sequence[str], embedder: Embedder) -> list[Matrix]:
    """Return the rows of each text, embedded in one batch. Raises `EmbedderFailed`."""
    split = [passages(text) for text in texts]
    rows = embedded(embedder, [passage for each in split for passage in each], "document")
    ends = accumulate(len(each) for each in split)
    return [rows[end - len(each) : end] for each, end in zip(split, ends, strict=True)]


def fill_in_vectors(store: Store, embedder: Embedder, scope: Scope, *, most: int = _AT_ONCE) -> int:
    """Give up to `most` items of `scope` that wait for their vectors theirs; return how many.

    It raises nothing: what is still missing waits for the next time, and is found by its words until then.
    """
    done = 0
    try:
        while done < most:
            with store.view(scope) as view:
                batch = view.vectorless(min(_AT_ONCE, most - done))
            if not batch:
                break
            vectors = passage_vectors([item.text for item in batch], embedder)
            store.fill_vectors([item.key for item in batch], vectors)
            done += len(batch)
    except GieokError as trouble:
        log.info("what waits for its vectors goes on waiting: %s", trouble)
    return done


def reindex(
    store: Store,
    embedder: Embedder,
    *,
    progress: Callable[[int, int], None] = lambda done, total: None,
    mask: Masker | None = None,
) -> int:
    """Embed what has no vector of `embedder`, switch to it, and return how many items were embedded.

    `progress` hears (done, total) after each batch; total grows when others write meanwhile. An interrupted run loses
    at most a batch, and the next one goes on from there; until the end the old vectors answer. What the log keeps in
    its own words is masked by `mask`.
    """
    total = store.begin_reindex(embedder.name, embedder.dimension)
    done = 0
    progress(done, total)
    while batch := store.unembedded(_BATCH):
        texts = [item.text if mask is None else mask(item.text).text for item in batch]
        vectors = passage_vectors(texts, embedder)
        store.put_vectors([item.key for item in batch], vectors)
        done += len(batch)
        total = max(total, done)
        progress(done, total)
    store.finish_reindex()
    return done


class WordVectors:
    """The vectors of memories as they stand: the store's where the words are those of today, else new ones."""

    def __init__(
        self, view: View, indexer: Indexer, today: Mapping[str, str], embedded: Mapping[str, IndexEntry]
    ) -> None:
        """`today` are the words of the memories in `view`, `embedded` some texts that were indexed already."""
        self._view = view
        self._indexer = indexer
        self._today = today
        self._by_text = {text: entry.vectors for text, entry in embedded.items()}

    def __call__(self, memories: Sequence[Memory]) -> dict[str, Vector]:
        """Return the vector of each as a whole, by id, for those that have one."""
        found = self._view.vectors([memory.id for memory in memories if self.settled(memory)])
        return found | {each: rows[0] for each, rows in self.rows(m for m in memories if not self.settled(m)).items()}

    def rows(self, memories: Iterable[Memory]) -> dict[str, Matrix]:
        """Return the rows of each by its words, the whole and its passages, by id, for those that have any."""
        words = {memory.id: memory.findable for memory in memories}
        missing = {text: text for text in words.values() if text not in self._by_text}
        self._by_text |= {text: entry.vectors for text, entry in self._indexer.entries(missing).items()}
        known = ((memory_id, self._by_text[text]) for memory_id, text in words.items())
        return {memory_id: rows for memory_id, rows in known if rows is not None}

    def settled(self, memory: Memory) -> bool:
        """Whether its words are those that it has in the view."""
        return self._today.get(memory.id) == memory.findable


class Likeness:
    """How alike a claim and a memory are."""

    def __init__(
        self,
        vectors: WordVectors,
        claims: Mapping[str, Vector],
        today: Mapping[tuple[str, str], float],
    ) -> None:
        """`claims` are the vectors of free claims, `today` the cosines with memories whose words are settled."""
        self._vectors = vectors
        self._claims = claims
        self._today = today

    def __call__(self, claim: Claim, memory: Memory) -> float:
        if self._vectors.settled(memory):
            return self._today.get((claim.id, memory.id), 0.0)
        said, known = self._claims.get(claim.id), self._vectors.rows([memory]).get(memory.id)
        return 0.0 if said is None or known is None else nearest(said, known)


def nearest(said: Vector, rows: Matrix) -> float:
    """Return the cosine with the nearest of `rows`, as a search does."""
    return float((rows @ said).max())


def beliefs_for(
    view: View,
    claims: Sequence[Claim],
    index: Mapping[str, IndexEntry],
    touched: Collection[str] = (),
    reviewed: Collection[str] = (),
) -> Beliefs:
    """Return what judging `claims`, touching the memories `touched` and judging those `reviewed` again depends on."""
    named = [claim for claim in claims if claim.attribute is not None and claim.flaw is None]
    again = [memory for memory in view.memories_by_id(reviewed).values() if memory.attribute] if reviewed else []
    topics = [*map(topic_of, named), *(_whole_topic(memory) for memory in again)]
    memories = {memory.id: memory for memory in [*again, *view.memories_about(topics)]}
    if touched:
        memories |= view.memories_by_id(touched)
    similarity: dict[tuple[str, str], float] = {}
    free = free_claims(claims, index)
    for (one, vector), (other, other_vector) in combinations(free, 2):  # each may become the memory of its own id
        cosine = float(vector @ other_vector)
        similarity[(one.id, other.id)] = similarity[(other.id, one.id)] = cosine
    for claim, vector in free:
        near = view.dense(vector, _NEAREST, memories_only=True)
        items = view.items(match.ref for match in near)
        for match in near:
            memory = items.get(match.ref)
            if isinstance(memory, Memory):
                memories[memory.id] = memory
                similarity[(claim.id, memory.id)] = match.score
    return Beliefs(memories.values(), similarity=similarity, heard=view.times_heard(claim.saying for claim in claims))


def topic_of(claim: Claim) -> Topic:
    """Return what of the claim's subject may agree with it or contradict it."""
    assert claim.attribute is not None, "free claims have no topic"
    schema = attribute(claim.attribute)
    whole: tuple[str, ...] = ()
    if claim.act == "retract":  # what it had closed may open again, up to the next that speaks against it
        whole = (claim.attribute, *schema.opposes)
    elif schema.single or claim.act != "assert":
        whole = (claim.attribute,)
    return Topic(
        subject=claim.subject,
        subject_id=claim.subject_id,
        attributes=whole,
        values=tuple(value for value in (claim.value, claim.instead_of) if value is not None),
    )


def _whole_topic(memory: Memory) -> Topic:
    schema = attribute(memory.attribute or "")
    return Topic(subject=memory.subject, subject_id=memory.subject_id, attributes=(schema.key, *schema.opposes))


def free_claims(claims: Iterable[Claim], index: Mapping[str, IndexEntry]) -> list[tuple[Claim, Vector]]:
    """Return the claims without an attribute that have a vector; what has a flaw is compared with nothing."""
    return [
        (claim, vectors[0])
        for claim in claims
        if claim.attribute is None and claim.flaw is None and (vectors := index[claim.id].vectors) is not None
    ]


def learned(room: Room, asked: Operation, index: Mapping[str, IndexEntry], **given: Any) -> Operation:
    """Carry out an operation that brings claims, write it, and return it; see `learning`."""
    return room.apply(learning(room, asked, index, **given))


def learning(
    view: View,
    asked: Operation,
    index: Mapping[str, IndexEntry],
    *,
    indexer: Indexer,
    carrier: OperationApplier,
    life: ScopeState | None = None,
    trace: Callable[[Iterable[Change]], Trace | None] | None = None,
    **kept: Any,
) -> Entry:
    """Return the entry of an operation that brings claims.

    `trace` makes the trace of its turn; `kept` are further fields of the entry.
    """
    assert isinstance(asked.request, Learn)
    request = asked.request
    beliefs = beliefs_for(view, request.claims, index, request.used, [*request.doubted, *request.confirmed])
    done = carrier.carried_out(asked, WorkingState(beliefs=beliefs, life=life or ScopeState()))
    if trace is not None:
        kept["trace"] = trace(done.changes)
    return entry(done, indexer.with_new_memories(index, done.changes), **kept)
