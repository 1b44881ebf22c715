"""`gieok doctor`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from gieok.cli.console import answers, print_json, waiting
from gieok.cli.opening import settings_for
from gieok.cli.options import AsJson, BankPath

if TYPE_CHECKING:
    from gieok.cli.doctor.findings import Check

Ask = Annotated[bool, typer.Option("--ask", help="Ask the configured models a short question, and time them.")]


def doctor(bank: BankPath = None, ask: Ask = False, as_json: AsJson = False) -> None:
    """Check that everything works here, and say what to do where it does not."""
    from gieok.cli.look.checks import check_line

    console, found = answers(), []
    with waiting("looking …"):
        for check in _checks(bank, ask=ask):
            found.append(check)
            if not as_json:
                console.print(check_line(check))
    well = all(check.state != "bad" for check in found)
    if as_json:
        checks = [
            {"name": check.name, "state": check.state, "detail": check.detail, "remedy": check.remedy or None}
            for check in found
        ]
        print_json({"ok": well, "checks": checks})
    if not well:
        raise typer.Exit(1)


def _checks(bank: str | None, *, ask: bool) -> Iterator[Check]:
    from gieok import embedders
    from gieok.cli.doctor import backups, banks, checks, models, serving
    from gieok.cli.doctor.findings import Check
    from gieok.cli.troubles import told
    from gieok.errors import GieokError

    yield checks.python()
    yield checks.driver()
    try:
        settings = settings_for(bank)
        embedder = embedders.create(settings.embedder, url=settings.embedder_url, key=settings.embedder_key)
    except GieokError as trouble:
        yield Check(name="settings", state="bad", detail=told(trouble), remedy="the rest is checked once this is right")
        return
    yield from _looked("settings", lambda: [checks.settings_in_use()])
    yield checks.encryption(settings)
    yield from _looked("bank", lambda: banks.in_use(settings, embedder))
    yield from _looked("backups", lambda: backups.backups(settings))
    yield checks.morphology()
    yield from _looked("embedder", lambda: [checks.encoder(embedder)])
    yield from _looked("trial bank", lambda: banks.trial(settings, embedder))
    yield from _looked("model", lambda: models.configured(settings, ask=ask))
    yield from _looked("calls", lambda: models.asked(settings, embedder))
    yield from _looked("sources", lambda: banks.recalling(settings, embedder))
    yield serving.extras()
    yield from _looked("server", lambda: serving.server(settings, embedder))


def _looked(name: str, look: Callable[[], Iterable[Check]]) -> Iterator[Check]:
    """Yield what `look` finds; where the system does not even let us look, that is the finding."""
    from gieok.cli.doctor.findings import ALLOW, Check

    try:
        yield from look()
    except OSError as trouble:
        where = "" if trouble.filename is None else f"{trouble.filename}: "
        yield Check(name=name, state="bad", detail=f"{where}{trouble.strerror or trouble}", remedy=ALLOW)
