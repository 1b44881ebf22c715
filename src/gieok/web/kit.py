"""What pages are made of. Whatever is shown goes in as text: nothing that anybody wrote is ever taken for markup."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from typing import Any, Final
from urllib.parse import urlencode

from nicegui import ui
from nicegui.element import Element

from gieok.web.visitors import Visitor

Handler = Callable[[], Awaitable[None] | None]


class Said(Element):
    """Text in an element of its own, read as it stands."""

    def __init__(self, text: str, tag: str = "p") -> None:
        super().__init__(tag)
        self._text = text

    @property
    def text(self) -> str:
        return self._text or ""

    @text.setter
    def text(self, text: str) -> None:
        self._text = text
        self.update()


def said(text: str, tag: str = "p") -> Said:
    """Show text in an HTML element of that name."""
    return Said(text, tag)


def heading(text: str) -> Said:
    """Show the title of a page."""
    return said(text, "h1").props('id="content" tabindex="-1"')


def button(text: str, act: Handler, *, main: bool = False, danger: bool = False, quiet: bool = False) -> ui.button:
    """Show a button: `main` is what one came for, `danger` cannot be undone, `quiet` stands back."""
    kind = "g-main" if main else "g-danger" if danger else "g-quiet" if quiet else "g-plain-button"
    return ui.button(text, on_click=act, color=None).props("no-caps unelevated").classes(f"g-button {kind}")


@contextmanager
def card(title: str | None = None, *, tag: str = "section") -> Iterator[Element]:
    """Open a card, with its title."""
    with ui.element(tag).classes("g-card") as opened:
        if title is not None:
            said(title, "h2")
        yield opened


def notice(title: str, text: str = "") -> None:
    """Say plainly why there is nothing to see."""
    with ui.element("div").classes("g-notice").props('role="status"'):
        said(title, "h2")
        if text:
            said(text)


def chip(text: str, kind: str = "") -> Said:
    """Show a word in a small frame; `kind` colours it: good, warn, bad, info."""
    return said(text, "span").classes(f"g-chip {f'g-{kind}' if kind else ''}")


async def confirmed(title: str, text: str, *, yes: str, no: str, danger: bool = False) -> bool:
    """Ask before something is done; closing the question is a no."""
    with ui.dialog() as dialog, ui.element("div").classes("g-card g-dialog").props('role="alertdialog"'):
        said(title, "h2")
        said(text)
        with ui.element("div").classes("g-row g-end"):
            button(no, lambda: dialog.submit(False), quiet=True).props("autofocus")
            button(yes, lambda: dialog.submit(True), main=not danger, danger=danger)
    answer: Any = await dialog
    dialog.delete()
    return bool(answer)


Options = dict[str, Any]

INK: Final = "var(--ink)"
DIM: Final = "var(--dim)"
LINE: Final = "var(--line)"
_FONT: Final = 'system-ui, -apple-system, "Apple SD Gothic Neo", "Noto Sans KR", "Noto Sans CJK KR", sans-serif'
_TOOLTIP: Final[Options] = {
    "renderMode": "richText",  # drawn as text: nothing in it can be markup
    "confine": True,
    "backgroundColor": "var(--card)",
    "borderColor": LINE,
    "borderWidth": 1,
    "padding": [8, 12],
    "textStyle": {"color": INK, "fontSize": 13, "lineHeight": 19, "fontFamily": _FONT},
}
LOOK: Final = '<link rel="stylesheet" href="/look/charts.css">'  #: for the head of a page with charts
#: what a point tells when one points at it; `told` is part of its data
TOLD: Final = "point => point.data.told"


def chart(options: Options, told: str, look: str) -> ui.echart:
    """Draw a chart; `told` says in words what it shows, `look` is the class that gives it its size."""
    whole = {"animation": False, "textStyle": {"color": INK, "fontFamily": _FONT}, **options}
    if "tooltip" in options:
        whole["tooltip"] = {**_TOOLTIP, **options["tooltip"]}
    drawn = ui.echart(whole, renderer="svg").classes(f"g-chart {look}")
    drawn.props["role"] = "img"
    drawn.props["aria-label"] = told
    return drawn


def axis(**more: Any) -> Options:
    """Return an axis in the colours of the page."""
    return {
        "axisLine": {"lineStyle": {"color": LINE}},
        "axisTick": {"show": False},
        "axisLabel": {"color": DIM, "fontSize": 12, "hideOverlap": True},
        "splitLine": {"show": False},
        **more,
    }


def legend(**more: Any) -> Options:
    return {
        "top": 0,
        "left": 0,
        "itemWidth": 18,
        "itemGap": 9,
        "textStyle": {"color": INK, "fontSize": 12.5},
        "inactiveColor": LINE,
        "inactiveBorderColor": LINE,
        **more,
    }


def plain(text: str, most: int) -> str:
    """Return `text` in one line of at most `most` letters, without the brackets that style text in a chart."""
    line = " ".join(text.split()).replace("{", "(").replace("}", ")")
    return line if len(line) <= most else f"{line[: most - 1]}…"


@contextmanager
def table(headings: Sequence[str], caption: str, look: str = "") -> Iterator[Element]:
    """Open a table; what is added within are its rows. `look` is a class of its own."""
    with ui.element("div").classes("g-scroll"), ui.element("table").classes(f"g-table {look}"):
        said(caption, "caption").classes("g-unseen")
        with ui.element("thead"), ui.element("tr"):
            for each in headings:
                said(each, "th").props('scope="col"')
        with ui.element("tbody") as body:
            yield body


@contextmanager
def row(name: str) -> Iterator[Element]:
    """Open a row that goes by `name`."""
    with ui.element("tr") as opened:
        said(name, "th").props('scope="row"').classes("g-row-name")
        yield opened


def cell(text: str, kind: str = "") -> Element:
    return said(text, "td").classes(kind)


Show = Callable[[int | None], Awaitable[int | None]]  #: shows what is before a place; returns where to go on from there


class Leafing:
    """Shows one page after the other, each told from which place it goes back."""

    def __init__(self, show: Show, *, earlier: str, later: str) -> None:
        self._show = show
        self._been: list[int | None] = [None]  #: where the pages so far began, the newest first
        self._next: int | None = None
        with ui.element("div").classes("g-row g-end"):
            self._later = button(later, self._go_later, quiet=True)
            self._earlier = button(earlier, self._go_earlier, quiet=True)

    async def start(self) -> None:
        """Show the newest."""
        self._next = await self._show(self._been[-1])
        self._later.set_enabled(len(self._been) > 1)
        self._earlier.set_enabled(self._next is not None)
        both = len(self._been) > 1 or self._next is not None
        self._later.set_visibility(both)
        self._earlier.set_visibility(both)

    async def _go_earlier(self) -> None:
        if self._next is not None:
            self._been.append(self._next)
            await self.start()

    async def _go_later(self) -> None:
        if len(self._been) > 1:
            self._been.pop()
            await self.start()


def day(moment: datetime, visitor: Visitor) -> str:
    """Return its day: "2026년 3월 1일", "1 Mar 2026"."""
    there = moment.astimezone(visitor.bank.settings.zone)
    return (
        f"{there.year}년 {there.month}월 {there.day}일"
        if visitor.language == "ko"
        else f"{there.day} {there:%b} {there.year}"
    )


def moment_told(moment: datetime, visitor: Visitor) -> str:
    """Return its day and time: "2026년 3월 1일 20:00", "1 Mar 2026, 20:00"."""
    there = moment.astimezone(visitor.bank.settings.zone)
    between = " " if visitor.language == "ko" else ", "
    return f"{day(moment, visitor)}{between}{there:%H:%M}"


def month(year: int, month: int, visitor: Visitor) -> str:
    """Return the name of a month within its year: "3월", "March"."""
    return f"{month}월" if visitor.language == "ko" else f"{datetime(year, month, 1):%B}"  # noqa: DTZ001  # only named


def year(year: int, visitor: Visitor) -> str:
    return f"{year}년" if visitor.language == "ko" else str(year)


EXPORT: Final = "/scopes/export"  #: no page, but a file to be kept
PATHS: Final = {
    "talk": "/",
    "memories": "/memories",
    "ask": "/ask",
    "relationship": "/relationship",
    "graph": "/graph",
    "upkeep": "/upkeep",
    "scopes": "/scopes",
}


def link(text: str, path: str, **query: str) -> Element:
    """Show a link to a page of ours; what it asks for is written as data."""
    shown = said(text, "a")
    shown.props["href"] = f"{path}?{urlencode(query)}" if query else path
    return shown


def memory_link(text: str, memory_id: str) -> Element:
    """Show a memory by its words, and lead to it."""
    return link(text, PATHS["memories"], memory=memory_id)


def style(name: str) -> None:
    """Have the page use one of our own style sheets."""
    ui.add_head_html(f'<link rel="stylesheet" href="/look/{name}.css">')
