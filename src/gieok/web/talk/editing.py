"""Asking what is to have been said instead, after saying what is taken back by it."""

from __future__ import annotations

from typing import Any

from nicegui import ui

from gieok.domain.turn import CHARACTER, LONGEST_UTTERANCE, Turn
from gieok.web.kit import button, said
from gieok.web.wording import Words


async def reworded(turn: Turn, following: int, words: Words) -> str | None:
    """Return the words to put into `turn`, after which `following` turns come; None: it stays as it is."""
    before = next(each.text for each in turn.utterances if each.speaker != CHARACTER)
    with ui.dialog() as dialog, ui.element("div").classes("g-card g-dialog").props('role="dialog" aria-modal="true"'):
        said(words("talk.editing.title"), "h2")
        box = ui.textarea(label=words("talk.editing.label"), value=before).props("outlined autogrow autofocus")
        box.props["maxlength"] = LONGEST_UTTERANCE
        box.classes("t-editing")
        said(words("talk.editing.after", n=following) if following else words("talk.editing.alone")).classes(
            "t-warning"
        )
        with ui.element("div").classes("g-row g-end"):
            button(words("frame.cancel"), lambda: dialog.submit(None), quiet=True)
            button(words("talk.editing.yes"), lambda: dialog.submit(box.value), main=True)
    answer: Any = await dialog
    dialog.delete()
    return answer if isinstance(answer, str) and answer.strip() and answer != before else None
