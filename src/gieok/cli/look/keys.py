"""Keys, as a table and as a line; never the key itself."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from gieok.cli.look.facts import day
from gieok.domain.desk import AccessKey, Bounds, Role
from gieok.settings import Settings

_DIM: Final = "bright_black"
_STYLES: Final[Mapping[Role, str]] = {"reader": "green", "writer": "yellow", "admin": "red"}


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyWords:
    """Everything that is said about keys, in one language."""

    none: str
    name: str
    role: str
    opens: str
    everything: str
    user: str
    character: str
    world: str
    limits: str
    minute: str  #: {n}
    day: str  #: {n}
    any: str
    today: str
    created: str
    revoked: str  #: {day}
    kept: str  #: {id}, {name}, {role}, {opens}
    shown_once: str
    taken_back: str  #: {id}, {name}


KEY_WORDS: Final[Mapping[str, KeyWords]] = {
    "ko": KeyWords(
        none="아직 키가 없어요. `gieok keys create 이름 --role writer`로 만들 수 있어요.",
        name="이름",
        role="역할",
        opens="열리는 곳",
        everything="전체",
        user="사용자",
        character="캐릭터",
        world="세계",
        limits="한도",
        minute="분당 {n:,}",
        day="하루 {n:,}",
        any="제한 없음",
        today="오늘",
        created="만든 날",
        revoked="폐기\n{day}",
        kept="키를 만들었어요: {name} · {role} · {opens} (ID {id})",
        shown_once="이 키는 다시 볼 수 없어요. 지금 안전한 곳에 옮겨 두세요.",
        taken_back="키를 폐기했어요: {name} (ID {id}). 실행 중인 서버도 2초 안에 이 키를 받지 않게 돼요.",
    ),
    "en": KeyWords(
        none="There are no keys yet; `gieok keys create NAME --role writer` makes one.",
        name="name",
        role="role",
        opens="opens",
        everything="everything",
        user="user",
        character="character",
        world="world",
        limits="limits",
        minute="{n:,}/min",
        day="{n:,}/day",
        any="none",
        today="today",
        created="created",
        revoked="revoked\n{day}",
        kept="Made a key: {name} · {role} · {opens} (id {id})",
        shown_once="This key is not shown again. Put it in a safe place now.",
        taken_back="Revoked: {name} (id {id}). Running servers turn it away within two seconds.",
    ),
}


def keys_table(
    keys: Sequence[AccessKey], uses: Mapping[str, int], words: KeyWords, settings: Settings
) -> RenderableType:
    """Return the keys, oldest first; `uses` are those of today."""
    if not keys:
        return Text(words.none, style=_DIM)
    table = Table(box=None, padding=(0, 2, 0, 0), show_edge=False, header_style=_DIM)
    table.add_column("ID", no_wrap=True, style=_DIM)
    table.add_column(words.name, style="cyan", overflow="fold", min_width=6)
    table.add_column(words.role, no_wrap=True)
    table.add_column(words.opens, overflow="fold", min_width=10)
    table.add_column(words.limits, overflow="fold")
    table.add_column(words.today, justify="right", no_wrap=True)
    table.add_column(words.created, style=_DIM, no_wrap=True)
    for key in keys:
        made = day(key.created_at, settings.zone)
        ended = words.revoked.format(day=day(key.revoked_at, settings.zone)) if key.revoked_at else None
        table.add_row(
            key.id,
            key.name,
            Text(key.role, style=_STYLES[key.role]),
            "\n".join(_opens(key, words)),
            _limits(key, words, settings.serve_per_minute),
            f"{uses.get(key.id, 0):,}",
            made if ended is None else Text(ended, style="red"),
            style=_DIM if ended else "",
        )
    return table


def kept_line(key: AccessKey, words: KeyWords) -> str:
    return words.kept.format(id=key.id, name=key.name, role=key.role, opens="; ".join(_opens(key, words)))


def _opens(key: AccessKey, words: KeyWords) -> list[str]:
    return [_place(each, words) for each in key.bounds] or [words.everything]


def _place(bounds: Bounds, words: KeyWords) -> str:
    named = ((words.user, bounds.user), (words.character, bounds.character), (words.world, bounds.world))
    return ", ".join(f"{what} {name}" for what, name in named if name is not None)


def _limits(key: AccessKey, words: KeyWords, usual: int) -> str:
    per_minute = usual if key.per_minute is None else key.per_minute
    limits = [words.minute.format(n=per_minute)] if per_minute else []
    limits += [words.day.format(n=key.per_day)] if key.per_day is not None else []
    return "\n".join(limits) or words.any
