"""What became of a turn, as rows of words: what was remembered, changed, heard again or passed over, and why."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import partial
from typing import Literal
from urllib.parse import quote

from nicegui import ui
from nicegui.element import Element

from gieok.domain.answer import Block, Context, Injected, Item, Observed, Trace
from gieok.domain.attributes import attribute
from gieok.domain.claim import Claim
from gieok.domain.decision import Decision, Ignore, Reinforce, Remember, Retract, Supersede
from gieok.domain.memory import Memory
from gieok.domain.promotion import Promotion
from gieok.domain.relationship import AXES, Habit, Manners, Relationship, score
from gieok.domain.scope import Scope
from gieok.domain.state import Cause, Move
from gieok.web.kit import Handler, button, card, chip, said
from gieok.words import Words

Kind = Literal["remember", "supersede", "reinforce", "retract", "ignore"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """One decision."""

    kind: Kind
    content: str  #: what is believed now; of what was ignored or taken back, what was claimed
    old: tuple[str, ...] = ()  #: what it took the place of
    whose: str = ""  #: whom it is about
    memory_id: str | None = None
    why: str = ""
    parts: tuple[tuple[str, float], ...] = ()  #: what its score is made of, each 0–1


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcomes:
    """All decisions of a turn; where there are none, why."""

    rows: tuple[Outcome, ...]
    silence: str = ""


def outcomes(observed: Observed, silence: Sequence[str], scope: Scope, words: Words, *, threshold: float) -> Outcomes:
    """Return what to show; `silence` are the moods of the words, `threshold` the score from which on one remembers."""
    told = _Telling(scope, words, threshold)
    rows = tuple(told.of(decision) for decision in observed.decisions)
    return Outcomes(rows=rows, silence="" if rows else _silence(observed, silence, words))


def named(who: str, scope: Scope, words: Words) -> str:
    """Return whom a speaker or a subject's id means."""
    if who == "user":
        return scope.user or words("shared.subjects.user")
    if who in ("character", scope.character):
        return scope.character or words("shared.subjects.character")
    return words("shared.subjects.world") if who == "world" else who


def kind_named(key: str | None, content_type: str, words: Words) -> str:
    """Return what kind of thing is known: the name of its attribute, else of its type."""
    if key is None:
        return words.some("shared.types").get(content_type, content_type)
    if key.startswith("favorite."):
        return words.some("shared.favorites").get(key.removeprefix("favorite."), words("shared.attributes.favorite"))
    return words.some("shared.attributes").get(key, key)


def _silence(observed: Observed, moods: Sequence[str], words: Words) -> str:
    if observed.unread:
        return words("talk.silence.unread")
    known = words.some("talk.moods")
    found = ", ".join(known[each] for each in moods if each in known)
    return words("talk.silence.mood", mood=found) if found else words("talk.silence.statement")


@dataclass(frozen=True, slots=True)
class _Telling:
    scope: Scope
    words: Words
    threshold: float

    def of(self, decision: Decision) -> Outcome:
        match decision:
            case Remember():
                return self._row("remember", decision.memory, self._worth(decision), decision.promotion)
            case Supersede():
                why = self._turned(decision.claim, decision.closed)
                old = tuple(memory.content for memory in decision.closed)
                return self._row("supersede", decision.memory, why, decision.promotion, old)
            case Reinforce():
                return self._row("reinforce", decision.memory, self._again(decision.memory))
            case Retract():
                return self._row("retract", decision.memory, self.words("talk.why.retract"))
            case Ignore():
                return self._ignored(decision)

    def _row(
        self, kind: Kind, memory: Memory, why: str, promotion: Promotion | None = None, old: tuple[str, ...] = ()
    ) -> Outcome:
        return Outcome(
            kind=kind,
            content=memory.content,
            old=old,
            whose=named(memory.subject_id, self.scope, self.words),
            memory_id=memory.id,
            why=why,
            parts=_parts(promotion, self.words),
        )

    def _worth(self, decision: Remember) -> str:
        kind = kind_named(decision.memory.attribute, decision.memory.content_type, self.words)
        score, least = f"{decision.promotion.score:.2f}", f"{self.threshold:.2f}"
        return self.words("talk.why.remember", kind=kind, score=score, threshold=least)

    def _again(self, memory: Memory) -> str:
        return self.words("talk.why.reinforce", n=memory.mentions + 1)

    def _turned(self, claim: Claim, closed: tuple[Memory, ...]) -> str:
        if claim.act in ("correct", "prefer", "end"):
            return self.words(f"talk.why.{claim.act}")
        if any(memory.polarity != claim.polarity for memory in closed):
            return self.words("talk.why.opposite")
        if claim.attribute is not None and attribute(claim.attribute).single:
            kind = kind_named(claim.attribute, claim.content_type, self.words)
            return self.words("talk.why.single", kind=kind)
        return self.words("talk.why.newer")

    def _ignored(self, decision: Ignore) -> Outcome:
        claim, words = decision.claim, self.words
        why = words(f"shared.reasons.{decision.why}")
        if decision.why == "below_threshold" and decision.promotion is not None:
            score, least = f"{decision.promotion.score:.2f}", f"{self.threshold:.2f}"
            why = words("talk.why.below", score=score, threshold=least)
        return Outcome(
            kind="ignore",
            content=claim.content,
            whose=named(claim.subject_id, self.scope, words),
            why=why,
            parts=_parts(decision.promotion, words),
        )


def _parts(promotion: Promotion | None, words: Words) -> tuple[tuple[str, float], ...]:
    if promotion is None:
        return ()
    names = (field.name for field in fields(promotion) if field.name != "score")
    return tuple((words(f"talk.parts.{name}"), float(getattr(promotion, name))) for name in names)


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


_SEEN = 0.005  #: a smaller change rounds to nothing


@dataclass(frozen=True, slots=True, kw_only=True)
class Bar:
    """One axis, 0–100."""

    name: str
    value: float
    change: float = 0.0
    causes: tuple[str, ...] = ()  #: "자기 이야기 +0.90"

    @property
    def before(self) -> float:
        return self.value - self.change


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """The two, after a turn."""

    bars: tuple[Bar, ...]
    closeness: float  #: 0–100
    level: str
    level_before: str = ""  #: "": it is the same
    manners: tuple[str, ...] = ()  #: "레티아: 존댓말 → 반말"


def standing(now: Relationship, moves: Iterable[Move], scope: Scope, words: Words) -> Standing:
    """Return what to show of a turn with `moves`; where none is of the relationship, it stands as it does `now`."""
    moves = tuple(moves)
    moved = next((each for each in moves if each.kind == "relationship" and isinstance(each.after, Relationship)), None)
    before = moved.before if moved is not None and isinstance(moved.before, Relationship) else None
    after = moved.after if moved is not None and isinstance(moved.after, Relationship) else now
    causes = moved.causes if moved is not None else ()
    levels = words.some("talk.levels")
    return Standing(
        bars=tuple(_bar(axis, before, after, causes, words) for axis in AXES),
        closeness=score(after),
        level=levels[after.level],
        level_before=levels[before.level] if before is not None and before.level != after.level else "",
        manners=tuple(line for move in moves for line in _manners(move, scope, words)),
    )


def _bar(axis: str, before: Relationship | None, after: Relationship, causes: tuple[Cause, ...], words: Words) -> Bar:
    mine = [cause for cause in causes if cause.axis == axis]
    value = float(getattr(after, axis))
    change = value - float(getattr(before, axis)) if before is not None else sum(cause.amount for cause in mine)
    return Bar(
        name=words(f"talk.axes.{axis}"),
        value=value,
        change=change if abs(change) >= _SEEN else 0.0,
        causes=tuple(_told(cause, words) for cause in mine if abs(cause.amount) >= _SEEN),
    )


def _told(cause: Cause, words: Words) -> str:
    name = words.some("talk.causes").get(cause.name, cause.name)
    because = f" “{cause.words}”" if cause.words else ""
    return f"{name}{because} {cause.amount:+.2f}"


def _manners(move: Move, scope: Scope, words: Words) -> Iterator[str]:
    before, after = move.before, move.after
    if not (isinstance(before, Manners) and isinstance(after, Manners)):
        return
    for who in ("user", "character"):
        was, now = before.of(who), after.of(who)
        for old, new in ((was.style, now.style), (was.address, now.address)):
            if new is not None and old is not None and old.value != new.value:
                yield f"{named(who, scope, words)}: {_habit(old, words)} → {_habit(new, words)}"


def _habit(habit: Habit, words: Words) -> str:
    return words.some("talk.styles").get(habit.value, f"“{habit.value}”")


_COLOURS = {"remember": "good", "supersede": "warn", "reinforce": "info", "retract": "bad", "ignore": ""}


class Panels:
    """The three panels, each drawn anew by itself."""

    def __init__(self, words: Words, *, newest: Handler, pick: Callable[[str], Awaitable[None]] | None) -> None:
        """Draw them; `newest` leads back to the last turn, `pick` puts a memory into the next context."""
        self._words = words
        self._pick = pick
        with ui.element("div").classes("g-row g-between t-which").props('aria-live="polite"'):
            self._which = said("", "p").classes("g-small g-dim")
            self._newest = button(words("talk.panels.newest"), newest, quiet=True)
        self._memory, self._standing, self._sent = (self._panel(name) for name in ("memory", "standing", "sent"))
        self.clear()

    def _panel(self, name: str) -> Element:
        with card(self._words(f"talk.panels.{name}")):
            return ui.element("div").classes(f"g-stack t-{name}")

    def clear(self) -> None:
        """Show that nothing was said yet."""
        self.tell_which("", earlier=False)
        for place in (self._memory, self._standing, self._sent):
            place.clear()
            with place:
                said(self._words("talk.panels.nothing"), "p").classes("g-dim")

    def tell_which(self, text: str, *, earlier: bool) -> None:
        """Say which turn is looked into; from an earlier one there is a way back."""
        self._which.text = text
        self._newest.set_visibility(earlier)

    def show_outcomes(self, told: Outcomes) -> None:
        self._memory.clear()
        with self._memory:
            if told.silence:
                said(told.silence, "p").classes("g-dim")
            if told.rows:
                with ui.element("ul").classes("t-rows"):
                    for row in told.rows:
                        self._outcome(row)

    def _outcome(self, row: Outcome) -> None:
        words = self._words
        with ui.element("li").classes(f"t-row t-{row.kind}"):
            with ui.element("div").classes("g-row"):
                chip(words(f"shared.decisions.{row.kind}"), _COLOURS[row.kind])
                said(row.whose, "span").classes("g-dim g-small")
            with ui.element("p").classes("t-content"):
                for old in row.old:
                    said(old, "s").classes("g-dim")
                    said(" → ", "span").props('aria-hidden="true"')
                if row.memory_id is None:
                    said(row.content, "span").classes("g-dim")
                else:
                    ui.link(row.content, f"/memories?memory={quote(row.memory_id, safe='')}")
            said(row.why, "p").classes("g-small g-dim t-why")
            if self._pick is not None and row.memory_id is not None and row.kind != "retract":
                button(words("talk.picked.pick"), partial(self._pick, row.memory_id), quiet=True).classes(
                    "t-tool t-pick"
                )
            if row.parts:
                with ui.element("details").classes("g-small"):
                    said(words("talk.why.parts"), "summary").classes("g-dim")
                    _table(row.parts)

    def show_standing(self, told: Standing) -> None:
        words = self._words
        self._standing.clear()
        with self._standing:
            with ui.element("div").classes("g-row"):
                changed = words("talk.standing.level_up", before=told.level_before, after=told.level)
                chip(changed if told.level_before else told.level, "good" if told.level_before else "")
                closeness = words("talk.standing.closeness", n=f"{told.closeness:.0f}")
                said(closeness, "span").classes("g-small g-dim g-number")
            with ui.element("ul").classes("t-bars"):
                for bar in told.bars:
                    self._bar(bar)
            for line in told.manners:
                said(line, "p").classes("g-small")
            if not told.manners and not any(bar.change for bar in told.bars):
                said(words("talk.standing.unmoved"), "p").classes("g-dim g-small")

    def _bar(self, bar: Bar) -> None:
        with ui.element("li").classes("t-bar"):
            said(bar.name, "span").classes("t-axis g-small")
            meter = ui.element("span").classes("t-meter").props('role="meter" aria-valuemin="0" aria-valuemax="100"')
            meter.props["aria-valuenow"] = f"{bar.value:.1f}"
            named = "talk.standing.bar_changed" if bar.change else "talk.standing.bar"
            meter.props["aria-label"] = self._words(
                named, name=bar.name, value=f"{bar.value:.1f}", change=f"{bar.change:+.2f}"
            )
            with meter:
                kept = min(bar.value, bar.before)
                ui.element("span").classes("t-fill").style(f"width:{kept:.2f}%")
                if bar.change:
                    moved = "t-more" if bar.change > 0 else "t-less"
                    ui.element("span").classes(f"t-fill {moved}").style(f"width:{max(abs(bar.change), 0.8):.2f}%")
            said(f"{bar.value:.1f}", "span").classes("g-number g-small t-value")
            change = said(f"{bar.change:+.2f}" if bar.change else "", "span").classes("g-number g-small t-change")
            change.classes("t-up" if bar.change > 0 else "t-down")
            if bar.causes:
                said(" · ".join(bar.causes), "span").classes("t-causes g-small g-dim")

    def show_sent(self, told: Sent | None) -> None:
        words = self._words
        self._sent.clear()
        with self._sent:
            if told is None:
                said(words("talk.sent.none"), "p").classes("g-dim")
                return
            with ui.element("div").classes("g-row"):
                self._meter(told.share, tokens=told.tokens, of=told.budget, label="meter", look="t-whole")
                whole = words("talk.sent.whole", tokens=f"{told.tokens:,}", budget=f"{told.budget:,}")
                said(whole, "span").classes("g-number g-small")
            for why in told.degraded:
                said(words("talk.sent.degraded", why=why), "p").classes("g-trouble g-small")
            if not told.in_full:
                said(words("talk.sent.before"), "p").classes("g-dim g-small")
            for sheet in told.sheets:
                self._sheet(sheet, told.tokens)

    def _sheet(self, sheet: Sheet, whole: int) -> None:
        words = self._words
        with ui.element("details").classes("t-block"):
            with ui.element("summary"):
                said(sheet.name, "span").classes("t-block-name")
                self._meter(sheet.share, tokens=sheet.tokens, of=whole, label="part", look="t-part")
                said(words("talk.sent.tokens", n=f"{sheet.tokens:,}"), "span").classes(
                    "g-number g-small g-dim t-tokens"
                )
            said(sheet.text or words("talk.sent.empty"), "pre").classes("t-text")
            for why, count in sheet.left_out:
                said(words("talk.sent.left_out", why=why, n=count), "p").classes("g-dim g-small")

    def _meter(self, share: float, *, tokens: int, of: int, label: str, look: str) -> None:
        meter = ui.element("span").classes(f"t-meter {look}").props('role="meter" aria-valuemin="0"')
        meter.props["aria-valuemax"] = str(of)
        meter.props["aria-valuenow"] = str(tokens)
        meter.props["aria-label"] = self._words(f"talk.sent.{label}", tokens=f"{tokens:,}", of=f"{of:,}")
        with meter:
            ui.element("span").classes("t-fill").style(f"width:{share * 100:.2f}%")


def _table(parts: tuple[tuple[str, float], ...]) -> None:
    with ui.element("table").classes("g-table t-parts"), ui.element("tbody"):
        for name, value in parts:
            with ui.element("tr"):
                said(name, "th").props('scope="row"')
                said(f"{value:.2f}", "td").classes("g-number")
