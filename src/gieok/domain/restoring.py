"""Letting a memory be again what it once was: an earlier wording, or that it holds.

It is a change like any other. What happened since is not undone, except that what took its place and cannot be true
beside it was, then, never true.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

from gieok.domain.beliefs import Beliefs
from gieok.domain.judgement import excludes, repeats, until_next
from gieok.domain.memory import Change, Memory, by_truth

#: What it says and whether it holds. How often it was said and used stays what it is.
_SAID: Final = (
    "content", "value", "surface", "value_class", "polarity", "interpretation", "origin", "pinned", "retracted",
    "forgotten_at", "faded_at", "valid_at", "invalid_at", "closed_by",
)  # fmt: skip


def restored(before: Memory, to: Memory, beliefs: Beliefs) -> list[Change]:
    """Return what changes when `before` becomes what it was as `to`: itself first.

    Where it stood open then and another has taken its place since, that other was never true if both cannot be. It
    ends where the next memory that speaks against it, or says the same, begins, and closes what was true until then.
    """
    after = before.changed(**{name: getattr(to, name) for name in _SAID})
    wrong = _wrong(before, after, beliefs)
    taken_back = () if wrong is None else _taken_back(wrong, after, beliefs)
    if after.hidden:
        return [Change(before=before, after=after), *taken_back]
    known = beliefs.about(after.subject, after.subject_id)
    others = [each for each in known if each.id not in (after.id, wrong and wrong.id)]
    rivals = [each for each in others if excludes(after, each) or repeats(after, each)]
    after = _ended(after, rivals)
    return [Change(before=before, after=after), *taken_back, *_closed_by(after, rivals)]


def _wrong(before: Memory, after: Memory, beliefs: Beliefs) -> Memory | None:
    """Return what took the memory's place, if it has none again and both cannot be true."""
    if after.closed_by is not None or before.closed_by is None or before.closed_by not in beliefs:
        return None
    closer = beliefs[before.closed_by]
    return closer if not closer.hidden and excludes(after, closer) else None


def _ended(memory: Memory, rivals: Sequence[Memory]) -> Memory:
    """Return `memory` up to the next of `rivals`."""
    later = min((each for each in rivals if each.valid_at > memory.valid_at), key=by_truth, default=None)
    if later is None or (memory.invalid_at is not None and memory.invalid_at <= later.valid_at):
        return memory
    return replace(memory, invalid_at=later.valid_at, closed_by=later.id)


def _closed_by(memory: Memory, rivals: Sequence[Memory]) -> Iterable[Change]:
    """Yield the end of those `rivals` that were true when `memory` became so."""
    for rival in rivals:
        if rival.true_at(memory.valid_at):
            yield Change(before=rival, after=rival.changed(invalid_at=memory.valid_at, closed_by=memory.id))


def _taken_back(wrong: Memory, again: Memory, beliefs: Beliefs) -> Iterable[Change]:
    """Yield that `wrong` was never true, and what it had closed open again, up to what holds `again` or another."""
    yield Change(before=wrong, after=wrong.changed(retracted=True))
    known = beliefs.about(wrong.subject, wrong.subject_id)
    others = [each for each in known if each.id not in (again.id, wrong.id)] + ([] if again.hidden else [again])
    for closed in beliefs.closed_by(wrong.id):
        if closed.id != again.id:
            ends = until_next(closed, others)
            end, closer = (None, None) if ends is None else (ends.valid_at, ends.id)
            yield Change(before=closed, after=closed.changed(invalid_at=end, closed_by=closer))
