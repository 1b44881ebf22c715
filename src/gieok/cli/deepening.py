"""`gieok maintain --deep`: models do now what they would do behind the scenes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.text import Text

from gieok.cli.console import answers, print_json, waiting
from gieok.errors import InvalidQuery

if TYPE_CHECKING:
    from gieok.bank import MemoryBank, Mind
    from gieok.cli.look.deepened import Work

_COUNTED = 1_000  #: turns left open that are told apart from "very many"


def deepen(opened: MemoryBank, minds: Sequence[Mind], *, as_json: bool) -> None:
    """Have the models work in the scopes of `minds`, and tell what came of it."""
    if opened.model is None and opened.deep_model is None:
        raise InvalidQuery(
            "no model is set; name one in gieok.toml or the environment: "
            'llm = "ollama:qwen3:8b" (GIEOK_LLM) reads, llm_deep (GIEOK_LLM_DEEP) reflects and directs'
        )
    from gieok.cli.look.living_words import LIVING_WORDS

    living = LIVING_WORDS[opened.settings.language]
    works = []
    with waiting(living.asking) as shown:
        for number, mind in enumerate(minds, start=1):
            if len(minds) > 1:
                shown.update(text=Text(f"{living.asking} {number}/{len(minds)}"))
            works.append(_worked(opened, mind))
    if as_json:
        from gieok.cli.living_records import work_record

        print_json([work_record(work) for work in works])
        return
    _report(works, opened.settings.language)


def _worked(opened: MemoryBank, mind: Mind) -> Work:
    from gieok.cli.look.deepened import Work
    from gieok.domain.things import DIRECTOR, Life, Note

    done = mind.deepen()
    with opened.store.view(mind.key) as view:
        note = Life(view.things_by_key([("note", DIRECTOR)]).items()).get(Note, DIRECTOR)
        waiting = len(view.left_open(_COUNTED))
    text = note.text if note is not None and done.directed else ""
    return Work(scope=mind.key, done=done, note=text, left_open=waiting)


def _report(works: Sequence[Work], language: str) -> None:
    from gieok.cli.look.deepened import deepened_report
    from gieok.cli.look.living_words import LIVING_WORDS

    console = answers()
    worked = [work for work in works if not work.nothing]
    if not worked:
        console.print(LIVING_WORDS[language].nothing_due, style="bright_black")
    for number, work in enumerate(worked):
        if len(works) > 1:
            console.print(f"{chr(10) if number else ''}[{work.scope}]", style="cyan")
        console.print(deepened_report(work, language))
