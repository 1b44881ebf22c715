"""A reader that is not always sure, for tests of doubtful memories."""

from collections.abc import Sequence

from gieok.domain.attributes import SCHEMA
from gieok.domain.claim import Claim, claim_id
from gieok.domain.memory import Background
from gieok.domain.scope import Scope
from gieok.domain.turn import Turn, Utterance
from gieok.testing import claim


class DoubtfulReader:
    """Reads "residence 부산" as a claim, and "residence 부산?" as a doubtful one; in other words it reads nothing."""

    name = "doubtful/1"

    def claims(self, turn: Turn, scope: Scope, before: Sequence[Utterance], background: Background) -> list[Claim]:
        said = turn.utterances[0]
        attribute, _, value = said.text.removesuffix("?").partition(" ")
        if attribute not in SCHEMA:
            return []
        own = {"id": claim_id(said.id, 0), "source_id": said.id, "content": f"{attribute}: {value}"}
        return [claim(attribute, value, doubtful=said.text.endswith("?"), **own)]
