"""The rules over whole utterances, each with the words that call for it."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from importlib.resources import files
from typing import Final

from gieok.extract.korean import (
    aftermath,
    aims,
    barred,
    boundaries,
    companions,
    errands,
    goals,
    intentions,
    keeping,
    kinsfolk,
    pledges,
    presenting,
    prospects,
    reactions,
    remedies,
    resolves,
    romance,
    shifts,
    swings,
    symptoms,
    traits,
    turning_points,
)
from gieok.extract.korean.lexicon import lexicon, signals
from gieok.extract.korean.telling import Hint, Hints

_TRIGGERS: Final[Mapping[str, Sequence[str]]] = tomllib.loads(
    files(__package__).joinpath("hints.ko.toml").read_text(encoding="utf-8")
)
_SHORT_ANIMALS: Final = r"|(?<![가-힣])(?:개|닭|새|말|소|양)(?:[을를도랑]|이랑)?(?= )"


def _hint(rule: Hint, *names: str, words: Iterable[str] = (), or_: str = "", asked: str = "") -> Hints:
    """Return `rule` with the triggers called `names`, further `words`, and a pattern that begins with "|"."""
    called = {*words, *(word for name in names for word in _TRIGGERS[name])}
    literal = "|".join(re.escape(word) for word in sorted(called, key=len, reverse=True))
    return Hints(trigger=re.compile(literal + or_), rule=rule, asked=re.compile(asked) if asked else None)


def _long(words: Iterable[str]) -> Iterable[str]:
    return (word for word in words if len(word) > 1)


HINTS: Final[tuple[Hints, ...]] = (
    _hint(keeping.kept, words=_long(lexicon().of_class("animal")), or_=_SHORT_ANIMALS),
    _hint(companions.near, "friend"),
    _hint(reactions.allergic, "allergy", words=signals("allergy", "marks")),
    _hint(reactions.afraid, "fear"),
    _hint(aftermath.scarred, "trauma"),
    _hint(aftermath.scarred_since, "aftermath"),
    _hint(
        romance.bound,
        "love",
        words=signals("love", "married") | signals("love", "dating") | signals("love", "divorced"),
    ),
    _hint(boundaries.kept_off, "boundary"),
    _hint(goals.aimed_at, "goal"),
    _hint(goals.striven_for, "striving"),
    _hint(goals.answered, "goal", asked="목표"),
    _hint(intentions.agreed, "agreed"),
    _hint(turning_points.turned, words=turning_points.triggers()),
    _hint(intentions.promised, "promise"),
    _hint(intentions.to_do, "todo"),
    _hint(intentions.schemed, "scheme"),
    _hint(intentions.dated, "cancelled", or_=f"|{intentions.AHEAD.pattern}"),
    _hint(prospects.ahead, "ahead", or_=f"|{intentions.AHEAD.pattern}", asked=f"{intentions.AHEAD.pattern}|하면 뭐"),
    _hint(errands.errand, "errand", asked="할 ?일|뭐 (?:남|해야)|해야 [돼해되]"),
    _hint(pledges.pledged, "pledge", asked="약속|손가락"),
    _hint(
        traits.natured,
        "trait",
        words=(word[:2] for word in signals("trait", "nouns") | signals("trait", "qualities")),
        asked="성격|어떤 (?:사람|스타일|타입|편)|[장단]점|성향",
    ),
    _hint(remedies.taken, "medicine", words=lexicon().of_class("medicine")),
    _hint(remedies.ill, "treatment", words=signals("illness", "endings") | lexicon().of_class("illness")),
    _hint(remedies.vaccinated, "vaccine"),
    _hint(barred.forbidden, "contraindication"),
    _hint(shifts.worked, "part_time"),
    _hint(symptoms.not_taken, or_=r"안\s?(?:받|맞)|받지\s?[않못]|맞지\s?않"),
    _hint(presenting.presented, or_=presenting.TOLD),
    _hint(swings.reversed_taste, "turned_taste"),
    _hint(resolves.resolved, "resolve"),
    _hint(aims.aimed, "aim"),
    _hint(
        kinsfolk.kinsfolk,
        words=signals("own_kin", "kin") | signals("own_kin", "elder") | signals("own_kin", "loved"),
    ),
)
