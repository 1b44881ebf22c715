"""What a person says outright, as a claim."""

from __future__ import annotations

import unicodedata

from gieok.domain.attributes import ContentType, attribute
from gieok.domain.claim import Claim, Origin, Polarity, Subject
from gieok.domain.turn import USER, checked_text
from gieok.errors import InvalidQuery
from gieok.ids import new_id


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
    if value is not None:
        value = unicodedata.normalize("NFC", checked_text(value, "value")).strip()
    return Claim(
        id=new_id(),
        speaker=USER,
        subject=subject,
        subject_id=subject_id,
        content=content,
        content_type=content_type or (schema.content_type if schema else "note"),
        attribute=key,
        value=(value if value is not None else content) if schema else None,
        surface=value,
        polarity=polarity,
        importance=importance if importance is not None else (schema.importance if schema else 0.5),
        origin=origin,
        extractor=origin,
    )
