"""A clause with everything a rule may ask about it, and what a rule finds in it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from gieok.domain.claim import Act, Polarity, Subject
from gieok.domain.scope import Scope
from gieok.domain.turn import CHARACTER, USER
from gieok.extract.english.grammar import Said
from gieok.extract.english.patterns import Pattern
from gieok.extract.english.values import Value


@dataclass(frozen=True, slots=True, kw_only=True)
class Whose:
    """Somebody that a clause speaks of."""

    subject: Subject
    subject_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Speaking:
    """Who speaks to whom, and by which names the user is known."""

    speaker: str
    scope: Scope
    names: frozenset[str] = frozenset()

    def me(self) -> Whose:
        if self.speaker == USER:
            return Whose(subject="user", subject_id="user")
        if self.speaker == CHARACTER:
            return Whose(subject="character", subject_id=self.scope.character or "character")
        return Whose(subject="other", subject_id=self.speaker)

    def you(self) -> Whose:
        """The other party: the user talks to the character, everybody else to the user."""
        return replace(self, speaker=CHARACTER if self.speaker == USER else USER).me()

    def named(self, name: str) -> Whose:
        """Whoever is called `name`."""
        low = name.casefold()
        if low in {each.casefold() for each in (*self.names, self.scope.user or "")}:
            return replace(self, speaker=USER).me()
        if low == (self.scope.character or "").casefold():
            return replace(self, speaker=CHARACTER).me()
        return Whose(subject="other", subject_id=name)


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """What a rule read."""

    attribute: str
    value: str
    surface: str
    polarity: Polarity = "+"
    act: Act = "assert"
    instead_of: str | None = None
    past: bool = False  #: it was so, and is no longer
    whose: Whose | None = None  #: where it is not the clause's own subject


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """One clause, whom it is about, and the clause before it."""

    text: str
    said: Said
    about: Whose | None  #: None where nobody can tell
    speaking: Speaking
    before: Said | None = None

    @property
    def mine(self) -> bool:
        return self.about == self.speaking.me()


Rule = Callable[[Reading], Iterator[Finding]]


def found(
    pattern: Pattern,
    value: Value,
    *,
    polarity: Polarity = "+",
    act: Act = "assert",
    instead_of: str | None = None,
    past: bool = False,
    whose: Whose | None = None,
) -> Finding:
    """Return the finding of `value` for the attribute of `pattern`."""
    return Finding(
        attribute=pattern.attribute,
        value=value.value,
        surface=value.surface,
        polarity=polarity,
        act=act,
        instead_of=instead_of,
        past=past,
        whose=whose,
    )
