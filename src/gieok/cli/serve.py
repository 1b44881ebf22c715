"""Ways in for other programs: serve (HTTP) and mcp."""

from __future__ import annotations

import logging
from contextlib import ExitStack
from typing import TYPE_CHECKING, Annotated, Final

import typer

from gieok.cli.common import BankPath, Character, Preset, User, World, settings_for
from gieok.cli.console import asides, terminal_words, text, waiting, wake
from gieok.errors import CannotListen, ErrorText, InvalidSetting

if TYPE_CHECKING:
    from collections.abc import Callable
    from socket import socket

    from rich.console import RenderableType

    from gieok.bank import MemoryBank
    from gieok.settings import Settings

log = logging.getLogger(__name__)

_MCP_ADDRESS: Final = "127.0.0.1:8421"


def serve(
    host: Annotated[str | None, typer.Option(metavar="ADDRESS")] = None,
    port: Annotated[int | None, typer.Option("--port", "-p", min=0, max=65_535)] = None,
    bank: BankPath = None,
    llm: Annotated[str | None, typer.Option(metavar="SPEC")] = None,
    preset: Preset = None,
    workers: Annotated[int | None, typer.Option(metavar="N", min=1, max=64)] = None,
    tls_cert: Annotated[str | None, typer.Option(metavar="FILE", rich_help_panel="tls")] = None,
    tls_key: Annotated[str | None, typer.Option(metavar="FILE", rich_help_panel="tls")] = None,
) -> None:
    import gc

    from gieok.settings import load

    given = {
        "serve_host": host,
        "serve_port": port,
        "bank": bank,
        "llm": llm,
        "preset": preset,
        "serve_workers": workers,
    }
    settings = load(given={**given, "serve_tls_cert": tls_cert, "serve_tls_key": tls_key})
    gc.disable()  # loading makes much that stays and little garbage; `tune_interpreter` enables it
    try:
        try:
            with waiting(text("loading.server")):
                from gieok.serve import app
        except ModuleNotFoundError as missing:
            raise CannotListen(text("errors.no_server", package=missing.name)) from missing
        app.check_tls(settings)
        with app.open_socket(settings.serve_host, settings.serve_port, command="gieok serve --port") as door:
            (_serve if settings.serve_workers == 1 else _serve_with_workers)(settings, door)
    finally:
        gc.enable()


def _serve_with_workers(settings: Settings, door: socket) -> None:
    from gieok.bank import open_bank
    from gieok.serve import app, runtime, workers
    from gieok.serve.metrics import Metrics, start_logging
    from gieok.serve.siblings import Siblings

    if not workers.are_possible():
        raise CannotListen(ErrorText("serve.no_workers"))
    start_logging(log_text=settings.serve_log_text, queued=False)
    if not asides().is_terminal:
        log.info("loading; calls are taken as soon as it is done")
    with open_bank(settings=settings) as bank:  # what cannot work fails here, once
        app.check_keys(bank)
        if settings.proxy_url is not None:
            bank.upstream()
        wake(bank)
        with waiting(text("loading.rehearsal")):
            runtime.warm_up(bank)
        greeted = _greeting(bank, door.getsockname()[1])
    app.prepare()
    runtime.tune_interpreter()
    siblings = Siblings(settings.serve_workers)
    doors = app.sockets_of_workers(door, settings.serve_workers)

    def work(index: int, ready: Callable[[], None], parent: int) -> None:
        siblings.index = index
        for other in set(doors) - {doors[index]}:
            other.close()  # or connections to it would wait for a worker that has ended
        with open_bank(settings=settings, watch=Metrics()) as bank:
            start_logging(log_text=settings.serve_log_text, masked=lambda said: bank.services.mask(said).text)
            app.serve(bank, doors[index], opened=ready, closing=lambda: None, siblings=siblings, parent=parent)

    def closing() -> None:
        for each in doors:
            each.close()
        _tell("stopping")

    try:
        workers.Supervisor(settings.serve_workers, work).run(opened=greeted, closing=closing)
    finally:
        siblings.close()
    _tell("stopped")


def _serve(settings: Settings, door: socket) -> None:
    from gieok.bank import open_bank
    from gieok.serve import app, runtime
    from gieok.serve.metrics import Metrics, start_logging

    port = door.getsockname()[1]
    with open_bank(settings=settings, watch=Metrics()) as bank:
        app.check_keys(bank)
        if settings.proxy_url is not None:
            bank.upstream()  # raises where that cannot be the address of a model
        start_logging(log_text=settings.serve_log_text, masked=lambda said: bank.services.mask(said).text)
        if not asides().is_terminal:
            log.info("loading; calls are taken as soon as it is done")
        wake(bank)
        with ExitStack() as waits:
            waits.enter_context(waiting(text("loading.rehearsal")))
            runtime.warm_up(bank)

            def opened() -> None:
                waits.close()
                _greeting(bank, port)()

            app.serve(bank, door, opened=opened, closing=lambda: _tell("stopping"))
    _tell("stopped")
    app.exit_process()


def _greeting(bank: MemoryBank, port: int) -> Callable[[], None]:
    """Return what tells that the server listens; the bank may be closed by then."""
    from gieok.serve.app import keys_required

    console, place = asides(), address(bank.settings, port)
    if not console.is_terminal:
        return lambda: log.info("listening", extra={"fields": {"address": place}})
    keys = keys_required(bank.settings)
    panel, call = greeting(bank, port, keys=keys), first_call(bank.settings, port, keys=keys)

    def greet() -> None:
        console.print(panel)
        console.print(call, soft_wrap=True)  # to be copied: never cut off
        console.print(text("serve.stop"))

    return greet


def _tell(news: str) -> None:
    console = asides()
    if console.is_terminal:
        console.print(text(f"serve.{news}"), style="bright_black")
    else:
        log.info(news)


def address(settings: Settings, port: int) -> str:
    host = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(settings.serve_host, settings.serve_host)
    host = f"[{host}]" if ":" in host and not host.startswith("[") else host
    return f"{'https' if settings.serve_tls_cert else 'http'}://{host}:{port}"


def greeting(bank: MemoryBank, port: int, *, keys: bool) -> RenderableType:
    from rich.panel import Panel
    from rich.text import Text

    from gieok import mcp, web
    from gieok.cli.table import grid

    settings, counts = bank.settings, bank.info().counts
    place = address(settings, port)
    held = {"location": settings.bank_shown, "scopes": counts["scopes"], "memories": counts["memories"]}
    chat = text("serve.chat_apps", place=place) if settings.proxy_url or settings.llm else text("serve.no_upstream")
    rows: dict[str, RenderableType] = {
        "address": Text(place, style="bold"),
        "inspector": f"{place}/" if web.is_installed() else text("serve.no_inspector"),
        "bank": text("serve.holds", **held),
        "model": settings.llm or text("serve.no_model"),
        "chat": chat,
        **({"mcp": f"{place}/mcp"} if mcp.is_installed() else {}),
        "keys": text("serve.with_keys" if keys else "serve.no_keys"),
        "docs": f"{place}/docs",
    }
    names = terminal_words().some("cli.serve.rows")
    body = grid([(names[name], told) for name, told in rows.items()], "cyan")
    return Panel(body, title=text("serve.title"), title_align="left", border_style="bright_black", expand=False)


def first_call(settings: Settings, port: int, *, keys: bool) -> RenderableType:
    from rich.text import Text

    key = " -H 'Authorization: Bearer KEY'" if keys else ""
    tip = Text(f"{text('serve.try_it')}:\n", style="bright_black")
    tip.append(f"  curl '{address(settings, port)}/v1/turns?user=minsu&character=letia'{key} \\\n", style="default")
    said, reply = text("serve.example_text"), text("serve.example_reply")
    return tip.append(f'    --json \'{{"text": "{said}", "reply": "{reply}"}}\'', style="default")


def mcp(
    http: Annotated[bool, typer.Option("--http")] = False,
    listen: Annotated[str | None, typer.Option(metavar="HOST:PORT")] = None,
    bank: BankPath = None,
    user: User = None,
    character: Character = None,
    world: World = None,
    fixed_scope: Annotated[bool, typer.Option("--fixed-scope")] = False,
) -> None:
    from gieok.mcp import is_installed

    if not is_installed():
        raise InvalidSetting('MCP needs the package "mcp"; run: pip install "gieok[mcp]"')
    import signal
    import sys

    from gieok.bank import open_bank
    from gieok.domain.server_state import Bounds
    from gieok.mcp.tools import Place

    where = _local_address(listen or _MCP_ADDRESS) if http or listen else None
    place = Place(default=Bounds(user=user, character=character, world=world), fixed=fixed_scope)
    logging.basicConfig(level=logging.WARNING, stream=sys.stderr, format="%(levelname)s %(name)s: %(message)s")
    with open_bank(settings=settings_for(bank)) as opened:
        if where is None:
            from gieok.mcp.server import mcp_server

            if sys.stdin.isatty():  # a person by mistake, or out of curiosity
                asides().print(text("mcp.on_stdio"))
            # A thread waits for the next line, and would hold up any gentler end; what was answered is in the bank.
            signal.signal(signal.SIGINT, signal.SIG_DFL)
            mcp_server(opened, place, warm=True).run("stdio")
            return
        import uvicorn

        from gieok.mcp.http import PATH, local_app
        from gieok.serve.app import open_socket

        host, port = where
        with open_socket(host, port, command="gieok mcp --listen") as door:
            asides().print(f"MCP: http://{host}:{port}{PATH}")
            config = uvicorn.Config(local_app(opened, place), log_level="warning", access_log=False)
            uvicorn.Server(config).run(sockets=[door])


def _local_address(given: str) -> tuple[str, int]:
    """Return host and port; raises where others could reach it: nobody asks them for a key here."""
    host, _, port = given.rpartition(":")
    host = host or _MCP_ADDRESS.partition(":")[0]
    if not port.isdecimal() or not 0 < int(port) < 65_536:
        raise typer.BadParameter(text("errors.bad_address", given=repr(given)), param_hint="--listen")
    if host not in ("127.0.0.1", "localhost", "[::1]"):
        raise typer.BadParameter(text("errors.open_address", host=host), param_hint="--listen")
    return host, int(port)
