"""The headers of every page, and its cookies."""

import asyncio
import re
from typing import Any

import pytest

from gieok.web.routes import PageResponse, set_cookie


def answered(
    *parts: bytes, kind: bytes = b"text/html", path: str = "/memories", headers: Any = (), cookies: Any = ()
) -> list[Any]:
    sent: list[Any] = []

    async def send(message: Any) -> None:
        sent.append(message)

    async def run() -> None:
        response = PageResponse(send, path=path, cookies=cookies)
        given = [(b"content-type", kind), (b"content-length", b"1"), *headers]
        await response({"type": "http.response.start", "status": 200, "headers": given})
        for number, part in enumerate(parts, 1):
            await response({"type": "http.response.body", "body": part, "more_body": number < len(parts)})

    asyncio.run(run())
    return sent


def headers(sent: list[Any]) -> dict[str, str]:
    return {name.decode().lower(): value.decode() for name, value in sent[0]["headers"]}


def test_every_script_of_a_page_is_marked_and_its_length_is_right():
    start, body = sent = answered(b"<p>\xea\xb8\xb0<scr", b"ipt>1</script><script\ndefer src=x></script>", b"<scripts>")
    [mark] = re.findall(r"'nonce-([^']+)'", headers(sent)["content-security-policy"])
    assert body["body"].count(f'<script nonce="{mark}"'.encode()) == 2
    assert body["body"].endswith(b"<scripts>")
    assert headers([start])["content-length"] == str(len(body["body"]))


def test_what_is_no_page_goes_on_as_it_comes():
    for kind in (b"text/javascript", b"text/css", b"application/json"):
        sent = answered(b"<script>", b"", kind=kind)
        assert [each["body"] for each in sent[1:]] == [b"<script>", b""]
        assert headers(sent)["content-length"] == "1"
    packed = answered(b"<script>", headers=[(b"content-encoding", b"gzip")])
    assert packed[1]["body"] == b"<script>"


def test_private_pages_are_not_kept_and_our_style_sheets_not_without_asking():
    assert headers(answered(b""))["cache-control"] == "no-store"
    assert headers(answered(b"", kind=b"text/css", path="/look/gieok.css"))["cache-control"] == "no-cache"
    kept = answered(b"", kind=b"text/css", headers=[(b"cache-control", b"public, immutable")])
    assert headers(kept)["cache-control"] == "public, immutable"


def test_an_answer_may_be_stricter_than_the_rest():
    told = headers(answered(b"", headers=[(b"content-security-policy", b"default-src 'none'")]))
    assert told["content-security-policy"] == "default-src 'none'"
    assert (told["x-frame-options"], told["referrer-policy"]) == ("DENY", "same-origin")


@pytest.mark.parametrize(
    ("scheme", "origin", "secure"),
    [
        ("http", b"", False),
        ("https", b"", True),
        ("wss", b"", True),
        ("http", b"https://memory.example", True),
        ("http", b"http://127.0.0.1:8420", False),
    ],
)
def test_a_cookie_that_came_by_https_is_never_sent_without(scheme, origin, secure):
    scope = {"scheme": scheme, "headers": [(b"Origin", origin)] if origin else [], "server": ("127.0.0.1", 8420)}
    parts = set_cookie("visit", "x", scope).split("; ")
    assert parts[:4] == ["gieok_visit_8420=x", "Path=/", "HttpOnly", "SameSite=Lax"]
    assert ("Secure" in parts) == secure
    assert "Max-Age=0" in set_cookie("visit", "", scope, gone=True)
