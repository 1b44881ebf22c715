"""What the model saw, block by block, and what it cost: of a turn just now its words, of an earlier one its trace."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from gieok.domain.answer import Block, Context, Item
from gieok.domain.memory import Memory
from gieok.domain.trace import Injected, Trace
from gieok.web.wording import Words


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """One block."""

    name: str
    tokens: int
    share: float  #: of all that was sent, 0–1
    text: str
    left_out: tuple[tuple[str, int], ...] = ()  #: why, and how many


@dataclass(frozen=True, slots=True, kw_only=True)
class Sent:
    """A whole context."""

    sheets: tuple[Sheet, ...]
    tokens: int
    budget: int
    degraded: tuple[str, ...] = ()
    in_full: bool = True  #: the blocks read as they were sent; else only what stood in them is known

    @property
    def share(self) -> float:
        return min(self.tokens / self.budget, 1.0) if self.budget else 0.0


def sent(context: Context, words: Words) -> Sent:
    """Return what to show of a context; blocks with nothing in them are not shown."""
    shown = [block for block in context.blocks if block.text or block.left_out]
    return Sent(
        sheets=tuple(_sheet(block, block.text, context.tokens, words) for block in shown),
        tokens=context.tokens,
        budget=context.budget,
        degraded=context.degraded,
    )


def sent_before(trace: Trace, items: Mapping[str, Item], words: Words) -> Sent | None:
    """Return what is still known of the context of an earlier turn; None: it had none."""
    if trace.budget is None:
        return None
    return Sent(
        sheets=tuple(
            _sheet(block, "\n".join(_lines(block, items, words)), trace.tokens, words) for block in trace.injected
        ),
        tokens=trace.tokens,
        budget=trace.budget,
        degraded=trace.degraded,
        in_full=False,
    )


def named_items(trace: Trace) -> tuple[str, ...]:
    return tuple(dict.fromkeys(item for block in trace.injected for item in block.items))


def _lines(block: Injected, items: Mapping[str, Item], words: Words) -> list[str]:
    """Return what the items of a block say now; what was forgotten since is only counted."""
    known = [items[item] for item in block.items if item in items]
    lines = [each.content if isinstance(each, Memory) else f"“{each.text}”" for each in known]
    gone = len(block.items) - len(known)
    return [*lines, *([words("talk.sent.gone", n=gone)] if gone else [])]


def _sheet(block: Block | Injected, text: str, whole: int, words: Words) -> Sheet:
    reasons: dict[str, int] = {}
    for each in block.left_out:
        reasons[each.why] = reasons.get(each.why, 0) + 1
    return Sheet(
        name=words.some("talk.blocks").get(block.name, block.name),
        tokens=block.tokens,
        share=min(block.tokens / whole, 1.0) if whole else 0.0,
        text=text,
        left_out=tuple((words(f"talk.left_out.{why}"), count) for why, count in reasons.items()),
    )
