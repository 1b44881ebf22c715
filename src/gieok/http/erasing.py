"""/v1/erase and /v1/erasures: what goes for good, and the certificates that remain of it."""

from __future__ import annotations

from typing import Annotated

from fastapi import Body, Depends, Query

from gieok.bank import MemoryBank, Mind
from gieok.domain.erasure import Erasing, Erasure
from gieok.errors import InvalidQuery
from gieok.http.answering import failing, router
from gieok.http.asking import Asked, mind_for, whole_bank_for
from gieok.http.once import HEEDED
from gieok.http.shapes.erasures import Certificates, CertificateShape, ErasureShape, WhatToErase

routes = router("erasing")


@routes.post(
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


@routes.get("/erasures", summary="What was erased")
def erasures(
    bank: Annotated[MemoryBank, Depends(whole_bank_for("admin"))],
    limit: Annotated[int, Query(ge=1, le=1000)] = 100,
) -> Certificates:
    """Return the certificates of what was erased, the latest first. None of them tells what that was."""
    return Certificates(items=[CertificateShape.of(each) for each in bank.certificates(limit)])
