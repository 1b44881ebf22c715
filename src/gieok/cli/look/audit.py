"""Who did what, and who made a memory what it was, as tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final
from zoneinfo import ZoneInfo

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from gieok.bank.versions import Version
from gieok.cli.look.bars import Fitting
from gieok.domain.acting import Actor
from gieok.domain.audit import Deed, Finding, Verified

_DIM: Final = "bright_black"
_SHOWN: Final = 3  #: ids of a deed's targets
_ID_SHOWN: Final = 8  #: the end of an id


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditWords:
    """What is said around the audit log, in one language."""

    when: str
    who: str
    what: str
    why: str
    version: str
    says: str
    removed: str
    erased: str
    nobody: str
    nothing: str
    sound: str  #: {chains}, {deeds}
    broken: str  #: {n}
    since: str  #: {at}
    kinds: Mapping[str, str]


AUDIT_WORDS: Final[Mapping[str, AuditWords]] = {
    "ko": AuditWords(
        when="언제",
        who="누가",
        what="무엇을",
        why="왜",
        version="버전",
        says="내용",
        removed="없어짐",
        erased="(지워짐)",
        nobody="(기록 없음)",
        nothing="아직 기록이 없어요.",
        sound="감사 기록은 처음 쓰인 그대로예요: 해시 사슬 {chains:,}개, 기록 {deeds:,}개.",
        broken="감사 기록이 처음 쓰인 것과 달라요 ({n:,}곳):",
        since="{at} 이후는 믿을 수 없어요",
        kinds={"key": "키", "person": "", "local": "이 컴퓨터", "library": "프로그램"},
    ),
    "en": AuditWords(
        when="when",
        who="who",
        what="what",
        why="why",
        version="version",
        says="what it says",
        removed="removed",
        erased="(erased)",
        nobody="(not recorded)",
        nothing="Nothing is recorded yet.",
        sound="The audit log is as it was written: {chains:,} chains, {deeds:,} rows.",
        broken="The audit log is NOT as it was written ({n:,}):",
        since="not to be relied on after {at}",
        kinds={"key": "key", "person": "", "local": "this machine", "library": "a program"},
    ),
}


def deeds_table(deeds: Sequence[Deed], words: AuditWords, zone: ZoneInfo) -> RenderableType:
    if not deeds:
        return Text(words.nothing, style=_DIM)
    table = Table(box=None, padding=(0, 2, 0, 0), show_edge=False, header_style=_DIM)
    table.add_column("#", style=_DIM, justify="right", no_wrap=True)
    table.add_column(words.when, no_wrap=True)
    table.add_column(words.who, style="cyan", overflow="fold")
    table.add_column(words.what, style="magenta", overflow="fold")
    table.add_column(words.why, overflow="fold")
    for deed in deeds:
        who = words.erased if deed.actor is None else _by(deed.actor, deed.who or "", words)
        why = words.erased if deed.is_bare else deed.why or ""
        table.add_row(str(deed.number), moment(deed.at, zone), who, _what(deed), why)
    return Fitting(table=table, kept=(0, 1, 2, 3))


def versions_table(versions: Sequence[Version], words: AuditWords, zone: ZoneInfo) -> RenderableType:
    table = Table(box=None, padding=(0, 2, 0, 0), show_edge=False, header_style=_DIM)
    table.add_column(words.version, justify="right", no_wrap=True)
    table.add_column(words.when, no_wrap=True)
    table.add_column(words.who, style="cyan", overflow="fold")
    table.add_column(words.what, style="magenta", no_wrap=True)
    table.add_column(words.says, overflow="fold")
    table.add_column(words.why, style=_DIM, overflow="fold")
    for each in versions:
        who = f"{words.nobody} {each.who}" if each.actor is None else _by(each.actor, each.who, words)
        number = "–" if each.number is None else str(each.number)
        says = words.removed if each.after is None else each.after.content
        table.add_row(number, moment(each.recorded_at, zone), who, each.act, says, each.why)
    return Fitting(table=table, kept=(0, 1, 2, 4))


def verified_lines(verified: Verified, words: AuditWords, zone: ZoneInfo) -> RenderableType:
    if verified.sound:
        return Text(words.sound.format(chains=verified.chains, deeds=verified.deeds), style="green")
    told = [_finding(each, words, zone) for each in verified.findings]
    return Group(Text(words.broken.format(n=len(verified.findings)), style="bold red"), *told)


def _finding(finding: Finding, words: AuditWords, zone: ZoneInfo) -> Text:
    chain = finding.chain
    whose = "" if chain is None else f"[{'the bank' if chain.of_bank else chain.scope or chain.mark}] "
    since = "" if finding.since is None else f" ({words.since.format(at=moment(finding.since, zone))})"
    return Text(f"✗ {whose}{finding.what}{since}", style="red")


def _what(deed: Deed) -> str:
    shown = [each if len(each) <= _ID_SHOWN else f"…{each[-_ID_SHOWN:]}" for each in deed.touched]
    more = [f"+{len(shown) - _SHOWN}"] if len(shown) > _SHOWN else []
    return " ".join([deed.act, *shown[:_SHOWN], *more])


def _by(actor: Actor, who: str, words: AuditWords) -> str:
    named = " ".join(each for each in (words.kinds.get(actor.kind, actor.kind), actor.name) if each)
    return named if who in ("", "person") else f"{named} · {who}"


def moment(at: datetime, zone: ZoneInfo) -> str:
    return f"{at.astimezone(zone):%Y-%m-%d %H:%M:%S}"
