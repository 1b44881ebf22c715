"""Webhooks over real HTTP: signed, in order, tried again, and none waits for another."""

import re
import socket
from datetime import UTC, datetime
from threading import Event, Semaphore

import httpx2
import pytest

import gieok
from gieok.access.keys import create_key
from gieok.domain.server_state import Webhook
from gieok.http.webhooks import RetryPolicy, signature
from gieok.serve.app import create_app, guarded_app
from gieok.serve.metrics import Metrics
from support.letter_box import SCOPE, SOON, LetterBox, figure, hook, tell, wait_until
from support.serving import served
from support.stand_in import with_stand_ins

SECRET = "a secret of sixteen"


@pytest.fixture
def app(bank):
    return with_stand_ins(create_app(bank, webhook_retry=SOON))


def settled(client, name, count):
    """Wait until so many letters came to that end."""
    wait_until(lambda: figure(client, f'gieok_webhook_letters_total{{outcome="{name}"}}') >= count)


def test_an_event_arrives_signed_and_does_not_say_what_was_said(at, box):
    made = hook(at, box.url, events=["memory.remembered"])
    tell(at, "나 고양이 좋아해")
    box.wait(1)
    headers, letter, raw = box.letters[0]
    assert letter["event"] == headers["x-gieok-event"] == "memory.remembered"
    assert letter["id"] == headers["x-gieok-delivery"]
    assert letter["scope"] == {"user": "민수", "character": "레티아", "world": None}
    assert letter["what"]["attribute"] == "likes"
    assert "고양이" not in raw
    moment = int(re.match(r"t=(\d+),", headers["x-gieok-signature"])[1])
    assert headers["x-gieok-signature"] == signature(made["secret"], raw, moment)
    assert headers["host"] == httpx2.URL(box.url).netloc.decode()


def test_a_webhook_is_told_of_its_own_events_alone(at, box):
    hook(at, box.url, events=["scene.started"])
    tell(at, "나 고양이 좋아해")
    settled(at, "delivered", 1)
    assert {letter["event"] for _, letter, _ in box.letters} == {"scene.started"}


def test_a_secret_is_shown_once_and_a_webhook_that_is_removed_hears_no_more(at, box):
    made = hook(at, box.url, secret=SECRET)
    assert made["secret"] == SECRET
    (listed,) = at.get("/v1/webhooks").json()["webhooks"]
    assert listed == {name: fact for name, fact in made.items() if name != "secret"}
    assert at.delete(f"/v1/webhooks/{made['id']}").status_code == 204
    assert at.delete(f"/v1/webhooks/{made['id']}").status_code == 404
    tell(at, "나 고양이 좋아해")
    assert at.get("/v1/webhooks").json() == {"webhooks": []}
    assert box.letters == []


def test_letters_that_were_not_taken_are_tried_again_in_order_under_the_same_id(at, box):
    box.answers.extend([500, 503])
    hook(at, box.url, events=["memory.remembered"])
    tell(at, "나 고양이 좋아해")
    tell(at, "나는 라면을 싫어해")
    box.wait(4)
    ids = [letter["id"] for _, letter, _ in box.letters]
    assert ids[0] == ids[1] == ids[2] != ids[3]


def test_a_letter_that_is_refused_does_not_hold_up_the_next(at, box):
    box.answers.append(400)
    hook(at, box.url, events=["memory.remembered"])
    tell(at, "나 고양이 좋아해")
    box.wait(1)
    tell(at, "나는 라면을 싫어해")
    settled(at, "delivered", 2)
    first, *rest = [letter["id"] for _, letter, _ in box.letters]
    assert first in rest


def test_a_letter_that_nobody_takes_is_given_up_and_counted(at, box):
    box.answers.extend([500] * 4)
    hook(at, box.url, events=["memory.remembered"])
    tell(at, "나 고양이 좋아해")
    settled(at, "given_up", 1)
    assert len(box.letters) == SOON.tries
    assert "gieok_webhook_letters_waiting 0.0" in at.get("/metrics").text


def test_a_redirect_is_not_followed(at, box):
    with LetterBox() as elsewhere:
        box.headers["Location"] = elsewhere.url
        box.answers.extend([307] * 4)
        hook(at, box.url, events=["memory.remembered"])
        tell(at, "나 고양이 좋아해")
        settled(at, "given_up", 1)
        assert elsewhere.letters == []


def test_a_receiver_that_is_gone_is_removed(at, box, bank):
    box.answers.append(410)
    hook(at, box.url, events=["memory.remembered"])
    tell(at, "나 고양이 좋아해")
    settled(at, "gone", 1)
    wait_until(lambda: not bank.store.server.webhooks())
    assert at.get("/v1/webhooks").json() == {"webhooks": []}
    assert bank.store.server.waiting_deliveries() == {}


def test_a_slow_receiver_holds_up_nobody_else(at, box):
    release = Event()
    with LetterBox() as slow:
        slow.answers.append(lambda: 200 if release.wait(30) else 500)
        hook(at, slow.url, events=["memory.remembered"])
        hook(at, box.url, events=["memory.remembered"])
        try:
            tell(at, "나 고양이 좋아해")
            tell(at, "나는 라면을 싫어해")
            box.wait(2)
            assert slow.letters == []
        finally:
            release.set()
        slow.wait(2)


def test_letters_survive_a_restart(tmp_path, box):
    path = tmp_path / "bank.db"
    with gieok.open(path, embedder="hashing", watch=Metrics()) as bank:
        nobody = "http://127.0.0.1:9/nobody"
        bank.store.server.keep_webhook(
            Webhook(id="w", url=nobody, secret=SECRET, events=("memory.remembered",), created_at=datetime.now(UTC))
        )
        app = with_stand_ins(create_app(bank, webhook_retry=RetryPolicy(first=0.02, pause=0.02)))
        with (
            served(guarded_app(app)) as address,
            httpx2.Client(base_url=address, trust_env=False, timeout=60) as client,
        ):
            tell(client, "나 고양이 좋아해")
            settled(client, "put_off", 1)
        assert bank.store.server.waiting_deliveries() == {"w": 1}
        hooked = bank.store.server.webhooks()[0]
    with gieok.open(path, embedder="hashing", watch=Metrics()) as bank:
        bank.store.server.keep_webhook(
            Webhook(id="w", url=box.url, secret=SECRET, events=hooked.events, created_at=hooked.created_at)
        )
        with served(guarded_app(create_app(bank, webhook_retry=SOON))):
            box.wait(1)
    assert box.letters[0][1]["event"] == "memory.remembered"


def test_too_many_letters_to_one_webhook_are_dropped_and_counted(at, bank, box, monkeypatch):
    monkeypatch.setattr("gieok.http.webhooks._MOST_WAITING", 1)
    release = Event()
    box.answers.append(lambda: 200 if release.wait(30) else 500)
    hook(at, box.url, events=["memory.remembered"])
    try:
        for text in ("나 고양이 좋아해", "나는 라면을 싫어해", "나 피아노 좋아해"):
            tell(at, text)
        settled(at, "overflowed", 2)
    finally:
        release.set()
    settled(at, "delivered", 1)
    assert len(box.letters) == 1


@pytest.mark.parametrize(
    "url",
    [
        "http://169.254.169.254/latest/meta-data",
        "http://[fe80::1]/",
        "http://[::ffff:169.254.169.254]/",
        "http://[64:ff9b::a9fe:a9fe]/",
        "http://2852039166/",  # 169.254.169.254 as one number
        "http://[::169.254.169.254]/",
        "http://[::ffff:0:169.254.169.254]/",
        "http://[::ffff:10.0.0.5]/",
        "http://[64:ff9b:1::a9fe:a9fe]/",
        "http://[2001:0:4136:e378:8000:63bf:5601:5601]/",  # Teredo
        "http://[2002:a9fe:a9fe::1]/",
        "http://[2a02:1::5efe:169.254.169.254]/",
        "http://[fd20:ce::254]/",
        "http://168.63.129.16/",
        "http://255.255.255.255/",
        "http://0.0.0.0/",
        "http://224.0.0.1/",
        "http://100.100.100.200/",
        "ftp://example.com/",
        "file:///etc/passwd",
        "http:///nowhere",
        "http://a:99999/",
        "http://me:secret@127.0.0.1/",
        "http://예시.한국/",
        "http://127.0.0.1/a b",
    ],
)
def test_letters_do_not_go_there(at, url):
    answer = at.post("/v1/webhooks", json={"url": url})
    assert answer.status_code == 422
    assert "url: " in answer.json()["detail"]


@pytest.mark.parametrize("address", ["169.254.169.254", "64:ff9b:1::a9fe:a9fe", "::7f00:1"])
def test_a_name_that_comes_to_mean_the_metadata_service_gets_no_letter(at, bank, box, monkeypatch, address):
    hook(at, box.url.replace("127.0.0.1", "localhost"), events=["memory.remembered"])
    real = socket.getaddrinfo

    def moved(host, port, *args, **kwargs):
        if host != "localhost":
            return real(host, port, *args, **kwargs)
        # Beside it stands the receiver: one address that is refused is enough.
        return [(0, 0, 0, "", (address, port)), *real("127.0.0.1", port, *args, **kwargs)]

    monkeypatch.setattr("gieok.http.webhooks.socket.getaddrinfo", moved)
    tell(at, "나 고양이 좋아해")
    settled(at, "given_up", 1)
    assert box.letters == []


def test_names_that_take_long_to_look_up_hold_up_nobody_else(at, bank, box, monkeypatch):
    token, kept = create_key("봇", "writer", now=datetime.now(UTC))
    bank.store.server.keep_key(kept)
    real, asked, release = socket.getaddrinfo, Semaphore(0), Event()
    threads = bank.settings.serve_threads
    for number in range(threads):
        hook(at, f"http://127.0.0.{number + 2}:9/", events=["memory.remembered"])
    hook(at, box.url.replace("127.0.0.1", "localhost"), events=["memory.remembered"])

    def slow(host, port, *args, **kwargs):
        if host.startswith("127.0.0.") and port == 9:
            asked.release()
            release.wait(60)
        return real(host, port, *args, **kwargs)

    monkeypatch.setattr("gieok.http.webhooks.socket.getaddrinfo", slow)
    try:
        tell(at, "나 고양이 좋아해")
        assert all(asked.acquire(timeout=30) for _ in range(threads))
        headers = {"Authorization": f"Bearer {token}"}
        assert at.get("/v1/memories", params=SCOPE, headers=headers, timeout=5).status_code == 200
        tell(at, "나는 라면을 싫어해")
        box.wait(2)
    finally:
        release.set()


def test_an_unknown_event_is_refused_with_those_there_are(at):
    answer = at.post("/v1/webhooks", json={"url": "http://127.0.0.1:9/", "events": ["memory.born"]})
    assert answer.status_code == 422
    assert "memory.remembered" in answer.json()["detail"]


def test_one_webhook_too_many_is_refused(at):
    for number in range(100):
        hook(at, f"http://127.0.0.1:9/{number}", events=["reflected"])
    answer = at.post("/v1/webhooks", json={"url": "http://127.0.0.1:9/"})
    assert (answer.status_code, answer.json()["type"]) == (409, "/problems/too-many-webhooks")
    assert len(at.get("/v1/webhooks").json()["webhooks"]) == 100
