"""What all pages are built from: elements, and memories, people, dates and reasons in the words of the catalogue.

All text goes in as text: nothing that a user or a model wrote is interpreted as markup.
"""

from __future__ import annotations

import tomllib
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from copy import deepcopy
from datetime import datetime
from functools import partial
from importlib.resources import files
from typing import Any, Final, Generic, Literal, TypeVar
from urllib.parse import urlencode

from nicegui import ui
from nicegui.element import Element
from nicegui.elements.mixins.text_element import TextElement as TextElement
from nicegui.events import GenericEventArguments

from gieok.domain.memory import Change, Memory
from gieok.domain.personal import ENGLISH, KOREAN
from gieok.domain.scope import Scope
from gieok.domain.turn import CHARACTER, USER
from gieok.web import EXPORT as EXPORT
from gieok.web import PATHS as PATHS
from gieok.web import viewer as viewers
from gieok.words import Words

Handler = Callable[[], Awaitable[None] | None]
Row = TypeVar("Row")


def box(classes: str = "", tag: str = "div", **props: Any) -> Element:
    """Add an element; `aria_label="…"` is its property aria-label."""
    added = Element(tag).classes(classes)
    added.props.update(_named(props))
    return added


def _named(props: dict[str, Any]) -> dict[str, Any]:
    return {name.strip("_").replace("_", "-"): value for name, value in props.items()}


def write(text: str, tag: str = "p", classes: str = "", **props: Any) -> TextElement:
    added = TextElement(text=text, tag=tag).classes(classes)
    added.props.update(_named(props))
    return added


def hint(text: str) -> TextElement:
    return write(text, "p", "g-dim g-small")


def status(text: str = "", classes: str = "g-dim g-small") -> TextElement:
    """Write a line that screen readers announce when it changes."""
    return write(text, "p", classes).props('role="status"')


def heading(text: str) -> TextElement:
    return write(text, "h1").props('id="content" tabindex="-1"')


def style(*names: str) -> None:
    for name in names:
        ui.add_head_html(f'<link rel="stylesheet" href="/look/{name}.css">')


def button(
    text: str, act: Handler, *, label: str = "", main: bool = False, danger: bool = False, quiet: bool = False
) -> ui.button:
    """Add a button; `label` is what screen readers say instead of `text`."""
    kind = "g-main" if main else "g-danger" if danger else "g-quiet" if quiet else "g-plain-button"
    added = ui.button(text, on_click=act, color=None).props("no-caps unelevated").classes(f"g-button {kind}")
    if label:
        added.props["aria-label"] = label
    return added


def link(text: str, path: str, **query: str) -> TextElement:
    added = write(text, "a")
    added.props["href"] = f"{path}?{urlencode(query)}" if query else path
    return added


def memory_link(text: str, memory_id: str) -> TextElement:
    return link(text, PATHS["memories"], memory=memory_id)


@contextmanager
def card(title: str | None = None, classes: str = "") -> Iterator[Element]:
    with box(f"g-card {classes}", "section") as opened:
        if title is not None:
            write(title, "h2")
        yield opened


def notice(title: str, text: str = "") -> None:
    """Say why there is nothing to see."""
    with box("g-notice", role="status"):
        write(title, "h2")
        if text:
            write(text)


def chip(text: str, kind: str = "") -> TextElement:
    """Write a word in a small frame; `kind` is its colour: good, warn, bad, info."""
    return write(text, "span", f"g-chip {f'g-{kind}' if kind else ''}")


def facts(pairs: Mapping[str, str], classes: str, number: str = "") -> None:
    with ui.element("dl").classes(classes):
        for label, value in pairs.items():
            with box():
                write(label, "dt")
                write(value, "dd", number)


async def confirm(title: str, text: str, *, yes: str, no: str, danger: bool = False) -> bool:
    """Ask before something is done; closing the dialog is a no."""
    with ui.dialog() as dialog, box("g-card g-dialog", role="alertdialog"):
        write(title, "h2")
        write(text)
        with box("g-row g-end"):
            button(no, lambda: dialog.submit(False), quiet=True).props("autofocus")
            button(yes, lambda: dialog.submit(True), main=not danger, danger=danger)
    answer: Any = await dialog
    dialog.delete()
    return bool(answer)


class Control(Element):
    """A native control: `value` is the property that it changes."""

    def __init__(self, tag: str, name: str, value: str | bool, act: Callable[[Any], Any]) -> None:
        super().__init__(tag)
        self._name = name
        self.props[name] = value

        async def changed(event: GenericEventArguments) -> None:
            given = type(value)(event.args)
            self.props[name] = given
            done = act(given)
            if done is not None:
                await done

        self.on("change", changed, js_handler=f"(event) => emit(event.target.{name})")

    def set(self, value: str | bool) -> None:
        if self.props[self._name] != value:
            self.props[self._name] = value
            self.update()


def select(label: str, choices: Mapping[str, str], value: str, act: Callable[[str], Awaitable[None]]) -> Control:
    with box("m-field", "label"):
        write(label, "span")
        added = Control("select", "value", value, act)
    with added:
        for key, text in choices.items():
            write(text, "option", value=key)
    return added


def checkbox(label: str, act: Callable[[bool], Any], *, checked: bool = False, silent: bool = False) -> Control:
    """Add a checkbox; its label is beside it, or (`silent`) only for screen readers."""
    with box("m-tick", "label"):
        added = Control("input", "checked", checked, act).props("type=checkbox")
        if silent:
            added.props["aria-label"] = label
        else:
            write(label, "span")
    return added


@contextmanager
def table(headings: Sequence[str], caption: str, classes: str = "") -> Iterator[Element]:
    with box("g-scroll"), box(f"g-table {classes}", "table"):
        write(caption, "caption", "g-unseen")
        with box("", "thead"), box("", "tr"):
            for each in headings:
                write(each, "th").props('scope="col"')
        with box("", "tbody") as body:
            yield body


@contextmanager
def row(name: str) -> Iterator[Element]:
    with box("", "tr") as opened:
        write(name, "th", "g-row-name").props('scope="row"')
        yield opened


def cell(text: str, classes: str = "") -> None:
    write(text, "td", classes)


class Pager:
    """Shows one page at a time, the newest first; `show` draws the page before a place and returns where it begins."""

    def __init__(self, show: Callable[[int | None], Awaitable[int | None]], *, earlier: str, later: str) -> None:
        self._show = show
        self._starts: list[int | None] = [None]
        self._next: int | None = None
        with box("g-row g-end"):
            self._later = button(later, self._go_later, quiet=True)
            self._earlier = button(earlier, self._go_earlier, quiet=True)

    async def load(self) -> None:
        self._next = await self._show(self._starts[-1])
        self._later.set_enabled(len(self._starts) > 1)
        self._earlier.set_enabled(self._next is not None)
        for each in (self._later, self._earlier):
            each.set_visibility(len(self._starts) > 1 or self._next is not None)

    async def _go_earlier(self) -> None:
        if self._next is not None:
            self._starts.append(self._next)
            await self.load()

    async def _go_later(self) -> None:
        if len(self._starts) > 1:
            self._starts.pop()
            await self.load()


class GrowingList(Generic[Row]):
    """A list with a button that adds the next page below.

    `read` takes where to go on (None: from the start) and returns a page with where the next one begins (None: there
    is none); `draw` draws one row.
    """

    def __init__(
        self,
        read: Callable[[Any], Awaitable[tuple[Sequence[Row], Any]]],
        draw: Callable[[Row], None],
        *,
        more: str,
        tag: str = "div",
        classes: str = "g-stack",
        empty: tuple[str, str] | None = None,
        end: str = "",
    ) -> None:
        self._read, self._draw, self._more, self._end = read, draw, more, end
        self.empty = empty  #: title and text of a notice where there is nothing
        self._loads = 0
        self.shown = 0
        self._list = ui.element(tag).classes(classes)
        self._below = box("g-row")

    async def load(self) -> None:
        """Show the first page in place of what is shown."""
        self._loads += 1
        load = self._loads
        page, following = await self._read(None)
        if load != self._loads:
            return  # a newer load has overtaken this one
        self._list.clear()
        self.shown = 0
        self._add(page, following)
        if not page and self.empty is not None:
            with self._below:
                notice(*self.empty)

    async def _go_on(self, following: Any) -> None:
        self._add(*await self._read(following))

    def _add(self, page: Sequence[Row], following: Any) -> None:
        self.shown += len(page)
        with self._list:
            for each in page:
                self._draw(each)
        self._below.clear()
        with self._below:
            if following is not None:
                button(self._more, partial(self._go_on, following))
            elif self._end and page:
                hint(self._end)


Options = dict[str, Any]
_CHARTS: Final[Options] = tomllib.loads(files(__package__).joinpath("charts.toml").read_text(encoding="utf-8"))


def template(name: str, /, **more: Any) -> Options:
    """Return the options of a chart, or of a part of one, from `charts.toml`, with `more` of them."""
    return {**deepcopy(_CHARTS[name]), **more}


def chart(options: Options, description: str, classes: str) -> ui.echart:
    """Draw a chart; `description` says in words what it shows."""
    whole = {"animation": False, "textStyle": template("text"), **options}
    if "tooltip" in options:
        whole["tooltip"] = template("tooltip", **options["tooltip"])
        whole["tooltip"]["textStyle"]["fontFamily"] = whole["textStyle"]["fontFamily"]
    drawn = ui.echart(whole, renderer="svg").classes(f"g-chart {classes}")
    drawn.props["role"] = "img"
    drawn.props["aria-label"] = description
    return drawn


State = Literal["current", "past", "forgotten", "retracted", "faded", "future"]
STATE_COLOURS: Final[Mapping[State, str]] = {
    "current": "good",
    "past": "",
    "forgotten": "bad",
    "retracted": "warn",
    "faded": "warn",
    "future": "info",
}
#: fields whose changes are shown, in this order
_FIELDS: Final = (
    "content", "value", "kind", "importance", "pinned", "doubtful", "mentions", "uses", "valid_at", "invalid_at",
    "retracted", "forgotten_at", "faded_at", "interpretation",
)  # fmt: skip


def day(moment: datetime, viewer: viewers.Viewer) -> str:
    """Return a date: "2026년 3월 1일", "1 Mar 2026"."""
    return _date("day", moment, viewer)


def date_time(moment: datetime, viewer: viewers.Viewer) -> str:
    """Return a date with its time: "2026년 3월 1일 20:00", "1 Mar 2026, 20:00"."""
    return _date("moment", moment, viewer)


def _date(key: str, moment: datetime, viewer: viewers.Viewer) -> str:
    there = moment.astimezone(viewer.bank.settings.zone)
    parts = {"year": there.year, "month": there.month, "day": there.day, "short": f"{there:%b}"}
    return viewer.words(f"shared.dates.{key}", **parts, time=f"{there:%H:%M}")


def month(year: int, number: int, words: Words) -> str:
    return words("shared.dates.month", month=number, long=f"{datetime(year, number, 1):%B}")  # noqa: DTZ001  # its name


def per_cent(part: float) -> int:
    return round(100 * min(max(part, 0.0), 1.0))


def short(text: str, most: int = 80) -> str:
    """Return the beginning of a text in one line."""
    line = " ".join(text.split())
    return line if len(line) <= most else f"{line[: most - 1]}…"


def plain(text: str, most: int) -> str:
    """Return the beginning of a text in one line, without the brackets that style text in a chart."""
    return short(text.replace("{", "(").replace("}", ")"), most)


def person(who: str, scope: Scope | None, words: Words) -> str:
    """Return whom a speaker or subject id means, by name where there is one."""
    own = {USER: scope and scope.user, CHARACTER: scope and scope.character, "world": scope and scope.world}
    return (own[who] or words(f"shared.subjects.{who}")) if who in own else who


def kind_name(attribute: str | None, content_type: str, words: Words) -> str:
    """Return what kind of thing is known: the name of its attribute, else of its type."""
    return words.attribute(attribute) if attribute else words(f"shared.types.{content_type}")


def full_kind_name(memory: Memory, words: Words) -> str:
    """Return type and attribute: "취향 · 좋아하는 것"."""
    kind = words(f"shared.types.{memory.content_type}")
    attribute = kind_name(memory.attribute, memory.content_type, words)
    return kind if kind == attribute else f"{kind} · {attribute}"


def source_name(by: str, words: Words) -> str:
    """Return what read or changed something: a rule, a pass, a person, a model. `by` is its id with a version."""
    return words.some("shared.sources").get(by.partition("/")[0], words("shared.sources.model"))


def pii_name(kind: str, words: Words) -> str:
    names: Mapping[str, str] = KOREAN if words.language == "ko" else ENGLISH  # type: ignore[assignment]  # their keys
    return names.get(kind, kind)


def state_of(memory: Memory, present: datetime) -> State:
    state = memory.state(present)
    return "future" if state == "current" and memory.valid_at > present else state


def field_changes(change: Change, viewer: viewers.Viewer) -> list[tuple[str, str, str]]:
    """Return which fields of a memory differ, each with its value before and after."""
    before, after, words = change.before, change.after, viewer.words
    if before is None or after is None:
        return []
    told = ((name, _field(name, before, viewer), _field(name, after, viewer)) for name in _FIELDS)
    return [(words(f"shared.fields.{name}"), old, new) for name, old, new in told if old != new]


def _field(name: str, memory: Memory, viewer: viewers.Viewer) -> str:
    value: Any = getattr(memory, name)
    words = viewer.words
    if value is None:
        return words("shared.fields.none")
    if isinstance(value, bool):
        return words(f"shared.fields.{'yes' if value else 'no'}")
    if isinstance(value, datetime):
        return date_time(value, viewer)
    if name == "kind":
        return words(f"shared.kinds.{value}")
    return str(per_cent(value)) if name == "importance" else str(value)
