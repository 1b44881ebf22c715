"""The hits: what came to mind, what its score is made of, and how its place has moved."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial
from typing import Final
from urllib.parse import urlencode

from nicegui import ui

from gieok.domain.scoring import PART_NAMES
from gieok.web.ask.asking import Answered
from gieok.web.ask.shown import Gone, Move, ShownHit, gone, hits_shown, named
from gieok.web.dates import day
from gieok.web.kit import Said, chip, notice, said
from gieok.web.paths import PATHS
from gieok.web.visitors import Visitor

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
