"""What a person says outright, as a claim."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING, Final, Literal, get_args

from gieok.bank.checking import checked_choice
from gieok.bank.privacy import Discretion, agreed
from gieok.domain.attributes import ContentType, attribute
from gieok.domain.claim import Claim, Origin, Polarity, Subject
from gieok.domain.turn import CHARACTER, USER, checked_moment, checked_text
from gieok.errors import InvalidQuery
from gieok.ids import new_id

if TYPE_CHECKING:
    from gieok.language.morphemes import Morpheme

_TELLING: Final = frozenset({"NNP", "SN", "NR", "SH"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Outright:
    """What is to be remembered, as the caller says it."""

    content: str
    about: str = USER
    attribute: str | None = None
    value: str | None = None
    type: ContentType | None = None
    said_by: str | None = None
    polarity: Polarity = "+"
    importance: float | None = None
    valid_at: datetime | None = None
    invalid_at: datetime | None = None
    tags: Sequence[str] = ()
    origin: Literal["person", "import"] = "person"
    consent: Iterable[str] = ()


class Telling(Discretion):
    """The part of a `Mind` that makes claims of what is said outright."""

    if TYPE_CHECKING:

        def _subject(self, about: str, *, beside: str = "") -> tuple[Subject, str]: ...

    def _claim_of(self, what: Outright, moment: datetime) -> Claim:
        """Return `what` as a claim of `moment`, masked as the settings say; raises what is wrong with it."""
        kinds = agreed(what.consent)
        if what.type is not None:
            checked_choice("type", what.type, get_args(ContentType))
        checked_choice("polarity", what.polarity, get_args(Polarity))
        raw = checked_text(what.content, "content")
        subject, subject_id = self._subject(what.about, beside=raw)
        claim = told(
            self._masked(raw, None, kinds),
            subject,
            subject_id,
            what.attribute,
            None if what.value is None else self._masked(what.value, "value", kinds, beside=raw),
            what.type,
            polarity=what.polarity,
            importance=what.importance,
            origin=what.origin,
        )
        _check_span(what, moment)
        speaker = self._role(what.said_by, beside=raw) or (subject if subject in (USER, CHARACTER) else USER)
        tags = self._names(what.tags, "tags", beside=raw)
        return replace(claim, speaker=speaker, valid_at=what.valid_at, invalid_at=what.invalid_at, tags=tags)


def _check_span(what: Outright, moment: datetime) -> None:
    if what.valid_at is not None:
        checked_moment(what.valid_at, "valid_at")
    if what.invalid_at is not None and checked_moment(what.invalid_at, "invalid_at") <= (what.valid_at or moment):
        raise InvalidQuery("invalid_at must be later than valid_at")


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
