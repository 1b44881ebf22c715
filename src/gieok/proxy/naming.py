"""Whom a request is about: the user, the character and the world, wherever a client can put their names."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import quote, unquote

from gieok.domain.desk import Bounds
from gieok.domain.scope import Scope
from gieok.errors import InvalidScope
from gieok.proxy.faults import no_character

_OURS: Final = "gieok"


@dataclass(frozen=True, slots=True, kw_only=True)
class Named:
    """What a request names."""

    scope: Scope
    session: str | None  #: None: the client does not say
    ours: bool  #: its model is a character: another one has to answer
    model: str | None  #: the one that is asked for by name


@dataclass(frozen=True, slots=True, kw_only=True)
class _Model:
    ours: bool = False
    world: str | None = None
    character: str | None = None
    model: str | None = None


def named(headers: Mapping[str, str], fields: Mapping[str, Any], *, home: Bounds, user: str) -> Named:
    """Return what a request names: its headers first, then its model, its `user`, whoever's key it is, then `user`.

    Raises `Fault` where no character is named, and `InvalidScope`.
    """
    model = _read(fields.get("model"))
    given = fields.get("user")
    who = _header(headers, "x-gieok-user") or (given if isinstance(given, str) and given.strip() else None)
    character = _header(headers, "x-gieok-character") or model.character or home.character
    if character is None:
        raise no_character()
    return Named(
        scope=Scope(
            user=who or _header(headers, "x-openwebui-user-id") or home.user or user,
            character=character,
            world=_header(headers, "x-gieok-world") or model.world or home.world,
        ),
        session=_header(headers, "x-gieok-session") or _header(headers, "x-openwebui-chat-id"),
        ours=model.ours,
        model=model.model,
    )


def model_name(scope: Scope) -> str:
    """Return the model that means the character of `scope`."""
    names = [name for name in (scope.world, scope.character) if name is not None]
    return "/".join([_OURS, *(quote(name, safe=" ") if set(name) & set("/@%") else name for name in names)])


def _read(model: object) -> _Model:
    """Read gieok/letia, gieok/academy/letia and gieok/letia@gpt-4o; names may be percent-encoded."""
    if not isinstance(model, str):
        return _Model()
    name, _, upstream = model.strip().partition("@")
    prefix, _, rest = name.partition("/")
    if prefix.strip().lower() != _OURS:
        return _Model()
    world, slash, character = rest.rpartition("/")
    return _Model(
        ours=True,
        world=unquote(world).strip() or None if slash else None,
        character=unquote(character).strip() or None,
        model=upstream.strip() or None,
    )


def _header(headers: Mapping[str, str], name: str) -> str | None:
    """Return a header that may be UTF-8, as it is or percent-encoded."""
    value = headers.get(name, "")
    try:  # read with a � for each letter, the names of two users could become one
        if not value.isascii():
            value = value.encode("latin-1").decode()
        return unquote(value, errors="strict").strip() or None
    except UnicodeError as cause:
        raise InvalidScope(f"{name} is not UTF-8; percent-encode it (민수 is %EB%AF%BC%EC%88%98)") from cause
