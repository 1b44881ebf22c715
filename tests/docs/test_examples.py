"""The Python programs of the README and the docs run, in order, as one program per page or section."""

import ast
import io
import re
import sys
import time
import zipfile
from pathlib import Path

import pytest

import gieok
from gieok.cli import main
from gieok.export.archive import DOCUMENTS, HEAD, PAGE, TABLES, file_of
from gieok.http.webhooks import signature
from support.pages import DOCS, ROOT, blocks, run, section, shell_lines, typed
from support.proxied import proxied

#: (page, section); a page with several programs is run by section
PROGRAMS = [
    ("api.md", None),
    ("concepts.ko.md", None),
    ("concepts.md", None),
    ("conversation.md", None),
    ("importing-and-exporting.md", "Import chats and character cards"),
    ("importing-and-exporting.md", "Import from another system"),
    ("importing-and-exporting.md", "Import your own history"),
    ("interop.md", "Care assistant"),
    ("interop.md", "mem0"),
    ("models.md", None),
    ("people-and-feelings.md", "Emotions"),
    ("privacy-and-erasure.md", "Audit log"),
    ("privacy-and-erasure.md", "Encryption"),
    ("privacy-and-erasure.md", "Erasure and retention"),
    ("privacy-and-erasure.md", "Personal data"),
    ("recall.md", "Embedding models"),
    ("storage.md", "Backup and restore"),
]
#: pages whose programs need a server, a file or another package: a test of their own names them
ELSEWHERE = {
    "importing-and-exporting.md": {"Show and export a user's data"},
    "interop.md": {"LangGraph", "Social bots"},  # LangGraph: tests/unit/interop/test_langgraph_store.py
    "mcp.md": {None},  # it needs a served bank
    "measuring.md": {"A Korean memory benchmark"},  # tests/evals/test_outside.py
    "people-and-feelings.md": {"Relationship"},
    "proxy.md": {None},
    "quickstart.ko.md": {None},
    "quickstart.md": {None},
    "recall.md": {"Try other settings"},
    "storage.md": {"PostgreSQL"},  # tests/contract/test_postgres_page.py
    "serve.md": {"Webhooks"},
}
QUICK_STARTS = ["quickstart.md", "quickstart.ko.md"]
WAITS_FOR_OTHERS = {"serve", "--llm"}  #: a server, and a model
DAY = re.compile(r"\d+월 \d+일")
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


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize(("page", "title"), PROGRAMS)
def test_the_programs_of_a_page_run(page, title, monkeypatch):
    run(DOCS / page, monkeypatch, title)


def test_every_page_with_python_is_run():
    missed = []
    for path in DOCS.glob("*.md"):
        titles = {title for page, title in PROGRAMS if page == path.name} | ELSEWHERE.get(path.name, set())
        whole = len(blocks(path.read_text(encoding="utf-8")))
        ran = whole if None in titles else sum(len(blocks(section(path.name, title))) for title in titles)
        if ran != whole:
            missed.append(f"{path.name}: {ran} of {whole} blocks are run")
    assert missed == []


def test_the_readme_runs(monkeypatch, capsys):
    run(ROOT / "README.md", monkeypatch)
    assert capsys.readouterr().out.startswith("고양이를 좋아함\n")


def test_the_korean_readme_runs(monkeypatch):
    monkeypatch.setenv("GIEOK_EMBEDDER", "hashing")  # the same programs as above
    run(ROOT / "README.ko.md", monkeypatch)


@pytest.mark.parametrize("page", ["README", "docs/quickstart"])
def test_both_languages_show_the_same_programs(page):
    """Comments may differ; what runs may not."""
    english, korean = (
        [ast.dump(ast.parse(code)) for _, code in blocks((ROOT / f"{page}{ending}").read_text(encoding="utf-8"))]
        for ending in (".md", ".ko.md")
    )
    assert english == korean


@pytest.mark.parametrize("page", QUICK_STARTS)
def test_the_quick_start_runs_and_its_commands_find_what_it_stored(page, monkeypatch, capsys):
    monkeypatch.setenv("GIEOK_EMBEDDER", "hashing")  # the README runs the same programs with the encoder
    monkeypatch.setattr(sys, "stdin", io.StringIO(""))
    text = section(page)
    program: dict = {}
    for line, code in blocks(text):
        if "openai" not in code:
            exec(compile("\n" * (line - 1) + code, page, "exec"), program)
    printed = capsys.readouterr().out
    (shown,) = re.findall(r"^```text\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    assert [line for line in shown.splitlines() if line != "…" and line not in printed.splitlines()] == []
    monkeypatch.setenv("LC_ALL", "ko_KR.UTF-8")
    ran = []
    for words in (words for line in shell_lines(text) for words in typed(line)):
        if words[0] == "doctor" or set(words) & WAITS_FOR_OTHERS:
            continue  # what the doctor finds depends on the machine
        monkeypatch.setattr(sys, "argv", ["gieok", *words])
        with pytest.raises(SystemExit) as left:
            main()
        assert not left.value.code, words
        ran.append((words[0], capsys.readouterr().out))
    assert [name for name, _ in ran] == ["facts", "recall", "context", "chat"]
    assert all("고양이" in printed for name, printed in ran if name != "chat")
    assert "3가지를 기억하고" in ran[-1][1]
    assert gieok.Settings().as_preset("heroine").preset == "heroine"


@pytest.mark.parametrize("page", [*QUICK_STARTS, "proxy.md"])
def test_an_openai_client_gets_what_is_remembered(page, tmp_path, capsys):
    (code,) = [code for _, code in blocks(section(page)) if "openai" in code]
    with proxied(tmp_path) as chat:
        if page != "proxy.md":  # its program tells of the allergy itself
            chat.mind(user="minsu").observe("나 땅콩 알레르기 있어")
        exec(compile(code.replace("http://127.0.0.1:8420/v1", chat.url), page, "exec"), {})
        assert "땅콩 알레르기가 있음" in chat.model.asked[-1].text
    assert capsys.readouterr().out.strip() == "좋아요."


def test_recall_can_be_tried_under_other_settings(tmp_path, monkeypatch):
    with gieok.open(tmp_path / "bank.db", embedder="hashing") as bank:
        letia = bank.scope(user="minsu", character="letia")
        letia.observe("나 라면 좋아해")
        program = run(DOCS / "recall.md", monkeypatch, "Try other settings", bank=bank, letia=letia)
        assert program.social.weights != letia.weights


def test_the_relationship_has_a_history(monkeypatch):
    assert run(DOCS / "people-and-feelings.md", monkeypatch, "Relationship").changes


def test_the_example_for_social_bots_runs_and_is_short(monkeypatch):
    run(DOCS / "interop.md", monkeypatch, "Social bots")
    [(_, code)] = blocks(section("interop.md", "Social bots"))
    assert len([line for line in code.splitlines() if line.strip()]) <= 25


def test_a_receiver_of_webhooks_verifies_the_signature(monkeypatch):
    verify, now = run(DOCS / "serve.md", monkeypatch, "Webhooks").verify, int(time.time())
    body = '{"event": "고양이"}'.encode()
    header = signature("secret", body.decode(), now)
    assert verify("secret", header, body)
    assert not verify("another", header, body)
    assert not verify("secret", header, body + b" ")
    assert not verify("secret", header.replace(f"t={now}", f"t={now + 1}"), body)
    assert not verify("secret", signature("secret", body.decode(), now - 301), body)
    assert not any(verify("secret", wrong, body) for wrong in ("", "t=,v1=", "v1=x", "t=²,v1=x", "nonsense"))


def test_the_export_answers_as_shown_and_its_commands_run(tmp_path: Path, monkeypatch):
    monkeypatch.setenv("GIEOK_EMBEDDER", "hashing")
    monkeypatch.setenv("GIEOK_BANK", "memories.db")
    text = section("importing-and-exporting.md", "Show and export a user's data")
    program: dict = {}
    answer = None
    try:
        for _, block in blocks(text):
            exec(compile(block, "export", "exec"), program)
            answer = answer or str(program["answer"])
    finally:
        program["bank"].close()
    shown = re.search(r"(?:^    .*\n|^\n)*^    레티아가 김민수님에.*\n(?:^    .*\n|^\n)*", text, re.MULTILINE)
    assert shown
    written = "\n".join(line.removeprefix("    ") for line in shown[0].strip("\n").splitlines())
    assert DAY.sub("", written) == DAY.sub("", answer or "")
    with zipfile.ZipFile(tmp_path / "minsu.zip") as file:
        assert set(file.namelist()) == {HEAD, PAGE, *map(file_of, (*TABLES, DOCUMENTS))}
    commands = [words for line in shell_lines(text) for words in typed(line)]
    assert commands
    for words in commands:
        monkeypatch.setattr(sys, "argv", ["gieok", *words])
        with pytest.raises(SystemExit) as left:
            main()
        assert not left.value.code, words


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
