"""What the settings say about personal data, as what masks a text."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import TYPE_CHECKING

from gieok.bank.checking import composed, listed
from gieok.domain.personal import PERSONAL_KINDS, Masked
from gieok.domain.scope import Scope
from gieok.domain.turn import CHARACTER, USER, checked_speaker, checked_text
from gieok.errors import InvalidQuery
from gieok.ports import Masker
from gieok.settings import Settings

if TYPE_CHECKING:
    from gieok.bank.memory_bank import MemoryBank
    from gieok.privacy.masking import Policy


def policy_of(settings: Settings) -> Policy:
    """Return what is done about each kind."""
    from gieok.privacy.masking import Policy

    return Policy({kind: getattr(settings, f"pii_{kind}") for kind in PERSONAL_KINDS})


def mask_of(settings: Settings) -> Masker:
    """Return what masks whatever is remembered, indexed, quoted and shown to models."""
    from gieok.privacy.masking import Mask

    return Mask(policy_of(settings), settings.language)


def log_mask_of(settings: Settings) -> Masker | None:
    """Return how the turn log keeps what was said; None: masked, as everything else."""
    if settings.pii_turns == "mask":
        return None
    if settings.pii_turns == "keep":
        return _as_said
    from gieok.privacy.masking import Mask, Policy

    return Mask(
        Policy({kind: "drop" if action != "keep" else "keep" for kind, action in policy_of(settings).actions.items()})
    )


def _as_said(text: str, consent: Collection[str] = (), beside: str = "") -> Masked:
    return Masked(text=text)


class Discretion:
    """The part of a `Mind` that lets nothing personal in: every text it is given passes here first."""

    _bank: MemoryBank
    key: Scope

    def _masked(self, text: str, name: str | None, consent: tuple[str, ...] = (), *, beside: str = "") -> str:
        """Return `text` as it may be kept; `name` is what a complaint about it calls it (None: it is not checked).

        `beside` is said along with it, and may tell what a bare number is.
        """
        said = text if name is None else checked_text(text, name)
        return self._bank.services.mask(composed(said), consent, composed(beside)).text

    def _names(self, names: Iterable[str], name: str, *, beside: str = "") -> tuple[str, ...]:
        """Return what people, places or tags are called; a number that somebody goes by is masked as any other."""
        return tuple(self._masked(each, None, beside=beside) for each in listed(names, name))

    def _role(self, name: str | None, *, beside: str = "") -> str | None:
        """Return the speaker that `name` means: the character and the user may be called by their names."""
        if name is None or name in (USER, CHARACTER):
            return name
        name = checked_speaker(name)
        if name in (self.key.character, self.key.user):
            return CHARACTER if name == self.key.character else USER
        return name if name == self.key.world else self._masked(name, None, beside=beside)


def agreed(consent: Iterable[str]) -> tuple[str, ...]:
    """Return the kinds of personal data that somebody agrees to have kept; raises `InvalidQuery` for others."""
    kinds = listed(consent, "consent")
    for kind in kinds:
        if kind not in PERSONAL_KINDS:
            raise InvalidQuery(f"unknown kind of personal data {kind!r}; choose from {', '.join(PERSONAL_KINDS)}")
    return kinds
