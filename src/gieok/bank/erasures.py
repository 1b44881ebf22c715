"""Erasing for good, keeping for as long as is laid down, and what remains: certificates."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, Final

from gieok.bank.backstage import Backstage
from gieok.bank.roll import every_scope
from gieok.domain.erasure import Certificate, ErasedScope, Erasing, Erasure, checked, checked_part, drawn_up
from gieok.domain.erasure import ErasurePart as Part
from gieok.domain.memory import Hold, Provisions, checked_days
from gieok.domain.scope import Scope
from gieok.domain.server_state import Bounds
from gieok.errors import InvalidQuery, UnderHold
from gieok.ids import new_id

if TYPE_CHECKING:
    from gieok.bank.memory_bank import MemoryBank
    from gieok.bank.services import Services
    from gieok.ports import Clock, Store
    from gieok.settings import Settings

_ALL: Final = 1_000_000_000
PERSON: Final = "person"


class Erasures:
    """The part of a `MemoryBank` that erases."""

    store: Store
    services: Services
    clock: Clock
    settings: Settings
    _backstage: Backstage

    def erase(
        self,
        scope: Scope | None = None,
        *,
        user: str | None = None,
        character: str | None = None,
        world: str | None = None,
        session: str | None = None,
        turn: str | None = None,
        matching: str | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
        by: str = PERSON,
        dry_run: bool = False,
        prove: bool = True,
    ) -> Erasure:
        """Erase what is named, for good, from the tables and from what they leave in the files; tell how much it was.

        Either one scope, or all scopes of a user, a character, a user with a character …; of these everything, or the
        turns of a `session`, one `turn`, those in which `matching` stands, or what was said in a period of the story.
        Conditions narrow one another. Nothing of another scope is touched. Raises `UnderHold` before anything goes, and
        `ErasureUnproven` if it is gone from the tables but the files may still tell it; `prove()` tries that again.
        """
        part = checked_part(session=session, turn=turn, matching=matching, since=since, until=until)
        asked = checked(scope, user=user, character=character, world=world, part=part)
        return self.erase_asked(asked, by=by, dry_run=dry_run, prove=prove)

    def erase_asked(self, asked: Erasing, *, by: str = PERSON, dry_run: bool = False, prove: bool = True) -> Erasure:
        """Erase what `asked` says."""
        scopes = self._meant(asked)
        if dry_run:
            would = ((each, self._would_go(each, asked.part)) for each in scopes)
            return Erasure(
                scopes=tuple(ErasedScope(scope=each, counts=counts) for each, counts in would if any(counts.values())),
                dry_run=True,
            )
        self._check_holds(scopes)
        found = [self._erased(each, asked.part, by) for each in scopes]
        return self._given_out([each for each in found if each is not None], prove=prove)

    def scrub(
        self, scopes: Iterable[Scope] | None = None, *, by: str = "scrub", dry_run: bool = False, prove: bool = True
    ) -> Erasure:
        """Erase what was forgotten or is past its time in these scopes (None: in all); pass over those under a hold.

        Also proves what was erased earlier and could not be proven then.
        """
        scrubber = self.services.scrubber
        found, held = [], []
        for scope in every_scope(self.store) if scopes is None else scopes:
            if self.provisions(scope).hold is not None:
                held.append(scope)
            elif dry_run:
                found.append(ErasedScope(scope=scope, counts=scrubber.counts(scope)))
            else:
                with self._backstage.away_from(scope):
                    certificate = scrubber.scrub(scope, by=by)
                if certificate is not None:
                    found.append(ErasedScope(scope=scope, certificate=certificate))
        if dry_run:
            return Erasure(scopes=tuple(each for each in found if each.counts), dry_run=True, held=tuple(held))
        if prove and not found:
            self._prove_the_rest()
        return replace(self._given_out(found, prove=prove), held=tuple(held))

    def prove(self) -> list[Certificate]:
        """Rid the files of what erased rows left there; return the certificates that are given out for it."""
        return self.store.prove(self.clock.now(), seconds=self.settings.erase_seconds)

    def certificates(self, limit: int = 100) -> list[Certificate]:
        """Return what remains of erasures, the latest first."""
        return self.store.certificates(limit)

    def hold(self, scope: Scope, *, by: str = PERSON, why: str = "") -> Hold:
        """Let nothing of a scope go, neither by a call nor by its age, until it is released."""
        if not by.strip():
            raise InvalidQuery("who puts the hold on it? give a name as `by`; nothing was changed")
        hold = Hold(since=self.clock.now(), by=by, why=why)
        self.store.put_hold(scope, hold)
        return hold

    def release(self, scope: Scope) -> None:
        """Take the hold off a scope; one without stays as it is."""
        self.store.put_hold(scope, None)

    def keep_for(self, scope: Scope, days: Mapping[str, float | None] | None) -> None:
        """Lay down for how many days a scope keeps each type of memory (None: for good), whatever the settings say.

        Without `days` it is again as the settings say.
        """
        self.store.put_retention(scope, None if days is None else checked_days(days))

    def provisions(self, scope: Scope) -> Provisions:
        """Return what was laid down for a scope: a hold, and how long it keeps things."""
        with self.store.view(scope) as view:
            return view.provisions

    def _meant(self, asked: Erasing) -> list[Scope]:
        if asked.scope is not None:
            return [asked.scope]
        bounds: list[Bounds] = [asked.bounds]
        return [each.scope for each in self.store.latest_scopes(_ALL, within=bounds)]

    def _would_go(self, scope: Scope, part: Part) -> dict[str, int]:
        if part.is_all:
            return self.store.holdings(scope, self.services.lister.present(scope)).counts
        return self.services.eraser.counts(scope, part)

    def _check_holds(self, scopes: Iterable[Scope]) -> None:
        for scope in scopes:
            hold = self.provisions(scope).hold
            if hold is not None:
                raise UnderHold(str(scope), hold.by, hold.why)

    def _erased(self, scope: Scope, part: Part, by: str) -> ErasedScope | None:
        with self._backstage.away_from(scope):
            if not part.is_all:
                certificate = self.services.eraser.erase(scope, part, by=by)
                return None if certificate is None else ErasedScope(scope=scope, certificate=certificate)
            certificate = drawn_up(
                id=new_id(), at=self.clock.now(), by=by, salt=new_id(), scope=scope, part=part, counts={}
            )
            self.store.erase(scope, self.services.lister.present(scope), certificate)
            return ErasedScope(scope=scope, certificate=certificate)

    def _given_out(self, found: Iterable[ErasedScope], *, prove: bool) -> Erasure:
        """Return what was erased with its certificates as they are kept, proven if that is wanted."""
        erased = list(found)
        if prove and erased:
            self.prove()
        kept = []
        for each in erased:
            assert each.certificate is not None, "whatever is erased has a certificate"
            certificate = self.store.certificate(each.certificate.id) or each.certificate
            kept.append(replace(each, certificate=certificate, counts=certificate.counts))
        return Erasure(scopes=tuple(kept))

    def _prove_the_rest(self) -> None:
        if any(not each.proven for each in self.certificates(_ALL)):
            self.prove()


class Forgetting:
    """The part of a `Mind` that erases."""

    _bank: MemoryBank
    key: Scope

    def erase(
        self,
        *,
        session: str | None = None,
        turn: str | None = None,
        matching: str | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
        by: str = PERSON,
        dry_run: bool = False,
        prove: bool = True,
    ) -> Erasure:
        """Erase a part of this mind, for good: see `MemoryBank.erase`. All of it: `bank.erase(mind.key)`."""
        part = checked_part(session=session, turn=turn, matching=matching, since=since, until=until)
        if part.is_all:
            raise InvalidQuery(
                "what is to go? give a session, a turn, matching words or a period; all of it: bank.erase(mind.key)"
            )
        return self._bank.erase_asked(Erasing(scope=self.key, part=part), by=by, dry_run=dry_run, prove=prove)

    def forget_said(
        self,
        when: str | None = None,
        *,
        since: datetime | None = None,
        until: datetime | None = None,
        by: str = PERSON,
        dry_run: bool = False,
    ) -> Erasure:
        """Erase what was said at a time: "지난주 화요일", "last Tuesday", or from `since` to before `until`."""
        if when is not None:
            since, until = self.period(when)
        if since is None and until is None:
            raise InvalidQuery('when was it said? give "지난주 화요일", or since and until; nothing was erased')
        return self.erase(since=since, until=until, by=by, dry_run=dry_run)

    def scrub(self, *, by: str = "scrub", dry_run: bool = False, prove: bool = True) -> Erasure:
        """Erase what was forgotten or is past its time here; raises `UnderHold`."""
        hold = self._bank.provisions(self.key).hold
        if hold is not None:
            raise UnderHold(str(self.key), hold.by, hold.why)
        return self._bank.scrub([self.key], by=by, dry_run=dry_run, prove=prove)

    def period(self, when: str) -> tuple[datetime | None, datetime | None]:
        """Return the time that words name in the story: from its first moment to before its last; None: open."""
        from gieok.language.periods import asked_periods

        bank = self._bank
        found = asked_periods(when, bank.services.lister.present(self.key), bank.settings.zone)
        if len(found) != 1:
            raise InvalidQuery(
                f"{when!r} names {'several times' if found else 'no time that is known'}; say it like 지난주 화요일, "
                "yesterday or 2026-03-15, or give since and until; nothing was erased"
            )
        return found[0].start, found[0].end
