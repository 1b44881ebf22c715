"""Sentences with what is to be read from them, kept as data in tests/data/extract/*.tsv.

A row is `said TAB expected TAB known`; the last part may be missing. `said` is one utterance, or several joined by
" ‖ " of which the last is read; a line of the character begins with "> ". Expectations are joined by "; ":

    job=간호사              the user now has this value
    동생/job=간호사         somebody else has it
    residence=판교<마포     it takes the place of another value
    -pet=고양이             it is over, or denied
    ~job=의사               it is taken back
    content=꽃 사기로 약속함   a memory has these words
    no job                  no claim of this attribute, except those that the row names
    no favorite.*           … of any attribute that begins so; "no *" of any attribute, "no */name" of anybody;
                            "no body" of what is so of a body: age, weight, cautions
    no current job          … that holds now; "no end job" … that ends a fact
    nothing                 no claim at all

`known` are facts of the user (`residence=마포`), of others (`고양이/name=나비`), or a name of the user (`called=서준`).
A fact behind "@" is meant though its value is not said.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path

from gieok.domain.claim import Claim
from gieok.domain.memory import Background
from gieok.domain.scope import Scope
from gieok.domain.turn import CHARACTER, USER, Turn, Utterance
from gieok.extract.reader import Reader
from gieok.testing import day, memory

ROWS = Path(__file__).parents[1] / "data" / "extract"
SCOPE = Scope(user="minsu", character="letia")
_OVER = ("end", "retract")
_GROUPS = {
    "body": frozenset("age weight allergy medical_condition medication contraindication diet vaccination".split())
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """A claim that a row expects."""

    who: str
    attribute: str
    value: str
    old: str = ""
    sign: str = ""  #: "-" over or denied, "~" taken back

    def matches(self, claim: Claim) -> bool:
        if self.attribute == "content":
            return claim.content == self.value
        if (_whose(claim), _key(claim), claim.value) != (self.who, self.attribute, self.value):
            return False
        if self.sign == "~":
            return claim.act == "retract"
        if self.sign == "-":
            return claim.act == "end" or claim.polarity == "-" or claim.invalid_at is not None
        return is_current(claim) and (not self.old or claim.instead_of == self.old)


@dataclass(frozen=True, slots=True, kw_only=True)
class Forbidden:
    """Claims that a row excludes."""

    who: str
    attribute: str
    which: str = ""  #: "current" or "end": only claims that hold now, or only those that end something

    def matches(self, claim: Claim) -> bool:
        if self.which == "current" and not is_current(claim):
            return False
        if self.which == "end" and not (claim.act in _OVER or claim.polarity == "-" or claim.instead_of):
            return False
        if not fnmatchcase(_whose(claim), self.who):
            return False
        return _key(claim) in _GROUPS.get(self.attribute, ()) or fnmatchcase(_key(claim), self.attribute)


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One line of a file."""

    place: str
    said: tuple[str, ...]
    wanted: tuple[Wanted, ...]
    forbidden: tuple[Forbidden, ...]
    known: str = ""

    @classmethod
    def of(cls, said: str) -> Row:
        """Return a row of one utterance that expects nothing."""
        return cls(place="", said=(said,), wanted=(), forbidden=())

    @property
    def attribute(self) -> str:
        """Return the attribute that the row is about; of all favourites, "favorite"; "any" where it is about any."""
        first = (*self.wanted, *self.forbidden)[0].attribute.partition(".")[0]
        return first if first.isidentifier() else "any"

    def __str__(self) -> str:
        return f"{self.place} {' ‖ '.join(self.said)}"


def is_current(claim: Claim) -> bool:
    return claim.polarity == "+" and claim.act not in _OVER and claim.invalid_at is None


def _whose(claim: Claim) -> str:
    return USER if claim.subject == USER else claim.subject_id


def _key(claim: Claim) -> str:
    return claim.attribute or f"({claim.content_type})"


@cache
def rows() -> tuple[Row, ...]:
    return tuple(row for path in sorted(ROWS.glob("*.tsv")) for row in _rows(path))


def _rows(path: Path) -> Iterator[Row]:
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        if line and not line.startswith("#"):
            said, expected, *known = line.split("\t")
            parts = expected.split("; ")
            yield Row(
                place=f"{path.name}:{number}",
                said=tuple(said.replace("\\n", "\n").split(" ‖ ")),
                wanted=tuple(_wanted(part) for part in parts if "=" in part),
                forbidden=tuple(_forbidden(part) for part in parts if "=" not in part),
                known=known[0] if known else "",
            )


def _wanted(part: str) -> Wanted:
    sign = part[0] if part[0] in "-~" else ""
    name, _, value = part.removeprefix(sign).partition("=")
    who, _, attribute = name.rpartition("/")
    value, _, old = value.partition("<")
    return Wanted(who=who or USER, attribute=attribute, value=value, old=old, sign=sign)


def _forbidden(part: str) -> Forbidden:
    if part == "nothing":
        return Forbidden(who="*", attribute="*")
    word, *which, name = part.split(" ")
    assert word == "no", part
    who, _, attribute = name.rpartition("/")
    return Forbidden(who=who or USER, attribute=attribute, which=which[0] if which else "")


@cache
def read(row: Row) -> tuple[Claim, ...]:
    """Return what is read for sure from the last line of `row`."""
    lines = tuple(
        Utterance(
            id=f"u{place}",
            turn_id="t" if place == len(row.said) - 1 else f"t{place}",
            speaker=CHARACTER if line.startswith("> ") else USER,
            text=line.removeprefix("> "),
            at=day(1),
            position=0,
        )
        for place, line in enumerate(row.said)
    )
    turn = Turn(id="t", utterances=lines[-1:], at=day(1), recorded_at=day(1))
    found = Reader().claims(turn, SCOPE, lines[:-1], _background(row))
    return tuple(claim for claim in found if not claim.doubtful)


def _background(row: Row) -> Background:
    names, mentioned, people, pets = [], [], [], []
    for number, part in enumerate(row.known.split("; ") if row.known else ()):
        name, _, value = part.removeprefix("@").partition("=")
        who, _, attribute = name.rpartition("/")
        fact = memory(part, id=str(number), attribute=attribute, value=value, surface=value)
        if attribute == "called":
            names.append(value)
        elif who:
            people.append(who)
            if attribute == "name":
                pets.append(value)
        elif part.startswith("@") or value in row.said[-1]:
            mentioned.append(fact)
    return Background(names=frozenset(names), mentioned=tuple(mentioned), people=(*people, *pets), pets=frozenset(pets))


def missed(row: Row, claims: Sequence[Claim]) -> list[Wanted]:
    """Return what `row` wants and `claims` do not hold."""
    return [wanted for wanted in row.wanted if not any(wanted.matches(claim) for claim in claims)]


def made_up(row: Row, claims: Sequence[Claim]) -> list[Claim]:
    """Return the claims that `row` forbids."""
    return [
        claim
        for claim in claims
        if any(forbidden.matches(claim) for forbidden in row.forbidden)
        and not any(wanted.matches(claim) for wanted in row.wanted)
    ]


def shown(claims: Sequence[Claim]) -> str:
    """Return what was read, in the words of a row."""
    signs = {"end": "-", "retract": "~"}
    parts = [
        f"{signs.get(claim.act, '-' if claim.polarity == '-' else '')}{_whose(claim)}/{_key(claim)}={claim.value}"
        + (f"<{claim.instead_of}" if claim.instead_of else "")
        + (" (past)" if claim.invalid_at else "")
        for claim in claims
    ]
    return "; ".join(parts) or "nothing"
