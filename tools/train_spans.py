"""Learn to read values out of Korean sentences, from sentences with their facts: `make spans`.

Reads `tools/spans/*.jsonl` (`{"text", "ask", "facts", "known", …}`, one file for each author), the statements,
questions and small talk of `tools/topics`, and the frames of the planted evaluation's dev split. First each author is
read by what the others taught, which tells how sure the reader must be of each attribute; then all are learned, and
`src/gieok/extract/korean/spans.npz` is written.
"""

from __future__ import annotations

import json
import random
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gieok.domain.scope import Scope
from gieok.extract.korean import forms
from gieok.extract.korean.gleaning import (
    CLASSES,
    CLOSED,
    KNOWN,
    OPEN,
    PEOPLE,
    SHARED,
    Gleaner,
    Look,
    Old,
    gleaner,
    look_at,
    shared_out,
    value_of,
)  # fmt: skip
from gieok.extract.korean.plainly import plainly
from gieok.extract.korean.reader import parts_read
from gieok.extract.korean.standing import in_earnest
from gieok.extract.korean.whose import Speaking
from gieok.language.text import has_hangul, normalise
from gieok.language.wording import josa

ROOT = Path(__file__).parents[1]
LEARNED = ROOT / "src/gieok/extract/korean/spans.npz"
TOGETHER = (
    "identity chat_b night campus pastimes carers wayward rambling workdays hinting",
    "tastes chat_a noise trades fans kith_and_kin places answers youth households plain_telling",
    "people changes chat_c chat_d elders answering evenings walks_of_life body_and_home deceptive taste_by_the_way",
)  #: authors who are held out at once
EPOCHS = 8
STEP = 0.15
DROPPED = 0.3  #: share of what is seen that is hidden while learning
SHARING = 0.3  #: how fast is learned what counts for all attributes alike
RAREST = 4  #: utterances a name must be seen in
FAINT = 0.08  #: weights below are not kept
PRECISION = 0.86  #: wanted of each attribute on authors that were not learned from, whose notes are not complete
OF_NAMES = 0.94  #: … and of names: nobody likes to be called by another's
SUREST = (0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95)
SPEAKING = Speaking(speaker="user", scope=Scope(user="user", character="character"))

Floats = NDArray[np.float32]
Row = dict[str, Any]


@dataclass(slots=True, kw_only=True)
class Lesson:
    """An utterance, and which of its offers are right for which class (-1: the utterance itself; None: not known)."""

    author: str
    look: Look
    right: dict[str, list[int] | None]
    late: bool = False  #: only the attribute is known, not the value


def read(path: Path) -> list[Row]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def rows() -> Iterator[tuple[str, Row]]:
    for path in sorted((ROOT / "tools/spans").glob("*.jsonl")):
        for row in read(path):
            yield path.stem, row if "facts" in row else {**row, "facts": [{**row, "subject": "user"}]}
    topics = ROOT / "tools/topics"
    for row in read(topics / "statements.jsonl"):
        yield "statements", {"text": row["text"], "about": row["attribute"]}
    for name in ("small_talk", "questions"):
        for row in read(topics / f"{name}.jsonl"):
            yield name, {"text": row["text"], "facts": []}
    yield from (("frames", row) for row in framed())


def framed() -> Iterator[Row]:
    """Yield the frames of the dev split, filled in, and what must not be read from."""
    dev = ROOT / "packages/gieok-evals/src/gieok_evals/planted/dev"
    values = json.loads((dev / "values.json").read_text(encoding="utf-8"))
    dice = random.Random(3)
    for frame in read(dev / "frames.jsonl"):
        for value in dice.sample(values[frame["slot"]], min(2, len(values[frame["slot"]]))):
            facts = [fact(frame["slot"], value)]
            yield {"text": filled(frame["text"], {"v": value}), "ask": frame.get("ask"), "facts": facts}
    for update in read(dev / "updates.jsonl"):
        old, new = dice.sample(values[update["slot"]], 2)
        facts = [{**fact(update["slot"], old), "polarity": "-"}]
        facts += [fact(update["slot"], new)] if "{new" in update["text"] else []
        known = {"attribute": update["slot"], "value": old["forms"]["v"]}
        yield {"text": filled(update["text"], {"old": old, "new": new}), "facts": facts, "known": known}
    for trap in read(dev / "adversarial.jsonl"):
        value = dice.choice(values.get(trap.get("slot"), [{"gold": "", "forms": {"v": ""}}]))
        asked = filled(trap["ask"], {"v": value}) if trap.get("ask") else None
        facts = [{**each, "value": each["value"].replace("{v}", value["gold"])} for each in trap.get("expect", ())]
        yield {"text": filled(trap["text"], {"v": value}), "ask": asked, "facts": facts}


def fact(key: str, value: Row) -> Row:
    alternatives = [*value.get("alt", ()), *value["forms"].values()]
    return {"subject": "user", "attribute": key, "value": value["gold"], "alt": alternatives}


def filled(frame: str, values: dict[str, Row]) -> str:
    def one(place: re.Match[str]) -> str:
        name, _, form = place[1].partition(".")
        forms_of = values[name]["forms"]
        said = forms_of.get(form or "v") or forms_of["v"]
        return josa(said, place[2]) if place[2] else str(said)

    return re.sub(r"\{((?:v|old|new)(?:\.\w+)?)\}(?:\{([^}]*)\})?", one, frame)


def lessons() -> list[Lesson]:
    seen: dict[str, None] = {}
    learned = []
    dice = random.Random(4)
    for author, row in rows():
        if row["text"] in seen or not has_hangul(row["text"]):
            continue
        seen[row["text"]] = None
        text = forms.without_forms(in_earnest(plainly(normalise(row["text"]))))
        parts = parts_read(text, SPEAKING)
        look = look_at(text, parts, row.get("ask") or "", known(row))
        if "about" in row:
            right = about(look, row["about"])
        else:
            right = {}
            for each in row["facts"]:
                if each["subject"] == "user" and each.get("polarity", "+") == "+":
                    mark(right, look, each)
        learned.append(Lesson(author=author, look=look, right=right, late="about" in row))
        if not right and look.offers and "about" not in row and not look.old:
            learned.append(Lesson(author=author, look=look_at(text, parts, "", [mentioned(look, dice)]), right={}))
    return learned


def mentioned(look: Look, dice: random.Random) -> Old:
    """Return something said as if it were known: that a known value is mentioned changes nothing by itself."""
    said = look.said(dice.randrange(len(look.offers)))
    fitting = [key for key in OPEN if value_of(key, said) is not None]
    return Old(attribute=dice.choice(fitting or ["likes"]), value=said, surface=said)


def known(row: Row) -> list[Old]:
    before = row.get("known") or []
    return [
        Old(attribute=each["attribute"], value=each["value"], surface=each["value"])
        for each in ([before] if isinstance(before, dict) else before)
    ]


def plain(value: str) -> str:
    return re.sub(r"\s", "", value).casefold()


def mark(right: dict[str, list[int] | None], look: Look, each: Row) -> None:
    """Note which offers are the value of a fact."""
    key = each["attribute"]
    if f"{key}={each['value']}" in CLASSES:
        right[f"{key}={each['value']}"] = [-1]
        return
    if key not in OPEN:
        return
    wanted = {plain(value) for value in (each["value"], *each.get("alt", ())) if value}
    said = [look.said(place) for place in range(len(look.offers))]
    meant = {p: read.value for p, value in enumerate(said) if (read := value_of(key, value)) is not None}
    exact = [p for p in meant if plain(said[p]) in wanted or plain(meant[p]) in wanted]
    close = [
        p
        for p in meant
        if any(len(w) > 1 and w in plain(said[p]) and len(plain(said[p])) <= len(w) + 3 for w in wanted)
    ]
    best = [p for p in exact if plain(said[p]) == plain(each["value"])] or exact or close
    others = right.get(key, [])
    right[key] = sorted({*others, *best}) if best and others is not None else None


def about(look: Look, key: str) -> dict[str, list[int] | None]:
    """Return the lesson of a sentence of which only the attribute is known."""
    right: dict[str, list[int] | None] = {}
    if key in OPEN:
        right[key] = [p for p in range(len(look.offers)) if value_of(key, look.said(p)) is not None] or None
    right |= {each: None for each in CLOSED if each.startswith(f"{key}=")}
    if key in ("likes", "hobby", "exercise") or key.startswith("favorite."):
        near = {"likes", "hobby", "exercise"} | (
            {k for k in OPEN if k.startswith("favorite.")} if key == "likes" else set()
        )
        right |= dict.fromkeys(near - {key})
    return right


class Learning:
    """Weights while they are learned: a step after every utterance, smaller where many were made (Adagrad)."""

    def __init__(self, taught: Sequence[Lesson]) -> None:
        self.taught = taught
        counts = Counter(name for lesson in taught for name in {*names_in(lesson.look)})
        self.names = {name: place for place, name in enumerate(sorted(n for n, c in counts.items() if c >= RAREST))}
        shape = (len(self.names), len(CLASSES) + 2)
        self.weights = np.zeros(shape, dtype=np.float32)
        self.made = np.full(shape, 0.01, dtype=np.float32)
        self.bias = np.full(len(CLASSES), -3.0, dtype=np.float32)
        self.bias_made = np.full(len(CLASSES), 0.01, dtype=np.float32)
        self.dice = np.random.default_rng(0)
        self.rows = [self._rows(lesson.look) for lesson in taught]

    def _rows(self, look: Look) -> tuple[list[NDArray[np.int32]], ...]:
        def of(names: Iterable[str]) -> NDArray[np.int32]:
            return np.array([self.names[name] for name in names if name in self.names], dtype=np.int32)

        return [of(look.everywhere)], [of(each) for each in look.around], [of(each) for each in look.near]

    def learn(self) -> Gleaner:
        total, kept = np.zeros_like(self.weights), 0
        for epoch in range(EPOCHS):
            self.step = STEP * (1 - 0.8 * epoch / EPOCHS)
            for number in self.dice.permutation(len(self.taught)):
                if epoch or not self.taught[number].late:
                    self._lesson(self.taught[number], *(self._some(rows) for rows in self.rows[number]))
            if epoch >= EPOCHS // 2:
                total += self.weights
                kept += 1
        least = np.full(len(CLASSES), SUREST[0], dtype=np.float32)
        return Gleaner(names=self.names, weights=total / kept, bias=self.bias, least=least)

    def _some(self, rows: list[NDArray[np.int32]]) -> list[NDArray[np.int32]]:
        return [each[self.dice.random(len(each)) >= DROPPED] for each in rows]

    def _lesson(
        self, lesson: Lesson, everywhere: list[NDArray[np.int32]], around: list[NDArray[np.int32]],
        near: list[NDArray[np.int32]],
    ) -> None:  # fmt: skip
        whole = self.weights[everywhere[0]].sum(axis=0)
        by_part = [self.weights[each].sum(axis=0) for each in around]
        offered = lesson.look.offers
        columns = np.array(
            [
                *(whole + by_part[o.part] + self.weights[n].sum(axis=0) for o, n in zip(offered, near, strict=True)),
                whole,
            ]
        ) / (1 - DROPPED)
        slope = np.zeros_like(columns)
        wrong = self._wrong(lesson, shared_out(columns, lesson.look, self.bias))
        slope[:, : len(CLASSES)] = wrong
        slope[:, SHARED] = SHARING * wrong.sum(axis=1)
        for key in {key for key, _ in lesson.look.old if key in OPEN}:
            slope[:, KNOWN] += wrong[:, CLASSES.index(key)]
        if np.abs(slope).max() < 0.01:
            return
        self._move(everywhere[0], slope.sum(axis=0))
        for number, rows_of in enumerate(around):
            own = [place for place, offer in enumerate(offered) if offer.part == number]
            if own:
                self._move(rows_of, slope[own].sum(axis=0))
        for place, rows_of in enumerate(near):
            if np.abs(slope[place]).max() > 0.002:
                self._move(rows_of, slope[place])
        down = wrong.sum(axis=0)
        self.bias_made += down**2
        self.bias -= self.step * down / np.sqrt(self.bias_made)

    def _wrong(self, lesson: Lesson, shares: Floats) -> Floats:
        wrong = shares.copy()
        for key, places in lesson.right.items():
            at = CLASSES.index(key)
            held = shares[places, at] if places is not None else np.zeros(1, dtype=np.float32)
            if held.sum() <= 0:
                wrong[:, at] = 0.0
            else:
                wrong[places, at] -= held / held.sum()
        return wrong

    def _move(self, rows_of: NDArray[np.int32], slope: Floats) -> None:
        if len(rows_of):
            made = self.made[rows_of] + slope**2
            self.made[rows_of] = made
            self.weights[rows_of] -= self.step * slope / np.sqrt(made)


def names_in(look: Look) -> Iterator[str]:
    yield from look.everywhere
    for names in (*look.around, *look.near):
        yield from names


TAUGHT: list[Lesson] = []  #: all lessons
Guess = tuple[str, float, bool]  # class, how sure, right?


def guesses(gleaner: Gleaner, held_out: Sequence[Lesson]) -> Iterator[Guess]:
    for lesson in held_out:
        look, shares = lesson.look, gleaner.shares(lesson.look)
        for at, key in enumerate(CLASSES):
            places = lesson.right.get(key, [])
            best = int(shares[:, at].argmax())
            near = [p for p, o in enumerate(look.offers) if best < len(look.offers) and o.overlaps(look.offers[best])]
            sure = float(shares[near or [best], at].sum())
            if places is not None and sure >= SUREST[0]:
                yield key, sure, best in places or -1 in places or any(place in near for place in places)


def surest(found: Sequence[Guess]) -> Floats:
    """Return how sure each class must be so that it was right often enough on other authors."""
    of: dict[str, list[Guess]] = defaultdict(list)
    for guess in found:
        of[guess[0]].append(guess)
    least = []
    for key in CLASSES:
        for sure in SUREST:
            right = [guess[2] for guess in of[key] if guess[1] >= sure]
            if (sum(right) + 1) / (len(right) + 1.2) >= (OF_NAMES if key in PEOPLE else PRECISION):
                break
        least.append(sure)
        print(f"  {key:32} {sure:.2f}  {sum(right)} of {len(right)} right")
    return np.array(least, dtype=np.float32)


def written(gleaner: Gleaner, path: Path) -> None:
    weights = np.where(np.abs(gleaner.weights) < FAINT, 0.0, gleaner.weights)
    kept = np.abs(weights).max(axis=1) > 0
    names = [name for name, keep in zip(gleaner.names, kept, strict=True) if keep]
    steps = np.abs(weights).max(axis=0) / 127 + 1e-9
    small = np.round(weights[kept] / steps).astype(np.int8)
    np.savez_compressed(
        path, names=np.array("\n".join(names)), weights=small, steps=steps.astype(np.float32), bias=gleaner.bias,
        least=gleaner.least,
    )  # fmt: skip
    print(f"wrote {path.name}: {len(names)} names, {path.stat().st_size // 1024} kB")


def held_out(authors: str) -> list[Guess]:
    """Read some authors by what the others taught."""
    theirs = [lesson for lesson in TAUGHT if lesson.author in authors.split()]
    rest = [lesson for lesson in TAUGHT if lesson.author not in authors.split()]
    return list(guesses(Learning(rest).learn(), theirs))


def learned_from_all() -> Gleaner:
    return Learning(TAUGHT).learn()


def main() -> None:
    """Learn; with "--quick" what is asked for of each attribute stays as it is. Authors named are left out."""
    quick = "--quick" in sys.argv
    TAUGHT.extend(lesson for lesson in lessons() if lesson.author not in sys.argv[1:])
    with ProcessPoolExecutor(mp_context=get_context("fork")) as pool:  # each has the lessons already
        whole = pool.submit(learned_from_all)
        found = [] if quick else [guess for some in pool.map(held_out, TOGETHER) for guess in some]
    least = gleaner().least if quick else surest(found)
    written(replace(whole.result(), least=least), LEARNED)


if __name__ == "__main__":
    main()
