"""Every query has a name, an intent and a use."""

import re
from pathlib import Path

import gieok.stores.sqlite
from gieok.stores.sqlite.connection import SQL

HOUSE = Path(gieok.stores.sqlite.__file__).parent


def test_every_query_is_used_and_every_use_has_a_query():
    files = [*HOUSE.glob("*.py"), *(HOUSE.parent / "tables").glob("*.py")]
    source = "\n".join(path.read_text(encoding="utf-8") for path in files)
    words = set(re.findall(r'"([a-z_]+)"', source))
    assert {name for name in SQL if name not in words} == set()
    asked = re.findall(r'\.(?:_?rows?|run|run_many|value|_ids|_loaded|_places)\(\s*"([a-z_]+)"', source)
    assert set(asked) <= set(SQL)


def test_every_query_has_a_line_on_its_intent():
    text = (HOUSE / "queries.sql").read_text(encoding="utf-8")
    assert len(re.findall(r"^-- name: \w+$", text, re.MULTILINE)) == len(SQL)
    assert len(re.findall(r"^-- name: \w+\n-- [A-Z].+\.$", text, re.MULTILINE)) == len(SQL)
