"""The planted-facts test itself, put to the test: a perfect reader, a deaf one and a gullible one."""

import json
from dataclasses import dataclass, replace
from io import StringIO

import pytest
from rich.console import Console

from gieok.bank import open_bank
from gieok.domain.turn import USER
from gieok.errors import InvalidQuery
from gieok_evals.benches import StoryClock
from gieok_evals.figures import as_json
from gieok_evals.planted.generator import script
from gieok_evals.planted.language import language
from gieok_evals.planted.playing import play, run
from gieok_evals.planted.report import MEANINGS, report
from gieok_evals.tables import show_planted

TELLING = {"job", "residence", "hometown", "nickname", "favorite.movie", "favorite.food", "likes", "dream", "habit"}
ABOUT = {"split": "dev", "turns": 101, "seed": 0, "embedder": "hashing-256", "seconds": 1.0}


@pytest.fixture(scope="module")
def story():
    """A script with less small talk, asked a third of its questions once: all that matters is in it."""
    whole = script(language("dev"), "0-0")
    kept = [line for line in whole.lines if line.kind != "small_talk" or line.number % 4 == 0]
    (late,) = whole.checkpoints[1:]
    few = tuple(each for number, each in enumerate(late.questions) if number % 3 == 0 or each.kind == "abstain")
    return replace(whole, lines=tuple(kept), checkpoints=(replace(late, questions=few),))


@pytest.fixture(scope="module")
def played(story, tmp_path_factory):
    def play_with(extractor):
        clock = StoryClock(story.lines[0].at)
        path = tmp_path_factory.mktemp("bank") / "eval.db"
        with open_bank(path, embedder="hashing", extractor=extractor, clock=clock) as bank:
            return play(bank, story, clock, show=True)

    return play_with


@pytest.fixture(scope="module")
def perfect(played, story, oracle):
    return played(oracle(story))


@dataclass
class Deaf:
    """Understands nothing."""

    name: str = "deaf/1"

    def claims(self, turn, scope, before, background=None):
        return []


@dataclass
class Gullible:
    """Takes everything that is said of anybody for the user's own, on top of what is true."""

    oracle: object
    name: str = "gullible/1"

    def claims(self, turn, scope, before, background=None):
        line = next(line for line in self.oracle.script.lines if line.at == turn.at)
        true = list(self.oracle.claims(turn, scope, before, background))
        if line.trap is None or turn.utterances[0].speaker != USER:
            return true
        facts = [(bad.said.attribute, bad.said.value) for bad in line.trap.must_not]
        return [*true, *(self.oracle.claim(turn.utterances[0], slot, value) for slot, value in facts)]


def test_who_reads_perfectly_believes_what_is_true_and_nothing_else(perfect):
    score = perfect
    for name in ("state_single", "state_many", "abstention"):
        assert score.share(name).rate == 1, name
    for name in ("stale_kept", "others_given", "false_memories", "small_talk_stored", "leaks"):
        assert score.share(name).hits == 0, name
    assert score.total.precision == 1
    assert score.share("contains").rate > 0.7
    assert score.unread == 0


def test_who_understands_nothing_stores_nothing_and_still_finds_much_of_it_in_the_log(played):
    score = played(Deaf())

    assert score.total.found == 0
    assert score.share("stored_per_utterance").hits == 0
    assert score.share("abstention").rate == 1
    assert score.share("contains").rate > 0.5


def test_who_believes_everything_is_found_out(story, played, oracle):
    score = played(Gullible(oracle(story)))

    assert score.share("false_memories").rate == 1
    assert score.share("others_given").rate == 1
    assert score.share("state_single").rate < 1


def test_a_value_of_another_conversation_is_a_leak(story, played, oracle):
    told = next(fact for line in story.of("uB") for fact in line.facts if fact.slot in TELLING)
    moment = story.of("uA")[0].at

    class Leaky(oracle):
        def claims(self, turn, scope, before, background=None):
            stolen = [self.claim(turn.utterances[0], "allergy", told.value.gold)] if turn.at == moment else []
            return [*super().claims(turn, scope, before, background), *stolen]

    score = played(Leaky(story))
    assert score.share("leaks").hits > 0
    assert any(failure.startswith("LEAK into uA") for failure in score.failures)


def test_the_sentences_of_the_test_split_stay_unread():
    with pytest.raises(InvalidQuery, match="not shown"):
        run(split="test", show=True)


def test_one_leak_fails_the_run(perfect):
    leaky = replace(perfect, shares={**perfect.shares, "leaks": replace(perfect.share("leaks"), hits=1)})
    assert report([perfect, perfect], **ABOUT).passed
    assert not report([perfect, leaky], **ABOUT).passed


def test_a_report_reads_well_as_a_table_and_as_json(perfect):
    whole = report([perfect, perfect], **ABOUT)
    console = Console(width=120, record=True, file=StringIO())
    show_planted(whole, console)

    assert "stale_given" in console.export_text()
    assert set(json.loads(as_json(whole))["scores"]) == set(MEANINGS)
