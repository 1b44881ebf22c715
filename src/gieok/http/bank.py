"""Routes of the bank: audit log, upkeep, erasure, scopes, export, and what is remembered about a user."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Final
from urllib.parse import quote

from fastapi import Body, Path, Query, Request, Response
from fastapi.responses import StreamingResponse

from gieok.bank import MemoryBank, Mind, iter_scopes
from gieok.bank.privacy import AboutMe
from gieok.domain.audit import Deed, Verified
from gieok.domain.erasure import Certificate, Erasing, Erasure
from gieok.domain.scope import Scope, ScopeSummary
from gieok.domain.upkeep import PASSES, Upkept
from gieok.errors import GieokError, InvalidQuery, InvalidScope
from gieok.http import router, sse
from gieok.http.bodies import Maintaining, WhatToErase
from gieok.http.problems import problem_of
from gieok.http.schemas import Page, answer, jsonable

JSON_LINES: Final = "application/x-ndjson"
_ZIP: Final = "application/zip"
_AT_ONCE: Final = 200  #: items of an export that are in memory together

routes = router.routes_of("bank")


@answer()
@dataclass(frozen=True, slots=True)
class Certificates:
    """The certificates of what was erased."""

    items: list[Certificate]


@answer(name="Bank")
@dataclass(frozen=True, slots=True, kw_only=True)
class BankDescription:
    """How the bank is built and configured."""

    engine: str
    schema_version: int
    encrypted: bool
    embedder: str
    dimension: int
    preset: str | None
    language: str
    timezone: str
    model: str | None
    size_bytes: int | None
    counts: Mapping[str, int] | None


@routes.get("/audit", summary="List the audit log of a scope, newest first", tags=["audit"])
def deeds(
    mind: router.AdminMind, bank: router.CurrentBank, limit: router.Limit = 50, after: router.Cursor = None
) -> Page[Deed]:
    """Return every write, and every read of another user's scope. `/v1/journal` shows what they changed."""
    return router.numbered_page(
        "audit", bank.audit(mind.key, router.page_size(bank, limit), before=router.read_number("audit", after))
    )


@routes.get("/audit/verify", summary="Verify that the audit log was not changed", tags=["audit"])
def verify(bank: router.WholeBank) -> Verified:
    """Check all chains, and compare them with the journals and the turns: every row of the bank is read."""
    return bank.verify_audit()


@routes.get("/about-me", summary="Show users what is remembered about them", tags=["users"])
def about_me(mind: router.ReadMind) -> AboutMe:
    """Return an answer for the user, in the language of the bank: `text` as a whole, `parts` piece by piece.

    What is numbered has the id that `DELETE /v1/memories/{memory_id}` takes.
    """
    return mind.about_me()


@routes.get(
    "/export.zip",
    summary="Export all data of a user as one file",
    tags=["users"],
    operation_id="export_v1_export_zip_get",
    response_class=StreamingResponse,
    responses={
        **router.problems(404),
        200: {
            "description": "JSON lines, a page to read, and a table of contents. `gieok import gieok FILE` reads it.",
            "content": {_ZIP: {"schema": {"type": "string", "format": "binary"}}},
        },
    },
)
def export_user(mind: router.ReadMind, bank: router.CurrentBank) -> StreamingResponse:
    """Return the scopes of a user, all of them or those with the named character and world.

    A key that opens only some of a user's scopes has to name these. An answer without a whole zip was cut off.
    """
    scope = mind.key
    if scope.user is None:
        raise InvalidScope("whose? an export belongs to a user: name one in the query, ?user=minsu")
    pieces = bank.exported(user=scope.user, character=scope.character, world=scope.world)
    name = quote(f"gieok-{scope.user}.zip", safe="")
    headers = {"Content-Disposition": f"attachment; filename=\"gieok.zip\"; filename*=UTF-8''{name}"}
    return StreamingResponse(pieces, media_type=_ZIP, headers=headers)


@routes.write("POST", "/erase", "Erase a scope, or a part of it, permanently", 400, 409, tags=["erasing"])
def erase(mind: router.AdminMind, caller: router.CurrentCaller, asked: Annotated[WhatToErase, Body()]) -> Erasure:
    """Erase what is named from the tables and the files. A dry run, unless `dry_run` is false.

    The certificate is all that remains.

    Conditions narrow one another; without any, `everything` has to be true. Exactly the scope of the query is meant.
    """
    since, until = asked.since, asked.until
    if asked.when is not None:
        if since is not None or until is not None:
            raise InvalidQuery("`when` gives the time; leave out `since` and `until`; nothing was erased")
        since, until = mind.period(asked.when)
    narrowed: dict[str, Any] = {"session": asked.session, "turn": asked.turn, "matching": asked.matching}
    if any((*narrowed.values(), since, until)) == asked.everything:
        raise InvalidQuery(
            "what should be erased? either `everything`: true, or some of session, turn, matching, when, since and "
            "until; nothing was erased"
        )
    if asked.everything:
        return mind.bank.erase_asked(Erasing(scope=mind.key), by=caller.name, dry_run=asked.dry_run)
    return mind.erase(**narrowed, since=since, until=until, by=caller.name, dry_run=asked.dry_run)


@routes.get("/erasures", summary="List the erasures", tags=["erasing"])
def erasures(bank: router.WholeBank, limit: Annotated[int, Query(ge=1, le=1000)] = 100) -> Certificates:
    """Return the certificates of what was erased, latest first. None of them says what that was."""
    return Certificates(list(bank.certificates(limit)))


@answer()
@dataclass(frozen=True, slots=True)
class Lifted:
    """What is no longer held back."""

    certificate: str
    lifted: int


@routes.write("POST", "/erasures/{certificate_id}/lift", "Allow erased data to be learned again", 404, tags=["erasing"])
def lift(bank: router.WholeBank, certificate_id: Annotated[str, Path(max_length=200)]) -> Lifted:
    """Until then a chat client that still shows it, an import or a backup does not bring it back."""
    return Lifted(certificate_id, bank.lift(certificate_id))


@routes.get("/scopes", summary="List the scopes")
def scopes(
    bank: router.CurrentBank, caller: router.CurrentCaller, limit: router.Limit = 100, after: router.Cursor = None
) -> Page[ScopeSummary]:
    """Return the scopes that your key opens, by their names, with how much each holds."""
    size = router.page_size(bank, limit)
    place = router.read_cursor("scopes", after, str, str, str)
    try:
        user, character, world = (name or None for name in place) if place is not None else (None,) * 3
        last_seen = None if place is None else Scope(user=user, character=character, world=world)
    except InvalidScope as cause:
        raise router.unknown_cursor("scopes") from cause
    page = bank.scopes(size + 1, after=last_seen, within=caller.bounds)
    if len(page) <= size:
        return Page(list(page), None)
    last = page[size - 1].scope
    return Page(
        list(page[:size]), router.make_cursor("scopes", last.user or "", last.character or "", last.world or "")
    )


@routes.get("/bank", summary="Describe the bank")
def bank_info(bank: router.CurrentBank, caller: router.CurrentCaller) -> BankDescription:
    """Return what stores the memories and what finds them."""
    info, settings = bank.info(), bank.settings
    everything = caller.key is None or not caller.key.bounds
    return BankDescription(
        engine=info.engine,
        schema_version=info.schema,
        encrypted=info.encrypted,
        embedder=info.embedder,
        dimension=info.dimension,
        preset=settings.preset,
        language=settings.language,
        timezone=settings.timezone,
        model=settings.llm,
        size_bytes=info.size_bytes if everything else None,
        counts=info.counts if everything else None,
    )


@routes.get(
    "/export",
    summary="Export a scope, line by line",
    response_class=StreamingResponse,
    responses={
        200: {
            "description": "One JSON object a line: `kind` says what it is, `data` is it. The last line is `end`.",
            "content": {JSON_LINES: {"schema": {"type": "string"}}},
        }
    },
)
def export(mind: router.ReadMind, bank: router.CurrentBank) -> StreamingResponse:
    """Return the turns, the memories in every state, people, scenes and the journal of a scope.

    What is written meanwhile may be part of it or not. An answer without its last line, `end`, was cut off.
    """
    return StreamingResponse(exported(mind, bank), media_type=JSON_LINES)


def exported(mind: Mind, bank: MemoryBank) -> Iterator[bytes]:
    """Yield all of a scope, some lines at a time; the last line is `end`, with the counts."""
    counts: dict[str, int] = {}
    for kind, values in _export_parts(mind):
        lines = [_line(kind, jsonable(value)) for value in values]
        counts[kind] = counts.get(kind, 0) + len(lines)
        yield b"".join(lines)
    yield _line("end", {"counts": counts, "exported_at": bank.clock.now().isoformat()})


def _export_parts(mind: Mind) -> Iterator[tuple[str, Iterable[object]]]:
    yield "scope", [mind.key]
    yield "relationship", [mind.relationship()]
    yield "manners", [mind.manners()]
    yield "entity", mind.entities()
    yield "scene", mind.scenes()
    number = 1
    while turns := [turn for turn in mind.turns(_AT_ONCE, before=number + _AT_ONCE) if turn.number >= number]:
        yield "turn", turns
        number = turns[-1].number + 1
    place = None
    while leaves := mind.memories(_AT_ONCE, before=place, state="all"):
        yield "memory", [leaf.memory for leaf in leaves]
        place = leaves[-1].place
    number = 1
    while operations := mind.journal(_AT_ONCE, since=number):
        yield "operation", operations
        number = operations[-1].number + 1


def _line(kind: str, data: dict[str, Any]) -> bytes:
    return json.dumps({"kind": kind, "data": data}, ensure_ascii=False).encode() + b"\n"


SseEvent = tuple[str, dict[str, Any]]  #: name and data


@routes.write(
    "POST",
    "/maintain",
    "Do the upkeep of a scope",
    400,
    tags=["upkeep"],
    responses={
        200: {
            "description": "What was done; with `Accept: text/event-stream` the events started, pass and done.",
            "content": {"text/event-stream": {"schema": sse.schema("started", "pass", "done", "problem")}},
        }
    },
)
def maintain(
    request: Request, mind: router.WriteMind, asked: Annotated[Maintaining | None, Body()] = None
) -> Upkept | Response:
    """Merge, promote, prune, reflect and summarise: the passes that are due, or those that are named.

    As events, each pass is an entry of the journal of its own.
    """
    asked = asked or Maintaining()
    if "text/event-stream" in request.headers.get("accept", ""):
        return _stream(_maintain_passes(mind, asked))
    return mind.maintain(asked.passes, at=asked.at, dry_run=asked.dry_run)


@routes.write(
    "POST",
    "/maintain/all",
    "Do the upkeep of the whole bank",
    400,
    tags=["upkeep"],
    response_class=StreamingResponse,
    responses={
        200: {
            "description": "The events started, scope (one for each) and done.",
            "content": {"text/event-stream": {"schema": sse.schema("started", "scope", "done", "problem")}},
        }
    },
)
def maintain_all(bank: router.WholeBank, asked: Annotated[Maintaining | None, Body()] = None) -> StreamingResponse:
    """Do what is due in one scope after the other, and report each when it is done."""
    return _stream(_maintain_scopes(bank, asked or Maintaining()))


def _maintain_passes(mind: Mind, asked: Maintaining) -> Iterator[SseEvent]:
    wanted = [name for name in PASSES if name in (mind.due(asked.at) if asked.passes is None else asked.passes)]
    yield "started", {"scope": jsonable(mind.key), "passes": wanted, "dry_run": asked.dry_run}
    kept = 0
    # A dry run is one step: each pass builds on what the one before would have done.
    for names in [wanted] if asked.dry_run else [[name] for name in wanted]:
        did = mind.maintain(names, at=asked.at, dry_run=asked.dry_run)
        kept += len(did.kept)
        yield "pass", jsonable(did)
    yield "done", {"passes": wanted, "kept": kept}


def _maintain_scopes(bank: MemoryBank, asked: Maintaining) -> Iterator[SseEvent]:
    total = sum(1 for _ in iter_scopes(bank.store))
    yield "started", {"scopes": total, "passes": asked.passes, "dry_run": asked.dry_run}
    scopes = kept = 0
    for did in bank.maintain(asked.passes, at=asked.at, dry_run=asked.dry_run):
        scopes, kept = scopes + 1, kept + len(did.kept)
        yield "scope", jsonable(did)
    yield "done", {"scopes": scopes, "kept": kept}


def _stream(steps: Iterator[SseEvent]) -> StreamingResponse:
    async def events() -> AsyncIterator[bytes]:
        try:
            while (step := await asyncio.to_thread(next, steps, None)) is not None:
                yield sse.event(*step)
        except GieokError as error:  # the answer has begun: the failure is its last event
            yield sse.event("problem", problem_of(error).record())

    return StreamingResponse(events(), media_type=sse.MEDIA_TYPE, headers=sse.HEADERS)
