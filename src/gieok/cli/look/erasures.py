"""Erasures as tables: what would go or went, and the certificates that remain."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from gieok.domain.erasure import Certificate, Erasure
from gieok.settings import Settings

_DIM: Final = "bright_black"
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
