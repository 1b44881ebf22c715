"""No model is loaded within a transaction: others would wait for it, and a server would break the connection off."""

import subprocess
import sys

import pytest

PROGRAM = """
import sys
from contextlib import contextmanager
import gieok
from gieok.embedders.universal import UniversalEncoder
from gieok.language import morphemes
from gieok.stores.tables.store import TableStore
from gieok.testing import day

entered = []
for name in ("view", "locked", "apply_together", "look_after"):
    def wrapped(self, *args, name=name, enter=getattr(TableStore, name)):
        if name.startswith(("apply", "look")):
            return enter(self, *args)
        @contextmanager
        def within():
            with enter(self, *args) as view:
                entered.append(name)
                try:
                    yield view
                finally:
                    entered.pop()
        return within()
    setattr(TableStore, name, wrapped)

def loads(load):
    def checked(*args):
        print("loaded within" if entered else "loaded apart", entered)
        return load(*args)
    return checked

morphemes._new_kiwi = loads(morphemes._new_kiwi)
UniversalEncoder._load = loads(UniversalEncoder._load)

act, path = sys.argv[1:]
with gieok.open(path) as bank:
    mind = bank.scope(user="민수", character="레티아")
    if act == "prepare":
        mind.observe("나 고양이 좋아해. 내 이름은 민수야", reply="저도요", turn_id="1", at=day(1))
        mind.observe("우리 집 강아지 이름은 보리야. 나는 서울에 살아", reply="귀여워요", turn_id="2", at=day(2))
        mind.observe("I am allergic to peanuts", reply="네", turn_id="3", at=day(3))
    elif act == "rewind":
        mind.rewind("1")
    elif act == "edit":
        mind.edit("2", text="나는 부산에 살아")
    elif act == "erase":
        mind.erase(turn="1", prove=False)
    elif act == "maintain":
        mind.maintain(["promote", "merge", "prune", "reflect", "summarise"], at=day(400))
    elif act == "observe":
        mind.observe("나 커피 싫어해", at=day(4))
    elif act == "recall":
        mind.recall("고양이")
    elif act == "context":
        mind.context("나 뭐 좋아해?")
    elif act == "correct":
        mind.correct(mind.facts()[0].id, "나 강아지 좋아해")
    elif act == "remember":
        mind.remember("강아지를 키움")
print("done")
"""
ACTS = ("rewind", "edit", "erase", "maintain", "observe", "recall", "context", "correct", "remember")


def run(act: str, path: object) -> list[str]:
    ran = subprocess.run(
        [sys.executable, "-c", PROGRAM, act, str(path)], capture_output=True, text=True, check=True, encoding="utf-8"
    )
    return ran.stdout.splitlines()


@pytest.fixture(scope="module")
def prepared(tmp_path_factory):
    path = tmp_path_factory.mktemp("prepared") / "bank.db"
    run("prepare", path)
    return path


@pytest.mark.parametrize("act", ACTS)
def test_what_an_operation_takes_is_loaded_before_its_transaction(act, prepared, tmp_path):
    path = tmp_path / "bank.db"
    path.write_bytes(prepared.read_bytes())
    *loaded, last = run(act, path)
    assert last == "done"
    assert loaded, "nothing was loaded: the test sees nothing"
    assert [line for line in loaded if not line.startswith("loaded apart")] == []
