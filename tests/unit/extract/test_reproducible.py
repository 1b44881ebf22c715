"""What is read does not depend on the order in which a process happens to keep its sets."""

import os
import subprocess
import sys
from collections.abc import Callable

READ = """
import sys
from datetime import UTC, datetime
from gieok.domain.memory import NOTHING_KNOWN
from gieok.domain.scope import Scope
from gieok.domain.turn import Turn, Utterance
from gieok.extract.reader import Reader

now = datetime(2026, 3, 2, tzinfo=UTC)
said = [line.split("|") for line in sys.stdin.read().splitlines()]
for number, (asked, answered) in enumerate(said):
    lines = [("user", asked), ("character", answered)]
    utterances = tuple(
        Utterance(id=f"{number}-{place}", turn_id="t", speaker=who, text=text, at=now, position=place)
        for place, (who, text) in enumerate(lines)
    )
    turn = Turn(id="t", utterances=utterances, at=now, recorded_at=now)
    read = Reader().claims(turn, Scope(user="u", character="c"), (), NOTHING_KNOWN)
    print([(each.subject, each.attribute, each.value) for each in read])
"""
TALK = """\
내 회사 이름 기억나?|영어로 '수고했어'가 뭐야
강아지 이름이 뭐야?|삼식이여
취미나 특기 있어?|사진 찍는 거
무슨 색 좋아해? 계절은?|가을이랑 남색
전공이 뭐고 학교는 어디야?|국문과요
누나 이름 직업 알아?|간호사야
"""


def read_with(seed: str) -> list[str]:
    ran = subprocess.run(
        [sys.executable, "-c", READ],
        input=TALK,
        capture_output=True,
        text=True,
        check=True,
        encoding="utf-8",
        env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONIOENCODING": "utf-8"},
    )
    return ran.stdout.splitlines()


def test_the_same_talk_is_read_the_same_whatever_the_seed(counts: Callable[[int, int], int]):
    first = read_with("0")
    assert first[0] == "[]"  # a question back is no answer
    assert all(read_with(str(seed)) == first for seed in range(1, counts(2, 20)))
