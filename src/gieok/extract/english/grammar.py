"""A clause as subject, verb and the rest, with tense, negation and how it is meant."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from gieok.extract.english.clauses import AUXILIARIES, SUBJECTS, Clause, starts, subject_end
from gieok.extract.english.lexicon import lexicon
from gieok.extract.english.verbs import BE, DO, HAVE, MODALS, looks_doing, unchanged, verb
from gieok.extract.english.words import Word

_WH: Final = frozenset("what where who whom whose which how why when".split())
_STOPPING: Final = frozenset({"quit", "stop"})
_NEVER: Final = frozenset({"never", "hardly", "barely", "rarely", "seldom"})
_PHRASES: Final = (
    ("these", "days"), ("at", "the", "moment"), ("right", "now"), ("by", "the", "way"), ("to", "be", "honest"),
    ("as", "of", "now"), ("for", "now"), ("at", "last"), ("at", "least"), ("of", "course"), ("in", "fact"),
    ("a", "bit"), ("a", "little"), ("kind", "of"), ("sort", "of"), ("full", "time"), ("fun", "fact"), ("this", "year"),
    ("no", "longer"), ("all", "the", "time"), ("turns", "out"), ("at", "the", "minute"), ("any", "more"),
    ("any", "longer"), ("hands", "down"), ("by", "far"), ("without", "a", "doubt"), ("last", "year"),
    ("last", "month"), ("last", "week"), ("this", "week"), ("by", "now"),
)  # fmt: skip
_BY_FIRST: Final = {
    first: tuple(each for each in _PHRASES if each[0] == first) for first in {each[0] for each in _PHRASES}
}
_BY_LAST: Final = {
    last: tuple(each for each in _PHRASES if each[-1] == last) for last in {each[-1] for each in _PHRASES}
}
_GETTING: Final = frozenset(
    "into over up off on out better worse used married engaged divorced hired fired promoted".split()
)
_STATES: Final = frozenset("want like love need know think care believe hate enjoy own have".split())
_MAYBE: Final = frozenset("maybe perhaps probably possibly".split())


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """What one clause says."""

    clause: Clause
    subject: tuple[Word, ...] = ()  #: empty where it is left out
    lemma: str = ""  #: "" where there is no verb
    rest: tuple[Word, ...] = ()  #: what follows the verb
    before: tuple[Word, ...] = ()  #: what stands before the subject
    past: bool = False
    perfect: bool = False
    doing: bool = False  #: is living, has been working
    modals: frozenset[str] = frozenset()
    negated: bool = False
    formerly: bool = False  #: used to
    ended: bool = False  #: no longer, stopped
    asking: bool = False
    commanding: bool = False
    adverbs: frozenset[str] = field(default_factory=frozenset)

    @property
    def hedged(self) -> bool:
        return bool(_MAYBE & self.adverbs) or "might" in self.modals or "may" in self.modals


def parse(clause: Clause) -> Said:
    """Return what `clause` says; what is no sentence has no verb."""
    words = list(clause.words)
    adverbs: set[str] = set()
    i = _skipped(words, 0, adverbs, opening=True)
    said = Said(clause=clause, rest=tuple(words[i:]), adverbs=frozenset(adverbs))
    if i >= len(words):
        return said
    if _inverted(words, i, clause):
        return replace(said, asking=True)
    start, end = _subject(words, i)
    if end is None:
        return _without_subject(said, words, i)
    said = replace(said, subject=tuple(words[start:end]), before=tuple(words[i:start]))
    return _verb_group(said, words, end)


def _skipped(words: Sequence[Word], i: int, adverbs: set[str], *, opening: bool = False) -> int:
    """Return where the adverbs (and words of opening) at `i` end; they are added to `adverbs`."""
    while i < len(words):
        phrase = next((each for each in _BY_FIRST.get(words[i].low, ()) if _is(words, i, each)), None)
        if phrase is not None:
            adverbs.add(" ".join(phrase))
            i += len(phrase)
        elif words[i].low in lexicon().adverbs or (opening and _opens(words, i)):
            adverbs.add(words[i].low)
            i += 1
        else:
            return i
    return i


def _opens(words: Sequence[Word], i: int) -> bool:
    word = words[i]
    if word.low == "," or word.low in ("'", '"', "*", "/", ">", "<"):
        return True
    return word.low in lexicon().openers and not (word.low in ("like", "love") and i + 1 < len(words) and i == 0)


def _is(words: Sequence[Word], i: int, lows: Sequence[str]) -> bool:
    return i + len(lows) <= len(words) and all(words[i + k].low == low for k, low in enumerate(lows))


def _inverted(words: Sequence[Word], i: int, clause: Clause) -> bool:
    """Whether it has the order of a question: are you, do i, what is, how old."""
    low = words[i].low
    after = words[i + 1].low if i + 1 < len(words) else ""
    if low in _WH:
        if clause.intro and clause.intro not in (",", "and", "but", "so", "or", "-", "—"):
            return False
        auxiliary = next((k for k in range(i + 1, min(i + 4, len(words))) if words[k].low in AUXILIARIES), None)
        return auxiliary is not None and not any(words[k].low in SUBJECTS for k in range(i + 1, auxiliary))
    if low not in AUXILIARIES or low in ("'s", "been", "being"):
        return False
    if low in ("is", "are", "does") and clause.intro in ("", ","):
        return True
    if after == "not" and i + 2 < len(words):
        after = words[i + 2].low
    nominal = after in ("my", "your", "the", "a", "an", "anyone", "anybody") and low not in HAVE | {"do", "can"}
    return after in SUBJECTS or nominal


def _subject(words: Sequence[Word], i: int) -> tuple[int, int | None]:
    """Return where the subject begins and ends; its end is None where there is none."""
    if words[i].low in SUBJECTS and starts(words, i):
        return i, i + 1
    if words[i].low == "me" and i + 1 < len(words) and words[i + 1].low in ("and", "too"):
        return i, None
    pronoun = next((k for k in range(i + 1, min(i + 9, len(words))) if words[k].low in ("i", "we")), None)
    if pronoun is not None and starts(words, pronoun) and _leads(words, i, pronoun):
        return pronoun, pronoun + 1
    if _finite_first(words, i):
        return i, None
    end = subject_end(words, i)
    return (i, end) if end is not None else (i, None)


def _leads(words: Sequence[Word], i: int, pronoun: int) -> bool:
    """Whether the words before `pronoun` only set the scene: in my free time, weekends, every night."""
    verbs_between = any(words[k].low in AUXILIARIES or verb(words[k].low) for k in range(i, pronoun))
    scene = words[i].low in lexicon().prepositions or words[i].low in ("every", "most", "each", "some", "any", "all")
    return scene or (not verbs_between and words[pronoun - 1].low != "and")


def _finite_first(words: Sequence[Word], i: int) -> bool:
    form = verb(words[i].low)
    if form is not None and form.form == "ing" and _said_of_doing(words, i + 1):
        return False
    if form is not None and form.form == "s" and [word.low for word in words[i + 2 : i + 3]] == ["me"]:
        return verb(words[i + 1].low) is None  # lifts freak me out
    return (
        words[i].low in AUXILIARIES
        or (form is not None and not words[i].capital)
        or (form is not None and i == 0 and form.form in ("past", "ing", "base"))
    )


def _said_of_doing(words: Sequence[Word], i: int) -> bool:
    """Gardening is my thing; flying terrifies me: a doing of which something is said."""
    for at in range(i, min(i + 4, len(words) - 1)):
        low, after = words[at].low, words[at + 1].low
        form = verb(low)
        if low in ("is", "'s", "are") and after in ("my", "not"):
            return True
        if form is not None and form.form == "s" and after in ("me", "my"):
            return True
        if words[at].is_mark or low in AUXILIARIES or low in SUBJECTS:
            return False
    return False


def _without_subject(said: Said, words: Sequence[Word], i: int) -> Said:
    """Grew up in Tulsa; can't stand it; working as a nurse; need to go. Or an order: come here."""
    low = words[i].low
    form = verb(low)
    if form is None and low not in AUXILIARIES and low not in ("used",):
        return replace(said, rest=tuple(words[i:]))
    group = _verb_group(said, words, i)
    plain = form is not None and form.form == "base" and low not in MODALS
    joined = said.clause.intro in ("and", "or", "but", ",", "then", "so", "who")
    if plain and not joined and form is not None and form.lemma not in lexicon().own:
        return replace(group, commanding=True)
    if low == "do" and group.negated and not (group.ended or group.lemma in _STATES):
        return replace(group, commanding=True)
    return group


def _verb_group(said: Said, words: Sequence[Word], i: int) -> Said:
    """Read the auxiliaries and the verb that begin at `i`."""
    adverbs = set(said.adverbs)
    state = _Group()
    while i < len(words):
        at = _skipped(words, i, adverbs)
        if at < len(words) and words[at].low == "not":
            state.negated = True
            i = at + 1
            continue
        if at >= len(words):
            break
        taken = _auxiliary(words, at, state)
        i = at
        if not taken:
            break
        i += taken
    i = _skipped(words, i, adverbs)
    if i < len(words) and words[i].low == "not":
        state.negated = True
        i = _skipped(words, i + 1, adverbs)
    _main(words, i, state)
    if state.lemma == "be" and _is(words, state.at, ("no", "longer")):
        adverbs.add("no longer")
        state.at += 2
    _skipped(words, state.at, adverbs)  # am probably: they stay where they are, and count
    rest, later = _trimmed(words[state.at :])
    adverbs |= later
    anymore = bool({"anymore", "any more", "any longer"} & adverbs)
    return replace(
        said,
        lemma=state.lemma,
        rest=rest,
        past=state.past,
        perfect=state.perfect,
        doing=state.doing,
        modals=frozenset(state.modals),
        negated=(state.negated or bool(_NEVER & adverbs)) and not state.ended,
        formerly=state.formerly,
        ended=state.ended or "no longer" in adverbs or (anymore and state.negated),
        adverbs=frozenset(adverbs),
    )


@dataclass(slots=True)
class _Group:
    lemma: str = ""
    at: int = 0  #: where the words after the verb begin
    past: bool = False
    perfect: bool = False
    doing: bool = False
    negated: bool = False
    formerly: bool = False
    ended: bool = False
    modals: set[str] = field(default_factory=set)
    bare: bool = False  #: an auxiliary came before: the verb stands in its base form


def _auxiliary(words: Sequence[Word], i: int, state: _Group) -> int:
    """Take the auxiliary at `i` into `state`; return how many words it has, 0 if there is none."""
    low = words[i].low
    after = _next_low(words, i + 1)
    if low in MODALS:
        state.modals.add(low)
        return 1
    if low in DO and (_next_is_base(words, i + 1) or after == "not"):
        state.past |= low == "did"
        return 1
    if low == "used" and after == "to":
        state.formerly = True
        return 2
    if (low in HAVE and _perfect_follows(words, i + 1)) or (low == "'s" and after == "been"):
        state.perfect = True
        return 1
    if (low in BE or low == "'s") and _going_to(words, i + 1):
        state.modals.add("will")
        return 1 + _offset(words, i + 1) + 2
    if low == "going" and after == "to" and verb(_next_low(words, i + 2) or ""):
        state.modals.add("will")
        return 2
    return 0


def _next_low(words: Sequence[Word], i: int) -> str:
    while i < len(words) and words[i].low in lexicon().adverbs:
        i += 1
    return words[i].low if i < len(words) else ""


def _offset(words: Sequence[Word], i: int) -> int:
    start = i
    while i < len(words) and (words[i].low in lexicon().adverbs or words[i].low == "not"):
        i += 1
    return i - start


def _going_to(words: Sequence[Word], i: int) -> bool:
    i += _offset(words, i)
    if not _is(words, i, ("going", "to")) or i + 2 >= len(words):
        return False
    form = verb(words[i + 2].low)
    return form is not None and form.form == "base"


def _next_is_base(words: Sequence[Word], i: int) -> bool:
    form = verb(_next_low(words, i))
    return form is not None and form.form == "base"


def _perfect_follows(words: Sequence[Word], i: int) -> bool:
    i += _offset(words, i)
    if i >= len(words):
        return False
    form = verb(words[i].low)
    return form is not None and (
        form.form in ("done", "past") or (form.lemma in unchanged() and words[i].low == form.lemma)
    )


def _main(words: Sequence[Word], i: int, state: _Group) -> None:
    """Read the verb itself; been and being stand for be, and what is being done for the doing."""
    state.at = min(i + 1, len(words))
    if i >= len(words):
        state.lemma = "be" if state.perfect else ""
        return
    low = "is" if words[i].low == "'s" else words[i].low
    state.perfect |= low == "been"
    form = verb(low)
    state.lemma = form.lemma if form is not None else low
    state.past |= form is not None and form.form == "past" and not state.perfect
    state.doing |= form is not None and form.form == "ing"
    if state.perfect and low == "got" and not _got_on(words, i + 1):
        state.lemma, state.perfect = "have", False
    if state.lemma == "be":
        _progressive(words, state)
    elif state.lemma in _STOPPING or (state.lemma == "give" and _is(words, i + 1, ("up",))):
        _stopped(words, state)
    elif state.lemma in ("start", "begin", "keep", "end", "carry"):
        _carried_on(words, state)


def _got_on(words: Sequence[Word], i: int) -> bool:
    """Whether "have got" means have become: got into, got married."""
    return i < len(words) and words[i].low in _GETTING


def _progressive(words: Sequence[Word], state: _Group) -> None:
    at = state.at + _offset(words, state.at)
    denied = any(words[k].low == "not" for k in range(state.at, at))
    state.negated |= denied
    state.at = at if denied else state.at
    form = verb(words[at].low) if at < len(words) else None
    if form is not None and form.form == "ing" and form.lemma != "be":
        state.lemma, state.doing, state.at = form.lemma, True, at + 1
        if form.lemma in ("start", "begin"):
            _carried_on(words, state)


def _stopped(words: Sequence[Word], state: _Group) -> None:
    at = state.at + (1 if state.lemma == "give" else 0)
    form = verb(words[at].low) if at < len(words) else None
    if form is not None and form.form == "ing":
        state.lemma, state.at, state.ended, state.past = form.lemma, at + 1, True, False


def _carried_on(words: Sequence[Word], state: _Group) -> None:
    """Started working at, ended up living in: what was begun goes on."""
    at = state.at + (1 if state.at < len(words) and words[state.at].low in ("up", "on", "to", "out") else 0)
    form = verb(words[at].low) if at < len(words) else None
    doing = form is not None and (form.form == "ing" or (form.form == "base" and words[at - 1].low == "to"))
    if form is not None and doing:
        state.lemma, state.at, state.doing, state.past = form.lemma, at + 1, True, False


def _trimmed(words: Sequence[Word]) -> tuple[tuple[Word, ...], set[str]]:
    """Return the words without the adverbs and marks at their end, and those adverbs."""
    kept = list(words)
    adverbs: set[str] = set()
    while kept:
        ending = _BY_LAST.get(kept[-1].low, ())
        phrase = next((each for each in ending if _is(kept, max(len(kept) - len(each), 0), each)), None)
        if phrase is not None:
            adverbs.add(" ".join(phrase))
            del kept[-len(phrase) :]
        elif kept[-1].is_mark or kept[-1].low in lexicon().time_words - {"most", "best", "more", "first", "alone"}:
            adverbs.add(kept.pop().low)
        else:
            break
    return tuple(kept), adverbs


def is_doing(word: Word) -> bool:
    """Whether `word` is an -ing form."""
    form = verb(word.low)
    return (form is not None and form.form == "ing") or looks_doing(word.low)
