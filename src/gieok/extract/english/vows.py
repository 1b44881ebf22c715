"""Promises without the word before them: I'll bake you a cake for your birthday; let's go, pinky swear."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from gieok.extract.english.patterns import patterns
from gieok.extract.english.reading import Finding, Reading, found
from gieok.extract.english.routines import deed_of
from gieok.extract.english.values import Value
from gieok.extract.english.words import Word

_SEALED: Final = re.compile(r"\bpinky\b|\bpromise\b|\bi swear\b|\bmy word\b|\bcross my heart\b", re.IGNORECASE)
_LATER: Final = re.compile(
    r"\b(?:tomorrow|next|someday|one day|weekend|birthday|christmas|summer|winter|spring|monday|tuesday|wednesday|"
    r"thursday|friday|saturday|sunday|when|once|if|after|until|till|from now on)\b",
    re.IGNORECASE,
)
_EVER: Final = frozenset("never ever always again anymore forever".split())
_AT_ONCE: Final = frozenset("sleep nap shower rest see talk go leave be let check try think".split())
_AGREED: Final = frozenset({"agree", "agreed", "promise", "say", "plan"})
_WILL: Final = frozenset({"will", "'ll", "won't", "wo", "going", "gonna", "shall"})
_MARK: Final = re.compile(r"[.!?,;\n]")
_LONGEST: Final = 90  #: letters


def vowed(reading: Reading) -> Iterator[Finding]:
    """Read what the speaker promises the one they talk to."""
    said = reading.said
    if said.asking or said.hedged or not reading.mine:
        return
    deed = ""
    if said.lemma == "let" and said.commanding and said.rest[:1] and said.rest[0].low in ("'s", "us"):
        deed = _upto_mark(said.rest[1:], reading.text) if _SEALED.search(reading.text) else ""
    elif _agreed_to(reading):
        deed = _upto_mark(said.rest[1:], reading.text)
    elif "would" in said.modals and _we_said(reading):
        deed = deed_of(reading).value
    elif _binding(reading):
        deed = _as_said(reading)
    if " " in deed and len(deed) <= _LONGEST:
        yield found(patterns().by_attribute["promise"], Value(value=deed, surface=deed), whose=reading.speaking.me())


def _as_said(reading: Reading) -> str:
    """Return what follows "I will", up to the next mark: never lie to you again."""
    words = reading.said.clause.words
    at = next((i for i, word in enumerate(words) if word.low in _WILL), None)
    if at is None or at + 1 >= len(words):
        return deed_of(reading).value
    at += 1
    while at + 1 < len(words) and words[at].low in ("not", "n't", "to", "just", "definitely"):
        at += 1
    start = words[at].start
    mark = _MARK.search(reading.text, start)
    deed = reading.text[start : mark.start() if mark is not None else None].strip()
    denied = reading.said.negated and not deed.casefold().startswith("never")
    return f"not {deed}" if denied else deed


def _binding(reading: Reading) -> bool:
    """Whether I will … is said of ever, sealed, or of something done for the listener later."""
    said = reading.said
    lows = {word.low for word in said.clause.words}
    coming = said.modals == {"will"} or (said.doing and "going" in lows)
    if not coming or said.past or not said.subject or said.subject[0].low not in ("i", "we", "i'll", "we'll"):
        return False
    if said.clause.intro in ("if", "when", "because", "what", "how", "whether") or not said.lemma:
        return False
    if _SEALED.search(reading.text):
        return True
    you = bool({"you", "your", "yours"} & {word.low for word in said.rest})
    ever = bool(_EVER & (said.adverbs | lows))
    if ever and (you or said.negated):
        return True
    return you and said.lemma not in _AT_ONCE and _LATER.search(reading.text) is not None


def _agreed_to(reading: Reading) -> bool:
    """We agreed to watch a movie together."""
    said = reading.said
    ours = bool(said.subject) and said.subject[0].low == "we"
    return ours and said.lemma in ("agree", "agreed", "promise") and bool(said.rest) and said.rest[0].low == "to"


def _we_said(reading: Reading) -> bool:
    """We said we'd go stargazing."""
    before, said = reading.before, reading.said
    if before is None or not before.subject or not said.subject:
        return False
    return before.subject[0].low == "we" == said.subject[0].low and before.lemma in _AGREED and not before.negated


def _upto_mark(words: Sequence[Word], text: str) -> str:
    end = next((i for i, word in enumerate(words) if word.is_mark), len(words))
    return text[words[0].start : words[end - 1].end] if end else ""
