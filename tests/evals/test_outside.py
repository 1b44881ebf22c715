"""The benchmark for any memory system, tried on a perfect, a deaf, a leaky and a stale one."""

import json
import re
import sys
from collections import defaultdict
from dataclasses import replace
from pathlib import Path

import pytest

from gieok.cli import main
from gieok.errors import InvalidQuery
from gieok_evals.outside import DEPTH, LONGEST, load, play, report, run
from gieok_evals.planted.generator import script
from gieok_evals.planted.language import language
from gieok_evals.planted.script import gold

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "examples" / "adapter.py"
ABOUT = {"adapter": "some", "split": "dev", "turns": 101, "seed": 0}


@pytest.fixture(autouse=True)
def path(monkeypatch):
    """Adapters are looked for in folders of their own; none stays on the path."""
    monkeypatch.setattr(sys, "path", [*sys.path])


@pytest.fixture(scope="module")
def story():
    return script(language("dev"), "0-0")


class Told:
    """Hears, and answers as a function of the lines and the slot that a question asks for."""

    def __init__(self, story, answer):
        self.slots = {question.text: question.slot for each in story.checkpoints for question in each.questions}
        self.lines = {(line.conversation, line.text): line for line in story.lines}
        self.heard = defaultdict(list)
        self.answer = answer

    def observe(self, user, text, reply, at):
        self.heard[user].append(self.lines[(user.rpartition("-")[2], text)])

    def ask(self, user, question):
        return self.answer(self.heard[user], self.slots[question], self)


def in_its_words(lines, slot, memory):
    return [line.text for line in reversed(lines) if any(fact.slot == slot for fact in line.facts)]


def as_notes(lines, slot, memory):
    truth = gold(lines).get(slot)
    return [f"사용자의 {slot}: {value.gold}" for value in truth.values] if truth else []


def stale_first(lines, slot, memory):
    truth = gold(lines).get(slot)
    return [*(value.written for value in truth.stale), *as_notes(lines, slot, memory)] if truth else []


def of_everybody(lines, slot, memory):
    return [line.text for heard in memory.heard.values() for line in heard if line.facts][:DEPTH]


def rates(story, answer):
    return report([play(Told(story, answer), story)], **ABOUT, show=True)


@pytest.mark.parametrize("answer", [in_its_words, as_notes])
def test_a_memory_that_knows_everything_gets_everything_in_the_words_that_told_it_or_as_notes(story, answer):
    found = rates(story, answer)

    assert found.failures == ()
    assert found.scores["found_at_10"].share.rate == found.scores["fresh"].share.rate == 1.0
    assert found.scores["found_at_1"].share.of > 80
    assert found.scores["fresh"].share.of > 5
    assert found.passed


def test_a_memory_that_knows_nothing_gets_nothing(story):
    found = rates(story, lambda lines, slot, memory: [])

    assert [found.scores[f"found_at_{depth}"].share.hits for depth in (1, 5, 10)] == [0, 0, 0]
    assert found.scores["fresh"].share.of == 0
    assert found.passed


def test_an_old_value_before_the_new_one_is_not_fresh(story):
    found = rates(story, stale_first)

    assert found.scores["found_at_10"].share.rate == 1.0
    assert found.scores["fresh"].share.rate < 0.5
    assert any(failure.startswith("old (") for failure in found.failures)


def test_what_another_user_was_told_fails_the_run(story):
    found = rates(story, of_everybody)

    assert not found.passed
    assert found.scores["leaks"].share.hits > 0
    assert any(failure.startswith("LEAK") for failure in found.failures)


def test_only_ten_answers_of_three_hundred_letters_count(story):
    def everything(lines, slot, memory):
        return ["아무 말"] * DEPTH + in_its_words(lines, slot, memory)

    def at_the_end(lines, slot, memory):
        return [" " * LONGEST + text for text in in_its_words(lines, slot, memory)]

    assert rates(story, everything).scores["found_at_10"].share.hits == 0
    assert rates(story, at_the_end).scores["found_at_10"].share.hits == 0
    assert rates(story, everything).characters <= DEPTH * LONGEST


@pytest.mark.parametrize("given", ["고양이", [1], [None]])
def test_answers_that_are_not_a_list_of_texts_are_refused(story, given):
    with pytest.raises(InvalidQuery, match="it must return a list of texts"):
        play(Told(story, lambda lines, slot, memory: given), story)


def test_the_naive_example_forgets_what_was_said_long_ago_and_leaks_nothing():
    found = run(load(f"{EXAMPLE}:LastLines"), name="LastLines", scripts=2)

    assert found.passed
    assert found.scripts == 2
    assert found.scores["found_at_10"].share.rate < 0.2
    assert found.scores["found_at_10"].interval is not None


def test_gieok_itself_goes_through_the_same_adapter(story, monkeypatch):
    monkeypatch.setenv("GIEOK_EMBEDDER", "hashing")
    monkeypatch.setenv("GIEOK_UPKEEP", "off")
    kept = tuple(line for line in story.lines if line.kind in ("facts", "update") or line.number >= 98)
    (late,) = story.checkpoints[1:]
    short = replace(story, lines=kept, checkpoints=(replace(late, questions=late.questions[:12]),))
    memory = load(f"{EXAMPLE}:Gieok")()
    try:
        found = report([play(memory, short)], **ABOUT)
    finally:
        memory.close()

    assert found.passed
    assert found.scores["found_at_10"].share.rate > 0.6


def test_the_adapter_that_the_page_shows_takes_the_test(tmp_path):
    text = (ROOT / "docs" / "measuring.md").read_text(encoding="utf-8")
    [code] = re.findall(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    (tmp_path / "mine.py").write_text(code, encoding="utf-8")
    found = run(load(f"{tmp_path / 'mine.py'}:Mine"), name="Mine", scripts=1)

    assert found.passed
    assert found.scores["found_at_10"].share.of > 80


@pytest.mark.parametrize(
    ("named", "trouble"),
    [
        ("examples", "name it as MODULE:CLASS"),
        ("nowhere.py:Memory", "there is no file nowhere.py"),
        ("gieok_nowhere:Memory", "there is no module gieok_nowhere"),
        ("json:Memory", "there is no class Memory in json"),
        ("json:JSONDecoder", "JSONDecoder has no observe and no ask"),
    ],
)
def test_an_adapter_that_cannot_be_found_is_named(named, trouble):
    with pytest.raises(InvalidQuery, match=trouble):
        load(named)


def test_an_adapter_and_its_imports_are_found_in_the_working_folder(tmp_path, monkeypatch):
    (tmp_path / "my_memory.py").write_text(
        "class Mine:\n    def observe(self, user, text, reply, at): ...\n"
        "    def ask(self, user, question):\n        import my_answers\n        return my_answers.ALL\n"
    )
    (tmp_path / "my_answers.py").write_text("ALL = ['몰라']\n")
    monkeypatch.chdir(tmp_path)
    assert load("my_memory:Mine")().ask("u", "?") == ["몰라"]
    assert load("my_memory.py:Mine")().ask("u", "?") == ["몰라"]


def test_sentences_of_the_test_split_are_not_shown():
    with pytest.raises(InvalidQuery, match="not shown"):
        run(load(f"{EXAMPLE}:LastLines"), name="x", split="test", scripts=1, show=True)
    with pytest.raises(InvalidQuery, match="at least one"):
        run(load(f"{EXAMPLE}:LastLines"), name="x", scripts=0)


def test_the_command_gives_the_figures_as_json(monkeypatch, capsys):
    monkeypatch.setattr(
        sys, "argv", ["gieok", "eval", "run", "--adapter", f"{EXAMPLE}:LastLines", "--scripts", "1", "--json"]
    )
    with pytest.raises(SystemExit) as left:
        main()
    told = json.loads(capsys.readouterr().out)
    assert left.value.code in (0, None)
    assert (told["adapter"], told["scripts"], told["passed"]) == ("LastLines", 1, True)
    assert told["scores"]["found_at_10"]["share"]["of"] > 80
