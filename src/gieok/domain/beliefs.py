"""What is believed while an operation is being decided: a working copy of the memories it may touch.

It changes as decisions fall, so that the second claim of a turn sees what the first one did. It never leaves
the function that builds it.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from typing import Final

from gieok.domain.claim import Claim, Saying
from gieok.domain.memory import Change, Memory, by_truth

_CONCLUSIONS: Final = frozenset({"insight", "summary", "profile"})


class Beliefs:
    """Memories by id and by whom they are about, how alike claims and memories are, and what was heard before."""

    def __init__(
        self,
        memories: Iterable[Memory] = (),
        *,
        similarity: Mapping[tuple[str, str], float] | None = None,
        likeness: Callable[[Claim, Memory], float] | None = None,
        heard: Mapping[Saying, int] | None = None,
    ) -> None:
        """`similarity` maps (claim id, memory id) to cosine; a claim's own id stands for the memory it may become.

        `likeness` is asked instead where words may change meanwhile.
        """
        self._by_id: dict[str, Memory] = {}
        self._by_subject: defaultdict[tuple[str, str], dict[str, None]] = defaultdict(dict)
        self._by_closer: defaultdict[str, dict[str, None]] = defaultdict(dict)
        cosines = dict(similarity or {})
        self._likeness = likeness or (lambda claim, memory: cosines.get((claim.id, memory.id), 0.0))
        self._heard: Counter[Saying] = Counter(heard)
        for memory in memories:
            self._put(memory)

    def __getitem__(self, memory_id: str) -> Memory:
        return self._by_id[memory_id]

    def __contains__(self, memory_id: str) -> bool:
        return memory_id in self._by_id

    def all(self) -> dict[str, Memory]:
        return dict(self._by_id)

    def about(self, subject: str, subject_id: str) -> list[Memory]:
        """Return every visible memory with an attribute of one subject, oldest truth first."""
        found = (self._by_id[memory_id] for memory_id in self._by_subject[(subject, subject_id)])
        return sorted((memory for memory in found if memory.attribute and not memory.hidden), key=by_truth)

    def closed_by(self, memory_id: str) -> list[Memory]:
        found = (self._by_id[closed] for closed in self._by_closer[memory_id])
        return sorted((memory for memory in found if not memory.hidden), key=by_truth)

    def concluded_from(self, memory: Memory) -> list[Memory]:
        """Return the visible summaries and insights that rest on `memory` or quote the words it was read from."""
        said = set(memory.sources)
        found = (other for other in self._by_id.values() if memory.id in other.made_from or said & set(other.sources))
        return sorted((other for other in found if other.origin == "reflection" and not other.hidden), key=by_truth)

    def retelling(self, memory: Memory) -> list[Memory]:
        """Return the visible insights, profiles and summaries of the story so far that tell what `memory` says.

        Not the documents of past weeks: what they were made from is told by nothing else any more.
        """
        found = (other for other in self.concluded_from(memory) if memory.id in other.made_from)
        return [other for other in found if other.content_type in _CONCLUSIONS and "weekly" not in other.tags]

    def nearest(self, claim: Claim, at: datetime) -> tuple[Memory | None, float]:
        """Return the most similar free memory of the claim's subject that is true at `at`."""
        known = (self._by_id[memory_id] for memory_id in self._by_subject[(claim.subject, claim.subject_id)])
        free = [
            (likeness, memory)
            for memory in known
            if _was_told(memory) and memory.true_at(at) and (likeness := self._likeness(claim, memory)) > 0
        ]
        if not free:
            return (None, 0.0)
        # of equally similar ones the oldest, so that every replay takes the same
        likeness, memory = min(free, key=lambda pair: (-pair[0], by_truth(pair[1])))
        return (memory, likeness)

    def that_says(self, saying: Saying) -> Memory | None:
        """Return the visible memory with this saying, the newest if there are several."""
        alike = (self._by_id[memory_id] for memory_id in self._by_subject[(saying[0], saying[1])])
        return max(
            (memory for memory in alike if memory.saying == saying and not memory.hidden), key=by_truth, default=None
        )

    def times_heard(self, saying: Saying) -> int:
        return self._heard[saying]

    def hear(self, saying: Saying) -> None:
        self._heard[saying] += 1

    def absorb(self, changes: Iterable[Change]) -> None:
        for change in changes:
            self._drop(change.memory_id)
            if change.after is not None:
                self._put(change.after)

    def _put(self, memory: Memory) -> None:
        self._by_id[memory.id] = memory
        self._by_subject[(memory.subject, memory.subject_id)][memory.id] = None
        if memory.closed_by is not None:
            self._by_closer[memory.closed_by][memory.id] = None

    def _drop(self, memory_id: str) -> None:
        known = self._by_id.pop(memory_id, None)
        if known is None:
            return
        del self._by_subject[(known.subject, known.subject_id)][memory_id]
        if known.closed_by is not None:
            del self._by_closer[known.closed_by][memory_id]


def _was_told(memory: Memory) -> bool:
    """Whether it is a free sentence that somebody said, and no conclusion from such."""
    return memory.attribute is None and memory.content_type not in _CONCLUSIONS
