"""The panels beside the talk: what a turn did to memory and to the relationship, and the context that was sent."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, fields
from functools import partial
from typing import Final

from nicegui.element import Element

from gieok.bank import Mind
from gieok.domain.answer import Block, Context, Injected, Item, Observed, Trace
from gieok.domain.attributes import attribute
from gieok.domain.decision import Decision, Ignore, Reinforce, Remember, Retract, Supersede
from gieok.domain.emotion import Emotion
from gieok.domain.memory import Memory
from gieok.domain.promotion import Promotion
from gieok.domain.record import decision_name, promotion_of
from gieok.domain.relationship import AXES, Habit, Manners, Relationship, score
from gieok.domain.scope import Scope
from gieok.domain.state import Cause, Move
from gieok.domain.turn import CHARACTER
from gieok.errors import NoTrace
from gieok.web.ask import trouble
from gieok.web.kit import Handler, box, button, card, chip, hint, kind_name, memory_link, person, write
from gieok.words import Words

_COLOURS: Final = {"remember": "good", "supersede": "warn", "reinforce": "info", "retract": "bad", "ignore": ""}
_VISIBLE: Final = 0.005  #: a smaller change is rounded to nothing


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnDetails:
    """What became of a turn."""

    observed: Observed
    moods: Sequence[str]  #: the moods of the words, where nothing was decided
    relationship: Relationship  #: now
    context: Context | None  #: None: its text is no longer at hand
    trace: Trace | None
    items: Mapping[str, Item]  #: the items of the trace that are not forgotten

    @property
    def emotion(self) -> Emotion:
        return next((felt.emotion for felt in self.observed.emotions if felt.speaker == CHARACTER), "neutral")


def read_turn(mind: Mind, turn_id: str, context: Context | None) -> TurnDetails:
    """Read what became of a turn. Raises `UnknownTurn`."""
    observed = mind.observed(turn_id)
    trace = None
    if context is None:
        with suppress(NoTrace):
            trace = mind.trace(turn_id)
    injected = () if trace is None else trace.injected
    return TurnDetails(
        observed=observed,
        moods=() if observed.decisions else mind.silence(turn_id),
        relationship=mind.relationship(),
        context=context,
        trace=trace,
        items=mind.items(dict.fromkeys(item for block in injected for item in block.items)),
    )


def why_decided(decision: Decision, words: Words, threshold: float) -> str:
    """Return the reason of a decision; `threshold` is the score from which on something is remembered."""
    match decision:
        case Remember(memory=memory, promotion=promotion):
            kind = kind_name(memory.attribute, memory.content_type, words)
            why = "doubtful" if memory.doubtful else "remember"
            return words(f"talk.why.{why}", kind=kind, **_scores(promotion, threshold))
        case Supersede(claim=claim, closed=closed):
            if claim.act in ("correct", "prefer", "end"):
                return words(f"talk.why.{claim.act}")
            if any(memory.polarity != claim.polarity for memory in closed):
                return words("talk.why.opposite")
            if claim.attribute is not None and attribute(claim.attribute).single:
                return words("talk.why.single", kind=kind_name(claim.attribute, claim.content_type, words))
            return words("talk.why.newer")
        case Reinforce(memory=memory):
            return words("talk.why.reinforce", n=memory.mentions + 1)
        case Retract():
            return words("talk.why.retract")
        case Ignore(why="below_threshold", promotion=Promotion() as promotion):
            return words("talk.why.below", **_scores(promotion, threshold))
        case Ignore(why=why):
            return words(f"shared.reasons.{why}")


def _scores(promotion: Promotion, threshold: float) -> dict[str, str]:
    return {"score": f"{promotion.score:.2f}", "threshold": f"{threshold:.2f}"}


def why_nothing(observed: Observed, moods: Sequence[str], words: Words) -> str:
    if observed.unread:
        return words("talk.silence.unread")
    known = words.some("talk.moods")
    found = ", ".join(known[each] for each in moods if each in known)
    return words("talk.silence.mood", mood=found) if found else words("talk.silence.statement")


def moved(now: Relationship, moves: Iterable[Move]) -> tuple[Relationship | None, Relationship, tuple[Cause, ...]]:
    """Return the relationship before and after a turn, and why it changed; without a change it is as `now`."""
    for each in moves:
        if each.kind == "relationship" and isinstance(each.after, Relationship):
            before = each.before if isinstance(each.before, Relationship) else None
            return before, each.after, each.causes
    return None, now, ()


def manner_changes(moves: Iterable[Move], scope: Scope, words: Words) -> Iterator[str]:
    """Yield changes of speech style and address: "레티아: 존댓말 → 반말"."""

    def told(habit: Habit) -> str:
        return words.some("shared.styles").get(habit.value, f"“{habit.value}”")

    for move in moves:
        before, after = move.before, move.after
        if isinstance(before, Manners) and isinstance(after, Manners):
            for who in ("user", "character"):
                was, is_now = before.of(who), after.of(who)
                for old, new in ((was.style, is_now.style), (was.address, is_now.address)):
                    if new is not None and old is not None and old.value != new.value:
                        yield f"{person(who, scope, words)}: {told(old)} → {told(new)}"


def block_text(block: Block | Injected, items: Mapping[str, Item], words: Words) -> str:
    """Return the text of a block; of an earlier turn what its items say now. Forgotten ones are only counted."""
    if isinstance(block, Block):
        return block.text
    known = [items[item] for item in block.items if item in items]
    lines = [each.content if isinstance(each, Memory) else f"“{each.text}”" for each in known]
    if gone := len(block.items) - len(known):
        lines.append(words("talk.sent.gone", n=gone))
    return "\n".join(lines)


class Panels:
    """The three panels."""

    def __init__(
        self, scope: Scope, words: Words, *, newest: Handler, pick: Callable[[str], Awaitable[None]] | None
    ) -> None:
        """Draw them; `newest` goes back to the last turn, `pick` puts a memory into the next context."""
        self._scope, self._words, self._pick = scope, words, pick
        with box("g-row g-between t-which", aria_live="polite"):
            self._which = hint("")
            self._newest = button(words("talk.panels.newest"), newest, quiet=True)
        self._panels: list[Element] = []
        for name in ("memory", "standing", "sent"):
            with card(words(f"talk.panels.{name}")):
                self._panels.append(box(f"g-stack t-{name}"))
        self.clear("", earlier=False)

    def clear(self, which: str, *, earlier: bool) -> None:
        self._which.text = which
        self._newest.set_visibility(earlier)
        for panel in self._panels:
            panel.clear()
            with panel:
                write(self._words("talk.panels.nothing")).classes("g-dim")

    def show(self, details: TurnDetails, which: str, *, earlier: bool, threshold: float) -> None:
        self._which.text = which
        self._newest.set_visibility(earlier)
        decisions, relationship, sent = self._panels
        for panel in self._panels:
            panel.clear()
        with decisions:
            self._draw_decisions(details, threshold)
        with relationship:
            self._draw_relationship(details)
        with sent:
            self._draw_sent(details)

    def _draw_decisions(self, details: TurnDetails, threshold: float) -> None:
        if not details.observed.decisions:
            write(why_nothing(details.observed, details.moods, self._words)).classes("g-dim")
            return
        with box("t-rows", "ul"):
            for each in details.observed.decisions:
                self._draw_decision(each, threshold)

    def _draw_decision(self, decision: Decision, threshold: float) -> None:
        words, name = self._words, decision_name(decision)
        about = decision.claim if isinstance(decision, Ignore) else decision.memory
        whom = "character" if about.subject_id == self._scope.character else about.subject_id
        with box(f"t-row t-{name}", "li"):
            with box("g-row"):
                chip(words(f"shared.decisions.{name}"), _COLOURS[name])
                write(person(whom, self._scope, words), "span", "g-dim g-small")
            with box("t-content", "p"):
                for old in decision.closed if isinstance(decision, Supersede) else ():
                    write(old.content, "s", "g-dim")
                    write(" → ", "span").props('aria-hidden="true"')
                if isinstance(about, Memory):
                    memory_link(about.content, about.id)
                else:
                    write(about.content, "span", "g-dim")
            hint(why_decided(decision, words, threshold)).classes("t-why")
            if self._pick is not None and isinstance(about, Memory) and name != "retract":
                pick = partial(self._pick, about.id)
                button(words("shared.picked.pick"), pick, quiet=True).classes("t-tool t-pick")
            promotion = promotion_of(decision)
            if promotion is not None:
                with box("g-small", "details"):
                    write(words("talk.why.parts"), "summary", "g-dim")
                    with box("g-table t-parts", "table"), box("", "tbody"):
                        for part in (each.name for each in fields(promotion) if each.name != "score"):
                            with box("", "tr"):
                                write(words(f"shared.parts.{part}"), "th").props('scope="row"')
                                write(f"{getattr(promotion, part):.2f}", "td", "g-number")

    def _draw_relationship(self, details: TurnDetails) -> None:
        words, moves = self._words, details.observed.moves
        before, after, causes = moved(details.relationship, moves)
        levels = words.some("shared.levels")
        rises = before is not None and before.level != after.level
        with box("g-row"):
            changed = f"{levels[before.level]} → " if before is not None and rises else ""
            chip(f"{changed}{levels[after.level]}", "good" if rises else "")
            write(words("talk.standing.closeness", n=f"{score(after):.0f}"), "span", "g-small g-dim g-number")
        is_moved = False
        with box("t-bars", "ul"):
            for axis in AXES:
                own = [cause for cause in causes if cause.axis == axis]
                value = after.axis(axis)
                change = value - before.axis(axis) if before is not None else sum(cause.amount for cause in own)
                change = change if abs(change) >= _VISIBLE else 0.0
                is_moved = is_moved or change != 0.0
                self._draw_axis(words(f"shared.axes.{axis}"), value, change, own)
        lines = [*manner_changes(moves, self._scope, words)]
        for line in lines:
            write(line, "p", "g-small")
        if not lines and not is_moved:
            hint(words("talk.standing.unmoved"))

    def _draw_axis(self, name: str, value: float, change: float, causes: Sequence[Cause]) -> None:
        words = self._words
        with box("t-bar", "li"):
            write(name, "span", "t-axis g-small")
            key = "talk.standing.bar_changed" if change else "talk.standing.bar"
            label = words(key, name=name, value=f"{value:.1f}", change=f"{change:+.2f}")
            with _meter(f"{value:.1f}", "100", label):
                box("t-fill", "span").style(f"width:{min(value, value - change):.2f}%")
                if change:
                    kind = "t-more" if change > 0 else "t-less"
                    box(f"t-fill {kind}", "span").style(f"width:{max(abs(change), 0.8):.2f}%")
            write(f"{value:.1f}", "span", "g-number g-small t-value")
            shown = f"{change:+.2f}" if change else ""
            write(shown, "span", f"g-number g-small t-change {'t-up' if change > 0 else 't-down'}")
            names, told = words.some("shared.causes"), list[str]()
            for cause in causes:
                if abs(cause.amount) >= _VISIBLE:
                    because = f" “{cause.words}”" if cause.words else ""
                    told.append(f"{names.get(cause.name, cause.name)}{because} {cause.amount:+.2f}")
            if told:
                write(" · ".join(told), "span", "t-causes g-small g-dim")

    def _draw_sent(self, details: TurnDetails) -> None:
        words, sent = self._words, details.context or details.trace
        if sent is None or sent.budget is None:
            write(words("talk.sent.none")).classes("g-dim")
            return
        of = {"tokens": f"{sent.tokens:,}", "of": f"{sent.budget:,}"}
        with box("g-row"):
            _draw_share(sent.tokens, sent.budget, words("talk.sent.meter", **of), "t-whole")
            write(words("talk.sent.whole", **of), "span", "g-number g-small")
        for each in sent.degraded:
            text = words(f"ask.troubles.{trouble(each)}")
            write(text, "p", "g-trouble g-small", title=each)
        blocks: Sequence[Block | Injected]
        if isinstance(sent, Trace):
            hint(words("talk.sent.before"))
            blocks = sent.injected
        else:
            blocks = [block for block in sent.blocks if block.text or block.left_out]
        for block in blocks:
            self._draw_block(block, block_text(block, details.items, words), sent.tokens)

    def _draw_block(self, block: Block | Injected, text: str, whole: int) -> None:
        words = self._words
        with box("t-block", "details"):
            with box("", "summary"):
                write(words(f"shared.blocks.{block.name}"), "span", "t-block-name")
                label = words("talk.sent.part", tokens=f"{block.tokens:,}", of=f"{whole:,}")
                _draw_share(block.tokens, whole, label, "t-part")
                tokens = words("talk.sent.tokens", n=f"{block.tokens:,}")
                write(tokens, "span", "g-number g-small g-dim t-tokens")
            write(text or words("talk.sent.empty"), "pre", "t-text")
            for why in dict.fromkeys(each.why for each in block.left_out):
                count = sum(each.why == why for each in block.left_out)
                hint(words("talk.sent.left_out", why=words(f"ask.fates.{why}"), n=count))


def _meter(value: str, most: str, label: str, classes: str = "") -> Element:
    values = {"aria_valuemin": "0", "aria_valuemax": most, "aria_valuenow": value}
    return box(f"t-meter {classes}", "span", role="meter", aria_label=label, **values)


def _draw_share(part: int, whole: int, label: str, classes: str) -> None:
    share = min(part / whole, 1.0) if whole else 0.0
    with _meter(str(part), str(whole), label, classes):
        box("t-fill", "span").style(f"width:{share * 100:.2f}%")
