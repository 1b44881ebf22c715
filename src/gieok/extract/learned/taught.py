"""Teaching the tagger with a studio's own lines: its last layer, on a CPU, in a minute or so.

A line is a message with its facts marked as `{words|attribute}`; a question that it answers stands before it: `Where
do you live? > in {Leeds|residence}`. A line without marks teaches that nothing in it is a fact. An attribute `free.…`
that is new becomes a class of its own. Lines of `training/sentences` fit, too; holders and acts are not learned.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from typing import Any, Final

import numpy as np

from gieok.errors import ErrorText, InvalidInput
from gieok.extract.learned.examples import examples
from gieok.extract.learned.features import pieces
from gieok.extract.learned.network import CHARACTER, FACT, USER, Floats, Network, Piece, sigmoid, softmax, window_of
from gieok.language.weights import unpacked

OTHER: Final = "free.other"
SURE: Final = 0.5  #: chance from which a place counts as marked in `Figures`
_MARK: Final = re.compile(r"\{([^{}|]+)\|([^{}|]+)\}")
_LABEL: Final = re.compile(r"(?:[^:=!]+:)?(?P<attribute>[a-z_]+(?:\.[\w-]+)?)(?:[=!].*)?")
_STEPS, _RATE = 300, 0.02
_KEEP: Final = 0.02  #: how much speaks for leaving a weight as it is
_UNMARKED: Final = 0.3  #: weight of a place without a mark: there are many
_OLD: Final = 4  #: phrases of each attribute and act that are learned beside, so that they are read as before
_APART: Final = 5  #: every fifth line is kept out to score what was learned …
_ENOUGH: Final = 20  #: … from this many lines on


@dataclass(frozen=True, slots=True)
class Label:
    """A marked fact of a line."""

    start: int
    end: int
    attribute: str


@dataclass(frozen=True, slots=True)
class Line:
    """A message without its marks."""

    text: str
    asked: str
    labels: tuple[Label, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """How the facts of some lines are read."""

    labelled: int
    found: int  #: with the right attribute
    extra: int  #: marked, but not labelled


@dataclass(frozen=True, slots=True, kw_only=True)
class Taught:
    """A last layer that was taught, and what came of it."""

    weights: Mapping[str, Any]
    meta: Mapping[str, Any]
    lines: int
    held_out: int  #: lines that were not learned, to see what came of it
    before: Figures
    after: Figures


def lines_in(text: str, net: Network) -> list[Line]:
    """Return the labelled lines of a file; raises `InvalidInput` with the number of a line that does not fit."""
    found = [_line(said.strip(), number, net) for number, said in enumerate(text.splitlines(), 1) if said.strip()]
    if not any(line.labels for line in found):
        raise InvalidInput(ErrorText("teaching.nothing"))
    return found


def _line(said: str, number: int, net: Network) -> Line:
    asked, _, said = said.rpartition(" > ")
    plain, last, labels = "", 0, list[Label]()
    for mark in _MARK.finditer(said):
        plain += said[last : mark.start()]
        label = _LABEL.fullmatch(mark[2].strip())
        if label is None:
            raise InvalidInput(ErrorText("teaching.label", line=number, label=mark[2]))
        attribute = label["attribute"]
        if not attribute.startswith(("free.", "favorite.")) and attribute not in net.meta["attributes"]:
            raise InvalidInput(ErrorText("teaching.attribute", line=number, attribute=attribute))
        labels.append(Label(len(plain), len(plain) + len(mark[1]), attribute))
        plain, last = plain + mark[1], mark.end()
    plain += said[last:]
    if re.search(r"[{}|]", plain):
        raise InvalidInput(ErrorText("teaching.left_over", line=number))
    _, end = pieces(plain)[0]  # the rest of a long message is not learned
    return Line(plain[:end], asked, tuple(each for each in labels if each.end <= end))


def teach(lines: Sequence[Line], net: Network) -> Taught:
    """Return a last layer that knows `lines`, too, and how well it reads lines that it has not seen."""
    rest = [line for number, line in enumerate(lines) if number % _APART]
    apart = lines[::_APART] if len(lines) >= _ENOUGH and any(line.labels for line in rest) else ()
    old = _known(net)
    trial = net.with_last_layer(*_learned(rest if apart else lines, old, net))
    weights, meta = _learned(lines, old, net)
    return Taught(
        weights=weights,
        meta=meta,
        lines=len(lines),
        held_out=len(apart),
        before=figures(apart or lines, net),
        after=figures(apart or lines, trial),
    )


def figures(lines: Sequence[Line], net: Network) -> Figures:
    """Return how `net` reads lines: what is marked as a fact, and with which attribute."""
    labelled = found = extra = 0
    for line in lines:
        wanted = {(each.start, _class_of(each.attribute, net.meta["attributes"])) for each in line.labels}
        window = window_of(_before(line), (), Piece(line.text, USER))
        marks = [each for each in net.read(window, SURE) if each.kind == FACT]
        right = wanted & {(each.start, next(iter(each.attributes))) for each in marks}
        labelled, found = labelled + len(wanted), found + len(right)
        extra += sum(each.start not in {start for start, _ in wanted} for each in marks)
    return Figures(labelled=labelled, found=found, extra=extra)


@dataclass(frozen=True, slots=True)
class _Rows:
    """What the last layer sees, and what it should say."""

    x: Floats  #: units
    begins: Floats  #: how likely a fact begins at each
    seen: Floats  #: spans
    kinds: Floats  #: how likely each attribute is


def _learned(lines: Sequence[Line], old: _Rows, net: Network) -> tuple[dict[str, Floats], dict[str, Any]]:
    """Return the last layer and its names after some steps from where it is; how acts are told stays as it is."""
    names, layer = list(net.meta["attributes"]), net.last_layer()
    span = np.vstack([layer["span.weight"], layer["span.bias"]])
    classes = np.vstack([layer["classes.weight"], layer["classes.bias"]])
    kinds, acts = classes[:, : len(names)], classes[:, len(names) :]
    told = {each.attribute for line in lines for each in line.labels if each.attribute.startswith("free.")}
    fresh = sorted(told - set(names))
    begin = kinds[:, names.index(OTHER)]  # what is new begins like anything else that has no name
    kinds, names = np.column_stack([kinds, *(begin for _ in fresh)]), [*names, *fresh]
    new = _rows(lines, net, names)
    x, seen = np.concatenate([new.x, old.x]), np.concatenate([new.seen, old.seen])
    begins = np.concatenate([new.begins, old.begins])
    wanted = np.concatenate([new.kinds, np.pad(old.kinds, ((0, 0), (0, len(fresh))))])
    share = [0.5 / len(new.seen), 0.5 / len(old.seen)]  # both count alike, however many lines there are
    weight = np.repeat(np.array(share, np.float32), [len(new.x), len(old.x)]) * np.where(
        begins > SURE, 1, np.float32(_UNMARKED)
    )
    of_each = np.repeat(np.array(share, np.float32), [len(new.seen), len(old.seen)])[:, None]
    span[:, 0] = _descended(span[:, 0], lambda w: x.T @ ((sigmoid(x @ w) - begins) * weight))
    kinds = _descended(kinds, lambda w: seen.T @ ((softmax(seen @ w) - wanted) * of_each))
    classes = np.hstack([kinds, acts])
    return {
        "span.weight": span[:-1],
        "span.bias": span[-1],
        "classes.weight": classes[:-1],
        "classes.bias": classes[-1],
    }, {"attributes": names, "taught_to": _digest(net)}


def _rows(lines: Sequence[Line], net: Network, names: Sequence[str]) -> _Rows:
    """Return the rows of labelled lines."""
    x, begins, seen = list[Floats](), list[Floats](), list[Floats]()
    for line in lines:
        row, starts, ends = net.seen(Piece(line.text, USER), _before(line))
        first = np.searchsorted(starts, [each.start for each in line.labels], "right") - 1
        last = np.searchsorted(ends, [each.end for each in line.labels], "left") + 1
        x.append(row)
        begins.append(np.isin(np.arange(len(row)), first).astype(np.float32))
        if line.labels:
            seen.append(net.told(row, list(zip(first.tolist(), last.tolist(), strict=True))))
    kinds = [names.index(_class_of(each.attribute, names)) for line in lines for each in line.labels]
    return _Rows(
        _with_ones(np.concatenate(x)),
        np.concatenate(begins),
        _with_ones(np.concatenate(seen)),
        np.eye(len(names), dtype=np.float32)[kinds],
    )


def _known(net: Network) -> _Rows:
    """Return the rows of phrases that the shipped network was taught with, as it reads them now."""
    names, layer = net.meta["attributes"], net.last_layer()
    lines = [
        Line(text, "", (Label(start, end, attribute),))
        for attribute, by_act in examples().items()
        for phrases in by_act.values()
        if attribute in names
        for text, start, end, _ in phrases[:_OLD]
    ]
    rows = _rows(lines, net, names)
    says = rows.x[:, :-1] @ layer["span.weight"][:, 0] + layer["span.bias"][0]
    kinds = rows.seen[:, :-1] @ layer["classes.weight"] + layer["classes.bias"]
    return replace(rows, begins=sigmoid(says), kinds=softmax(kinds[:, : len(names)]))


def _descended(start: Floats, slope: Callable[[Floats], Any]) -> Floats:
    """Return the weights after some steps of Adam, held back towards where they began."""
    at, mean, square = np.array(start), np.zeros_like(start), np.zeros_like(start)
    for step in range(1, _STEPS + 1):
        way = slope(at) + _KEEP * (at - start)
        mean, square = 0.9 * mean + 0.1 * way, 0.999 * square + 0.001 * way * way
        at = at - _RATE * (mean / (1 - 0.9**step)) / (np.sqrt(square / (1 - 0.999**step)) + 1e-8)
    return np.asarray(at, np.float32)


def _digest(net: Network) -> str:
    """Return what tells one training of the network from another: a last layer fits no other."""
    held = sha256()
    for name, layer in sorted(net.last_layer().items()):
        held.update(name.encode() + np.ascontiguousarray(layer, np.float32).tobytes())
    return held.hexdigest()


def _class_of(attribute: str, names: Sequence[str]) -> str:
    return attribute if attribute in names else f"{attribute.partition('.')[0]}.other"


def _before(line: Line) -> tuple[Piece, ...]:
    return (Piece(line.asked, CHARACTER),) if line.asked else ()


def _with_ones(rows: Floats) -> Floats:
    return np.hstack([rows, np.ones((len(rows), 1), np.float32)])


def save(path: Path, taught: Taught) -> None:
    """Write a last layer beside a bank, for whoever owns the bank alone."""
    held = BytesIO()
    np.savez(held, meta=json.dumps(dict(taught.meta), ensure_ascii=False), **taught.weights)
    whole = path.with_name(f"{path.name}.new")
    whole.touch(mode=0o600)
    whole.write_bytes(held.getvalue())
    whole.replace(path)


def taught_network(path: Path, net: Network) -> Network:
    """Return `net` with the last layer of a file; raises `InvalidInput` if it is of another version."""
    try:
        weights, meta = unpacked(path.read_bytes())
        taught_to = meta.pop("taught_to")
    except (OSError, ValueError, KeyError) as error:
        raise InvalidInput(ErrorText("teaching.unreadable", path=path)) from error
    if taught_to != _digest(net):
        raise InvalidInput(ErrorText("teaching.other_version", path=path))
    return net.with_last_layer(weights, meta)
