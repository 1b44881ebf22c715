"""Facts in what somebody does, has or is done to: I live in Seoul, we adopted a cat, everyone calls me Spud.

The ways to say them are data (`patterns.en.toml`); here is decided which of them a clause's tense, negation and mood
allow.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from gieok.extract.english.doings import reader
from gieok.extract.english.lexicon import lexicon
from gieok.extract.english.patterns import Pattern, Way, patterns
from gieok.extract.english.phrases import values, written
from gieok.extract.english.reading import Finding, Reading, found
from gieok.extract.english.templates import Found, Template, match
from gieok.extract.english.values import Value
from gieok.extract.english.verbs import ing_of
from gieok.extract.english.words import Word

_DURATION: Final = frozenset("years months weeks year month week decade decades ages while summer semester".split())
_PERSONAL: Final = frozenset("my me about please ever again i pls never around".split())
_ADVISED: Final = frozenset({"todo", "goal", "contraindication", "plan"})  # you need to …
_FELT: Final = frozenset({"likes", "dislikes", "habit", "skill", "todo", "trait", "diet"})


def stated(reading: Reading) -> Iterator[Finding]:
    """Read what the templates say of the clause's subject."""
    said = reading.said
    if not said.lemma or said.commanding or reading.about is None:
        return
    if said.lemma == "get" and said.past and not said.negated:
        yield from stated(replace(reading, said=replace(said, lemma="have", past=False)))
    if said.rest and said.rest[0].low == "no" and said.lemma in ("have", "be"):
        reading = replace(reading, said=replace(said, rest=said.rest[1:], negated=not said.negated))
        said = reading.said
    for way in _ways(reading):
        for pattern, template in patterns().by_verb.get((way, said.lemma), ()):
            if not _allowed(reading, template, way):
                continue
            for value in _values(reading, pattern, template, said.rest):
                finding = _finding(reading, _pursued(pattern, template, value), template, way, value)
                if finding is not None and not (
                    finding.attribute in _ADVISED and reading.about == reading.speaking.you()
                ):
                    yield finding


def _pursued(pattern: Pattern, template: Template, value: Value) -> Pattern:
    """Whoever is into photography has it for a hobby; whoever loves it may just like photographs."""
    if pattern.attribute != "likes" or len(template.parts) < 2 or "into" not in template.parts[-2].words:
        return pattern
    kind = next((kind for kind in ("exercise", "hobby") if reader(kind)(value.value) is not None), "likes")
    return patterns().by_attribute[kind]


def ordered(reading: Reading) -> Iterator[Finding]:
    """Read what an order tells: call me Jo, please don't joke about my weight."""
    said = reading.said
    invited = said.subject and said.subject[0].low == "you" and "can" in said.modals
    if not (said.commanding or invited):
        return
    for pattern, template in patterns().by_verb.get(("orders", said.lemma), ()) if not said.ended else ():
        if ("not" in template.required) != said.negated or (
            "not" in template.required and pattern.attribute == "boundary"
        ):
            continue
        for value in _values(reading, pattern, template, said.rest):
            yield found(pattern, value, whose=reading.speaking.me())
    if said.negated or said.ended or said.lemma in ("stop", "never"):
        yield from _forbidden(reading)


def _forbidden(reading: Reading) -> Iterator[Finding]:
    pattern = patterns().by_attribute["boundary"]
    words = reading.said.clause.words
    at = next((i for i, word in enumerate(words) if word.low in ("not", "never", "stop")), None)
    while at is not None and at + 1 < len(words) and words[at + 1].low in lexicon().adverbs | {"not"}:
        at += 1
    lows = {word.low for word in words}
    if at is None or at + 1 >= len(words) or not lows & _PERSONAL:
        return
    for value in values(words, at + 1, "demand", reading.text, many=False, title=False):
        yield found(pattern, value, whose=reading.speaking.me())


def done_to_me(reading: Reading) -> Iterator[Finding]:
    """Everyone calls me Spud; spiders terrify me: somebody or something does it to the speaker."""
    said = reading.said
    if not said.subject or reading.mine or said.asking or said.modals:
        return
    for pattern, template in patterns().by_verb.get(("others", said.lemma), ()):
        if said.past and pattern.attribute == "nickname":
            continue  # he called me Sarah, once
        slotless = not any(part.slot for part in template.parts)
        if slotless:
            value = _doer(reading, pattern) if next(match(template.parts, said.rest, 0), None) is not None else None
            got = [value] if value is not None else []
        else:
            got = list(_values(reading, pattern, template, said.rest))
        for each in got:
            ended = said.ended or said.subject[0].low == "nobody"
            against = said.negated or ended
            yield found(
                pattern, each, polarity="-" if against else "+", act="end" if ended else "assert",
                whose=reading.speaking.me(),
            )  # fmt: skip


def _doer(reading: Reading, pattern: Pattern) -> Value | None:
    """Return the subject as a value; of what just is so, only food and the like can be told from passing things."""
    subject = [word for word in reading.said.subject if not word.is_mark]
    if not subject or subject[0].low in lexicon().pronouns or subject[0].low in ("my", "your", "his", "her"):
        return None
    said = written(reading.said.subject, reading.text)
    kind = "fancied" if reading.said.lemma == "be" and pattern.value == "thing" else pattern.value
    return reader(kind)(said)


def mentioned(reading: Reading) -> Iterator[Finding]:
    """Read what is told in passing: my hamster, my fear of clowns, my Canadian passport."""
    words = reading.said.clause.words
    for i, word in enumerate(words):
        for pattern, template in patterns().mentions.get(word.low, ()):
            for place in match(template.parts, words, i):
                got = list(_from(reading, pattern, template, words, place))
                if reading.said.negated and word.low not in ("my", "our", "no", "please", "let", "since", "after"):
                    break
                if pattern.attribute == "contraindication" and {"today", "tonight"} & {each.low for each in words}:
                    break  # no wine for me tonight
                for value in got:
                    yield found(pattern, value, whose=reading.speaking.me())
                if got:
                    break


def _ways(reading: Reading) -> tuple[Way, ...]:
    """Return how a clause in this tense can tell a fact, the more telling first."""
    said = reading.said
    if said.past and not said.formerly:
        return ("ends", "happened", "holds") if not said.negated else ("holds",)
    if said.perfect and not said.doing and not said.negated:
        return ("ends", "happened", "holds")
    return ("holds", "ended", "ends") if said.ended else ("holds", "ends")


def _allowed(reading: Reading, template: Template, way: Way) -> bool:
    said = reading.said
    if said.adverbs & {"almost", "nearly"} and way == "happened":
        return False
    if template.required - {"not", "simple", "perfect"} != said.modals:
        return False
    if "not" in template.required and not said.negated:
        return False
    if "perfect" in template.required and not said.perfect:
        return False
    if "simple" in template.required and (said.doing or said.past or said.perfect):
        return False
    return not (way in ("happened", "ends") and said.negated and "not" not in template.required)


def _values(reading: Reading, pattern: Pattern, template: Template, words: Sequence[Word]) -> Iterator[Value]:
    for place in match(template.parts, words, 0):
        got = list(_from(reading, pattern, template, words, place))
        if got:
            yield from got
            return


def _from(
    reading: Reading, pattern: Pattern, template: Template, words: Sequence[Word], place: Found
) -> Iterator[Value]:
    """Yield the values in a slot, or the one that the template itself gives."""
    if not place.kind:
        if template.value:
            shown = _filled(template, reading, "")
            yield Value(value=shown, surface=shown)
        return
    if place.kind == "name" and words[place.start].low in ("a", "an"):
        return  # called me an idiot
    if place.end is not None:
        one = reader(place.kind)(written(words[place.start : place.end], reading.text))
        got = [one] if one is not None else []
    else:
        title = pattern.attribute.startswith("favorite.")
        got = list(values(words, place.start, place.kind, reading.text, many=pattern.many, title=title))
    for value in got:
        if value.value.casefold() not in pattern.jokes:
            shown = _filled(template, reading, value.value) if template.value else value.value
            yield Value(value=shown, surface=value.surface)


def _filled(template: Template, reading: Reading, value: str) -> str:
    shown = template.value.replace("{v}", value)
    return shown.replace("{ing}", ing_of(reading.said.lemma)).strip()


def _finding(reading: Reading, pattern: Pattern, template: Template, way: Way, value: Value) -> Finding | None:
    said = reading.said
    if "not" in template.required and way == "holds":
        return found(pattern, value)  # do not eat meat, any more or at all
    if way == "ends" or said.ended:
        return found(pattern, value, polarity="-", act="end")
    past = said.formerly or (said.past and way == "holds")
    if past and said.negated and "never" in said.adverbs:
        return found(pattern, value, polarity="-")
    if past and not said.formerly and not _lasted(reading, pattern):
        return None
    against = said.negated
    if against and pattern.denied:
        return found(patterns().by_attribute[pattern.denied], value, past=past)
    return found(pattern, value, polarity="-" if against else "+", past=past and not against)


def _lasted(reading: Reading, pattern: Pattern) -> bool:
    """Whether the past tense tells of something that went on and is over: I lived there for two years."""
    if pattern.attribute in _FELT:
        return False
    return pattern.attribute in (
        "residence",
        "workplace",
        "job",
        "school",
        "pet",
        "religion",
        "relationship_status",
    ) or bool(_DURATION & {word.low for word in reading.said.rest})
