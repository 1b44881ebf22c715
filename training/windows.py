"""From labelled conversations and sentences to the arrays that the tagger is trained on.

Usage: python training/windows.py OUT.npz --vectors VECTORS.npz [--copies 2]

An example is one piece of an utterance with the pieces before it and a line with the people that were named earlier.
Each training conversation is also added with other names and values in the same places (`--copies`).
"""

from __future__ import annotations

import argparse
import json
import random
import re
import tomllib
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
from sheets import messages

from gieok.extract.learned.features import CONTEXT, LENGTH, Features, features, pieces, units
from gieok_evals.planted.language import filled, language

HERE = Path(__file__).parent
ACTS = ["assert", "end", "past", "plan", "deny", "correct", "not"]
SELF, LISTENER, UNKNOWN, POINTED = range(4)
MENTION, RETRACTION = 1, 2
EMOTIONS = "nsha"  # neutral, sad, happy, angry: as in gieok.domain.emotion
SPEAKERS = {"u": 0, "c": 1}  # everybody else is 2
NAMES = 3  # the line of people named earlier
SEGMENTS = CONTEXT + 2  # that line, the context, the piece itself
MOST = 14  # labels of an example
POINTERS = 16  # places where the holder of a label is named
FILLINGS = 6  # values that each planted sentence is filled with
ALONE = 0.3  # share of the single sentences that stand without talk before them
JOINED = 0.4  # share that is said in one breath with another sentence
PARTS = (("user", "u"), ("reply", "c"))
OFTEN = 15  # times that a free attribute must be told to have a class of its own
SCHEMA = """
    name nickname age birth_year birthday gender job workplace major school grade hometown residence blood_type mbti
    height weight family handedness nationality religion phone allergy phobia medical_condition medication
    contraindication diet boundary trauma friend pet relationship_status likes dislikes favorite.food favorite.color
    favorite.season favorite.movie favorite.music favorite.book favorite.game favorite.drink hobby exercise promise
    todo decision constraint event milestone timeline vaccination part_time_job habit skill plan dream goal trait
    opinion note""".split()
WORDED = frozenset(
    "relationship_status gender event milestone promise plan boundary constraint trait opinion note todo "
    "decision".split()
)  #: attributes whose words cannot stand for one another

Record = dict[str, Any]
Span = tuple[int, int]


@dataclass(frozen=True)
class Label:
    """A fact in a piece."""

    attribute: str
    start: int
    end: int
    act: str
    target: int
    places: tuple[Span, ...] = ()  #: segment and offset where the holder is named


@dataclass(frozen=True)
class Example:
    """One piece, those before it and what is told in it."""

    window: tuple[int, ...]
    labels: tuple[Label, ...]
    spans: tuple[tuple[int, int, int], ...]  #: kind, start, end of mentions and retractions
    author: str
    place: tuple[str, int, str, int]  #: conversation, turn, part, offset


@dataclass
class Examples:
    """All examples, and each distinct piece once."""

    pieces: dict[tuple[str, int], int] = field(default_factory=dict)
    all: list[Example] = field(default_factory=list)
    felt: dict[int, tuple[int, bool]] = field(default_factory=dict)  #: emotions of pieces, and whether they are for dev

    def piece(self, text: str, speaker: int) -> int:
        return self.pieces.setdefault((text, speaker), len(self.pieces))

    def add_emotions(self, path: Path, most: int | None = None) -> None:
        """Add messages with the emotion that they show; those of `dev` are only scored."""
        for line in path.read_text(encoding="utf-8").splitlines()[:most]:
            emotion, who, text = line.split("\t")
            self.felt[self.piece(text[:LENGTH], SPEAKERS[who])] = (EMOTIONS.index(emotion), path.stem == "dev")


def is_ended(word: str) -> bool:
    """Whether a word ends in a consonant, which decides the particles after it."""
    last = ord(word[-1]) if word else 0
    return 0xAC00 <= last <= 0xD7A3 and (last - 0xAC00) % 28 > 0


def said(record: Record, span: Record) -> str:
    return str(record["turns"][span["turn"]][span["part"]][span["start"] : span["end"]])


def values(record: Record) -> Iterator[tuple[str, str]]:
    """Yield attribute and words of everything that is labelled and can be exchanged."""
    for fact in (*record["facts"], *record["not_facts"]):
        if fact["attribute"] in SCHEMA and fact["attribute"] not in WORDED:
            yield from ((fact["attribute"], said(record, span)) for span in fact["spans"])


class Swap:
    """Other names and values of the same kind, for the copies of a conversation."""

    def __init__(self, records: list[Record], seed: int) -> None:
        self.random = random.Random(seed)
        self.common = Counter(name for record in records for each in record["entities"] for name in set(each["names"]))
        self.pool: dict[tuple[str, bool, bool], list[str]] = defaultdict(list)
        for record in records:
            for kind, word in (*self._names(record), *values(record)):
                self.pool[kind, is_ended(word), word.isascii()].append(word)

    def _names(self, record: Record) -> Iterator[tuple[str, str]]:
        for each in record["entities"]:
            for name in each["names"]:
                if self.common[name] <= 2 and 2 <= len(name) <= 8 and " " not in name:
                    yield f"name of a {each['kind']}", name

    def plan(self, record: Record) -> dict[str, str]:
        """Return what to write instead of which words, in the whole conversation."""
        plan = {name: self._other(kind, name) for kind, name in self._names(record)}
        for kind, word in values(record):
            if word not in plan and len(word) > 1 and self.random.random() < 0.7:
                plan[word] = self._other(kind, word)
        return plan

    def _other(self, kind: str, word: str) -> str:
        return self.random.choice(self.pool[kind, is_ended(word), word.isascii()])


class Rewriting:
    """A conversation with some words replaced, and every span moved along."""

    def __init__(self, record: Record, plan: dict[str, str]) -> None:
        self.plan = plan
        self.words = re.compile("|".join(re.escape(word) for word in sorted(plan, key=len, reverse=True)))
        self.moves: dict[tuple[int, str], list[tuple[int, int, int, int]]] = {}
        turns = [self._turn(number, turn) for number, turn in enumerate(record["turns"])]
        self.record = {
            **record,
            "turns": turns,
            "entities": [{**each, "names": self._renamed(each["names"])} for each in record["entities"]],
            "facts": [self._moved(fact) for fact in record["facts"]],
            "not_facts": [self._moved(fact) for fact in record["not_facts"]],
            "retractions": [self._place(each) for each in record["retractions"]],
            "mentions": [self._place(each) for each in record["mentions"]],
        }

    def _renamed(self, names: list[str]) -> list[str]:
        return list(dict.fromkeys(self.plan.get(name, name) for name in names))

    def _turn(self, number: int, turn: Record) -> Record:
        return {**turn, **{part: self._text(number, part, turn[part] or "") for part in ("user", "reply")}}

    def _text(self, number: int, part: str, text: str) -> str:
        out, last = "", 0
        moves = self.moves[number, part] = []
        for match in self.words.finditer(text):
            out += text[last : match.start()]
            new = self.plan[match.group()]
            moves.append((match.start(), match.end(), len(out), len(out) + len(new)))
            out, last = out + new, match.end()
        return out + text[last:]

    def _moved(self, fact: Record) -> Record:
        return {**fact, "spans": [self._place(span) for span in fact["spans"]]}

    def _place(self, span: Record) -> Record:
        start, end = span["start"], span["end"]
        new_start, new_end = start, end
        for old, old_end, new, renewed_end in self.moves[span["turn"], span["part"]]:
            if start >= old_end:
                new_start = start + renewed_end - old_end
            elif start > old:
                new_start = new  # inside a replaced word: take all of it
            elif start == old:
                new_start = new
            if end >= old_end:
                new_end = end + renewed_end - old_end
            elif end > old:
                new_end = renewed_end
        return {**span, "start": new_start, "end": max(new_end, new_start + 1)}


class Conversation:
    """One conversation, piece by piece."""

    def __init__(self, examples: Examples, record: Record) -> None:
        self.examples, self.record = examples, record
        self.aliases = {each["id"]: sorted(each["names"], key=len, reverse=True) for each in record["entities"]}
        self.facts: dict[tuple[int, str], list[tuple[str, int, int, str, str]]] = defaultdict(list)
        for fact, act in _told(record):
            for span in fact["spans"]:
                told = (fact["attribute"], span["start"], span["end"], act or span["act"], fact["holder"])
                self.facts[span["turn"], span["part"]].append(told)
        self.marked: dict[tuple[int, str], list[tuple[int, int, str]]] = defaultdict(list)
        for each in record["mentions"]:
            self.marked[each["turn"], each["part"]].append((each["start"], each["end"], each["entity"]))
        self.retracted: dict[tuple[int, str], list[Span]] = defaultdict(list)
        for each in record["retractions"]:
            self.retracted[each["turn"], each["part"]].append((each["start"], each["end"]))
        self.history: list[tuple[int, list[tuple[int, int, str]]]] = []  # piece, mentions in it
        self.named: dict[str, str] = {}  # entity: the name last used, the latest entity last

    def add(self) -> None:
        for number, turn in enumerate(self.record["turns"]):
            for part in ("user", "reply"):
                if turn[part]:
                    self._utterance(number, part, turn[part], self._speaker(turn, part))

    def _speaker(self, turn: Record, part: str) -> str:
        if part == "reply":
            return "c"
        name = turn.get("speaker")
        return next((each for each, names in self.aliases.items() if name in names), "x") if name else "u"

    def _utterance(self, number: int, part: str, text: str, who: str) -> None:
        mentions = self._mentions(number, part, text)
        for begin, end in pieces(text):
            inside = [(a - begin, b - begin, each) for a, b, each in mentions if a >= begin and b <= end]
            line, known = self._line()
            piece = self.examples.piece(text[begin:end], SPEAKERS.get(who, 2))
            self.history.append((piece, inside))
            context = self.history[-1 - CONTEXT :]
            window = (self.examples.piece(line, NAMES) if line else -1, *[-1] * (CONTEXT + 1 - len(context)))
            places = self._places(known, context)
            labels = [
                Label(kind, a - begin, b - begin, act, *_holder(holder, who, places))
                for kind, a, b, act, holder in self.facts[number, part]
                if a >= begin and b <= end
            ]
            spans = [(MENTION, a, b) for a, b, _ in inside]
            spans += [
                (RETRACTION, a - begin, b - begin) for a, b in self.retracted[number, part] if begin <= a and b <= end
            ]
            self.examples.all.append(
                Example(
                    (*window, *(each for each, _ in context)),
                    tuple(labels[:MOST]),
                    tuple(spans),
                    self.record["author"],
                    (self.record["id"], number, part, begin),
                )
            )
            for a, b, entity in sorted(inside):
                self.named.pop(entity, None)
                self.named[entity] = text[begin + a : begin + b] if b - a > 1 else self.aliases.get(entity, [""])[0]

    def _mentions(self, number: int, part: str, text: str) -> list[tuple[int, int, str]]:
        found = list(self.marked[number, part])
        for entity, names in self.aliases.items():
            for name in names:
                for match in re.finditer(re.escape(name), text):
                    if not any(begin < match.end() and match.start() < end for begin, end, _ in found):
                        found.append((match.start(), match.end(), entity))
        return found

    def _line(self) -> tuple[str, list[tuple[int, int, str]]]:
        line, known = "", []
        for entity, name in reversed(self.named.items()):
            if name and len(line) + len(name) + 2 <= LENGTH:
                known.append((len(line), len(line) + len(name), entity))
                line += name + ", "
        return line, known

    @staticmethod
    def _places(
        known: list[tuple[int, int, str]], context: list[tuple[int, list[tuple[int, int, str]]]]
    ) -> dict[str, list[Span]]:
        places: dict[str, list[Span]] = defaultdict(list)
        lines = [(0, known), *((SEGMENTS - len(context) + i, found) for i, (_, found) in enumerate(context))]
        for segment, found in lines:
            for start, _, entity in found:
                places[entity].append((segment, start))
        return places


def _told(record: Record) -> Iterator[tuple[Record, str]]:
    """Yield the facts, and what only sounds like one, with its act; "": as its spans say."""
    yield from ((fact, "") for fact in record["facts"])
    yield from ((fact, "assert" if fact["why"] == "retracted" else "not") for fact in record["not_facts"])


def _holder(holder: str, who: str, places: dict[str, list[Span]]) -> tuple[int, tuple[Span, ...]]:
    if holder == who:
        return SELF, ()
    if holder in SPEAKERS:
        return LISTENER, ()
    named = tuple(places[holder][-POINTERS:])
    return (POINTED, named) if named else (UNKNOWN, ())


class Sentences:
    """Sentences that were written alone, most of them behind a stretch of some conversation."""

    def __init__(self, examples: Examples, records: list[Record], seed: int) -> None:
        self.examples, self.random = examples, random.Random(seed)
        self.spoken: list[tuple[str, tuple[Label, ...]]] = []  # sentences that may stand before another
        self.talks = [
            [(turn[part][:LENGTH], SPEAKERS[who]) for turn in record["turns"] for part, who in PARTS if turn[part]]
            for record in records
        ]

    def add(self, text: str, asked: str | None, labels: Iterable[Label], author: str) -> None:
        if len(units(text)) > LENGTH:
            return
        text, labels = self._joined(text, tuple(labels), asked)
        before = list(self._before())
        if asked:
            before = [*before, (asked[:LENGTH], SPEAKERS["c"])][-CONTEXT:]
        window = [-1] * (SEGMENTS - 1 - len(before)) + [self.examples.piece(*each) for each in before]
        window.append(self.examples.piece(text, SPEAKERS["u"]))
        place = (author, len(self.examples.all), "user", 0)
        self.examples.all.append(Example(tuple(window), labels, (), author, place))

    def _joined(self, text: str, labels: tuple[Label, ...], asked: str | None) -> tuple[str, tuple[Label, ...]]:
        """Return a sentence, some behind another that has nothing to do with it."""
        alone = text, labels
        if self.spoken and not asked and self.random.random() < JOINED:
            first, told = self.random.choice(self.spoken)
            first = first.rstrip() + self.random.choice((". ", " ", "\n", "! ", "ㅋㅋ "))
            moved = [
                replace(
                    each,
                    start=each.start + len(first),
                    end=each.end + len(first),
                    places=tuple((segment, at + len(first)) for segment, at in each.places),
                )
                for each in labels
            ]
            if len(units(first + text)) <= LENGTH and len(told) + len(moved) <= MOST:
                text, labels = first + text, (*told, *moved)
        if not asked:
            self.spoken = [*self.spoken[-400:], alone]
        return text, labels

    def _before(self) -> Iterator[tuple[str, int]]:
        if self.random.random() < ALONE:
            return
        talk = self.random.choice(self.talks)
        last = self.random.randrange(1, len(talk))
        while last and talk[last - 1][1] != SPEAKERS["c"]:
            last -= 1
        yield from talk[max(0, last - self.random.randint(1, CONTEXT)) : last]

    def add_row(self, record: Record, author: str) -> None:
        """Add a sentence with its facts, unless one is said without its words: it would be no example of small talk."""
        text, labels = record["text"], list[Label]()
        for fact in record["facts"]:
            word = next(
                (str(each) for each in (fact["value"], *fact.get("alt", [])) if str(each) and str(each) in text), None
            )
            if word is None:
                return
            at, act = text.find(word), "assert" if fact.get("polarity", "+") == "+" else "end"
            where = text.find(fact["subject"])
            named = (POINTED, ((SEGMENTS - 1, where),)) if where >= 0 else (UNKNOWN, ())
            labels.append(
                Label(fact["attribute"], at, at + len(word), act, *((SELF, ()) if fact["subject"] == "user" else named))
            )
        for fact in record.get("must_not", []):
            at, end = text.find(str(fact["value"])), text.find(str(fact["value"])) + len(str(fact["value"]))
            if at >= 0 and fact["subject"] == "user" and not any(each.start < end and at < each.end for each in labels):
                labels.append(Label(fact["attribute"], at, end, "not", SELF))
        self.add(text, record.get("ask"), labels, author)

    def add_message(self, message: Record, author: str) -> None:
        """Add a message with its labels; who holds them is named in the message."""
        text, labels = message["text"], list[Label]()
        for each in message["labels"]:
            who = each["holder"]
            place = text.find(who)
            holder: tuple[int, tuple[Span, ...]] = (POINTED, ((SEGMENTS - 1, place),))
            if who in SPEAKERS:
                holder = (SELF if who == "u" else LISTENER, ())
            labels.append(Label(each["attribute"], each["start"], each["end"], each["act"], *holder))
        self.add(text, message["ask"], labels[:MOST], author)

    def add_planted(self) -> None:
        """Add the planted sentences of the dev split, each with several values."""
        words = language("dev")
        for frame in words.frames:
            for value in self._some(words.values[frame.slot], FILLINGS):
                self._filled(filled(frame.text, {"v": value}), frame.ask, [(frame.slot, value, "assert", "user")])
        for update in words.updates:
            old_act = {"update": "end", "ended": "end"}.get(update.kind, "not")
            new_act = "correct" if update.kind == "correction" else "assert"
            for _ in range(FILLINGS):
                old, new = self.random.sample(words.values[update.slot], k=2)
                facts = [(update.slot, old, old_act, "user"), (update.slot, new, new_act, "user")]
                self._filled(filled(update.text, {"v": old, "old": old, "new": new}), None, facts)
        for trap in words.adversarial:
            for value in self._some(words.values.get(trap.slot, ()), FILLINGS) or [None]:
                given = {} if value is None else {"v": value}
                denied = "deny" if trap.family == "negation" else "not"
                told = [(said, denied) for said in trap.must_not] + [(said, "assert") for said in trap.expect]
                facts = [
                    (each.attribute, value if each.value == "{v}" else each.value, act, each.subject)
                    for each, act in told
                ]
                self._filled(filled(trap.text, given), trap.ask, facts)
        for line in words.small_talk:
            self.add((line if isinstance(line, str) else line[0])[:LENGTH], None, [], "sentences_planted")

    def _some(self, pool: Sequence[Any], count: int) -> list[Any]:
        return self.random.sample(pool, k=min(count, len(pool)))

    def _filled(self, text: str, asked: str | None, facts: Iterable[tuple[str, Any, str, str]]) -> None:
        labels = dict[int, Label]()
        for attribute, value, act, subject in facts:
            forms = [value] if isinstance(value, str) else [*value.forms.values(), *value.alt]
            form = max((each for each in forms if each in text), key=len, default="")
            where = -1 if subject == "user" else text.find(subject)
            if not form or (subject != "user" and where < 0):
                continue
            at = text.find(form)
            holder = (SELF, ()) if subject == "user" else (POINTED, ((SEGMENTS - 1, where),))
            if at not in labels or act == "assert":
                labels[at] = Label(attribute, at, at + len(form), act, *holder)
        if all(each.attribute in SCHEMA for each in labels.values()):
            self.add(text, asked, labels.values(), "sentences_planted")


def attributes_of(records: list[Record]) -> list[str]:
    """Return the attributes that are classes: those of the schema and the free ones that are told often."""
    told = Counter(fact["attribute"] for record in records for fact in record["facts"] for _ in fact["spans"])
    often = sorted(name for name, count in told.items() if name.startswith("free.") and count >= OFTEN)
    return [*SCHEMA, "favorite.other", "free.other", *often]


def inside(seen: Features, start: int, end: int) -> Span:
    """Return the units of the characters from `start` to `end`."""
    first = min(int(np.searchsorted(seen.ends, start, "right")), len(seen.ends) - 1)
    return first, max(first + 1, int(np.searchsorted(seen.begins, end, "left")))


def saved(out: str, examples: Examples, attributes: list[str], vocabulary: dict[str, int], dev: list[str]) -> None:
    size, count = len(examples.pieces), len(examples.all)
    codes, words = np.zeros((size, LENGTH), np.int32), np.zeros((size, LENGTH), np.int32)
    tags, starts = np.zeros((size, LENGTH), np.uint8), np.zeros((size, LENGTH), np.uint8)
    speakers, lengths = np.zeros(size, np.uint8), np.zeros(size, np.uint8)
    seen: list[Features] = []
    for (text, speaker), row in examples.pieces.items():
        found = features(text, vocabulary)
        seen.append(found)
        long = len(found.codes)
        codes[row, :long], words[row, :long] = found.codes, found.words
        tags[row, :long], starts[row, :long] = found.tags, found.starts
        speakers[row], lengths[row] = speaker, long
    labels = np.full((count, MOST, 5), -1, np.int8)  # attribute, start, end, act, target
    pointers = np.full((count, MOST, POINTERS), -1, np.int16)
    for number, example in enumerate(examples.all):
        for k, each in enumerate(example.labels[:MOST]):
            other = "favorite.other" if each.attribute.startswith("favorite.") else "free.other"
            kind = attributes.index(each.attribute if each.attribute in attributes else other)
            start, end = inside(seen[example.window[-1]], each.start, each.end)
            labels[number, k] = kind, start, end, ACTS.index(each.act), each.target
            for j, (segment, at) in enumerate(each.places):
                pointers[number, k, j] = segment * LENGTH + inside(seen[example.window[segment]], at, at + 1)[0]
    names = sorted({example.author for example in examples.all})
    spans = [
        (number, kind, *inside(seen[example.window[-1]], start, end))
        for number, example in enumerate(examples.all)
        for kind, start, end in example.spans
    ]
    places = [example.place for example in examples.all]
    emotions, felt_dev = np.full(size, -1, np.int8), np.zeros(size, bool)
    for row, (emotion, is_dev) in examples.felt.items():
        emotions[row], felt_dev[row] = emotion, is_dev
    np.savez_compressed(
        out,
        codes=codes,
        words=words,
        tags=tags,
        starts=starts,
        speakers=speakers,
        lengths=lengths,
        windows=np.array([example.window for example in examples.all], np.int32),
        labels=labels,
        pointers=pointers,
        emotions=emotions,
        felt_dev=felt_dev,
        spans=np.array(spans, np.int32),
        authors=np.array([names.index(example.author) for example in examples.all], np.int16),
        meta=json.dumps({"authors": names, "attributes": attributes, "acts": ACTS, "dev": dev, "places": places}),
    )
    told = sum(len(example.labels) for example in examples.all)
    print(f"{count} examples, {size} pieces, {told} labels, {len(spans)} mentions and retractions")


def gathered(few: Sequence[str], copies: int) -> tuple[Examples, list[str], list[str]]:
    """Return all examples, the attributes that are classes, and the dev authors; `few`: only of these authors."""
    split = tomllib.loads((HERE / "split.toml").read_text(encoding="utf-8"))
    paths = [path for path in sorted((HERE / "conversations").glob("*.jsonl")) if not few or path.stem in few]
    read = [path.open(encoding="utf-8") for path in paths if path.stem not in split["test"]]
    records = [json.loads(line) for lines in read for line in ([next(lines)] if few else lines)]
    training = [each for each in records if each["author"] not in split["dev"]]
    examples, swap = Examples(), Swap(training, 0)
    for record in records:
        Conversation(examples, record).add()
    for _ in range(copies):
        for plan, record in ((swap.plan(record), record) for record in training):
            if plan:
                Conversation(examples, Rewriting(record, plan).record).add()
    if not few:
        add_sentences(Sentences(examples, training, 0))
    for path in sorted((HERE / "emotions").glob("*.tsv")):
        examples.add_emotions(path, 40 if few else None)
    return examples, attributes_of(training), split["dev"]


def main() -> None:
    ask = argparse.ArgumentParser(description="Make the arrays that the tagger is trained on.")
    ask.add_argument("out")
    ask.add_argument("--vectors", required=True)
    ask.add_argument("--copies", type=int, default=2)
    ask.add_argument(
        "--authors", default="", help="only the first conversation of these, without sentences: for a trial"
    )
    args = ask.parse_args()
    few = args.authors.split(",") if args.authors else []
    examples, attributes, dev = gathered(few, args.copies)
    vocabulary = {str(name): row + 1 for row, name in enumerate(np.load(args.vectors)["names"])}
    saved(args.out, examples, attributes, vocabulary, dev)


def add_sentences(alone: Sentences) -> None:
    for path in sorted((HERE / "spans").glob("*.jsonl")):
        for line in path.open(encoding="utf-8"):
            alone.add_row(json.loads(line), f"sentences_{path.stem}")
    for path in sorted((HERE / "sentences").glob("*.txt")):
        for message in messages(path)[0]:
            alone.add_message(message, f"sentences_{path.stem}")
    alone.add_planted()


if __name__ == "__main__":
    main()
