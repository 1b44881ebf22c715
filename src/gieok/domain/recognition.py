"""What was erased is recognised when somebody brings it back: by keyed digests of its texts and its facts.

An imprint is what a digest is made of: a line, all lines of a turn, or a fact. Only its digest is kept, made with a
secret of the bank and the names of the scope, so that one scope says nothing of another.
"""

from __future__ import annotations

import hmac
import json
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from gieok.domain.claim import Statement
from gieok.domain.scope import Scope

Imprint = tuple[str, ...]
_SHORTEST: Final = 4  #: letters of a line that is recognised by itself; shorter ones are said by everybody
_DIGITS: Final = 32  #: of a digest: 128 bits
FACT: Final = ("subject", "subject_id", "attribute", "polarity", "value", "content")  #: what a fact is recognised by


def plain(text: str | None) -> str:
    """Return the letters and digits of a text in one spelling: white space, punctuation and case do not count."""
    composed = unicodedata.normalize("NFKC", text or "").casefold()
    return "".join(letter for letter in composed if letter.isalnum())


def turn_imprints(lines: Sequence[str | None]) -> Iterator[Imprint]:
    """Yield what a turn that somebody brings is recognised by: all that was said in it, or how it begins.

    Not by its answer: a character gives the same one to many.
    """
    texts = [text for text in map(plain, lines) if text]
    if texts:
        yield ("turn", *texts)
        yield from text_imprints(texts[:1])


def erased_turn_imprints(turn_id: str, lines: Sequence[str]) -> Iterator[Imprint]:
    """Yield what an erased turn leaves: an answer that comes without its question is recognised, too."""
    yield from turn_imprints(lines)
    yield from text_imprints(lines[1:])
    yield stored_turn_imprint(turn_id, lines)


def stored_turn_imprint(turn_id: str, lines: Sequence[str]) -> Imprint:
    """Return what this very turn is recognised by, as a backup brings it."""
    return ("said", turn_id, *map(plain, lines))


def text_imprints(texts: Iterable[str | None]) -> Iterator[Imprint]:
    """Yield the imprints of sentences that stand alone."""
    return (("text", text) for text in map(plain, texts) if len(text) >= _SHORTEST)


def statement_imprints(statement: Statement) -> Iterator[Imprint]:
    """Yield the imprints of a claim or a memory."""
    told = statement
    yield from fact_imprints(told.subject, told.subject_id, told.attribute, told.polarity, told.value, told.content)


def fact_imprints(
    subject: str, subject_id: str, attribute: str | None, polarity: str, value: str | None, content: str
) -> Iterator[Imprint]:
    """Yield the imprints of a fact: whose it is with its attribute and value, and its sentence."""
    if attribute is not None and plain(value):
        yield "fact", subject, subject_id if subject == "other" else "", attribute, polarity, plain(value)
    yield from text_imprints([content])


def digests(secrets: Iterable[str], scope: Scope, imprints: Iterable[Imprint]) -> dict[str, Imprint]:
    """Return each imprint by each of its digests, one for every secret."""
    names = (scope.user or "", scope.character or "", scope.world or "")
    told = [
        (imprint, json.dumps([*names, *imprint], ensure_ascii=False).encode("utf-8", "surrogatepass"))
        for imprint in imprints
    ]
    keys = [secret.encode() for secret in secrets]
    return {hmac.digest(key, text, "sha256").hex()[:_DIGITS]: imprint for key in keys for imprint, text in told}
