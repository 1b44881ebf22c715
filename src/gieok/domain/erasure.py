"""What is to be erased, and what remains of it: a certificate that tells when and how much, but none of the words.

Names and words that were asked for are kept as salted digests: whoever knows them can check that a certificate is
about them, nobody can read them out of it.
"""

from __future__ import annotations

import hashlib
import json
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, Final

from gieok.domain.desk import Bounds
from gieok.domain.scope import Scope
from gieok.domain.turn import checked_moment
from gieok.errors import InvalidQuery

ANYWHERE: Final = Bounds()
SHORTEST: Final = 2  #: letters of a text that can be erased by matching: one letter stands everywhere


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """Which part of a scope is meant; what is None does not narrow. Without anything, all of it."""

    session: str | None = None
    turn: str | None = None
    matching: str | None = None  #: turns, memories and documents in which this stands, in either case
    since: datetime | None = None  #: said at this moment of the story or later …
    until: datetime | None = None  #: … and before this one

    @property
    def is_all(self) -> bool:
        return not any((self.session, self.turn, self.matching, self.since, self.until))

    def covers(self, at: datetime) -> bool:
        """Whether something that was said at `at` lies within the period."""
        return (self.since is None or at >= self.since) and (self.until is None or at < self.until)

    @property
    def has_period(self) -> bool:
        return self.since is not None or self.until is not None


EVERYTHING: Final = Part()


@dataclass(frozen=True, slots=True, kw_only=True)
class Erasing:
    """What is asked for: some scopes, and of these everything or a part."""

    bounds: Bounds = ANYWHERE
    scope: Scope | None = None  #: this one and no other
    part: Part = EVERYTHING

    def holds(self, scope: Scope) -> bool:
        """Whether something of `scope` is meant."""
        return scope == self.scope if self.scope is not None else self.bounds.hold(scope)


def checked_part(
    *,
    session: str | None = None,
    turn: str | None = None,
    matching: str | None = None,
    since: datetime | None = None,
    until: datetime | None = None,
) -> Part:
    """Return the part that is meant; raises `InvalidInput` where that cannot be told."""
    for name, given in (("session", session), ("turn", turn), ("matching", matching)):
        if given is not None and not given.strip():
            raise InvalidQuery(f"{name} is empty; leave it out, or say what is meant; nothing was erased")
    if matching is not None and len(matching.strip()) < SHORTEST:
        raise InvalidQuery(
            f"matching={matching!r} stands nearly everywhere; give {SHORTEST} letters at least; nothing was erased"
        )
    for name, moment in (("since", since), ("until", until)):
        if moment is not None:
            checked_moment(moment, name)
    if since is not None and until is not None and since >= until:
        raise InvalidQuery("since is not before until: nothing lies between; nothing was erased")
    text = None if matching is None else spelt(matching.strip())
    return Part(session=session, turn=turn, matching=text, since=since, until=until)


def checked(scope: Scope | None, *, user: str | None, character: str | None, world: str | None, part: Part) -> Erasing:
    """Return what is asked for; raises `InvalidQuery` where it would be more than somebody named."""
    bounds = Bounds(user=user, character=character, world=world)
    if scope is not None:
        if bounds != ANYWHERE:
            raise InvalidQuery("name the scope either by itself or by user, character and world; nothing was erased")
        return Erasing(scope=scope, part=part)
    if user is None and character is None:
        raise InvalidQuery("whose memory? name a user or a character at least; nothing was erased")
    named = Scope(user=user, character=character, world=world)  # the names are checked there
    return Erasing(bounds=Bounds(user=named.user, character=named.character, world=named.world), part=part)


def spelt(text: str) -> str:
    """Return `text` as it is compared: composed, in small letters."""
    return unicodedata.normalize("NFC", text).lower()


@dataclass(frozen=True, slots=True, kw_only=True)
class Certificate:
    """That something was erased. It holds nothing of what that was."""

    id: str
    at: datetime  #: wall time
    by: str  #: who asked for it: a person, a key, a pass
    salt: str
    subject: str  #: digest of the scope's names
    asked: Mapping[str, str] = field(default_factory=dict)  #: moments as they are, everything else as digests
    counts: Mapping[str, int] = field(default_factory=dict)  #: how much went, by what it was
    proven_at: datetime | None = None  #: when the files were free of it; None: that is not certain yet
    means: str = ""  #: how that was made sure
    hash: str = ""  #: over all of the above, once it is proven

    @property
    def proven(self) -> bool:
        return self.proven_at is not None

    @property
    def intact(self) -> bool:
        """Whether it says what it said when it was given out."""
        return self.proven and self.hash == _hash(self)

    def is_about(self, scope: Scope) -> bool:
        return self.subject == digest(self.salt, *_names(scope))


def drawn_up(
    *, id: str, at: datetime, by: str, salt: str, scope: Scope, part: Part, counts: Mapping[str, int]
) -> Certificate:
    """Return the certificate of an erasure that is not proven yet."""
    asked = {"all": "yes"} if part.is_all else {}
    for name in ("session", "turn", "matching"):
        if (given := getattr(part, name)) is not None:
            asked[name] = digest(salt, given)
    for name in ("since", "until"):
        if (moment := getattr(part, name)) is not None:
            asked[name] = moment.isoformat()
    return Certificate(
        id=id, at=at, by=by, salt=salt, subject=digest(salt, *_names(scope)), asked=asked, counts=dict(counts)
    )


def proven(certificate: Certificate, *, at: datetime, means: str) -> Certificate:
    """Return the certificate as it is given out."""
    sure = replace(certificate, proven_at=at, means=means)
    return replace(sure, hash=_hash(sure))


def unproven(certificate: Certificate) -> Certificate:
    """Return the certificate as it was drawn up: for other files than those that it was given out for."""
    return replace(certificate, proven_at=None, means="", hash="")


def digest(salt: str, *words: str) -> str:
    text = json.dumps([salt, *words], ensure_ascii=False)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _names(scope: Scope) -> tuple[str, str, str]:
    return (scope.user or "", scope.character or "", scope.world or "")


def _hash(certificate: Certificate) -> str:
    told: dict[str, Any] = {
        "id": certificate.id,
        "at": certificate.at.isoformat(),
        "by": certificate.by,
        "salt": certificate.salt,
        "subject": certificate.subject,
        "asked": dict(certificate.asked),
        "counts": dict(certificate.counts),
        "proven_at": None if certificate.proven_at is None else certificate.proven_at.isoformat(),
        "means": certificate.means,
    }
    text = json.dumps(told, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


@dataclass(frozen=True, slots=True, kw_only=True)
class ErasedScope:
    """What went of one scope, or would go."""

    scope: Scope
    counts: Mapping[str, int] = field(default_factory=dict)
    certificate: Certificate | None = None  #: None: a dry run, or there was nothing


@dataclass(frozen=True, slots=True, kw_only=True)
class Erasure:
    """What was erased, or would be."""

    scopes: tuple[ErasedScope, ...] = ()  #: those of which something went
    dry_run: bool = False
    held: tuple[Scope, ...] = ()  #: passed over by a scrub: a hold stands on them

    @property
    def counts(self) -> dict[str, int]:
        """How much went of all scopes together, by what it was."""
        total: dict[str, int] = {}
        for each in self.scopes:
            for name, count in each.counts.items():
                total[name] = total.get(name, 0) + count
        return total

    @property
    def certificates(self) -> tuple[Certificate, ...]:
        return tuple(each.certificate for each in self.scopes if each.certificate is not None)

    @property
    def turns(self) -> int:
        return self.counts.get("turns", 0)

    @property
    def memories(self) -> int:
        return self.counts.get("memories", 0)
