"""/v1/audit: who did what, when and why; for whoever runs the server."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends

from gieok.bank import MemoryBank, Mind
from gieok.http.answering import router
from gieok.http.asking import Bank, mind_for, whole_bank_for
from gieok.http.paging import Cursor, Limit, cursor, number_in, page_size
from gieok.http.shapes.audit import DeedPage, DeedShape, VerifiedShape

routes = router("audit")
AuditedMind = Annotated[Mind, Depends(mind_for("admin"))]
WholeBank = Annotated[MemoryBank, Depends(whole_bank_for("admin"))]


@routes.get("/audit", summary="Who did what in a scope, the newest first")
def deeds(mind: AuditedMind, bank: Bank, limit: Limit = 50, after: Cursor = None) -> DeedPage:
    """Return every write, and every read by somebody whose scope it is not. `/v1/journal` tells what they changed."""
    found = bank.audit(mind.key, page_size(bank, limit), before=number_in("audit", after))
    following = cursor("audit", [found[0].number]) if found and found[0].number > 1 else None
    return DeedPage(items=[DeedShape.of(deed) for deed in reversed(found)], next=following)


@routes.get("/audit/verify", summary="Whether the audit log is as it was written")
def verify(bank: WholeBank) -> VerifiedShape:
    """Look through all chains, and hold the journals and what was said against them: every row of the bank is read."""
    return VerifiedShape.of(bank.verify_audit())
