"""Webhooks where several servers share a bank: known to all of them, and every letter brought by one."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import Event

import httpx2
import pytest

import gieok
from gieok.bank import MemoryBank
from gieok.domain.scope import Scope
from gieok.domain.server_state import Webhook, WebhookDelivery
from gieok.http.webhooks import RetryPolicy
from gieok.serve.app import create_app, guarded_app
from gieok.serve.metrics import Metrics
from gieok.testing import FixedClock, day
from support.letter_box import SCOPE, SOON, LetterBox, figure, tell, wait_until
from support.letter_box import hook as any_hook
from support.postgres import running
from support.serving import served

NOBODY = "http://127.0.0.1:9/nobody"
REMEMBERED = ("memory.remembered",)
LIKES = [f"나 {thing} 좋아해" for thing in ("고양이", "라면", "피아노", "바다", "수학", "커피", "등산", "만화")]


@contextmanager
def server(place: Path | str, retry: RetryPolicy = SOON, **options) -> Iterator[tuple[httpx2.Client, MemoryBank]]:
    """A server with a bank of its own open at `place`, as another process has it."""
    with (
        gieok.open(place, embedder="hashing", watch=Metrics(), **options) as bank,
        served(guarded_app(create_app(bank, webhook_retry=retry))) as address,
        httpx2.Client(base_url=address, trust_env=False, timeout=60) as client,
    ):
        yield client, bank


@pytest.fixture
def place(tmp_path):
    return tmp_path / "bank.db"


def hook(client, url):
    return any_hook(client, url, events=REMEMBERED)["id"]


def ids(box):
    return [letter["id"] for _, letter, _ in box.letters]


def kept_webhook(bank, url=NOBODY):
    webhook = Webhook(id="w", url=url, secret="a secret of sixteen", events=REMEMBERED, created_at=datetime.now(UTC))
    bank.store.server.keep_webhook(webhook)


def may_be_leased(bank):
    now = bank.clock.now()
    return bank.store.server.lease("w", "another", until=now + timedelta(minutes=2), now=now)


def test_a_webhook_is_known_to_the_other_servers_and_so_is_that_it_was_removed(place, box):
    with server(place) as (one, _), server(place) as (other, others_bank):
        made = hook(one, box.url)
        wait_until(lambda: others_bank._listeners)
        tell(other, "나 고양이 좋아해")
        box.wait(1)

        one.delete(f"/v1/webhooks/{made}").raise_for_status()
        assert other.get("/v1/webhooks").json() == {"webhooks": []}
        wait_until(lambda: not others_bank._listeners)
        tell(other, "나는 라면을 싫어해")
        assert others_bank.store.server.waiting_deliveries() == {}
    assert len(box.letters) == 1


@pytest.mark.parametrize("store", ["sqlite", "postgres"])
def test_every_letter_is_brought_once(place, box, store):
    with ExitStack() as opened:
        if store == "postgres":
            postgres = opened.enter_context(running())
            place = postgres.address(postgres.database())
        one, _ = opened.enter_context(server(place))
        other, bank = opened.enter_context(server(place))
        box.answers.extend([lambda: Event().wait(0.02) or 200] * 8)
        hook(one, box.url)
        wait_until(lambda: bank._listeners)
        for number, text in enumerate(LIKES):
            tell(other if number % 2 else one, text)
        box.wait(8)
        wait_until(lambda: not bank.store.server.waiting_deliveries())
    assert len(set(ids(box))) == len(ids(box)) == 8


def test_letters_stay_in_order_through_a_short_trouble_whichever_server_they_are_posted_at(place, box):
    box.answers.append(500)
    with server(place) as (one, _), server(place) as (other, others_bank):
        hook(one, box.url)
        wait_until(lambda: others_bank._listeners)
        tell(one, "나 고양이 좋아해")
        box.wait(1)
        tell(other, "나는 라면을 싫어해")
        box.wait(3)
    first, again, second = ids(box)
    assert first == again != second


def test_the_letters_of_a_server_that_died_are_brought_by_another_when_its_lease_runs_out(place, box):
    clock = FixedClock(day(1))
    with server(place, clock=clock) as (client, bank), LetterBox() as beside:
        kept_webhook(bank, box.url)
        assert bank.store.server.lease("w", "dead", until=clock.now() + timedelta(minutes=1), now=clock.now())
        hook(client, beside.url)
        for text in LIKES[:2]:
            tell(client, text)
        beside.wait(2)
        assert box.letters == []
        clock.advance(minutes=1)
        box.wait(2)
    assert len(set(ids(box))) == 2


def test_a_server_that_closes_lets_another_bring_its_letters(place):
    with gieok.open(place, embedder="hashing") as beside:
        kept_webhook(beside)
        with server(place, RetryPolicy(first=600, pause=60)) as (client, _):
            tell(client, "나 고양이 좋아해")
            wait_until(lambda: figure(client, 'gieok_webhook_letters_total{outcome="put_off"}'))
            assert not may_be_leased(beside), "while it waits for its receiver, nobody goes past it"
        assert may_be_leased(beside)


def test_letters_that_others_post_and_bring_are_counted_where_they_are_too_many(place, monkeypatch):
    monkeypatch.setattr("gieok.http.webhooks._MOST_WAITING", 3)
    later = datetime.now(UTC) + timedelta(hours=1)
    letter = WebhookDelivery(webhook_id="w", event_id="e", body="{}", scope=Scope(**SCOPE), due_at=later)
    with gieok.open(place, embedder="hashing") as beside, server(place) as (client, _):
        kept_webhook(beside)
        beside.store.server.add_deliveries([letter] * 3)
        wait_until(lambda: figure(client, "gieok_webhook_letters_waiting") == 3)
        tell(client, "나 고양이 좋아해")
        assert figure(client, 'gieok_webhook_letters_total{outcome="overflowed"}') == 1

        for each in beside.store.server.due_deliveries("w", later, 9):
            beside.store.server.drop_delivery(each.number)
        wait_until(lambda: figure(client, "gieok_webhook_letters_waiting") == 0)
        tell(client, "나는 라면을 싫어해")
        wait_until(lambda: figure(client, 'gieok_webhook_letters_total{outcome="given_up"}') == 1)


def test_letters_to_a_webhook_that_was_removed_elsewhere_do_not_stay(place):
    letter = WebhookDelivery(webhook_id="gone", event_id="e", body="{}", scope=Scope(**SCOPE), due_at=datetime.now(UTC))
    with server(place) as (_, bank):
        bank.store.server.add_deliveries([letter])
        wait_until(lambda: not bank.store.server.waiting_deliveries())
