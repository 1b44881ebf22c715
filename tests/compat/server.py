"""`gieok serve` over a bank, in a process of its own, and what its MCP endpoint offers."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

_SECONDS = 90.0  #: until it listens, on a busy machine


@contextmanager
def running(bank: Path | None = None, **settings: str) -> Iterator[httpx2.Client]:
    """Serve `bank`, or a new one; yield a client of it."""
    with tempfile.TemporaryDirectory() as folder:
        named = {f"GIEOK_{name.upper()}": value for name, value in settings.items()}
        environment = {**os.environ, "GIEOK_EMBEDDER": "hashing", "PYTHONUNBUFFERED": "1", **named}
        command = [sys.executable, "-m", "gieok", "serve", "--port", "0", "--bank", str(bank or "bank.db")]
        log = Path(folder) / "server.log"
        with log.open("wb") as errors:
            process = subprocess.Popen(command, cwd=folder, stderr=errors, env=environment)
        try:
            with httpx2.Client(base_url=_address(process, log), trust_env=False, timeout=60) as client:
                yield client
        finally:
            process.terminate()
            process.wait(60)


def _address(process: subprocess.Popen[bytes], log: Path) -> str:
    until = time.monotonic() + _SECONDS
    while time.monotonic() < until and process.poll() is None:
        for line in log.read_text(encoding="utf-8").splitlines():
            if '"listening"' in line:
                return str(json.loads(line)["address"])
        time.sleep(0.05)
    raise RuntimeError(f"it does not listen: {log.read_text(encoding='utf-8')}")


def tools(server: httpx2.Client, headers: Mapping[str, str] | None = None) -> list[Any]:
    """Return the tools that the server offers over MCP."""

    async def listed() -> list[Any]:
        address = str(server.base_url).rstrip("/")
        async with (
            httpx2.AsyncClient(headers=dict(headers or {}), timeout=60) as http,
            Client(streamable_http_client(f"{address}/mcp", http_client=http)) as client,
        ):
            return list((await client.list_tools()).tools)

    return asyncio.run(listed())
