"""What upkeep did, or would do: a row for every memory that it touches."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Final

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from gieok.cli.look.living_words import LivingWords
from gieok.cli.look.timeline import in_a_line
from gieok.domain.memory import Change
from gieok.domain.upkeep import Kept, What, what_became, words_of
from gieok.maintain.maintaining import Upkept

if TYPE_CHECKING:
    from gieok.maintain.pondering import Pondered

_KOREAN: Final = tuple(
    (re.compile(pattern), told)
    for pattern, told in (
        (r"told (\d+) times", r"\1번 들은 이야기"),
        (r"the more important one stays", "더 중요한 쪽을 남김"),
        (r"said again (\d+) times, used (\d+) times", r"\1번 다시 나왔고 \2번 떠올림"),
        (r"faded and never mentioned", "희미해졌고 다시 나온 적 없음"),
        (
            r"unimportant, never used and older than ([\d.]+) days",
            r"중요하지 않고 \1일 넘게 쓰이지 않음",
        ),
        (r"over the cap of (\d+)", r"한도 \1개를 넘음"),
        (r"\w+ is kept for ([\d.]+) days", r"보관 기한 \1일이 지남"),
        (r"made from what is past its time", "바탕이 된 기억의 기한이 지남"),
        (r"(\d+) memories together", r"기억 \1개를 모아 봄"),
        (r"retold by (.+)", r"모델이 새로 풀어 씀 (\1)"),
        (r"both cannot hold", "둘 다 맞을 수는 없음"),
        (r"week (\d+)-W0?(\d+) is over", r"\1년 \2번째 주가 끝남"),
        (r"(\d+) turns were not summarised", r"요약하지 않은 대화 \1번"),
    )
)
MOST_ROWS: Final = 40
_MARKS: Final[dict[What, tuple[str, str]]] = {
    "new": ("+", "green"),
    "changed": ("~", "yellow"),
    "closed": ("-", "bright_black"),
}
_DIM: Final = "bright_black"


def reason(why: str, language: str) -> str:
    """Return `why` in `language`; one that has no translation stays as it is."""
    if language == "ko":
        for pattern, told in _KOREAN:
            found = pattern.fullmatch(why)
            if found is not None:
                return found.expand(told)
    return why


def upkeep_report(upkept: Upkept, living: LivingWords, language: str, *, most: int = MOST_ROWS) -> RenderableType:
    """Return what became of one scope; of very many rows the first `most`."""
    if upkept.busy:
        return Text(living.busy, style="yellow")
    if not upkept.passes:
        return Text(living.nothing_due, style=_DIM)
    passes = passes_named(upkept.passes, living)
    if not upkept.kept:
        return Text(living.looked_at.format(passes=passes), style=_DIM)
    heading = living.would if upkept.dry_run else living.did.format(passes=passes)
    return Group(*_told(heading, upkept.kept, living, language, most))


def ponder_report(pondered: Pondered, living: LivingWords, language: str, *, most: int = MOST_ROWS) -> RenderableType:
    """Return what a model made of one scope, and what it did not answer."""
    if not pondered.asked and not pondered.failed:
        return Text(living.nothing_due, style=_DIM)
    parts: list[RenderableType] = []
    if pondered.asked:
        thoughts = ", ".join(living.thoughts[name] for name in pondered.asked)
        heading = (
            living.pondered.format(thoughts=thoughts) if pondered.kept else living.looked_at.format(passes=thoughts)
        )
        parts += _told(heading, pondered.kept, living, language, most)
    if pondered.failed:
        thoughts = ", ".join(living.thoughts[name] for name in pondered.failed)
        parts.append(Text(living.unanswered.format(thoughts=thoughts), style="yellow"))
    return Group(*parts)


def _told(
    heading: str, kept: Sequence[Kept], living: LivingWords, language: str, most: int
) -> Iterator[RenderableType]:
    yield Text(heading, style="bold" if kept else _DIM)
    if not kept:
        return
    rows = list(_rows(kept, living, language))
    yield _table(rows[:most])
    if len(rows) > most:
        yield Text(living.more_rows.format(n=len(rows) - most), style=_DIM)
    yield Text(counts_line(kept, living))


def watch_line(upkept: Upkept, now: datetime, living: LivingWords) -> Text:
    """Return what was done in one scope as one line: when, where, which passes, how many memories."""
    line = Text().append(f"{now:%H:%M:%S} ", _DIM).append(f"[{upkept.scope}] ", "cyan")
    if upkept.busy:
        return line.append(living.busy, "yellow")
    told = [passes_named(upkept.passes, living), *([counts_line(upkept.kept, living)] if upkept.kept else [])]
    return line.append(" — ".join(told))


def passes_named(passes: Iterable[str], living: LivingWords) -> str:
    return ", ".join(living.passes[name] for name in passes)


def counts_line(kept: Iterable[Kept], living: LivingWords) -> str:
    """Return how many memories were made, changed and closed: 새로 1 · 닫음 3."""
    counted = Counter(what_became(change) for each in kept for change in each.changes)
    return " · ".join(living.counts[what].format(n=counted[what]) for what in _MARKS if counted[what])


_Row = tuple[What, str, str, str]  #: what, action, memory, why


def _rows(kept: Iterable[Kept], living: LivingWords, language: str) -> Iterator[_Row]:
    for each in kept:
        for number, change in enumerate(each.changes):
            first = number == 0
            action = living.actions[each.action] if first else ""
            yield what_became(change), action, _content(change), reason(each.why, language) if first else ""


def _table(rows: Iterable[_Row]) -> RenderableType:
    table = Table.grid(padding=(0, 2, 0, 0), expand=True)
    table.add_column(no_wrap=True, width=1)
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold", ratio=3)
    table.add_column(overflow="fold", ratio=2, style=_DIM)
    for what, action, content, why in rows:
        mark, style = _MARKS[what]
        table.add_row(Text(mark, style=style), Text(action, style=style), Text(content, style=_quiet(what)), why)
    return table


def _quiet(what: What) -> str:
    return _DIM if what == "closed" else ""


def _content(change: Change) -> str:
    content = words_of(change)
    return in_a_line(content) if what_became(change) == "closed" else content
