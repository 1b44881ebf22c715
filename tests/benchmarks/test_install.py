import pytest

from install import import_seconds, imports_took, measured, needed

TOLD = """\
import time: self [us] | cumulative | imported package
import time:       100 |        100 |     gieok.domain
import time:       200 |       3000 |   gieok.errors
import time:      5000 |      20000 | gieok
import time:       300 |        900 | json
import time:      1000 |      40000 | gieok.bank
"""


def test_only_the_outermost_imports_of_gieok_count():
    assert imports_took(TOLD) == pytest.approx(0.06)


def test_what_is_needed_is_followed_near_and_far():
    assert {"gieok", "numpy", "kiwipiepy", "kiwipiepy-model", "rich", "markdown-it-py", "phonenumbers"} <= needed(
        "gieok", frozenset(), set()
    )
    assert "fastapi" not in needed("gieok", frozenset(), set())
    assert {"fastapi", "starlette"} <= needed("gieok", frozenset({"serve"}), set())


def test_an_installation_is_as_large_as_its_packages_and_every_import_takes_its_time():
    found = measured(frozenset(), runs=1)

    assert next(iter(found.megabytes)) == "gieok"
    assert found.megabytes["gieok"] > 1
    assert found.megabytes["kiwipiepy-model"] > 20
    assert found.total_mb == pytest.approx(sum(found.megabytes.values()))
    assert all(seconds > 0 for seconds in found.import_seconds.values())
    assert import_seconds("import json", 1) == 0
