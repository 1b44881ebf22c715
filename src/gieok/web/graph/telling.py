"""What the graph tells, as values: names, relations in words, and the list of who is connected with what."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from urllib.parse import urlencode

from gieok.domain.attributes import SCHEMA
from gieok.domain.scope import Scope
from gieok.domain.surroundings import TIES, Point, Surroundings
from gieok.web.paths import PATHS
from gieok.web.wording import Words

BOTH = "both"  #: where one starts, unless somebody is chosen


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """How the graph is looked at; the address of the page says it."""

    of: str = BOTH  #: a point's id
    hops: int = 1
    relations: frozenset[str] = field(default_factory=frozenset)  #: empty: all

    @property
    def start(self) -> str | None:
        return None if self.of == BOTH else self.of

    @property
    def address(self) -> str:
        asked = [("of", self.of), ("hops", str(self.hops)), *(("relation", each) for each in sorted(self.relations))]
        return f"{PATHS['graph']}?{urlencode(asked)}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Linked:
    """One connection of somebody, as the list tells it."""

    relation: str
    point: Point  #: at the other end


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """Somebody (or a memory), and everything they are connected with."""

    point: Point
    links: tuple[Linked, ...]


def name_of(point: Point, scope: Scope | None, words: Words) -> str:
    """Return what a point is called, in full."""
    if point.memory is not None:
        return point.memory.content
    if point.kind == "person":
        return point.name
    own = scope and {"user": scope.user, "character": scope.character, "world": scope.world}[point.id]
    return own or words(f"graph.{point.id}")


def relation_told(relation: str, words: Words) -> str:
    """Return a relation in words: an attribute, a content type or a tie."""
    if relation in TIES:
        return words(f"graph.ties.{relation}")
    if relation.startswith("favorite."):
        thing = relation.removeprefix("favorite.")
        return words.some("shared.favorites").get(thing, f"{words('shared.attributes.favorite')}: {thing}")
    if relation in SCHEMA:
        return words.some("shared.attributes").get(relation, relation)
    return words.some("shared.types").get(relation, relation)


def entries(around: Surroundings) -> Iterator[Entry]:
    """Yield everybody with what they are connected with, the nearest first."""
    by_id = {point.id: point for point in around.points}
    for point in around.points:
        if point.kind != "memory":
            links = (Linked(relation=tie.relation, point=by_id[other]) for tie, other in around.tied_to(point.id))
            yield Entry(point=point, links=tuple(sorted(links, key=_order)))


def among_memories(around: Surroundings) -> Iterator[tuple[Point, str, Point]]:
    """Yield what ties two memories to one another: the newer one, how, and the older one."""
    by_id = {point.id: point for point in around.points}
    for tie in around.ties:
        one, other = by_id[tie.one], by_id[tie.other]
        if one.kind == other.kind == "memory":
            yield one, tie.relation, other


def address_of(point: Point, view: View) -> str:
    """Return where one goes from a point: a memory's own page, or the graph around somebody."""
    if point.memory is not None:
        return f"{PATHS['memories']}?{urlencode({'memory': point.memory.id})}"
    return View(of=point.id, hops=view.hops, relations=view.relations).address


def counted(around: Surroundings) -> tuple[int, int]:
    """Return how many people and how many memories there are."""
    memories = sum(point.kind == "memory" for point in around.points)
    return len(around.points) - memories, memories


def _order(link: Linked) -> tuple[bool, str]:
    return (link.point.kind == "memory", link.relation)
