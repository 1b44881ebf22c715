"""The tagger's network in numpy: pieces of a conversation in, marked spans out.

Each piece is encoded once and remembered, new ones together; the piece that is read looks back at those before it.
`training/model.py` has the same network in PyTorch. The weights are bytes with a scale for each row, and numbers once
they are loaded.
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
_TOGETHER: Final = 256  #: characters from which on no more pieces are encoded together
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
        self._mean: Floats = np.full((self._size, 1), 1 / self._size, np.float32)
        self._fused = dict(self._fuse())
        self._words = {name: row + 1 for row, name in enumerate(bytes(weights["names"]).decode().split("\n"))}
        self._encoded: OrderedDict[Piece, _Encoded] = OrderedDict()

    def _fuse(self) -> Iterator[tuple[str, tuple[Floats, Floats]]]:
        """Yield weights and biases of several layers in one: those that read the same rows, and a norm before them."""
        w, root = self._w, np.float32(np.sqrt(self._size // _HEADS))
        crossed = [f"cross.{number}" for number in range(self.meta["cross"])]
        for name in (f"local.{len(_DILATIONS)}", *crossed):
            for norm, weight, bias in (
                (
                    "n1",
                    np.hstack([w[f"{name}.query.weight"] / root, w[f"{name}.pair.weight"]]),
                    np.hstack([w[f"{name}.query.bias"] / root, w[f"{name}.pair.bias"]]),
                ),
                ("n2", w[f"{name}.f1.weight"], w[f"{name}.f1.bias"]),
            ):
                gain, shift = w[f"{name}.{norm}.weight"], w[f"{name}.{norm}.bias"]
                yield f"{name}.{norm}", (np.ascontiguousarray(gain[:, None] * weight), shift @ weight + bias)
        together = [np.hstack([w[f"{name}.pair.{kind}"] for name in crossed]) for kind in ("weight", "bias")]
        yield "pairs", (together[0], together[1])

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
        places = [(number, piece) for number, piece in enumerate(window) if piece and piece.text]
        encoded = self.encode([piece for _, piece in places])
        there = [(number, each) for (number, _), each in zip(places, encoded, strict=True)]
        x = there[-1][1].raw
        segments = np.repeat([number for number, _ in there], [len(each.raw) for _, each in there])
        for number in range(self.meta["cross"]):
            kept = [each.pairs[number] for _, each in there[:-1]]
            x = self._attention(x, f"cross.{number}", kept, self._w[f"cross.{number}.segment"][:, None, segments])
        return self._norm(x, "out_norm"), there, segments

    def read(self, window: Sequence[Piece | None], floor: float) -> list[Found]:
        """Return what is marked in the last piece; the first is the line of names, `floor` the least chance."""
        last = window[-1]
        if last is None or not last.text:
            return []
        x, there, segments = self._look(window)
        chances = sigmoid(_linear(x, self._w, "span"))
        places = [(number, offset) for number, each in there for offset in each.begins]
        begins, ends = there[-1][1].begins, there[-1][1].ends
        marked = chances >= floor
        starts, columns = np.nonzero(marked)
        ends_at = self._ends(x, [(start, (FACT, RETRACTION)[column]) for start, column in np.argwhere(marked).tolist()])
        spans = list(zip(starts.tolist(), ends_at, strict=True))
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
        (encoded,) = self.encode([piece])
        if encoded.mentions is None:
            chances = sigmoid(_linear(encoded.normed, self._w, "mention"))[:, 0]
            starts = np.flatnonzero(chances >= _MENTIONED).tolist()
            ends = self._ends(encoded.normed, [(start, MENTION) for start in starts])
            encoded.mentions = [
                (encoded.begins[start], encoded.ends[end - 1]) for start, end in zip(starts, ends, strict=True)
            ]
        return encoded.mentions

    def pooled(self, piece: Piece) -> Floats:
        """Return mean and maximum of what is seen of a piece by itself."""
        own = self.encode([piece])[0].normed
        return np.concatenate([own.mean(0), own.max(0)])

    def _ends(self, x: Floats, starts: Sequence[tuple[int, int]]) -> list[int]:
        """Return where the spans end that begin at units of `x`, each of a kind."""
        if not starts:
            return []
        w = self._w
        query = _linear(np.stack([x[start] + w["kind"][kind] for start, kind in starts]), w, "end_query")
        scores = query @ _linear(x, w, "end_key").T / np.float32(np.sqrt(self._size))
        far = w["far"][: len(x), 0]
        return [
            start + int((score[start:] + far[: len(x) - start]).argmax()) + 1
            for (start, _), score in zip(starts, scores, strict=True)
        ]

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

    def encode(self, pieces: Sequence[Piece]) -> list[_Encoded]:
        """Return each of `pieces` encoded; those that are not known are encoded together."""
        known, new, units = {}, list[Piece](), 0
        for piece in dict.fromkeys(pieces):
            found = self._encoded.pop(piece, None)
            if found is not None:
                self._encoded[piece] = known[piece] = found  # the last one now
                continue
            new.append(piece)
            units += min(len(piece.text), LENGTH)
            if units >= _TOGETHER:
                known.update(zip(new, self._encode(new), strict=True))
                new, units = [], 0
        known.update(zip(new, self._encode(new), strict=True))
        self._encoded.update(known)
        while len(self._encoded) > _KEPT:
            self._encoded.popitem(last=False)
        return [known[piece] for piece in pieces]

    def _encode(self, pieces: Sequence[Piece]) -> list[_Encoded]:
        if not pieces:
            return []
        w = self._w
        seen = [features(piece.text, self._words) for piece in pieces]
        rows = [self._letters.get(code, 1) for each in seen for code in each.codes.tolist()]
        pairs = np.concatenate([pair_rows(each.codes, len(w["syllables"])) for each in seen])
        tags, starts, words = (
            np.concatenate([getattr(each, name) for each in seen]) for name in ("tags", "starts", "words")
        )
        lengths = [len(each.codes) for each in seen]
        numbers = np.repeat(np.arange(len(seen)), lengths)
        speakers = np.array([piece.speaker for piece in pieces])[numbers]
        x = w["char"][rows] + w["syllables"][pairs] + w["tag"][tags]
        x = x + w["start"][starts] + _linear(w["vectors"][words], w, "word") + w["speaker"][speakers]
        at = np.arange(len(x)) + (numbers + 1) * max(_DILATIONS)
        for number, step in enumerate(_DILATIONS):
            x = self._convolution(x, f"local.{number}", step, at)
        apart = np.where(numbers[:, None] == numbers, np.float32(0), np.float32(-np.inf)) if len(seen) > 1 else None
        x = self._attention(x, f"local.{len(_DILATIONS)}", (), apart)
        normed = self._norm(x, "local_norm")
        ends = np.cumsum(lengths)[:-1]
        pair = np.split(_product(normed, self._fused["pairs"]), ends)
        return [
            _Encoded(raw.copy(), own.copy(), np.split(kept.copy(), self.meta["cross"], -1), each)
            for raw, own, kept, each in zip(np.split(x, ends), np.split(normed, ends), pair, seen, strict=True)
        ]

    def _convolution(self, x: Floats, name: str, step: int, at: Ints) -> Floats:
        """Return `x` after each row has seen those `step` before and after it; `at` leaves gaps between pieces."""
        w = self._w
        y = np.zeros((at[-1] + 1 + step, self._size), np.float32)
        y[at] = self._norm(x, f"{name}.norm")
        both = _linear(np.concatenate([y[at - step], y[at], y[at + step]], -1), w, f"{name}.taps")
        return x + _linear(both[:, : self._size] * sigmoid(both[:, self._size :]), w, f"{name}.out")

    def _attention(self, x: Floats, name: str, kept: Sequence[Floats], bias: Floats | None) -> Floats:
        """Return `x` after it has seen itself and what is `kept` of the pieces before it."""
        w, d, deep = self._w, self._size, self._size // _HEADS
        own = _product(self._centred(x), self._fused[f"{name}.n1"])
        pair = np.concatenate([*kept, own[:, d:]]) if kept else own[:, d:]
        query = own[:, :d].reshape(-1, _HEADS, deep).transpose(1, 0, 2)
        key = pair[:, :d].reshape(-1, _HEADS, deep).transpose(1, 2, 0)
        value = pair[:, d:].reshape(-1, _HEADS, deep).transpose(1, 0, 2)
        score = query @ key
        if bias is not None:
            score += bias
        x = x + _linear((softmax(score) @ value).transpose(1, 0, 2).reshape(len(x), d), w, f"{name}.out")
        inner = _product(self._centred(x), self._fused[f"{name}.n2"])
        return x + _linear(np.maximum(inner, 0, out=inner), w, f"{name}.f2")

    def _norm(self, x: Floats, name: str) -> Floats:
        centred = self._centred(x)
        centred *= self._w[f"{name}.weight"]
        centred += self._w[f"{name}.bias"]
        return centred

    def _centred(self, x: Floats) -> Floats:
        """Return `x` with rows of mean 0 and variance 1."""
        centred: Floats = x - x @ self._mean
        spread = np.einsum("ij,ij->i", centred, centred)
        centred /= np.sqrt(spread / np.float32(self._size) + np.float32(1e-5))[:, None]
        return centred


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
    return _product(x, (w[f"{name}.weight"], w[f"{name}.bias"]))


def _product(x: Floats, layer: tuple[Floats, Floats]) -> Floats:
    out: Floats = x @ layer[0]
    out += layer[1]
    return out


def softmax(x: Floats) -> Floats:
    raised: Floats = x - np.maximum.reduce(x, -1, keepdims=True)
    np.exp(raised, out=raised)
    raised /= np.add.reduce(raised, -1, keepdims=True)
    return raised


def sigmoid(x: Floats) -> Floats:
    out: Floats = np.float32(1) / (np.float32(1) + np.exp(-x))
    return out
