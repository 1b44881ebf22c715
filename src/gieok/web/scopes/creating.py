"""Beginning a profile: names, and on to the talk. Nothing is written before something is said."""

from __future__ import annotations

from nicegui import ui

from gieok.domain.scope import LONGEST_NAME, Scope
from gieok.errors import InvalidScope
from gieok.web.kit import button, card, said
from gieok.web.paths import PATHS
from gieok.web.visitors import Visitor
from gieok.web.wording import Words


def scope_of(names: dict[str, str | None], words: Words) -> Scope | str:
    """Return the scope that these names make, or what is wrong with them, in the visitor's words."""
    given = {field: (name or "").strip() or None for field, name in names.items()}
    if not any(given.values()):
        return words("scopes.create.need_name")
    if any(name is not None and len(name) > LONGEST_NAME for name in given.values()):
        return words("scopes.create.too_long", most=LONGEST_NAME)
    try:
        return Scope(**given)
    except InvalidScope:
        return words("scopes.create.odd")


def draw_creating(visitor: Visitor, *, may_write: bool) -> None:
    words = visitor.words
    with card(words("scopes.create.title")) as whole:
        whole.props('id="create"').classes("s-create")
        if not may_write:
            said(words("scopes.create.readers")).classes("g-dim")
            return
        said(words("scopes.create.text")).classes("g-dim g-small")
        fields = {name: ui.input(label=words(f"scopes.create.{name}")) for name in ("character", "user", "world")}
        for field in fields.values():
            field.props('outlined dense autocomplete="off"').on("keydown.enter", lambda: begin())
        canon = said(words("scopes.create.no_user")).classes("g-small s-canon")
        canon.set_visibility(False)
        trouble = said("").classes("g-trouble").props('role="alert"')
        trouble.set_visibility(False)

        def typed() -> None:
            given = {name: (field.value or "").strip() for name, field in fields.items()}
            canon.set_visibility(not given["user"] and any(given.values()))
            trouble.set_visibility(False)

        async def begin() -> None:
            made = scope_of({name: field.value for name, field in fields.items()}, words)
            if isinstance(made, str):
                trouble.text = made
                trouble.set_visibility(True)
                return
            (await visitor.caller()).check("writer", made)
            visitor.desk.turn_to(made)
            ui.navigate.to(PATHS["talk"])

        for field in fields.values():
            field.on_value_change(typed)
        said(words("scopes.create.nothing_yet")).classes("g-dim g-small")
        with ui.element("div").classes("g-row"):
            button(words("scopes.create.go"), begin, main=True)
