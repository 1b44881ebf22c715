"""Why words gave no claim: how they were meant."""

from __future__ import annotations


def moods(text: str) -> list[str]:
    """Return the moods of the clauses of `text` that cannot carry a fact, each once; [] for plain small talk."""
    from gieok.language.clauses import clauses
    from gieok.language.mood import mood
    from gieok.language.text import normalise

    found = dict.fromkeys(mood(clause) for clause in clauses(normalise(text)))
    return [each for each in found if each != "statement"]
