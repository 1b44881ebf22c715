"""What people, times and the values of the domain are called on the terminal."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from gieok.cli.console import terminal_words
from gieok.domain.memory import Memory
from gieok.domain.scope import Scope
from gieok.words import Words

if TYPE_CHECKING:
    from gieok.bank import Mind
    from gieok.settings import Settings


@dataclass(frozen=True, slots=True)
class Terms:
    """The words of one language, for one scope and one time zone."""

    words: Words
    scope: Scope | None  #: None: of no scope
    zone: ZoneInfo

    def __call__(self, key: str, /, **values: object) -> str:
        """Return the text `cli.<key>`."""
        return self.words(f"cli.{key}", **values)

    def label(self, table: str, name: str) -> str:
        """Return what `shared.<table>` calls `name`; a name that is not in it stays as it is."""
        return self.words.some(f"shared.{table}").get(name, name)

    def named(self, who: str) -> str:
        """Return whom a speaker or subject id means."""
        user, character = (self.scope.user, self.scope.character) if self.scope else (None, None)
        if who == "user":
            return user or self.label("subjects", who)
        if who in ("character", character):
            return character or self.label("subjects", "character")
        return self.label("subjects", who) if who == "world" else who

    def subject_matter(self, memory: Memory) -> str:
        """Return the attribute of `memory`, or the type of one that has none."""
        key = memory.attribute
        return self.label("types", memory.content_type) if key is None else self.attribute(key)

    def attribute(self, key: str) -> str:
        """Return what the attribute `key` is called: of the schema, a favourite, or a free one."""
        kind, _, thing = key.partition(".")
        if kind == "favorite" and thing:
            return self.words.some("shared.favorites").get(thing, f"{self.label('attributes', kind)}: {thing}")
        if kind == "free" and thing:
            return self.words.some("shared.free").get(thing, thing.replace("_", " "))
        return self.label("attributes", key)

    def day(self, at: datetime) -> str:
        return f"{at.astimezone(self.zone):%Y-%m-%d}"

    def moment(self, at: datetime, *, seconds: bool = False) -> str:
        return f"{at.astimezone(self.zone):%Y-%m-%d %H:%M}" + (f":{at:%S}" if seconds else "")


def terms_for(mind: Mind) -> Terms:
    """Return the terms for `mind`, in the language of the terminal."""
    return Terms(terminal_words(), mind.key, mind.bank.settings.zone)


def terms_under(settings: Settings) -> Terms:
    """Return the terms for what belongs to no scope."""
    return Terms(terminal_words(), None, settings.zone)
