"""English verbs: which word may be a form of which verb, and which form it is."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Final, Literal

from gieok.extract.english.lexicon import lexicon

Form = Literal["base", "s", "past", "done", "ing"]

BE: Final = {"am": "base", "are": "base", "is": "s", "was": "past", "were": "past", "been": "done", "being": "ing"}
HAVE: Final = frozenset({"have", "has", "had", "having"})
DO: Final = frozenset({"do", "does", "did"})
MODALS: Final = frozenset("can could will would shall should may might must".split())
_DOUBLED: Final = frozenset(
    "tip bin scrap swap step strip wrap grab plug drag "
    "stop drop plan quit jog swim run hug chat tap hum rap trim nag nap pet rob knit fit cut get sit put let win dig "
    "spin mop shop skip set hit bet admit commit prefer refer babysit transfer refer forget begin program".split()
)


_NO_DOING: Final = frozenset(
    "something nothing anything everything boring amazing exciting interesting annoying tiring exhausting depressing "
    "disappointing morning evening spring string ceiling wedding building during sibling darling earring charming "
    "stunning outstanding fascinating terrifying embarrassing confusing frustrating relaxing disgusting".split()
)


@dataclass(frozen=True, slots=True)
class VerbForm:
    """What a word is as a verb; "past" also where it may be a participle."""

    lemma: str
    form: Form


@cache
def _forms() -> dict[str, VerbForm]:
    known: dict[str, VerbForm] = {}
    irregular = {base for base, _, _ in lexicon().irregular}
    for base in sorted(lexicon().regular - irregular):
        known[_with(base, "ed")] = VerbForm(base, "past")
        _present(known, base)
    for base, past, done in lexicon().irregular:
        _present(known, base)
        known[done] = VerbForm(base, "done")
        known[past] = VerbForm(base, "past")
        known[base] = VerbForm(base, "base")
    for low, form in BE.items():
        known[low] = VerbForm("be", form)  # type: ignore[arg-type]  # the table holds forms alone
    known |= {"has": VerbForm("have", "s"), "does": VerbForm("do", "s"), "goes": VerbForm("go", "s")}
    known |= {"quit": VerbForm("quit", "past"), "hit": VerbForm("hit", "past"), "read": VerbForm("read", "base")}
    known |= {
        "learned": VerbForm("learn", "past"),
        "dreamed": VerbForm("dream", "past"),
        "dying": VerbForm("die", "ing"),
    }
    return known


def _present(known: dict[str, VerbForm], base: str) -> None:
    known[base] = VerbForm(base, "base")
    known[_third(base)] = VerbForm(base, "s")
    known[_with(base, "ing")] = VerbForm(base, "ing")


def _third(base: str) -> str:
    if base.endswith(("s", "x", "z", "ch", "sh", "o")):
        return base + "es"
    if base.endswith("y") and base[-2] not in "aeiou":
        return base[:-1] + "ies"
    return base + "s"


def _with(base: str, ending: str) -> str:
    if base in _DOUBLED:
        return base + base[-1] + ending
    if base.endswith("e") and not base.endswith(("ee", "ye")):
        return base[:-1] + ending
    if ending == "ed" and base.endswith("y") and base[-2] not in "aeiou":
        return base[:-1] + "ied"
    return base + ending


def verb(low: str) -> VerbForm | None:
    """Return what `low` is as a verb, None if it is none that we know."""
    return _forms().get(low)


@cache
def unchanged() -> frozenset[str]:
    """The verbs whose participle is their base form: have come, have run."""
    return frozenset(base for base, _, done in lexicon().irregular if base == done)


def ing_of(base: str) -> str:
    """Return the -ing form of a verb."""
    return _with(base, "ing")


def looks_doing(low: str) -> bool:
    """Whether a word has the shape of a doing (snowboarding), known or not."""
    return len(low) > 5 and low.endswith("ing") and low not in _NO_DOING
