"""What a claim states, in the form of expectations: of whom, what, which value, yes or no, now or past."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from gieok.domain.claim import Claim, Polarity
from gieok.domain.decision import Decision, Ignore

#: Nothing was stored, but the claim was understood: there was nothing to close.
_UNDERSTOOD: Final = ("nothing_to_end", "nothing_to_retract")


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """One thing said of one subject."""

    subject: str  #: "user", "character", "world", or somebody else's name
    attribute: str
    value: str
    polarity: Polarity = "+"
    past: bool = False  #: it held once, and no longer does
    implied: bool = False  #: what "B, not A" says of A

    @property
    def current(self) -> bool:
        """Whether it says that something holds now."""
        return self.polarity == "+" and not self.past


def fold(text: str) -> str:
    """Return `text` without what makes no difference between values: spaces, letter case, ways to compose Hangul."""
    return "".join(unicodedata.normalize("NFC", text).split()).casefold()


def statements(claim: Claim, at: datetime) -> Iterator[Statement]:
    """Yield what `claim`, made at `at`, states; a free sentence states nothing that could be compared."""
    if claim.attribute is None or claim.value is None:
        if claim.attribute is not None:
            yield Statement(subject=_subject(claim), attribute=claim.attribute, value="", polarity="-")
        return
    ended = claim.act in ("end", "retract") or claim.polarity == "-"
    past = claim.invalid_at is not None and claim.invalid_at <= at
    said = Statement(
        subject=_subject(claim),
        attribute=claim.attribute,
        value=claim.value,
        polarity="-" if ended else "+",
        past=past,
    )
    yield said
    if claim.instead_of is not None:
        yield Statement(
            subject=said.subject, attribute=said.attribute, value=claim.instead_of, polarity="-", implied=True
        )


def stored(decisions: Iterable[Decision]) -> Iterator[Claim]:
    """Yield the claims that were believed, and those understood as ending what was not known anyway."""
    for decision in decisions:
        if not isinstance(decision, Ignore) or decision.why in _UNDERSTOOD:
            yield decision.claim


def _subject(claim: Claim) -> str:
    return claim.subject if claim.subject != "other" else claim.subject_id
