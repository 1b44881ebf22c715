"""The page "relationship": how it stands between the two, how it came to be so, and whom they speak of."""

from __future__ import annotations

from nicegui import ui

from gieok.bank import Mind
from gieok.web.charts import LOOK
from gieok.web.dates import day
from gieok.web.kit import heading, notice, said
from gieok.web.relationship.company import company
from gieok.web.relationship.feelings import feelings
from gieok.web.relationship.present import present
from gieok.web.relationship.speech import speech
from gieok.web.relationship.telling import named
from gieok.web.relationship.way import way
from gieok.web.visitors import Visitor

_LOOK = '<link rel="stylesheet" href="/look/relationship.css">'


async def build(visitor: Visitor) -> None:
    words, scope = visitor.words, visitor.scope
    ui.add_head_html(LOOK)
    ui.add_head_html(_LOOK)
    heading(words("relationship.title"))
    now = await visitor.ask(Mind.relationship)
    pair = {"character": named("character", scope, words), "user": named("user", scope, words)}
    said(words("relationship.between", **pair)).classes("r-pair")
    if now.met_at is None:
        notice(words("relationship.not_met"), words("relationship.not_met_hint"))
    else:
        turns = f"{now.turns:,}"
        said(words("relationship.met", since=day(now.met_at, visitor), turns=turns)).classes("g-dim")
    present(now, visitor)
    await way(visitor)
    await speech(visitor)
    await feelings(visitor)
    await company(visitor)
