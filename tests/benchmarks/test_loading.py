"""A scope that was loaded answers as one that observed the same."""

from dataclasses import replace
from datetime import timedelta

import pytest

import gieok
from gieok.domain.claim import claim_id
from gieok.domain.scope import Scope
from gieok.embedders import HashingEmbedder
from gieok.observe.index import Indexer
from gieok.testing.stand_ins import FixedClock
from scaling.loading import Heard, Loader
from scaling.made_up import people, questions

ITEMS = 200
MINSU = Scope(user="민수", character="레티아")
QUESTIONS = questions(5)


class Told:
    """Reads from each utterance the claim that was made up for it."""

    name = "told"

    def __init__(self, talk):
        self._claims = {heard.turn.utterances[0].text: heard.claims[0] for heard in talk}

    def claims(self, turn, scope, before, background):
        utterance = turn.utterances[0]
        return [replace(self._claims[utterance.text], id=claim_id(utterance.id, 0), source_id=utterance.id)]


@pytest.fixture(scope="module")
def talk():
    return list(people(16, QUESTIONS).talk(MINSU, ITEMS))


@pytest.fixture(scope="module")
def clock(talk):
    return FixedClock(talk[-1].turn.at + timedelta(days=1))


@pytest.fixture(scope="module")
def observed(tmp_path_factory, clock, talk):
    path = tmp_path_factory.mktemp("observed") / "bank.db"
    with gieok.open(path, embedder=HashingEmbedder(), extractor=Told(talk), clock=clock, upkeep="off") as bank:
        mind = bank.mind(MINSU)
        yield mind, [mind.observe(heard.turn.utterances[0].text, at=heard.turn.at) for heard in talk]


@pytest.fixture(scope="module")
def loaded(tmp_path_factory, clock, observed):
    embedder = HashingEmbedder()
    path = tmp_path_factory.mktemp("loaded") / "bank.db"
    with Loader(path, embedder=embedder.name, dimension=embedder.dimension) as loader:
        loader.load(MINSU, (heard(each, Indexer(embedder)) for each in observed[1]))
    with gieok.open(path, embedder=embedder, clock=clock) as bank:
        yield bank, bank.mind(MINSU)


def heard(observed, indexer) -> Heard:
    claims = tuple(decision.claim for decision in observed.decisions)
    texts = {utterance.id: utterance.text for utterance in observed.turn.utterances}
    return Heard(
        turn=observed.turn, claims=claims, index=indexer.entries(texts | {claim.id: claim.content for claim in claims})
    )


def test_as_much_was_observed_as_is_compared(observed):
    mind, turns = observed
    assert len(turns) + len(mind.facts()) == ITEMS


@pytest.mark.parametrize("question", QUESTIONS)
def test_a_loaded_scope_recalls_exactly_what_an_observed_one_does(observed, loaded, question):
    mind, _ = observed
    _, same = loaded

    hits = mind.recall(question, k=20)

    assert hits
    assert same.recall(question, k=20) == hits


def test_a_loaded_scope_believes_the_same_and_its_bank_is_sound(observed, loaded):
    mind, _ = observed
    bank, same = loaded

    assert same.facts() == mind.facts()
    assert same.turns(5) == mind.turns(5)
    assert bank.store.problems() == []


def test_a_loaded_scope_goes_on_like_any_other(loaded, clock):
    _, mind = loaded
    mind.observe("나 딸기 좋아해", at=clock.now())

    assert "딸기" in mind.recall("딸기 좋아해?", k=1)[0].text
