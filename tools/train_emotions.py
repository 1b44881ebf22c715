"""Teach what a Korean text feels like: `make emotions DATA="labelled.jsonl kote.tsv"`.

A `.jsonl` holds `{"text": …, "label": …}`, the label one of four; it is what is scored. A `.tsv` is KOTE's (id, text,
numbers of labels): a text that feels one way only is a labelled one, the others teach by how their labels are shared
out. Sentences of `tools/topics` that have no word of feeling teach what is neutral in a chat. Cross-validated first:
what is printed as "held out" was never seen by the weights that read it. Writes
`src/gieok/language/emotions/weights.npz`. With `--json FILE` it only cross-validates: the figures go there, and the
weights stay as they are.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from itertools import product
from pathlib import Path
from zlib import crc32

import numpy as np
from numpy.typing import NDArray
from train_topics import minimised

from gieok.domain.emotion import EMOTIONS, Emotion
from gieok.language.emotions import BUCKETS, Classifier, by_words, cues, emotion_shares, features
from gieok_evals.emotion import EmotionCase, EmotionScores, scores

ROOT = Path(__file__).parents[1]
FOLDS = 5
PENALTY = 0.01  #: of a weight's square
EVENED_OUT = 0.7  #: how far rare emotions are made to count like common ones: 0 not, 1 fully
MIXED = 0.3  #: what a text of mixed feelings counts beside a labelled one
PLAIN = 0.03  #: what a plain sentence of chat counts beside a labelled neutral one
MOST_PLAIN = 2000
RAREST = 2  #: texts that a bucket must stand in to be learned
PLAIN_KEPT = 0.9  #: the share of plain sentences that must stay neutral

#: KOTE's labels by number; those that stand nowhere (놀람, 의심 …) go with any emotion
KOTE: dict[Emotion, frozenset[int]] = {
    "neutral": frozenset({24}),
    "sad": frozenset({5, 10, 19, 25, 27, 30, 36, 38}),
    "happy": frozenset({1, 2, 4, 7, 8, 13, 14, 16, 28, 32, 40, 42, 43}),
    "angry": frozenset({0, 3, 6, 20, 21, 22, 23, 31}),
}

Floats = NDArray[np.float64]
Taught = tuple[str, Floats]  # a text, and how it is shared out among EMOTIONS


class Rows:
    """Texts as buckets, in one long line."""

    def __init__(self, texts: Sequence[str]) -> None:
        found = [features(text) for text in texts]
        self.count = len(found)
        self.places = np.concatenate([places for places, _ in found])
        self.rows = np.repeat(np.arange(self.count), [len(places) for places, _ in found])
        self.values = np.repeat([value for _, value in found], [len(places) for places, _ in found])

    def some(self, chosen: NDArray[np.bool_]) -> Rows:
        kept = object.__new__(Rows)
        inside = chosen[self.rows]
        kept.count = int(chosen.sum())
        kept.places, kept.values = self.places[inside], self.values[inside]
        kept.rows = (np.cumsum(chosen) - 1)[self.rows[inside]]
        return kept

    def looks(self, weights: Floats) -> Floats:
        pulls = self.values[:, np.newaxis] * weights[self.places]
        return np.stack([np.bincount(self.rows, column, self.count) for column in pulls.T], axis=1)

    def slopes(self, errors: Floats) -> Floats:
        pulls = self.values[:, np.newaxis] * errors[self.rows]
        return np.stack([np.bincount(self.places, column, BUCKETS) for column in pulls.T], axis=1)


def learned(rows: Rows, truth: Floats, counts: Floats) -> Classifier:
    """Return a softmax regression with an L2 penalty, its weights rounded to bytes."""
    often = np.bincount(rows.places, minlength=BUCKETS) >= RAREST
    shape = (BUCKETS + 1, len(EMOTIONS))

    def loss(flat: Floats) -> tuple[float, Floats]:
        weights = flat.reshape(shape)
        looks = rows.looks(weights[:-1]) + weights[-1]
        looks -= looks.max(axis=1, keepdims=True)
        shares = np.exp(looks)
        shares /= shares.sum(axis=1, keepdims=True)
        errors = (shares - truth) * counts[:, np.newaxis]
        slope = np.vstack([rows.slopes(errors) * often[:, np.newaxis] + PENALTY * weights[:-1], errors.sum(axis=0)])
        value = -counts @ (truth * np.log(shares + 1e-12)).sum(axis=1) + PENALTY / 2 * (weights[:-1] ** 2).sum()
        return float(value), slope.ravel()

    weights = minimised(loss, np.zeros(shape[0] * shape[1])).reshape(shape)
    step = np.abs(weights[:-1]).max(axis=0) / 127
    return Classifier(
        weights=np.round(weights[:-1] / step).astype(np.int8),
        step=step.astype(np.float32),
        bias=weights[-1].astype(np.float32),
    )


def taught(paths: Sequence[Path]) -> tuple[list[EmotionCase], list[Taught]]:
    """Return what is labelled, and what else teaches."""
    cases: dict[str, EmotionCase] = {}
    others: dict[str, Floats] = {}
    for path in paths:
        for line in path.read_text(encoding="utf-8").split("\n"):
            if path.suffix == ".jsonl" and line:
                case = json.loads(line)
                cases[case["text"]] = EmotionCase(text=case["text"], emotion=case["label"])
            elif line:
                _, text, numbers = line.rstrip("\r").split("\t")
                labels = {int(number) for number in numbers.split(",")}
                parts = np.array([len(labels & KOTE[emotion]) / len(KOTE[emotion]) for emotion in EMOTIONS])
                if (parts > 0).sum() == 1:
                    cases.setdefault(text, EmotionCase(text=text, emotion=EMOTIONS[int(parts.argmax())]))
                elif parts.any():
                    others[text] = parts / parts.sum()
    return list(cases.values()), [(text, parts) for text, parts in others.items() if text not in cases]


def plain_sentences() -> list[str]:
    """Return sentences of chat in which nothing tells a feeling, always the same ones."""
    files = [ROOT / f"tools/topics/{name}.jsonl" for name in ("small_talk", "statements", "questions")]
    texts = {json.loads(line)["text"] for path in files for line in path.read_text(encoding="utf-8").splitlines()}
    plain = [text for text in texts if not (cues(text).words or cues(text).marks)]
    return sorted(plain, key=lambda text: crc32(text.encode()))[:MOST_PLAIN]


class Lesson:
    """Everything to learn from, and what each text counts."""

    def __init__(self, cases: Sequence[EmotionCase], others: Sequence[Taught], plain: Sequence[str]) -> None:
        self.cases, self.plain = cases, plain
        labels = np.array([EMOTIONS.index(case.emotion) for case in cases])
        even = (len(cases) / len(EMOTIONS) / np.bincount(labels, minlength=len(EMOTIONS))) ** EVENED_OUT
        mixed = np.array([parts for _, parts in others]).reshape(len(others), len(EMOTIONS))
        calm = np.tile(np.eye(len(EMOTIONS))[0], (len(plain), 1))
        self.texts = [*(case.text for case in cases), *(text for text, _ in others), *plain]
        self.truth = np.vstack([np.eye(len(EMOTIONS))[labels], mixed, calm])
        self.counts = np.concatenate([even[labels], MIXED * (mixed @ even), np.full(len(plain), PLAIN * even[0])])
        fold = np.array([crc32(text.encode()) % FOLDS for text in self.texts])
        fold[len(cases) : len(cases) + len(others)] = FOLDS  # in no fold: they are never scored
        self.fold = fold
        self.rows = Rows(self.texts)

    def without(self, fold: int) -> Classifier:
        kept = self.fold != fold
        return learned(self.rows.some(kept), self.truth[kept], self.counts[kept])

    def read(self, by: Classifier, fold: int) -> dict[str, Floats]:
        """Return how the texts of `fold` are shared out by weights that never saw them, as logarithms."""
        texts = [text for text, number in zip(self.texts, self.fold, strict=True) if number == fold]
        shares = ([emotion_shares(text, by)[emotion] for emotion in EMOTIONS] for text in texts)
        return {text: np.log(np.maximum(parts, 1e-9)) for text, parts in zip(texts, shares, strict=True)}


def scored(cases: Sequence[EmotionCase], looks: dict[str, Floats], shift: Floats) -> EmotionScores:
    return scores(cases, [EMOTIONS[int((looks[case.text] + shift).argmax())] for case in cases])


def calm(plain: Sequence[str], looks: dict[str, Floats], shift: Floats) -> float:
    return float(np.mean([(looks[text] + shift).argmax() == 0 for text in plain]))


def balanced(cases: Sequence[EmotionCase], plain: Sequence[str], looks: dict[str, Floats]) -> Floats:
    """Return what to add to each emotion for the best macro-F1 that leaves plain sentences neutral."""
    steps = np.arange(-1.5, 1.6, 0.25)
    truth = np.array([EMOTIONS.index(case.emotion) for case in cases])
    seen = np.array([looks[case.text] for case in cases])
    quiet = np.array([looks[text] for text in plain])
    best, found = -1.0, np.zeros(len(EMOTIONS))
    for shift in product(steps, steps, steps):
        added = np.array([0.0, *shift])
        if ((quiet + added).argmax(axis=1) == 0).mean() < PLAIN_KEPT:
            continue
        figure = macro(truth, (seen + added).argmax(axis=1))
        if figure > best:
            best, found = figure, added
    return found


def macro(truth: NDArray[np.intp], read: NDArray[np.intp]) -> float:
    right = np.bincount(truth[truth == read], minlength=len(EMOTIONS))
    both = np.bincount(truth, minlength=len(EMOTIONS)) + np.bincount(read, minlength=len(EMOTIONS))
    return float((2 * right / np.maximum(both, 1)).mean())


def held_out(lesson: Lesson, looks: dict[str, Floats]) -> EmotionScores:
    """Score every case by weights that never saw it, and by what is added to each emotion chosen without it."""
    folds = {case.text: crc32(case.text.encode()) % FOLDS for case in lesson.cases}
    read: dict[str, Emotion] = {}
    for fold in range(FOLDS):
        shift = balanced([case for case in lesson.cases if folds[case.text] != fold], lesson.plain, looks)
        read |= {
            text: EMOTIONS[int((looks[text] + shift).argmax())] for text, number in folds.items() if number == fold
        }
    return scores(lesson.cases, [read[case.text] for case in lesson.cases])


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Teach what a Korean text feels like.")
    parser.add_argument("data", nargs="+", type=Path, help="labelled.jsonl and KOTE's .tsv")
    parser.add_argument("--json", type=Path, metavar="FILE", help="only cross-validate, and write the figures there")
    return parser.parse_args()


def main() -> None:
    asked = arguments()
    cases, others = taught(asked.data)
    lesson = Lesson(cases, others, plain_sentences())
    print(f"{len(cases)} labelled texts, {len(others)} of mixed feelings, {len(lesson.plain)} plain sentences")
    looks: dict[str, Floats] = {}
    for fold in range(FOLDS):
        looks |= lesson.read(lesson.without(fold), fold)
        print(f"  fold {fold + 1} of {FOLDS}", flush=True)
    found = {
        "held out": held_out(lesson, looks),
        "keywords": scores(cases, [by_words(case.text, speaker="user").emotion for case in cases]),
    }
    for name, each in found.items():
        print(f"{name}: {each}")
    if asked.json is not None:
        figures = {name: {"macro_f1": each.macro_f1, "accuracy": each.accuracy} for name, each in found.items()}
        asked.json.write_text(json.dumps({"cases": len(cases), **figures}, indent=2) + "\n", encoding="utf-8")
        return
    shift = balanced(cases, lesson.plain, looks)
    print(f"added to {EMOTIONS}: {shift.tolist()}; plain sentences neutral: {calm(lesson.plain, looks, shift):.3f}")
    whole = lesson.without(FOLDS + 1)
    path = ROOT / "src/gieok/language/emotions/weights.npz"
    np.savez_compressed(path, weights=whole.weights, step=whole.step, bias=whole.bias + shift.astype(np.float32))
    print(f"wrote {path.relative_to(ROOT)}, {path.stat().st_size // 1024} kB")


if __name__ == "__main__":
    main()
