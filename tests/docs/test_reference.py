"""The pages of reference are as the code is, and leave nothing out."""

import re
import subprocess
import sys

import pytest

import gieok
from gieok.access.guard import OPEN_PATHS
from gieok.serve.app import create_app
from gieok.web.kit import PATHS
from support.authorizing import routes_of
from support.pages import DOCS, ROOT


@pytest.mark.parametrize("tool", ["write_reference", "draw_concepts"])
def test_what_is_written_by_a_tool_is_what_it_writes_today(tool):
    done = subprocess.run(
        [sys.executable, ROOT / f"tools/{tool}.py", "--check"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


def test_every_call_of_a_bank_a_mind_and_a_talk_is_told_with_words_of_its_own():
    page = (DOCS / "api.md").read_text(encoding="utf-8")
    told = dict(re.findall(r"^### (\w+\.\w+)\n\n```pyi\n.*?^```\n\n(.)", page, re.MULTILINE | re.DOTALL))
    holders = {"bank": gieok.MemoryBank, "mind": gieok.Mind, "talk": gieok.Conversation}
    calls = [
        f"{name}.{call}"
        for name, holder in holders.items()
        for call in dir(holder)
        if not call.startswith("_") and callable(getattr(holder, call))
    ]
    assert [call for call in calls if told.get(call, "#") == "#"] == []


def test_every_public_name_is_on_the_page():
    page = (DOCS / "api.md").read_text(encoding="utf-8")
    assert [name for name in gieok.__all__ if not re.search(rf"\b{name}\b", page)] == []


def test_every_error_is_on_the_page():
    page = (DOCS / "api.md").read_text(encoding="utf-8")
    errors = [
        name for name, each in vars(gieok.errors).items() if isinstance(each, type) and issubclass(each, Exception)
    ]
    assert len(errors) > 30
    assert [name for name in errors if f"`{name}` |" not in page] == []


def test_every_way_into_a_server_is_told_on_some_page(tmp_path):
    text = "\n".join(path.read_text(encoding="utf-8") for path in DOCS.glob("*.md"))
    with gieok.open(tmp_path / "bank.db", embedder="hashing") as bank:
        ways = {path for _, path in routes_of(create_app(bank))} | set(PATHS.values()) | set(OPEN_PATHS)
    ways -= {way for way in ways if f"/v1{way}" in ways}  # the proxy's, without "/v1"
    ways = {re.sub(r"\{(webhook_id|name:path)\}", "{id}", way) for way in ways}
    assert [way for way in sorted(ways) if not any(f"{end}{way}" in text for end in ("`", " ", "/", "0"))] == []
