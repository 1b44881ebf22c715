"""Who did what, and who made a memory what it was, as tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Final
from zoneinfo import ZoneInfo

from rich.console import Group, RenderableType
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from gieok import mcp, web
from gieok.bank.history import Version
from gieok.cli.bench import Report
from gieok.cli.doctor import Check
from gieok.cli.look.bars import Fitting
from gieok.cli.look.memories import day
from gieok.domain.actor import Actor
from gieok.domain.audit import Deed, Finding, Verified
from gieok.domain.erasure import Certificate, Erasure
from gieok.domain.server_state import AccessKey, Bounds, Role
from gieok.settings import Settings

if TYPE_CHECKING:
    from gieok.bank import MemoryBank
    from gieok.settings import Settings


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


_COUNTED: Final = (
    "turns", "utterances", "memories", "rebuilt", "operations", "people", "scenes", "traces", "documents", "answers",
    "letters",
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class ErasureWords:
    """Everything that is said about erasures, in one language."""

    nothing: str
    would: str
    did: str
    do_it: str
    held: str  #: {scope}
    scope: str
    certificate: str
    at: str
    by: str
    proven: str
    yes: str
    no: str
    none: str
    counts: Mapping[str, str]


WORDS: Final[Mapping[str, ErasureWords]] = {
    "ko": ErasureWords(
        nothing="지울 것이 없어요.",
        would="아래 내용이 지워져요. 아직 아무것도 지우지 않았어요.",
        did="지웠어요. 파일에도 남아 있지 않아요.",
        do_it="정말 지우려면 같은 명령에 --yes를 붙이세요. 되돌릴 수 없어요.",
        held="보존 조치가 걸려 건너뜀: {scope}",
        scope="누구의 기억",
        certificate="증명서",
        at="언제",
        by="누가",
        proven="확인",
        yes="파일에 없음",
        no="아직 확인 안 됨: gieok scrub --yes",
        none="아직 지운 것이 없어요.",
        counts={
            "turns": "대화", "utterances": "발화", "memories": "기억", "rebuilt": "다시 만든 기억",
            "operations": "기록", "people": "사람", "scenes": "장면", "traces": "추적", "documents": "문서",
            "answers": "보관한 응답", "letters": "보낼 알림",
        },
    ),
    "en": ErasureWords(
        nothing="There is nothing to erase.",
        would="This would go. Nothing was erased yet.",
        did="This was erased; the files are free of it.",
        do_it="To erase it, add --yes to the same command. It cannot be undone.",
        held="passed over, under a hold: {scope}",
        scope="whose memory",
        certificate="certificate",
        at="when",
        by="by",
        proven="proven",
        yes="gone from the files",
        no="not yet: gieok scrub --yes",
        none="Nothing was erased yet.",
        counts={name: name for name in _COUNTED},
    ),
}  # fmt: skip


def _words(settings: Settings) -> ErasureWords:
    return WORDS.get(settings.language, WORDS["en"])


def told_counts(counts: Mapping[str, int], words: ErasureWords) -> str:
    """Return counts in one line, without what there is none of."""
    found = (f"{words.counts[name]} {counts[name]:,}" for name in _COUNTED if counts.get(name))
    return " · ".join(found) or "–"


def erasure_table(erased: Erasure, settings: Settings) -> RenderableType:
    words = _words(settings)
    lines: list[RenderableType] = [Text(words.held.format(scope=f"[{each}]"), style="yellow") for each in erased.held]
    if not erased.scopes:
        return Group(Text(words.nothing, style=_DIM), *lines)
    table = Table(box=None, pad_edge=False, header_style=_DIM)
    table.add_column(words.scope)
    table.add_column("")
    for each in erased.scopes:
        table.add_row(Text(f"[{each.scope}]"), told_counts(each.counts, words))
    after = words.do_it if erased.dry_run else " ".join(each.id for each in erased.certificates)
    return Group(Text(words.would if erased.dry_run else words.did), table, Text(after, style=_DIM), *lines)


def certificates_table(certificates: Sequence[Certificate], settings: Settings) -> RenderableType:
    words = _words(settings)
    if not certificates:
        return Text(words.none, style=_DIM)
    table = Table(box=None, pad_edge=False, header_style=_DIM)
    for head in (words.at, words.by, "", words.proven, words.certificate):
        table.add_column(head)
    for each in certificates:
        table.add_row(
            each.at.astimezone(settings.zone).strftime("%Y-%m-%d %H:%M"),
            Text(each.by),
            told_counts(each.counts, words),
            Text(words.yes, style="green") if each.intact else Text(words.no, style="red"),
            Text(each.id, style=_DIM),
        )
    return table


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


@dataclass(frozen=True, slots=True, kw_only=True)
class ServingWords:
    """The words, in one language."""

    address: str
    inspector: str
    bank: str
    model: str
    chat: str
    mcp: str
    keys: str
    docs: str
    no_inspector: str
    kept: str  #: {location}, {scopes}, {memories}
    no_model: str
    chat_apps: str  #: {place}
    no_upstream: str
    no_keys: str
    with_keys: str
    try_it: str
    stop: str
    stopping: str
    stopped: str


SERVING: Final = {
    "ko": ServingWords(
        address="주소",
        inspector="들여다보기",
        bank="저장소",
        model="모델",
        chat="채팅 앱",
        mcp="MCP",
        keys="키",
        docs="API 문서",
        no_inspector='브라우저로 보려면: pip install "gieok[web]"',
        kept="{location} · 프로필 {scopes:,}개 · 기억 {memories:,}개",
        no_model="없음 · 규칙만으로 기억해요 (대답하려면 모델이 필요해요)",
        chat_apps="{place}/v1 · 모델 이름에 gieok/letia처럼 캐릭터를 적어요",
        no_upstream="연결할 모델이 없어요 · proxy_url을 정하면 쓸 수 있어요",
        no_keys="필요 없음 · 이 컴퓨터에서만 접속할 수 있어요",
        with_keys="필요 · Authorization: Bearer … (gieok keys list)",
        try_it="첫마디를 건네 보세요",
        stop="Ctrl-C를 누르면 하던 일을 마치고 멈춰요.",
        stopping="마무리하는 중…",
        stopped="멈췄어요.",
    ),
    "en": ServingWords(
        address="Address",
        inspector="Inspector",
        bank="Bank",
        model="Model",
        chat="Chat apps",
        mcp="MCP",
        keys="Keys",
        docs="API docs",
        no_inspector='to look into it in a browser: pip install "gieok[web]"',
        kept="{location} · scopes {scopes:,} · memories {memories:,}",
        no_model="none · rules remember; it takes a model to reply",
        chat_apps="{place}/v1 · the model is the character: gieok/letia",
        no_upstream="no model to pass them on to; set proxy_url",
        no_keys="not asked for: only this machine can reach it",
        with_keys="needed · Authorization: Bearer … (gieok keys list)",
        try_it="Tell it something",
        stop="Ctrl-C ends what is under way, then stops.",
        stopping="Finishing …",
        stopped="Stopped.",
    ),
}


def address(settings: Settings, port: int) -> str:
    """Return where a browser on this machine finds the server."""
    host = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(settings.serve_host, settings.serve_host)
    host = f"[{host}]" if ":" in host and not host.startswith("[") else host
    return f"{'https' if settings.serve_tls_cert else 'http'}://{host}:{port}"


def greeting(bank: MemoryBank, port: int, *, keys: bool) -> RenderableType:
    """Return the panel that shows where the server is, and what finds it there."""
    settings = bank.settings
    words = SERVING[settings.language]
    place = address(settings, port)
    counts = bank.info().counts
    kept = words.kept.format(location=settings.bank_shown, scopes=counts["scopes"], memories=counts["memories"])
    rows = Table.grid(padding=(0, 2))
    rows.add_column(no_wrap=True)
    rows.add_column(overflow="fold")
    rows.add_row(Text(words.address, style="cyan"), Text(place, style="bold"))
    rows.add_row(Text(words.inspector, style="cyan"), f"{place}/" if web.is_installed() else words.no_inspector)
    rows.add_row(Text(words.bank, style="cyan"), kept)
    rows.add_row(Text(words.model, style="cyan"), settings.llm or words.no_model)
    chat = words.chat_apps.format(place=place) if settings.proxy_url or settings.llm else words.no_upstream
    rows.add_row(Text(words.chat, style="cyan"), chat)
    if mcp.is_installed():
        rows.add_row(Text(words.mcp, style="cyan"), f"{place}/mcp")
    rows.add_row(Text(words.keys, style="cyan"), words.with_keys if keys else words.no_keys)
    rows.add_row(Text(words.docs, style="cyan"), f"{place}/docs")
    return Panel(rows, title="gieok 기억", title_align="left", border_style="bright_black", expand=False)


def first_call(settings: Settings, port: int, *, keys: bool) -> Text:
    """Return what to try first, to be copied as it stands."""
    key = " -H 'Authorization: Bearer KEY'" if keys else ""
    tip = Text(f"{SERVING[settings.language].try_it}:\n", style="bright_black")
    tip.append(f"  curl '{address(settings, port)}/v1/turns?user=minsu&character=letia'{key} \\\n", style="default")
    return tip.append('    --json \'{"text": "나 고양이 좋아해", "reply": "저도 좋아해요!"}\'', style="default")


_MARKS: Final = {"ok": ("✓", "green"), "note": ("·", "bright_black"), "bad": ("✗", "bold red")}
_NAME_WIDTH: Final = 13


def check_line(check: Check) -> RenderableType:
    mark, style = _MARKS[check.state]
    row = Table.grid(padding=(0, 1, 0, 0))
    row.add_column(width=1, style=style)
    row.add_column(width=_NAME_WIDTH, style="bold")
    row.add_column(overflow="fold")
    row.add_row(mark, check.name, Text(check.detail, style="red" if check.state == "bad" else ""))
    if check.remedy:
        row.add_row("", "", Text(f"→ {check.remedy}", style="yellow"))
    return row


def bench_tables(report: Report) -> RenderableType:
    asking = report.asking
    prepared = f"before that, a question costs {asking.encode_ms:.1f} ms of encoding ({report.embedder}) and "
    peak = "" if report.peak_memory_mb is None else f"peak memory {report.peak_memory_mb:,.0f} MB, "
    return Group(
        _writing(report),
        Text(),
        _reading(report),
        Text(f"{prepared}{asking.morphology_ms:.1f} ms of morphology", style="bright_black"),
        Text(f"{peak}bank file {report.bank_mb:,.1f} MB", style="bright_black"),
    )


def _writing(report: Report) -> Table:
    table = _table("observe, two sentences", "threads", "turns", "turns/s", "CPU ms/turn")
    for each in report.writing:
        table.add_row("", str(each.threads), f"{each.turns:,}", f"{each.per_second:,.0f}", f"{each.cpu_ms:.1f}")
    return table


def _reading(report: Report) -> Table:
    table = _table("recall, vector and morphemes given", "memories", "p50 ms", "p95 ms", "CPU ms")
    for each in report.reading:
        beside = "a small scope beside it" if each.scope.startswith("beside") else ""
        table.add_row(beside, f"{each.memories:,}", f"{each.p50_ms:.2f}", f"{each.p95_ms:.2f}", f"{each.cpu_ms:.2f}")
    return table


def _table(title: str, *numbers: str) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0), show_edge=False, header_style="bright_black")
    table.add_column(Text(title, style="bold"), min_width=36, style="bright_black")
    for heading in numbers:
        table.add_column(heading, justify="right")
    return table
