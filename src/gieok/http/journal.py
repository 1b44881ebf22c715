"""/v1/journal and /v1/summaries: what was done, and what it came to."""

from __future__ import annotations

from gieok.http.answering import router
from gieok.http.asking import Bank, ReadMind
from gieok.http.paging import Cursor, Limit, cursor, leafed, moment_key, number_in, page_size
from gieok.http.shapes.journal import OperationPage, OperationShape, SummaryPage, SummaryShape

routes = router("journal")


@routes.get("/journal", summary="Everything that was done, the newest first")
def journal(mind: ReadMind, bank: Bank, limit: Limit = 20, after: Cursor = None) -> OperationPage:
    """Return every operation of the scope with who did it and what it changed, undone ones and rewinds too."""
    found = mind.last_operations(page_size(bank, limit), before=number_in("journal", after))
    following = cursor("journal", [found[0].number]) if found and found[0].number > 1 else None
    return OperationPage(items=[OperationShape.of(operation) for operation in reversed(found)], next=following)


@routes.get("/summaries", summary="The story so far, and what happened week by week")
def summaries(mind: ReadMind, bank: Bank, limit: Limit = 20, after: Cursor = None) -> SummaryPage:
    """Return the rolling summary and the weekly ones, oldest first, each with what it tells of."""
    size = page_size(bank, limit)
    page, following = leafed(
        mind.summaries(), lambda each: (moment_key(each.valid_at), each.id), "summaries", after, size
    )
    return SummaryPage(items=[SummaryShape.of(memory) for memory in page], next=following)
