"""Whom a mind knows: people."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Annotated

import typer

from gieok.cli.console import answers, print_json
from gieok.cli.opening import Names, known_mind, open_to_read
from gieok.cli.options import AsJson, At, BankPath, Character, User, World
from gieok.cli.relating import speaking_for
from gieok.domain.typed_moments import moment
from gieok.errors import InvalidQuery, UnknownPerson

if TYPE_CHECKING:
    from gieok.bank import MemoryBank, Mind
    from gieok.domain.entity import Entity
    from gieok.domain.memory import Memory

_COURSE = 12  #: how many turns of a sentiment are shown


def people(
    name: Annotated[
        str | None, typer.Argument(metavar="NAME", help="Show all about one of them.", show_default=False)
    ] = None,
    same_as: Annotated[
        str | None,
        typer.Option("--same-as", metavar="OTHER", help="NAME and OTHER are one person.", show_default=False),
    ] = None,
    apart_from: Annotated[
        str | None,
        typer.Option("--apart-from", metavar="OTHER", help="NAME and OTHER are two after all.", show_default=False),
    ] = None,
    limit: Annotated[int, typer.Option("--limit", min=0, help="How many of the most frequent; 0: all.")] = 30,
    at: At = None,
    bank: BankPath = None,
    user: User = None,
    character: Character = None,
    world: World = None,
    as_json: AsJson = False,
) -> None:
    """List the people that were spoken of, or show one of them."""
    _check(name, same_as, apart_from)
    with open_to_read(bank) as opened:
        mind = known_mind(opened, Names(user, character, world))
        if name is None:
            _print_all(opened, mind, limit, as_json)
            return
        if same_as is not None:
            _join(mind, name, same_as, moment(at, opened.settings.zone))
        if apart_from is not None:
            _part(mind, name, apart_from, moment(at, opened.settings.zone))
        _print_one(opened, mind, _known(mind, name), as_json)


def _check(name: str | None, same_as: str | None, apart_from: str | None) -> None:
    if same_as is not None and apart_from is not None:
        raise InvalidQuery("--same-as and --apart-from take each other back; give one of them")
    if name is None and (same_as is not None or apart_from is not None):
        raise InvalidQuery("whom? name both: gieok people 지훈 --same-as 지훈쌤")


def _print_all(opened: MemoryBank, mind: Mind, limit: int, as_json: bool) -> None:
    everybody = mind.frequent_contacts(limit or len(mind.entities()))
    if as_json:
        from gieok.cli.living_records import entity_record

        print_json([entity_record(entity) for entity in everybody])
        return
    from gieok.cli.look.people import people_table

    answers().print(people_table(everybody, speaking_for(mind, opened.settings)))


def _print_one(opened: MemoryBank, mind: Mind, entity: Entity, as_json: bool) -> None:
    facts, regards = _facts(mind, entity), mind.regards(entity.id)[-_COURSE:]
    if as_json:
        from gieok.cli.living_records import profile_record

        print_json(profile_record(entity, facts, regards))
        return
    from gieok.cli.look.people import profile

    answers().print(profile(entity, facts, regards, speaking_for(mind, opened.settings)))


def _join(mind: Mind, name: str, other: str, at: datetime | None) -> None:
    one, another = _known(mind, name), _known(mind, other)
    if one.id == another.id:
        raise InvalidQuery(f"{name!r} and {other!r} are one person already; --apart-from tells them apart")
    mind.same_person(one.name, another.name, at=at)


def _part(mind: Mind, name: str, other: str, at: datetime | None) -> None:
    if name == other or _known(mind, name).id != _known(mind, other).id:
        raise InvalidQuery(f"{name!r} and {other!r} are not one person; `gieok people` lists whom it knows")
    mind.different_people(name, other, at=at)


def _known(mind: Mind, name: str) -> Entity:
    """Return the one who goes by `name`, with or without the 이 that is said after a name: 지훈이."""
    try:
        return mind.entity(name)
    except UnknownPerson:
        bare = name.removesuffix("이")
        if bare == name or not bare:
            raise
        try:
            return mind.entity(bare)
        except UnknownPerson:
            raise UnknownPerson(name) from None


def _facts(mind: Mind, entity: Entity) -> list[Memory]:
    """Return what is true of somebody, by whatever name it was told."""
    names = dict.fromkeys((entity.name, entity.display_name, *entity.aliases))
    found = [memory for name in names for each in (name, f"{name}이") for memory in mind.facts(about=each)]
    return list({memory.id: memory for memory in found if memory.subject == "other"}.values())
