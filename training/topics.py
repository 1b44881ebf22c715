"""Learn what questions and statements are about, from sentences of known attribute: `make topics`.

Reads `training/questions/*.jsonl` (`{"text": …, "attribute": …}`, "-" for none): `questions.jsonl` teaches what is
asked for, the others what is told. Writes `src/gieok/language/topics.npz`. A fifth is held out first and scored.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from zlib import crc32

import numpy as np
from numpy.typing import NDArray
from packed import write

from gieok.embedders.universal import UniversalEncoder
from gieok.language.terms import index_terms
from gieok.language.topics import NOTHING, SCALE

ROOT = Path(__file__).parents[1]
STEPS = 80
FEWEST = 20  #: sentences an attribute needs to be learned
DIMENSION = UniversalEncoder.dimension
RAREST = 3  #: sentences a word must stand in to be learned

Floats = NDArray[np.float32]
Sentence = tuple[str, str]  # text, attribute


def sentences(*names: str) -> list[Sentence]:
    rows: dict[Sentence, None] = {}
    for name in names:
        for line in (ROOT / f"training/questions/{name}.jsonl").read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            rows[row["text"], row["attribute"]] = None
    counts = Counter(attribute for _, attribute in rows)
    return [row for row in rows if counts[row[1]] >= FEWEST]


def learned(features: Floats, labels: NDArray[np.intp], classes: int) -> tuple[Floats, Floats]:
    """Return weights and bias of a softmax regression with an L2 penalty, by L-BFGS.

    Every sentence is learned twice, once without its vector: other embedders have no vector to look at.
    """
    blind = features.copy()
    blind[:, :DIMENSION] = 0.0
    features = np.vstack([features, blind])
    labels = np.concatenate([labels, labels])
    truth = np.eye(classes, dtype=np.float32)[labels]
    shape = (classes, features.shape[1] + 1)
    features = np.hstack([features, np.ones((len(features), 1), dtype=np.float32)])

    def loss(flat: Floats) -> tuple[float, Floats]:
        weights = flat.reshape(shape)
        looks = features @ weights.T
        looks -= looks.max(axis=1, keepdims=True)
        shares = np.exp(looks)
        shares /= shares.sum(axis=1, keepdims=True)
        penalised = weights.copy()
        penalised[:, -1] = 0.0
        value = -np.log(np.maximum(shares[np.arange(len(labels)), labels], 1e-12)).sum() + 0.5 * (penalised**2).sum()
        return float(value), ((shares - truth).T @ features + penalised).ravel()

    weights = minimised(loss, np.zeros(shape[0] * shape[1], dtype=np.float32)).reshape(shape)
    return weights[:, :-1], weights[:, -1]


def minimised(loss: Callable[[Floats], tuple[float, Floats]], at: Floats) -> Floats:
    value, slope = loss(at)
    history: list[tuple[Floats, Floats]] = []
    for _ in range(STEPS):
        way = -downhill(slope, history)
        length = 1.0 if history else 1.0 / float(np.linalg.norm(slope))
        for _ in range(20):
            there = at + np.float32(length) * way
            lower, new_slope = loss(there)
            if lower < value + 1e-4 * length * float(slope @ way):
                break
            length /= 2
        else:
            return at
        history = [*history[-9:], (there - at, new_slope - slope)]
        at, value, slope = there, lower, new_slope
    return at


def downhill(slope: Floats, history: Sequence[tuple[Floats, Floats]]) -> Floats:
    """Return the slope bent by the curvature seen so far (the two loops of L-BFGS)."""
    bent = slope.copy()
    shares = []
    for step, change in reversed(history):
        share = float(step @ bent) / float(step @ change)
        bent -= np.float32(share) * change
        shares.append(share)
    if history:
        step, change = history[-1]
        bent *= np.float32(float(step @ change) / float(change @ change))
    for (step, change), share in zip(history, reversed(shares), strict=True):
        bent += np.float32(share - float(change @ bent) / float(step @ change)) * step
    return bent


def model(
    what: str, rows: Sequence[Sentence], encoder: UniversalEncoder
) -> tuple[dict[str, Floats], dict[str, list[str]]]:
    """Score the model of a part on the rest, and return that of all: arrays and names."""
    names = sorted({attribute for _, attribute in rows})
    assert NOTHING in names, "sentences about nothing are needed as well"
    terms = [frozenset(index_terms(text)) for text, _ in rows]
    counts = Counter(term for each in terms for term in each)
    words = sorted(term for term, count in counts.items() if count >= RAREST)
    spoken = np.array([[word in each for word in words] for each in terms], dtype=np.float32)
    meant = SCALE * encoder.embed([text for text, _ in rows], purpose="document")
    features = np.hstack([meant, spoken])
    labels = np.array([names.index(attribute) for _, attribute in rows])
    held_out = np.array([crc32(text.encode()) % 5 == 0 for text, _ in rows])
    weights, bias = learned(features[~held_out], labels[~held_out], len(names))
    order = np.argsort(-(features[held_out] @ weights.T + bias), axis=1)
    right = order == labels[held_out][:, np.newaxis]
    first, three = right[:, 0].mean(), right[:, :3].any(axis=1).mean()
    print(f"{what}: {len(rows)} sentences, {len(names)} names; held out: first {first:.3f}, among three {three:.3f}")
    order = np.argsort(-(spoken[held_out] @ weights[:, DIMENSION:].T + bias), axis=1)
    blindly = (order[:, :3] == labels[held_out][:, np.newaxis]).any(axis=1).mean()
    print(f"  by words alone: among three {blindly:.3f}")
    weights, bias = learned(features, labels, len(names))
    return {f"{what}_weights": weights, f"{what}_bias": bias}, {f"{what}_names": names, f"{what}_words": words}


def main() -> None:
    encoder = UniversalEncoder()
    told, told_names = model("told", sentences("frames", "statements", "small_talk"), encoder)
    asked, asked_names = model("asked", sentences("questions"), encoder)
    meta = {"embedder": encoder.name, **told_names, **asked_names}
    write(ROOT / "src/gieok/language/topics.npz", told | asked, meta)


if __name__ == "__main__":
    main()
