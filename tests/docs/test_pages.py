"""The documents as a whole: every page is listed, every link leads somewhere, every command shown is one."""

import re

import pytest

from support.pages import DOCS, ROOT, anchors, links, lost, misspelt, pages, shell_lines, typed

CONTENTS = DOCS / "README.md"
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


def test_the_checks_see_a_lost_link_and_a_misspelt_command(tmp_path):
    page = tmp_path / "page.md"
    page.write_text(PAGE, encoding="utf-8")
    (tmp_path / "other.md").write_text("# Other\n", encoding="utf-8")

    assert anchors(PAGE) == {"a-page", "a-page-1"}
    assert lost(page) == ["page.md:3: other.md#no-such", "page.md:3: gone.svg"]
    typed_ = [words for line in shell_lines(PAGE) for words in typed(line)]
    assert [misspelt(words) for words in typed_] == ["facts has no --histroy", "no command 'crate'", None]
