"""Learning from earlier exchanges: `observe` for each, and `observe_many`, which stores first and reads then.

    python benchmarks/bulk.py --turns 1000

The exchanges are made up. Each figure is per second of CPU time, all threads together.
"""

from __future__ import annotations

import json
import random
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, Final

import typer
from rich.table import Table

import gieok
from gieok.bank.inputs import Exchange
from gieok.cli.console import answers

_START: Final = datetime(2026, 1, 1, tzinfo=UTC)
_SAID: Final = (
    "나 요즘 {} 좋아해",
    "어제 친구랑 {} 먹으러 갔는데 진짜 맛있더라",
    "오늘은 {} 때문에 좀 피곤하네",
    "주말에 {} 보러 갈까 하는데 어때?",
    "ㅋㅋㅋ 그건 좀 웃기다",
    "우리 엄마는 {} 알레르기 있어",
    "내일 {} 시험 있어서 일찍 자야 돼",
    "고마워, 덕분에 기분이 나아졌어",
)
_REPLIES: Final = ("정말요? 다음에 꼭 같이 가요!", "많이 힘들었겠어요. 푹 쉬어요.", "{} 이야기는 처음 들어요.")
_WORDS: Final = "고양이 떡볶이 등산 수영 일본어 라면 복숭아 야구 영화 새우 커피 기타 그림 산책 김치찌개 축제".split()


def main(
    turns: Annotated[int, typer.Option(min=10, help="Exchanges of each run.")] = 1_000,
    embedder: Annotated[str, typer.Option(help="As the setting says.")] = "universal",
    json_file: Annotated[Path | None, typer.Option("--json", metavar="FILE", help="Write the figures there.")] = None,
) -> None:
    """Measure exchanges a second of CPU time; a guide, not a test."""
    talk = _talk(turns)
    with TemporaryDirectory() as folder, gieok.open(Path(folder) / "bank.db", embedder=embedder) as bank:
        bank.warm()
        one_by_one, together = (bank.scope(user=user, character="letia") for user in ("a", "b"))

        def observe() -> None:
            for each in talk:
                one_by_one.observe(**each)

        found = {
            "observe": _a_second(observe, turns),
            "observe_many, storing": _a_second(lambda: together.observe_many(talk, read=False), turns),
            "observe_many, reading": _a_second(together.read_unread, turns),
        }
        stored, read = found["observe_many, storing"], found["observe_many, reading"]
        found["observe_many, both"] = 1 / (1 / stored + 1 / read)
    if json_file is not None:
        json_file.write_text(json.dumps({"turns_a_second": found}, indent=2) + "\n", encoding="utf-8")
    table = Table("exchanges a second of CPU time", "")
    for name, figure in found.items():
        table.add_row(name, f"{figure:,.0f}")
    answers().print(table)


def _talk(turns: int) -> list[Exchange]:
    dice = random.Random(1)

    def line(lines: tuple[str, ...], number: int) -> str:
        return f"{dice.choice(lines).format(dice.choice(_WORDS))} {number}"

    return [
        {"text": line(_SAID, number), "reply": line(_REPLIES, number), "at": _START + timedelta(minutes=7 * number)}
        for number in range(turns)
    ]


def _a_second(work: Callable[[], object], turns: int) -> float:
    begun = time.process_time()
    work()
    return turns / (time.process_time() - begun)


if __name__ == "__main__":
    typer.run(main)
