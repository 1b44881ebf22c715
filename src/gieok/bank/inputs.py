"""Input from callers: checked, normalised and masked before use."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from datetime import datetime
from typing import Final, Literal, TypedDict, get_args

from gieok.domain.answer import Where
from gieok.domain.attributes import ContentType, attribute
from gieok.domain.claim import Claim, Polarity, Subject
from gieok.domain.personal import PERSONAL_KINDS
from gieok.domain.scope import Scope
from gieok.domain.scoring import Weights
from gieok.domain.turn import CHARACTER, ROLES, USER, checked_moment, checked_speaker, checked_text, display_name
from gieok.errors import ErrorText, InvalidQuery
from gieok.ids import new_id
from gieok.observe.said import Said, said
from gieok.ports import Masker

_SUBJECTS: Final[dict[str, Subject]] = {"user": "user", "character": "character", "world": "world"}
_DETAIL_TAGS: Final = frozenset({"NNP", "SN", "NR", "SH"})  #: Kiwi tags: proper nouns, numbers, hanja


def listed(values: Iterable[str], name: str) -> tuple[str, ...]:
    """Return `values` as a tuple; raises `InvalidQuery` for a single string."""
    if isinstance(values, str):
        raise InvalidQuery(f"{name}={values!r} is one string; give a list, e.g. {name}=[{values!r}]")
    return tuple(values)


def composed(text: str) -> str:
    """Return `text` in NFC, as it is stored; some programs and macOS file names use decomposed Hangul (NFD)."""
    return unicodedata.normalize("NFC", text)


def checked_choice(name: str, given: str | None, choices: tuple[str, ...]) -> None:
    """Raise `InvalidQuery` if `given` is not one of `choices`; None is accepted."""
    if given is not None and given not in choices:
        raise InvalidQuery(ErrorText("query.choice", name=name, given=given, known=", ".join(choices)))


def check_moments(**moments: datetime | None) -> None:
    """Raise `InvalidQuery` for a moment without a time zone; None is accepted."""
    for name, moment in moments.items():
        if moment is not None:
            checked_moment(moment, name)


def weights_over(given: Weights | Mapping[str, float] | None, default: Weights) -> Weights:
    """Return the given weights; a mapping replaces those of `default` that it names."""
    if given is None:
        return default
    if isinstance(given, Weights):
        return given
    known = [field.name for field in fields(Weights)]
    unknown = sorted(set(given) - set(known))
    if unknown:
        raise InvalidQuery(ErrorText("query.weight", unknown=unknown[0], known=", ".join(known)))
    return replace(default, **given)


def consented(consent: Iterable[str]) -> tuple[str, ...]:
    """Return the kinds of personal data that the user consents to store; raises `InvalidQuery` for unknown kinds."""
    kinds = listed(consent, "consent")
    for kind in kinds:
        if kind not in PERSONAL_KINDS:
            raise InvalidQuery(ErrorText("query.personal_kind", kind=kind, known=", ".join(PERSONAL_KINDS)))
    return kinds


@dataclass(frozen=True, slots=True, kw_only=True)
class NewMemory:
    """An unchecked memory from a caller."""

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


class Exchange(TypedDict, total=False):
    """One exchange for `Mind.observe_many`; fields as in `Mind.observe`."""

    text: str | None
    reply: str | None
    at: datetime | None
    session: str | None
    turn_id: str | None
    speaker: str | None
    channel: str | None


@dataclass(frozen=True, slots=True)
class ScopeInput:
    """Masks and resolves texts and names for one scope."""

    scope: Scope
    mask: Masker

    def text(self, text: str, name: str | None = None, consent: tuple[str, ...] = (), *, beside: str = "") -> str:
        """Return `text` masked for storage. `name` is used in errors; without it, the text is not checked.

        `beside` is text said along with it, which may show what a bare number is.
        """
        said = text if name is None else checked_text(text, name)
        return self.mask(unicodedata.normalize("NFC", said), consent, unicodedata.normalize("NFC", beside)).text

    def exchange(self, given: Exchange, number: int = 1) -> Said:
        """Return a checked exchange; `number` is used in errors."""
        unknown = sorted(set(given) - Exchange.__annotations__.keys())
        if unknown:
            known = ", ".join(Exchange.__annotations__)
            raise InvalidQuery(ErrorText("query.exchange", number=number, name=unknown[0], known=known))
        text, at, turn_id = given.get("text"), given.get("at"), given.get("turn_id")
        return Said(
            lines=said(text, given.get("reply"), self.speaker(given.get("speaker"), beside=text or "")),
            at=None if at is None else checked_moment(at),
            session=given.get("session"),
            turn_id=None if turn_id is None else checked_text(turn_id, "turn_id"),
            channel=given.get("channel"),
        )

    def where(self, where: Where) -> Where:
        """Return `where` with its names resolved; raises `InvalidQuery`."""
        check_moments(since=where.since, until=where.until)
        return replace(
            where,
            about=None if where.about is None else self.subject(where.about)[1],
            said_by=self.role(where.said_by),
            attribute=None if where.attribute is None else composed(where.attribute),
        )

    def names(self, names: Iterable[str], name: str, *, beside: str = "") -> tuple[str, ...]:
        """Return masked names of people, places or tags; a phone number used as a name is masked too."""
        return tuple(self.text(each, beside=beside) for each in listed(names, name))

    def person(self, name: str) -> str:
        """Return a person's name, checked and masked."""
        return self.text(checked_speaker(name))

    def role(self, name: str | None, *, beside: str = "") -> str | None:
        """Return the speaker named `name`; the character and the user may be referred to by name."""
        if name is None or name in (USER, CHARACTER):
            return name
        name = checked_speaker(name)
        if name in (self.scope.character, self.scope.user):
            return CHARACTER if name == self.scope.character else USER
        return name if name == self.scope.world else self.text(name, beside=beside)

    def speaker(self, name: str | None, *, beside: str = "") -> str | None:
        """Return the speaker for `name`: the two by their own names; a role word is treated as an ordinary name."""
        if name in ROLES and name not in (self.scope.user, self.scope.character):
            return display_name(name)
        return self.role(name, beside=beside)

    def subject(self, about: str, *, beside: str = "") -> tuple[Subject, str]:
        """Return the subject and subject id for `about`."""
        about = self.role(about, beside=beside) or about
        subject = _SUBJECTS.get("world" if about == self.scope.world else about, "other")
        if subject == "other":
            return subject, about
        return subject, (self.scope.character or CHARACTER) if subject == "character" else subject

    def claim(self, what: NewMemory, moment: datetime) -> Claim:
        """Return `what` as a masked claim made at `moment`; raises `InvalidQuery` for invalid fields."""
        kinds = consented(what.consent)
        checked_choice("type", what.type, get_args(ContentType))
        checked_choice("polarity", what.polarity, get_args(Polarity))
        raw = checked_text(what.content, "content")
        subject, subject_id = self.subject(what.about, beside=raw)
        schema = attribute(what.attribute) if what.attribute is not None else None
        if what.value is not None and schema is None:
            raise InvalidQuery(ErrorText("query.value_needs_attribute"))
        if what.importance is not None and not 0 <= what.importance <= 1:
            raise InvalidQuery(f"importance={what.importance} must lie between 0 and 1")
        content = checked_text(self.text(raw, consent=kinds), "content")
        surface = None
        if what.value is not None:
            surface = checked_text(self.text(what.value, "value", kinds, beside=raw), "value").strip()
        check_moments(valid_at=what.valid_at, invalid_at=what.invalid_at)
        if what.invalid_at is not None and what.invalid_at <= (what.valid_at or moment):
            raise InvalidQuery("invalid_at must be later than valid_at")
        return Claim(
            id=new_id(),
            speaker=self.role(what.said_by, beside=raw) or (subject if subject in (USER, CHARACTER) else USER),
            subject=subject,
            subject_id=subject_id,
            content=content,
            content_type=what.type or (schema.content_type if schema else "note"),
            attribute=schema.key if schema else None,
            value=(content if surface is None else _normalised(what.attribute, surface)) if schema else None,
            surface=surface,
            polarity=what.polarity,
            importance=what.importance if what.importance is not None else (schema.importance if schema else 0.5),
            origin=what.origin,
            extractor=what.origin,
            details=() if schema else _details(content),
            valid_at=what.valid_at,
            invalid_at=what.invalid_at,
            tags=self.names(what.tags, "tags", beside=raw),
        )


def _details(content: str) -> tuple[str, ...]:
    """Return the names and numbers in a free sentence; sentences that differ in them are different statements."""
    from gieok.language.morphemes import analyse

    found = analyse(content)
    named = (each for each in found if each.tag in _DETAIL_TAGS or (each.tag == "SL" and each.form[:1].isupper()))
    return tuple(dict.fromkeys(each.form for each in named))


def _normalised(key: str | None, said: str) -> str:
    """Return a value normalised as the reader does, so that 스물다섯 살 and 25 are equal."""
    from gieok.extract.values import TOLD, value_of

    read = value_of(key, said) if key and key not in TOLD else None
    return read.value if read is not None else said
