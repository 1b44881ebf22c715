"""What somebody will, can and always does: promises, plans, skills and habits, told by the way a verb is used."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from gieok.extract.english.doings import able, errand, soon
from gieok.extract.english.grammar import Said
from gieok.extract.english.lexicon import lexicon
from gieok.extract.english.patterns import patterns
from gieok.extract.english.reading import Finding, Reading, found
from gieok.extract.english.values import Value, noun
from gieok.extract.english.verbs import ing_of, verb
from gieok.extract.english.words import Word

_PROMISING: Final = frozenset({"promise", "swear", "vow"})
_TIMES: Final = frozenset("morning night day evening week weekend sunday saturday friday monday month year".split())
_GOING: Final = frozenset("get go fly travel move head visit drive sail leave start".split())
_SPARE: Final = frozenset({"free", "spare", "weekends", "evenings"})
_NO_HABIT: Final = frozenset(
    "be have think feel want wish miss see know hope need love like hate wonder seem get say forget end lose die "
    "cry try make call tell ask mean remember work live go wait worry".split()
)


def promised(reading: Reading) -> Iterator[Finding]:
    """I swear I'll message you; I gave my word that I'd look after it."""
    said, before = reading.said, reading.before
    if (
        before is None
        or not reading.mine
        or not said.modals & {"will", "would"}
        or said.clause.intro not in ("that", ",")
    ):
        return
    lows = [word.low for word in before.rest]
    mine = not before.subject or before.subject[0].low in ("i", "we")
    word_given = before.lemma == "give" and lows[:2] == ["my", "word"]
    told = before.lemma == "tell" and before.past and "would" in said.modals and "you" not in lows
    if mine and not before.negated and (before.lemma in _PROMISING or word_given or told):
        deed = deed_of(reading)
        if said.negated:
            deed = Value(value=f"not {deed.value}", surface=deed.surface)
        yield found(patterns().by_attribute["promise"], deed, whose=reading.speaking.me())


def able_to(reading: Reading) -> Iterator[Finding]:
    """I can juggle."""
    said = reading.said
    if said.modals != {"can"} or reading.about is None or said.lemma in ("play", "speak") or said.asking:
        return
    deed = deed_of(reading)
    value = _as_doing(said, deed)
    if able(deed.value) is not None:
        yield found(patterns().by_attribute["skill"], value, polarity="-" if said.negated else "+")


def planned(reading: Reading) -> Iterator[Finding]:
    """I'm going to study abroad next year; we're flying to Rome in May."""
    said = reading.said
    coming = said.modals == {"will"} or (said.doing and not said.perfect and not said.modals)
    if said.doing and not said.subject and said.lemma not in _GOING:
        return
    if not coming or said.lemma == "be" or said.negated or said.ended or not reading.mine or said.past:
        return
    value = deed_of(reading)
    if soon(value.value) is not None:
        yield found(patterns().by_attribute["plan"], value)


def must(reading: Reading) -> Iterator[Finding]:
    """I must book the dentist."""
    said, before = reading.said, reading.before
    noted = before is not None and " ".join(word.low for word in before.clause.words).endswith("note to self")
    if noted and said.commanding and not said.negated:
        yield found(patterns().by_attribute["todo"], deed_of(reading))
        return
    yield from _needing(reading)
    if said.modals != {"must"} or said.negated or not reading.mine or said.perfect:
        return
    value = errand(deed_of(reading).value)
    if value is not None:
        yield found(patterns().by_attribute["todo"], value)


def _needing(reading: Reading) -> Iterator[Finding]:
    """My passport needs renewing."""
    said = reading.said
    form = verb(said.rest[0].low) if said.rest else None
    mine = bool(said.subject) and said.subject[0].low in ("my", "our")
    if said.lemma == "need" and mine and form is not None and form.form == "ing" and not (said.negated or said.past):
        thing = reading.text[said.subject[0].start : said.subject[-1].end]
        shown = f"{form.lemma} {thing}"
        yield found(patterns().by_attribute["todo"], Value(value=shown, surface=shown), whose=reading.speaking.me())


def usual(reading: Reading) -> Iterator[Finding]:
    """Every night I have a Horlicks; I always drink coffee before bed."""
    said = reading.said
    simple = not (said.past or said.perfect or said.doing or said.modals or said.negated or said.ended or said.formerly)
    if not simple or not reading.mine or not said.rest or not said.lemma:
        return
    every = _every(said.before) or _every(said.rest)
    having = (
        said.lemma == "have" and (said.rest[0].low in ("a", "an") or said.rest[0].low in lexicon().class_of) and every
    )
    if _SPARE & {word.low for word in said.before} and said.lemma not in ("be", "have", "like", "love", "go", "want"):
        yield found(patterns().by_attribute["hobby"], _as_doing(said, deed_of(reading)))
        return
    if said.lemma in _NO_HABIT and not having:
        return
    if any(word.low in ("it", "him", "her", "them", "that", "this") for word in said.rest[:2]):
        return
    if every or "always" in said.adverbs:
        yield found(patterns().by_attribute["habit"], _as_doing(said, deed_of(reading)))


def _every(words: Sequence[Word]) -> bool:
    return any(
        word.low in ("every", "each") and words[i + 1].low.removesuffix("s") in _TIMES
        for i, word in enumerate(words[:-1])
    )


def deed_of(reading: Reading) -> Value:
    """Return what is done, as verb and all that follows it."""
    said = reading.said
    lead = f"quit {ing_of(said.lemma)}" if said.ended else said.lemma
    shown = " ".join([lead, _rest(said, reading.text)]).strip()
    value = noun(shown)
    return value if value is not None else Value(value=said.lemma, surface=said.lemma)


def _as_doing(said: Said, deed: Value) -> Value:
    """Return a deed as a noun: swim is swimming."""
    return Value(value=" ".join([ing_of(said.lemma), *deed.value.split()[1:]]), surface=deed.surface)


def _rest(said: Said, text: str) -> str:
    words = [*said.rest]
    cut = next(
        (i for i, word in enumerate(words) if word.low in (",", "but", "because", "so") or word.low == "\n"), len(words)
    )
    kept = words[:cut]
    while kept and kept[0].low in lexicon().adverbs:
        kept = kept[1:]
    return text[kept[0].start : kept[-1].end].strip() if kept else ""
