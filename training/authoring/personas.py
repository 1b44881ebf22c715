"""Draw persona sheets for authors. `python personas.py SEED COUNT [lang]` prints COUNT sheets; the seed fixes them."""

from __future__ import annotations

import random
import sys
import tomllib
from pathlib import Path

LISTS = {
    name: [line for line in text.splitlines() if line]
    for name, text in tomllib.loads(Path(__file__).with_name("lists.toml").read_text(encoding="utf-8")).items()
}


def sheet(draw: random.Random, number: int, style: str, lang: str) -> str:
    """Return one persona sheet."""
    pick = {name: draw.choice(LISTS[name]) for name in ("character", "job", "region", "household", "pet", "health")}
    names = draw.sample(LISTS["given"], 4)
    hobbies = draw.sample(LISTS["hobby"], 2)
    events = draw.sample(LISTS["event"], draw.choice((2, 3, 3, 4)))
    traps = draw.sample(LISTS["trap"], draw.choice((3, 4, 4, 5)))
    sessions, turns = draw.choice((3, 4, 4, 5, 6)), draw.choice((24, 26, 28, 30, 30, 34, 38, 44))
    year, month = draw.choice((2023, 2024, 2025, 2026)), draw.randint(1, 9)
    return f"""[{number}] 이름 {names[0]} · {pick["job"]} · {pick["region"]} · {pick["household"]}
    말투: {style} · 언어: {lang} · 캐릭터: {pick["character"]}
    동물: {pick["pet"]} · 건강: {pick["health"]} · 취미: {", ".join(hobbies)}
    주변 인물 이름(필요하면): {", ".join(names[1:])}
    사건: {"; ".join(events)}
    함정: {"; ".join(traps)}
    길이: 사용자 턴 {turns}개, 세션 {sessions}개, {year}년 {month}월에 시작"""


def main() -> None:
    seed, count, lang = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3] if len(sys.argv) > 3 else "ko"
    draw = random.Random(seed)
    styles = draw.sample(LISTS["style"], 3)
    for number in range(1, count + 1):
        print(sheet(draw, number, styles[number % 3], lang))


if __name__ == "__main__":
    main()
