"""What the tagger marks in a turn, with its holder by name."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from gieok.domain.turn import CHARACTER, ROLES, USER, Utterance
from gieok.extract.learned import network as tagger
from gieok.extract.learned.features import pieces
from gieok.extract.learned.network import Found, Network, Piece, window_of
from gieok.language.budget import check_time
from gieok.language.morphemes import analyse

_BLURRED: Final = 0.25  #: weight of the attribute in certainty: 떡볶이 is told whether it is liked or the favourite
FLOOR: Final = 0.05  #: what is less likely than this is not marked
_POINTING: Final = frozenset(
    "걔 얘 쟤 그애 이애 그아이 그녀석 이녀석 그놈 이놈 그분 이분 그사람 이사람 그친구 그형 그누나 그언니 그오빠 "
    "우리애 애 그 "
    "he she it they him her them this that his hers".split()
)
_SEVERAL: Final = frozenset("둘 셋 넷 둘다 셋다 다 모두 애들 얘네 걔네 both all everyone everybody".split())
_NOUN: Final = frozenset({"NNG", "NNP", "XSN", "XPN", "SL", "NR", "SN"})
_SAME_ACT: Final = {
    "assert": ("assert", "correct"), "correct": ("assert", "correct"), "end": ("end", "past"), "past": ("end", "past"),
}  # fmt: skip
_OWN: Final = re.compile(r"^(?:우리|울|내|제|저희|my|our)\s*(?=\S{2})")


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """One marked fact of an utterance."""

    start: int  #: in the utterance
    end: int
    chance: float  #: that it is a fact or sounds like one
    attributes: dict[str, float]
    acts: dict[str, float]
    holder: str  #: "user", "character" or a name; "" if nobody can be named
    held: float  #: how sure the holder is

    @property
    def attribute(self) -> str:
        return next(iter(self.attributes))

    @property
    def act(self) -> str:
        return max(self.acts, key=lambda name: self.acts[name])

    @property
    def certainty(self) -> float:
        """How likely it is a fact of this holder in this way; less where the attribute is hard to tell."""
        return self.certainty_of(*_SAME_ACT.get(self.act, (self.act,)))

    def as_told(self) -> Mark:
        """Return the mark as if the speaker had told it as a plain fact."""
        return replace(self, chance=1.0, acts={name: float(name == "assert") for name in self.acts})

    def certainty_of(self, *acts: str) -> float:
        """How likely it is a fact of this holder in one of these ways."""
        meant = sum(self.acts[name] for name in acts)
        return float(self.chance * meant * self.held * self.blur)

    @property
    def blur(self) -> float:
        """What the doubt about the attribute takes from the certainty."""
        return float(next(iter(self.attributes.values())) ** _BLURRED)


@dataclass(frozen=True, slots=True, kw_only=True)
class Marks:
    """What is marked in one utterance."""

    facts: tuple[Mark, ...]
    retracts: float  #: how likely it takes something back
    retracts_at: int = 0  #: where in the utterance it says so


def marks(utterance: Utterance, before: Sequence[Utterance], names: Sequence[str], net: Network | None = None) -> Marks:
    """Return what is marked in `utterance`; `names` are people known by name, the latest first."""
    net = net or tagger.network()
    past = [Piece(each.text[a:b], _speaker(each)) for each in before for a, b in pieces(each.text)]
    found: list[Mark] = []
    retracts, retracts_at = 0.0, 0
    read: dict[tuple[Piece | None, ...], list[Found]] = {}  # a text that repeats itself is read once
    for start, end in pieces(utterance.text):
        check_time()
        piece = Piece(utterance.text[start:end], _speaker(utterance))
        window = window_of(past, names, piece)
        if window not in read:
            read[window] = net.read(window, FLOOR)
        for each in read[window]:
            if each.kind == tagger.RETRACTION and each.chance > retracts:
                retracts, retracts_at = each.chance, start + each.start
            elif each.kind == tagger.FACT:
                holder, held = _holder(each, utterance.speaker, window)
                found.append(
                    Mark(
                        start=start + each.start,
                        end=start + each.end,
                        chance=each.chance,
                        attributes=dict(each.attributes),
                        acts=dict(each.acts),
                        holder=holder,
                        held=held,
                    )
                )
        past.append(piece)
    return Marks(facts=tuple(_apart(found)), retracts=retracts, retracts_at=retracts_at)


def prepare(utterances: Sequence[Utterance], net: Network) -> None:
    """Encode `utterances` together, which is faster than one by one when they are read."""
    net.encode([Piece(each.text[a:b], _speaker(each)) for each in utterances for a, b in pieces(each.text) if b > a])


def mentioned(utterance: Utterance) -> list[str]:
    """Return who is named or spoken of in an utterance."""
    found: list[str] = []
    for start, end in pieces(utterance.text):
        piece = Piece(utterance.text[start:end], _speaker(utterance))
        found += (clean_name(piece.text[a:b]) for a, b in tagger.network().mentions(piece))
    return [name for name in found if name and name.replace(" ", "").lower() not in _POINTING]


def _speaker(utterance: Utterance) -> int:
    return {USER: tagger.USER, CHARACTER: tagger.CHARACTER}.get(utterance.speaker, tagger.OTHER)


def _apart(found: Sequence[Mark]) -> Iterator[Mark]:
    """Yield the marks without those that overlap a likelier one."""
    taken = bytearray(max((mark.end for mark in found), default=0))
    kept: list[Mark] = []
    for mark in sorted(found, key=lambda each: -each.chance):
        if taken.find(1, mark.start, mark.end) < 0:
            taken[mark.start : mark.end] = b"\1" * (mark.end - mark.start)
            kept.append(mark)
    yield from sorted(kept, key=lambda each: each.start)


def _holder(found: Found, speaker: str, window: Sequence[Piece | None]) -> tuple[str, float]:
    """Return who holds a fact and how sure that is."""
    shares: defaultdict[str, float] = defaultdict(float)
    shares[speaker] += found.holders[tagger.SELF]
    shares[USER if speaker == CHARACTER else CHARACTER] += found.holders[tagger.LISTENER]
    shares[""] += found.holders[tagger.UNKNOWN]
    pointed = 0.0
    for segment, offset, chance in found.places:
        name = _name_at(window[segment], offset, line=segment == 0)
        if name in ROLES:  # a word of the talk, or somebody's display name: not the two who talk
            shares[""] += chance
        elif name.replace(" ", "").lower() in _POINTING:
            pointed += chance
        else:
            shares[name if name.replace(" ", "").lower() not in _SEVERAL else ""] += chance
    named = max((name for name in shares if name not in ("", USER, CHARACTER)), key=lambda n: shares[n], default="")
    shares[named if named != speaker else ""] += pointed  # 걔 is whoever else is meant by it
    best = max(shares, key=lambda name: shares[name])
    return best, shares[best]


def _name_at(piece: Piece | None, offset: int, *, line: bool) -> str:
    if piece is None:
        return ""
    if line:
        begin = piece.text.rfind(", ", 0, offset) + 2 if ", " in piece.text[:offset] else 0
        return piece.text[begin:].partition(", ")[0]
    for start, end in tagger.network().mentions(piece):
        if start <= offset < end:
            return clean_name(piece.text[start:end])
    parts = [each for each in analyse(piece.text) if each.end > offset]
    if not parts or parts[0].tag not in _NOUN:
        return ""
    end = parts[0].end
    for each in parts[1:]:
        if each.start != end or each.tag not in _NOUN:
            break
        end = each.end
    return clean_name(piece.text[parts[0].start : end])


def clean_name(name: str) -> str:
    return _OWN.sub("", name.strip(" .,!?~*\"'"))
