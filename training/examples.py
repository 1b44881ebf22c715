"""Short labelled phrases of the training data, for `gieok explain` to show beside a mark.

Usage: python training/examples.py src/gieok/extract/learned/examples.json.gz

For each attribute and act there are up to `MOST` phrases of either language, from sentences that were written alone and
from the conversations of training authors. Authors of dev and test are left out.
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
import re
import tomllib
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from sheets import messages

HERE = Path(__file__).parent
MOST = 20  # phrases of an attribute, an act and a language
OFTEN = 15  # phrases that a free attribute or a favourite must have to be kept by itself
LONGEST = 44  # characters of a phrase
STOP = re.compile(r"[.!?~…]+(?:\s+|$)|\n+|(?<=[ㅋㅎㅠㅜ])\s+")

Phrase = tuple[str, int, int, str]  #: the phrase, start and end of the labelled words, holder: "u", "c" or "o"


def phrase(text: str, start: int, end: int, holder: str) -> Phrase | None:
    """Return the sentence around a label; None: it is too long."""
    begin = max((stop.end() for stop in STOP.finditer(text, 0, start)), default=0)
    stop = STOP.search(text, end)
    close = stop.end() if stop else len(text)
    sentence = text[begin:close].rstrip()
    if len(sentence) > LONGEST or not text[start:end].strip():
        return None
    return sentence, start - begin, end - begin, holder if holder in ("u", "c") else "o"


def phrases() -> Iterator[tuple[str, str, Phrase]]:
    """Yield attribute, act and phrase of every short label."""
    for path in sorted((HERE / "sentences").glob("*.txt")):
        for message in messages(path)[0]:
            for each in message["labels"]:
                found = phrase(message["text"], each["start"], each["end"], each["holder"])
                if found:
                    yield each["attribute"], each["act"], found
    split = tomllib.loads((HERE / "split.toml").read_text(encoding="utf-8"))
    for path in sorted((HERE / "conversations").glob("*.jsonl")):
        if path.stem not in (*split["dev"], *split["test"]):
            for line in path.read_text(encoding="utf-8").splitlines():
                yield from told(json.loads(line))


def told(record: dict[str, Any]) -> Iterator[tuple[str, str, Phrase]]:
    for fact, act in (*((each, "") for each in record["facts"]), *((each, "not") for each in record["not_facts"])):
        for span in fact["spans"]:
            if span["part"] == "user" and fact.get("why") != "retracted":
                text = record["turns"][span["turn"]]["user"]
                found = phrase(text, span["start"], span["end"], fact["holder"])
                if found:
                    yield fact["attribute"], act or span["act"], found


def chosen(found: list[Phrase], count: int) -> list[Phrase]:
    """Return up to `count` phrases, each about other words."""
    kept, said = list[Phrase](), set[str]()
    for each in found:
        words = each[0][each[1] : each[2]].lower()
        if len(kept) < count and words not in said:
            said.add(words)
            kept.append(each)
    return kept


def main() -> None:
    ask = argparse.ArgumentParser(description="Write the example phrases that `gieok explain` shows.")
    ask.add_argument("out", type=Path)
    args = ask.parse_args()
    known = sorted(set(phrases()))
    often = Counter(attribute for attribute, _, _ in known)
    by_kind: dict[tuple[str, str, bool], list[Phrase]] = defaultdict(list)
    for attribute, act, found in known:
        kind, dot, _ = attribute.partition(".")
        name = f"{kind}.other" if dot and often[attribute] < OFTEN else attribute
        by_kind[name, act, found[0].isascii()].append(found)
    examples: dict[str, dict[str, list[Phrase]]] = defaultdict(lambda: defaultdict(list))
    for (attribute, act, _), found in sorted(by_kind.items()):
        random.Random(0).shuffle(found)
        examples[attribute][act] += chosen(found, MOST)
    written = json.dumps(examples, ensure_ascii=False, separators=(",", ":")).encode()
    args.out.write_bytes(gzip.compress(written, 9, mtime=0))
    count = sum(len(each) for acts in examples.values() for each in acts.values())
    print(f"{count} phrases of {len(examples)} attributes, {args.out.stat().st_size // 1024} kB")


if __name__ == "__main__":
    main()
