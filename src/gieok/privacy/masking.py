"""Masking of personal data by a policy.

A mask names its kind in the language of the surrounding text: 내 번호는 [전화번호]야. The text stays readable, and a
search for 전화번호 finds it. Masking is idempotent.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import chain, zip_longest
from types import MappingProxyType
from typing import Final, Literal

from gieok.domain.personal import ENGLISH, KOREAN, PERSONAL_KINDS, Masked, PersonalKind
from gieok.language.data_files import data_file
from gieok.privacy.find import disjoint, found
from gieok.privacy.numbers import PersonalSpan

Action = Literal["keep", "mask", "drop", "ask"]

_KIND_OF: Final = {f"[{word}]": kind for words in (KOREAN, ENGLISH) for kind, word in words.items()}
_MASKS: Final = re.compile("|".join(re.escape(mask) for mask in _KIND_OF))
_HANGUL: Final = re.compile(r"[가-힣ㄱ-ㅎㅏ-ㅣ]")
_LATIN: Final = re.compile(r"[A-Za-z]{2}")
_ROUNDS: Final = 8  #: a number may be recognised only after the previous one is masked


@dataclass(frozen=True, slots=True)
class Policy:
    """The action for each kind of personal data; the default is masking."""

    actions: Mapping[PersonalKind, Action] = field(default_factory=lambda: MappingProxyType({}))

    def action(self, kind: PersonalKind) -> Action:
        return self.actions.get(kind, "mask")


@dataclass(frozen=True, slots=True)
class Mask:
    """Implements `gieok.ports.Masker` by a policy."""

    policy: Policy = field(default_factory=Policy)
    language: str = "ko"  #: of masks in a text without words

    def __call__(self, text: str, consent: Collection[str] = (), beside: str = "") -> Masked:
        """Return `text` masked; kinds that need consent and are in `consent` stay unmasked.

        Personal data found in `beside`, a text said along with it, is also masked in `text`.
        """
        told: set[str] = set()
        asked: set[str] = set()
        named = [(each.kind, beside[each.start : each.end]) for each in found(beside)] if beside else []
        for _ in range(_ROUNDS):
            hidden = []
            for each in _spans(text, named):
                told.add(each.kind)
                action = self.policy.action(each.kind)
                if action == "keep" or (action == "ask" and each.kind in consent):
                    continue
                if action == "ask":
                    asked.add(each.kind)
                hidden.append(each)
            if not hidden:
                break
            text = self._without(text, hidden)
        told.update(_masked_in(text))
        return Masked(text=text, flags=_ordered(told), asked=_ordered(asked))

    def _without(self, text: str, hidden: Sequence[PersonalSpan]) -> str:
        words = KOREAN if self._in_korean(text, hidden) else ENGLISH
        kept = [text[: hidden[0].start]]
        for each, after in zip_longest(hidden, hidden[1:]):
            behind = text[each.end : after.start if after else len(text)]
            if self.policy.action(each.kind) != "drop":
                kept.append(f"[{words[each.kind]}]{_with_particle(behind)}")
            else:  # close the gap
                kept.append(behind[text[max(each.start - 1, 0) : each.start] == " " == behind[:1] :])
        whole = "".join(kept)
        return whole if whole.strip() else "…"

    def _in_korean(self, text: str, hidden: Sequence[PersonalSpan]) -> bool:
        if _HANGUL.search(text):
            return True
        ends = [0, *(each.end for each in hidden)]
        starts = [*(each.start for each in hidden), len(text)]
        beside = "".join(text[end:start] for end, start in zip(ends, starts, strict=True))
        return self.language == "ko" and not _LATIN.search(beside)


def _spans(text: str, named: Sequence[tuple[PersonalKind, str]]) -> tuple[PersonalSpan, ...]:
    """Return the spans of personal data in `text`, including those known from context."""
    known = (
        PersonalSpan(kind, match.start(), match.end())
        for kind, data in named
        for match in re.finditer(re.escape(data), text)
    )
    return disjoint(chain(known, found(text)), bytearray(len(text))) if named else found(text)


def flags(text: str) -> tuple[str, ...]:
    """Return the kinds of personal data in `text`, masked or not."""
    return _ordered({*_masked_in(text), *(each.kind for each in found(text))})


def held(text: str) -> tuple[str, ...]:
    """Return the kinds of unmasked personal data in `text`."""
    return _ordered({each.kind for each in found(text)})


def _masked_in(text: str) -> set[PersonalKind]:
    return {_KIND_OF[mask] for mask in _MASKS.findall(text)} if "[" in text else set()


def _ordered(kinds: Collection[str]) -> tuple[str, ...]:
    return tuple(kind for kind in PERSONAL_KINDS if kind in kinds)


@cache
def _particles() -> tuple[tuple[re.Pattern[str], str], ...]:
    particles: dict[str, str] = data_file("patterns.toml", "gieok.privacy")["particles"]
    return tuple((re.compile(particle), instead) for particle, instead in particles.items())


def _with_particle(behind: str) -> str:
    """Return the text after a mask with the particle form that follows a vowel."""
    for particle, instead in _particles():
        match = particle.match(behind)
        if match is not None:
            return instead + behind[match.end() :]
    return behind
