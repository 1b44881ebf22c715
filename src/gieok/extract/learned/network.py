"""The tagger's network in numpy: pieces of a conversation in, marked spans out.

Each piece is encoded once and remembered; the piece that is read looks back at those before it. `training/model.py`
has the same network in PyTorch. The weights are bytes with a scale for each row, and numbers once they are loaded.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from gieok.extract.learned.features import CONTEXT, LENGTH, Features, features, pair_rows
from gieok.language.weights import shipped
from gieok.ports.blas import use_one_thread

Floats = npt.NDArray[np.float32]
Ints = npt.NDArray[np.int64]
LAST_LAYER: Final = ("span.weight", "span.bias", "classes.weight", "classes.bias")
FACT, MENTION, RETRACTION = range(3)
USER, CHARACTER, OTHER, NAMES = range(4)  #: who says a piece; NAMES: the people named earlier
SELF, LISTENER, UNKNOWN = range(3)  #: holders that stand nowhere in the text
_HEADS: Final = 4
_LIKELY: Final = 0.02  #: the least chance of a place where the holder is named
_MENTIONED: Final = 0.3  #: the least chance of a mention
_KEPT: Final = 512  #: encoded pieces
_DILATIONS: Final = (1, 2, 4, 1)  #: of the convolutions


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of one utterance."""

    text: str
    speaker: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """A span that the tagger marked."""

    kind: int
    start: int
    end: int
    chance: float  #: 0–1
    attributes: Mapping[str, float] = field(default_factory=dict)  #: chances, the best first
    acts: Mapping[str, float] = field(default_factory=dict)
    holders: tuple[float, float, float] = (1.0, 0.0, 0.0)  #: the speaker, the listener, somebody who is not in sight
    places: tuple[tuple[int, int, float], ...] = ()  #: piece of the window, offset in it, chance


class Network:
    """Weights, ready to read."""

    def __init__(self, weights: Mapping[str, Any], meta: Mapping[str, Any]) -> None:
        self._w = weights
        self.meta = meta
        self._size: int = weights["char"].shape[1]
        self._letters = {code: row + 2 for row, code in enumerate(weights["alphabet"].tolist())}
        self._words = {name: row + 1 for row, name in enumerate(bytes(weights["names"]).decode().split("\n"))}
        self._encoded: OrderedDict[Piece, _Encoded] = OrderedDict()

    def with_last_layer(self, weights: Mapping[str, Any], meta: Mapping[str, Any]) -> Network:
        """Return this network with another last layer, which marks spans and names them; the rest is shared."""
        other = copy(self)
        other._w, other.meta = {**self._w, **weights}, {**self.meta, **meta}
        return other

    def last_layer(self) -> dict[str, Floats]:
        return {name: self._w[name] for name in LAST_LAYER}

    def seen(self, piece: Piece, before: Sequence[Piece]) -> tuple[Floats, list[int], list[int]]:
        """Return what the last layer sees of a piece: a row for each unit, and where units begin and end."""
        x, there, _ = self._look(window_of(before, (), piece))
        return x, there[-1][1].begins, there[-1][1].ends

    def told(self, x: Floats, spans: Sequence[tuple[int, int]]) -> Floats:
        """Return what the last layer sees of spans."""
        told = np.stack([np.concatenate([x[start], x[start:end].mean(0)]) for start, end in spans])
        return np.maximum(_linear(told, self._w, "told"), 0)

    def _look(self, window: Sequence[Piece | None]) -> tuple[Floats, list[tuple[int, _Encoded]], Ints]:
        """Return the last piece after it has seen the others, all of them encoded, and which piece each row is of."""
        there = [(number, self._encode(piece)) for number, piece in enumerate(window) if piece and piece.text]
        x = there[-1][1].raw
        segments = np.repeat([number for number, _ in there], [len(each.raw) for _, each in there])
        for number in range(self.meta["cross"]):
            kept = np.concatenate([each.pairs[number] for _, each in there[:-1]]) if len(there) > 1 else None
            x = self._attention(x, f"cross.{number}", kept, segments)
        return _norm(x, self._w, "out_norm"), there, segments

    def read(self, window: Sequence[Piece | None], floor: float) -> list[Found]:
        """Return what is marked in the last piece; the first is the line of names, `floor` the least chance."""
        last = window[-1]
        if last is None or not last.text:
            return []
        x, there, segments = self._look(window)
        chances = sigmoid(_linear(x, self._w, "span"))
        places = [(number, offset) for number, each in there for offset in each.begins]
        begins, ends = there[-1][1].begins, there[-1][1].ends
        starts, columns = np.nonzero(chances >= floor)
        spans = [
            (start, self._end(x, start, (FACT, RETRACTION)[column]))
            for start, column in zip(starts.tolist(), columns.tolist(), strict=True)
        ]
        told = [span for span, column in zip(spans, columns, strict=True) if column == FACT]
        facts = iter(self._facts(x, told, [each for _, each in there], segments, places))
        found = []
        for (start, end), column in zip(spans, columns.tolist(), strict=True):
            mark = next(facts) if column == FACT else Found(kind=RETRACTION, start=0, end=0, chance=0.0)
            chance = float(chances[start, column])
            found.append(replace(mark, start=begins[start], end=ends[end - 1], chance=chance))
        return found

    def mentions(self, piece: Piece) -> list[tuple[int, int]]:
        """Return where somebody is named or pointed at in a piece."""
        if not piece.text:
            return []
        encoded = self._encode(piece)
        if encoded.mentions is None:
            own = encoded.normed
            chances = sigmoid(_linear(own, self._w, "mention"))[:, 0]
            encoded.mentions = [
                (encoded.begins[start], encoded.ends[self._end(own, start, MENTION) - 1])
                for start in np.flatnonzero(chances >= _MENTIONED).tolist()
            ]
        return encoded.mentions

    def pooled(self, piece: Piece) -> Floats:
        """Return mean and maximum of what is seen of a piece by itself."""
        own = self._encode(piece).normed
        return np.concatenate([own.mean(0), own.max(0)])

    def _end(self, x: Floats, start: int, kind: int) -> int:
        w = self._w
        query = _linear(x[start] + w["kind"][kind], w, "end_query")
        score = _linear(x[start:], w, "end_key") @ query / np.sqrt(self._size) + w["far"][: len(x) - start, 0]
        return start + int(score.argmax()) + 1

    def _facts(
        self,
        x: Floats,
        spans: Sequence[tuple[int, int]],
        pieces: Sequence[_Encoded],
        segments: Ints,
        places: Sequence[tuple[int, int]],
    ) -> Iterator[Found]:
        """Yield attribute, act and holder of each span."""
        if not spans:
            return
        w, root = self._w, np.float32(np.sqrt(self._size))
        told = self.told(x, spans)
        classes = _linear(told, w, "classes")
        names, acts = self.meta["attributes"], self.meta["acts"]
        kinds, done = softmax(classes[:, : len(names)]), softmax(classes[:, len(names) :])
        query = _linear(told, w, "whose").T
        score = np.concatenate([each.names(w) for each in pieces]) @ query / root + w["where"][segments][:, None]
        holders = softmax(np.concatenate([w["nobody"] @ query / root, score]).T)
        for kind, act, holder in zip(kinds, done, holders, strict=True):
            best = np.argsort(-kind, kind="stable")[:3].tolist()
            likely = np.flatnonzero(holder[3:] > _LIKELY).tolist()
            yield Found(
                kind=FACT,
                start=0,
                end=0,
                chance=0.0,
                attributes={names[each]: float(kind[each]) for each in best},
                acts={name: float(part) for name, part in zip(acts, act, strict=True)},
                holders=(float(holder[0]), float(holder[1]), float(holder[2])),
                places=tuple((*places[number], float(holder[3 + number])) for number in likely),
            )

    def _encode(self, piece: Piece) -> _Encoded:
        known = self._encoded.get(piece)
        if known is not None:
            return known
        w = self._w
        seen = features(piece.text, self._words)
        rows = [self._letters.get(code, 1) for code in seen.codes.tolist()]
        x = w["char"][rows] + w["syllables"][pair_rows(seen.codes, len(w["syllables"]))] + w["tag"][seen.tags]
        x = x + w["start"][seen.starts] + _linear(w["vectors"][seen.words], w, "word") + w["speaker"][piece.speaker]
        for number, step in enumerate(_DILATIONS):
            x = self._convolution(x, f"local.{number}", step)
        x = self._attention(x, f"local.{len(_DILATIONS)}", None, None)
        normed = _norm(x, w, "local_norm")
        pairs = [_linear(normed, w, f"cross.{n}.pair") for n in range(self.meta["cross"])]
        encoded = _Encoded(x, normed, pairs, seen)
        self._encoded[piece] = encoded
        if len(self._encoded) > _KEPT:
            self._encoded.popitem(last=False)
        return encoded

    def _convolution(self, x: Floats, name: str, step: int) -> Floats:
        w, length = self._w, len(x)
        y = np.zeros((length + 2 * step, self._size), np.float32)
        y[step : step + length] = _norm(x, w, f"{name}.norm")
        beside = np.concatenate([y[:length], y[step : step + length], y[2 * step :]], -1)
        value, gate = np.split(_linear(beside, w, f"{name}.taps"), 2, -1)
        return x + _linear(value * sigmoid(gate), w, f"{name}.out")

    def _attention(self, x: Floats, name: str, kept: Floats | None, segments: Ints | None) -> Floats:
        w, d, deep = self._w, self._size, self._size // _HEADS
        y = _norm(x, w, f"{name}.n1")
        pair = _linear(y, w, f"{name}.pair")
        pair = pair if kept is None else np.concatenate([kept, pair])
        query = _linear(y, w, f"{name}.query").reshape(-1, _HEADS, deep).transpose(1, 0, 2)
        key = pair[:, :d].reshape(-1, _HEADS, deep).transpose(1, 2, 0)
        value = pair[:, d:].reshape(-1, _HEADS, deep).transpose(1, 0, 2)
        score = query @ key
        score /= np.float32(np.sqrt(deep))
        if segments is not None:
            score += w[f"{name}.segment"][:, None, segments]
        x = x + _linear((softmax(score) @ value).transpose(1, 0, 2).reshape(len(x), d), w, f"{name}.out")
        return x + _linear(np.maximum(_linear(_norm(x, w, f"{name}.n2"), w, f"{name}.f1"), 0), w, f"{name}.f2")


class _Encoded:
    """A piece as the others see it."""

    __slots__ = ("_names", "begins", "ends", "mentions", "normed", "pairs", "raw")

    def __init__(self, raw: Floats, normed: Floats, pairs: list[Floats], seen: Features) -> None:
        self.raw, self.normed, self.pairs = raw, normed, pairs
        self.begins: list[int] = seen.begins.tolist()
        self.ends: list[int] = seen.ends.tolist()
        self.mentions: list[tuple[int, int]] | None = None
        self._names: Floats | None = None

    def names(self, w: Mapping[str, Any]) -> Floats:
        """Return the keys by which a fact finds its holder."""
        if self._names is None:
            self._names = _linear(self.normed, w, "named")
        return self._names


def window_of(before: Sequence[Piece], names: Sequence[str], piece: Piece) -> tuple[Piece | None, ...]:
    """Return the window for `piece`: the line of names, the last pieces before it, the piece."""
    line = ""
    for name in names:
        if len(line) + len(name) + 2 <= LENGTH:
            line += name + ", "
    past = list(before[-CONTEXT:])
    return (Piece(line, NAMES) if line else None, *[None] * (CONTEXT - len(past)), *past, piece)


@cache
def network() -> Network:
    """Return the shipped network; it is loaded at the first use."""
    use_one_thread()
    return Network(*shipped(__package__, "weights.npz"))


def _linear(x: Floats, w: Mapping[str, Any], name: str) -> Floats:
    out: Floats = x @ w[f"{name}.weight"]
    out += w[f"{name}.bias"]
    return out


def _norm(x: Floats, w: Mapping[str, Any], name: str) -> Floats:
    centred: Floats = x - x.mean(-1, keepdims=True)
    spread = np.sqrt((centred * centred).mean(-1, keepdims=True) + np.float32(1e-5))
    centred /= spread
    centred *= w[f"{name}.weight"]
    centred += w[f"{name}.bias"]
    return centred


def softmax(x: Floats) -> Floats:
    raised: Floats = x - x.max(-1, keepdims=True)
    np.exp(raised, out=raised)
    raised /= raised.sum(-1, keepdims=True)
    return raised


def sigmoid(x: Floats) -> Floats:
    out: Floats = np.float32(1) / (np.float32(1) + np.exp(-x))
    return out
