"""Embedding by an endpoint: a real server on loopback, in order and out of it."""

import base64
import gc
import json
import logging
import threading
import traceback
from collections.abc import Iterator

import numpy as np
import pytest

from gieok.embedders import EndpointEmbedder, create
from gieok.errors import EmbedderFailed, EmbedderMismatch, InvalidSetting
from gieok.ports.endpoints import Endpoint
from support.misbehaving import (
    Act,
    Exchange,
    Misbehaving,
    hang_up_midway,
    limited,
    page,
    raw,
    reset,
    reset_midway,
    slow,
    slow_body,
    status,
    vectors,
)

CATS, SEA, RAIN = "고양이를 좋아해", "바다에 갔어", "비가 오네"


@pytest.fixture
def server() -> Iterator[Misbehaving]:
    with Misbehaving() as server:
        yield server


@pytest.fixture
def call(server):
    """Return an embedder of the server's model; what is not said is small and impatient."""
    made = []

    def called(model: str = "small", dimension: int = 8, **options: object) -> EndpointEmbedder:
        place = Endpoint(provider="ollama", url=server.url, key="sk-very-secret")
        made.append(EndpointEmbedder(place, model, dimension, **{"seconds": 5.0, "retries": 0, **options}))
        return made[-1]

    yield called
    for each in made:
        each.close()
    assert server.quiet(), "a connection was left open"


def inputs(server: Misbehaving) -> list[list[str]]:
    return [asked.body["input"] for asked in server.asked]


def changed(change) -> Act:
    """Answer well, but with the list of vectors changed."""

    def act(exchange: Exchange) -> None:
        rows = [
            {"object": "embedding", "index": index, "embedding": [float(len(text)), 1.0, *[0.0] * 6]}
            for index, text in enumerate(exchange.asked.body["input"])
        ]
        exchange.json({"object": "list", "model": "small", "data": change(rows)})

    return act


def test_each_text_has_a_row_of_unit_length_and_a_blank_one_zeros(call, server):
    rows = call().embed([CATS, " ", SEA, CATS, "\ud800"], purpose="document")
    assert (rows.shape, rows.dtype) == ((5, 8), np.float32)
    assert np.linalg.norm(rows, axis=1) == pytest.approx([1, 0, 1, 1, 1])
    assert (rows[0] == rows[3]).all()
    assert not np.allclose(rows[0], rows[2])
    assert sorted(inputs(server)[0]) == sorted([CATS, SEA, "\ufffd"])
    assert server.asked[0].headers["authorization"] == "Bearer sk-very-secret"


def test_nothing_to_embed_asks_nobody(call, server):
    assert call().embed([], purpose="query").shape == (0, 8)
    assert not call().embed([" ", ""], purpose="query").any()
    assert server.asked == []


@pytest.mark.parametrize(
    "change",
    [
        lambda rows: rows[::-1],
        lambda rows: [rows[2], rows[0], rows[1]],
        lambda rows: [{"embedding": row["embedding"]} for row in rows],
        lambda rows: [row | {"index": 0} for row in rows],
        lambda rows: [{"embedding": rows[0]["embedding"]}, *rows[1:]],
    ],
    ids=["reversed", "shuffled", "not numbered", "all zero", "zero left out"],
)
def test_vectors_go_to_their_texts_in_whatever_order_they_come(call, server, change):
    server.always(changed(change))
    one, two, three = call().embed(["하", "하하", "하하하"], purpose="document")
    assert [row[0] / row[1] for row in (one, two, three)] == pytest.approx([1, 2, 3])


def test_what_was_asked_once_costs_nothing_again(call, server):
    embedder = call()
    first = embedder.embed([CATS], purpose="query")
    again = embedder.embed([SEA, CATS], purpose="query")
    assert inputs(server) == [[CATS], [SEA]]
    assert (again[1] == first[0]).all()


def test_the_cache_forgets_what_was_not_used_for_longest(call, server):
    embedder = call(cache_bytes=1_100)  # three short texts
    for text in ("하나", "둘", "셋", "하나", "넷"):
        embedder.embed([text], purpose="query")
    server.asked.clear()
    embedder.embed(["하나", "셋", "넷"], purpose="query")
    assert server.asked == []
    embedder.embed(["둘"], purpose="query")
    assert inputs(server) == [["둘"]]


def test_a_text_that_many_ask_for_at_once_is_asked_for_once(call, server):
    all_ask, embedder, rows = threading.Barrier(8), call(), []
    server.will(slow(0.3))

    def ask() -> None:
        all_ask.wait()
        rows.append(embedder.embed([CATS], purpose="query"))

    threads = [threading.Thread(target=ask) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert inputs(server) == [[CATS]]
    assert len(rows) == 8
    assert all((row == rows[0]).all() for row in rows)


def test_whoever_waits_for_anothers_call_hears_of_its_failure(call, server):
    begun, troubles, embedder = threading.Event(), [], call()

    def fails_late(exchange: Exchange) -> None:
        begun.set()
        exchange.pause(0.3)
        status(503)(exchange)

    server.always(fails_late)

    def ask() -> None:
        try:
            embedder.embed([CATS], purpose="query")
        except EmbedderFailed as trouble:
            troubles.append(str(trouble))

    first = threading.Thread(target=ask)
    first.start()
    assert begun.wait(5)
    ask()
    first.join()
    assert len(troubles) == 2


def test_many_texts_go_in_calls_of_a_size_that_endpoints_take(call, server):
    texts = [f"{number}번째 이야기" for number in range(250)]
    assert call().embed(texts, purpose="document").all(axis=1).all()
    assert sorted(text for batch in inputs(server) for text in batch) == sorted(texts)
    assert max(len(batch) for batch in inputs(server)) <= 128
    assert len(server.asked) == 3


def test_long_texts_are_cut_and_go_in_calls_of_their_own(call, server):
    call().embed([letter * 9_000 for letter in "가나다라"], purpose="document")
    sizes = [sum(map(len, batch)) for batch in inputs(server)]
    assert all(size <= 6_000 for size in sizes)
    assert len(sizes) >= 2


@pytest.mark.parametrize(
    ("model", "query", "document"),
    [
        ("intfloat/multilingual-e5-large", "query: 비", "passage: 비"),
        ("my-e5-tuned", "query: 비", "passage: 비"),
        ("nomic-embed-text:latest", "search_query: 비", "search_document: 비"),
        ("bge-m3", "비", "비"),
    ],
)
def test_a_model_reads_the_words_it_wants_before_a_text(call, server, model, query, document):
    embedder = call(model)
    embedder.embed(["비"], purpose="query")
    embedder.embed(["비"], purpose="document")
    assert inputs(server) == ([[query]] if query == document else [[query], [document]])
    assert server.asked[0].body["model"] == model


def test_a_failure_that_passes_is_not_noticed(call, server):
    server.will(status(500), reset)
    assert call(retries=2).embed([CATS], purpose="query").any()
    assert len(server.asked) == 3


def test_after_the_last_try_the_endpoint_is_left_alone_for_a_while(call, server):
    server.always(status(503, "loading"))
    embedder = call(retries=1)
    with pytest.raises(EmbedderFailed, match="503"):
        embedder.embed([CATS], purpose="query")
    assert len(server.asked) == 2
    with pytest.raises(EmbedderFailed, match=r"not asked for.*503"):
        embedder.embed([SEA], purpose="query")
    assert len(server.asked) == 2


def test_an_endpoint_that_had_enough_is_left_alone_by_all_its_callers(call, server):
    server.will(limited())
    with pytest.raises(EmbedderFailed, match=r"429.* 60 s"):
        call(retries=2).embed([CATS], purpose="query")
    with pytest.raises(EmbedderFailed, match="not asked for another"):
        call(retries=2).embed([SEA], purpose="query")
    assert len(server.asked) == 1


def test_an_endpoint_that_says_when_to_come_back_is_asked_then(call, server):
    server.will(limited(retry_after="0"))
    embedder = call()
    with pytest.raises(EmbedderFailed, match=r"429.* 0 s"):
        embedder.embed([CATS], purpose="query")
    assert embedder.embed([CATS], purpose="query").any()


def dripping(exchange: Exchange) -> None:
    exchange.head()
    for _ in range(2_000):
        exchange.send(b" ")
        exchange.pause(0.03)


@pytest.mark.parametrize(
    ("act", "trouble"),
    [(slow(), "did not answer"), (slow_body(), "broke off"), (dripping, "did not end in time")],
    ids=["silent", "stalled", "dripping"],
)
def test_an_answer_that_does_not_come_is_given_up(call, server, act, trouble):
    server.always(act)
    with pytest.raises(EmbedderFailed, match=trouble):
        call(seconds=1.0, retries=2).embed([CATS], purpose="query")
    assert server.until(lambda: server.hung_up == 1)
    assert len(server.asked) == 1


def cut(exchange: Exchange) -> None:
    data = json.dumps({"data": [{"index": 0, "embedding": [1.0] * 8}]}).encode()[:-9]
    exchange.head(length=len(data))
    exchange.send(data)


WRONG = {
    "cut off": cut,
    "reset": reset,
    "reset midway": reset_midway,
    "hung up midway": hang_up_midway,
    "a page": page(),
    "nothing in it": raw({}),
    "a list": raw([]),
    "null": raw(None),
    "no rows": raw({"data": []}),
    "rows of nothing": raw({"data": [{}, {}]}),
    "one too few": changed(lambda rows: rows[:1]),
    "one too many": changed(lambda rows: [*rows, rows[0] | {"index": 2}]),
    "numbered twice": changed(lambda rows: [rows[0] | {"index": 1}, rows[1]]),
    "not a number": changed(lambda rows: [rows[0] | {"embedding": [float("nan")] * 8}, rows[1]]),
    "too large a number": changed(lambda rows: [rows[0] | {"embedding": [1e300] * 8}, rows[1]]),
    "no number": changed(lambda rows: [rows[0] | {"embedding": [None] * 8}, rows[1]]),
    "words": changed(lambda rows: [rows[0] | {"embedding": ["a"] * 8}, rows[1]]),
    "a heap": changed(lambda rows: [rows[0] | {"embedding": [[1.0] * 8]}, rows[1]]),
    "nothing packed": changed(lambda rows: [rows[0] | {"embedding": ""}, rows[1]]),
    "badly packed": changed(lambda rows: [rows[0] | {"embedding": "@@@@"}, rows[1]]),
    "half a number": changed(lambda rows: [rows[0] | {"embedding": base64.b64encode(b"abcdef").decode()}, rows[1]]),
}


@pytest.mark.parametrize("act", WRONG.values(), ids=WRONG)
def test_an_answer_that_is_none_is_a_failure_and_nothing_is_made_up(call, server, act):
    embedder = call(cooldown=0.0)
    server.will(act)
    with pytest.raises(EmbedderFailed, match=r"'small' at http://127"):
        embedder.embed([CATS, SEA], purpose="document")
    assert embedder.embed([CATS, SEA], purpose="document").any(axis=1).all()


def test_another_dimension_than_was_named_is_told(call):
    with pytest.raises(EmbedderFailed, match=r'8 numbers instead of 16.*"…@8"'):
        call(dimension=16).embed([CATS], purpose="query")


@pytest.mark.parametrize("answered", [4, 8])
def test_a_model_that_can_is_asked_for_fewer_numbers(call, server, answered):
    server.always(vectors(answered))
    [row] = call("text-embedding-3-small", 4).embed([CATS], purpose="query")
    assert server.asked[0].body["dimensions"] == 4
    assert len(row) == 4
    assert np.linalg.norm(row) == pytest.approx(1)


def refusing(*words: str) -> Act:
    def act(exchange: Exchange) -> None:
        taken = not any(word in text for text in exchange.asked.body["input"] for word in words)
        (vectors() if taken else status(400, "too long"))(exchange)

    return act


def test_a_text_that_the_endpoint_refuses_spoils_no_other_and_has_zeros(call, server):
    server.always(refusing("폭탄"))
    rows = call().embed([CATS, "폭탄", SEA, RAIN], purpose="document")
    assert rows.any(axis=1).tolist() == [True, False, True, True]


def test_an_endpoint_that_refuses_everything_fails(call, server):
    server.always(refusing(""))
    with pytest.raises(EmbedderFailed, match="refuses"):
        call().embed([CATS, SEA, RAIN], purpose="document")
    assert len(server.asked) <= 4


@pytest.mark.parametrize(
    ("code", "way_out"), [(401, "OLLAMA_API_KEY or embedder_key"), (404, "embedder_url"), (418, "418")]
)
def test_a_failure_names_the_way_out_and_never_the_key(call, server, code, way_out):
    server.always(status(code, "what is sk-very-secret?"))
    with pytest.raises(EmbedderFailed) as failure:
        call(retries=2).embed([CATS], purpose="query")
    assert way_out in str(failure.value)
    assert "very-secret" not in "".join(traceback.format_exception(failure.value))
    assert len(server.asked) == 1


def test_an_address_is_shown_without_its_password():
    place = Endpoint(provider="vllm", url="http://me:pass@10.0.0.7:8000/v1", key="sk-very-secret")
    assert place.shown == "http://10.0.0.7:8000/v1"
    assert Endpoint(provider="vllm", url="http://10.0.0.7:8000/v1?api_key=geheim").shown == "http://10.0.0.7:8000/v1"
    assert Endpoint(provider="vllm", url="http://me:p@ss@10.0.0.7:8000/v1").shown == "http://10.0.0.7:8000/v1"
    assert "pass" not in repr(place)
    assert "secret" not in repr(place)


def test_the_password_in_an_address_is_sent_and_logged_by_nobody(server, caplog):
    caplog.set_level(logging.DEBUG)
    place = Endpoint(provider="vllm", url=server.url.replace("http://", "http://me:hunter2@"))
    embedder = EndpointEmbedder(place, "small", 8)
    embedder.embed([CATS], purpose="query")
    embedder.close()
    assert server.asked[-1].headers["authorization"] == f"Basic {base64.b64encode(b'me:hunter2').decode()}"
    assert "hunter2" not in caplog.text


def test_nothing_there_says_how_to_start_it():
    with Misbehaving() as gone:
        url = gone.url
    embedder = EndpointEmbedder(Endpoint(provider="ollama", url=url), "bge-m3", 1024, retries=0)
    embedder.warm()
    with pytest.raises(EmbedderFailed, match=r"nothing answers there.*ollama serve"):
        embedder.embed([CATS], purpose="query")
    embedder.close()


def test_without_a_key_nobody_is_asked(monkeypatch):
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    with pytest.raises(EmbedderFailed, match="OPENAI_API_KEY or embedder_key"):
        create("openai:text-embedding-3-small").embed([CATS], purpose="query")


def test_the_providers_own_variables_are_read(server, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-from-outside")
    monkeypatch.setenv("OPENAI_BASE_URL", server.url)
    server.always(vectors(512))
    embedder = create("openai:text-embedding-3-small@512")
    embedder.embed([CATS], purpose="query")
    embedder.close()
    assert server.asked[0].headers["authorization"] == "Bearer sk-from-outside"


def test_a_providers_key_is_not_sent_to_another_address(server, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-openai")
    server.always(vectors(1536))
    for key in (None, "sk-given"):
        embedder = create("openai:text-embedding-3-small", url=server.url, key=key)
        embedder.embed([CATS], purpose="query")
        embedder.close()
    assert [asked.headers["authorization"] for asked in server.asked] == ["Bearer none", "Bearer sk-given"]


def test_what_is_on_this_machine_is_not_looked_for_behind_a_proxy(call, monkeypatch):
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    monkeypatch.delenv("NO_PROXY", raising=False)
    monkeypatch.delenv("no_proxy", raising=False)
    assert call().embed([CATS], purpose="query").any()


@pytest.mark.parametrize("url", ["127.0.0.1:8000", "ftp://me:pass@there/v1", "http://", "http://[::1/v1", "x"])
def test_an_address_or_a_key_that_is_none_is_refused_and_not_shown(url):
    with pytest.raises(InvalidSetting, match="not the address of an endpoint") as refusal:
        create("ollama:bge-m3", url=url)
    assert "pass" not in str(refusal.value)
    for key in ("열쇠", "sk\nsk"):
        with pytest.raises(InvalidSetting, match="copy it again") as refusal:
            create("ollama:bge-m3", key=key)
        assert key not in str(refusal.value)


@pytest.mark.parametrize(
    ("setting", "name", "dimension"),
    [
        ("openai:text-embedding-3-small", "text-embedding-3-small-1536", 1536),
        ("openai:text-embedding-3-small@512", "text-embedding-3-small-512", 512),
        ("openai:text-embedding-3-large", "text-embedding-3-large-3072", 3072),
        ("gemini:gemini-embedding-001@768", "gemini-embedding-001-768", 768),
        ("ollama:bge-m3", "bge-m3-1024", 1024),
        ("ollama:bge-m3:latest", "bge-m3-1024", 1024),
        ("vllm:BAAI/bge-m3", "bge-m3-1024", 1024),
        ("vllm:intfloat/multilingual-e5-base", "multilingual-e5-base-768", 768),
        ("lmstudio:some/thing@300", "some/thing-300", 300),
        ("ollama:qwen3-embedding:0.6b@1024", "qwen3-embedding:0.6b-1024", 1024),
    ],
)
def test_settings_name_a_model_behind_an_endpoint(setting, name, dimension):
    embedder = create(setting)
    assert (embedder.name, embedder.dimension) == (name, dimension)


@pytest.mark.parametrize(
    "setting", ["openai:text-embedding-3-small@512", "ollama:bge-m3", "vllm:intfloat/multilingual-e5-small"]
)
def test_the_name_that_a_bank_records_names_a_known_model_again(setting):
    built_with = create(setting)
    again = create(built_with.name)
    assert (again.name, again.dimension) == (built_with.name, built_with.dimension)


def test_the_name_that_a_bank_records_of_another_model_asks_for_its_provider():
    built_with = create("ollama:qwen3-embedding:0.6b@1024")
    mismatch = EmbedderMismatch(built_with=built_with.name, configured="use-m3-512")
    assert 'set embedder = "qwen3-embedding:0.6b-1024"' in str(mismatch)
    with pytest.raises(InvalidSetting, match=r'"ollama:qwen3-embedding:0\.6b@1024"'):
        create(built_with.name)


@pytest.mark.parametrize(
    ("settings", "trouble"),
    [
        (["ollama:bge-m3@512", "openai:text-embedding-3-small@1537", "bge-m3-512"], "has vectors of"),
        (
            ["openai:", "mistral:embed", "ollama:a b", "ollama:x@0", "ollama:x@", "ollama:x@١"],
            "openai:text-embedding-3-small",
        ),
    ],
    ids=["a dimension that the model does not have", "no name of a model"],
)
def test_what_names_no_model_is_refused(settings, trouble):
    for setting in settings:
        with pytest.raises(InvalidSetting, match=trouble):
            create(setting)


def test_the_dimension_of_an_unknown_model_is_found_out_by_asking(server):
    embedder = create("lmstudio:somebodys", url=server.url + "/")
    assert (embedder.name, embedder.dimension) == ("somebodys-8", 8)
    assert len(server.asked) == 1
    assert server.quiet()


def test_an_unknown_model_that_is_not_there_cannot_be_opened_without_its_dimension(server):
    server.always(status(404, "model not found"))
    with pytest.raises(EmbedderFailed, match=r'404.*"lmstudio:somebodys@<dimension>"'):
        create("lmstudio:somebodys", url=server.url)


def test_a_connection_does_not_outlive_an_embedder_that_nobody_closed(server):
    embedder = EndpointEmbedder(Endpoint(provider="ollama", url=server.url), "small", 8)
    embedder.embed([CATS], purpose="query")
    assert server.open_connections == 1
    del embedder
    gc.collect()
    assert server.quiet()


def test_an_error_whose_body_never_ends_is_not_read_to_its_end(call, server):
    def endless(exchange: Exchange) -> None:
        exchange.head(401)
        while True:
            exchange.send(b"x" * 1_000)

    server.always(endless)
    with pytest.raises(EmbedderFailed, match="401"):
        call(seconds=60.0).embed([CATS], purpose="query")
    assert server.until(lambda: server.hung_up == 1)
