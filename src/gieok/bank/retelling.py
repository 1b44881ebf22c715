"""What a mind can take back, and be told anew: turns, replies, words, memories."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import TYPE_CHECKING, Any

from gieok.bank.privacy import agreed
from gieok.domain.answer import Context, ModelCall, Observed
from gieok.domain.emotion import Felt
from gieok.domain.memory import Memory
from gieok.domain.scope import Scope
from gieok.domain.turn import CHARACTER, Turn
from gieok.errors import InvalidQuery, UnknownTurn
from gieok.observe.said import said

if TYPE_CHECKING:
    from gieok.bank.memory_bank import MemoryBank


class Retelling:
    """The part of a `Mind` that goes back in the story."""

    _bank: MemoryBank
    key: Scope

    if TYPE_CHECKING:

        def observe(self, *arguments: Any, **options: Any) -> Observed: ...
        def _moment(self, at: datetime | None) -> datetime: ...
        def _operation_of(self, memory_id: str, version: int | None) -> str: ...

    def rewind(self, turn_id: str, *more: str, following: bool = False, at: datetime | None = None) -> tuple[str, ...]:
        """Take a turn (and `more`) back with all it caused, with `following` every turn after the first as well.

        What came after is judged again as if it had never been said. Returns the ids of the turns taken back, which
        may be used again.
        """
        rewinder = self._bank.services.rewinder
        return rewinder.rewind(self.key, (turn_id, *more), following=following, at=self._moment(at))

    def restore(
        self,
        memory_id: str,
        operation_id: str | None = None,
        *,
        version: int | None = None,
        at: datetime | None = None,
        if_version: int | None = None,
    ) -> Memory:
        """Let a memory be again what it was in a `version`, or after an operation of its `history`.

        Also a forgotten one: its words come back, and whether it holds. What took its place since, and cannot be true
        beside it, was never true then. Nothing leaves the history: this is one more entry.
        """
        if (operation_id is None) == (version is None):
            raise InvalidQuery("name either the operation of its history or the version that it shall be again")
        if operation_id is None:
            operation_id = self._operation_of(memory_id, version)
        return self._bank.services.editor.restore(
            self.key, memory_id, operation_id, at=self._moment(at), if_version=if_version
        )

    def reroll(self, turn_id: str, reply: str, *, context: Context | None = None) -> Observed:
        """Give the character another reply in a turn; the first one, and what came after it, is taken back."""
        said = [utterance for utterance in self._turn(turn_id).utterances if utterance.speaker != CHARACTER]
        text = said[0].text if said else None
        return self.instead(turn_id, text, reply=reply, context=context, consent=self._agreed_before(text))

    def edit(
        self, turn_id: str, *, text: str | None = None, reply: str | None = None, consent: Iterable[str] = ()
    ) -> Observed:
        """Put other words into an earlier turn; what is not given stays. What came after it is taken back."""
        own = {utterance.speaker == CHARACTER: utterance.text for utterance in self._turn(turn_id).utterances}
        stays = [own.get(False) if text is None else None, own.get(True) if reply is None else None]
        kinds = (*agreed(consent), *(kind for each in stays for kind in self._agreed_before(each)))
        return self.instead(turn_id, text or own.get(False), reply=reply or own.get(True), consent=kinds)

    def instead(
        self,
        turn_id: str,
        text: str | None = None,
        *,
        reply: str | None = None,
        context: Context | None = None,
        cut_off: bool = False,
        felt: Iterable[Felt] = (),
        calls: Iterable[ModelCall] = (),
        consent: Iterable[str] = (),
    ) -> Observed:
        """Put another exchange in the place of a turn: it, and what came after it, is taken back."""
        kinds = agreed(consent)
        turn = self._turn(turn_id)
        said(text, reply, None)  # raises before anything is taken back
        speaker = next((each.speaker for each in turn.utterances if each.speaker != CHARACTER), None)
        for scope in (self.key, *(self.key.beside(character) for character in turn.present)):
            self._taken_back(scope, turn.id, turn.at)
        return self.observe(
            text,
            reply=reply,
            at=turn.at,
            session=turn.session,
            turn_id=turn.id,
            speaker=speaker,
            present=turn.present,
            channel=turn.channel,
            context=context,
            cut_off=cut_off,
            felt=felt,
            calls=calls,
            consent=kinds,
        )

    def _agreed_before(self, text: str | None) -> tuple[str, ...]:
        """Return the kinds of personal data that stand in words of the log: somebody agreed to them then."""
        if text is None or self._bank.settings.pii_turns == "keep":
            return ()
        from gieok.privacy.masking import held

        return held(text)

    def _taken_back(self, scope: Scope, turn_id: str, at: datetime) -> None:
        """Take a turn and what came after it back, also where somebody else heard it."""
        with self._bank.store.view(scope) as view:
            known = view.turn(turn_id) is not None
        if known:
            self._bank.services.rewinder.rewind(scope, (turn_id,), following=True, at=at)

    def _turn(self, turn_id: str) -> Turn:
        with self._bank.store.view(self.key) as view:
            turn = view.turn(turn_id)
        if turn is None:
            raise UnknownTurn(turn_id)
        return turn
