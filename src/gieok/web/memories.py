"""The page "memories": all memories in a table or a timeline, filters, and what is done with several at once."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from datetime import datetime
from functools import partial
from itertools import groupby
from typing import Any, Final, Literal, Self, cast, get_args
from urllib.parse import parse_qsl, urlencode
from zoneinfo import ZoneInfo

from nicegui import ui
from nicegui.element import Element
from nicegui.events import GenericEventArguments

from gieok.bank import Mind
from gieok.bank.history import Month
from gieok.bank.mind import Narrowed
from gieok.bank.mind import State as StateFilter
from gieok.domain.attributes import ContentType
from gieok.domain.memory import Memory
from gieok.domain.scope import Scope
from gieok.errors import InvalidQuery, UnknownMemory
from gieok.web import kit
from gieok.web.memory_sheet import MemorySheet
from gieok.web.viewer import Viewer

View = Literal["table", "timeline"]
Action = Literal["pin", "unpin", "forget"]
PAGE: Final = 50  #: memories shown at once
_YEARS: Final = range(2, 9_998)
_LONGEST: Final = 500  #: characters of a text to search for
_DEFAULT_STATE: Final[dict[View, StateFilter]] = {"table": "current", "timeline": "all"}
_COLUMNS: Final = ("what", "about", "kind", "since", "state", "weight")
_IN_ADDRESS: Final = {"since": "from", "until": "to"}  #: fields of a query that have another name there
_ACTIONS: Final[dict[Action, Callable[[Mind, str], object]]] = {
    "pin": Mind.pin,
    "unpin": partial(Mind.pin, pinned=False),
    "forget": Mind.forget,
}
_POPSTATE: Final = "memories-popstate"
_ON_POPSTATE: Final = f'<script>addEventListener("popstate", () => emitEvent("{_POPSTATE}", location.search))</script>'


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """What is shown, as it is written in the address of the page; an empty field does not filter."""

    view: View = "table"
    words: str = ""
    state: StateFilter | None = None  #: None: the default of the view
    type: ContentType | None = None
    about: str | None = None  #: "user", "character", "world" or a name
    since: int | None = None  #: year
    until: int | None = None  #: year, included
    pinned: bool = False
    doubtful: bool = False
    pii: bool = False
    before: int | None = None  #: place in the table
    memory: str | None = None  #: the memory that is open

    @classmethod
    def of(cls, asked: Mapping[str, str]) -> Self:
        """Return the query of an address; what makes no sense in it is ignored."""

        def one_of(name: str, choices: tuple[Any, ...]) -> Any:
            return asked.get(name) if asked.get(name) in choices else None

        return cls(
            view=one_of("view", get_args(View)) or "table",
            words=asked.get("words", "")[:_LONGEST],
            state=one_of("state", get_args(StateFilter)),
            type=one_of("type", get_args(ContentType)),
            about=asked.get("about") or None,
            since=year_of(asked.get("from")),
            until=year_of(asked.get("to")),
            pinned=asked.get("pinned") == "1",
            doubtful=asked.get("doubtful") == "1",
            pii=asked.get("pii") == "1",
            before=_number(asked.get("before")),
            memory=asked.get("memory") or None,
        )

    def address(self, scope: Scope | None) -> str:
        """Return the address of this query for a profile: a link that can be passed on."""
        names = {name: getattr(scope, name) for name in ("user", "character", "world")} if scope is not None else {}
        own = {_IN_ADDRESS.get(each.name, each.name): getattr(self, each.name) for each in fields(self)}
        own |= {"words": self.words.strip(), "view": None if self.view == "table" else self.view}
        parts = {name: "1" if part is True else part for name, part in (names | own).items()}
        asked = urlencode({name: part for name, part in parts.items() if part not in (None, "", False)})
        return f"{kit.PATHS['memories']}?{asked}" if asked else kit.PATHS["memories"]

    @property
    def shown_state(self) -> StateFilter:
        return self.state or _DEFAULT_STATE[self.view]

    @property
    def filters(self) -> bool:
        return self.without_filters() != replace(self, before=None)

    @property
    def listed(self) -> Self:
        """The same without the open memory: what the list shows."""
        return replace(self, memory=None)

    def without_filters(self) -> Self:
        return replace(type(self)(view=self.view), memory=self.memory)

    def narrowed(self, zone: ZoneInfo) -> Narrowed:
        """Return the arguments for a mind; years are those of `zone`."""
        given = {
            "state": self.shown_state,
            "text": self.words if self.words.strip() else None,
            "type": self.type,
            "about": self.about,
            "since": None if self.since is None else datetime(self.since, 1, 1, tzinfo=zone),
            "until": None if self.until is None else datetime(self.until + 1, 1, 1, tzinfo=zone),
            "pinned": self.pinned or None,
            "doubtful": self.doubtful or None,
            "pii": self.pii or None,
        }
        return cast(Narrowed, {name: value for name, value in given.items() if value is not None})

    def of_month(self, year: int, number: int, zone: ZoneInfo) -> Narrowed:
        following = (year + 1, 1) if number == 12 else (year, number + 1)
        which = self.narrowed(zone)
        which["since"] = datetime(year, number, 1, tzinfo=zone)
        which["until"] = datetime(*following, 1, tzinfo=zone)
        return which


def year_of(text: str | None) -> int | None:
    return found if (found := _number(text)) in _YEARS else None


def _number(text: str | None) -> int | None:
    return int(text) if text and text.isdecimal() and len(text) <= 9 else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Listed:
    """A memory in the list."""

    memory: Memory
    strength: float
    state: kit.State

    @property
    def is_over(self) -> bool:
        return self.state not in ("current", "future")


def listed(mind: Mind, memories: Sequence[Memory]) -> list[Listed]:
    strengths, present = mind.strengths(memories), mind.present()
    return [Listed(memory=each, strength=strengths[each.id], state=kit.state_of(each, present)) for each in memories]


def _table_page(mind: Mind, which: Narrowed, before: int | None) -> tuple[list[Listed], int | None]:
    found = mind.memories(PAGE + 1, before=before, **which)
    following = found[PAGE - 1].place if len(found) > PAGE else None
    return listed(mind, [leaf.memory for leaf in found[:PAGE]]), following


def _month_page(mind: Mind, which: Narrowed, before: Any) -> tuple[list[Listed], Any]:
    found = mind.story(PAGE + 1, before=before, **which)
    following = found[PAGE - 1] if len(found) > PAGE else None
    return listed(mind, [leaf.memory for leaf in found[:PAGE]]), following


def _each(mind: Mind, memory_ids: Sequence[str], act: Callable[[Mind, str], object]) -> int:
    """Do the same to several memories and return to how many; those that it cannot be done to are skipped."""
    done = 0
    for memory_id in memory_ids:
        try:
            act(mind, memory_id)
        except (UnknownMemory, InvalidQuery):  # forgotten meanwhile; too doubtful to be pinned
            continue
        done += 1
    return done


async def build(viewer: Viewer) -> None:
    kit.style("memories")
    ui.add_body_html(_ON_POPSTATE)
    kit.heading(viewer.words("frame.pages.memories"))
    people = [each.subject_id if each.subject == "other" else each.subject for each in await viewer.ask(Mind.subjects)]
    query = Query.of(ui.context.client.request.query_params)
    browser = MemoryBrowser(viewer, query, may_write=await viewer.may("writer"), people=people)
    ui.on(_POPSTATE, browser.follow_history)
    await browser.begin()


class MemoryBrowser:
    """The page: filters, the list, the selection and the open memory."""

    def __init__(self, viewer: Viewer, query: Query, *, may_write: bool, people: Sequence[str]) -> None:
        self.viewer, self.query, self.may_write = viewer, query, may_write
        self.chosen: dict[str, None] = {}  #: ids, in the order in which they were chosen
        words = viewer.words
        with kit.box("m-picked g-row", role="status", aria_live="polite") as self._picked:
            self._picked_text = kit.write("", "span")
            ui.link(words("memories.choosing.to_talk"), kit.PATHS["talk"])
            kit.button(words("shared.picked.drop"), lambda: self.drop([*viewer.own_session.picked]), quiet=True)
        self.show_picked()
        self._filters = _Filters(viewer, query, people, self.go)
        self._found = kit.write("", "p", "m-found").props('role="status" aria-live="polite"')
        self._place = kit.box()
        self._list = self._draw_list()
        with kit.box("m-chosen g-card", "section") as self._selection:
            self._chosen_text = kit.write("").props('role="status" aria-live="polite"')
            with kit.box("g-row"):
                kit.button(words("shared.picked.pick"), self._pick_chosen, main=True)
                for action in get_args(Action) if may_write else ():
                    kit.button(words(f"memories.choosing.{action}"), partial(self._do, action))
                kit.button(words("memories.choosing.none"), lambda: self.choose([*self.chosen], False), quiet=True)
        self.choose([], False)
        self._sheet = MemorySheet(self)

    def _draw_list(self) -> _Table | _Timeline:
        with self._place:
            return _Table(self) if self.query.view == "table" else _Timeline(self)

    async def begin(self) -> None:
        if isinstance(self._list, _Table):
            await self._list.load()
        ui.timer(0, self._finish, once=True)  # what takes longer in a large bank follows when the page is shown

    async def _finish(self) -> None:
        await self.recount() if isinstance(self._list, _Table) else await self._list.load()
        if self.query.memory is not None:
            await self._sheet.show(self.query.memory)

    def memory_link(self, text: str, memory_id: str) -> kit.TextElement:
        """Add a link that opens a memory in this page; in a new tab it works as any other."""
        anchor = kit.write(text, "a")
        anchor.props["href"] = replace(self.query, memory=memory_id).address(self.viewer.scope)
        anchor.on("click.prevent", lambda: self.open(memory_id), args=[])
        return anchor

    async def open(self, memory_id: str | None) -> None:
        """Open one memory, or (None) close it."""
        await self.go(replace(self.query, memory=memory_id))

    async def go(self, query: Query, *, replacing: bool = False) -> None:
        """Show something else and put it into the address; `replacing`: without a step for the back button."""
        if query == self.query:
            return
        put = ui.navigate.history.replace if replacing else ui.navigate.history.push
        put(query.address(self.viewer.scope))
        await self._show(query)

    async def follow_history(self, event: GenericEventArguments) -> None:
        search = event.args if isinstance(event.args, str) else ""
        await self._show(Query.of(dict(parse_qsl(search.removeprefix("?")))))

    async def _show(self, query: Query) -> None:
        before, self.query = self.query, query
        self._filters.show(query)
        if before.listed != query.listed:
            if before.view != query.view:
                self._place.clear()
                self._list = self._draw_list()
            await self.reload()
        if before.memory != query.memory:
            await self._sheet.show(query.memory)

    async def reload(self) -> None:
        await self._list.load()
        await self.recount()

    async def recount(self) -> None:
        if not isinstance(self._list, _Table):
            return
        self._found.text = self.viewer.words("memories.counting")
        counted = await self.months()
        if counted is not None:
            self.show_found(sum(each.memories for each in counted))

    async def months(self) -> list[Month] | None:
        """Return the months with their numbers of memories; None where something else is shown by now."""
        query = self.query.listed
        counted = await self.viewer.ask(Mind.months, **query.narrowed(self.viewer.bank.settings.zone))
        return counted if query == self.query.listed else None

    def show_found(self, number: int) -> None:
        words = self.viewer.words
        self._found.text = words("memories.found", n=number) if number else words("memories.found_none")

    async def update(self, memory_ids: Iterable[str]) -> None:
        for each in memory_ids:
            if (row := self._list.rows.get(each)) is not None:
                memory = await self.viewer.ask(Mind.memory, each)
                row.show((await self.viewer.ask(listed, [memory]))[0])
        await self.recount()

    def anchor(self, memory_id: str) -> Element | None:
        """Return the link of a memory in the list, for the focus."""
        row = self._list.rows.get(memory_id)
        return row.anchor if row is not None else None

    def write_nothing(self) -> None:
        words, kind = self.viewer.words, "nothing_fits" if self.query.filters else "empty"
        kit.notice(words(f"memories.{kind}"), words(f"memories.{kind}_text"))

    def show_picked(self) -> None:
        number = len(self.viewer.own_session.picked)
        self._picked_text.text = self.viewer.words("memories.choosing.picked", n=number)
        self._picked.set_visibility(number > 0)

    def drop(self, memory_ids: Iterable[str]) -> None:
        self.viewer.own_session.drop(memory_ids)
        self.show_picked()

    def choose(self, memory_ids: Iterable[str], on: bool) -> None:
        for memory_id in memory_ids:
            if on:
                self.chosen[memory_id] = None
            else:
                self.chosen.pop(memory_id, None)
        if isinstance(self._list, _Table):
            self._list.show_chosen()
        self._chosen_text.text = self.viewer.words("memories.choosing.chosen", n=len(self.chosen))
        self._selection.set_visibility(bool(self.chosen))

    def _pick_chosen(self) -> None:
        self.viewer.own_session.pick(self.chosen)
        self.choose([*self.chosen], False)
        self.show_picked()

    async def _do(self, action: Action) -> None:
        words, chosen = self.viewer.words, [*self.chosen]
        agreed = await kit.confirm(
            words(f"memories.choosing.sure_{action}", n=len(chosen)),
            words(f"memories.choosing.sure_{action}_text"),
            yes=words(f"memories.choosing.{action}"),
            no=words("frame.cancel"),
            danger=action == "forget",
        )
        if not agreed:
            return
        done = await self.viewer.change(_each, chosen, _ACTIONS[action])
        ui.notify(words(f"memories.choosing.done_{action}", n=done), type="positive")
        if done < len(chosen):
            skipped = "skipped_pin" if action == "pin" else "skipped"
            ui.notify(words(f"memories.choosing.{skipped}", n=len(chosen) - done), type="info")
        if action == "forget":
            self.drop(chosen)
        self.choose([*self.chosen], False)
        await self.reload()


class _Filters:
    def __init__(self, viewer: Viewer, query: Query, people: Sequence[str], go: Callable[..., Awaitable[None]]) -> None:
        self._viewer, self._query, self._go = viewer, query, go
        words = viewer.words
        self._controls: dict[str, kit.Control] = {}
        self._entries: dict[str, ui.input] = {}
        with kit.box("g-card m-filters", "form", role="search") as form:
            form.on("submit.prevent", js_handler="() => {}")
            with kit.box("m-first"):
                with kit.box("m-views", role="group", aria_label=words("memories.views.label")):
                    self._views = {view: self._view_button(view) for view in get_args(View)}
                self._entry("words", "search")
                self._select("state", {state: words(f"shared.states.{state}") for state in get_args(StateFilter)})
            any_one = {"": words("memories.filter.any")}
            types = {each: words(f"shared.types.{each}") for each in get_args(ContentType)}
            names = dict.fromkeys([*people, *([query.about] if query.about is not None else [])])
            unfolded = query.filters and replace(query, words="", state=None).filters
            with kit.box("m-more", "details", open=unfolded):
                kit.write(words("memories.filter.more"), "summary")
                with kit.box("m-fields"):
                    self._select("type", any_one | types)
                    self._select("about", any_one | {each: kit.person(each, viewer.scope, words) for each in names})
                    self._entry("since", "number")
                    self._entry("until", "number")
                    for name in ("pinned", "doubtful", "pii"):
                        self._controls[name] = kit.checkbox(
                            words(f"memories.filter.{name}"), partial(self._narrow, name)
                        )
                    clear = lambda: self._go(self._query.without_filters())  # noqa: E731  # the query may change
                    kit.button(words("memories.filter.clear"), clear, quiet=True)
        self.show(query)

    def _view_button(self, view: View) -> ui.button:
        choose = lambda: self._go(replace(self._query, view=view, before=None))  # noqa: E731  # the query may change
        return kit.button(self._viewer.words(f"memories.views.{view}"), choose, quiet=True)

    def _select(self, name: str, choices: Mapping[str, str]) -> None:
        async def choose(value: str) -> None:
            await self._narrow(name, value or None)

        self._controls[name] = kit.select(self._viewer.words(f"memories.filter.{name}"), choices, "", choose)

    def _entry(self, name: str, kind: str) -> None:
        async def changed() -> None:
            text = str(entry.value or "").strip()
            await self._narrow(name, year_of(text) if kind == "number" else text)

        entry = ui.input(label=self._viewer.words(f"memories.filter.{name}"), value=str(self._value(name)))
        self._entries[name] = entry.props(f"outlined dense debounce=350 type={kind}").classes("m-entry")
        entry.on_value_change(changed)

    def _value(self, name: str) -> str | bool:
        value = self._query.shown_state if name == "state" else getattr(self._query, name)
        return value if isinstance(value, bool) else "" if value is None else str(value)

    async def _narrow(self, name: str, value: Any) -> None:
        if value != getattr(self._query, name):
            await self._go(replace(self._query, **{name: value}, before=None), replacing=name == "words")

    def show(self, query: Query) -> None:
        self._query = query
        for view, shown in self._views.items():
            shown.props["aria-pressed"] = "true" if query.view == view else "false"
            shown.update()
        for name, control in self._controls.items():
            control.set(self._value(name))
        for name, entry in self._entries.items():
            entry.value = str(self._value(name))


class _Line:
    """One row of the table. Changes are shown in place, so that the focus stays."""

    def __init__(self, browser: MemoryBrowser, each: Listed) -> None:
        self._viewer = browser.viewer
        words, memory_id = self._viewer.words, each.memory.id
        with kit.box("", "tr") as self._row:
            with kit.box("m-choose", "td"):
                label = words("memories.row.choose", content=kit.short(each.memory.content))
                choose = partial(browser.choose, [memory_id])
                self.box = kit.checkbox(label, choose, checked=memory_id in browser.chosen, silent=True)
            with kit.box("m-what", "td"):
                self.anchor = browser.memory_link("", memory_id).classes("m-open")
                with kit.box("m-marks", "span"):
                    self._pinned = kit.chip(words("memories.row.pinned"), "info")
                    self._doubtful = kit.chip(words("memories.row.doubtful"), "warn")
                    self._pii = kit.chip(words("memories.row.pii"), "warn")
            self._about = kit.write("", "td", "m-about")
            self._kind = kit.write("", "td", "m-kind")
            with kit.box("m-since g-number", "td"):
                self._since = kit.write("", "span")
                self._until = kit.write("", "span", "g-dim g-small")
            with kit.box("m-state", "td"):
                self._state = kit.chip("")
            self._weight = kit.write("", "td", "m-weight g-number g-small g-dim")
        self.show(each)

    def show(self, each: Listed) -> None:
        viewer, words, memory = self._viewer, self._viewer.words, each.memory
        colour = kit.STATE_COLOURS[each.state]
        self.anchor.text = memory.content
        self._about.text = kit.person(memory.subject_id, viewer.scope, words)
        self._kind.text = kit.full_kind_name(memory, words)
        self._since.text = kit.day(memory.valid_at, viewer)
        self._until.text = (
            words("memories.row.until", day=kit.day(memory.invalid_at, viewer)) if memory.invalid_at else ""
        )
        self._state.text = words(f"shared.states.{each.state}")
        self._state.classes(replace=f"g-chip {f'g-{colour}' if colour else ''}")
        self._weight.text = f"{kit.per_cent(memory.importance)} · {kit.per_cent(each.strength)}"
        self._pinned.set_visibility(memory.pinned)
        self._doubtful.set_visibility(memory.doubtful)
        self._pii.set_visibility(bool(memory.pii_flags))
        self._row.classes(replace="m-over" if each.is_over else "")


class _Table:
    def __init__(self, browser: MemoryBrowser) -> None:
        self._browser = browser
        self.rows: dict[str, _Line] = {}
        self._newer_than: dict[Query, Query] = {}  #: the page from which another was reached
        self._following: int | None = None
        words = browser.viewer.words
        with kit.box("m-list"):
            with kit.box("g-scroll") as self._table, kit.box("g-table m-table", "table"):
                kit.write(words("memories.caption"), "caption", "m-unseen")
                with kit.box("", "thead"), kit.box("", "tr"):
                    with kit.box("m-choose", "th", scope="col"):
                        all_label = words("memories.choosing.all")
                        self._all = kit.checkbox(all_label, lambda on: browser.choose([*self.rows], on))
                    for column in _COLUMNS:
                        kit.write(words(f"memories.column.{column}"), "th", f"m-{column}").props('scope="col"')
                self._body = kit.box("", "tbody")
            self._nothing = kit.box()
            with kit.box("g-row m-paging", "nav", aria_label=words("memories.paging.label")) as self._paging:
                self._newer = kit.button(words("memories.paging.newer"), self._go_newer, quiet=True)
                self._older = kit.button(words("memories.paging.older"), self._go_older)
                kit.write(words("memories.paging.shown", n=PAGE), "span", "g-dim g-small")

    async def load(self) -> None:
        browser, query = self._browser, self._browser.query.listed
        which = query.narrowed(browser.viewer.bank.settings.zone)
        page, following = await browser.viewer.ask(_table_page, which, query.before)
        if query != browser.query.listed:
            return
        self._following = following
        self._body.clear()
        with self._body:
            self.rows = {each.memory.id: _Line(browser, each) for each in page}
        self._table.set_visibility(bool(page))
        self._nothing.clear()
        if not page:
            with self._nothing:
                browser.write_nothing()
        self._paging.set_visibility(following is not None or query.before is not None)
        self._newer.set_enabled(query.before is not None)
        self._older.set_enabled(following is not None)
        self.show_chosen()

    def show_chosen(self) -> None:
        for memory_id, line in self.rows.items():
            line.box.set(memory_id in self._browser.chosen)
        self._all.set(bool(self.rows) and all(each in self._browser.chosen for each in self.rows))

    async def _go_older(self) -> None:
        here = self._browser.query.listed
        older = replace(here, before=self._following)
        self._newer_than[older] = here
        await self._browser.go(older)

    async def _go_newer(self) -> None:
        here = self._browser.query.listed
        await self._browser.go(self._newer_than.get(here) or replace(here, before=None))


class _Event:
    def __init__(self, browser: MemoryBrowser, each: Listed) -> None:
        self._viewer = browser.viewer
        at = each.memory.valid_at.astimezone(self._viewer.bank.settings.zone)
        with kit.box("", "li") as self._item:
            kit.write(self._viewer.words("memories.timeline.day", day=at.day), "span", "m-day g-number g-dim")
            with kit.box("m-told"):
                self.anchor = browser.memory_link("", each.memory.id).classes("m-open")
                self._marks = kit.box("g-row m-marks")
        self.show(each)

    def show(self, each: Listed) -> None:
        viewer, words, memory = self._viewer, self._viewer.words, each.memory
        self.anchor.text = memory.content
        self._marks.clear()
        with self._marks:
            kit.chip(words(f"shared.states.{each.state}"), kit.STATE_COLOURS[each.state])
            if memory.invalid_at:
                kit.write(words("memories.row.until", day=kit.day(memory.invalid_at, viewer)), "span", "g-dim g-small")
            about = kit.person(memory.subject_id, viewer.scope, words)
            kit.write(f"{about} · {kit.full_kind_name(memory, words)}", "span", "g-dim g-small")
            if memory.pinned:
                kit.chip(words("memories.row.pinned"), "info")
            if memory.doubtful:
                kit.chip(words("memories.row.doubtful"), "warn")
        self._item.classes(replace="m-event m-over" if each.is_over else "m-event")


class _Timeline:
    def __init__(self, browser: MemoryBrowser) -> None:
        self._browser = browser
        self.rows: dict[str, _Event] = {}
        self._element = kit.box("m-list m-timeline")

    async def load(self) -> None:
        """Show the years, with the latest month open."""
        browser = self._browser
        counted = await browser.months()
        if counted is None:
            return
        browser.show_found(sum(each.memories for each in counted))
        self._element.clear()
        self.rows = {}
        loads: list[Callable[[], Awaitable[None]]] = []
        with self._element:
            if not counted:
                browser.write_nothing()
                return
            for number, within in groupby(counted, key=lambda each: each.year):
                months = [*within]
                with kit.box("m-year g-card", "details", open=not loads):
                    title = browser.viewer.words("shared.dates.year", year=number)
                    self._draw_summary(title, "h2", sum(each.memories for each in months))
                    loads += [self._draw_month(each, is_open=each is counted[0]) for each in months]
        await loads[0]()

    def _draw_summary(self, title: str, tag: str, count: int) -> None:
        with kit.box("", "summary"):
            kit.write(title, tag)
            kit.write(self._browser.viewer.words("memories.timeline.count", n=count), "span", "g-dim g-small g-number")

    def _draw_month(self, each: Month, *, is_open: bool) -> Callable[[], Awaitable[None]]:
        """Draw a folded month; return what loads its memories, once."""
        browser, viewer = self._browser, self._browser.viewer
        which = browser.query.of_month(each.year, each.month, viewer.bank.settings.zone)

        def draw(one: Listed) -> None:
            self.rows[one.memory.id] = _Event(browser, one)

        with kit.box("m-month", "details", open=is_open) as element:
            self._draw_summary(kit.month(each.year, each.month, viewer.words), "span", each.memories)
            events: kit.GrowingList[Listed] = kit.GrowingList(
                lambda before: viewer.ask(_month_page, which, before),
                draw,
                more=viewer.words("frame.more"),
                tag="ol",
                classes="m-events",
            )
        loaded = False

        async def load() -> None:
            nonlocal loaded
            if not loaded:
                loaded = True
                await events.load()

        element.on("toggle", load, js_handler="(event) => event.target.open && emit()")
        return load
