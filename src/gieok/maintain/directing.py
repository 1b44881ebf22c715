"""Directing: after a turn a model reads the last lines and leaves a note for the next reply, and what they changed.

A note is of use only while no other turn has come: one that is late is simply absent.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass
from typing import Final

from gieok.domain.carrying import Carrier, Present
from gieok.domain.judgement import Moment
from gieok.domain.living import PAIR
from gieok.domain.model import Prompt
from gieok.domain.operation import Direct, Operation
from gieok.domain.scope import Scope
from gieok.domain.things import DIRECTOR, Life, Note
from gieok.domain.turn import Turn
from gieok.errors import ModelFailed
from gieok.ids import new_id
from gieok.maintain.parties import parties
from gieok.ports import Clock, Model, Room, Store, View
from gieok.ports.applying import entry, held
from gieok.prompts.director import Direction, director_prompt
from gieok.prompts.quoting import Language

log = logging.getLogger(__name__)
_TURNS: Final = 8  #: the last ones, which a director reads


@dataclass(frozen=True, slots=True, kw_only=True)
class Director:
    """Has a model direct the next reply."""

    store: Store
    model: Model
    carrier: Carrier
    clock: Clock
    language: Language

    def direct(self, scope: Scope, turn: Turn) -> bool:
        """Leave a note after `turn`; return whether there is one. Another turn, or a director, may have come first."""
        with self.store.view(scope) as view:
            if not _is_last(view, turn):
                return False
            silent = view.forgotten_words()
            prompt = self._prompt(view, scope, turn, silent)
        try:
            direction = self.model.ask(prompt)
        except ModelFailed as trouble:
            log.warning("no director after this turn: %s", trouble)
            return False
        if not direction.note and not direction.deltas:
            return False
        who = f"{prompt.version} {self.model.name}"
        direct = Direct(note=direction.note, deltas=direction.deltas)
        return self.leave(scope, turn, direct, who=who, silent=silent)

    def leave(
        self, scope: Scope, turn: Turn, direct: Direct, *, who: str, silent: frozenset[str] | None = None
    ) -> bool:
        """Leave what a director said after `turn`, unless it is late; return whether it was left.

        It is late, too, when more has been forgotten than the words `silent`: the note may tell of it.
        """

        def act(room: Room) -> bool:
            if not _is_last(room, turn) or (silent is not None and room.forgotten_words() != silent):
                return False
            moment = Moment(
                at=turn.at, recorded_at=self.clock.now(), turn_number=room.turn_number, channel=turn.channel
            )
            asked = Operation(id=new_id(), kind="direct", moment=moment, who=who, request=direct, turn_id=turn.id)
            things = room.things_by_key([("relationship", PAIR), ("note", DIRECTOR)])
            done = self.carrier.carried_out(asked, Present(life=Life(things.items())))
            room.apply(entry(done, {}))
            return True

        return held(self.store, scope, act)

    def _prompt(self, view: View, scope: Scope, turn: Turn, silent: frozenset[str]) -> Prompt[Direction]:
        two = parties(view, scope, turn.at, self.language)
        said = (each for one in view.turns(_TURNS) for each in one.utterances if each.id not in silent)
        note = _note(view)
        return director_prompt(
            lines=two.lines(said),
            relationship=two.closeness,
            note_before=note.text if note is not None else "",
            user=two.user,
            character=two.character,
            language=self.language,
        )


def _is_last(view: View, turn: Turn) -> bool:
    """Whether `turn` is in force, the last one, and not directed yet."""
    known = view.turn(turn.id)
    if known is None or not known.says(turn) or known.number != view.turn_number:
        return False
    note = _note(view)
    return note is None or note.turn_number != known.number


def _note(view: View) -> Note | None:
    return Life(view.things_by_key([("note", DIRECTOR)]).items()).get(Note, DIRECTOR)
