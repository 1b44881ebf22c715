"""Conversation sheets: the marked-up text that authors write, and the labelled JSON it becomes.

`authoring/guide.md` describes the sheets. Commands:

    python training/sheets.py check FILE...             print what does not fit the guide
    python training/sheets.py build FILE... --out DIR   write one JSONL file an author; with --first DIR, the facts that
                                                        a second reader added to the sheets in DIR are marked `added`
    python training/sheets.py strip FILE...             print the text without labels, for a second reader
    python training/sheets.py agree FIRST SECOND        compare the labels of two readers of the same text
    python training/sheets.py lines FILE...             check files of single messages, one a line
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections import Counter
from dataclasses import dataclass, field
from datetime import datetime, timedelta, timezone
from pathlib import Path

SEOUL = timezone(timedelta(hours=9))
SINGLE = frozenset(
    """name age birth_year birthday gender job workplace major school grade hometown residence blood_type mbti height
    weight handedness nationality religion phone relationship_status""".split()
)
MANY = frozenset(
    """nickname family allergy phobia medical_condition medication contraindication diet boundary trauma friend pet
    likes dislikes hobby exercise promise todo decision constraint event milestone timeline vaccination
    part_time_job habit skill plan dream goal trait opinion note mood""".split()
)
ACTS = frozenset("end past plan deny correct".split())
REASONS = frozenset("joke hypothetical wish question quote fiction hearsay retracted general idiom echo".split())
KINDS = frozenset("direct indirect update other-person plan negation abstain".split())
ENTITY_KINDS = frozenset("person pet fictional group place".split())

_MARK = re.compile(r"\{([^{}|]*)\|([^{}|]*)\}")
_LABEL = re.compile(
    r"(?:(?P<holder>[a-z][a-z0-9_-]*):)?(?P<attribute>[a-z_]+(?:\.[\w-]+)?)(?:=(?P<value>[^!@~;]+))?"
    r"(?:!(?P<act>[a-z]+))?(?:@(?P<time>[0-9.:\- ]+))?(?:~(?P<reason>[a-z]+))?(?:@(?P<late_time>[0-9.:\- ]+))?"
)
_TIME = re.compile(r"(?:\d{4}(?:-\d{2}(?:-\d{2})?)?)?(?:\.\.)?(?:\d{4}(?:-\d{2}(?:-\d{2})?)?)?")


class SheetError(Exception):
    """A line of a sheet that does not fit the guide. The message names the line."""


@dataclass
class Draft:
    """One conversation while its sheet is read."""

    id: str
    line: int
    head: dict[str, str] = field(default_factory=dict)
    entities: list[dict[str, object]] = field(default_factory=list)
    turns: list[dict[str, object]] = field(default_factory=list)
    labels: list[dict[str, object]] = field(default_factory=list)
    probes: list[dict[str, object]] = field(default_factory=list)
    session: int = 0
    clock: datetime | None = None


def unmark(text: str) -> tuple[str, list[tuple[int, int, str]]]:
    """Return the text without labels, and (start, end, label) of every label in it."""
    plain, marks, last = "", [], 0
    for found in _MARK.finditer(text):
        plain += text[last : found.start()]
        start = len(plain)
        plain += found[1]
        marks += [(start, len(plain), label.strip()) for label in found[2].split(";")]
        last = found.end()
    return plain + text[last:], marks


def read_label(label: str, entities: set[str]) -> dict[str, object]:
    """Return the parts of one label. Raises SheetError where the label does not fit."""
    if label.startswith("="):
        entity = label[1:].strip()
        if entity not in entities | {"u", "c"}:
            raise SheetError(f"unknown entity {entity!r} in {label!r}")
        return {"mention": entity}
    if label.startswith("!retract"):
        return {"retract": label.partition("=")[2].strip()}
    found = _LABEL.fullmatch(label)
    if not found:
        raise SheetError(f"label {label!r} cannot be read")
    holder, attribute = found["holder"] or "u", found["attribute"]
    if holder not in entities | {"u", "c"}:
        raise SheetError(f"unknown holder {holder!r} in {label!r}; list it under entities")
    if attribute not in SINGLE | MANY and not re.fullmatch(r"(favorite|free)\.[\w-]+", attribute):
        raise SheetError(f"unknown attribute {attribute!r}; use free.{attribute} or one of the guide's")
    act, reason = found["act"] or "assert", found["reason"]
    if act != "assert" and act not in ACTS:
        raise SheetError(f"unknown state !{act}")
    if reason and reason not in REASONS:
        raise SheetError(f"unknown reason ~{reason}")
    time = (found["time"] or found["late_time"] or "").strip()
    if time and not _TIME.fullmatch(time):
        raise SheetError(f"time @{time} is not like 2024-03, ..2025-05 or 2025-07-07")
    value = (found["value"] or "").strip()
    return {"holder": holder, "attribute": attribute, "value": value, "act": act, "reason": reason, "time": time}


def read(path: Path) -> tuple[list[Draft], list[str]]:
    """Return the conversations of a sheet, and the problems in it as `file:line: problem`."""
    drafts: list[Draft] = []
    problems: list[str] = []
    fenced = False
    for number, raw in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        line = raw.rstrip()
        if line.startswith("```"):
            fenced = not fenced
            continue
        if not line.strip():
            continue
        try:
            if line.startswith("=== "):
                drafts.append(Draft(id=line[4:].strip(), line=number))
                if not re.fullmatch(r"[a-z0-9_-]+", drafts[-1].id):
                    raise SheetError("a conversation's name has lower-case letters, digits and '-' only")
            elif not drafts:
                raise SheetError("a sheet begins with '=== name'")
            else:
                _read_line(drafts[-1], line)
        except SheetError as error:
            problems.append(f"{path.name}:{number}: {error}")
    for draft in drafts:
        problems += [f"{path.name}:{draft.line}: {draft.id}: {problem}" for problem in _whole(draft)]
    repeated = [name for name, count in Counter(draft.id for draft in drafts).items() if count > 1]
    problems += [f"{path.name}: two conversations are named {name}" for name in repeated]
    return drafts, problems


def messages(path: Path) -> tuple[list[dict[str, object]], list[str]]:
    """Return the single messages of a file, and its problems. The holder of a label is a word of the message."""
    found: list[dict[str, object]] = []
    problems: list[str] = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if not line.strip():
            continue
        asked, _, said = line.rpartition(" > ")
        text, marks = unmark(said.strip())
        labels = []
        for start, end, label in marks:
            holder = re.match(r"([^:=!@~]+):", label)
            who = holder[1].strip() if holder else "u"
            try:
                parts = read_label(label[holder.end() :] if holder else label, set())
                if "attribute" not in parts:
                    raise SheetError("only facts are marked in single messages")
                if who not in ("u", "c") and who not in text:
                    raise SheetError(f"the holder {who!r} is no word of the message")
            except SheetError as error:
                problems.append(f"{path.name}:{number}: {error}")
                continue
            act = "not" if parts["reason"] else parts["act"]
            labels.append({"start": start, "end": end, "attribute": parts["attribute"], "act": act, "holder": who})
        found.append({"text": text, "ask": asked.strip() or None, "labels": labels})
    texts = Counter(str(each["text"]) for each in found)
    problems += [f"{path.name}: twice: {text}" for text, count in texts.items() if count > 1]
    return found, problems


def _read_line(draft: Draft, line: str) -> None:
    header = re.fullmatch(r"(persona|lang|calls|called|character|entities):\s*(.*)", line)
    if header and not draft.turns:
        draft.head[header[1]] = header[2].strip()
    elif line.startswith("---"):
        draft.session += 1
        try:
            draft.clock = datetime.strptime(line.strip("- ")[:16], "%Y-%m-%d %H:%M").replace(tzinfo=SEOUL)
        except ValueError:
            raise SheetError("a session begins with '--- 2025-03-05 23:12'") from None
    elif line.startswith("?"):
        _read_probe(draft, line)
    elif line.startswith("  ") and "|" in line and not draft.turns and "{" not in line:
        parts = [part.strip() for part in line.split("|")]
        if len(parts) < 3 or not re.fullmatch(r"[a-z][a-z0-9_-]*", parts[0]) or parts[2] not in ENTITY_KINDS:
            raise SheetError("an entity is 'id | names | person, pet, fictional, group or place | relation'")
        names = [name.strip() for name in parts[1].split(",") if name.strip()]
        relation = parts[3] if len(parts) > 3 else ""
        draft.entities.append({"id": parts[0], "names": names, "kind": parts[2], "relation": relation})
    else:
        spoken = re.fullmatch(r"([^\s:{}*][^:{}]{0,15}):\s?(.*)", line)
        if not spoken:
            raise SheetError("not a line of the guide: U:, C:, a speaker's name, ---, ? or a header")
        _read_utterance(draft, spoken[1].strip(), spoken[2])


def _read_utterance(draft: Draft, speaker: str, text: str) -> None:
    if draft.clock is None:
        raise SheetError("a session header (--- date time) must come before the first line")
    plain, marks = unmark(text)
    if re.search(r"[{}|]", plain):
        raise SheetError("a brace or bar is left over; a label is {words|label}")
    names = {name for entity in draft.entities for name in entity["names"]}
    if speaker not in {"U", "C"} and speaker not in names:
        raise SheetError(f"speaker {speaker!r} is not among the entities")
    if (
        speaker == "C"
        and draft.turns
        and draft.turns[-1]["session"] == f"s{draft.session}"
        and not draft.turns[-1]["reply"]
    ):
        draft.turns[-1]["reply"], part = plain, "reply"
    else:
        turn: dict[str, object] = {
            "at": draft.clock.isoformat(),
            "session": f"s{draft.session}",
            "user": "",
            "reply": "",
        }
        if speaker not in {"U", "C"}:
            turn["speaker"] = speaker
        part = "reply" if speaker == "C" else "user"
        turn[part] = plain
        draft.turns.append(turn)
        draft.clock += timedelta(seconds=50 + 37 * (len(draft.turns) % 3))
    entities = {str(entity["id"]) for entity in draft.entities}
    for start, end, label in marks:
        if start == end:
            raise SheetError(f"label {label!r} has no words")
        read_parts = read_label(label, entities)
        draft.labels.append(
            {
                "turn": len(draft.turns) - 1,
                "part": part,
                "start": start,
                "end": end,
                "text": plain[start:end],
                **read_parts,
            }
        )


def _read_probe(draft: Draft, line: str) -> None:
    parts = [part.strip() for part in line[1:].split("||")]
    if len(parts) != 4 or parts[3] not in KINDS:
        raise SheetError(f"a probe is '? question || gold || stale || kind' with a kind of {', '.join(sorted(KINDS))}")
    gold, stale = ([word.strip() for word in part.split(" / ") if word.strip()] for part in parts[1:3])
    if (parts[3] == "abstain") == bool(gold):
        raise SheetError("a probe has gold values, unless it is 'abstain'")
    draft.probes.append({"q": parts[0], "gold": gold, "stale": stale, "kind": parts[3]})


def _whole(draft: Draft) -> list[str]:
    """Return what is wrong with a conversation as a whole."""
    problems = []
    if not draft.head.get("persona") or draft.head.get("lang") not in {"ko", "en", "mixed"}:
        problems.append("persona: and lang: (ko, en, mixed) are missing")
    said = sum(1 for turn in draft.turns if turn["user"])
    if said < 12:
        problems.append(f"only {said} user turns")
    text = "\n".join(f"{turn['user']}\n{turn['reply']}" for turn in draft.turns)
    values = " ".join(str(label.get("value", "")) for label in draft.labels)
    problems += [
        f"no gold value of the probe {probe['q']!r} occurs in the conversation"
        for probe in draft.probes
        if probe["gold"] and not any(word in text or word in values for word in probe["gold"])
    ]
    if len(draft.probes) < 3 and any(label.get("attribute") and not label["reason"] for label in draft.labels):
        problems.append("fewer than 3 probes")
    times = [datetime.fromisoformat(str(turn["at"])) for turn in draft.turns]
    if times != sorted(times):
        problems.append("sessions are not in order of time")
    return problems


def built(draft: Draft, author: str) -> dict[str, object]:
    """Return the conversation in the format of the dialogue evaluation, with the spans of its labels."""
    about = {"u": "user", "c": "character"}
    about |= {str(entity["id"]): "/".join(dict.fromkeys([*entity["names"], entity["id"]])) for entity in draft.entities}
    facts: dict[tuple[str, str, str], dict[str, object]] = {}
    not_facts, mentions, retractions = [], [], []
    for label in draft.labels:
        span = {key: label[key] for key in ("turn", "part", "start", "end")}
        if "mention" in label:
            mentions.append({**span, "entity": label["mention"]})
        elif "retract" in label:
            retractions.append({**span, "value": label["retract"]})
            for fact in facts.values():
                if label["retract"] in [fact["value"], *fact["alts"]] and fact["until"] == [None]:
                    fact["until"] = [label["turn"]]
        else:
            value = str(label["value"] or label["text"])
            whose = {"about": about[str(label["holder"])], "holder": label["holder"], "attribute": label["attribute"]}
            if label["reason"]:
                told = [label["turn"]]
                not_facts.append({"value": value, "why": label["reason"], "told": told, **whose, "spans": [span]})
            else:
                _tell(facts, value, whose, label, span)
    return {
        "id": f"{author}/{draft.id}",
        "author": author,
        "lang": draft.head["lang"],
        "persona": draft.head["persona"],
        "address": {key: draft.head[key] for key in ("calls", "called") if draft.head.get(key)},
        "entities": draft.entities,
        "turns": draft.turns,
        "facts": list(facts.values()),
        "not_facts": not_facts,
        "mentions": mentions,
        "retractions": retractions,
        "probes": draft.probes,
    }


def completed(first: dict[str, object], second: dict[str, object]) -> dict[str, object]:
    """Return `second`, the same conversation with more labels: facts that `first` does not have are marked `added`.

    What the author labelled ends when the author says so; another wording of a value ends nothing.
    """
    known = {(fact["holder"], fact["attribute"], fact["value"]): fact for fact in first["facts"]}
    facts = []
    for fact in second["facts"]:
        own = known.get((fact["holder"], fact["attribute"], fact["value"]))
        facts.append({**fact, "until": own["until"], "act": own["act"]} if own else {**fact, "added": True})
    return {**second, "facts": facts}


def _tell(
    facts: dict[tuple[str, str, str], dict[str, object]],
    value: str,
    whose: dict[str, object],
    label: dict[str, object],
    span: dict[str, object],
) -> None:
    """Add a labelled fact. A new value of an attribute that holds one value ends the value before it."""
    key = (str(whose["holder"]), str(whose["attribute"]), value)
    new = {"value": value, **whose, "alts": [], "told": [], "until": [None], "act": label["act"], "time": label["time"]}
    fact = facts.setdefault(key, new | {"spans": []})
    if label["act"] == "end":
        fact["until"] = [label["turn"]]
    elif label["turn"] not in fact["told"]:
        fact["told"].append(label["turn"])
        if label["act"] == "assert":
            fact["until"] = [None]
    if label["text"] not in {value, *fact["alts"]} and len(str(label["text"])) > 1:
        fact["alts"].append(label["text"])
    fact["spans"].append({**span, "act": label["act"], "time": label["time"]})
    if label["act"] in {"assert", "correct"} and (key[1] in SINGLE or key[1].startswith("favorite.")):
        for (holder, attribute, other), earlier in facts.items():
            current = earlier["until"] == [None] and earlier["act"] in {"assert", "correct"}
            if (holder, attribute) == key[:2] and other != value and current:
                earlier["until"] = [label["turn"]]


def agreement(first: list[Draft], second: list[Draft]) -> dict[str, float]:
    """Return how far two readers agree on the same text.

    `value` is the F1 of labelled values that overlap, facts and not-facts alike. The others are shares of the values
    that both labelled: the same attribute, the same holder, the same state, and whether it is a fact.
    """
    other = {draft.id: draft for draft in second}
    counts = Counter[str]()
    for draft in first:
        if draft.id not in other:
            continue
        mine, theirs = ([label for label in each.labels if "attribute" in label] for each in (draft, other[draft.id]))
        counts["first"] += len(mine)
        counts["second"] += len(theirs)
        for label in mine:
            same = [each for each in theirs if _overlaps(each, label)]
            match = max(same, key=lambda each: each["attribute"] == label["attribute"], default=None)
            if match is None:
                continue
            theirs.remove(match)
            counts["value"] += 1
            counts["fact"] += bool(match["reason"]) == bool(label["reason"])
            for name in ("attribute", "holder", "act"):
                counts[name] += match[name] == label[name]
    both = max(counts["value"], 1)
    shares = {name: counts[name] / both for name in ("attribute", "holder", "act", "fact")}
    return {"value": 2 * counts["value"] / max(counts["first"] + counts["second"], 1)} | shares


def _overlaps(one: dict[str, object], other: dict[str, object]) -> bool:
    place = one["turn"] == other["turn"] and one["part"] == other["part"]
    return place and int(str(one["start"])) < int(str(other["end"])) and int(str(other["start"])) < int(str(one["end"]))


def main() -> int:
    parser = argparse.ArgumentParser(description="Check and build conversation sheets.")
    parser.add_argument("command", choices=("check", "build", "strip", "agree", "lines"))
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--out", type=Path)
    parser.add_argument("--first", type=Path, help="folder with the sheets as their authors left them")
    options = parser.parse_args()
    if options.command == "agree":
        first, second = (read(path)[0] for path in options.files)
        print(json.dumps({name: round(share, 3) for name, share in agreement(first, second).items()}))
        return 0
    bad = 0
    if options.command == "lines":
        for path in options.files:
            found, problems = messages(path)
            print("\n".join([*problems, f"{path.name}: {len(found)} messages"]))
            bad += len(problems)
        return 1 if bad else 0
    authors: dict[str, list[dict[str, object]]] = {}
    for path in options.files:
        drafts, problems = read(path)
        bad += len(problems)
        for problem in problems:
            print(problem, file=sys.stderr)
        if options.command == "strip":
            lines = path.read_text(encoding="utf-8").splitlines()
            print("\n".join(_MARK.sub(lambda found: found[1], line) for line in lines if not line.startswith("?")))
            continue
        author = path.name.partition(".")[0]
        whole = [built(draft, author) for draft in drafts if not _whole(draft)]
        if options.first and (options.first / path.name).exists():
            earlier = {draft.id: built(draft, author) for draft in read(options.first / path.name)[0]}
            whole = [completed(earlier[str(each["id"]).partition("/")[2]], each) for each in whole]
        authors.setdefault(author, []).extend(whole)
        turns = sum(1 for draft in drafts for turn in draft.turns if turn["user"])
        labels = [label for draft in drafts for label in draft.labels]
        told = [label for label in labels if label.get("attribute") and not label["reason"]]
        others = sum(label["holder"] != "u" for label in told)
        print(
            f"{path.name}: {len(drafts)} conversations, {turns} user turns, {len(told)} facts ({others} of others), "
            f"{len(labels) - len(told)} other labels"
        )
    if options.command == "build" and options.out:
        options.out.mkdir(parents=True, exist_ok=True)
        for author, whole in authors.items():
            rows = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in whole)
            (options.out / f"{author}.jsonl").write_text(rows, encoding="utf-8")
    return 1 if bad else 0


if __name__ == "__main__":
    raise SystemExit(main())
