"""What a caller hands in: who said what, when and where."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime

from gieok.domain.emotion import Felt
from gieok.domain.trace import Trace
from gieok.domain.turn import CHARACTER, USER, checked_text
from gieok.errors import InvalidText


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """An exchange, not yet a turn."""

    lines: tuple[tuple[str, str], ...]  #: (speaker, text)
    at: datetime | None = None
    session: str | None = None
    turn_id: str | None = None
    channel: str | None = None
    present: tuple[str, ...] = ()
    cut_off: bool = False  #: the reply was broken off
    felt: tuple[Felt, ...] = ()  #: what somebody else than the classifier has read; it counts before it
    used: tuple[str, ...] = ()  #: ids of the memories that the reply was made with
    trace: Trace | None = None  #: how it came about, as far as is known by now; None: nobody wants to know

    def heard_by(self, character: str, speaker: str) -> Said:
        """Return the same exchange as `character` heard it from `speaker`, whose lines carry that name."""
        roles = {CHARACTER: speaker, character: CHARACTER}
        lines = tuple((roles.get(who, who), text) for who, text in self.lines)
        return replace(
            self, lines=lines, used=(), trace=None, present=tuple(who for who in self.present if who != character)
        )


def said(text: str | None, reply: str | None, speaker: str | None) -> tuple[tuple[str, str], ...]:
    """Return the checked lines of an exchange: `text` by `speaker` (the user), then `reply` by the character."""
    if text is None and reply is None:
        raise InvalidText("nothing was said: give a text, a reply, or both")
    lines = []
    if text is not None:
        lines.append((speaker or USER, checked_text(text, "text")))
    if reply is not None:
        lines.append((CHARACTER, checked_text(reply, "reply")))
    return tuple(lines)
