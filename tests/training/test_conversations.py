"""The authored conversations: labels that fit their text, and authors in one split only."""

import json
import tomllib
from pathlib import Path

import pytest

TRAINING = Path(__file__).parents[2] / "training"
FILES = sorted((TRAINING / "conversations").glob("*.jsonl"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_label_stands_on_words_of_its_turn_and_names_a_known_holder(path):
    for record in map(json.loads, path.read_text(encoding="utf-8").splitlines()):
        holders = {"u", "c", *(entity["id"] for entity in record["entities"])}
        assert record["author"] == path.stem
        for label in (*record["facts"], *record["not_facts"]):
            assert label["holder"] in holders, (record["id"], label)
        spans = [span for label in (*record["facts"], *record["not_facts"]) for span in label["spans"]]
        for span in (*spans, *record["mentions"], *record["retractions"]):
            said = record["turns"][span["turn"]][span["part"]]
            assert said[span["start"] : span["end"]].strip(), (record["id"], span)


def test_dev_and_test_authors_exist_and_are_not_the_same():
    split = tomllib.loads((TRAINING / "split.toml").read_text(encoding="utf-8"))
    authors = {path.stem for path in FILES}

    assert not set(split["dev"]) & set(split["test"])
    assert {*split["dev"], *split["test"]} <= authors
    assert all(len((TRAINING / "conversations" / f"{name}.jsonl").read_text().splitlines()) >= 15 for name in authors)
