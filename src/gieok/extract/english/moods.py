"""How an utterance is meant: which of its clauses tell something, and how sure the speaker sounds.

Questions, wishes, suppositions and hearsay tell nothing; what one thinks to be so is told with less certainty.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

from gieok.extract.english.clauses import ASKING_BACK
from gieok.extract.english.grammar import Said
from gieok.extract.english.words import Word

Mood = Literal["told", "unsure", "aside", "unsaid"]  #: "aside": only what it takes for granted is told

_JOKES: Final = (
    ("jk",), ("kidding",), ("joking",), ("just", "a", "joke"), ("sike",), ("psych", "!"), ("/", "s"), ("j", "/", "k"),
    ("april", "fools", "!"), ("in", "your", "dreams"), ("yeah", "right"),
)  # fmt: skip
_LYRICS: Final = frozenset("♪♬🎵🎶")
_IMAGINED: Final = (
    ("in", "another", "life"), ("in", "a", "past", "life"), ("in", "my", "dreams"), ("in", "my", "dream"),
    ("in", "the", "game"), ("in", "the", "sims"), ("my", "character"), ("my", "oc"), ("rumour", "has", "it"),
    ("rumor", "has", "it"), ("what", "if"), ("if", "only"), ("let", "'s", "say"), ("pretend",), ("imagine",),
    ("suppose",), ("supposedly",), ("allegedly",), ("say", "i", "was"), ("say", "i", "were"),
    ("dream", "last", "night"),
    ("as", "if"), ("hypothetically",), ("would", "kill", "to"), ("in", "a", "parallel"), ("dreamt", "that"),
    ("dreamt", "i"), ("dreamt", "about"),
    ("dreamed", "that"), ("dreamed", "i"), ("dreamed", "about"), ("feels", "like"), ("feel", "like"),
    ("felt", "like"), ("i", "wish"), ("wish", "i"),
    ("sure", "because"),
)  # fmt: skip
_WISHING: Final = frozenset("wish hope imagine pretend wonder doubt fantasise fantasize want ask".split())
_THINKING: Final = frozenset("think guess believe suppose reckon suspect figure assume".split())
_SAYING: Final = frozenset(
    "say tell claim hear read think believe reckon assume swear insist joke ask figure guess want suggest call".split()
)
_KNOWING: Final = frozenset("know remember forget realise realize mention tell notice remind".split())
_TRUSTED: Final = frozenset(
    "test tests lab doctor doc results result card certificate passport scan gp dentist scale scales "
    "bloods hospital".split()
)
_DEPENDENT: Final = frozenset({"that", "what", "who", "which", "how", "why", "whether", "if", "where", "when"})
_TAGS: Final = frozenset("remember know ok okay k right haha yeah huh eh innit".split())


@dataclass(frozen=True, slots=True, kw_only=True)
class Meant:
    """A clause and how it is meant."""

    said: Said
    mood: Mood


def joking(words: Sequence[Word]) -> bool:
    """Whether the words say that they are in fun, or are sung."""
    lows = [word.low for word in words]
    lows = [low for i, low in enumerate(lows) if i == 0 or lows[i - 1] not in ("not", "no", "never")]
    return any(_holds(lows, mark) for mark in _JOKES) or any(set(word.text) & _LYRICS for word in words)


def meant(read: Sequence[Said]) -> list[Meant]:
    """Return every clause with its mood."""
    told: list[Meant] = []
    for number in sorted({said.clause.number for said in read}):
        told += _sentence([said for said in read if said.clause.number == number])
    return told


def _sentence(read: Sequence[Said]) -> list[Meant]:
    lows = [word.low for said in read for word in _with_intro(said) if word.low == "'s" or not word.is_mark]
    if any(_holds(lows, mark) for mark in _IMAGINED) or _ironic(read):
        return [Meant(said=said, mood="unsaid") for said in read]
    asked = _asked(read)
    result: list[Meant] = []
    above: Mood = "told"
    for place, said in enumerate(read):
        dependent = place > 0 and said.clause.intro in _DEPENDENT
        mood = _own_mood(said, asked=place in asked)
        if dependent:
            mood = _under(above, mood)
        result.append(Meant(said=said, mood=mood))
        above = _gives(said, mood)
    return result


def _with_intro(said: Said) -> list[Word]:
    intro = said.clause.intro
    head = [Word(intro, intro, 0, 0)] if intro else []
    return [*head, *said.clause.words]


def _own_mood(said: Said, *, asked: bool) -> Mood:
    first = said.clause.words[0].low if said.clause.words else ""
    supposed = said.clause.intro in ("if", "unless", "whether", "than", "like") or first in ("if", "unless")
    if supposed:
        return "unsaid"
    if asked or said.asking:
        return "aside"
    return "unsure" if said.hedged else "told"


def _under(above: Mood, own: Mood) -> Mood:
    """Return the mood of a clause that hangs on another of mood `above`."""
    if own == "unsaid" or above == "unsaid":
        return "unsaid"
    if above == "told":
        return "told" if own in ("told", "aside") else own
    return above if own != "aside" else "aside"


def _gives(said: Said, mood: Mood) -> Mood:
    """Return the mood that `said` hands down to what it says, thinks or asks."""
    mine = not said.subject or said.subject[0].low in ("i", "we")
    you = bool(said.subject) and said.subject[0].low == "you"
    if said.asking:
        words = {word.low for word in said.clause.words}
        return "told" if words & {"know", "tell", "told", "mention", "remember", "forget"} else "unsaid"
    if mood in ("unsaid", "aside"):
        return mood
    if said.lemma in _KNOWING and (mine or you or said.commanding):
        return "told" if not (said.negated and said.lemma in ("know", "think")) else "unsaid"
    if said.lemma in _WISHING:
        return "unsaid"
    if said.lemma in _THINKING and mine:
        return "unsaid" if said.negated else "unsure"
    if said.lemma in _SAYING and not mine:
        return "told" if _TRUSTED & {word.low for word in said.subject} else "unsaid"
    if said.lemma == "be" and said.rest and said.rest[0].low in ("sure", "certain") and said.negated:
        return "unsaid"
    return "told"


def _asked(read: Sequence[Said]) -> set[int]:
    """Return which clauses of a sentence are asked."""
    inverted = {place for place, said in enumerate(read) if said.asking}
    if read[0].clause.ends != "?":
        return inverted
    last = read[-1]
    lows = tuple(word.low for word in last.clause.words if not word.is_mark)
    if len(read) > 1 and (len(read) - 1 in inverted or (lows in ASKING_BACK and lows != ("right",))):
        return inverted | {len(read) - 1}
    if len(read) > 1 and len(lows) == 1 and lows[0] in _TAGS - {"right"}:
        return inverted | {len(read) - 1}
    return set(range(len(read)))


def _ironic(read: Sequence[Said]) -> bool:
    """Oh yeah I just LOVE being stuck: a sweet word shouted after an opening that does not mean it."""
    first = read[0].clause.words[0].low if read[0].clause.words else ""
    shouted = any(word.text in ("LOVE", "LOVED", "ADORE", "ENJOY") for said in read for word in said.clause.words)
    return shouted and first in ("oh", "yeah", "sure", "wow", "gee", "great", "right")


def _holds(lows: Sequence[str], mark: Sequence[str]) -> bool:
    return f" {' '.join(mark)} " in f" {' '.join(lows)} "
