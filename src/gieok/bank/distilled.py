"""Turns that a model read, as labelled training lines for the reader: `gieok reader distil`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from gieok.bank.mind import Mind
from gieok.domain.claim import Statement
from gieok.domain.operation import Learn
from gieok.domain.turn import USER, Utterance

_MARKS: Final = re.compile(r"[{}|>\n]")
_MIN_LETTERS: Final = 2  #: minimum length of a marked value, in characters


def lines(mind: Mind) -> Iterator[str]:
    """Yield the user's utterances in turns that a model has read, with facts marked `{words|attribute}`.

    Marked are the model's facts, and facts of the reader that the model confirmed or did not doubt. Personal data is
    masked as configured. A line without marks contains nothing to remember.
    """
    mask = mind.bank.services.mask
    with mind.bank.store.view(mind.key) as view:
        for operation in view.operations():
            turn = view.turn(operation.turn_id or "") if operation.kind == "deepen" else None
            if turn is None or not isinstance(operation.request, Learn):
                continue
            wrong = {*operation.request.doubted}
            found = [decision.claim for decision in operation.decisions if decision.claim.flaw is None]
            for utterance in turn.utterances:
                if utterance.speaker == USER and not _MARKS.search(utterance.text):
                    read = [each for each in view.read_from([utterance.id]) if each.id not in wrong]
                    yield _marked(mask(utterance.text).text, [*found, *read], utterance)


def _marked(text: str, facts: Sequence[Statement], utterance: Utterance) -> str:
    """Return the text with its facts marked; of overlapping facts, the first."""
    marks: list[tuple[int, int, str]] = []
    for fact in facts:
        own = getattr(fact, "source_id", utterance.id) == utterance.id
        words, at = fact.surface or "", text.find(fact.surface or "\n")
        if not own or fact.doubtful or fact.attribute is None or at < 0 or len(words) < _MIN_LETTERS:
            continue
        if not any(at < end and begin < at + len(words) for begin, end, _ in marks):
            marks.append((at, at + len(words), fact.attribute))
    for begin, end, attribute in sorted(marks, reverse=True):
        text = f"{text[:begin]}{{{text[begin:end]}|{attribute}}}{text[end:]}"
    return text
