"""A bank whose vectors come from an endpoint: whatever that does, turns are kept, and found by their words."""

from collections.abc import Callable

import pytest

import gieok
from gieok.embedders import EndpointEmbedder
from gieok.errors import EmbedderMismatch
from gieok.ports.endpoints import Endpoint
from gieok.testing import day
from support.misbehaving import Misbehaving, embedding, limited, raw, reset, slow, status

Called = Callable[..., EndpointEmbedder]


@pytest.fixture
def server():
    with Misbehaving() as server:
        yield server


@pytest.fixture
def call(server):
    """Return an embedder that tries once and never rests, unless it is told otherwise."""

    made = []

    def called(**options: object) -> EndpointEmbedder:
        place = Endpoint(provider="ollama", url=server.url)
        given = {"retries": 0, "cooldown": 0.0, "seconds": 20.0, **options}
        made.append(EndpointEmbedder(place, "small", 8, **given))
        return made[-1]

    yield called
    for each in made:
        each.close()


def waiting(bank: gieok.MemoryBank) -> int:
    return bank.info().counts["unembedded"]


def texts(server: Misbehaving) -> list[str]:
    return [text for asked in server.asked for text in asked.body["input"]]


AWAY = {
    "resets": reset,
    "in trouble": status(503),
    "had enough": limited(retry_after="0"),
    "key refused": status(401),
    "nonsense": raw({"data": [{"embedding": [float("nan")]}]}),
}


@pytest.mark.parametrize("act", AWAY.values(), ids=AWAY)
def test_what_is_said_while_the_endpoint_is_away_is_kept_and_has_its_vectors_later(open_bank, server, call, act):
    bank = open_bank(embedder=call())
    letia = bank.scope(user="minsu", character="letia")
    letia.observe("안녕", at=day(1))
    server.always(act)
    for number, said in enumerate(("나 고양이 좋아해", "나 간호사야", "어제 바다에 갔어"), 2):
        observed = letia.observe(said, at=day(number))
        assert letia.turns()[-1].utterances[0].text == said
        assert not observed.unread
    assert {memory.attribute: memory.value for memory in letia.facts()}["job"] == "간호사"
    assert waiting(bank) >= 5
    context = letia.context("고양이 얘기 했었나?")
    assert any("고양이" in hit.text for hit in letia.recall("고양이"))
    assert "고양이" in context.text
    [flag] = [each for each in context.degraded if "dense" in each]
    assert "'small' at http://127" in flag

    server.forget()
    letia.observe("오늘은 비가 오네", at=day(9))
    assert waiting(bank) == 0
    assert letia.context("고양이 얘기 했었나?").degraded == ()
    [said] = [hit for hit in letia.recall("어제 바다에 갔어") if hit.text == "어제 바다에 갔어"]
    assert said.parts.relevance == pytest.approx(1, abs=0.01)
    bank.close()
    bank.embedder.close()
    assert server.quiet()


def test_a_turn_does_not_wait_for_a_slow_endpoint(open_bank, server, call):
    bank = open_bank(embedder=call(), recall_patience=0.2)
    letia = bank.scope(user="minsu", character="letia")
    server.always(slow())
    letia.observe("나 고양이 좋아해", at=day(1))
    assert (len(server.asked), server.hung_up) == (1, 0), "the call is still under way"
    assert len(letia.facts()) == 1
    assert letia.context("고양이").degraded
    assert server.hung_up == 0


def test_vectors_that_came_too_late_are_not_asked_for_again(open_bank, server, call):
    embedder = call()
    bank = open_bank(embedder=embedder, recall_patience=1.0)
    letia = bank.scope(user="minsu", character="letia")
    server.will(slow(2.5))
    letia.observe("나 고양이 좋아해", at=day(1))
    assert waiting(bank) == 2
    embedder.embed(["나 고양이 좋아해"], purpose="document")  # waits for the call that is under way
    server.forget()
    letia.observe("오늘은 비가 오네", at=day(2))
    assert waiting(bank) == 0
    assert "나 고양이 좋아해" not in texts(server)


def test_while_the_endpoint_is_left_alone_turns_do_not_knock(open_bank, server, call):
    bank = open_bank(embedder=call(cooldown=60.0))
    letia = bank.scope(user="minsu", character="letia")
    server.always(limited())
    for number in range(1, 6):
        letia.observe(f"{number}번째로 하는 말이야", at=day(number))
        letia.recall("몇 번째야?")
    assert len(server.asked) == 1
    assert len(letia.turns()) == 5


def test_a_turn_catches_up_on_a_few_and_upkeep_on_the_rest(open_bank, server, call):
    bank = open_bank(embedder=call(), upkeep="off")
    letia = bank.scope(user="minsu", character="letia")
    sera = bank.scope(user="minsu", character="sera")
    server.always(status(503), when=embedding)
    for number in range(30):
        letia.observe(f"{number}번 손님이 왔다 갔어", at=day(number + 1))
    sera.observe("세라야 안녕", at=day(1))
    before = waiting(bank)
    assert before >= 31

    server.forget()
    letia.observe("손님이 더 안 오네", at=day(40))
    assert waiting(bank) == before - 16
    assert list(bank.maintain(dry_run=True))
    assert waiting(bank) == before - 16
    list(bank.maintain())
    assert waiting(bank) == 0


def test_what_was_forgotten_is_not_sent_out_later(open_bank, server, call):
    bank = open_bank(embedder=call())
    letia = bank.scope(user="minsu", character="letia")
    server.always(status(503))
    kept = letia.remember("비밀번호는 백합이다").memory
    letia.forget(kept.id)
    server.forget()
    letia.observe("오늘은 비가 오네", at=day(2))
    assert not any("백합" in text for text in texts(server))
    assert waiting(bank) == 0


def test_the_story_so_far_waits_for_no_vector(open_bank):
    bank = open_bank(upkeep_summarise_every=2)
    letia = bank.scope(user="minsu", character="letia")
    for number in range(1, 5):
        letia.observe(f"{number}일에는 도서관에서 책을 읽었어", at=day(number))
    assert any("rolling" in memory.tags for memory in letia.facts(type="summary"))
    assert waiting(bank) == 0


def test_a_bank_of_an_endpoints_model_is_refused_to_another_embedder(open_bank, server, call):
    bank = open_bank(embedder=call())
    bank.scope(user="minsu", character="letia").observe("나 고양이 좋아해")
    bank.close()
    with pytest.raises(EmbedderMismatch, match=r'gieok reindex.*set embedder = "small-8"'):
        open_bank()
    bank.embedder.close()
    again = open_bank(embedder="vllm:small@8", embedder_url=server.url)
    assert again.scope(user="minsu", character="letia").context("고양이").degraded == ()
    again.close()
    assert server.quiet(), "a bank hangs up what it called itself"
