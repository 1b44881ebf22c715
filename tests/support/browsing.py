"""A real browser before a real server, as somebody who builds characters uses them."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from threading import Event
from typing import Any
from urllib.parse import urlencode

import httpx2
import pytest
from playwright.sync_api import Browser, Page, sync_playwright

import gieok
from gieok.access.keys import create_key, revoke
from gieok.domain.server_state import Role
from support.serve_command import Command

BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")  #: the lightest first
SECONDS = 30_000  #: milliseconds, that is: a busy machine takes its time
PICTURES = Path(os.environ.get("GIEOK_PICTURES", Path(__file__).parents[2] / ".pictures"))


def found_browser() -> str:
    """Return where the browser is; without one the tests of the pages are skipped, and fail in CI."""
    found = next((path for name in BROWSERS if (path := shutil.which(name))), None)
    if found is None:
        reason = "no browser: tools/browser.sh says what is missing"
        if os.environ.get("CI"):
            pytest.fail(reason)
        pytest.skip(reason)
    return found


@contextmanager
def opened_browser() -> Iterator[Browser]:
    quiet = ("--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found_browser(), args=[*quiet, "--disable-sync"])
        yield browser
        browser.close()


@dataclass(frozen=True)
class House:
    """A server with pages, and what tests do there beside the browser."""

    url: str
    command: Command

    @property
    def shows(self) -> dict[str, str]:
        """The headers of calls to the API."""
        return {}

    def address(self, path: str = "/", **scope: str) -> str:
        return f"{self.url}{path}{'?' + urlencode(scope) if scope else ''}"

    def call(self, method: str, path: str, scope: dict[str, str], body: Any = None) -> Any:
        """Ask the API; what it answers must be good."""
        answer = httpx2.request(method, self.address(path, **scope), json=body, headers=self.shows, timeout=60)
        assert answer.is_success, answer.text
        return answer.json()

    def says(self, text: str, reply: str = "그렇구나!", *, scope: dict[str, str], **more: Any) -> dict[str, Any]:
        """Have a user say something, and return what became of it."""
        return self.call("POST", "/v1/turns", scope, {"text": text, "reply": reply, **more})


@contextmanager
def own_house(page: Page, folder: Path, **settings: str) -> Iterator[House]:
    """A server for one test. Its pages are left before it stops: they would knock at a closed door."""
    with Command(folder, **settings) as command:
        yield House(command.address(), command)
        for each in page.context.pages:
            each.goto("about:blank")


def watch(page: Page) -> list[str]:
    """Return a list that grows with every error in the page's console, and every script that failed."""
    troubles: list[str] = []
    page.on("pageerror", lambda error: troubles.append(f"script: {error}"))
    page.on("console", lambda message: troubles.append(f"console: {message.text}") if message.type == "error" else None)
    page.on("dialog", lambda dialog: (troubles.append(f"dialog: {dialog.message}"), dialog.dismiss()))
    return troubles


def visit(page: Page, house: House, path: str = "/", scope: dict[str, str] | None = None) -> None:
    """Open a page and wait until it listens."""
    page.goto(house.address(path, **(scope or {})))
    page.wait_for_selector("h1")
    page.wait_for_function("window.socket && window.socket.connected")


def picture(page: Page, name: str) -> Path:
    """Keep a screenshot of the whole page: the test run leaves them in .pictures."""
    PICTURES.mkdir(exist_ok=True)
    path = PICTURES / f"{re.sub(r'[^a-z0-9-]+', '-', name.lower())}.png"
    page.screenshot(path=path, full_page=True)
    return path


@dataclass(frozen=True)
class Locked(House):
    """A server that asks for keys, and how to get some."""

    bank: Path
    master: str  #: a key for everything

    @property
    def shows(self) -> dict[str, str]:
        return {"X-API-Key": self.master}

    def visit(self) -> Visit:
        """Return a browser that has shown the key for everything."""
        return self.shown(self.master)

    def key(self, name: str = "열쇠", role: Role = "admin", **more: Any) -> str:
        """Make a key, and return what its holder shows. It has been used once: the server knows it."""
        token, kept = create_key(name, role, now=datetime.now(UTC), **more)
        with gieok.open(self.bank, embedder="hashing") as bank:
            bank.store.server.keep_key(kept)
        while httpx2.get(self.address("/openapi.json"), headers={"X-API-Key": token}, timeout=60).status_code == 401:
            Event().wait(0.05)  # a server reads its keys once a second
        return token

    def revoke(self, token: str) -> None:
        with gieok.open(self.bank, embedder="hashing") as bank:
            revoke(bank.store.server, token.split("_")[1], now=datetime.now(UTC))

    def shown(self, token: str) -> Visit:
        """Show a key, as a browser does; what it then sends is the result."""
        answer = httpx2.post(self.address("/login"), data={"key": token}, headers={"Origin": self.url})
        assert answer.status_code == 303, answer.text
        return Visit(self.url, answer.headers["set-cookie"].partition(";")[0])


@dataclass
class Visit:
    """A browser that has shown its key, asked by hand; it keeps the cookies that it is given."""

    url: str
    cookie: str

    @property
    def header(self) -> str:
        return f"Cookie: {self.cookie}"

    def get(self, path: str, **headers: str) -> httpx2.Response:
        answer = httpx2.get(f"{self.url}{path}", headers={"Cookie": self.cookie, **headers}, timeout=60)
        self.cookie = "; ".join(
            [self.cookie, *(each.partition(";")[0] for each in answer.headers.get_list("set-cookie"))]
        )
        return answer


def made_key(folder: Path, *arguments: str) -> str:
    """Return a key that `gieok keys create` made in the bank of `folder`."""
    command = [sys.executable, "-m", "gieok", "keys", "create", *arguments, "--bank", "bank.db"]
    environment = {**os.environ, "GIEOK_EMBEDDER": "hashing"}
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True, env=environment)
    return done.stdout.strip()
