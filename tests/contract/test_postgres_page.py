"""docs/storage.md: the bank that it opens is one on a server, and its settings are settings."""

import re
from dataclasses import fields

from gieok.settings import Settings
from support.pages import blocks, section

PAGE = section("storage.md", "PostgreSQL")


def test_the_bank_of_the_page_opens_and_is_a_server(database, monkeypatch) -> None:
    monkeypatch.setenv("GIEOK_EMBEDDER", "hashing")
    [(_, code)] = blocks(PAGE)
    program: dict = {}
    exec(compile(code.replace("postgresql://gieok@db.example/games", database), "storage.md", "exec"), program)
    try:
        assert program["bank"].info().engine.startswith("PostgreSQL")
    finally:
        program["bank"].close()


def test_the_settings_of_the_page_are_settings() -> None:
    told = re.findall(r"^\| `([a-z_]+)` \| [`–]", PAGE, re.MULTILINE)
    assert set(told) == {
        "bank", "postgres_pool", "postgres_seconds", "postgres_replicas", "postgres_staleness", "postgres_prepare",
        "keyword",
    }  # fmt: skip
    assert set(told) <= {each.name for each in fields(Settings)}
