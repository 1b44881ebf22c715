"""What is shown of an answer: hits with their bars and moves, blocks with their lines, and what was left out."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final, Literal

from gieok.domain.answer import SHARES, Block, Hit, Item, Why
from gieok.domain.memory import Memory
from gieok.domain.scope import Scope
from gieok.domain.scoring import PART_NAMES
from gieok.domain.turn import CHARACTER, USER
from gieok.web.ask.asking import Answered
from gieok.web.ask.knobs import SWITCHED

Fate = Literal["in", "not_offered"] | Why
Direction = Literal["up", "down", "same", "new"]
TROUBLES: Final = {  #: as `Context.degraded` begins to tell of each
    "dense search": "dense",
    "keyword search": "keyword",
    "topic search": "topic",
    "search is off": "search",
    "the question alone": "question",
    r"\d+ cautions": "cautions",
}
_WHYS: Final[tuple[Why, ...]] = ("over_budget", "over_cap", "item_too_long", "said_elsewhere", "block_off")


@dataclass(frozen=True, slots=True, kw_only=True)
class Share:
    """What one part adds to a score."""

    part: str
    adds: float
    width: float  #: percent of the longest bar


@dataclass(frozen=True, slots=True, kw_only=True)
class Move:
    """How a place differs from the one that it has as the bank is set."""

    direction: Direction
    by: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownHit:
    """A hit as it is listed."""

    id: str
    place: int  #: from 1
    move: Move
    text: str
    score: float
    shares: tuple[Share, ...]
    found: tuple[tuple[str, int], ...]  #: by which source, at which place of its list
    memory_id: str | None  #: of a memory that can be looked at in this scope
    kind: Literal["memory", "said", "canon"]
    whose: str  #: "user", "character", "world" or a name: whom it is about, or who said it
    at: datetime
    fate: Fate  #: in the context, or why not
    picked: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Gone:
    """A hit that is not listed any more since knobs were turned."""

    text: str
    place: int  #: as the bank is set


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A line of a block."""

    text: str
    picked: bool = False
    shortened: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownBlock:
    """A block of the context, in the words that would be sent."""

    name: str
    tokens: int
    width: float  #: percent of the budget
    is_on: bool
    heading: str  #: "": its lines have none
    lines: tuple[Line, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Missing:
    """Something that was left out of a block."""

    block: str
    text: str  #: "": it is known by its block alone
    count: int = 1  #: of such lines


@dataclass(frozen=True, slots=True, kw_only=True)
class Reason:
    """Why some things were left out."""

    why: Why
    missing: tuple[Missing, ...]

    @property
    def count(self) -> int:
        return sum(each.count for each in self.missing)


def hits_shown(answer: Answered) -> list[ShownHit]:
    best = max((hit.score for hit in answer.hits), default=0.0)
    before = {hit.item.id: place for place, hit in enumerate(answer.own_hits, start=1)}
    fates = _fates(answer)
    return [
        ShownHit(
            id=hit.item.id,
            place=place,
            move=_moved(before.get(hit.item.id), place),
            text=hit.text,
            score=hit.score,
            shares=_shares(hit, best),
            found=_found(hit),
            memory_id=hit.item.id if isinstance(hit.item, Memory) and hit.scope == answer.scope else None,
            kind=_kind(hit, answer.scope),
            whose=_whose(hit.item, answer.scope),
            at=hit.item.known_at if isinstance(hit.item, Memory) else hit.item.at,
            fate=fates.get(hit.item.id, "not_offered"),
            picked=hit.item.id in answer.picked,
        )
        for place, hit in enumerate(answer.hits, start=1)
    ]


def gone(answer: Answered) -> list[Gone]:
    """Return what would be listed as the bank is set, and is not now."""
    listed = {hit.item.id for hit in answer.hits}
    places = enumerate(answer.own_hits, start=1)
    return [Gone(text=hit.text, place=place) for place, hit in places if hit.item.id not in listed]


def blocks_shown(answer: Answered) -> list[ShownBlock]:
    """Return the blocks that say something, or that can be switched."""
    context, off = answer.context, answer.asked.knobs.without
    return [
        ShownBlock(
            name=block.name,
            tokens=block.tokens,
            width=100 * block.tokens / context.budget,
            is_on=block.name not in off,
            heading=_heading(block),
            lines=tuple(_lines(block, answer.picked)),
        )
        for block in context.blocks
        if block.text or block.name in SWITCHED
    ]


def trouble(told: str) -> str:
    """Return the name of what a context could not use, or had no room for, by how the context tells it."""
    return next((name for start, name in TROUBLES.items() if re.match(start, told)), "other")


def reply_width() -> float:
    """Return what is kept free for the reply, in percent of the budget."""
    return 100 * SHARES["reply"]


def left_out(answer: Answered) -> list[Reason]:
    """Return what was left out, by its reason."""
    reasons: dict[Why, list[Missing]] = {why: [] for why in _WHYS}
    for block in answer.context.blocks:
        for why, texts in _missing(block, answer).items():
            said = [Missing(block=block.name, text=text) for text in texts if text]
            nameless = len(texts) - len(said)
            reasons[why] += said + [Missing(block=block.name, text="", count=nameless)] * bool(nameless)
    return [Reason(why=why, missing=tuple(missing)) for why, missing in reasons.items() if missing]


def named(whose: str, scope: Scope, called: Mapping[str, str]) -> str:
    """Return whom it is about, or who said it, as people call them; `called` are the words for the nameless."""
    names = {USER: scope.user, CHARACTER: scope.character, "world": scope.world}
    return (names.get(whose) or called.get(whose) or whose) if whose in names else whose


def text_of(item_id: str, answer: Answered) -> str:
    """Return what an item that was picked or left out says; "" where it is no item of the bank."""
    item = answer.items.get(item_id)
    if item is not None:
        return item.content if isinstance(item, Memory) else item.text
    return " / ".join(each.text for each in answer.turns.get(item_id, ()))


def _moved(before: int | None, place: int) -> Move:
    if before is None:
        return Move(direction="new")
    if before == place:
        return Move(direction="same")
    return Move(direction="up" if place < before else "down", by=abs(before - place))


def _shares(hit: Hit, best: float) -> tuple[Share, ...]:
    adds = hit.contributions or {}
    longest = best or 1.0
    return tuple(
        Share(part=name, adds=adds.get(name, 0.0), width=100 * adds.get(name, 0.0) / longest) for name in PART_NAMES
    )


def _found(hit: Hit) -> tuple[tuple[str, int], ...]:
    places: dict[str, int] = {}
    for found in hit.why:  # a memory inherits what found the words it was read from: the best place counts
        places[found.source] = min(found.rank, places.get(found.source, found.rank))
    return tuple(places.items())


def _kind(hit: Hit, scope: Scope) -> Literal["memory", "said", "canon"]:
    if hit.scope != scope:
        return "canon"
    return "memory" if isinstance(hit.item, Memory) else "said"


def _whose(item: Item, scope: Scope) -> str:
    if not isinstance(item, Memory):
        return item.speaker
    return item.subject if item.subject != "other" else item.subject_id


def _fates(answer: Answered) -> dict[str, Fate]:
    fates: dict[str, Fate] = {each.item_id: each.why for block in answer.context.blocks for each in block.left_out}
    return fates | dict.fromkeys(answer.context.items, "in")


def _missing(block: Block, answer: Answered) -> dict[Why, list[str]]:
    texts: dict[Why, list[str]] = {}
    for each in block.left_out:
        texts.setdefault(each.why, []).append(text_of(each.item_id, answer))
    return texts


def _heading(block: Block) -> str:
    return block.text.split("\n", 1)[0] if block.name in SWITCHED and block.text else ""


def _lines(block: Block, picked: Sequence[str]) -> Iterator[Line]:
    """Yield the lines of a block; where each of them is one item, it is told what became of that."""
    texts = block.text.split("\n") if block.text else []
    if _heading(block):
        texts = texts[1:]
    items = block.items if len(block.items) == len(texts) else ("",) * len(texts)
    for text, item_id in zip(texts, items, strict=True):
        yield Line(text=text, picked=item_id in picked, shortened=item_id in block.shortened)
