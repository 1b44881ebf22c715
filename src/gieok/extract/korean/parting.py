"""An utterance taken apart: its clauses, whom each is about, and how each is meant."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from gieok.extract.korean.bearers import Bearer, brought_in, of_whom
from gieok.extract.korean.doers import gives_the_reason
from gieok.extract.korean.lexicon import lexicon
from gieok.extract.korean.telling import Part, parts_of
from gieok.extract.korean.whose import Speaking, Whose, carries_on, describes, of_theirs, spoken_of, whose
from gieok.language.cache import cached_by_text
from gieok.language.clauses import Clause, clauses
from gieok.language.mood import Mood, mood


@cached_by_text
def parts_read(text: str, speaking: Speaking) -> tuple[Part, ...]:
    """Return the clauses of `text` with whom they are about."""
    read: list[tuple[Clause, Whose | None, Mood]] = []
    subject: Whose | None = None
    person: Whose | None = None
    bearer: Bearer | None = None
    last: Clause | None = None
    whole = _with_afterthoughts(clauses(text))
    for clause, following in zip(whole, (*whole[1:], None), strict=False):
        about = of_whom(clause, last, whose(clause, speaking, subject, lexicon(), person), bearer)
        bearer, last = brought_in(clause, last, bearer), clause
        person = spoken_of(clause, speaking, lexicon()) or person
        goes_on = carries_on(clause) or describes(clause, about) or of_theirs(clause, following, about)
        moved = about is not None and about.subject == "other" and gives_the_reason(clause, about.subject_id)
        subject = about if goes_on and not moved else None
        read.append((clause, about, mood(clause)))
    return parts_of(read)


def _with_afterthoughts(read: Sequence[Clause]) -> list[Clause]:
    """좋아해요 떡, …: what is named after its verb belongs to it."""
    whole: list[Clause] = []
    for clause in read:
        last = whole[-1] if whole else None
        if last is not None and _is_afterthought(last, clause):
            whole[-1] = replace(last, phrases=(*last.phrases, *clause.phrases), end=clause.end)
        else:
            whole.append(clause)
    return whole


def _is_afterthought(verb: Clause, noun: Clause) -> bool:
    if verb.predicate is None or verb.predicate.form == "copula" or noun.predicate is not None or verb.head is not None:
        return False
    bare = [phrase for phrase in verb.phrases if phrase.pronoun is None and not phrase.has("은", "는")]
    return not bare and len(noun.phrases) == 1 and not noun.phrases[0].labels and not noun.ends_with.startswith("?")
