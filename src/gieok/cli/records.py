"""What `--json` prints: the records of `gieok.records`, and those that only the terminal has.

The keys are a contract: every key is always there, and an unknown value is null.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from gieok.domain.answer import Observed
from gieok.domain.relationship import Relationship
from gieok.domain.upkeep import change_kind
from gieok.records import Computed, Record, Shape
from gieok.records import record as shared_record


def _level(observed: Observed) -> Record | None:
    """Return the levels before and after; None unless the relationship reached another one."""
    for move in observed.moves:
        match move.before, move.after:
            case Relationship(level=before), Relationship(level=after) if before != after:
                return {"before": before, "after": after}
    return None


def _shape(keys: str, **computed: Callable[[Any], Any]) -> Shape:
    return Shape(object, keys, name=None, **{key: Computed(Any, read) for key, read in computed.items()})


def _scope_names(*keys: str) -> dict[str, Callable[[Any], list[str]]]:
    # mypy cannot infer a lambda that binds its key
    return {key: lambda value, key=key: [str(scope) for scope in getattr(value, key)] for key in keys}  # type: ignore[misc]  # bound by default


_OWN: Final[Mapping[str, Shape]] = {
    "Bounds": _shape("user character world"),
    "Observed": _shape(
        "turn_id=turn.id number=turn.number at=turn.at session=turn.session unread again pii ask "
        "questions decisions emotions level",
        level=_level,
    ),
    "Regard": _shape("at turn_id sentiment=entity.sentiment trust=entity.trust"),
    "Change": _shape("what before after", what=change_kind),
    "ModelWork": _shape(
        "scope directed=done.directed note? read left_open asked failed kept",
        read=lambda work: [{"turn_id": each.turn.id, "decisions": each.decisions} for each in work.done.read],
        asked=lambda work: work.done.pondered.asked if work.done.pondered else [],
        failed=lambda work: work.done.pondered.failed if work.done.pondered else [],
        kept=lambda work: work.done.pondered.kept if work.done.pondered else [],
    ),
    "Version": _shape(
        "version=number operation=operation_id number=operation act at recorded_at actor who why turn_id before after"
    ),
    "AccessKey": _shape("id name role bounds home per_minute per_day created_at revoked_at"),
    "Backup": _shape("path kind made_at bytes=size sha256 encrypted scopes fresh rows=counts removed"),
    "Restored": _shape(
        "location backup made_at files scopes rows=counts taken_back held_back unasked set_aside",
        taken_back=lambda done: {str(scope): turns for scope, turns in done.taken_back.items()},
        held_back=lambda done: {str(scope): count for scope, count in done.held_back.items()},
    ),
    "Copied": _shape(
        "scopes fresh rows moving different erased outlived ahead",
        **_scope_names("moving", "different", "erased", "outlived", "ahead"),
    ),
    "Erasure": _shape(
        "dry_run counts scopes held certificates",
        scopes=lambda erasure: [{"scope": str(each.scope), "counts": each.counts} for each in erasure.scopes],
        **_scope_names("held"),
    ),
    "Certificate": _shape("id at by salt subject asked counts proven_at means hash proven intact"),
    "TakenIn": _shape("**scope fate counts held_back certificates"),
    "Report": _shape("kind path dry_run scopes left_out=skipped faces"),
    "ScopeReport": _shape("**scope **tallies left_out=skipped"),
    "Tally": _shape("new there"),
    "Skipped": _shape("where why"),
    "Exported": _shape("path size_bytes scopes"),
    "Check": _shape("name state detail remedy?"),
}


def record(value: Any) -> Any:
    return shared_record(value, _OWN)
