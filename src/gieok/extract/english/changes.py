"""Corrections: Irish, not British; I said 49 but it's 53; I was joking about being a doctor."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from gieok.extract.english.doings import reader
from gieok.extract.english.patterns import Pattern, patterns
from gieok.extract.english.phrases import phrase_end, written
from gieok.extract.english.reading import Finding, found
from gieok.extract.english.values import noun
from gieok.extract.english.verbs import DO, HAVE, MODALS
from gieok.extract.english.words import Word, words

_OVER: Final = frozenset("anymore moved switched changed left quit longer since stopped".split())
_UNTRUE: Final = frozenset("lie lied lying joking kidding joke fake false untrue".split())
_HELPING: Final = MODALS | DO | HAVE
_FREE: Final = frozenset({"noun", "thing", "doing", "firm", "name", "place"})


def put_right(got: Sequence[tuple[Finding, float]], spoken: Sequence[Word], text: str) -> list[tuple[Finding, float]]:
    """Return the findings, each with the value that it is said to stand in for: "X, not Y", "not Y but X"."""
    wrong = list(_denied(spoken, text))
    lows = {word.low for word in spoken}
    if not wrong:
        return list(got)
    right: list[tuple[Finding, float]] = []
    for finding, certainty in got:
        pattern = patterns().by_attribute.get(finding.attribute)
        old = _old(pattern, wrong, finding) if pattern is not None else None
        if old is not None and finding.polarity == "+" and finding.act == "assert" and not finding.past:
            act = "assert" if lows & _OVER else "correct"
            finding = replace(finding, instead_of=old, act=act)  # type: ignore[arg-type]  # both are acts
        right.append((finding, certainty))
    return right


def _denied(spoken: Sequence[Word], text: str) -> Iterator[tuple[str, bool]]:
    """Yield the phrases right after a "not", and whether it opens its phrase: ", not British", "it's not wolves"."""
    for i, word in enumerate(spoken[:-1]):
        before = spoken[i - 1] if i else None
        if i > 1 and spoken[i - 2].low == "let":
            continue
        opens = before is not None and (before.is_mark or before.low in ("is", "'s", "but"))
        plain = word.low == "not" and (i == 0 or spoken[i - 1].low not in _HELPING)
        if plain:
            end = phrase_end(spoken, i + 1)
            if i + 1 < end <= i + 5:
                yield written(spoken[i + 1 : end], text), opens
        if word.low in ("instead", "rather") and spoken[i + 1].low in ("of", "than"):
            end = phrase_end(spoken, i + 2) if i + 2 < len(spoken) else i + 2
            if i + 2 < end:
                yield written(spoken[i + 2 : end], text), True


def _old(pattern: Pattern, wrong: Sequence[tuple[str, bool]], finding: Finding) -> str | None:
    for said, opens in wrong:
        value = reader(pattern.value)(said)
        if value is not None and value.value.casefold() != finding.value.casefold():
            if pattern.value in _FREE and (len(said.split()) > 3 or not opens):
                continue
            return value.value
    return None


def _quoted(lows: Sequence[str], at: int | None) -> int | None:
    """Return where what was said before begins: joking about …, I said … but that was a lie."""
    if at is None:
        return None
    if lows[at + 1 : at + 2] in (["about"], ["when"]):
        return at + 2
    told = next(
        (i for i, low in enumerate(lows[:at]) if low in ("said", "told") and "i" in lows[max(0, i - 2) : i]), None
    )
    if told is None:
        return None
    return told + 2 if lows[told + 1 : told + 2] == ["you"] else told + 1


def taken_back(text: str) -> Iterator[Finding]:
    """I was joking about being a doctor; I lied about my age: what was said before was never so."""
    spoken = words(text)
    lows = [word.low for word in spoken]
    at = next((i for i, low in enumerate(lows) if low in _UNTRUE), None)
    start = _quoted(lows, at)
    if start is None:
        return
    while start < len(lows) and lows[start] in (
        "being",
        "having",
        "i",
        "said",
        "am",
        "was",
        "that",
        "living",
        "in",
        "live",
    ):
        start += 1
    end = phrase_end(spoken, start) if start < len(spoken) else start
    said = written(spoken[start:end], text)
    if not said:
        return
    for pattern in patterns().alone:
        value = reader(pattern.value)(said)
        if value is not None:
            yield found(pattern, value, act="retract")
            return
    residence = patterns().by_attribute["residence"]
    value = noun(said)
    if value is not None and {"living", "live"} & set(lows[:start]):
        yield found(residence, value, act="retract")
