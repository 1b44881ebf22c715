"""A real browser before a real server, as somebody who builds characters uses them."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import httpx2
import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from support.serve_command import Command

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
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

    def address(self, path: str = "/", **scope: str) -> str:
        return f"{self.url}{path}{'?' + urlencode(scope) if scope else ''}"

    def call(self, method: str, path: str, scope: dict[str, str], body: Any = None) -> Any:
        """Ask the API; what it answers must be good."""
        answer = httpx2.request(method, self.address(path, **scope), json=body, timeout=60)
        assert answer.is_success, answer.text
        return answer.json()

    def says(self, text: str, reply: str = "그렇구나!", *, scope: dict[str, str], **more: Any) -> dict[str, Any]:
        """Have a user say something, and return what became of it."""
        return self.call("POST", "/v1/turns", scope, {"text": text, "reply": reply, **more})


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
