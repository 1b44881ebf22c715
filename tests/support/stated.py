"""A reader that is told what each utterance claims, for tests of what becomes of claims."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from gieok.domain.claim import Claim, claim_id
from gieok.domain.memory import Background
from gieok.domain.scope import Scope
from gieok.domain.turn import Turn, Utterance


class StatedReader:
    """Reads the claims that belong to an utterance's text; in other words it reads nothing."""

    name = "stated/1"

    def __init__(self, stated: Mapping[str, Sequence[Claim]]) -> None:
        self.stated = stated

    def claims(self, turn: Turn, scope: Scope, before: Sequence[Utterance], background: Background) -> list[Claim]:
        return [
            replace(claim, id=claim_id(said.id, number), source_id=said.id)
            for said in turn.utterances
            for number, claim in enumerate(self.stated.get(said.text, ()))
        ]
