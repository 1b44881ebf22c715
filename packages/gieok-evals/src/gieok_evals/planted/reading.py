"""Scoring what one line was read as."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from gieok.domain.answer import Observed
from gieok.domain.memory import Memory
from gieok.domain.turn import USER
from gieok_evals.cases import Expected
from gieok_evals.figures import Extraction, Share
from gieok_evals.frames import companions
from gieok_evals.matching import matched, same_subject
from gieok_evals.planted.report import Tally
from gieok_evals.planted.script import Line, Trap
from gieok_evals.statement import Statement, fold, statements, stored

OTHERS: Final = ("other_people", "name_collision", "character_statement")  #: families that speak of somebody else


def score_reading(line: Line, observed: Observed, tally: Tally) -> None:
    """Score what was read from `line`: planted facts by precision and recall, the rest by how much was stored."""
    said = tuple(_said(observed))
    current = sum(each.current for each in said)
    tally.add("stored_per_utterance", Share(current, 1))
    if line.kind in ("small_talk", "probe"):
        tally.count("small_talk_stored", current > 0)
        if current:
            tally.fail(f"stored from {line.kind}: {line.text} → {_shown(said)}")
        return
    expected = tuple(_expected(line))
    match = matched([each for each in said if each.subject == USER or line.trap is not None], expected)
    extra = [] if line.trap is not None else [each for each in match.extra if _is_extra(each, line)]
    for wanted in match.found:
        tally.read(wanted.said.attribute, Extraction(found=1))
    for wanted in match.missed:
        tally.read(wanted.said.attribute, Extraction(missed=1))
        tally.fail(f"not read: {wanted.said.attribute}={wanted.said.value}: {line.text} → {_shown(said)}")
    for each in extra:
        tally.read(each.attribute, Extraction(extra=1))
        tally.fail(f"nobody said: {_shown([each])}: {line.text}")


def score_trap(line: Line, trap: Trap, believed: Sequence[Memory], tally: Tally) -> None:
    """Score what must not be stored; `believed` are the current memories learned since the trap was laid."""
    for forbidden in trap.must_not:
        wrong = [memory for memory in believed if _is_forbidden(memory, forbidden.said, forbidden.accepted)]
        tally.count("false_memories", bool(wrong))
        tally.count_under("false_by_family", trap.family, bool(wrong))
        if trap.family in OTHERS:
            tally.count("others_given", bool(wrong))
        if wrong:
            tally.fail(f"false memory ({trap.family}): {line.text} → {wrong[0].content}")


def _said(observed: Observed) -> Iterator[Statement]:
    """Yield what the user's own words were read as."""
    own = {utterance.id for utterance in observed.turn.utterances if utterance.speaker == USER}
    for claim in stored(observed.decisions):
        if claim.source_id is None or claim.source_id in own:
            yield from statements(claim, observed.turn.at)


def _expected(line: Line) -> Iterator[Expected]:
    for planted in line.facts:
        said = Statement(subject=USER, attribute=planted.slot, value=planted.value.gold)
        yield Expected(said=said, accepted=planted.value.accepted)
    if line.change is not None:
        gone = Statement(subject=USER, attribute=line.change.slot, value=line.change.old.gold, polarity="-")
        yield Expected(said=gone, accepted=line.change.old.accepted, optional=True)
    if line.trap is not None:
        yield from line.trap.expect


def _is_extra(said: Statement, line: Line) -> bool:
    """Whether `said` is a fact about the user that `line` does not state, not even in other words."""
    if not said.current:
        return False
    if line.change is not None and fold(said.value) in map(fold, line.change.old.accepted):
        return False  # "물려서 쳐다도 보기 싫어" ends a favourite and says more
    entailed = {
        (attribute, fold(spelling))
        for planted in line.facts
        for attribute in (planted.slot, *companions(planted.slot))
        for spelling in planted.value.accepted
    }
    return (said.attribute, fold(said.value)) not in entailed


def _is_forbidden(memory: Memory, said: Statement, accepted: Sequence[str]) -> bool:
    subject = memory.subject if memory.subject != "other" else memory.subject_id
    return (
        memory.polarity == "+"
        and memory.value is not None
        and memory.attribute == said.attribute
        and same_subject(subject, said.subject)
        and fold(memory.value) in {fold(each) for each in accepted}
    )


def _shown(said: Sequence[Statement]) -> str:
    return ", ".join(f"{each.subject}.{each.attribute}{each.polarity}{each.value}" for each in said) or "nothing"
