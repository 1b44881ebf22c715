"""The HTML page of an export: memories, timeline, relationship and conversation, without scripts or external files."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime, tzinfo
from html import escape
from importlib.resources import files
from itertools import groupby
from typing import Final

from gieok.domain.entity import Entity
from gieok.domain.memory import Memory
from gieok.domain.relationship import MannerChange, Relationship, score
from gieok.domain.scope import Scope
from gieok.domain.turn import CHARACTER, USER, Turn
from gieok.domain.upkeep import is_conclusion
from gieok.export.about_me import GROUPS, catalogue, dated, group_of, is_about_manners, sentence, told_to_user
from gieok.language.wording import change_sentence, closeness
from gieok.words import Words

_WIDTH: Final = 640
_HEIGHT: Final = 120
_TOP: Final = 100.0


def curve(points: Sequence[tuple[datetime, float]], label: str) -> str:
    """Return a chart of points sorted by time; "" for fewer than two."""
    if len(points) < 2:
        return ""
    first, last = points[0][0], points[-1][0]
    span = max((last - first).total_seconds(), 1.0)
    places = " ".join(
        f"{(at - first).total_seconds() / span * _WIDTH:.1f},{_HEIGHT * (1 - value / _TOP):.1f}" for at, value in points
    )
    told = escape(f"{label} {points[0][1]:.0f} → {points[-1][1]:.0f}", quote=True)
    return (
        f'<svg class=course role=img aria-label="{told}" viewBox="0 0 {_WIDTH} {_HEIGHT}" preserveAspectRatio="none">'
        f'<path d="M0 {_HEIGHT}H{_WIDTH}M0 {_HEIGHT / 2:.0f}H{_WIDTH}M0 0H{_WIDTH}"/>'
        f'<polyline points="{places}"/></svg>\n'
        f"<p class=legend>{told}</p>\n"
    )


_POLICY: Final = "default-src 'none'; style-src 'unsafe-inline'"


@dataclass(frozen=True, slots=True, kw_only=True)
class Chapter:
    """The data of one scope on the page."""

    scope: Scope
    present: datetime
    memories: tuple[Memory, ...]  #: those that were ever true, sorted by `valid_at`
    course: tuple[tuple[datetime, Relationship], ...] = ()
    levels: tuple[tuple[datetime, Relationship], ...] = ()
    manners: tuple[tuple[datetime, MannerChange], ...] = ()
    people: tuple[Entity, ...] = ()
    turns: Iterable[Turn] = field(default=())  #: oldest first; read once


def page(chapters: Iterable[Chapter], *, user: str, at: datetime, language: str, zone: tzinfo) -> Iterator[str]:
    words = catalogue(language)
    title = escape(words("export.page.title", user=user))
    style = files("gieok.export").joinpath("page.css").read_text(encoding="utf-8")
    yield (
        f'<!doctype html>\n<html lang="{words.language}">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="referrer" content="no-referrer">\n'
        f"<title>{title}</title>\n<style>\n{style}</style>\n</head>\n<body>\n<header>\n<h1>{title}</h1>\n"
    )
    made = escape(words("export.page.made", at=dated(words, "export.day", at.astimezone(zone))))
    yield f"<p>{escape(words('export.page.about', user=user))}</p>\n<p class=made>{made}</p>\n</header>\n<main>\n"
    for chapter in chapters:
        yield from _ChapterPage(chapter, words, zone).told()
    yield "</main>\n</body>\n</html>\n"


@dataclass(frozen=True, slots=True)
class _ChapterPage:
    """Renders one scope."""

    chapter: Chapter
    words: Words
    zone: tzinfo

    def told(self) -> Iterator[str]:
        scope = self.chapter.scope
        named = " · ".join(name for name in (scope.character, scope.world) if name is not None)
        yield f"<section>\n<h2>{escape(named or self._say('alone'))}</h2>\n"
        yield self._counts()
        yield from self._course()
        yield from self._known()
        yield from self._timeline()
        yield from self._people()
        yield from self._talk()
        yield "</section>\n"

    def _counts(self) -> str:
        moments = [at for at, _ in self.chapter.course] or [memory.known_at for memory in self.chapter.memories]
        turns = self.chapter.course[-1][1].turns if self.chapter.course else 0
        days = " – ".join(dict.fromkeys(self._day(at) for at in (min(moments), max(moments)))) if moments else ""
        told = self._say("counts", memories=len(self._now()), turns=turns, days=days)
        return f"<p class=counts>{escape(told.strip(' ·'))}</p>\n"

    def _now(self) -> list[Memory]:
        present = self.chapter.present
        return [each for each in self.chapter.memories if each.true_at(present) and not is_conclusion(each)]

    def _course(self) -> Iterator[str]:
        if not self.chapter.course:
            return
        yield f"<h3>{escape(self._say('course'))}</h3>\n"
        yield f"<p>{escape(closeness(self.chapter.course[-1][1], self.words.language))}</p>\n"
        yield curve([(at, score(each)) for at, each in self.chapter.course], self._say("closeness"))

    def _known(self) -> Iterator[str]:
        yield f"<h3>{escape(self._say('memories'))}</h3>\n"
        now = self._now()
        if not now:
            yield f"<p class=nothing>{escape(self._say('nothing'))}</p>\n"
        for group in GROUPS:
            own = [memory for memory in now if group_of(memory) == group and not is_about_manners(memory)]
            if own:
                heading = self.words(f"export.headings.{group}")
                yield f"<h4>{escape(heading)}</h4>\n<ul class=facts>\n"
                yield from map(self._fact, own)
                yield "</ul>\n"

    def _fact(self, memory: Memory) -> str:
        words = self.words
        notes = [self._say("heard", day=self._day(memory.known_at))]
        sources = words.some("export.sources")
        if memory.origin in sources:
            notes = [f"{self._day(memory.known_at)} {sources[memory.origin]}"]
        if self._day(memory.valid_at) != self._day(memory.known_at):
            notes.insert(0, self._say("since", day=self._day(memory.valid_at)))
        if memory.invalid_at is not None:
            notes.append(self._say("until", day=self._day(memory.invalid_at)))
        held = {"masked": memory.pii_flags, "pinned": memory.pinned, "doubtful": memory.doubtful}
        marks = [self._say(name) for name, holds in held.items() if holds]
        aside = " · ".join([*notes, *marks])
        return f"<li>{escape(sentence(memory, words.language))} <small>{escape(aside)}</small></li>\n"

    def _timeline(self) -> Iterator[str]:
        entries = sorted(self._entries(), key=lambda entry: entry[0])
        yield f"<h3>{escape(self._say('timeline'))}</h3>\n"
        for month, group in groupby(entries, key=lambda entry: self._month(entry[0])):
            yield f"<h4>{escape(month)}</h4>\n<ol class=timeline>\n"
            for at, kind, text in group:
                yield f"<li class={kind}><time>{escape(self._day(at))}</time> <span>{text}</span></li>\n"
            yield "</ol>\n"

    def _entries(self) -> Iterator[tuple[datetime, str, str]]:
        for memory in self.chapter.memories:
            if not is_conclusion(memory) and not is_about_manners(memory):
                yield self._local(memory.valid_at), "memory", self._entry(memory)
        for at, relationship in self.chapter.levels:
            yield self._local(at), "level", escape(closeness(relationship, self.words.language))
        names, language = self._names(), self.words.language
        for at, change in self.chapter.manners:
            yield self._local(at), "manner", escape(told_to_user(change_sentence(change, names, language), language))

    def _entry(self, memory: Memory) -> str:
        told = escape(sentence(memory, self.words.language))
        if memory.invalid_at is None:
            return told
        return f"<s>{told}</s> <small>{escape(self._say('until', day=self._day(memory.invalid_at)))}</small>"

    def _people(self) -> Iterator[str]:
        if not self.chapter.people:
            return
        yield f"<h3>{escape(self._say('people'))}</h3>\n<ul class=facts>\n"
        for entity in self.chapter.people:
            seen = self._say("seen", day=self._day(entity.last_seen), times=entity.interactions)
            yield f"<li>{escape(entity.name)} <small>{escape(seen)}</small></li>\n"
        yield "</ul>\n"

    def _talk(self) -> Iterator[str]:
        yield f"<h3>{escape(self._say('turns'))}</h3>\n"
        for month, turns in groupby(self.chapter.turns, key=lambda turn: self._month(turn.at)):
            yield f"<details>\n<summary>{escape(month)}</summary>\n"
            for day, some in groupby(turns, key=lambda turn: self._day(turn.at)):
                yield f"<h5>{escape(day)}</h5>\n<dl>\n"
                for turn in some:
                    yield from self._turn(turn)
                yield "</dl>\n"
            yield "</details>\n"

    def _turn(self, turn: Turn) -> Iterator[str]:
        names = self._names()
        for said in turn.utterances:
            kind = "mine" if said.speaker == USER else "theirs"
            who, at = names.get(said.speaker, said.speaker), self._local(said.at)
            yield f"<dt class={kind}>{escape(who)} <time>{at:%H:%M}</time></dt>\n"
            yield f"<dd class={kind}>{escape(said.text)}</dd>\n"

    def _names(self) -> dict[str, str]:
        scope = self.chapter.scope
        return {USER: scope.user or self._say("you"), CHARACTER: scope.character or self._say("character")}

    def _say(self, key: str, **values: object) -> str:
        return self.words(f"export.page.{key}", **values)

    def _local(self, at: datetime) -> datetime:
        return at.astimezone(self.zone)

    def _day(self, at: datetime) -> str:
        return dated(self.words, "export.day", self._local(at))

    def _month(self, at: datetime) -> str:
        return dated(self.words, "export.month", self._local(at))
