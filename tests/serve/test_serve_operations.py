"""What an operator sees: health, readiness, figures, request ids."""

import re
import time
from threading import Event

import httpx2
import pytest
from fastapi.responses import StreamingResponse

import gieok
from gieok.errors import BankUnavailable
from gieok.serve.app import create_app, guarded_app
from gieok.serve.metrics import Metrics
from support.serving import served
from support.stand_in import with_stand_ins

SCOPE = {"user": "민수", "character": "레티아"}


def until_ready(client):
    for _ in range(200):
        answer = client.get("/readyz")
        if "loaded" not in answer.text:
            return answer
        time.sleep(0.1)
    raise AssertionError("it does not get warm")


def figures(client):
    text = client.get("/metrics").raise_for_status().text
    return {
        name: float(value)
        for name, _, value in (line.rpartition(" ") for line in text.splitlines() if not line.startswith("#"))
    }


def test_a_server_that_is_well_says_so(at):
    assert at.get("/healthz").json() == {"status": "up"}
    ready = until_ready(at)
    assert (ready.status_code, ready.json()) == (200, {"status": "ready"})


def test_a_server_whose_bank_is_closed_is_up_but_not_ready_and_says_why(at, bank):
    until_ready(at)
    bank.close()
    assert at.get("/healthz").status_code == 200
    answer = at.get("/readyz")
    assert answer.status_code == 503
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.json()["reasons"] == ["the bank cannot be used (BankClosed)"]
    assert answer.headers["retry-after"] == "2"


def test_a_server_that_is_stopping_is_not_ready(at, app):
    until_ready(at)
    app.state.readiness.stopping = True
    assert at.get("/readyz").json()["reasons"] == ["the server is stopping"]


def test_a_bank_that_does_not_answer_is_not_waited_for_forever(at, bank, monkeypatch):
    until_ready(at)
    release = Event()
    monkeypatch.setattr("gieok.serve.runtime._BANK_SECONDS", 0.05)
    monkeypatch.setattr(type(bank.store.server), "webhooks", lambda desk: release.wait(30) or [])
    try:
        for _ in range(3):
            assert at.get("/readyz").json()["reasons"] == ["the bank did not answer within 0.05 s"]
    finally:
        release.set()
    assert until_ready(at).status_code in (200, 503)


def test_a_folder_that_cannot_be_written_to_is_a_reason(at, monkeypatch):
    until_ready(at)
    monkeypatch.setattr("gieok.serve.runtime.os.access", lambda path, mode: False)
    assert at.get("/readyz").json()["reasons"] == ["the bank's folder cannot be written to"]


def test_figures_tell_what_was_observed_and_recalled(at):
    at.post("/v1/turns", params=SCOPE, json={"text": "나 고양이 좋아해", "reply": "저도요!"}).raise_for_status()
    at.post("/v1/recall", params=SCOPE, json={"query": "고양이"}).raise_for_status()
    told = figures(at)
    assert told['gieok_turns_total{reading="read"}'] == 1
    assert told['gieok_decisions_total{kind="Remember"}'] == 1
    assert told['gieok_hits_total{asked="recall"}'] >= 1
    for source in ("question", "layout", "dense", "keyword", "whole"):
        assert told[f'gieok_recall_seconds_count{{source="{source}"}}'] == 1
    assert told['gieok_requests_total{method="POST",route="/v1/turns",status="201"}'] == 1
    assert told['gieok_request_seconds_count{method="POST",route="/v1/recall"}'] == 1
    assert told["gieok_queue_depth"] == 0
    assert told["gieok_threads_busy"] == 1  # whoever gives these figures
    assert told["gieok_event_loop_lag_seconds_count"] > 0


def test_figures_name_nobody_and_no_path_that_somebody_made_up(at):
    at.post("/v1/turns", params=SCOPE, json={"text": "나 고양이 좋아해"}).raise_for_status()
    at.get("/v1/비밀/of-minsu")
    at.request("MINSU", "/healthz")
    at.delete("/v1/webhooks/of-minsu")
    text = at.get("/metrics").text
    assert not re.search("민수|레티아|고양이|minsu|%EB", text, re.IGNORECASE)
    assert 'gieok_requests_total{method="GET",route="unknown",status="404"} 1.0' in text
    assert 'gieok_requests_total{method="DELETE",route="/v1/webhooks/{webhook_id}",status="404"} 1.0' in text


def test_two_servers_in_one_process_count_for_themselves(tmp_path):
    with (
        gieok.open(tmp_path / "a.db", embedder="hashing", watch=Metrics()) as one,
        gieok.open(tmp_path / "b.db", embedder="hashing", watch=Metrics()) as two,
    ):
        one.scope(user="민수", character="레티아").observe("나 고양이 좋아해")
        first, second = (create_app(each).state.metrics.text().decode() for each in (one, two))
    assert "gieok_turns_total{" in first
    assert "gieok_turns_total{" not in second


def test_a_context_counts_its_tokens_by_block_and_keeps_how_long_its_sources_took(bank):
    mind = bank.scope(user="민수", character="레티아")
    mind.observe("나 고양이 좋아해", reply="저도요!")
    context = mind.context("고양이 얘기 기억나?")
    took = dict(context.took)
    assert {"question", "layout", "dense", "keyword", "whole"} <= took.keys()
    assert took["whole"] >= sum(seconds for source, seconds in took.items() if source != "whole")
    text = bank.watch.text().decode()
    for block in context.blocks:
        assert f'gieok_context_tokens_total{{block="{block.name}"}} {float(block.tokens)}' in text


def test_a_sane_request_id_is_kept_and_any_other_replaced(at):
    assert at.get("/healthz", headers={"X-Request-Id": "abc-1.2:3"}).headers["x-request-id"] == "abc-1.2:3"
    for wrong in ("", "a b", "x" * 65, '{"a":1}', "-a"):
        made = at.get("/healthz", headers={"X-Request-Id": wrong}).headers["x-request-id"]
        assert re.fullmatch("[0-9a-f]{16}", made)


def test_a_problem_names_the_request(at):
    answer = at.post("/v1/recall", params=SCOPE, json={"query": "x" * 9_000}, headers={"X-Request-Id": "mine"})
    assert answer.status_code == 422
    assert answer.json()["request_id"] == "mine"


def test_what_nobody_expected_is_answered_with_the_id_and_logged_once_without_words(app, caplog):
    @app.get("/v1/broken")
    def broken(user: str) -> None:
        raise RuntimeError(f"{user}: 비밀이야")

    with served(guarded_app(app)) as address:
        answer = httpx2.get(f"{address}/v1/broken", params={"user": "민수"}, headers={"X-Request-Id": "r1"})
    assert answer.status_code == 500
    assert answer.json()["request_id"] == "r1"
    assert "비밀" not in answer.text
    assert [record.message for record in caplog.records if record.exc_info] == ["a request failed"]


def test_requests_wait_their_turn_when_all_threads_are_busy(bank, tmp_path):
    with gieok.open(tmp_path / "c.db", embedder="hashing", watch=Metrics(), serve_threads=1) as small:
        app = with_stand_ins(create_app(small))
        entered, release = Event(), Event()

        @app.get("/v1/slow")
        def slow() -> None:
            entered.set()
            release.wait(30)

        with served(guarded_app(app)) as address:
            import threading

            asked = [threading.Thread(target=httpx2.get, args=(f"{address}/v1/slow",)) for _ in range(3)]
            for each in asked:
                each.start()
            entered.wait(30)
            try:
                depth_and_busy = ("gieok_queue_depth", "gieok_threads_busy")  # warming up may be busy, too, at first
                found = _until(lambda: tuple(gauge(app, each) for each in depth_and_busy), (2.0, 1.0))
                assert found == (2.0, 1.0)
                assert httpx2.get(f"{address}/healthz").status_code == 200  # the loop itself is free
            finally:
                release.set()
                for each in asked:
                    each.join()


def gauge(app, name):
    found = re.search(rf"^{name} (\S+)$", app.state.metrics.text().decode(), re.MULTILINE)
    return float(found[1])


def _until(read, wanted):
    for _ in range(3_000):
        if read() == wanted:
            break
        Event().wait(0.01)
    return read()


def test_a_bank_that_is_unavailable_is_told_by_its_kind_alone(at, bank, monkeypatch):
    until_ready(at)

    def fail(desk):
        raise BankUnavailable("/somewhere/secret.db: disk I/O error")

    monkeypatch.setattr(type(bank.store.server), "webhooks", fail)
    assert at.get("/readyz").json()["detail"] == "the bank cannot be used (BankUnavailable)"


def test_an_answer_that_breaks_off_is_logged_once_and_counted(app, caplog):
    @app.get("/v1/halfway")
    async def halfway() -> StreamingResponse:
        async def words():
            yield b"one"
            raise RuntimeError

        return StreamingResponse(words())

    with served(guarded_app(app)) as address:
        with pytest.raises(httpx2.HTTPError):
            httpx2.get(f"{address}/v1/halfway")
        figures = httpx2.get(f"{address}/metrics").text
    assert 'gieok_requests_total{method="GET",route="/v1/halfway",status="200"} 1.0' in figures
    ours = [record for record in caplog.records if record.name == "gieok.serve.requests"]
    assert [record.message for record in ours if record.exc_info] == ["a request failed"]


def test_whoever_the_guard_turns_away_has_an_id_and_a_line_in_the_log(app, caplog):
    caplog.set_level("INFO", "gieok.serve.requests")
    with served(guarded_app(app)) as address:
        headers = {"Origin": "https://elsewhere.example", "X-Request-Id": "r9"}
        answer = httpx2.get(f"{address}/v1/webhooks", headers=headers)
    assert (answer.status_code, answer.headers["x-request-id"], answer.json()["request_id"]) == (403, "r9", "r9")
    (told,) = [record.fields for record in caplog.records if getattr(record, "fields", {}).get("status") == 403]
    assert (told["route"], told["key"]) == ("unknown", None)
