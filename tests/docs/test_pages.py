"""The documents as a whole: every page is listed, every link leads somewhere, every command shown is one."""

import re
from pathlib import Path

import pytest

from support.pages import DOCS, ROOT, anchors, blocks, links, lost, misspelt, pages, run, shell_lines, typed

CONTENTS = DOCS / "README.md"
RUN_HERE = ("api.md", "concepts.md", "recall.md")  #: others are run by tests that name them
PAGE = """\
# A page

[here](#a-page-1), [there](other.md#no-such), ![gone](gone.svg), [out](https://example.org/#x), `[no](link.md)`

## A page

```sh
# [no](link.md)
$ gieok facts --histroy   # what was true
X=1 gieok --as me keys crate bot; gieok audit show > log.txt
```
"""


def test_every_page_is_listed_once_with_a_sentence():
    told = re.findall(r"^- \[[^\]]+\]\(([\w.-]+\.md)\): \S.*\.$", CONTENTS.read_text(encoding="utf-8"), re.MULTILINE)
    assert sorted(told) == sorted(path.name for path in DOCS.glob("*.md") if path != CONTENTS)


@pytest.mark.parametrize("path", pages(), ids=lambda path: path.relative_to(ROOT).as_posix())
def test_every_link_and_anchor_leads_somewhere(path):
    assert lost(path) == []


def test_every_picture_of_the_docs_is_shown_somewhere():
    shown = {
        (page.parent / target).resolve() for page in pages() for _, target in links(page.read_text(encoding="utf-8"))
    }
    drawn = {path for ending in ("svg", "png") for path in DOCS.glob(f"*.{ending}")}
    assert sorted(path.name for path in drawn - shown) == []


def test_every_command_that_a_page_shows_is_one_with_options_of_its_own():
    wrong = [
        f"{path.name}: {line}: {trouble}"
        for path in pages()
        if path.name != "CHANGELOG.md"
        for line in shell_lines(path.read_text(encoding="utf-8"))
        for words in typed(line)
        if (trouble := misspelt(words))
    ]
    assert wrong == []


@pytest.mark.parametrize("name", ["api.md", "concepts.md"])
def test_every_python_block_of_a_page_runs(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    run(DOCS / name, monkeypatch)


def test_the_page_on_recall_tries_settings_that_there_are(tmp_path, monkeypatch):
    import gieok

    with gieok.open(tmp_path / "bank.db", embedder="hashing") as bank:
        letia = bank.scope(user="minsu", character="letia")
        letia.observe("나 라면 좋아해")
        program = run(DOCS / "recall.md", monkeypatch, bank=bank, letia=letia)
        assert program.social.weights != letia.weights


def test_every_page_with_python_is_run_by_a_test():
    tests = {
        path: path.read_text(encoding="utf-8") for path in (ROOT / "tests").rglob("*.py") if path != Path(__file__)
    }
    silent = [
        page.name
        for page in DOCS.glob("*.md")
        if blocks(page.read_text(encoding="utf-8"))
        and page.name not in RUN_HERE
        and not any(page.name in text for text in tests.values())
        and not any(f'"{page.stem}"' in text for path, text in tests.items() if path.parent.name == "docs")
    ]
    assert silent == []


def test_the_checks_see_a_lost_link_and_a_misspelt_command(tmp_path):
    page = tmp_path / "page.md"
    page.write_text(PAGE, encoding="utf-8")
    (tmp_path / "other.md").write_text("# Other\n", encoding="utf-8")

    assert anchors(PAGE) == {"a-page", "a-page-1"}
    assert lost(page) == ["page.md:3: other.md#no-such", "page.md:3: gone.svg"]
    typed_ = [words for line in shell_lines(PAGE) for words in typed(line)]
    assert [misspelt(words) for words in typed_] == ["facts has no --histroy", "no command 'crate'", None]
