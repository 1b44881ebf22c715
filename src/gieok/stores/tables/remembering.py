"""Reading a scope's memories: as they are now, and as they were believed then."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial
from typing import Any, Final

from gieok.domain.attributes import ContentType
from gieok.domain.claim import Saying
from gieok.domain.memory import Memory, by_truth
from gieok.ports import About, Leaf, Leafing, MemoryFilter, Topic, Touch
from gieok.stores.tables.journal_rows import memory_from_record
from gieok.stores.tables.moments import microseconds, moment
from gieok.stores.tables.nameable import MOST_ITEMS, Nameable, spelt_out
from gieok.stores.tables.rows import dump, memory_from
from gieok.stores.tables.scope_ids import MOST
from gieok.stores.tables.snapshot import Snapshot
from gieok.stores.tables.upsetting import FORGOTTEN_WORDS, NAMEABLE, PEOPLE, read_from

_MOST_MENTIONED: Final = 32  #: facts that one text names
_QUARTER: Final = 900_000_000  #: microseconds in a quarter of an hour


class Remembering(Snapshot):
    """The part of a view that lists memories."""

    def memories(self, which: MemoryFilter) -> list[Memory]:
        if which.current_at is None or not _narrow(which):
            return self._memories(self._fitting(which))
        ever = replace(which, current_at=None, include_hidden=False, include_faded=False)
        fitting = self._memories(self._listed(ever, lambda: self._fitting(ever)))
        return [memory for memory in fitting if memory.true_at(which.current_at)]

    def _fitting(self, which: MemoryFilter) -> list[int]:
        return self._ids(
            "find_memories",
            scope_id=self._standing.scope_id,
            low=self._first,
            high=self._last,
            subject=which.subject,
            subject_id=which.subject_id,
            speaker=which.speaker,
            content_type=which.content_type,
            attribute=which.attribute,
            pinned=which.pinned,
            learned_since=_stored(which.learned_since),
            current_at=_stored(which.current_at),
            hidden_too=which.include_hidden,
            faded_too=which.include_faded,
        )

    def leaves(self, which: Leafing, limit: int, *, before: int | None = None) -> list[Leaf]:
        few = _few(which)
        high = self._last if before is None else self._first + min(max(before, 0), MOST) - 1
        asked = self._leafing(which) | {"high": high, "limit": max(limit, 0)}
        if few is None:
            ids = self._ids("leaf_memories", **asked)
        else:
            ids = self._ids("leaf_few_memories", **asked, few=few, scope_id=self._standing.scope_id)
        return self._leaves(ids)

    def story(self, which: Leafing, limit: int, *, before: Leaf | None = None) -> list[Leaf]:
        reached: dict[str, int | None] = {"before_at": None, "before_id": None}
        if before is not None:
            reached = {"before_at": microseconds(before.memory.valid_at), "before_id": self._first + before.place}
        return self._leaves(self._ids("leaf_story", **self._leafing(which), **reached, limit=max(limit, 0)))

    def quarters(self, which: Leafing) -> dict[datetime, int]:
        counted = self._rows("count_leaves", **self._leafing(which))
        return {moment(quarter * _QUARTER, 0): memories for quarter, memories in counted}

    def subjects(self) -> list[About]:
        counted = self._rows("count_subjects", scope_id=self._standing.scope_id)
        return [About(subject=subject, subject_id=name, memories=number) for subject, name, number in counted]

    def closed_by(self, memory_id: str) -> list[Memory]:
        return self._memories(self._ids("find_closed_by", scope_id=self._standing.scope_id, memory_id=memory_id))

    def _leafing(self, which: Leafing) -> dict[str, Any]:
        return {
            "low": self._first,
            "high": self._last,
            "state": which.state,
            "present": microseconds(which.present),
            "longest": max(which.words, key=len, default=None),  # most rows fail here, before a list is read
            "words": dump(which.words),
            "since": _stored(which.since),
            "until": _stored(which.until),
            "subject": which.subject,
            "subject_id": which.subject_id,
            "content_type": which.content_type,
            "attribute": which.attribute,
            "origin": which.origin,
            "pinned": which.pinned,
            "pii": which.pii,
        }

    def _leaves(self, ids: Sequence[int]) -> list[Leaf]:
        memories = self._memories(ids)
        return [Leaf(place=id - self._first, memory=memory) for id, memory in zip(ids, memories, strict=True)]

    def memories_by_id(self, memory_ids: Iterable[str]) -> dict[str, Memory]:
        wanted = dump(list(memory_ids))
        found = self._rows("find_items", scope_id=self._standing.scope_id, public_ids=wanted)
        return {memory.id: memory for memory in self._memories([ref for _, ref in found])}

    def memories_about(self, topics: Iterable[Topic]) -> list[Memory]:
        ids: dict[int, None] = {}
        for topic in dict.fromkeys(topics):
            ids |= dict.fromkeys(self._listed(topic, partial(self._found_about, topic)))
        return sorted(self._memories(list(ids)), key=by_truth)

    def _found_about(self, topic: Topic) -> list[int]:
        asked = {
            "scope_id": self._standing.scope_id,
            "subject": topic.subject,
            "subject_id": topic.subject_id,
            "attributes": dump(topic.attributes),
        }
        if topic.values or any(name.endswith(".") for name in topic.attributes):
            return self._ids("find_memories_about", **asked, values=dump(topic.values))
        return self._ids("find_memories_of_attributes", **asked)

    def touching(self, touch: Touch, limit: int) -> list[Memory]:
        found = self._ids(
            "find_touching",
            scope_id=self._standing.scope_id,
            low=self._first,
            high=self._last,
            present=microseconds(touch.present),
            subjects=dump(touch.subjects),
            relations=None if touch.relations is None else dump(touch.relations),
            names=dump(touch.names),
            closers=dump(touch.closers),
            without=dump(touch.without),
            limit=max(limit, 0),
        )
        return self._memories(found)

    def relations(self, subjects: Sequence[tuple[str, str]], present: datetime) -> dict[str, int]:
        return dict(
            self._rows(
                "count_relations",
                scope_id=self._standing.scope_id,
                subjects=dump(list(subjects)),
                present=microseconds(present),
            )
        )

    def concluded(self) -> list[Memory]:
        found = self._listed("concluded", lambda: self._ids("find_concluded", scope_id=self._standing.scope_id))
        return sorted(self._memories(found), key=by_truth)

    def mentioned(self, text: str) -> list[Memory]:
        return sorted(self._memories(self._mentioned(text)), key=by_truth)

    def _mentioned(self, text: str) -> list[int]:
        scope_id = self._standing.scope_id
        if self._standing.next_seq <= MOST_ITEMS:
            kept = self._lasting(NAMEABLE, lambda: Nameable.of(self._nameable()))
            named = kept.named_in(text)
            if len(named) <= _MOST_MENTIONED:
                return named
        return self._ids("find_mentioned", scope_id=scope_id, text=text, limit=_MOST_MENTIONED)

    def _nameable(self) -> list[tuple[int, str | None, str | None]]:
        rows = self._rows("find_nameable", scope_id=self._standing.scope_id)
        return [(ref, value, surface) for ref, value, surface in rows]

    def people(self, text: str) -> dict[str, list[int]]:
        spelt = spelt_out(text)
        return {name: [*refs] for name, (sign, refs) in self._lasting(PEOPLE, self._people).items() if sign in spelt}

    def _people(self) -> dict[str, tuple[bytes, list[int]]]:
        """Return who else is spoken of: what of their name stands in a text that names them, and what is told."""
        told: defaultdict[str, list[int]] = defaultdict(list)
        for name, ref in self._rows("find_people", scope_id=self._standing.scope_id):
            told[name].append(ref)
        # 지훈이 may be written 지훈.
        return {name: (spelt_out(name.rstrip("이") if len(name) > 2 else name), refs) for name, refs in told.items()}

    def read_from(self, utterance_ids: Iterable[str]) -> list[Memory]:
        wanted = list(utterance_ids)
        known = self._known.lasting
        new = [each for each in wanted if read_from(each) not in known]
        if new:
            found: dict[str, list[int]] = {each: [] for each in new}
            for said, ref in self._rows("find_read_from", scope_id=self._standing.scope_id, utterance_ids=dump(new)):
                found[said].append(ref)
            known.update((read_from(each), refs) for each, refs in found.items())
        refs = dict.fromkeys(ref for each in wanted for ref in known[read_from(each)])
        return sorted(self._memories(list(refs)), key=by_truth)

    def forgotten_words(self) -> frozenset[str]:
        return self._lasting(FORGOTTEN_WORDS, self._forgotten_words)

    def _forgotten_words(self) -> frozenset[str]:
        found = self._rows("find_forgotten_words", scope_id=self._standing.scope_id)
        return frozenset(public_id for (public_id,) in found)

    def first_known(self) -> dict[ContentType, datetime]:
        found = self._rows("first_known", low=self._first, high=self._last)
        return {content_type: moment(known_at, 0) for content_type, known_at in found}

    def hidden_once(self) -> frozenset[str]:
        return frozenset(memory_id for (memory_id,) in self._rows("find_hidden", low=self._first, high=self._last))

    def believed_at(self, moment: datetime) -> list[Memory]:
        found = self._rows("believed_at", scope_id=self._standing.scope_id, moment=microseconds(moment))
        return sorted((memory_from_record(after) for (after,) in found), key=by_truth)

    def heard(self, sayings: Iterable[Saying], *, before: int | None = None) -> Counter[Saying]:
        last = self._last if before is None else self._first + min(max(before - 1, 0), MOST)
        heard = {saying: self._times_heard(saying, last) for saying in dict.fromkeys(sayings)}
        return Counter({saying: times for saying, times in heard.items() if times})

    def _times_heard(self, saying: Saying, last: int) -> int:
        subject, subject_id, attribute, said = saying
        [times] = self._ids(
            "count_heard",
            subject=subject,
            subject_id=subject_id,
            attribute=attribute,
            said=said,
            low=self._first,
            high=last,
        )
        return times

    def _memories(self, ids: Sequence[int]) -> list[Memory]:
        """Return the memories among `ids`, in their order."""
        found = self._items("load_memories", memory_from, ids)
        return [item for item in map(found.get, ids) if isinstance(item, Memory)]


def _few(which: Leafing) -> str | None:
    """Return which index knows the memories that may be meant; None: none does."""
    if which.pinned:
        return "pinned"
    if which.state == "forgotten":
        return "forgotten"
    return "attribute" if which.subject and which.subject_id and which.attribute else None


def _narrow(which: MemoryFilter) -> bool:
    """Whether only few memories can fit, so that it is worth to note which."""
    return which.pinned is True or (which.subject is not None and which.attribute is not None)


def _stored(moment: datetime | None) -> int | None:
    return None if moment is None else microseconds(moment)
