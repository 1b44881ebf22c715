"""Which known facts the rules need to read a turn, and which claims are about animals at home."""

from __future__ import annotations

from collections.abc import Sequence

from gieok.domain.claim import Claim
from gieok.domain.memory import Memory, Needs
from gieok.domain.pets import of_pets
from gieok.domain.turn import USER, Turn, Utterance
from gieok.extract.korean import leaving
from gieok.extract.korean.animals import names_of, spoken_of
from gieok.extract.korean.known import spoken
from gieok.extract.korean.measured_anew import FIGURES, tells_figure
from gieok.extract.korean.unnamed import gives_up, labelled


def needs_of(turn: Turn, before: Sequence[Utterance]) -> Needs:
    """Return what the rules need to know for `turn`, whose last words before it are in `before`."""
    said = "\n".join(utterance.text for utterance in turn.utterances if utterance.speaker == USER)
    if not said:
        return Needs()
    if before and before[-1].speaker != USER:
        said = f"{said}\n{before[-1].text}"
    attributes: list[str] = []
    types: tuple[str, ...] = ()
    if leaving.spoken_of(said):
        attributes += leaving.LEFT
    if tells_figure(said):
        attributes += FIGURES
    if gives_up(said):
        types = ("preference",)
        attributes += labelled(said)
    return Needs(
        said=said,
        values=frozenset((each.attribute, each.value) for line in said.splitlines() for each in spoken(line)),
        attributes=tuple(dict.fromkeys(attributes)),
        content_types=types,
        # 코코는 우리 집 고양이야: what is known of 코코 is from now on a cat's
        cautions_of_others=spoken_of(said),
    )


def marked_for_pets(claims: Sequence[Claim], names: Sequence[Memory]) -> tuple[Claim, ...]:
    """Return `claims`, those that warn of something for an animal at home marked as such; `names` are known names."""
    return of_pets(claims, names_of(names))
