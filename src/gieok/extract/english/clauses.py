"""Utterances as clauses: cut where a sentence ends, and where after a comma or joining word a statement begins."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from gieok.extract.english.lexicon import lexicon
from gieok.extract.english.verbs import BE, DO, HAVE, MODALS, VerbForm, verb
from gieok.extract.english.words import Word

_ENDS: Final = frozenset({".", "!", "?", "…", "\n", "~"})
_HARD: Final = frozenset({";", ":", "—", "–", "-", "(", ")", "|", "=", "→"})
_TITLES: Final = frozenset("st dr mr mrs ms prof jr sr vs mt ft".split())
_JOINING: Final = frozenset({"and", "but", "or", "so", "yet", "then", "plus", "nor", "&"})
_SUBORDINATE: Final = frozenset(
    "because since although though while whereas when whenever if unless until till before after as where that which "
    "who whose how why what whether once like than".split()
)
SUBJECTS: Final = frozenset("i he she we they you it this that there these those who".split())
_ALWAYS_SUBJECTS: Final = frozenset("i he she we they".split())
AUXILIARIES: Final = frozenset(BE) | HAVE | DO | MODALS | {"'s"}
ASKING_BACK: Final = frozenset(
    {("you",), ("hbu",), ("wbu",), ("what", "about", "you"), ("how", "about", "you"), ("and", "you"), ("right",)}
)
_LONGEST_SUBJECT: Final = 8
_LONGEST_CLAUSE: Final = 150  #: words; rules look at all of a clause from each of its words
_LONGEST_AFTERTHOUGHT: Final = 20
_NOUN: Final = VerbForm("", "base")


@dataclass(frozen=True, slots=True, kw_only=True)
class Clause:
    """Some words with at most one statement in them."""

    words: tuple[Word, ...]
    intro: str  #: the word or mark that joins it to the clause before; "" at the head of a sentence
    ends: str  #: the mark that ends its sentence; "" where there is none
    number: int  #: of its sentence, from 0
    last: bool  #: whether it closes its sentence


def clauses(said: Sequence[Word]) -> list[Clause]:
    """Return the clauses of an utterance."""
    found: list[Clause] = []
    for number, (sentence, end) in enumerate(_sentences(said)):
        cut = list(_cut(sentence))
        for place, (intro, words) in enumerate(cut):
            last = place == len(cut) - 1
            found.append(Clause(words=tuple(words), intro=intro, ends=end, number=number, last=last))
    return found


def _sentences(said: Sequence[Word]) -> Iterator[tuple[list[Word], str]]:
    sentence: list[Word] = []
    end = ""
    for word in (_softened(word) for word in said):
        abbreviated = word.low == "." and sentence and sentence[-1].low in _TITLES
        if word.low in _ENDS and not abbreviated:
            end += word.low
            continue
        if end and sentence:
            yield sentence, "?" if "?" in end else end[:1]
            sentence = []
        end = ""
        if not abbreviated:
            sentence.append(word)
    if sentence:
        yield sentence, "?" if "?" in end else end[:1]


def _softened(word: Word) -> Word:
    """Laughter and pictures stand between words like a comma."""
    picture = word.is_mark and not word.low.isascii() and word.low not in _HARD | _ENDS
    if picture or (word.low in lexicon().laughter and not word.quoted):
        return Word(",", ",", word.start, word.end)
    return word


def _cut(words: Sequence[Word]) -> Iterator[tuple[str, list[Word]]]:
    intro, start = "", 0
    i = 0
    while i < len(words):
        joint = _joint(words, start, i)
        if joint is not None:
            if i > start or joint[0]:
                yield intro, list(words[start:i])
            intro, start = joint
            i = max(start, i + 1)
            continue
        i += 1
        if i - start == _LONGEST_CLAUSE:
            yield intro, list(words[start:i])
            intro, start = ",", i
    yield intro, list(words[start:])


def _joint(words: Sequence[Word], start: int, i: int) -> tuple[str, int] | None:
    """Return how a clause that begins at `i` is joined on, and where its words begin; None if none begins there."""
    low = words[i].low
    if low in _HARD:
        return low, i + 1
    if low == ",":
        return _after_comma(words, i)
    if i == start:
        return None
    if low in _JOINING:
        if words[i - 1].low == "born":
            return None  # born and raised
        return (low, i + 1) if starts(words, i + 1, elided=True) else None
    if low in _SUBORDINATE:
        return _subordinate(words, start, i)
    if low in _ALWAYS_SUBJECTS and starts(words, i) and _said_already(words, start, i):
        return "that", i
    return None


def _said_already(words: Sequence[Word], start: int, i: int) -> bool:
    """Whether there is a verb before `i` that is not the "did" of "did I"; the fail of "without fail" is a noun."""
    if words[i - 1].low in AUXILIARIES or (words[i - 1].low == "not" and words[max(start, i - 2)].low in AUXILIARIES):
        return False
    known = lexicon()
    return any(
        _verbal(words[k])
        and (k == start or (words[k - 1].low not in known.prepositions and words[k - 1].low not in known.determiners))
        for k in range(start, i)
    )


def _after_comma(words: Sequence[Word], i: int) -> tuple[str, int] | None:
    at = i + 1
    if at < len(words) and words[at].low in _JOINING:
        return (words[at].low, at + 1) if starts(words, at + 1, elided=True) else None
    if at < len(words) and words[at].low in _SUBORDINATE and starts(words, at + 1, elided=True):
        return words[at].low, at + 1
    rest = [word.low for word in words[at : at + _LONGEST_AFTERTHOUGHT]]
    if tuple(rest) in ASKING_BACK:
        return ",", at
    over = rest[:1] == ["not"] and ("anymore" in rest or "more" in rest)
    return (",", at) if over or starts(words, at, elided=True) else None


def _subordinate(words: Sequence[Word], start: int, i: int) -> tuple[str, int] | None:
    low = words[i].low
    after = words[i + 1].low if i + 1 < len(words) else ""
    if low in ("who", "which", "that") and (after in AUXILIARIES or _finite(words, i + 1)):
        return "who", i + 1
    if low in ("that", "like", "as", "than", "what", "how") and not any(_verbal(word) for word in words[start:i]):
        return None
    pronoun = i + 1 < len(words) and words[i + 1].low in SUBJECTS
    if low in ("as", "like", "than") and not pronoun:
        return None
    return (low, i + 1) if starts(words, i + 1) else None


def starts(words: Sequence[Word], i: int, *, elided: bool = False) -> bool:
    """Whether a statement begins at `i`; `elided`: also one that leaves its subject out."""
    skip = lexicon().skippable
    while i < len(words) and words[i].low in skip and words[i].low not in SUBJECTS:
        i += 1
    if i >= len(words):
        return False
    low = words[i].low
    if low in SUBJECTS:
        return _verb_follows(words, i + 1) or (low in _ALWAYS_SUBJECTS and _may_be_verb(words, i + 1))
    if elided and (_finite(words, i) or low in ("been", "got")):
        return True
    return subject_end(words, i) is not None


def _may_be_verb(words: Sequence[Word], i: int) -> bool:
    """Whether an unknown word right after "I" can only be a verb: I hail from."""
    known = lexicon()
    if i + 1 >= len(words) or not words[i].low.isalpha() or words[i].low in known.small or words[i].low in _JOINING:
        return False
    after = words[i + 1].low
    return (after.isalpha() and after not in AUXILIARIES and after not in SUBJECTS) or after in known.determiners


def _verb_follows(words: Sequence[Word], i: int) -> bool:
    adverbs = lexicon().adverbs
    while i < len(words) and (words[i].low in adverbs or words[i].low in ("not", "no", "longer")):
        i += 1
    if i >= len(words):
        return False
    return words[i].low in AUXILIARIES or words[i].low == "used" or _verbal(words[i])


def subject_end(words: Sequence[Word], i: int) -> int | None:
    """Return where the verb stands after a noun phrase at `i`; None if there is no such thing."""
    first = words[i]
    if first.is_mark or first.low in lexicon().prepositions:
        return None
    opened = _opens_subject(first)
    for at in range(i + 1, min(i + 1 + _LONGEST_SUBJECT, len(words))):
        word = words[at]
        if word.low in AUXILIARIES and not (word.low == "'s" and _owns(words, at)):
            return at
        if opened and _told(word) and word.low not in lexicon().nouns_too:
            return at
        if _plural_does(words, at) and (opened or words[at + 1].low in ("me", "my")):
            return at
        stops = word.low in ("that", "which", "who", "and", ",", "when") or (word.is_mark and word.low != "'")
        if stops and not (word.low == "and" and opened and at + 1 < len(words)):
            return None
    return None


def _plural_does(words: Sequence[Word], at: int) -> bool:
    """My friends call me: after a plural, a verb in its base form with something to act on."""
    form = verb(words[at].low)
    after = words[at + 1].low if at + 1 < len(words) else ""
    back = at - 1
    while back > 0 and words[back].low in lexicon().adverbs:
        back -= 1
    some = any(word.low.endswith(_PLURAL) for word in words[max(0, back - 3) : back + 1])
    plural = some if after == "me" else words[back].low.endswith(_PLURAL)
    if form is None or form.form != "base" or not plural:
        return form is not None and after in ("me", "my") and form.form in ("s", "past") and back == at - 1
    if after == "me" or (form.lemma in _REPORTING and after in SUBJECTS):
        return True
    return at + 1 < len(words) and (words[at + 1].low in _ACTED_ON or words[at + 1].low in lexicon().determiners)


_PLURAL: Final = ("s", "people", "folks", "children", "women", "men", "mice", "geese")
_REPORTING: Final = frozenset({"say", "think", "tell", "reckon", "claim", "believe"})
_ACTED_ON: Final = frozenset("me him her us them it you in at".split())


def _opens_subject(first: Word) -> bool:
    known = lexicon()
    low = first.low
    named = low in known.determiners or low in known.people or low in _INDEFINITE or low in known.numbers
    return named or first.capital or (first.low in known.class_of and known.class_of[first.low] != "trait")


_INDEFINITE: Final = frozenset("everyone everybody people nobody someone somebody most friends nothing lots".split())


def _owns(words: Sequence[Word], at: int) -> bool:
    """Whether 's at `at` marks an owner (my dog's name is …) rather than a verb (my dog's old)."""
    if at + 1 >= len(words) or words[at + 1].is_mark:
        return False
    after = words[at + 1].low
    if (
        after in lexicon().determiners
        or after in lexicon().adverbs
        or after in ("not", "been", "got", "gone", "called")
    ):
        return False
    if (verb(after) or _NOUN).form == "ing" and after not in lexicon().nouns_too:
        return False  # my eczema's flaring up
    for word in words[at + 2 : at + 6]:
        if word.low in SUBJECTS or word.low in _SUBORDINATE or word.low == ",":
            return False
        if word.low in AUXILIARIES or _told(word):
            return True
    return False


def _told(word: Word) -> bool:
    form = verb(word.low)
    return form is not None and form.form in ("s", "past")


def _finite(words: Sequence[Word], i: int) -> bool:
    """Whether the word at `i` can be a verb whose subject is left out: "… and work at a bank", ", love it"."""
    skip = lexicon().adverbs
    while i < len(words) and words[i].low in skip:
        i += 1
    if i >= len(words):
        return False
    low = words[i].low
    if low in AUXILIARIES and low != "'s":
        return True
    form = verb(low)
    if form is None or form.form in ("ing", "done"):
        return False
    if low not in lexicon().nouns_too and form.form != "s":
        return True
    after = words[i + 1].low if i + 1 < len(words) else ""
    return after in lexicon().prepositions or after in lexicon().determiners or after in _ACTED_ON


def _verbal(word: Word) -> bool:
    return word.low in AUXILIARIES or verb(word.low) is not None
