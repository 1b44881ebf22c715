"""Whatever is excepted from the rules of the linters says why, on its own line."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
EXCEPTED = re.compile(r"(?:# (?:noqa: [A-Z0-9, ]+|type: ignore\[[\w, -]+\])|^\s*except (?:Base)?Exception\b[^#]*)(.*)")
MARKS = re.compile(r"# (?:noqa: [A-Z0-9, ]+|type: ignore\[[\w, -]+\])")


def without_reason(line: str) -> bool:
    found = EXCEPTED.search(line)
    return found is not None and not re.match(r"\s*[#-] *\w", MARKS.sub("", found[1]))


@pytest.mark.parametrize("line", ["x = 1  # noqa: E731", "    except Exception:", "y()  # type: ignore[arg-type]"])
def test_the_check_sees_what_has_none(line):
    assert without_reason(line)
    assert not without_reason(f"{line}  # because of the weather")


def test_every_exception_has_its_reason():
    found = [
        f"{path.relative_to(ROOT)}:{number}"
        for folder in ("src", "packages", "tools", "benchmarks", "training")
        for path in sorted((ROOT / folder).rglob("*.py"))
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if without_reason(line)
    ]
    assert found == []
