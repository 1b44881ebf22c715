"""The documents tell the truth: every Python block in them runs, in order, as one program per document."""

import ast
import time

import pytest

from support.pages import ROOT, blocks, run

BROKEN = """\
# 글

```python
x = 1
```

1. so
   ```python
   y = x + 1
   assert y == 3
   ```
"""


def test_every_python_block_of_the_readme_runs(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    run(ROOT / "README.md", monkeypatch)
    assert capsys.readouterr().out.startswith("고양이를 좋아함\n")


def test_every_python_block_of_the_korean_readme_runs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GIEOK_EMBEDDER", "hashing")  # the same programs as above
    run(ROOT / "README.ko.md", monkeypatch)


@pytest.mark.parametrize("page", ["README", "docs/quickstart"])
def test_both_languages_show_the_same_programs(page):
    """Remarks may differ; what runs may not."""
    english, korean = (
        [ast.dump(ast.parse(code)) for _, code in blocks((ROOT / f"{page}{ending}").read_text(encoding="utf-8"))]
        for ending in (".md", ".ko.md")
    )
    assert english == korean


def test_the_page_on_serving_shows_how_to_know_a_letter():
    from gieok.http.webhook_delivery import signature

    (code,) = [code for _, code in blocks((ROOT / "docs/serve.md").read_text(encoding="utf-8"))]
    shown: dict = {}
    exec(compile(code, "docs/serve.md", "exec"), shown)
    verify, now = shown["verify"], int(time.time())
    header = signature("secret", '{"event": "고양이"}', now)
    body = '{"event": "고양이"}'.encode()
    assert verify("secret", header, body)
    assert not verify("another", header, body)
    assert not verify("secret", header, body + b" ")
    assert not verify("secret", header.replace(f"t={now}", f"t={now + 1}"), body)
    assert not verify("secret", signature("secret", body.decode(), now - 301), body)
    assert not any(verify("secret", wrong, body) for wrong in ("", "t=,v1=", "v1=x", "t=²,v1=x", "nonsense"))


def test_every_python_block_of_the_page_on_feelings_runs(monkeypatch):
    run(ROOT / "docs/emotions.md", monkeypatch)


def test_every_python_block_of_the_page_on_conversations_runs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    run(ROOT / "docs/conversation.md", monkeypatch)


def test_every_python_block_of_the_page_on_the_audit_log_runs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    run(ROOT / "docs/audit.md", monkeypatch)


def test_the_page_on_the_audit_log_names_every_act_and_every_kind_of_actor():
    from typing import get_args

    from gieok.domain import actor, audit
    from gieok.domain.operation import OperationKind

    page = (ROOT / "docs/audit.md").read_text(encoding="utf-8")
    acts = {"catch_up" if kind == "read" else kind for kind in get_args(OperationKind)}
    acts |= {audit.READ, audit.REVISED, audit.ERASE, audit.ERASED, audit.HOLD, audit.RELEASE}
    acts |= {audit.RETAIN, audit.IMPORT, "restore", "unpin"}
    assert not [name for name in (*acts, *get_args(actor.ActorKind)) if f"`{name}`" not in page]


def test_every_python_block_of_the_page_on_erasing_runs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    run(ROOT / "docs/erasing.md", monkeypatch)


@pytest.mark.parametrize("page", ["backup", "encryption"])
def test_every_python_block_of_the_pages_on_keeping_it_safe_runs(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    run(ROOT / f"docs/{page}.md", monkeypatch)


def test_the_example_for_social_bots_runs_and_is_short(tmp_path, monkeypatch):
    page = ROOT / "docs" / "social.md"
    monkeypatch.chdir(tmp_path)
    run(page, monkeypatch)
    [(_, code)] = blocks(page.read_text(encoding="utf-8"))
    assert len([line for line in code.splitlines() if line.strip()]) <= 25


@pytest.mark.parametrize("page", ["mem0", "pipeline"])
def test_every_python_block_of_the_pages_on_other_systems_names_runs(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    run(ROOT / f"docs/{page}.md", monkeypatch)


def test_a_broken_block_is_seen_at_its_line(tmp_path, monkeypatch):
    page = tmp_path / "page.md"
    page.write_text(BROKEN, encoding="utf-8")
    with pytest.raises(AssertionError) as failure:
        run(page, monkeypatch)
    assert failure.traceback[-1].lineno + 1 == 10


def test_a_page_without_python_is_seen(tmp_path, monkeypatch):
    page = tmp_path / "page.md"
    page.write_text("```sh\nmake run\n```\n", encoding="utf-8")
    with pytest.raises(AssertionError, match="no ```python block"):
        run(page, monkeypatch)
