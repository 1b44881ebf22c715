"""`gieok serve`."""

from __future__ import annotations

import logging
from contextlib import ExitStack
from typing import TYPE_CHECKING, Annotated

import typer

from gieok.cli.common import BankPath, Preset
from gieok.cli.console import WAKING, asides, waiting, wake
from gieok.errors import CannotListen

if TYPE_CHECKING:
    from socket import socket

    from gieok.bank import MemoryBank
    from gieok.settings import Settings

log = logging.getLogger(__name__)

_TLS = "TLS"


def serve(
    host: Annotated[
        str | None,
        typer.Option("--host", metavar="ADDRESS", help="Where it listens (default: 127.0.0.1).", show_default=False),
    ] = None,
    port: Annotated[
        int | None,
        typer.Option("--port", "-p", min=0, max=65_535, help="0: any free one (default: 8420).", show_default=False),
    ] = None,
    bank: BankPath = None,
    llm: Annotated[
        str | None,
        typer.Option("--llm", metavar="SPEC", help="Who answers (default: from the settings).", show_default=False),
    ] = None,
    preset: Preset = None,
    tls_cert: Annotated[
        str | None,
        typer.Option("--tls-cert", metavar="FILE", help="PEM.", rich_help_panel=_TLS, show_default=False),
    ] = None,
    tls_key: Annotated[
        str | None,
        typer.Option("--tls-key", metavar="FILE", help="PEM.", rich_help_panel=_TLS, show_default=False),
    ] = None,
) -> None:
    """Serve a bank over HTTP: a JSON API, a memory proxy for chat clients, and MCP."""
    from gieok.settings import load

    given = {"serve_host": host, "serve_port": port, "bank": bank, "llm": llm, "preset": preset}
    settings = load(given={**given, "serve_tls_cert": tls_cert, "serve_tls_key": tls_key})
    try:
        with waiting(WAKING[settings.language].commands):
            from gieok.serve import run
            from gieok.serve.run import open_socket
    except ModuleNotFoundError as missing:
        raise CannotListen(f'{missing.name} is not installed; serving takes: pip install "gieok[serve]"') from missing
    run.check_tls(settings)
    with open_socket(settings.serve_host, settings.serve_port, command="gieok serve --port") as door:
        _serve(settings, door)


def _serve(settings: Settings, door: socket) -> None:
    from gieok.bank import open_bank
    from gieok.serve import run, runtime
    from gieok.serve.logs import start_logging
    from gieok.serve.metrics import Metrics

    port = door.getsockname()[1]
    with open_bank(settings=settings, watch=Metrics()) as bank:
        run.check_keys(bank)
        run.check_upstream(bank)
        start_logging(log_text=settings.serve_log_text, masked=lambda text: bank.services.mask(text).text)
        if not asides().is_terminal:
            log.info("loading; calls are taken as soon as it is done")
        wake(bank)
        with ExitStack() as waits:
            waits.enter_context(waiting(WAKING[settings.language].rehearsal))
            runtime.warm_up(bank)

            def opened() -> None:
                waits.close()
                _greet(bank, port)

            run.serve(bank, door, opened=opened, closing=lambda: _tell("stopping", settings))
    _tell("stopped", settings)
    run.exit_process()


def _greet(bank: MemoryBank, port: int) -> None:
    from gieok.cli.look.admin import SERVING, address, first_call, greeting
    from gieok.serve.run import keys_required

    console = asides()
    if console.is_terminal:
        keys = keys_required(bank.settings)
        console.print(greeting(bank, port, keys=keys))
        console.print(first_call(bank.settings, port, keys=keys), soft_wrap=True)  # to be copied: never cut off
        console.print(SERVING[bank.settings.language].stop)
    else:
        log.info("listening", extra={"fields": {"address": address(bank.settings, port)}})


def _tell(news: str, settings: Settings) -> None:
    from gieok.cli.look.admin import SERVING

    console = asides()
    if console.is_terminal:
        console.print(getattr(SERVING[settings.language], news), style="bright_black")
    else:
        log.info(news)
