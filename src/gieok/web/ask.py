"""The page "ask": a question, what comes to mind and why, and the context that would be sent for it."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from datetime import date, datetime, time
from functools import partial
from typing import Any, Final, Generic, Literal, TypeVar
from urllib.parse import urlencode

from nicegui import ui
from nicegui.elements.mixins.value_element import ValueElement
from nicegui.events import GenericEventArguments, Handler, ValueChangeEventArguments

from gieok.bank import Mind
from gieok.domain.answer import BLOCKS, SHARES, Block, Context, Hit, Item, Why
from gieok.domain.memory import Memory
from gieok.domain.scope import Scope
from gieok.domain.scoring import PART_NAMES
from gieok.domain.turn import CHARACTER, LONGEST_UTTERANCE, USER, Utterance
from gieok.errors import InvalidText, UnknownTurn
from gieok.settings import Settings
from gieok.web.kit import PATHS, Said, button, card, chip, day, heading, notice, said
from gieok.web.visitors import Visitor

Group = Literal["weights", "sizes", "windows"]
OWN: Final = "own"  #: as the bank is set
DEFAULT: Final = "default"
CHOICES: Final = (OWN, DEFAULT, "heroine", "social", "character", "care", "vtuber")
SWITCHED: Final = tuple(name for name in BLOCKS if name != "examples")  #: nobody gives examples here


@dataclass(frozen=True, slots=True, kw_only=True)
class Knob:
    """One setting that is turned by a slider."""

    name: str  #: of the setting
    group: Group
    least: float
    most: float
    step: float
    digits: int = 0

    def reach(self, value: float) -> float:
        """Return how far the slider must go to show `value`, too."""
        return max(self.most, value)


KNOBS: Final = (
    *(Knob(name=f"weights_{each}", group="weights", least=0, most=1, step=0.01, digits=2) for each in PART_NAMES),
    Knob(name="recall_k", group="sizes", least=1, most=30, step=1),
    Knob(name="context_budget", group="sizes", least=64, most=8_192, step=64),
    Knob(name="caps_memories", group="sizes", least=0, most=2_400, step=20),
    Knob(name="caps_memory_item", group="sizes", least=10, most=400, step=10),
    Knob(name="caps_pinned", group="sizes", least=0, most=1_200, step=20),
    Knob(name="context_k", group="windows", least=1, most=100, step=1),
    Knob(name="context_said", group="windows", least=0, most=100, step=1),
    Knob(name="recent_turns", group="windows", least=1, most=40, step=1),
)
_BY_NAME: Final = {knob.name: knob for knob in KNOBS}


def grouped(group: Group) -> list[Knob]:
    return [knob for knob in KNOBS if knob.group == group]


@dataclass(frozen=True, slots=True, kw_only=True)
class Knobs:
    """How everything is turned at a moment."""

    own: Settings  #: as the bank is set
    settings: Settings  #: as they are turned
    choice: str = OWN  #: what was turned from
    without: frozenset[str] = frozenset()  #: blocks that are switched off

    @classmethod
    def of(cls, settings: Settings) -> Knobs:
        """Return them as a bank is set. Models are not asked while somebody turns knobs: every call is written down."""
        own = replace(settings, rerank=False, compress=False, rewrite_query=False)
        return cls(own=own, settings=own)

    @property
    def is_changed(self) -> bool:
        """Whether anything is other than the bank has it."""
        return bool(self.without) or self.ranks_otherwise

    @property
    def ranks_otherwise(self) -> bool:
        return any(
            getattr(self.settings, each.name) != getattr(self.own, each.name)
            for each in fields(Settings)
            if each.name != "preset"
        )

    def value(self, name: str) -> float:
        return float(getattr(self.settings, name))

    def turned(self, name: str, value: float) -> Knobs:
        """Return them with one knob turned, as far as it goes."""
        knob = _BY_NAME[name]
        within = min(max(value, knob.least), knob.reach(float(getattr(self.own, name))))
        changes: dict[str, Any] = {name: within if knob.digits else round(within)}
        if name == "recent_turns":
            changes["recent_messages"] = 0  # a number of messages would be asked before that of turns
        return replace(self, settings=replace(self.settings, **changes))

    def switched(self, block: str, on: bool) -> Knobs:
        return replace(self, without=self.without - {block} if on else self.without | {block})

    def chosen(self, choice: str) -> Knobs:
        """Return them as a preset ranks and assembles; the blocks stay as they are switched."""
        if choice == OWN:
            return replace(self, settings=self.own, choice=OWN)
        return replace(self, settings=self.own.as_preset(None if choice == DEFAULT else choice), choice=choice)

    def back(self) -> Knobs:
        return Knobs(own=self.own, settings=self.own)


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A question, and how it is asked."""

    text: str
    knobs: Knobs
    at: datetime | None = None  #: None: now
    picked: tuple[str, ...] = ()  #: ids of what is to be in the context


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered:
    """What was found for a question, and the context made for it."""

    asked: Asked
    scope: Scope
    hits: Sequence[Hit]
    own_hits: Sequence[Hit]  #: as the bank is set
    context: Context
    picked: tuple[str, ...]  #: of what was picked, what is still there
    items: Mapping[str, Item]  #: what was picked, and what was left out of the context
    turns: Mapping[str, Sequence[Utterance]]  #: what was said in the turns that were left out


def answered(mind: Mind, asked: Asked) -> Answered:
    """Ask `mind`. Raises `InvalidText` for a question that cannot be asked."""
    knobs = asked.knobs
    tried, own = mind.under(knobs.settings), mind.under(knobs.own)
    hits = tried.recall(asked.text, at=asked.at, explain=True)
    own_hits = own.recall(asked.text, at=asked.at) if knobs.ranks_otherwise else hits
    picked = tuple(mind.items(asked.picked))
    context = tried.context(asked.text, at=asked.at, include=picked, without=knobs.without)
    items = mind.items(dict.fromkeys([*picked, *_left_out(context)]))
    return Answered(
        asked=asked,
        scope=mind.key,
        hits=hits,
        own_hits=own_hits,
        context=context,
        picked=picked,
        items=items,
        turns={turn_id: said for turn_id in _left_out(context, "talk") if (said := _said(mind, turn_id))},
    )


def _left_out(context: Context, *blocks: str) -> list[str]:
    return [each.item_id for block in context.blocks if not blocks or block.name in blocks for each in block.left_out]


def _said(mind: Mind, turn_id: str) -> list[Utterance]:
    """Return what was said in a turn and not forgotten; nothing where it was taken back in the meantime."""
    try:
        said = mind.turn(turn_id).utterances
    except UnknownTurn:
        return []
    heard = mind.items([each.id for each in said])
    return [each for each in said if each.id in heard]


Question = TypeVar("Question")
Answer = TypeVar("Answer")


class Rounds(Generic[Question, Answer]):
    """Answers one question at a time; of those that come meanwhile, the last. For one event loop."""

    def __init__(self, answer: Callable[[Question], Awaitable[Answer]], show: Callable[[Answer], None]) -> None:
        self._answer = answer
        self._show = show
        self._next: list[Question] = []  #: at most one
        self._busy = False

    async def ask(self, question: Question) -> None:
        """Have `question` answered and shown; returns at once where another one is under way, which it follows.

        Raises what answering the last one raises; an older one that fails is forgotten, as is its answer.
        """
        self._next = [question]
        if self._busy:
            return
        self._busy = True
        try:
            while self._next:
                await self._round(self._next.pop())
        finally:
            self._busy = False

    async def _round(self, question: Question) -> None:
        try:
            answer = await self._answer(question)
        except Exception:  # nobody waits for an older one: the next meets the same trouble, if it lasts
            if not self._next:
                raise
            return
        if not self._next:
            self._show(answer)


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


Pick = Callable[[str, bool], Awaitable[None]]

_ARROWS: Final = {"up": "▲{by}", "down": "▼{by}"}
_COLOURS: Final = {"up": "good", "down": "warn", "new": "info", "same": ""}
_VISIBLE: Final = 0.005  #: what adds less is not worth a number


def draw_legend(visitor: Visitor) -> None:
    """Draw what the colours of the bars stand for."""
    with ui.element("ul").classes("a-legend").props('role="list"') as legend:
        legend.props["aria-label"] = visitor.words("ask.hits.legend")
        for part in PART_NAMES:
            with ui.element("li").classes("g-small"):
                ui.element("i").classes(f"a-dot a-part-{part}").props('aria-hidden="true"')
                said(visitor.words(f"ask.parts.{part}"), "span")


def draw_hits(answer: Answered, visitor: Visitor, pick: Pick) -> dict[str, Said]:
    """Draw what came to mind; return the buttons that pick each of it for the next context."""
    hits = hits_shown(answer)
    if not hits:
        notice(visitor.words("ask.hits.none"), visitor.words("ask.hits.none_hint"))
    picking: dict[str, Said] = {}
    with ui.element("ol").classes("a-hits"):
        for hit in hits:
            with ui.element("li").classes("a-hit"):
                picking[hit.id] = _draw_hit(hit, answer, visitor, pick)
    _draw_gone(gone(answer), visitor)
    return picking


def _draw_hit(hit: ShownHit, answer: Answered, visitor: Visitor, pick: Pick) -> Said:
    with ui.element("div").classes("a-hit-head"):
        said(str(hit.place), "span").classes("a-place g-number")
        if answer.asked.knobs.ranks_otherwise:
            _draw_move(hit.move, visitor)
        _draw_text(hit)
        said(f"{hit.score:.2f}", "span").classes("a-score g-number").props["title"] = visitor.words("ask.hits.score")
    _draw_bar(hit, visitor)
    with ui.element("div").classes("g-row a-hit-foot g-small"):
        chip(visitor.words(f"ask.kinds.{hit.kind}"))
        whose = named(hit.whose, answer.scope, visitor.words.some("shared.subjects"))
        said(f"{whose} · {day(hit.at, visitor)}", "span").classes("g-dim")
        said(_found_by(hit, visitor), "span").classes("g-dim")
        with ui.element("span").classes("a-hit-end"):
            chip(visitor.words(f"ask.fates.{hit.fate}"), "good" if hit.fate == "in" else "warn")
            return _draw_picking(hit, visitor, pick)


def _draw_picking(hit: ShownHit, visitor: Visitor, pick: Pick) -> Said:
    drawn = said(visitor.words("ask.picked.mark" if hit.picked else "ask.picked.pick"), "button")
    drawn.classes("g-button a-pick").on("click", partial(pick, hit.id, not hit.picked))
    drawn.props["type"] = "button"
    drawn.props["aria-pressed"] = "true" if hit.picked else "false"
    drawn.props["aria-label"] = visitor.words("ask.picked.pick_what", text=hit.text)
    return drawn


def _draw_text(hit: ShownHit) -> None:
    text = hit.text if hit.kind != "said" else f"“{hit.text}”"
    if hit.memory_id is None:
        said(text, "span").classes("a-hit-text")
        return
    ui.link(text, f"{PATHS['memories']}?{urlencode({'memory': hit.memory_id})}").classes("a-hit-text")


def _draw_move(move: Move, visitor: Visitor) -> None:
    """Tell how a place has moved; an arrow is read out in words."""
    words = visitor.words
    if move.direction == "same":
        return
    arrow = _ARROWS.get(move.direction, words("ask.moves.new")).format(by=move.by)
    drawn = chip(arrow, _COLOURS[move.direction]).classes("a-move g-number")
    told = words(f"ask.moves.told.{move.direction}", by=move.by)
    drawn.props["title"] = told
    drawn.props["aria-label"] = told
    drawn.props["role"] = "img"


def _draw_bar(hit: ShownHit, visitor: Visitor) -> None:
    words = visitor.words
    parts = words.some("ask.parts")
    told = ", ".join(f"{parts[share.part]} {share.adds:.2f}" for share in hit.shares)
    with ui.element("div").classes("a-bar").props('role="img"') as bar:
        bar.props["aria-label"] = words("ask.hits.made_of", score=f"{hit.score:.2f}", parts=told)
        bar.props["title"] = told
        for share in hit.shares:
            if share.adds > 0:
                ui.element("span").classes(f"a-part-{share.part}").style(f"width: {share.width:.2f}%")
    with ui.element("div").classes("a-numbers g-small g-number").props('aria-hidden="true"'):
        for share in hit.shares:
            if share.adds >= _VISIBLE:
                said(f"{parts[share.part]} {share.adds:.2f}", "span")


def _found_by(hit: ShownHit, visitor: Visitor) -> str:
    return " · ".join(visitor.words(f"ask.sources.{source}", n=rank) for source, rank in hit.found)


def _draw_gone(hits: list[Gone], visitor: Visitor) -> None:
    if not hits:
        return
    with ui.element("div").classes("g-stack a-gone"):
        said(visitor.words("ask.gone.title"), "h3")
        with ui.element("ul"):
            for hit in hits:
                with ui.element("li").classes("g-small"):
                    said(hit.text, "span")
                    said(visitor.words("ask.gone.was", place=hit.place), "span").classes("g-dim")


#: In the order in which they are sent; nobody gives a system prompt or examples here.
_ORDER: Final = ("preface", "pinned", "people", "memories", "summary", "talk", "message")
_FIRST: Final = 8  #: lines of a reason; the others are folded away

Switch = Callable[[str, bool], Awaitable[None]]


class Sent:
    """The column of the context. Its switches stay where they are while the words below them change."""

    def __init__(self, visitor: Visitor, switch: Switch, unpick: Callable[[str], Awaitable[None]]) -> None:
        self._visitor = visitor
        self._words = visitor.words
        self._switch = switch
        self._unpick = unpick
        self._blocks: dict[str, _Place] = {}
        self._unfolded: set[str] = set()  #: reasons of which all is shown

    def draw(self) -> None:
        self._picked = ui.element("div").classes("a-picked")
        with ui.element("div").classes("g-stack a-meter-place"):
            self._sum = said("", "p").classes("g-number")
            self._meter = ui.element("div").classes("a-meter").props('role="img"')
        for name in _ORDER:
            self._blocks[name] = _Place(name, self._words, self._switch if name in SWITCHED else None)
        self._left_out = ui.element("section").classes("g-stack a-left-out")

    def show(self, answer: Answered) -> None:
        blocks = {block.name: block for block in blocks_shown(answer)}
        for name, place in self._blocks.items():
            place.show(blocks.get(name))
        self._show_picked(answer)
        self._show_meter(answer, list(blocks.values()))
        self._left_out.clear()
        with self._left_out:
            self._draw_left_out(left_out(answer))

    def _show_picked(self, answer: Answered) -> None:
        words = self._words
        self._picked.clear()
        if not answer.asked.picked:
            return
        with self._picked, ui.element("section").classes("g-stack a-picked-card"):
            said(words("ask.picked.title", n=len(answer.picked)), "h3")
            with ui.element("ul").classes("a-plain"):
                for item_id in answer.picked:
                    self._draw_picked(item_id, answer)
            if len(answer.picked) < len(answer.asked.picked):
                gone = len(answer.asked.picked) - len(answer.picked)
                said(words("ask.picked.gone", n=gone)).classes("g-dim g-small")

    def _draw_picked(self, item_id: str, answer: Answered) -> None:
        text = text_of(item_id, answer)
        with ui.element("li").classes("g-row g-between"):
            said(text, "span")
            drop = button(self._words("ask.picked.drop"), lambda: self._unpick(item_id), quiet=True)
            drop.props["aria-label"] = self._words("ask.picked.drop_what", text=text)

    def _show_meter(self, answer: Answered, blocks: list[ShownBlock]) -> None:
        context, names = answer.context, self._words.some("ask.blocks")
        told = {"tokens": f"{context.tokens:,}", "budget": f"{context.budget:,}"}
        self._sum.text = self._words("ask.sent.sum", **told)
        costs = ", ".join(f"{names[block.name]} {block.tokens:,}" for block in blocks if block.tokens)
        self._meter.props["aria-label"] = self._words("ask.sent.meter", costs=costs, **told)
        self._meter.props["title"] = costs
        self._meter.clear()
        room = 100.0
        with self._meter:
            for block in blocks:
                width = min(block.width, room)  # a question alone may cost more than the budget
                room -= width
                if width > 0:
                    ui.element("span").classes(f"a-block-{block.name}").style(f"width: {width:.2f}%")
            free = min(reply_width(), room)
            ui.element("span").classes("a-reply").style(f"width: {free:.2f}%")
        self._meter.update()

    def _draw_left_out(self, reasons: list[Reason]) -> None:
        words = self._words
        if not reasons:
            return
        said(words("ask.left_out.title"), "h3")
        for reason in reasons:
            with ui.element("div").classes("g-stack a-reason"):
                with ui.element("div").classes("g-row"):
                    chip(words(f"ask.fates.{reason.why}"), "" if reason.why == "said_elsewhere" else "warn")
                    said(words("ask.left_out.count", n=reason.count), "span").classes("g-dim g-small")
                self._draw_missing(reason.missing[:_FIRST])
                if len(reason.missing) > _FIRST:
                    self._draw_others(reason)

    def _draw_missing(self, missing: Iterable[Missing]) -> None:
        words = self._words
        with ui.element("ul").classes("g-small"):
            for each in missing:
                with ui.element("li"):
                    said(each.text or words("ask.left_out.lines", n=each.count), "span")
                    said(f" · {words(f'ask.blocks.{each.block}')}", "span").classes("g-dim")

    def _draw_others(self, reason: Reason) -> None:
        """Draw what is folded away; it stays as it was unfolded while knobs are turned."""
        others = reason.missing[_FIRST:]
        with ui.element("details").classes("a-more") as more:
            if reason.why in self._unfolded:
                more.props["open"] = True
            more.on("toggle", partial(self._unfold, reason.why), js_handler="(event) => emit(event.target.open)")
            said(self._words("ask.left_out.more", n=sum(each.count for each in others)), "summary")
            self._draw_missing(others)

    def _unfold(self, why: str, event: GenericEventArguments) -> None:
        self._unfolded.add(why) if event.args else self._unfolded.discard(why)


class _Place:
    """Where a block is shown."""

    def __init__(self, name: str, words: Callable[..., str], switch: Switch | None) -> None:
        self._shown: ShownBlock | None = None
        self._words = words
        self._switch: ui.switch | None = None
        with ui.element("section").classes(f"a-block a-edge-{name}") as self._whole:
            with ui.element("div").classes("g-row g-between"):
                said(words(f"ask.blocks.{name}"), "h3")
                with ui.element("div").classes("g-row"):
                    self._tokens: Said = said("", "span").classes("g-dim g-small g-number")
                    if switch is not None:
                        self._draw_switch(name, switch)
            self._lines = ui.element("div").classes("a-lines")

    def show(self, block: ShownBlock | None) -> None:
        """Show the block as it is now; what is shown already stays untouched."""
        self._whole.set_visibility(block is not None)
        if block is None or block == self._shown:
            return
        self._shown = block
        self._tokens.text = self._words("ask.sent.tokens", n=f"{block.tokens:,}")
        if self._switch is not None:
            self._switch.value = block.is_on
        self._lines.clear()
        with self._lines:
            self._draw_lines(block)

    def _draw_switch(self, name: str, switch: Switch) -> None:
        async def switched(event: ValueChangeEventArguments[bool | None]) -> None:
            if self._shown is not None and event.value != self._shown.is_on:
                await switch(name, bool(event.value))

        self._switch = ui.switch(value=True, on_change=switched).props("dense")
        self._switch.props["aria-label"] = self._words("ask.sent.switch", block=self._words(f"ask.blocks.{name}"))

    def _draw_lines(self, block: ShownBlock) -> None:
        if not block.is_on:
            said(self._words("ask.sent.off")).classes("g-dim g-small")
            return
        if not block.lines:
            said(self._words("ask.sent.empty")).classes("g-dim g-small")
            return
        if block.heading:
            said(block.heading, "div").classes("a-line g-dim")
        for line in block.lines:
            self._draw_line(line)

    def _draw_line(self, line: Line) -> None:
        with ui.element("div").classes("a-line a-picked-line" if line.picked else "a-line"):
            said(line.text, "span")
            if line.picked:
                chip(self._words("ask.picked.mark"), "info")
            if line.shortened:
                chip(self._words("ask.sent.shortened"))


_SETTLING: Final = 0.12  #: seconds between two values that a moving hand sends


class Slider(ValueElement[float], component="slider.js"):
    """A native slider: arrow keys, page keys and the ends work as they do everywhere."""

    LOOPBACK = False

    def __init__(
        self,
        label: str,
        *,
        value: float,
        reach: tuple[float, float],
        step: float,
        digits: int,
        dot: str = "",
        on_change: Handler[ValueChangeEventArguments[float]] | None = None,
    ) -> None:
        super().__init__(value=value, on_value_change=on_change, throttle=_SETTLING)
        self._props["label"] = label
        self._props["min"], self._props["max"] = reach
        self._props["step"] = step
        self._props["digits"] = digits
        self._props["dot"] = dot


_DOTS = {f"weights_{part}": f"a-part-{part}" for part in PART_NAMES}


class Controls:
    """What is turned now, and the controls that turn it."""

    def __init__(self, visitor: Visitor, changed: Callable[[], Awaitable[None]]) -> None:
        self.knobs = Knobs.of(visitor.bank.settings)
        self.at: datetime | None = None  #: None: now
        self._visitor = visitor
        self._words = visitor.words
        self._changed = changed
        self._sliders: dict[str, Slider] = {}
        self._presets: dict[str, ui.button] = {}
        self._rules: Said
        self._back: ui.button
        self._body: ui.element

    def draw(self) -> None:
        words = self._words
        with card() as whole:
            whole.classes("a-controls")
            with ui.element("div").classes("g-row g-between"):
                said(words("ask.controls.title"), "h2")
                self._unfold = button(words("ask.controls.open"), self._fold, quiet=True).classes("a-unfold")
                self._unfold.props('aria-expanded="false"')
            with ui.element("div").classes("a-controls-body g-stack") as self._body:
                self._draw_presets()
                self._draw_group("weights")
                self._draw_group("sizes")
                with ui.element("details").classes("a-more"):
                    said(words("ask.controls.more"), "summary")
                    self._draw_group("windows")
                    self._draw_day()
        self._update()

    async def switch(self, block: str, on: bool) -> None:
        """Switch a block of the context on or off."""
        await self._turn_to(self.knobs.switched(block, on))

    def _fold(self) -> None:
        is_open = "a-open" not in self._body.classes
        self._body.classes(toggle="a-open")
        self._unfold.text = self._words("ask.controls.close" if is_open else "ask.controls.open")
        self._unfold.props["aria-expanded"] = "true" if is_open else "false"
        self._unfold.update()

    def _draw_presets(self) -> None:
        words = self._words
        with ui.element("div").classes("g-stack a-group").props('role="group"') as group:
            group.props["aria-label"] = words("ask.presets.title")
            said(words("ask.presets.title"), "h3")
            with ui.element("div").classes("a-presets"):
                for choice in CHOICES:
                    drawn = button(words(f"ask.presets.{choice}"), partial(self._choose, choice))
                    drawn.props["title"] = words(f"ask.presets.about.{choice}")
                    self._presets[choice] = drawn.classes("a-preset")
            self._rules = said("", "p").classes("g-dim g-small")
            self._back = button(words("ask.back"), self._go_back).classes("a-back")

    def _draw_group(self, group: Group) -> None:
        with ui.element("div").classes("g-stack a-group"):
            said(self._words(f"ask.groups.{group}"), "h3")
            for knob in grouped(group):
                self._draw_slider(knob)

    def _draw_slider(self, knob: Knob) -> None:
        async def turned(event: ValueChangeEventArguments[float]) -> None:
            if event.value != self.knobs.value(knob.name):  # else it was set by us
                await self._turn_to(self.knobs.turned(knob.name, float(event.value)))

        value = self.knobs.value(knob.name)
        slider = Slider(
            self._words(f"ask.knobs.{knob.name}"),
            value=value,
            reach=(knob.least, knob.reach(value)),
            step=knob.step,
            digits=knob.digits,
            dot=_DOTS.get(knob.name, ""),
            on_change=turned,
        )
        self._sliders[knob.name] = slider.classes("a-short") if knob.group == "weights" else slider

    def _draw_day(self) -> None:
        async def chosen(event: ValueChangeEventArguments[str | None]) -> None:
            self.at = end_of_day(event.value, self._visitor)
            await self._changed()

        with ui.element("div").classes("g-stack a-group"):
            drawn = ui.input(self._words("ask.at.title"), on_change=chosen)
            drawn.props('type="date" outlined dense stack-label')
            said(self._words("ask.at.hint")).classes("g-dim g-small")

    async def _choose(self, choice: str) -> None:
        await self._turn_to(self.knobs.chosen(choice))

    async def _go_back(self) -> None:
        await self._turn_to(self.knobs.back())

    async def _turn_to(self, knobs: Knobs) -> None:
        self.knobs = knobs
        self._update()
        await self._changed()

    def _update(self) -> None:
        """Have every control stand where its knob does."""
        for name, slider in self._sliders.items():
            slider.value = self.knobs.value(name)
        for choice, drawn in self._presets.items():
            is_chosen = choice == self.knobs.choice
            drawn.props["aria-pressed"] = "true" if is_chosen else "false"
            drawn.classes(add="a-chosen") if is_chosen else drawn.classes(remove="a-chosen")
            drawn.update()
        self._back.set_enabled(self.knobs.is_changed)
        self._rules.text = self._rules_told()

    def _rules_told(self) -> str:
        """Return what else holds under these settings, for which there are no knobs."""
        words, settings = self._words, self.knobs.settings
        told = [
            words(f"ask.rules.combine.{settings.combine}"),
            words(
                f"ask.rules.curve.{settings.recency_curve}",
                days=f"{settings.recency_days:g}",
                since=words(f"ask.rules.since.{settings.recency_since}"),
            ),
            words("ask.rules.turns" if settings.search_turns else "ask.rules.no_turns"),
        ]
        return " · ".join(told)


def end_of_day(given: str | None, visitor: Visitor) -> datetime | None:
    """Return the last moment of a day as a browser writes it, by the bank's clock; None for no day."""
    try:
        day = date.fromisoformat(given or "")
    except ValueError:
        return None
    return datetime.combine(day, time.max, visitor.bank.settings.zone)


_LOOK = '<link rel="stylesheet" href="/look/ask.css">'


async def build(visitor: Visitor) -> None:
    ui.add_head_html(_LOOK)
    heading(visitor.words("frame.pages.ask"))
    page = _Page(visitor, (ui.context.client.request.query_params.get("q") or "").strip())
    page.draw()
    await page.ask()


class _Page:
    """One visit to the page."""

    def __init__(self, visitor: Visitor, question: str) -> None:
        self._visitor = visitor
        self._words = visitor.words
        self._question = question  #: "": nothing is asked yet
        self._controls = Controls(visitor, self.ask)
        self._sent = Sent(visitor, self._controls.switch, partial(self._pick, on=False))
        self._held = ""  #: what was picked or dropped last: its button keeps the focus
        self._rounds = Rounds(self._answer, self._show)

    def draw(self) -> None:
        said(self._words("ask.lead")).classes("g-dim")
        self._draw_question()
        settings = self._visitor.bank.settings
        if self._visitor.bank.model is not None and (settings.rerank or settings.compress or settings.rewrite_query):
            said(self._words("ask.no_models")).classes("g-dim g-small")
        self._told = said("", "p").classes("g-dim g-small a-told").props('role="status" aria-live="polite"')
        with ui.element("div").classes("a-beginning") as self._beginning:
            self._draw_beginning()
        with ui.element("div").classes("a-columns") as self._results:
            self._controls.draw()
            with card(self._words("ask.hits.title")):
                draw_legend(self._visitor)
                self._hits = ui.element("div").classes("g-stack")
            with card(self._words("ask.sent.title")) as sent:
                sent.classes("a-sent")
                self._sent.draw()

    async def ask(self) -> None:
        """Ask what stands in the question, as the knobs are turned."""
        self._beginning.set_visibility(not self._question)
        self._results.set_visibility(bool(self._question))
        if not self._question:
            self._told.text = ""
            return
        picked = tuple(self._visitor.own_desk.picked)
        asked = Asked(text=self._question, knobs=self._controls.knobs, at=self._controls.at, picked=picked)
        try:
            await self._rounds.ask(asked)
        except InvalidText as refused:
            self._told.text = str(refused)

    def _draw_question(self) -> None:
        words = self._words
        with ui.element("form").classes("a-question").props('role="search"').on("submit.prevent", self._submit):
            self._input = ui.input(words("ask.question"), placeholder=words("ask.placeholder"), value=self._question)
            self._input.props(f"outlined stack-label maxlength={LONGEST_UTTERANCE}").classes("a-input")
            ui.button(words("ask.ask"), color=None).props('no-caps unelevated type="submit"').classes("g-button g-main")

    def _draw_beginning(self) -> None:
        notice(self._words("ask.beginning.title"), self._words("ask.beginning.text"))
        with ui.element("div").classes("g-row a-examples"):
            for example in self._words.some("ask.beginning.examples").values():
                button(example, partial(self._ask_for, example))

    async def _submit(self) -> None:
        await self._ask_for(str(self._input.value or ""))

    async def _ask_for(self, question: str) -> None:
        self._question = question.strip()
        self._input.value = self._question
        ui.navigate.history.replace(address(self._visitor, self._question))
        await self.ask()

    async def _pick(self, item_id: str, on: bool) -> None:
        """Put something into the next context, or take it out again."""
        desk = self._visitor.own_desk
        desk.pick([item_id]) if on else desk.drop([item_id])
        self._held = item_id
        await self.ask()

    async def _answer(self, asked: Asked) -> Answered:
        return await self._visitor.ask(answered, asked)

    def _show(self, answer: Answered) -> None:
        seconds = dict(answer.context.took).get("whole", 0.0)
        found = self._words("ask.told", n=len(answer.hits), ms=f"{1_000 * seconds:.0f}")
        self._told.text = found
        self._hits.clear()
        with self._hits:
            self._draw_troubles(answer)
            picking = draw_hits(answer, self._visitor, self._pick)
        if self._held in picking:
            picking[self._held].run_method("focus")
        self._held = ""
        self._sent.show(answer)

    def _draw_troubles(self, answer: Answered) -> None:
        if not answer.context.degraded:
            return
        with ui.element("div").classes("g-trouble").props('role="status"'):
            for told in answer.context.degraded:
                said(self._words(f"ask.troubles.{trouble(told)}"))
                said(told).classes("g-small").props('lang="en"')


def address(visitor: Visitor, question: str) -> str:
    """Return where this question can be asked again, by others as well: it names the mind that is asked."""
    scope = visitor.scope
    named = {} if scope is None else {"user": scope.user, "character": scope.character, "world": scope.world}
    given = {"q": question or None, **named}
    return f"{PATHS['ask']}?{urlencode({name: value for name, value in given.items() if value is not None})}"
