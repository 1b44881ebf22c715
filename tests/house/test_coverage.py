"""docs/coverage.md holds: every requirement has its row, every row its test, and every test that is named would run."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "coverage.md"
CONTRACT = ROOT / "packages" / "gieok-contract" / "src" / "gieok_contract"
DOCUMENTS = {
    "heroine": "장기 기억 메모리 Mem0 대체 방식",
    "social": "Memory System Redesign Plan",
    "character": "SYNK Character Chat - Memory Architecture",
    "care": "RAG 기반 장기 메모리 아키텍처",
    "vtuber": "Memory and Emotion Architecture Guide",
}
HEAD = "| No. | What it asks for | gieok | Shown by |"
CALLED_OFF = {"skip", "importorskip", "xfail"}  #: pytest.skip(…) within a test or a fixture

PASSED_OVER = {"skip", "skipif", "xfail", "soak"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One requirement of one document."""

    document: str
    number: str
    asked: str
    shown: str

    @property
    def tests(self) -> tuple[str, ...]:
        return tuple(re.findall(r"`([\w/]+\.py::\w+(?:::\w+)*)`", self.shown))

    @property
    def missing(self) -> str:
        """What the row says is open; empty where nothing is."""
        return self.shown.partition("open:")[2].strip()

    @property
    def name(self) -> str:
        return f"{self.document} {self.number}"


def rows(page: str) -> list[Row]:
    found, document, inside = [], "", False
    for line in page.splitlines():
        if line.startswith("## "):
            document = line.removeprefix("## ").strip()
        inside = line == HEAD or (inside and line.startswith("|"))
        if inside and line != HEAD and not line.startswith("|---"):
            number, asked, _, shown = (cell.strip() for cell in line.strip("|").split("|"))
            found.append(Row(document=document, number=number, asked=asked, shown=shown))
    return found


def unshown(page: str) -> list[str]:
    """Rows that name neither a test nor what is open."""
    return [row.name for row in rows(page) if not row.asked or not (row.tests or row.missing)]


@cache
def written(path: Path) -> dict[str, bool]:
    """Return the tests of a module, methods with their class, each with whether it would run."""
    body = ast.parse(path.read_text(encoding="utf-8")).body
    module_runs = not any(isinstance(each, ast.Assign) and "pytestmark" in _names(each) and _off(each) for each in body)
    found = {}
    for each in body:
        if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef):
            found[each.name] = module_runs and not any(map(_off, each.decorator_list))
        elif isinstance(each, ast.ClassDef):
            runs = module_runs and not any(map(_off, each.decorator_list))
            for inner in each.body:
                if isinstance(inner, ast.FunctionDef | ast.AsyncFunctionDef):
                    found[f"{each.name}::{inner.name}"] = runs and not any(map(_off, inner.decorator_list))
    return found


def _names(assignment: ast.Assign) -> set[str]:
    return {each.id for each in assignment.targets if isinstance(each, ast.Name)}


def _off(node: ast.expr | ast.stmt) -> bool:
    """Whether a decorator passes a test over. Of a parametrised test, only some cases may be passed over."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "parametrize":
        return False
    return any(isinstance(each, ast.Attribute) and each.attr in PASSED_OVER for each in ast.walk(node))


@cache
def of_the_contract() -> frozenset[str]:
    """Return what every store is tested for: classes of one store inherit it."""
    return frozenset(name.partition("::")[2] for path in CONTRACT.glob("*.py") for name in written(path))


def nowhere(tests: Iterable[str], root: Path) -> list[str]:
    """Which of `tests` stand in no file."""
    return [test for test in tests if _runs(test, root) is None]


def passed_over(tests: Iterable[str], root: Path) -> list[str]:
    """Which of `tests` are in their files, but are marked so that they do not run."""
    return [test for test in tests if _runs(test, root) is False]


def _runs(test: str, root: Path) -> bool | None:
    file, _, name = test.partition("::")
    if not (root / file).is_file():
        return None
    inherited = "::" in name and name.rpartition("::")[2] in of_the_contract()
    return written(root / file).get(name, True if inherited else None)


def called_off(path: Path) -> list[str]:
    """Where a module calls off its own tests while they run."""
    calls = [each for each in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if isinstance(each, ast.Call)]
    return [
        f"{path.name}:{call.lineno}"
        for call in calls
        if isinstance(call.func, ast.Attribute)
        and call.func.attr in CALLED_OFF
        and isinstance(call.func.value, ast.Name)
        and call.func.value.id == "pytest"
    ]


@pytest.fixture(scope="module")
def page() -> str:
    return PAGE.read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def named(page: str) -> list[str]:
    return sorted({test for row in rows(page) for test in row.tests})


def test_all_five_documents_are_there_each_with_its_rows(page: str) -> None:
    told = {name: sum(row.document == name for row in rows(page)) for name in DOCUMENTS}
    assert {row.document for row in rows(page)} == set(DOCUMENTS)
    assert all(f'**"{title}".**' in page for title in DOCUMENTS.values())
    assert all(count >= 25 for count in told.values()), told


def test_no_requirement_stands_twice(page: str) -> None:
    names = [row.name for row in rows(page)]
    assert sorted({name for name in names if names.count(name) > 1}) == []


def test_every_row_has_a_test_or_says_what_is_open(page: str) -> None:
    assert unshown(page) == []


def test_the_table_at_the_top_counts_them(page: str) -> None:
    counted = []
    for name, title in DOCUMENTS.items():
        own = [row for row in rows(page) if row.document == name]
        missing = [row for row in own if row.missing]
        in_part = sum(bool(row.tests) for row in missing)
        counted.append(f"| [{title}](#{name}) | `{name}` | {len(own)} | {len(missing)} | {in_part} |")
    assert [line for line in page.splitlines() if line.startswith("| [")] == counted


def test_every_test_that_is_named_exists(named: list[str]) -> None:
    assert nowhere(named, ROOT / "tests") == []


def test_no_test_that_is_named_is_passed_over(named: list[str]) -> None:
    assert passed_over(named, ROOT / "tests") == []


def test_no_test_that_is_named_is_called_off_while_it_runs(named: list[str]) -> None:
    files = {ROOT / "tests" / test.partition("::")[0] for test in named} | set((ROOT / "tests").rglob("conftest.py"))
    assert [place for file in sorted(files) for place in called_off(file)] == []


def test_the_checks_see_a_row_without_a_test_and_a_test_that_is_gone() -> None:
    page = "\n".join(
        (
            "## heroine",
            "",
            HEAD,
            "|---|---|---|---|",
            "| 1.1 | a | here | `house/test_coverage.py::test_no_requirement_stands_twice` |",
            "| 1.2 | b | | `house/test_coverage.py::test_gone`, `house/gone.py::test_a` |",
            "| 1.3 | c | | by hand |",
            "| 1.4 | d | | open: |",
            "| 1.5 | e | | open: not built |",
            "",
            "| 9.9 | of another table | | |",
        )
    )
    assert [row.number for row in rows(page)] == ["1.1", "1.2", "1.3", "1.4", "1.5"]
    assert unshown(page) == ["heroine 1.3", "heroine 1.4"]
    tests = [test for row in rows(page) for test in row.tests]
    assert nowhere(tests, ROOT / "tests") == ["house/test_coverage.py::test_gone", "house/gone.py::test_a"]


def test_the_checks_see_a_test_that_would_not_run(tmp_path: Path) -> None:
    (tmp_path / "test_some.py").write_text(
        "import pytest\n"
        "def test_runs(): pass\n"
        "@pytest.mark.skip\ndef test_skipped(): pass\n"
        "@pytest.mark.xfail(reason='not yet')\ndef test_expected_to_fail(): pass\n"
        "@pytest.mark.parametrize('n', [1, pytest.param(2, marks=pytest.mark.xfail)])\ndef test_mostly(n): pass\n"
        "class TestIt:\n    def test_within(self): pytest.skip('not today')\n",
        encoding="utf-8",
    )
    (tmp_path / "test_off.py").write_text(
        "import pytest\npytestmark = [pytest.mark.soak]\ndef test_a(): pass\n", encoding="utf-8"
    )
    names = ("runs", "skipped", "expected_to_fail", "mostly")
    tests = [
        *(f"test_some.py::test_{name}" for name in names),
        "test_some.py::TestIt::test_within",
        "test_off.py::test_a",
    ]

    assert nowhere(tests, tmp_path) == []
    assert passed_over(tests, tmp_path) == [
        "test_some.py::test_skipped",
        "test_some.py::test_expected_to_fail",
        "test_off.py::test_a",
    ]
    assert called_off(tmp_path / "test_some.py") == ["test_some.py:10"]
