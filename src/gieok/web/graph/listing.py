"""The graph as a list, for keyboards and for those who listen: everybody, and what they are connected with, in full."""

from __future__ import annotations

from nicegui import ui

from gieok.domain.surroundings import Point, Surroundings
from gieok.web.graph.telling import Entry, View, address_of, among_memories, entries, name_of, relation_told
from gieok.web.kit import chip, said
from gieok.web.visitors import Visitor

_SHORT = 12  #: links that stand in one column


def listing(around: Surroundings, view: View, visitor: Visitor) -> None:
    words = visitor.words
    with ui.element("div").classes("n-people"):
        for entry in entries(around):
            with ui.element("div").classes("g-stack n-short" if len(entry.links) <= _SHORT else "g-stack"):
                _entry(entry, around, view, visitor)
    tied = list(among_memories(around))
    if tied:
        said(words("graph.among_memories"), "h3")
        with ui.element("ul").classes("n-links"):
            for newer, relation, older in tied:
                with ui.element("li"):
                    _link(newer, around, view, visitor)
                    chip(relation_told(relation, words))
                    _link(older, around, view, visitor)


def _entry(entry: Entry, around: Surroundings, view: View, visitor: Visitor) -> None:
    words, name = visitor.words, name_of(entry.point, visitor.scope, visitor.words)
    with ui.element("div").classes("g-row n-who"):
        said(name, "h3")
        if entry.point.hops:
            link = ui.link(words("graph.centre"), address_of(entry.point, view)).classes("g-small")
            link.props["aria-label"] = words("graph.centre_on", name=name)
    if not entry.links:
        said(words("graph.alone")).classes("g-dim g-small")
        return
    with ui.element("ul").classes("n-links"):
        for each in entry.links:
            with ui.element("li"):
                chip(relation_told(each.relation, words))
                _link(each.point, around, view, visitor)


def _link(point: Point, around: Surroundings, view: View, visitor: Visitor) -> None:
    words, name = visitor.words, name_of(point, visitor.scope, visitor.words)
    ui.link(name, address_of(point, view)).classes("n-link")
    if around.is_past(point):
        chip(words("graph.past"), "warn")
