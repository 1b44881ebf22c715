"""What a person says outright, as a claim."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING, Final

from gieok.domain.attributes import ContentType, attribute
from gieok.domain.claim import Claim, Origin, Polarity, Subject
from gieok.domain.turn import USER, checked_text
from gieok.errors import InvalidQuery
from gieok.ids import new_id

if TYPE_CHECKING:
    from gieok.language.morphemes import Morpheme

_TELLING: Final = frozenset({"NNP", "SN", "NR", "SH"})


def told(
    content: str,
    subject: Subject,
    subject_id: str,
    key: str | None,
    value: str | None,
    content_type: ContentType | None,
    *,
    polarity: Polarity,
    importance: float | None,
    origin: Origin,
) -> Claim:
    schema = attribute(key) if key is not None else None
    if value is not None and schema is None:
        raise InvalidQuery("a value needs its attribute, e.g. attribute='allergy', value='땅콩'")
    if importance is not None and not 0 <= importance <= 1:
        raise InvalidQuery(f"importance={importance} must lie between 0 and 1")
    content = unicodedata.normalize("NFC", checked_text(content, "content"))
    surface = value
    if value is not None:
        surface = unicodedata.normalize("NFC", checked_text(value, "value")).strip()
        value = _normalised(key, surface)
    return Claim(
        id=new_id(),
        speaker=USER,
        subject=subject,
        subject_id=subject_id,
        content=content,
        content_type=content_type or (schema.content_type if schema else "note"),
        attribute=schema.key if schema else None,
        value=(value if value is not None else content) if schema else None,
        surface=surface,
        polarity=polarity,
        importance=importance if importance is not None else (schema.importance if schema else 0.5),
        origin=origin,
        extractor=origin,
        details=() if schema else _details(content),
    )


def _details(content: str) -> tuple[str, ...]:
    """Return the names and numbers in a free sentence: two that differ in them do not say the same."""
    from gieok.language.morphemes import analyse

    telling = (each.form for each in analyse(content) if each.tag in _TELLING or _is_name(each))
    return tuple(dict.fromkeys(telling))


def _is_name(morpheme: Morpheme) -> bool:
    return morpheme.tag == "SL" and morpheme.form[:1].isupper()


def _normalised(key: str | None, said: str) -> str:
    """Return a value as the rules would have read it, so that 스물다섯 살 and 25 are the same."""
    from gieok.extract.korean.patterns import patterns
    from gieok.extract.korean.values import normalised

    pattern = patterns().by_attribute.get(key or "")
    return normalised(pattern.value, said) if pattern is not None else said
