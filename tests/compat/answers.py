"""What a bank answers, as plain JSON: recorded once by the version that wrote it, compared with what is answered now.

Only public calls and documented fields are used, so that the record outlives any change inside.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping
from datetime import date, datetime
from typing import Any

import gieok
from gieok.testing import FixedClock

#: The present of every kept story: what is asked is asked at this moment.
PRESENT = datetime.fromisoformat("2026-06-01T12:00:00+09:00")
QUERIES = ("고양이", "지금 어디 살아?", "먹으면 안 되는 것", "지난주에 뭐 했지?", "지호가 누구야?", "우리 약속 뭐였지?")
TOLERANCE = 2e-3  #: of scores and strengths; vectors are kept with 16 bits
_TURN = ("id", "number", "at", "recorded_at", "session", "channel", "present", "cut_off")
_UTTERANCE = ("id", "speaker", "text", "position")
_OPERATION = ("id", "number", "kind", "turn_id", "who", "why", "undone")
_SCENE = (
    "id", "session", "started_at", "ended_at", "ended_by", "place", "daytime", "participants", "turns", "tone",
    "topics", "title",
)  # fmt: skip
_ENTITY = (
    "id", "name", "kind", "display_name", "aliases", "channel", "interactions", "first_seen", "last_seen", "sentiment",
    "trust",
)  # fmt: skip
_RELATIONSHIP = ("trust", "affection", "respect", "rivalry", "familiarity", "level", "turns", "met_at", "last_at")
_CERTIFICATE = ("id", "at", "by", "salt", "subject", "counts", "proven_at", "hash", "proven", "intact")
_DEED = ("number", "at", "act", "operation", "who", "why", "targets", "digest", "link")


def clock() -> FixedClock:
    return FixedClock(PRESENT)


def plain(value: Any) -> Any:
    """Return a value as JSON has it; a frozen value as its fields."""
    match value:
        case None | bool() | int() | str():
            return value
        case float():
            return round(value, 6)
        case datetime() | date():
            return value.isoformat()
        case Mapping():
            return {str(key): plain(each) for key, each in value.items()}
        case _ if dataclasses.is_dataclass(value):
            return {each.name: plain(getattr(value, each.name)) for each in dataclasses.fields(value)}
        case Iterable():
            return [plain(each) for each in value]
    return str(value)


def picked(value: Any, names: Iterable[str]) -> dict[str, Any]:
    return {name: plain(getattr(value, name)) for name in names}


def bank_answers(bank: gieok.MemoryBank) -> dict[str, Any]:
    """Return what a bank and every mind in it answer."""
    info = bank.info()
    return {
        "embedder": info.embedder,
        "certificates": [picked(each, _CERTIFICATE) for each in bank.certificates()],
        "audit": [picked(each, _DEED) for each in bank.audit()],
        "verified": {"sound": bank.verify_audit().sound, "deeds": bank.verify_audit().deeds},
        "model_calls": [plain(each) for each in bank.calls()],
        "scopes": {
            str(summary.scope): {
                "key": plain(summary.scope),
                "summary": {name: value for name, value in plain(summary).items() if name != "scope"},
                **mind_answers(bank, bank.mind(summary.scope)),
            }
            for summary in bank.scopes()
        },
    }


def mind_answers(bank: gieok.MemoryBank, mind: gieok.Mind) -> dict[str, Any]:
    """Return what one mind answers to everything that can be asked of it."""
    leaves = mind.memories(1_000, state="all")
    everything = [leaf.memory for leaf in leaves]
    halfway = mind.turns(1_000)[len(mind.turns(1_000)) // 2].at if mind.turns(1) else PRESENT
    provisions = bank.provisions(mind.key)
    return {
        "memories": [plain(each) for each in everything],
        "strengths": plain(mind.strengths(everything)),
        "facts": [each.id for each in mind.facts()],
        "history": [each.id for each in mind.facts(history=True)],
        "as_of": [each.id for each in mind.facts(as_of=halfway)],
        "known_at": [each.id for each in mind.facts(known_at=halfway)],
        "timeline": [each.id for each in mind.timeline()],
        "story": [leaf.memory.id for leaf in mind.story(1_000, state="all")],
        "months": [plain(each) for each in mind.months(state="all")],
        "subjects": [plain(each) for each in mind.subjects()],
        "summaries": [each.id for each in mind.summaries()],
        "conclusions": [each.id for each in mind.conclusions()],
        "about_me": [each.memory_id for part in mind.about_me().parts for each in part.told] if mind.key.user else [],
        "versions": {each.id: versions(mind, each.id) for each in everything if each.version > 1},
        "lineage": {each.id: [one.id for one in mind.lineage(each.id)] for each in everything if each.closed_by},
        "sources": {each.id: [turn.id for turn in mind.sources(each.id)] for each in everything},
        "recall": {query: [hit(each) for each in mind.recall(query)] for query in QUERIES},
        "context": {query: context(mind.context(query)) for query in QUERIES},
        "turns": [turn(each) for each in mind.turns(1_000)],
        "traces": {each.id: trace(mind, each.id) for each in mind.turns(1_000)},
        "journal": [operation(each) for each in mind.journal()],
        "relationship": picked(mind.relationship(), _RELATIONSHIP),
        "relationship_then": picked(mind.relationship(at=halfway), _RELATIONSHIP),
        "trajectory": [
            {**picked(each, ("number", "at", "turn_id", "scene")), **picked(each.relationship, _RELATIONSHIP)}
            for each in mind.trajectory()
        ],
        "manners": {who: picked(getattr(mind.manners(), who), ("style", "address")) for who in ("user", "character")},
        "emotions": [
            {**picked(each, ("at", "turn_id")), **picked(each.felt, ("speaker", "emotion", "intensity", "valence"))}
            for each in mind.emotions()
        ],
        "entities": [picked(each, _ENTITY) for each in mind.entities()],
        "scenes": [picked(each, _SCENE) for each in mind.scenes()],
        "holdings": plain(mind.holdings()),
        "provisions": plain(provisions),
        "audit": [picked(each, _DEED) for each in bank.audit(mind)],
        "sound": bank.verify_audit(mind).sound,
    }


def versions(mind: gieok.Mind, memory_id: str) -> list[dict[str, Any]]:
    return [
        {**picked(each, ("number", "operation_id", "kind", "act")), "content": each.after and each.after.content}
        for each in mind.versions(memory_id)
    ]


def hit(each: gieok.Hit) -> dict[str, Any]:
    return {"id": each.item.id, "text": each.text, "score": plain(each.score), "parts": plain(each.parts)}


def context(each: gieok.Context) -> dict[str, list[str]]:
    return {block.name: list(block.items) for block in each.blocks if block.items}


def turn(each: gieok.Turn) -> dict[str, Any]:
    return {**picked(each, _TURN), "utterances": [picked(one, _UTTERANCE) for one in each.utterances]}


def operation(each: Any) -> dict[str, Any]:
    return {
        **picked(each, _OPERATION),
        "decisions": [type(decision).__name__ for decision in each.decisions],
        "changed": [change.memory_id for change in each.changes],
    }


def trace(mind: gieok.Mind, turn_id: str) -> dict[str, Any] | None:
    try:
        kept = mind.trace(turn_id)
    except gieok.errors.NoTrace:
        return None
    return {**picked(kept, ("budget", "tokens", "used", "degraded")), "calls": len(kept.calls)}


def differences(recorded: Any, now: Any, where: str = "") -> list[str]:
    """Return where `now` lacks or changes something that was recorded. What is new is let through."""
    if where.endswith(".recall"):
        return [each for query in recorded for each in _lost(_ids(recorded[query]), _ids(now[query]), where)]
    if ".context." in where and where.endswith(".memories"):
        return _lost(set(recorded), set(now), where)
    if isinstance(recorded, dict) and isinstance(now, dict):
        missing = [f"{where}.{key}: is missing" for key in recorded if key not in now]
        return missing + [
            each
            for key, value in recorded.items()
            if key in now
            for each in differences(value, now[key], f"{where}.{key}")
        ]
    if isinstance(recorded, list) and isinstance(now, list) and len(recorded) == len(now):
        pairs = enumerate(zip(recorded, now, strict=True))
        return [each for number, (old, new) in pairs for each in differences(old, new, f"{where}[{number}]")]
    numbers = (int, float)
    if isinstance(recorded, float) and isinstance(now, numbers):
        return [] if abs(recorded - now) <= TOLERANCE else [f"{where}: was {recorded}, is {now}"]
    return [] if recorded == now else [f"{where}: was {recorded!r}, is {now!r}"]


def _ids(hits: list[dict[str, Any]]) -> set[str]:
    return {hit["id"] for hit in hits}


def _lost(recorded: set[str], now: set[str], where: str) -> list[str]:
    """Return what is lost where a question finds less than half of what it found. Versions may rank differently."""
    return [f"{where}: lost {recorded - now}"] if 2 * len(recorded & now) < len(recorded) else []
