"""How an operation is written down, and read back exactly as it was."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from gieok.domain.claim import Claim
from gieok.domain.decision import Decision, Ignore, Reinforce, Remember, Retract, Supersede
from gieok.domain.memory import Change
from gieok.domain.operation import Amend, Direct, Hide, Join, Learn, Maintain, Part, Pin, Request, Stage, Think, Undo
from gieok.domain.promotion import Promotion
from gieok.domain.record import from_record, to_record
from gieok.domain.upkeep import Kept

_REQUESTS: Final[dict[str, type[Request]]] = {
    "learn": Learn, "amend": Amend, "pin": Pin, "hide": Hide, "maintain": Maintain, "join": Join, "part": Part,
    "stage": Stage, "think": Think, "direct": Direct, "undo": Undo,
}  # fmt: skip
_DECISIONS: Final[dict[str, type[Decision]]] = {
    "remember": Remember, "reinforce": Reinforce, "supersede": Supersede, "retract": Retract, "ignore": Ignore,
}  # fmt: skip


def request_record(request: Request) -> dict[str, Any]:
    return {"kind": type(request).__name__.lower(), **to_record(request)}


def request_from(record: Mapping[str, Any]) -> Request:
    return from_record(_REQUESTS[record["kind"]], record)


def decision_name(decision: Decision) -> str:
    """Return "remember", "reinforce", "supersede", "retract" or "ignore"."""
    return type(decision).__name__.lower()


def decision_records(decisions: Sequence[Decision]) -> list[dict[str, Any]]:
    """Return the decisions without their claims and changes, which stand in the request and the journal."""
    return [
        {
            "kind": decision_name(decision),
            "changes": len(decision.changes),
            **({"why": decision.why} if isinstance(decision, Ignore) else {}),
            **({"promotion": to_record(promotion)} if (promotion := promotion_of(decision)) else {}),
        }
        for decision in decisions
    ]


def decisions_from(
    records: Sequence[Mapping[str, Any]], claims: Sequence[Claim], changes: Sequence[Change]
) -> tuple[Decision, ...]:
    """Put decisions together again from their records, the request's claims and the operation's changes."""
    decisions: list[Decision] = []
    taken = 0
    for record, claim in zip(records, claims, strict=True):
        parts: dict[str, Any] = {"claim": claim}
        if "promotion" in record:
            parts["promotion"] = from_record(Promotion, record["promotion"])
        if record["kind"] == "ignore":
            parts["why"] = record["why"]
        else:
            parts["changes"] = tuple(changes[taken : taken + record["changes"]])
            taken += record["changes"]
        decisions.append(_DECISIONS[record["kind"]](**parts))
    return tuple(decisions)


def kept_records(kept: Sequence[Kept]) -> list[dict[str, Any]]:
    """Return what upkeep did without its changes, which stand in the journal."""
    return [{"action": each.action, "why": each.why, "changes": len(each.changes)} for each in kept]


def kept_from(records: Sequence[Mapping[str, Any]], changes: Sequence[Change]) -> tuple[Kept, ...]:
    """Put what upkeep did together again from its records and the operation's changes."""
    kept: list[Kept] = []
    taken = 0
    for record in records:
        own = tuple(changes[taken : taken + record["changes"]])
        kept.append(Kept(action=record["action"], why=record["why"], changes=own))
        taken += len(own)
    return tuple(kept)


def promotion_of(decision: Decision) -> Promotion | None:
    return getattr(decision, "promotion", None)
