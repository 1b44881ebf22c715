"""The page "ask": a question, what is recalled for it and why, and the context that would be sent."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from datetime import date, datetime, time
from functools import partial
from typing import Any, Final, Generic, Literal, NamedTuple, TypeVar
from urllib.parse import urlencode

from nicegui import ui
from nicegui.elements.mixins.value_element import ValueElement
from nicegui.events import GenericEventArguments, Handler, ValueChangeEventArguments

from gieok.bank import Mind
from gieok.domain.answer import BLOCKS, SHARES, Block, Context, Hit, Item, Why
from gieok.domain.memory import Memory
from gieok.domain.scope import Scope
from gieok.domain.scoring import PART_NAMES
from gieok.domain.turn import LONGEST_UTTERANCE, Utterance
from gieok.errors import InvalidText, UnknownTurn
from gieok.settings import Settings
from gieok.web import kit
from gieok.web.viewer import Viewer

Group = Literal["weights", "sizes", "windows"]
OWN: Final = "own"  #: the settings of the bank
DEFAULT: Final = "default"
CHOICES: Final = (OWN, DEFAULT, "heroine", "social", "character", "care", "vtuber")
SWITCHED: Final = tuple(name for name in BLOCKS if name != "examples")  #: there are no examples here
#: in the order in which blocks are sent; there is no system prompt here
_ORDER: Final = ("preface", "pinned", "people", "memories", "summary", "talk", "message")
_WHYS: Final[tuple[Why, ...]] = ("over_budget", "over_cap", "item_too_long", "said_elsewhere", "block_off")
TROUBLES: Final = {  #: how the texts in `Context.degraded` begin
    "dense search": "dense",
    "keyword search": "keyword",
    "topic search": "topic",
    "search is off": "search",
    "the question alone": "question",
    r"\d+ cautions": "cautions",
}
_FIRST: Final = 8  #: lines of a reason that are shown; the others are folded
_VISIBLE: Final = 0.005  #: parts of a score below this have no number
_THROTTLE: Final = 0.12  #: seconds between two values of a moving slider


class Knob(NamedTuple):
    """A setting with a slider."""

    name: str
    group: Group
    least: float
    most: float  #: unless the bank is set to more
    step: float
    digits: int = 0


KNOBS: Final = (
    *(Knob(f"weights_{each}", "weights", least=0, most=1, step=0.01, digits=2) for each in PART_NAMES),
    Knob("recall_k", "sizes", least=1, most=30, step=1),
    Knob("context_budget", "sizes", least=64, most=8_192, step=64),
    Knob("caps_memories", "sizes", least=0, most=2_400, step=20),
    Knob("caps_memory_item", "sizes", least=10, most=400, step=10),
    Knob("caps_pinned", "sizes", least=0, most=1_200, step=20),
    Knob("context_k", "windows", least=1, most=100, step=1),
    Knob("context_said", "windows", least=0, most=100, step=1),
    Knob("recent_turns", "windows", least=1, most=40, step=1),
)
_BY_NAME: Final = {knob.name: knob for knob in KNOBS}


@dataclass(frozen=True, slots=True, kw_only=True)
class Knobs:
    """The settings that are tried."""

    own: Settings  #: of the bank
    settings: Settings  #: as they are turned
    choice: str = OWN  #: the preset
    without: frozenset[str] = frozenset()  #: blocks that are switched off

    @classmethod
    def of(cls, settings: Settings) -> Knobs:
        """Return the settings of a bank, without models: each of their calls would be recorded."""
        own = replace(settings, rerank=False, compress=False, rewrite_query=False)
        return cls(own=own, settings=own)

    @property
    def is_changed(self) -> bool:
        return bool(self.without) or self.ranks_otherwise

    @property
    def ranks_otherwise(self) -> bool:
        names = (each.name for each in fields(Settings) if each.name != "preset")
        return any(getattr(self.settings, name) != getattr(self.own, name) for name in names)

    def value(self, name: str) -> float:
        return float(getattr(self.settings, name))

    def turned(self, name: str, value: float) -> Knobs:
        """Return them with one setting changed, within its range."""
        knob = _BY_NAME[name]
        within = min(max(value, knob.least), max(knob.most, float(getattr(self.own, name))))
        changes: dict[str, Any] = {name: within if knob.digits else round(within)}
        if name == "recent_turns":
            changes["recent_messages"] = 0  # a number of messages would win over that of turns
        return replace(self, settings=replace(self.settings, **changes))

    def switched(self, block: str, on: bool) -> Knobs:
        return replace(self, without=self.without - {block} if on else self.without | {block})

    def chosen(self, choice: str) -> Knobs:
        """Return them with a preset; the blocks stay as they are switched."""
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
    picked: tuple[str, ...] = ()  #: ids of items for the context


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered:
    """What was found for a question, and the context made for it."""

    asked: Asked
    scope: Scope
    hits: Sequence[Hit]
    own_hits: Sequence[Hit]  #: with the settings of the bank
    context: Context
    picked: tuple[str, ...]  #: the picked items that still exist
    items: Mapping[str, Item]  #: the items that were picked or left out
    turns: Mapping[str, Sequence[Utterance]]  #: the turns that were left out

    def text_of(self, item_id: str) -> str:
        """Return the text of an item that was picked or left out; "" where it is not in the bank."""
        item = self.items.get(item_id)
        if item is not None:
            return item.content if isinstance(item, Memory) else item.text
        return " / ".join(each.text for each in self.turns.get(item_id, ()))


def answered(mind: Mind, asked: Asked) -> Answered:
    """Ask `mind`. Raises `InvalidText` for a question that cannot be asked."""
    knobs = asked.knobs
    tried, own = mind.under(knobs.settings), mind.under(knobs.own)
    hits = tried.recall(asked.text, at=asked.at, explain=True)
    own_hits = own.recall(asked.text, at=asked.at) if knobs.ranks_otherwise else hits
    picked = tuple(mind.items(asked.picked))
    context = tried.context(asked.text, at=asked.at, include=picked, without=knobs.without)
    missing = [(block.name, each.item_id) for block in context.blocks for each in block.left_out]
    return Answered(
        asked=asked,
        scope=mind.key,
        hits=hits,
        own_hits=own_hits,
        context=context,
        picked=picked,
        items=mind.items(dict.fromkeys([*picked, *(item_id for _, item_id in missing)])),
        turns={item_id: said for name, item_id in missing if name == "talk" and (said := _utterances(mind, item_id))},
    )


def _utterances(mind: Mind, turn_id: str) -> list[Utterance]:
    """Return the utterances of a turn that are not forgotten; none where it was rewound meanwhile."""
    try:
        said = mind.turn(turn_id).utterances
    except UnknownTurn:
        return []
    known = mind.items([each.id for each in said])
    return [each for each in said if each.id in known]


def fates(answer: Answered) -> dict[str, str]:
    """Return for items whether they are in the context ("in") or why not."""
    left: dict[str, str] = {each.item_id: each.why for block in answer.context.blocks for each in block.left_out}
    return left | dict.fromkeys(answer.context.items, "in")


def left_out(answer: Answered) -> dict[Why, list[tuple[str, str, int]]]:
    """Return what was left out by reason: block, text ("": no text of its own) and number of lines."""
    reasons: dict[Why, list[tuple[str, str, int]]] = {why: [] for why in _WHYS}
    for block in answer.context.blocks:
        for why in _WHYS:
            texts = [answer.text_of(each.item_id) for each in block.left_out if each.why == why]
            reasons[why] += [(block.name, text, 1) for text in texts if text]
            if nameless := texts.count(""):
                reasons[why].append((block.name, "", nameless))
    return {why: missing for why, missing in reasons.items() if missing}


def lines_of(block: Block) -> Iterator[tuple[str, str]]:
    """Yield the lines of a block with the items they are made from; "": not known. A heading is the first line."""
    lines = block.text.split("\n") if block.text else []
    if lines and block.name in SWITCHED:
        yield lines.pop(0), ""
    yield from zip(lines, block.items if len(block.items) == len(lines) else ("",) * len(lines), strict=True)


def trouble(degraded: str) -> str:
    """Return the key of a text in `Context.degraded`."""
    return next((name for start, name in TROUBLES.items() if re.match(start, degraded)), "other")


Question = TypeVar("Question")
Answer = TypeVar("Answer")


class LatestOnly(Generic[Question, Answer]):
    """Answers one question at a time; of those that come meanwhile only the last. For one event loop."""

    def __init__(self, answer: Callable[[Question], Awaitable[Answer]], show: Callable[[Answer], None]) -> None:
        self._answer, self._show = answer, show
        self._next: list[Question] = []  #: at most one
        self._busy = False

    async def ask(self, question: Question) -> None:
        """Answer `question` and show it. Returns at once where another one is under way, which it follows.

        Raises what answering the last one raises. An older one that fails is ignored.
        """
        self._next = [question]
        if self._busy:
            return
        self._busy = True
        try:
            while self._next:
                try:
                    answer = await self._answer(self._next.pop())
                except Exception:  # nobody waits for an older one: the next meets the same error if it lasts
                    if not self._next:
                        raise
                    continue
                if not self._next:
                    self._show(answer)
        finally:
            self._busy = False


async def build(viewer: Viewer) -> None:
    kit.style("ask")
    kit.heading(viewer.words("frame.pages.ask"))
    await _Page(viewer, (ui.context.client.request.query_params.get("q") or "").strip()).ask()


class _Page:
    def __init__(self, viewer: Viewer, question: str) -> None:
        self._viewer, self._words = viewer, viewer.words
        self._question = question  #: "": nothing is asked yet
        self._focus = ""  #: the item whose button was pressed keeps the focus
        self._asking: LatestOnly[Asked, Answered] = LatestOnly(lambda asked: viewer.ask(answered, asked), self._show)
        words, settings = viewer.words, viewer.bank.settings

        async def submit() -> None:
            await self._ask_for(str(self._input.value or ""))

        kit.write(words("ask.lead")).classes("g-dim")
        with kit.box("a-question", "form", role="search").on("submit.prevent", submit):
            self._input = ui.input(words("ask.question"), placeholder=words("ask.placeholder"), value=self._question)
            self._input.props(f"outlined stack-label maxlength={LONGEST_UTTERANCE}").classes("a-input")
            ui.button(words("ask.ask"), color=None).props('no-caps unelevated type="submit"').classes("g-button g-main")
        if viewer.bank.model is not None and (settings.rerank or settings.compress or settings.rewrite_query):
            kit.hint(words("ask.no_models"))
        self._status = kit.hint("").classes("a-told").props('role="status" aria-live="polite"')
        with kit.box("a-beginning") as self._beginning:
            kit.notice(words("ask.beginning.title"), words("ask.beginning.text"))
            with kit.box("g-row a-examples"):
                for example in words.some("ask.beginning.examples").values():
                    kit.button(example, partial(self._ask_for, example))
        with kit.box("a-columns") as self._results:
            self._controls = _Controls(viewer, self.ask)
            with kit.card(words("ask.hits.title")):
                with kit.box("a-legend", "ul", role="list", aria_label=words("ask.hits.legend")):
                    for part in PART_NAMES:
                        with kit.box("g-small", "li"):
                            kit.box(f"a-dot a-part-{part}", "i", aria_hidden="true")
                            kit.write(words(f"ask.parts.{part}"), "span")
                self._hits = kit.box("g-stack")
            with kit.card(words("ask.sent.title"), "a-sent"):
                self._context = _ContextColumn(viewer, self._controls.switch, partial(self._pick, on=False))

    async def ask(self) -> None:
        self._beginning.set_visibility(not self._question)
        self._results.set_visibility(bool(self._question))
        if not self._question:
            self._status.text = ""
            return
        picked = tuple(self._viewer.own_session.picked)
        asked = Asked(text=self._question, knobs=self._controls.knobs, at=self._controls.at, picked=picked)
        try:
            await self._asking.ask(asked)
        except InvalidText as refused:
            self._status.text = str(refused)

    async def _ask_for(self, question: str) -> None:
        self._question = question.strip()
        self._input.value = self._question
        scope = self._viewer.scope
        named = {} if scope is None else {"user": scope.user, "character": scope.character, "world": scope.world}
        given = {name: value for name, value in {"q": self._question, **named}.items() if value}
        ui.navigate.history.replace(f"{kit.PATHS['ask']}?{urlencode(given)}")  # a link that also names the profile
        await self.ask()

    async def _pick(self, item_id: str, on: bool) -> None:
        session = self._viewer.own_session
        session.pick([item_id]) if on else session.drop([item_id])
        self._focus = item_id
        await self.ask()

    def _show(self, answer: Answered) -> None:
        words = self._words
        seconds = dict(answer.context.took).get("whole", 0.0)
        self._status.text = words("ask.told", n=len(answer.hits), ms=f"{1_000 * seconds:.0f}")
        self._hits.clear()
        with self._hits:
            if answer.context.degraded:
                with kit.box("g-trouble", role="status"):
                    for each in answer.context.degraded:
                        kit.write(words(f"ask.troubles.{trouble(each)}"), title=each)
            buttons = self._draw_hits(answer)
        if self._focus in buttons:
            buttons[self._focus].run_method("focus")
        self._focus = ""
        self._context.show(answer)

    def _draw_hits(self, answer: Answered) -> dict[str, kit.TextElement]:
        words = self._words
        if not answer.hits:
            kit.notice(words("ask.hits.none"), words("ask.hits.none_hint"))
        before = {hit.item.id: place for place, hit in enumerate(answer.own_hits, start=1)}
        fate = fates(answer)
        best = max((hit.score for hit in answer.hits), default=0.0) or 1.0
        buttons: dict[str, kit.TextElement] = {}
        with kit.box("a-hits", "ol"):
            for place, hit in enumerate(answer.hits, start=1):
                with kit.box("a-hit", "li"):
                    moved = (before.get(hit.item.id), place) if answer.asked.knobs.ranks_otherwise else None
                    self._draw_head(hit, place, moved, answer.scope)
                    self._draw_bar(hit, best)
                    buttons[hit.item.id] = self._draw_foot(hit, answer, fate.get(hit.item.id, "not_offered"))
        listed = {hit.item.id for hit in answer.hits}
        if gone := [hit for hit in answer.own_hits if hit.item.id not in listed]:
            with kit.box("g-stack a-gone"):
                kit.write(words("ask.gone.title"), "h3")
                with kit.box("", "ul"):
                    for hit in gone:
                        with kit.box("g-small", "li"):
                            kit.write(hit.text, "span")
                            kit.write(words("ask.gone.was", place=before[hit.item.id]), "span", "g-dim")
        return buttons

    def _draw_head(self, hit: Hit, place: int, moved: tuple[int | None, int] | None, scope: Scope) -> None:
        with kit.box("a-hit-head"):
            kit.write(str(place), "span", "a-place g-number")
            if moved is not None:
                self._draw_move(*moved)
            if not isinstance(hit.item, Memory):
                kit.write(f"“{hit.text}”", "span", "a-hit-text")
            elif hit.scope == scope:
                kit.memory_link(hit.text, hit.item.id).classes("a-hit-text")
            else:
                kit.write(hit.text, "span", "a-hit-text")
            kit.write(f"{hit.score:.2f}", "span", "a-score g-number", title=self._words("ask.hits.score"))

    def _draw_move(self, before: int | None, place: int) -> None:
        """Show how a place has moved against the settings of the bank; an arrow has a label in words."""
        if before == place:
            return
        if before is None:
            direction, colour, arrow, by = "new", "info", self._words("ask.moves.new"), 0
        else:
            direction, colour = ("up", "good") if place < before else ("down", "warn")
            by = abs(before - place)
            arrow = f"{'▲' if direction == 'up' else '▼'}{by}"
        drawn = kit.chip(arrow, colour).classes("a-move g-number").props('role="img"')
        drawn.props["title"] = drawn.props["aria-label"] = self._words(f"ask.moves.told.{direction}", by=by)

    def _draw_bar(self, hit: Hit, best: float) -> None:
        parts, adds = self._words.some("ask.parts"), hit.contributions or {}
        shares = {name: adds.get(name, 0.0) for name in PART_NAMES}
        told = ", ".join(f"{parts[name]} {share:.2f}" for name, share in shares.items())
        with kit.box(
            "a-bar",
            role="img",
            aria_label=self._words("ask.hits.made_of", score=f"{hit.score:.2f}", parts=told),
            title=told,
        ):
            for name, share in shares.items():
                if share > 0:
                    kit.box(f"a-part-{name}", "span").style(f"width: {100 * share / best:.2f}%")
        with kit.box("a-numbers g-small g-number", aria_hidden="true"):
            for name, share in shares.items():
                if share >= _VISIBLE:
                    kit.write(f"{parts[name]} {share:.2f}", "span")

    def _draw_foot(self, hit: Hit, answer: Answered, fate: str) -> kit.TextElement:
        words, item, picked = self._words, hit.item, hit.item.id in answer.picked
        is_memory = isinstance(item, Memory)
        whose, at = (item.subject_id, item.known_at) if isinstance(item, Memory) else (item.speaker, item.at)
        places: dict[str, int] = {}
        for found in hit.why:  # a memory also has the sources of its utterances: the best place counts
            places[found.source] = min(found.rank, places.get(found.source, found.rank))
        with kit.box("g-row a-hit-foot g-small"):
            kit.chip(words(f"ask.kinds.{'canon' if hit.scope != answer.scope else 'memory' if is_memory else 'said'}"))
            kit.write(f"{kit.person(whose, answer.scope, words)} · {kit.day(at, self._viewer)}", "span", "g-dim")
            found_by = (words(f"ask.sources.{source}", n=rank) for source, rank in places.items())
            kit.write(" · ".join(found_by), "span", "g-dim")
            with kit.box("a-hit-end", "span"):
                kit.chip(words(f"ask.fates.{fate}"), "good" if fate == "in" else "warn")
                shown = words("ask.picked.mark" if picked else "ask.picked.pick")
                label, pressed = words("ask.picked.pick_what", text=hit.text), "true" if picked else "false"
                drawn = kit.write(
                    shown, "button", "g-button a-pick", type="button", aria_pressed=pressed, aria_label=label
                )
                drawn.on("click", partial(self._pick, item.id, not picked))
        return drawn


Switch = Callable[[str, bool], Awaitable[None]]


class _ContextColumn:
    """The column of the context. Its switches stay in place while the text below them changes."""

    def __init__(self, viewer: Viewer, switch: Switch, unpick: Callable[[str], Awaitable[None]]) -> None:
        self._words = viewer.words
        self._unpick = unpick
        self._unfolded: set[str] = set()  #: reasons of which all lines are shown
        self._picked = kit.box("a-picked")
        with kit.box("g-stack a-meter-place"):
            self._sum = kit.write("", "p", "g-number")
            self._meter = kit.box("a-meter", role="img")
        switches = {name: switch if name in SWITCHED else None for name in _ORDER}
        self._blocks = {name: _BlockSection(name, viewer.words, each) for name, each in switches.items()}
        self._left_out = kit.box("g-stack a-left-out", "section")

    def show(self, answer: Answered) -> None:
        shown = [block for block in answer.context.blocks if block.text or block.name in SWITCHED]
        by_name = {block.name: block for block in shown}
        for name, section in self._blocks.items():
            section.show(by_name.get(name), answer)
        self._show_picked(answer)
        self._show_meter(answer.context, shown)
        self._left_out.clear()
        with self._left_out:
            self._draw_left_out(left_out(answer))

    def _show_picked(self, answer: Answered) -> None:
        words, gone = self._words, len(answer.asked.picked) - len(answer.picked)
        self._picked.clear()
        if not answer.asked.picked:
            return
        with self._picked, kit.box("g-stack a-picked-card", "section"):
            kit.write(words("ask.picked.title", n=len(answer.picked)), "h3")
            with kit.box("a-plain", "ul"):
                for item_id in answer.picked:
                    text = answer.text_of(item_id)
                    with kit.box("g-row g-between", "li"):
                        kit.write(text, "span")
                        label = words("ask.picked.drop_what", text=text)
                        kit.button(words("ask.picked.drop"), partial(self._unpick, item_id), label=label, quiet=True)
            if gone:
                kit.hint(words("ask.picked.gone", n=gone))

    def _show_meter(self, context: Context, blocks: Sequence[Block]) -> None:
        words, names = self._words, self._words.some("shared.blocks")
        told = {"tokens": f"{context.tokens:,}", "budget": f"{context.budget:,}"}
        self._sum.text = words("ask.sent.sum", **told)
        costs = ", ".join(f"{names[block.name]} {block.tokens:,}" for block in blocks if block.tokens)
        self._meter.props["aria-label"] = words("ask.sent.meter", costs=costs, **told)
        self._meter.props["title"] = costs
        self._meter.clear()
        shares = [(f"a-block-{block.name}", 100 * block.tokens / context.budget) for block in blocks]
        room = 100.0
        with self._meter:
            for classes, share in (*shares, ("a-reply", 100 * SHARES["reply"])):
                width = min(share, room)  # a question alone may cost more than the budget
                room -= width
                if width > 0:
                    ui.element("span").classes(classes).style(f"width: {width:.2f}%")
        self._meter.update()

    def _draw_left_out(self, reasons: Mapping[Why, Sequence[tuple[str, str, int]]]) -> None:
        words = self._words
        if reasons:
            kit.write(words("ask.left_out.title"), "h3")
        for why, missing in reasons.items():
            others = missing[_FIRST:]
            with kit.box("g-stack a-reason"):
                with kit.box("g-row"):
                    kit.chip(words(f"ask.fates.{why}"), "" if why == "said_elsewhere" else "warn")
                    count = words("ask.left_out.count", n=sum(lines for _, _, lines in missing))
                    kit.write(count, "span", "g-dim g-small")
                self._draw_missing(missing[:_FIRST])
                if not others:
                    continue
                with kit.box("a-more", "details", open=why in self._unfolded) as more:
                    more.on("toggle", partial(self._unfold, why), js_handler="(event) => emit(event.target.open)")
                    kit.write(words("ask.left_out.more", n=sum(lines for _, _, lines in others)), "summary")
                    self._draw_missing(others)

    def _draw_missing(self, missing: Sequence[tuple[str, str, int]]) -> None:
        words = self._words
        with kit.box("g-small", "ul"):
            for block, text, lines in missing:
                with kit.box("", "li"):
                    kit.write(text or words("ask.left_out.lines", n=lines), "span")
                    kit.write(f" · {words(f'shared.blocks.{block}')}", "span", "g-dim")

    def _unfold(self, why: str, event: GenericEventArguments) -> None:
        self._unfolded.add(why) if event.args else self._unfolded.discard(why)


class _BlockSection:
    def __init__(self, name: str, words: Callable[..., str], switch: Switch | None) -> None:
        self._words = words
        self._shown: object = None
        self._is_on = True
        self._switch: ui.switch | None = None
        title = words(f"shared.blocks.{name}")

        async def switched(event: ValueChangeEventArguments[bool | None]) -> None:
            if switch is not None and event.value != self._is_on:
                await switch(name, bool(event.value))

        with kit.box(f"a-block a-edge-{name}", "section") as self._section:
            with kit.box("g-row g-between"):
                kit.write(title, "h3")
                with kit.box("g-row"):
                    self._tokens = kit.write("", "span", "g-dim g-small g-number")
                    if switch is not None:
                        self._switch = ui.switch(value=True, on_change=switched).props("dense")
                        self._switch.props["aria-label"] = words("ask.sent.switch", block=title)
            self._lines = kit.box("a-lines")

    def show(self, block: Block | None, answer: Answered) -> None:
        """Show the block; what is shown already is not redrawn."""
        self._section.set_visibility(block is not None)
        if block is None:
            return
        is_on = block.name not in answer.asked.knobs.without
        if (block, is_on, answer.picked) == self._shown:
            return
        self._shown = (block, is_on, answer.picked)
        self._is_on = is_on
        self._tokens.text = self._words("ask.sent.tokens", n=f"{block.tokens:,}")
        if self._switch is not None:
            self._switch.value = is_on
        self._lines.clear()
        with self._lines:
            if not is_on or not block.text:
                kit.hint(self._words("ask.sent.empty" if is_on else "ask.sent.off"))
                return
            for number, (text, item_id) in enumerate(lines_of(block)):
                picked = item_id in answer.picked
                dim = "g-dim" if number == 0 and block.name in SWITCHED else "a-picked-line" if picked else ""
                with kit.box(f"a-line {dim}"):
                    kit.write(text, "span")
                    if picked:
                        kit.chip(self._words("ask.picked.mark"), "info")
                    if item_id in block.shortened:
                        kit.chip(self._words("ask.sent.shortened"))


class _Slider(ValueElement[float], component="slider.js"):
    """A native slider: arrow keys, page keys and the ends work as they do everywhere."""

    LOOPBACK = False

    def __init__(self, knob: Knob, value: float, label: str, act: Handler[ValueChangeEventArguments[float]]) -> None:
        super().__init__(value=value, on_value_change=act, throttle=_THROTTLE)
        is_weight = knob.group == "weights"
        self._props |= {
            "label": label,
            "min": knob.least,
            "max": max(knob.most, value),
            "step": knob.step,
            "digits": knob.digits,
            "dot": f"a-part-{knob.name.removeprefix('weights_')}" if is_weight else "",
        }
        self.classes("a-short" if is_weight else "")


class _Controls:
    """The settings that are tried, and the controls that change them."""

    def __init__(self, viewer: Viewer, changed: Callable[[], Awaitable[None]]) -> None:
        self.knobs = Knobs.of(viewer.bank.settings)
        self.at: datetime | None = None  #: None: now
        self._viewer = viewer
        self._words = viewer.words
        self._changed = changed
        self._sliders: dict[str, _Slider] = {}
        words = viewer.words
        with kit.card(classes="a-controls"):
            with kit.box("g-row g-between"):
                kit.write(words("ask.controls.title"), "h2")
                self._unfold = kit.button(words("ask.controls.open"), self._fold, quiet=True).classes("a-unfold")
                self._unfold.props('aria-expanded="false"')
            with kit.box("a-controls-body g-stack") as self._body:
                with kit.box("g-stack a-group", role="group", aria_label=words("ask.presets.title")):
                    kit.write(words("ask.presets.title"), "h3")
                    with kit.box("a-presets"):
                        self._presets = {choice: self._preset_button(choice) for choice in CHOICES}
                    self._rules = kit.hint("")
                    self._back = kit.button(words("ask.back"), lambda: self._apply(self.knobs.back())).classes("a-back")
                self._draw_group("weights")
                self._draw_group("sizes")
                with kit.box("a-more", "details"):
                    kit.write(words("ask.controls.more"), "summary")
                    self._draw_group("windows")
                    with kit.box("g-stack a-group"):
                        as_of = ui.input(words("ask.at.title"), on_change=self._choose_day)
                        as_of.props('type="date" outlined dense stack-label')
                        kit.hint(words("ask.at.hint"))
        self._update()

    async def switch(self, block: str, on: bool) -> None:
        await self._apply(self.knobs.switched(block, on))

    def _fold(self) -> None:
        is_open = "a-open" not in self._body.classes
        self._body.classes(toggle="a-open")
        self._unfold.text = self._words("ask.controls.close" if is_open else "ask.controls.open")
        self._unfold.props["aria-expanded"] = "true" if is_open else "false"
        self._unfold.update()

    def _preset_button(self, choice: str) -> ui.button:
        choose = lambda: self._apply(self.knobs.chosen(choice))  # noqa: E731  # the knobs may change until then
        drawn = kit.button(self._words(f"ask.presets.{choice}"), choose).classes("a-preset")
        drawn.props["title"] = self._words(f"ask.presets.about.{choice}")
        return drawn

    def _draw_group(self, group: Group) -> None:
        with kit.box("g-stack a-group"):
            kit.write(self._words(f"ask.groups.{group}"), "h3")
            for knob in KNOBS:
                if knob.group == group:
                    label = self._words(f"ask.knobs.{knob.name}")
                    act = partial(self._turn, knob.name)
                    self._sliders[knob.name] = _Slider(knob, self.knobs.value(knob.name), label, act)

    async def _turn(self, name: str, event: ValueChangeEventArguments[float]) -> None:
        if event.value != self.knobs.value(name):  # else we have set it ourselves
            await self._apply(self.knobs.turned(name, float(event.value)))

    async def _choose_day(self, event: ValueChangeEventArguments[str | None]) -> None:
        try:
            chosen = date.fromisoformat(event.value or "")
        except ValueError:
            self.at = None
        else:
            self.at = datetime.combine(chosen, time.max, self._viewer.bank.settings.zone)
        await self._changed()

    async def _apply(self, knobs: Knobs) -> None:
        self.knobs = knobs
        self._update()
        await self._changed()

    def _update(self) -> None:
        words, settings = self._words, self.knobs.settings
        for name, slider in self._sliders.items():
            slider.value = self.knobs.value(name)
        for choice, drawn in self._presets.items():
            is_chosen = choice == self.knobs.choice
            drawn.props["aria-pressed"] = "true" if is_chosen else "false"
            drawn.classes(add="a-chosen") if is_chosen else drawn.classes(remove="a-chosen")
            drawn.update()
        self._back.set_enabled(self.knobs.is_changed)
        since = words(f"ask.rules.since.{settings.recency_since}")
        rules = (  # what has no slider
            words(f"ask.rules.combine.{settings.combine}"),
            words(f"ask.rules.curve.{settings.recency_curve}", days=f"{settings.recency_days:g}", since=since),
            words("ask.rules.turns" if settings.search_turns else "ask.rules.no_turns"),
        )
        self._rules.text = " · ".join(rules)
