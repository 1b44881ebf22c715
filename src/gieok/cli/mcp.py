"""`gieok mcp`: the memory as tools for Claude Desktop and every other program that speaks the protocol."""

from __future__ import annotations

from typing import Annotated

import typer

from gieok.cli.common import BankPath, Character, User, World
from gieok.cli.console import asides

_HERE = "127.0.0.1:8421"

Http = Annotated[bool, typer.Option("--http", help="Speak HTTP instead of stdio, to programs on this machine.")]
Listen = Annotated[
    str | None,
    typer.Option("--listen", metavar="HOST:PORT", help=f"Where, over HTTP (default: {_HERE}).", show_default=False),
]
Fixed = Annotated[bool, typer.Option("--fixed-scope", help="Speak of this memory alone: calls cannot name another.")]


def mcp(
    http: Http = False,
    listen: Listen = None,
    bank: BankPath = None,
    user: User = None,
    character: Character = None,
    world: World = None,
    fixed_scope: Fixed = False,
) -> None:
    """Serve the memory over MCP, on stdio or HTTP."""
    from gieok.mcp import require_sdk

    require_sdk()
    import logging
    import signal
    import sys

    from gieok.bank import open_bank
    from gieok.cli.common import settings_for
    from gieok.domain.server_state import Bounds
    from gieok.mcp.tools import Place

    address = _address(listen or _HERE) if http or listen else None
    place = Place(default=Bounds(user=user, character=character, world=world), fixed=fixed_scope)
    logging.basicConfig(level=logging.WARNING, stream=sys.stderr, format="%(levelname)s %(name)s: %(message)s")
    with open_bank(settings=settings_for(bank)) as opened:
        if address is None:
            from gieok.mcp.server import mcp_server

            if sys.stdin.isatty():  # nobody but a person by mistake, or out of curiosity
                asides().print("MCP on stdio: a client starts this by itself (docs/mcp.md); Ctrl-C ends it.")
            # A thread waits for the next line, and would hold up any gentler end; what was answered is in the bank.
            signal.signal(signal.SIGINT, signal.SIG_DFL)
            mcp_server(opened, place, warm=True).run("stdio")
            return
        import uvicorn

        from gieok.mcp.http import PATH, local_app
        from gieok.serve.run import open_socket

        host, port = address
        with open_socket(host, port, command="gieok mcp --listen") as door:
            asides().print(f"MCP: http://{host}:{port}{PATH}")
            config = uvicorn.Config(local_app(opened, place), log_level="warning", access_log=False)
            uvicorn.Server(config).run(sockets=[door])


def _address(text: str) -> tuple[str, int]:
    """Return host and port; raises where others could reach it: nobody asks them for a key here."""
    host, _, port = text.rpartition(":")
    host = host or _HERE.partition(":")[0]
    if not port.isdecimal() or not 0 < int(port) < 65_536:
        raise typer.BadParameter(f"{text!r}: write {_HERE}, or a port alone", param_hint="--listen")
    if host not in ("127.0.0.1", "localhost", "[::1]"):
        raise typer.BadParameter(
            f"{host}: others could reach it, and nobody asks them for a key; `gieok serve` does, and has MCP at /mcp",
            param_hint="--listen",
        )
    return host, int(port)
