"""What a model or a person reads beside the structures: short lines in the bank's language."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, tzinfo
from typing import Final

from gieok.mcp.records import HitRecord, Memories, MemoryRecord, Remembered


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """The words around memories."""

    nothing: str
    outcomes: Mapping[str, str]
    replaced: str
    forgotten: str
    corrected: str
    page: str
    day: str  #: for strftime
    since: str
    span: str


WORDS: Final[Mapping[str, Words]] = {
    "ko": Words(
        nothing="떠오르는 것이 없습니다.",
        outcomes={
            "remember": "기억했습니다:",
            "reinforce": "이미 알고 있던 것입니다:",
            "supersede": "새로 알게 된 것으로 바꿨습니다:",
            "retract": "사실이 아니었던 것으로 했습니다:",
            "ignore": "기억하지 않았습니다.",
        },
        replaced="이제 사실이 아닌 것:",
        forgotten="잊었습니다:",
        corrected="바로잡았습니다:",
        page="전체 {total}개 중 {first}–{last}",
        day="%Y-%m-%d",
        since="{since}부터",
        span="{since} ~ {until}",
    ),
    "en": Words(
        nothing="Nothing comes to mind.",
        outcomes={
            "remember": "Remembered:",
            "reinforce": "That was known already:",
            "supersede": "It takes the place of what was known:",
            "retract": "It was never true:",
            "ignore": "Not remembered.",
        },
        replaced="No longer true:",
        forgotten="Forgotten:",
        corrected="Put right:",
        page="{first}–{last} of {total}",
        day="%Y-%m-%d",
        since="since {since}",
        span="{since} to {until}",
    ),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Telling:
    """Puts answers into words, in one language and one time zone."""

    words: Words
    zone: tzinfo

    def memory(self, memory: MemoryRecord) -> str:
        when = self.words.since if memory.until is None else self.words.span
        said = when.format(since=self._day(memory.since), until=memory.until and self._day(memory.until))
        return f"- {_one_line(memory.content)} ({said}, id {memory.id})"

    def hit(self, hit: HitRecord) -> str:
        if hit.memory is not None:
            return self.memory(hit.memory)
        return f"- {hit.said_by}: “{_one_line(hit.text)}” ({self._day(hit.at)})"

    def hits(self, hits: list[HitRecord]) -> str:
        return "\n".join(self.hit(hit) for hit in hits) or self.words.nothing

    def remembered(self, told: Remembered) -> str:
        lines = [self.words.outcomes[told.outcome]]
        lines += [self.memory(told.memory)] if told.memory is not None else []
        lines += [self.words.replaced, *(self.memory(each) for each in told.replaced)] if told.replaced else []
        return "\n".join(lines)

    def page(self, page: Memories) -> str:
        lines = [self.memory(memory) for memory in page.memories]
        if len(lines) < page.total and lines:
            last = page.offset + len(lines)
            lines.append(self.words.page.format(first=page.offset + 1, last=last, total=page.total))
        return "\n".join(lines) or self.words.nothing

    def _day(self, moment: datetime) -> str:
        return moment.astimezone(self.zone).strftime(self.words.day)


def _one_line(text: str) -> str:
    """Return `text` without line breaks: what is quoted must not look like another line of the answer."""
    return " ".join(text.split())
