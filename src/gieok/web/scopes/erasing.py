"""Deleting a profile: what goes is told first, and its name has to be typed."""

from __future__ import annotations

import asyncio
from typing import Any

from nicegui import ui

from gieok.domain.scope import Scope
from gieok.web.kit import button, said
from gieok.web.scopes.profiles import is_meant, typed_name, what_goes
from gieok.web.visitors import Visitor


async def erased(visitor: Visitor, scope: Scope) -> bool:
    """Ask whether all of a scope shall go, and erase it if its name is typed; return whether it is gone."""
    (await visitor.caller()).check("admin", scope)
    words, name = visitor.words, typed_name(scope)
    held = await asyncio.to_thread(visitor.bank.holdings, scope)
    with ui.dialog() as dialog, ui.element("div").classes("g-card g-dialog") as asking:
        asking.props('role="alertdialog"').props["aria-label"] = words("scopes.erasing.title", name=name)
        said(words("scopes.erasing.title", name=name), "h2")
        said(words("scopes.erasing.text"))
        with ui.element("ul").classes("s-goes"):
            for what, count in what_goes(held).items():
                said(words(f"scopes.goes.{what}", n=count), "li")
            said(words("scopes.goes.relationship"), "li")
        said(words("scopes.erasing.type_name", name=name)).classes("s-type")
        typed = ui.input(label=words("scopes.erasing.field")).props('outlined dense autocomplete="off" autofocus')
        with ui.element("div").classes("g-row g-end"):
            button(words("frame.cancel"), lambda: dialog.submit(False), quiet=True)
            yes = button(words("scopes.erasing.yes"), lambda: dialog.submit(is_meant(typed.value, scope)), danger=True)
            yes.set_enabled(False)
        typed.on_value_change(lambda event: yes.set_enabled(is_meant(event.value or "", scope)))
    answer: Any = await dialog
    dialog.delete()
    if not answer:
        return False
    (await visitor.caller(counts=True)).check("admin", scope)  # the question may have stood there for long
    gone = await asyncio.to_thread(visitor.bank.erase, scope)
    ui.notify(words("scopes.erasing.done", name=name, turns=gone.turns, memories=gone.memories))
    return True
