"""Make the pieces that `gieok.language.light` cuts words into, from Kiwi's analyses of the training texts.

python training/pieces.py            writes src/gieok/language/pieces.json.gz
python training/pieces.py --score    how far the pieces agree with Kiwi on the dev authors
"""

from __future__ import annotations

import argparse
import gzip
import json
import re
import tomllib
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path

from gieok.language import light
from gieok.language.morphemes import Morpheme, analyse

HERE = Path(__file__).parent
LEAST = 2  #: times that a piece was seen, unless it is a noun of several syllables
NOUN = re.compile(r"[^/ ]{2,}/NN[GP]/0/\d+")
STOP = re.compile(r"[.?!~,\n…]")
MARKED = re.compile(r"\{([^|{}]*)\|[^{}]*\}")  #: {민수|name} of single sentences


def texts(*, dev: bool) -> list[str]:
    """Return the utterances of the dev authors, or of the training authors with the single sentences."""
    split = tomllib.loads((HERE / "split.toml").read_text(encoding="utf-8"))
    found: list[str] = []
    for file in sorted((HERE / "conversations").glob("*.jsonl")):
        for line in file.read_text(encoding="utf-8").splitlines():
            talk = json.loads(line)
            held_out = talk["author"] in (*split["dev"], *split["test"])
            if talk["author"] in split["dev"] if dev else not held_out:
                found += [turn[side] for turn in talk["turns"] for side in ("user", "reply") if turn.get(side)]
    if not dev:
        for file in sorted((HERE / "sentences").glob("*.txt")):
            found += [MARKED.sub(r"\1", line.strip()) for line in file.read_text(encoding="utf-8").splitlines()]
    return list(dict.fromkeys(found))


def words(text: str) -> Iterator[tuple[str, bool, list[Morpheme]] | None]:
    """Yield each run of Hangul, whether a sentence begins with it, and its morphemes; None: one that has no own."""
    morphemes, place, first = analyse(text), 0, True
    for match in light.HANGUL.finditer(text):
        begin, end = match.span()
        opens = first or STOP.search(text, place, begin) is not None
        place, first = end, False
        inside = [
            each
            for each in morphemes
            if (each.start < end and each.end > begin) or (each.start == each.end and begin < each.start <= end)
        ]
        if not inside or any(each.start < begin or each.end > end for each in inside):
            yield None
        else:
            yield text[begin:end], opens, [_moved(each, begin) for each in inside]


def _moved(each: Morpheme, begin: int) -> Morpheme:
    return Morpheme(
        form=each.form, tag=each.tag, start=each.start - begin, end=each.end - begin, lemma=each.lemma, known=each.known
    )


def cut(word: str, morphemes: Sequence[Morpheme]) -> Iterator[tuple[str, list[Morpheme]]]:
    """Yield the pieces of a word: morphemes that share a syllable stay together."""
    held = [morphemes[0]]
    for each in morphemes[1:]:
        if each.start >= max(one.end for one in held):
            yield _piece(word, held)
            held = []
        held.append(each)
    yield _piece(word, held)


def _piece(word: str, held: Sequence[Morpheme]) -> tuple[str, list[Morpheme]]:
    begin = held[0].start
    return word[begin : max(each.end for each in held)], [_moved(each, begin) for each in held]


def learn() -> dict[str, object]:
    """Return the counts that `gieok.language.light` reads."""
    pieces: Counter[tuple[str, str]] = Counter()
    follows: defaultdict[str, Counter[str]] = defaultdict(Counter)
    tags: defaultdict[str, Counter[str]] = defaultdict(Counter)
    firsts: Counter[str] = Counter()
    for text in texts(dev=False):
        before = light.START
        for word in words(text):
            if word is None:
                before = light.START
                continue
            written, opens, morphemes = word
            before = light.START if opens or before == light.START else f"{before}_"
            for piece, parts in cut(written, morphemes):
                first = light.label(parts[0].form, parts[0].tag)
                pieces[piece, " ".join(f"{each.form}/{each.tag}/{each.start}/{each.end}" for each in parts)] += 1
                firsts[first] += 1
                follows[before][first] += 1
                tags[before.rpartition("/")[2]][first.rpartition("/")[2]] += 1
                before = light.label(parts[-1].form, parts[-1].tag)
            follows[before][light.END] += 1
            tags[before.rpartition("/")[2]][light.END] += 1
    kept: defaultdict[str, list[str]] = defaultdict(list)
    for (piece, parts), count in sorted(pieces.items()):
        if count >= LEAST or NOUN.fullmatch(parts):
            kept[piece].append(f"{count} {parts}")
    return {
        "pieces": {piece: "|".join(found) for piece, found in kept.items()},
        "firsts": dict(sorted(firsts.items())),
        "follows": {
            name: often
            for name, counts in sorted(follows.items())
            if (often := {after: count for after, count in sorted(counts.items()) if count >= LEAST})
        },
        "totals": {name: sum(counts.values()) for name, counts in sorted(follows.items())},
        "tags": {name: dict(sorted(counts.items())) for name, counts in sorted(tags.items())},
    }


def agreement(lines: Sequence[str]) -> float:
    """Return F1 of the morphemes that `light` finds in `lines`, against Kiwi's (form, tag and place)."""
    same = found = wanted = 0
    for line in lines:
        kiwi = {(each.form, each.tag, each.start, each.end) for each in analyse(line) if light.HANGUL.search(each.form)}
        own = {each[:4] for each in light.cut(line) if light.HANGUL.search(each[0])}
        same, found, wanted = same + len(kiwi & own), found + len(own), wanted + len(kiwi)
    return 2 * same / (found + wanted)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--score", action="store_true")
    if parser.parse_args().score:
        print(f"agreement with Kiwi on the dev authors: F1 {agreement(texts(dev=True)):.3f}")
    else:
        place = Path(light.__file__).with_name(light.FILE)
        content = json.dumps(learn(), ensure_ascii=False, separators=(",", ":")).encode()
        place.write_bytes(gzip.compress(content, mtime=0))
        print(f"{place.stat().st_size / 1000:.0f} kB")
