"""Writing the audit log: every deed in the transaction of what it tells, behind the one before it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from secrets import token_hex
from typing import Any, Final

from gieok.domain.acting import Actor
from gieok.domain.audit import (
    ERASED,
    READ,
    REVISED,
    Content,
    Deed,
    canonical,
    first_link,
    link_of,
    names_digest,
)
from gieok.domain.scope import Scope
from gieok.stores.tables.connection import Connection, Row
from gieok.stores.tables.moments import microseconds, moment
from gieok.stores.tables.scope_ids import first_id, last_id, number_of, numbered
from gieok.stores.tables.snapshot import standing

COLUMNS: Final = (
    "id", "recorded_at", "act", "operation", "turn", "covers", "actor_kind", "actor", "who", "name_salt", "names",
    "targets", "why", "record", "salt", "digest", "link",
)  # fmt: skip
#: What may say something of somebody: it goes with an erased scope.
_TELLING: Final = ("actor_kind", "actor", "who", "name_salt", "targets", "why", "record", "salt")
_AT_ONCE: Final = 5_000
OF_BANK: Final = 0  #: in place of a scope's id: the chain of what belongs to no scope
_SALT_BYTES: Final = 16


@dataclass(slots=True)
class ChainEnd:
    """The end of a scope's chain while something is written to it."""

    connection: Connection
    scope_id: int
    mark: str
    since: int
    length: int
    head: str

    def append(
        self,
        act: str,
        at: datetime,
        actor: Actor,
        *,
        who: str = "",
        why: str = "",
        targets: Sequence[str] = (),
        operation: int | None = None,
        turn: int | None = None,
        record: str | None = None,
        covers: Sequence[tuple[int, int]] | None = None,
        content: Content | None = None,
    ) -> None:
        """Write a deed; `content` has heard what it tells beside its own row."""
        content = content or new_content()
        name_salt, listed = token_hex(_SALT_BYTES), canonical(list(targets))
        deed = Deed(
            number=self.length + 1,
            at=at,
            recorded_at=microseconds(at),
            act=act,
            operation=operation,
            turn=turn,
            covers=None if covers is None else canonical([list(each) for each in covers]),
            actor=actor,
            who=who,
            name_salt=name_salt,
            names=names_digest(name_salt, actor, who),
            targets=listed,
            why=why,
            record=record,
            salt=content.salt,
            digest=content.digest(targets=listed, why=why, record=record),
            link="",
        )
        deed = replace(deed, link=link_of(self.head or first_link(self.mark, self.since), self.mark, deed))
        self.connection.run("insert_deed", **deed_row(deed, self.scope_id))
        self.length, self.head = deed.number, deed.link

    def close(self) -> None:
        """Keep where the chain ends, so that nobody cuts a piece off unnoticed."""
        self.connection.run("set_chain_end", scope_id=self.scope_id, length=self.length, head=self.head)


def new_content() -> Content:
    return Content(token_hex(_SALT_BYTES))


def chain_end(connection: Connection, scope_id: int, *, operations: int = 0) -> ChainEnd:
    """Return the end of a scope's chain, which begins here, behind so many operations, if it has none."""
    row = connection.row("find_chain", scope_id=scope_id)
    if row is None:
        row = (token_hex(16), operations, 0, "")
        put_chain(connection, scope_id, row)
    return ChainEnd(connection, scope_id, *row)


def put_chain(connection: Connection, scope_id: int, chain: Row) -> None:
    mark, since, length, head = chain
    connection.run("put_chain", scope_id=scope_id, mark=mark, since=since, length=length, head=head)


def deed_row(deed: Deed, scope_id: int) -> dict[str, Any]:
    return {
        "id": numbered(scope_id, deed.number),
        "recorded_at": deed.recorded_at,
        "act": deed.act,
        "operation": deed.operation,
        "turn": deed.turn,
        "covers": deed.covers,
        "actor_kind": None if deed.actor is None else deed.actor.kind,
        "actor": None if deed.actor is None else deed.actor.name,
        "who": deed.who,
        "name_salt": deed.name_salt,
        "names": deed.names,
        "targets": deed.targets,
        "why": deed.why,
        "record": deed.record,
        "salt": deed.salt,
        "digest": deed.digest,
        "link": deed.link,
    }


def deed_from(row: Row) -> Deed:
    values: Mapping[str, Any] = dict(zip(COLUMNS, row, strict=True))
    kind, name = values["actor_kind"], values["actor"]
    rest = {each: values[each] for each in COLUMNS if each not in ("id", "actor_kind", "actor")}
    return Deed(
        number=number_of(values["id"]),
        at=moment(values["recorded_at"], 0),
        actor=None if kind is None or name is None else Actor(kind=kind, name=name),
        **rest,
    )


def note_read(connection: Connection, scope: Scope, actor: Actor, route: str, at: datetime) -> bool:
    connection = connection.owned_by(scope.user or "")
    connection.hold(str(scope))
    here = standing(connection, scope)
    if not here.scope_id:
        return False
    end = chain_end(connection, here.scope_id, operations=here.operation_number)
    end.append(READ, at, actor, why=route)
    end.close()
    return True


def note_of_bank(connection: Connection, act: str, actor: Actor, *, targets: Sequence[str], why: str = "") -> None:
    """Tell of something that belongs to no scope."""
    nobody = connection.owned_by("")
    nobody.hold("the bank's own chain")
    end = chain_end(nobody, OF_BANK)
    end.append(act, datetime.now(UTC), actor, who="person", why=why, targets=targets)
    end.close()


def revised(
    end: ChainEnd, number: int, before: Sequence[str], after: Sequence[str], *, at: datetime, actor: Actor, why: str
) -> None:
    """Tell that a rewind gave operation `number` another outcome. What the journal told until now is kept here."""
    content = new_content().passing(after)
    end.append(REVISED, at, actor, who="rewind", why=why, operation=number, record="\n".join(before), content=content)


def close_chain(connection: Connection, scope_id: int, *, at: datetime, actor: Actor) -> None:
    """Erase all that the chain of a scope tells, names too, and leave its digests with nobody's name on them."""
    row = connection.row("find_chain", scope_id=scope_id)
    if row is None:
        return
    nobody = connection.owned_by("")
    for first in range(first_id(scope_id), numbered(scope_id, row[2]) + 1, _AT_ONCE):
        place = {"low": first, "high": min(first + _AT_ONCE - 1, last_id(scope_id))}
        kept = [_bare(each) for each in connection.read("audit", COLUMNS, "id", **place)]
        connection.run("erase_deeds", **place)
        if kept:
            nobody.fill("audit", kept)
    connection.run("erase_chain", scope_id=scope_id)
    put_chain(nobody, scope_id, row)
    end = chain_end(nobody, scope_id)
    end.append(ERASED, at, actor)
    end.close()


def _bare(row: Row) -> dict[str, Any]:
    values = dict(zip(COLUMNS, row, strict=True))
    return values | dict.fromkeys(_TELLING)


def drop_chain(connection: Connection, scope_id: int) -> None:
    """Drop a chain that is about to be put there again, longer."""
    connection.run("erase_deeds", low=first_id(scope_id), high=last_id(scope_id))
    connection.run("erase_chain", scope_id=scope_id)
