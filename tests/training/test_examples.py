"""Example phrases for `gieok explain`: short, with their labels, and of nobody who is scored."""

import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "training"))
import examples  # a script beside the package, not a module of it


def conversation(said, start, end):
    span = {"turn": 0, "part": "user", "start": start, "end": end, "act": "assert"}
    fact = {"attribute": "pet", "holder": "u", "spans": [span]}
    return json.dumps({"turns": [{"user": said}], "facts": [fact], "not_facts": []})


def test_phrases_are_the_sentences_around_labels_of_training_authors(tmp_path, monkeypatch):
    monkeypatch.setattr(examples, "HERE", tmp_path)
    (tmp_path / "split.toml").write_text('dev = ["a02"]\ntest = ["a03"]\n', encoding="utf-8")
    for folder in ("sentences", "conversations"):
        (tmp_path / folder).mkdir()
    (tmp_path / "sentences/k1.txt").write_text("{언니|언니:name~joke}는 왜\n", encoding="utf-8")
    for author, said in (("a01", "안녕! 나 개 키워. 넌?"), ("a02", "난 말! 나 말 키워"), ("a03", "난 소! 나 소 키워")):
        (tmp_path / f"conversations/{author}.jsonl").write_text(conversation(said, 6, 7), encoding="utf-8")

    assert list(examples.phrases()) == [
        ("name", "not", ("언니는 왜", 0, 2, "o")),
        ("pet", "assert", ("나 개 키워.", 2, 3, "u")),
    ]


def test_a_sentence_that_is_too_long_is_no_phrase_and_each_phrase_is_about_other_words():
    assert examples.phrase("가" * 60, 0, 2, "u") is None
    found = [("나 개 키워", 2, 3, "u"), ("개 있어", 0, 1, "u"), ("말 있어", 0, 1, "u")]
    assert examples.chosen(found, 5) == [found[0], found[2]]
