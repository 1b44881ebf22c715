"""What somebody thinks of the other party or of the world: you're such a kind person, this village is so peaceful."""

from __future__ import annotations

from dataclasses import dataclass

from gieok.extract.english.lexicon import lexicon
from gieok.extract.english.reading import Reading, Whose

_WORLD = Whose(subject="world", subject_id="world")


@dataclass(frozen=True, slots=True, kw_only=True)
class Opinion:
    """What is thought, and of whom."""

    about: Whose
    content: str
    core: str  #: the word it hangs on; a warm person and a cold person sound alike but differ here


def opinion(reading: Reading) -> Opinion | None:
    """Return what is thought of the one who is addressed, or of the place where they are."""
    said = reading.said
    if said.lemma != "be" or said.asking or said.past or said.negated or said.modals or said.ended or said.doing:
        return None
    lows = [word.low for word in said.rest if word.low not in lexicon().adverbs and word.low not in ("such", "a", "an")]
    if not lows or lows[0] not in lexicon().qualities or len(lows) > 2 or (lows[1:] and lows[1] not in lexicon().kinds):
        return None
    subject = [word.low for word in said.subject]
    quality = f"is {lows[0]}" if len(lows) == 1 else f"is a {lows[0]} {lows[1]}"
    if subject == ["you"]:
        return Opinion(about=reading.speaking.you(), content=quality, core=lows[0])
    if len(subject) == 2 and subject[0] in ("this", "the", "that") and subject[1] in lexicon().world:
        return Opinion(about=_WORLD, content=f"the {subject[1]} {quality}", core=lows[0])
    return None
