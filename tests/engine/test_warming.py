"""A bank that was warmed has loaded what its first turn takes."""

import subprocess
import sys

PROGRAM = """
import sys
import gieok

with gieok.open("bank.db", embedder="hashing") as bank:
    bank.warm()
    print(bank.info().counts)
    mind = bank.scope(user="민수", character="레티아")
    before = set(sys.modules)
    for said in ("우리 집 강아지는 이름이 보리야", "I'm allergic to peanuts."):
        mind.observe(said, reply="그렇구나")
    print(sorted(name for name in set(sys.modules) - before if name.startswith(("gieok", "kiwi", "numpy"))))
"""


def test_after_warming_the_first_turns_load_nothing_more_and_nothing_was_written(tmp_path):
    ran = subprocess.run(
        [sys.executable, "-c", PROGRAM], cwd=tmp_path, capture_output=True, text=True, check=True, encoding="utf-8"
    )
    counts, loaded = ran.stdout.splitlines()
    assert not any(int(each.rpartition(":")[2]) for each in counts.strip("{}").split(",") if each)
    assert loaded == "[]"
