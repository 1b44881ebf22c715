"""What `gieok serve` says when it is ready."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from rich.console import RenderableType
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from gieok import mcp, web

if TYPE_CHECKING:
    from gieok.bank import MemoryBank
    from gieok.settings import Settings


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
