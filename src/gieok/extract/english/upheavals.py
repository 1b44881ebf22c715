"""What turns a life: my grandmother passed away, I got into medical school, we're engaged, my dad and I made up."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from gieok.extract.english.grammar import Said
from gieok.extract.english.lexicon import lexicon
from gieok.extract.english.patterns import patterns
from gieok.extract.english.reading import Finding, Reading, found
from gieok.extract.english.values import Value

_OURS: Final = frozenset({"my", "our", "i", "we"})
#: verb and the words of which one must follow; none: the verb alone
_EVENTS: Final[dict[str, frozenset[str]]] = {
    "die": frozenset(),
    "lose": frozenset(
        "mum mom mother dad father grandma grandpa grandmother grandfather baby dog cat job house home".split()
    ),
    "put": frozenset({"down", "sleep"}),
    "fail": frozenset("exam exams test class course interview year finals".split()),
    "pass": frozenset({"away"}),
    "break": frozenset({"up"}),
    "split": frozenset({"up"}),
    "get": frozenset(
        "fired dumped engaged married divorced promoted accepted rejected evicted robbed expelled pregnant diagnosed "
        "hospitalized hospitalised arrested scholarship".split()
    ),
    "be": frozenset(
        "born fired dumped engaged pregnant promoted accepted rejected evicted robbed expelled hospitalized diagnosed "
        "hospitalised betrayed stillborn arrested".split()
    ),
    "win": frozenset("prize award medal contest competition scholarship championship lottery".split()),
    "betray": frozenset({"me", "us"}),
    "cheat": frozenset({"me"}),
    "leave": frozenset({"me"}),
    "propose": frozenset(),
    "miscarry": frozenset(),
    "reconcile": frozenset(),
    "make": frozenset({"up"}),
    "burst": frozenset({"tears"}),
    "cry": frozenset("night sleep hours hugged".split()),
    "collapse": frozenset(),
    "attempt": frozenset({"suicide"}),
    "give": frozenset({"birth"}),
    "have": frozenset({"miscarriage", "stroke"}),
}
_NOW: Final = frozenset({"engaged", "pregnant"})  #: we're engaged
_INTO: Final = frozenset("school college university uni program harvard oxford cambridge yale stanford mit".split())
_NOT_IT: Final = frozenset("phone laptop battery computer car game movie film show character mind bed".split())
_LONGEST: Final = 90  #: letters


def turned(reading: Reading) -> Iterator[Finding]:
    """Read what happened to the speaker or to those close to them."""
    said = reading.said
    if said.asking or said.negated or said.modals or said.hedged or said.formerly or said.commanding:
        return
    if said.clause.intro in ("if", "when", "whether", "that") or not (_ours(said) and _turns(said)):
        return
    words = [word for word in said.clause.words if not word.is_mark]
    shown = reading.text[said.subject[0].start : words[-1].end] if words else ""
    if said.subject[0].low in ("i", "we"):
        shown = reading.text[said.subject[-1].end : words[-1].end].strip().removeprefix("'m ").removeprefix("'re ")
    if shown and len(shown) <= _LONGEST:
        me = reading.speaking.me()
        yield found(patterns().by_attribute["milestone"], Value(value=shown, surface=shown), whose=me)


def _ours(said: Said) -> bool:
    """Whether it is the speaker's, or that of somebody of theirs: not my phone."""
    lows = [word.low for word in said.subject]
    if not lows or lows[0] not in _OURS or set(lows) & _NOT_IT:
        return False
    known = lexicon()
    return lows[0] in ("i", "we") or any(low in known.people or low in known.of_class("animal") for low in lows[1:])


def _turns(said: Said) -> bool:
    lows = {word.low for word in said.rest} | said.adverbs
    needed = _EVENTS.get(said.lemma)
    if "born" in lows and said.subject[0].low in ("i", "we"):
        return False  # a birthday
    if not (said.past or said.perfect):
        return said.lemma == "be" and bool(_NOW & lows) and not said.doing
    if said.lemma == "get" and said.rest[:1] and said.rest[0].low == "into" and _INTO & lows:
        return True
    if needed is None or (said.lemma == "make" and lows & {"mind", "story", "my"}):
        return False
    return not needed or bool(needed & lows)
