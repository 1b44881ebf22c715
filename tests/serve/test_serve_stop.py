"""How the command ends, and what its log tells of what it did."""

import contextlib
import json
import signal
import time
from threading import Event, Thread

import httpx2

from support.serve_command import Command

SCOPE = {"user": "민수", "character": "레티아"}


def test_a_stop_ends_what_is_under_way_and_the_log_tells_all_but_words_names_and_queries(tmp_path):
    with Command(tmp_path) as server:
        address = server.address()
        said = {"text": "비밀인데 나 고양이 좋아해", "turn_id": "t1"}
        httpx2.post(f"{address}/v1/turns", params=SCOPE, json=said, headers={"X-Request-Id": "r1"}).raise_for_status()
        broken = httpx2.get(f"{address}/broken", params=SCOPE, headers={"X-Request-Id": "r2"})
        answers = []
        client = Thread(target=lambda: answers.append(httpx2.get(f"{address}/slow", timeout=30)))
        client.start()
        wait_for(lambda: httpx2.get(f"{address}/slow/begun").json())
        server.process.send_signal(signal.SIGTERM)
        wait_for(lambda: refused(address))
        assert server.process.poll() is None  # it waits for the slow one
        (tmp_path / "go-on").touch()
        client.join(30)
        assert [(answer.status_code, answer.json()) for answer in answers] == [(200, "done")]
        assert server.ends() == 0
    told = [line["message"] for line in server.lines]
    assert told[-3:] == ["stopping", "request", "stopped"]  # the one that was slow
    assert broken.status_code == 500
    for word in ("비밀", "고양이", "민수", "레티아", "%EB", "user="):
        assert word not in server.said
    by_id = {line["request_id"]: line for line in server.lines if line["message"] == "request"}
    assert (by_id["r1"]["route"], by_id["r1"]["status"], by_id["r1"]["key"]) == ("/v1/turns", 201, "local")
    assert by_id["r1"]["scope"] == by_id["r2"]["scope"]
    (error,) = [line for line in server.lines if "error" in line]
    assert error["request_id"] == "r2"
    assert "RuntimeError" in error["error"]
    assert "in broken" in error["error"]


def test_a_second_signal_stops_it_at_once_and_the_log_has_the_words_where_that_is_asked_for(tmp_path):
    with Command(tmp_path, GIEOK_SERVE_LOG_TEXT="true") as server:
        address = server.address()
        httpx2.post(f"{address}/v1/turns", params=SCOPE, json={"text": "나 고양이 좋아해"}).raise_for_status()
        client = Thread(target=hung_up, args=(address,))
        client.start()
        wait_for(lambda: httpx2.get(f"{address}/slow/begun").json())
        server.process.send_signal(signal.SIGINT)
        wait_for(lambda: refused(address))
        server.process.send_signal(signal.SIGINT)
        assert server.ends() == 128 + signal.SIGINT
        client.join(30)
    line = next(line for line in server.lines if line.get("route") == "/v1/turns")
    assert "고양이" in json.loads(line["body"])["text"]


def hung_up(address):
    with contextlib.suppress(httpx2.HTTPError):
        httpx2.get(f"{address}/slow", timeout=30)


def refused(address):
    try:
        httpx2.get(f"{address}/healthz", timeout=5)
    except httpx2.HTTPError:
        return True
    return False


def wait_for(so):
    until = time.monotonic() + 30
    while not so():
        assert time.monotonic() < until
        Event().wait(0.02)
