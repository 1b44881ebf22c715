"""docs/coverage.md and docs/threats.md hold: every row has its test, and every test that is named would run."""

import ast
import re
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "coverage.md").read_text(encoding="utf-8")
THREATS = (ROOT / "docs" / "threats.md").read_text(encoding="utf-8")
CONTRACT = ROOT / "packages" / "gieok-contract" / "src" / "gieok_contract"
DOCUMENTS = {
    "heroine": "장기 기억 메모리 Mem0 대체 방식",
    "social": "Memory System Redesign Plan",
    "character": "SYNK Character Chat - Memory Architecture",
    "care": "RAG 기반 장기 메모리 아키텍처",
    "vtuber": "Memory and Emotion Architecture Guide",
}
ROW = re.compile(r"^\| *(?P<number>[^|]+?) *\| *(?P<asked>[^|]*?) *\|[^|]*\| *(?P<shown>[^|]*?) *\|$", re.M)
NAMED = re.compile(r"`([\w/]+\.py::\w+(?:::\w+)*)`")
PASSED_OVER = {"skip", "skipif", "xfail", "soak"}


def rows() -> dict[str, list[re.Match[str]]]:
    """Return the rows of each document."""
    found = {}
    for part in re.split(r"^## ", PAGE, flags=re.M):
        name = part.partition("\n")[0].strip()
        table = part.partition("| No. | What it asks for | gieok | Shown by |\n")[2].partition("\n\n")[0]
        if name in DOCUMENTS:
            found[name] = [row for row in ROW.finditer(table) if not row["number"].startswith("-")]
    return found


@cache
def written(path: Path) -> dict[str, bool]:
    """Return the tests of a module, methods with their class, each with whether it is marked to run."""
    found: dict[str, bool] = {}

    def walk(nodes: list[ast.stmt], prefix: str, runs: bool) -> None:
        for node in nodes:
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                marks = {
                    each.attr
                    for mark in node.decorator_list
                    if "parametrize" not in ast.unparse(mark)
                    for each in ast.walk(mark)
                    if isinstance(each, ast.Attribute)
                }
                found[prefix + node.name] = runs and not marks & PASSED_OVER
                if isinstance(node, ast.ClassDef):
                    walk(node.body, f"{prefix}{node.name}::", found[prefix + node.name])

    body = ast.parse(path.read_text(encoding="utf-8")).body
    marks = [ast.unparse(each) for each in body if isinstance(each, ast.Assign) and "pytestmark" in ast.unparse(each)]
    walk(body, "", not any(f"mark.{name}" in mark for mark in marks for name in PASSED_OVER))
    return found


def test_every_document_has_its_rows_and_no_requirement_is_there_twice():
    for name, title in DOCUMENTS.items():
        numbers = [row["number"] for row in rows()[name]]
        assert len(set(numbers)) == len(numbers) >= 25
        assert f'**"{title}".**' in PAGE


def test_every_row_has_a_test_or_says_what_is_open_and_the_first_table_counts_them():
    counted = []
    for name, title in DOCUMENTS.items():
        own = rows()[name]
        assert [row["number"] for row in own if not (NAMED.search(row["shown"]) or "open:" in row["shown"])] == []
        missing = [row for row in own if "open:" in row["shown"]]
        in_part = sum(bool(NAMED.search(row["shown"])) for row in missing)
        counted.append(f"| [{title}](#{name}) | `{name}` | {len(own)} | {len(missing)} | {in_part} |")
    assert [line for line in PAGE.splitlines() if line.startswith("| [")] == counted


def test_every_threat_has_a_test():
    rows = [line for line in THREATS.partition("## Threats and their tests")[2].splitlines() if line.startswith("| ")]
    threats = [line for line in rows if not line.startswith("| Threat |")]
    assert len(threats) >= 30
    assert [line for line in threats if not NAMED.search(line)] == []


def test_every_test_that_is_named_exists_and_runs():
    inherited = {name.rpartition("::")[2] for path in CONTRACT.glob("*.py") for name in written(path)}
    wrong = []
    for named in sorted(set(NAMED.findall(PAGE + THREATS))):
        file, _, name = named.partition("::")
        known = written(ROOT / "tests" / file) if (ROOT / "tests" / file).is_file() else {}
        if not known.get(name, "::" in name and bool(known) and name.rpartition("::")[2] in inherited):
            wrong.append(named)
    assert wrong == []
