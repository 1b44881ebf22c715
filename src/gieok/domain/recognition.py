"""Recognition of erased data when it comes back, by keyed digests of texts and facts.

An imprint is the input of a digest: a line, all lines of a turn, or a fact. Only the digest is stored, keyed with a
secret of the bank and the names of the scope, so that scopes cannot be compared.
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
_MIN_LETTERS: Final = 4  #: minimum letters of a line that is recognised alone; shorter ones are too common
_DIGITS: Final = 32  #: hex digits of a digest: 128 bits
FACT: Final = ("subject", "subject_id", "attribute", "polarity", "value", "content")  #: fields that identify a fact


def plain(text: str | None) -> str:
    """Return the letters and digits of a text, normalised; white space, punctuation and case are dropped."""
    composed = unicodedata.normalize("NFKC", text or "").casefold()
    return "".join(letter for letter in composed if letter.isalnum())


def turn_imprints(lines: Sequence[str | None]) -> Iterator[Imprint]:
    """Yield the imprints to check an incoming turn against: all of its lines, and its first line.

    The reply alone is not used: a character gives the same one to many users.
    """
    texts = [text for text in map(plain, lines) if text]
    if texts:
        yield ("turn", *texts)
        yield from text_imprints(texts[:1])


def erased_turn_imprints(turn_id: str, lines: Sequence[str]) -> Iterator[Imprint]:
    """Yield the imprints of an erased turn, including one of a reply without its question."""
    yield from turn_imprints(lines)
    yield from text_imprints(lines[1:])
    yield stored_turn_imprint(turn_id, lines)


def stored_turn_imprint(turn_id: str, lines: Sequence[str]) -> Imprint:
    """Return the imprint of one particular stored turn, as a backup contains it."""
    return ("said", turn_id, *map(plain, lines))


def text_imprints(texts: Iterable[str | None]) -> Iterator[Imprint]:
    """Yield the imprints of standalone sentences."""
    return (("text", text) for text in map(plain, texts) if len(text) >= _MIN_LETTERS)


def statement_imprints(statement: Statement) -> Iterator[Imprint]:
    """Yield the imprints of a claim or a memory."""
    told = statement
    yield from fact_imprints(told.subject, told.subject_id, told.attribute, told.polarity, told.value, told.content)


def fact_imprints(
    subject: str, subject_id: str, attribute: str | None, polarity: str, value: str | None, content: str
) -> Iterator[Imprint]:
    """Yield the imprints of a fact: subject with attribute and value, and its sentence."""
    if attribute is not None and plain(value):
        yield "fact", subject, subject_id if subject == "other" else "", attribute, polarity, plain(value)
    yield from text_imprints([content])


def digests(secrets: Iterable[str], scope: Scope, imprints: Iterable[Imprint]) -> dict[str, Imprint]:
    """Return the imprints by digest, with one digest per secret."""
    names = (scope.user or "", scope.character or "", scope.world or "")
    told = [
        (imprint, json.dumps([*names, *imprint], ensure_ascii=False).encode("utf-8", "surrogatepass"))
        for imprint in imprints
    ]
    keys = [secret.encode() for secret in secrets]
    return {hmac.digest(key, text, "sha256").hex()[:_DIGITS]: imprint for key in keys for imprint, text in told}
