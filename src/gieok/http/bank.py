"""/v1/audit: who did what, when and why; for whoever runs the server."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Annotated, Any, Final, TypeVar
from urllib.parse import quote

from anyio.to_thread import run_sync
from fastapi import Body, Depends, Query, Request, Response
from fastapi.responses import StreamingResponse

from gieok.bank import MemoryBank, Mind, iter_scopes
from gieok.domain.erasure import Erasing, Erasure
from gieok.domain.scope import Scope
from gieok.domain.upkeep import PASSES
from gieok.errors import GieokError, InvalidQuery, InvalidScope
from gieok.http import sse
from gieok.http.problems import problem_of
from gieok.http.requests import (
    HEEDED,
    Asked,
    Bank,
    Cursor,
    Limit,
    ReadMind,
    WrittenMind,
    cursor,
    failing,
    mind_for,
    number_in,
    page_size,
    place_in,
    router,
    unknown_cursor,
    whole_bank_for,
)
from gieok.http.shapes import (
    AboutMeShape,
    BankShape,
    Certificates,
    CertificateShape,
    DeedPage,
    DeedShape,
    EntityShape,
    ErasureShape,
    Maintaining,
    MannersShape,
    MemoryShape,
    OperationShape,
    RelationshipShape,
    SceneShape,
    ScopeCount,
    ScopePage,
    ScopeShape,
    Shape,
    TurnShape,
    UpkeptShape,
    VerifiedShape,
    WhatToErase,
)

routes_audit = router("audit")
AuditedMind = Annotated[Mind, Depends(mind_for("admin"))]
WholeBank = Annotated[MemoryBank, Depends(whole_bank_for("admin"))]


@routes_audit.get("/audit", summary="Who did what in a scope, the newest first")
def deeds(mind: AuditedMind, bank: Bank, limit: Limit = 50, after: Cursor = None) -> DeedPage:
    """Return every write, and every read by somebody whose scope it is not. `/v1/journal` tells what they changed."""
    found = bank.audit(mind.key, page_size(bank, limit), before=number_in("audit", after))
    following = cursor("audit", [found[0].number]) if found and found[0].number > 1 else None
    return DeedPage(items=[DeedShape.of(deed) for deed in reversed(found)], next=following)


@routes_audit.get("/audit/verify", summary="Whether the audit log is as it was written")
def verify(bank: WholeBank) -> VerifiedShape:
    """Look through all chains, and hold the journals and what was said against them: every row of the bank is read."""
    return VerifiedShape.of(bank.verify_audit())


_MEDIA_TYPE: Final = "application/zip"
routes_disclosing = router("users")


@routes_disclosing.get("/about-me", summary="What is remembered of the user, in plain words")
def about_me(mind: ReadMind) -> AboutMeShape:
    """Return an answer for the user, in the language of the bank: `text` as a whole, `parts` piece by piece.

    What is numbered has the id that `DELETE /v1/memories/{memory_id}` takes.
    """
    return AboutMeShape.of(mind.about_me())


@routes_disclosing.get(
    "/export.zip",
    summary="All that is kept of a user, in one file",
    response_class=StreamingResponse,
    responses={
        **failing(404),
        200: {
            "description": "JSON lines, a page to read, and what is in it. `gieok import gieok FILE` takes it.",
            "content": {_MEDIA_TYPE: {"schema": {"type": "string", "format": "binary"}}},
        },
    },
)
def export_disclosing(mind: ReadMind, bank: Bank) -> StreamingResponse:
    """Return the scopes of a user, all of them or those with the named character and world.

    A key that opens only some of a user's scopes has to name these. An answer without a whole zip was cut off.
    """
    scope = mind.key
    if scope.user is None:
        raise InvalidScope("whose? an export is a user's: name one in the query, ?user=minsu")
    pieces = bank.exported(user=scope.user, character=scope.character, world=scope.world)
    named = quote(f"gieok-{scope.user}.zip", safe="")
    headers = {"Content-Disposition": f"attachment; filename=\"gieok.zip\"; filename*=UTF-8''{named}"}
    return StreamingResponse(pieces, media_type=_MEDIA_TYPE, headers=headers)


routes_erasing = router("erasing")


@routes_erasing.post(
    "/erase", summary="Erase a scope, or a part of it, for good", dependencies=HEEDED, responses=failing(400, 409)
)
def erase(
    mind: Annotated[Mind, Depends(mind_for("admin"))], caller: Asked, asked: Annotated[WhatToErase, Body()]
) -> ErasureShape:
    """Erase what is named from the tables and the files. A dry run, unless `dry_run` is false.

    The certificate is all that remains.

    Conditions narrow one another; without any, `everything` has to be true. Exactly the scope of the query is meant.
    """
    return ErasureShape.of(_erased(mind, asked, caller.name))


def _erased(mind: Mind, asked: WhatToErase, by: str) -> Erasure:
    since, until = asked.since, asked.until
    if asked.when is not None:
        if since is not None or until is not None:
            raise InvalidQuery("`when` names the time; leave out `since` and `until`; nothing was erased")
        since, until = mind.period(asked.when)
    narrowed = any((asked.session, asked.turn, asked.matching, since, until))
    if narrowed == asked.everything:
        raise InvalidQuery(
            "what is to go? either `everything`: true, or some of session, turn, matching, when, since and until; "
            "nothing was erased"
        )
    if asked.everything:
        return mind.bank.erase_asked(Erasing(scope=mind.key), by=by, dry_run=asked.dry_run)
    return mind.erase(
        session=asked.session,
        turn=asked.turn,
        matching=asked.matching,
        since=since,
        until=until,
        by=by,
        dry_run=asked.dry_run,
    )


@routes_erasing.get("/erasures", summary="What was erased")
def erasures(
    bank: Annotated[MemoryBank, Depends(whole_bank_for("admin"))],
    limit: Annotated[int, Query(ge=1, le=1000)] = 100,
) -> Certificates:
    """Return the certificates of what was erased, the latest first. None of them tells what that was."""
    return Certificates(items=[CertificateShape.of(each) for each in bank.certificates(limit)])


MEDIA_TYPE: Final = "application/x-ndjson"
_AT_ONCE: Final = 200  #: things of an export that are in memory together


def exported(mind: Mind, bank: MemoryBank) -> Iterator[bytes]:
    """Yield all of a scope, some lines at a time; the last one is `end`, with what there was."""
    counts: dict[str, int] = {}
    for kind, things in _parts(mind):
        counts[kind] = counts.get(kind, 0) + len(things)
        yield b"".join(_line(kind, thing.model_dump(mode="json")) for thing in things)
    yield _line("end", {"counts": counts, "exported_at": bank.clock.now().isoformat()})


def _parts(mind: Mind) -> Iterator[tuple[str, list[Shape]]]:
    yield "scope", [ScopeShape.of(mind.key)]
    yield "relationship", [RelationshipShape.of(mind.relationship())]
    yield "manners", [MannersShape.of(mind.manners())]
    yield "entity", [EntityShape.of(entity) for entity in mind.entities()]
    yield "scene", [SceneShape.of(scene) for scene in mind.scenes()]
    number = 1
    while turns := [turn for turn in mind.turns(_AT_ONCE, before=number + _AT_ONCE) if turn.number >= number]:
        yield "turn", [TurnShape.of(turn) for turn in turns]
        number = turns[-1].number + 1
    place = None
    while leaves := mind.memories(_AT_ONCE, before=place, state="all"):
        yield "memory", [MemoryShape.of(leaf.memory) for leaf in leaves]
        place = leaves[-1].place
    number = 1
    while operations := mind.journal(_AT_ONCE, since=number):
        yield "operation", [OperationShape.of(operation) for operation in operations]
        number = operations[-1].number + 1


def _line(kind: str, data: dict[str, Any]) -> bytes:
    return json.dumps({"kind": kind, "data": data}, ensure_ascii=False).encode() + b"\n"


routes = router("bank")


@routes.get("/scopes", summary="Whose memories there are")
def scopes(bank: Bank, caller: Asked, limit: Limit = 100, after: Cursor = None) -> ScopePage:
    """Return the scopes that your key opens, by their names, with how much is in each."""
    size = page_size(bank, limit)
    page = bank.scopes(size + 1, after=_scope_in(after), within=caller.bounds)
    following = _cursor(page[size - 1].scope) if len(page) > size else None
    items = [
        ScopeCount(
            user=each.scope.user,
            character=each.scope.character,
            world=each.scope.world,
            turns=each.turns,
            utterances=each.utterances,
            memories=each.memories,
            latest_at=each.latest_at,
        )
        for each in page[:size]
    ]
    return ScopePage(items=items, next=following)


@routes.get("/bank", summary="What the bank is made of")
def bank_info(bank: Bank, caller: Asked) -> BankShape:
    """Return what keeps the memories and finds them again."""
    info, settings = bank.info(), bank.settings
    everything = caller.key is None or not caller.key.bounds
    return BankShape(
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
        counts=dict(info.counts) if everything else None,
    )


@routes.get(
    "/export",
    summary="All of a scope, line by line",
    response_class=StreamingResponse,
    responses={
        200: {
            "description": "One JSON object a line: `kind` tells what it is, `data` is it. The last line is `end`.",
            "content": {"application/x-ndjson": {"schema": {"type": "string"}}},
        }
    },
)
def export(mind: ReadMind, bank: Bank) -> StreamingResponse:
    """Return the turns, the memories in every state, people, scenes and the journal of a scope.

    What is written meanwhile may be in it or not. An answer without its last line, `end`, was cut off.
    """
    return StreamingResponse(exported(mind, bank), media_type=MEDIA_TYPE)


def _cursor(scope: Scope) -> str:
    return cursor("scopes", [scope.user or "", scope.character or "", scope.world or ""])


def _scope_in(after: str | None) -> Scope | None:
    place = place_in("scopes", after, str, str, str)
    if place is None:
        return None
    user, character, world = (name or None for name in place)
    try:
        return Scope(user=user, character=character, world=world)
    except InvalidScope as cause:
        raise unknown_cursor("scopes") from cause


routes_upkeep = router("upkeep")

Told = tuple[str, dict[str, Any]]
Result = TypeVar("Result")

_STREAM: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "What was done; with `Accept: text/event-stream` the events started, pass and done.",
        "content": {"text/event-stream": {"schema": sse.schema("started", "pass", "done", "problem")}},
    }
}
_ALL: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "The events started, scope (one for each) and done.",
        "content": {"text/event-stream": {"schema": sse.schema("started", "scope", "done", "problem")}},
    }
}


@routes_upkeep.post(
    "/maintain",
    summary="Do the upkeep of a scope",
    response_model=UpkeptShape,
    dependencies=HEEDED,
    responses={**failing(400), **_STREAM},
)
def maintain(
    request: Request, mind: WrittenMind, asked: Annotated[Maintaining | None, Body()] = None
) -> UpkeptShape | Response:
    """Merge, promote, prune, reflect and summarise: what is due, or the passes that are named.

    As events, each pass is an entry of the journal of its own.
    """
    asked = asked or Maintaining()
    if "text/event-stream" in request.headers.get("accept", ""):
        return _stream(lambda: _passes(mind, asked))
    return UpkeptShape.of(mind.maintain(asked.passes, at=asked.at, dry_run=asked.dry_run))


@routes_upkeep.post(
    "/maintain/all",
    summary="Do the upkeep of the whole bank",
    response_class=StreamingResponse,
    dependencies=HEEDED,
    responses={**failing(400), **_ALL},
)
def maintain_all(
    bank: Annotated[MemoryBank, Depends(whole_bank_for("admin"))], asked: Annotated[Maintaining | None, Body()] = None
) -> StreamingResponse:
    """Do what is due in one scope after the other, and tell of each as it is done."""
    return _stream(lambda: _scopes(bank, asked or Maintaining()))


def _passes(mind: Mind, asked: Maintaining) -> Iterator[Told]:
    wanted = [name for name in PASSES if name in (mind.due(asked.at) if asked.passes is None else asked.passes)]
    yield "started", {"scope": ScopeShape.of(mind.key).model_dump(), "passes": wanted, "dry_run": asked.dry_run}
    kept = 0
    # A dry run is told in one piece: each pass builds on what the one before would have done.
    for names in [wanted] if asked.dry_run else [[name] for name in wanted]:
        did = mind.maintain(names, at=asked.at, dry_run=asked.dry_run)
        kept += len(did.kept)
        yield "pass", UpkeptShape.of(did).model_dump(mode="json")
    yield "done", {"passes": wanted, "kept": kept}


def _scopes(bank: MemoryBank, asked: Maintaining) -> Iterator[Told]:
    there = sum(1 for _ in iter_scopes(bank.store))
    yield "started", {"scopes": there, "passes": asked.passes, "dry_run": asked.dry_run}
    scopes = kept = 0
    for did in bank.maintain(asked.passes, at=asked.at, dry_run=asked.dry_run):
        scopes, kept = scopes + 1, kept + len(did.kept)
        yield "scope", UpkeptShape.of(did).model_dump(mode="json")
    yield "done", {"scopes": scopes, "kept": kept}


def _stream(work: Callable[[], Iterator[Told]]) -> StreamingResponse:
    return StreamingResponse(_events(work), media_type=sse.MEDIA_TYPE, headers=sse.HEADERS)


async def _events(work: Callable[[], Iterator[Told]]) -> AsyncIterator[bytes]:
    steps = work()
    try:
        while (step := await run_sync(next, steps, None)) is not None:
            yield sse.event(*step)
    except GieokError as error:  # the answer has begun: the failure is its last event
        yield sse.event("problem", problem_of(error).record())
