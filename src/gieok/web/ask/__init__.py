"""The page "ask": a question, what comes to mind and why, and the context that would be sent for it."""

from __future__ import annotations

from functools import partial
from urllib.parse import urlencode

from nicegui import ui

from gieok.domain.turn import LONGEST_UTTERANCE
from gieok.errors import InvalidText
from gieok.web.ask.asking import Answered, Asked, answered
from gieok.web.ask.controls import Controls
from gieok.web.ask.ranking import draw_hits, draw_legend
from gieok.web.ask.rounds import Rounds
from gieok.web.ask.sent import Sent
from gieok.web.ask.shown import trouble
from gieok.web.kit import button, card, heading, notice, said
from gieok.web.paths import PATHS
from gieok.web.visitors import Visitor

_LOOK = '<link rel="stylesheet" href="/look/ask.css">'


async def build(visitor: Visitor) -> None:
    ui.add_head_html(_LOOK)
    heading(visitor.words("frame.pages.ask"))
    page = _Page(visitor, (ui.context.client.request.query_params.get("q") or "").strip())
    page.draw()
    await page.ask()


class _Page:
    """One visit to the page."""

    def __init__(self, visitor: Visitor, question: str) -> None:
        self._visitor = visitor
        self._words = visitor.words
        self._question = question  #: "": nothing is asked yet
        self._controls = Controls(visitor, self.ask)
        self._sent = Sent(visitor, self._controls.switch, partial(self._pick, on=False))
        self._held = ""  #: what was picked or dropped last: its button keeps the focus
        self._rounds = Rounds(self._answer, self._show)

    def draw(self) -> None:
        said(self._words("ask.lead")).classes("g-dim")
        self._draw_question()
        settings = self._visitor.bank.settings
        if self._visitor.bank.model is not None and (settings.rerank or settings.compress or settings.rewrite_query):
            said(self._words("ask.no_models")).classes("g-dim g-small")
        self._told = said("", "p").classes("g-dim g-small a-told").props('role="status" aria-live="polite"')
        with ui.element("div").classes("a-beginning") as self._beginning:
            self._draw_beginning()
        with ui.element("div").classes("a-columns") as self._results:
            self._controls.draw()
            with card(self._words("ask.hits.title")):
                draw_legend(self._visitor)
                self._hits = ui.element("div").classes("g-stack")
            with card(self._words("ask.sent.title")) as sent:
                sent.classes("a-sent")
                self._sent.draw()

    async def ask(self) -> None:
        """Ask what stands in the question, as the knobs are turned."""
        self._beginning.set_visibility(not self._question)
        self._results.set_visibility(bool(self._question))
        if not self._question:
            self._told.text = ""
            return
        picked = tuple(self._visitor.own_desk.picked)
        asked = Asked(text=self._question, knobs=self._controls.knobs, at=self._controls.at, picked=picked)
        try:
            await self._rounds.ask(asked)
        except InvalidText as refused:
            self._told.text = str(refused)

    def _draw_question(self) -> None:
        words = self._words
        with ui.element("form").classes("a-question").props('role="search"').on("submit.prevent", self._submit):
            self._input = ui.input(words("ask.question"), placeholder=words("ask.placeholder"), value=self._question)
            self._input.props(f"outlined stack-label maxlength={LONGEST_UTTERANCE}").classes("a-input")
            ui.button(words("ask.ask"), color=None).props('no-caps unelevated type="submit"').classes("g-button g-main")

    def _draw_beginning(self) -> None:
        notice(self._words("ask.beginning.title"), self._words("ask.beginning.text"))
        with ui.element("div").classes("g-row a-examples"):
            for example in self._words.some("ask.beginning.examples").values():
                button(example, partial(self._ask_for, example))

    async def _submit(self) -> None:
        await self._ask_for(str(self._input.value or ""))

    async def _ask_for(self, question: str) -> None:
        self._question = question.strip()
        self._input.value = self._question
        ui.navigate.history.replace(address(self._visitor, self._question))
        await self.ask()

    async def _pick(self, item_id: str, on: bool) -> None:
        """Put something into the next context, or take it out again."""
        desk = self._visitor.own_desk
        desk.pick([item_id]) if on else desk.drop([item_id])
        self._held = item_id
        await self.ask()

    async def _answer(self, asked: Asked) -> Answered:
        return await self._visitor.ask(answered, asked)

    def _show(self, answer: Answered) -> None:
        seconds = dict(answer.context.took).get("whole", 0.0)
        found = self._words("ask.told", n=len(answer.hits), ms=f"{1_000 * seconds:.0f}")
        self._told.text = found
        self._hits.clear()
        with self._hits:
            self._draw_troubles(answer)
            picking = draw_hits(answer, self._visitor, self._pick)
        if self._held in picking:
            picking[self._held].run_method("focus")
        self._held = ""
        self._sent.show(answer)

    def _draw_troubles(self, answer: Answered) -> None:
        if not answer.context.degraded:
            return
        with ui.element("div").classes("g-trouble").props('role="status"'):
            for told in answer.context.degraded:
                said(self._words(f"ask.troubles.{trouble(told)}"))
                said(told).classes("g-small").props('lang="en"')


def address(visitor: Visitor, question: str) -> str:
    """Return where this question can be asked again, by others as well: it names the mind that is asked."""
    scope = visitor.scope
    named = {} if scope is None else {"user": scope.user, "character": scope.character, "world": scope.world}
    given = {"q": question or None, **named}
    return f"{PATHS['ask']}?{urlencode({name: value for name, value in given.items() if value is not None})}"
