"""What happened between the two who talk: 너한테 꽃을 선물했어, 어제 너랑 벚꽃 보러 갔었지. A deed is no trait."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from gieok.extract.korean.reading import Finding, Reading
from gieok.language.clauses import Phrase
from gieok.language.particles import nominalised

_TOWARDS: Final = ("한테", "에게", "께", "랑", "이랑", "와", "과", "하고")
_GIVING: Final = frozenset("선물하다 고백하다 프러포즈하다 청혼하다 화해하다 사과하다 약속하다".split())
_OTHER_PARTY: Final = frozenset({"너", "당신", "네", "우리"})


def happened(reading: Reading) -> Iterator[Finding]:
    """Read a deed that the speaker did to or with the one they talk to."""
    predicate = reading.predicate
    if predicate is None or predicate.form != "verb" or not predicate.past or predicate.negated:
        return
    if reading.clause.head is not None or reading.about.subject_id != reading.me.subject_id:
        return
    with_you = any(phrase.pronoun in _OTHER_PARTY and phrase.has(*_TOWARDS) for phrase in reading.rest)
    given = predicate.lemma in _GIVING and not any(phrase.has("은", "는", "이", "가") for phrase in reading.rest)
    if not (with_you or given):
        return
    parts = [part for phrase in reading.rest if _belongs(phrase) for part in (*phrase.adnominal, *phrase.morphemes)]
    if not parts:
        return  # 너랑 얘기했어
    start = min(part.start for part in parts)
    said = reading.text[start : predicate.stem[0].start] + nominalised(
        [*predicate.stem, *(part for part in predicate.tail if part.tag == "EP")][:4]
    )
    yield Finding(attribute="event", value=said.strip(), shown=said.strip(), surface=said.strip())


def _belongs(phrase: Phrase) -> bool:
    """Whether a phrase says what was done: not when, and not to whom of the two."""
    return phrase.pronoun is None and not phrase.labels
