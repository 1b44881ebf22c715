"""Talk: a chat with the character, its face, and beside it what each turn does to its memory."""

from __future__ import annotations

from typing import Final

from nicegui import ui
from nicegui.events import ValueChangeEventArguments

from gieok.domain.turn import CHARACTER
from gieok.web.kit import chip, heading, said
from gieok.web.talk.composer import Composer
from gieok.web.talk.face import Face
from gieok.web.talk.log import Doings, Log
from gieok.web.talk.outcomes import named
from gieok.web.talk.panels import Panels
from gieok.web.talk.sitting import Sitting
from gieok.web.visitors import Visitor

_LOOK: Final = '<link rel="stylesheet" href="/look/talk.css">'


async def build(visitor: Visitor) -> None:
    scope = visitor.scope
    assert scope is not None, "the page needs a mind"
    await visitor.mind("reader")
    ui.add_head_html(_LOOK)
    heading(visitor.words("frame.pages.talk"))
    sitting = Sitting(visitor, scope)
    ui.context.client.on_delete(sitting.leave)
    may_write = await visitor.may("writer")
    with ui.element("div").classes("t-split"):
        with ui.element("section").classes("g-card t-talk"):
            _talk(sitting, may_write=may_write)
        with ui.element("aside").classes("t-panels"):
            pick = sitting.pick if may_write else None
            sitting.panels = Panels(visitor.words, newest=sitting.look_at_newest, pick=pick)
    await sitting.begin()


def _talk(sitting: Sitting, *, may_write: bool) -> None:
    visitor, words = sitting.visitor, sitting.visitor.words
    with ui.element("div").classes("t-head"):
        sitting.face = Face(named(CHARACTER, sitting.scope, words), words)
        _label(visitor)
    doings = Doings(
        look=sitting.look, again=sitting.again if may_write else None, edit=sitting.edit if may_write else None
    )
    sitting.log = Log(visitor, sitting.scope, doings, sitting.earlier)
    sitting.heard = said("", "p").classes("t-hidden").props('aria-live="polite"')
    sitting.composer = None
    if may_write:
        sitting.composer = Composer(words, send=sitting.send, stop=sitting.stop, drop=sitting.drop)
    else:
        said(words("talk.reader"), "p").classes("g-dim t-reader")


def _label(visitor: Visitor) -> None:
    """Say plainly who answers."""
    words, model = visitor.words, visitor.bank.model
    with ui.element("div").classes("t-by"):
        if model is not None:
            chip(words("talk.model", name=model.name))
            _persona(visitor)
            return
        chip(words("talk.no_model"), "warn").classes("t-no-model")
        said(words("talk.no_model_hint"), "p").classes("g-dim g-small")


def _persona(visitor: Visitor) -> None:
    """Let it be said who the character is: the model sees it first, and nobody keeps it."""
    words, desk = visitor.words, visitor.desk

    def noted(event: ValueChangeEventArguments[str | None]) -> None:
        desk.persona = event.value or ""

    with ui.element("details").classes("t-persona g-small"):
        said(words("talk.persona.title"), "summary")
        box = ui.textarea(label=words("talk.persona.label"), value=desk.persona, on_change=noted)
        box.props("outlined autogrow debounce=300").classes("t-editing")
        said(words("talk.persona.hint"), "p").classes("g-dim")
