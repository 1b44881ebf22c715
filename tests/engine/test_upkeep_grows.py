"""Upkeep of a scope that has grown: what a summary is made from is looked up, and comes to the same."""

from datetime import timedelta

import gieok
from gieok.maintain import maintainer
from gieok.testing import day

LINES = (
    "나 강릉에 살아", "언니는 간호사야", "오늘은 산책을 했어", "나 새우 알레르기 있어", "언니가 간호사라 늘 바빠",
    "나 이제 부산에 살아", "ㅋㅋㅋ", "드럼을 배우기 시작했어", "우리 강아지 이름은 콩이야", "시험을 망쳐서 속상해",
    "주말에 지훈이랑 바다에 다녀왔어", "나 새우 못 먹잖아. 알레르기라서", "콩이가 아팠어", "이제 괜찮대",
)  # fmt: skip


def summaries(bank: gieok.MemoryBank, user: str) -> list[str]:
    mind = bank.scope(user=user, character="letia")
    told = []
    for number, line in enumerate(LINES * 3):
        mind.observe(line, at=day(1) + timedelta(hours=number))
        told += [memory.content for memory in mind.facts(type="summary") if "rolling" in memory.tags]
    return told


def test_passes_that_look_at_what_they_can_change_do_the_same_as_with_everything_before_them(open_bank, monkeypatch):
    def kept(user: str) -> list[tuple[object, ...]]:
        mind = open_bank(upkeep_reflect_at=1_000).scope(user=user, character="letia")
        for number, line in enumerate((*LINES, "어제 엄마랑 싸웠어", "어제 엄마랑 싸웠어", "엄마랑 싸웠다") * 3):
            mind.observe(line, at=day(1) + timedelta(hours=number))
            if number % 5 == 0:
                mind.remember(f"공원에서 {number % 2}번 산책했다", at=day(1) + timedelta(hours=number))
        return [
            (each.who, change.after and change.after.content, change.after and change.after.kind)
            for each in mind.journal()
            for change in each.changes
            if each.kind == "pass"
        ]

    narrow = kept("minsu")
    assert narrow
    monkeypatch.setattr(maintainer, "_LOOSE", frozenset())
    assert narrow == kept("jiho")


def test_a_summary_of_what_was_looked_up_tells_the_same_as_one_of_everything(open_bank, monkeypatch):
    asked = []
    looked_up = maintainer._told_of_lately
    monkeypatch.setattr(maintainer, "_told_of_lately", lambda *args: asked.append(looked_up(*args)) or asked[-1])
    some = summaries(open_bank(upkeep_reflect_at=1_000), "minsu")
    assert any(known is not None and len(known) < 20 for known in asked)
    monkeypatch.setattr(maintainer, "_told_of_lately", lambda *_: None)
    assert some == summaries(open_bank(upkeep_reflect_at=1_000), "jiho")
