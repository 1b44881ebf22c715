"""Everything that a memory can be has words in both languages."""

from typing import get_args

import pytest

from gieok.bank.mind import State
from gieok.domain.attributes import SCHEMA, ContentType
from gieok.domain.claim import Origin, Subject
from gieok.domain.decision import Reason
from gieok.domain.memory import Kind
from gieok.domain.operation import OperationKind
from gieok.domain.promotion import Promotion
from gieok.domain.upkeep import Action
from gieok.web.memory_words import Standing
from gieok.words import words_in


def choices(kind: object) -> set[str]:
    return {each for part in get_args(kind) for each in ({part} if isinstance(part, str) else choices(part))}


@pytest.mark.parametrize("language", ["ko", "en"])
@pytest.mark.parametrize(
    ("table", "names"),
    [
        ("shared.types", choices(ContentType)),
        ("shared.states", choices(State) | choices(Standing)),
        ("shared.subjects", choices(Subject)),
        ("shared.origins", choices(Origin)),
        ("shared.kinds", choices(Kind)),
        ("shared.reasons", choices(Reason)),
        ("shared.operations", choices(OperationKind) | {"restore", "unpin"}),
        ("shared.actions", choices(Action)),
        ("shared.decisions", {"remember", "supersede", "reinforce", "retract", "ignore"}),
        ("shared.attributes", {*SCHEMA, "favorite"}),
        ("memories.parts", {*Promotion.__dataclass_fields__} - {"score"}),
    ],
)
def test_there_are_words_for_each(language, table, names):
    assert names <= set(words_in(language).some(table))
