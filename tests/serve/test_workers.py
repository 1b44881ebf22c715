"""Several processes that serve one address as if they were one."""

import asyncio
import os
import signal
import socket
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from threading import Barrier
from time import monotonic, sleep

import httpx2
import pytest

import gieok
from gieok.errors import CannotListen
from gieok.serve import workers
from gieok.serve.app import sockets_of_workers
from gieok.serve.metrics import of_workers
from gieok.serve.siblings import is_for_the_first
from serving.load import Told, load, scopes
from support.letter_box import LetterBox
from support.postgres import running as postgres
from support.serve_command import Command

pytestmark = pytest.mark.skipif(not workers.are_possible(), reason="this system cannot fork")

SCOPE = {"user": "민수", "character": "레티아"}
LIKES = {"text": "나 고양이 좋아해", "reply": "저도요!"}


@contextmanager
def served(folder, *arguments, **settings) -> Iterator[Command]:
    with Command(folder, "--workers", "2", *arguments, **settings) as server:
        yield server


@contextmanager
def one_of_each(address: str, **options) -> Iterator[list[httpx2.Client]]:
    """Yield a client at each of the two workers: whoever accepts a connection answers all that comes over it."""
    found: dict[int, httpx2.Client] = {}
    with ExitStack() as opened:
        until = monotonic() + 30
        while len(found) < 2:
            assert monotonic() < until, "one worker takes all connections"
            client = opened.enter_context(httpx2.Client(base_url=address, trust_env=False, timeout=60, **options))
            found.setdefault(client.get("/v1/process").json(), client)
        yield [found[process] for process in sorted(found)]  # the first one was forked first


def wait_for(so) -> None:
    until = monotonic() + 60
    while not so():
        assert monotonic() < until
        sleep(0.02)


def children(server: Command) -> list[int]:
    told = subprocess.run(["ps", "-o", "pid=", "--ppid", str(server.process.pid)], capture_output=True, check=False)
    return [int(pid) for pid in told.stdout.split()]


@pytest.fixture(scope="module")
def running(tmp_path_factory) -> Iterator[Command]:
    """A server that many tests share; each has a scope of its own."""
    with served(tmp_path_factory.mktemp("shared"), GIEOK_SERVE_LOG_TEXT="true") as server:
        server.address()
        yield server


@pytest.fixture
def both(running) -> Iterator[list[httpx2.Client]]:
    with one_of_each(running.address()) as clients:
        yield clients


def test_what_one_worker_wrote_the_other_knows_at_once(both):
    one, other = both
    for number in range(10):
        name = {"user": f"u{number}", "character": "레티아"}
        assert one.post("/v1/turns", params=name, json=LIKES).status_code == 201
        assert "고양이" in other.get("/v1/facts", params=name).text
        assert other.post("/v1/turns", params=name, json={"text": "요즘은 강아지가 더 좋아"}).status_code == 201
        assert [each["number"] for each in one.get("/v1/turns", params=name).json()["items"]] == [2, 1]


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux spreads connections over the sockets of an address")
def test_connections_are_spread_over_both_even_while_one_is_busy(running):
    place = httpx2.URL(running.address())
    busy = children(running)[0]
    with ExitStack() as opened:
        os.kill(busy, signal.SIGSTOP)
        opened.callback(os.kill, busy, signal.SIGCONT)
        clients = [opened.enter_context(socket.create_connection((place.host, place.port), 60)) for _ in range(60)]
        for client in clients:
            client.sendall(b"GET /v1/process HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        sleep(0.5)
        os.kill(busy, signal.SIGCONT)
        answered = Counter(client.makefile("rb").read().rpartition(b"\r\n\r\n")[2] for client in clients)
    assert len(answered) == 2
    assert min(answered.values()) >= 10, "of 60, by chance: fewer than one in ten million"


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere the workers share the socket")
def test_an_address_that_another_process_takes_meanwhile_is_told():
    with socket.create_server(("127.0.0.1", 0)) as taken:

        class Door(socket.socket):
            def getsockname(self):
                return taken.getsockname()

        with Door() as door, pytest.raises(CannotListen, match="in use"):
            sockets_of_workers(door, 2)


def test_workers_share_a_database_server_as_they_share_a_file(tmp_path):
    with postgres() as database:
        place = database.address(database.database())
        with served(tmp_path, "--bank", place) as server, one_of_each(server.address()) as (one, other):
            for number in range(10):
                name = {"user": f"u{number}", "character": "레티아"}
                assert one.post("/v1/turns", params=name, json=LIKES).status_code == 201
                assert "고양이" in other.get("/v1/facts", params=name).text
            server.process.send_signal(signal.SIGTERM)
            assert server.ends() == 0


def test_the_same_idempotency_key_at_two_workers_at_once_makes_one_memory(both):
    for number in range(10):
        name = {"user": f"once{number}", "character": "레티아"}
        headers, meeting = {"Idempotency-Key": f"key-{number}"}, Barrier(2)

        def remember(client, meeting=meeting, name=name, headers=headers):
            meeting.wait()
            return client.post("/v1/memories", params=name, json={"content": "커피를 자주 마심"}, headers=headers)

        with ThreadPoolExecutor(2) as threads:
            answers = list(threads.map(remember, both))
        assert {answer.status_code for answer in answers} == {201}, [answer.text for answer in answers]
        assert len({answer.content for answer in answers}) == 1
        assert sorted("idempotent-replayed" in answer.headers for answer in answers) == [False, True]


def test_a_turn_may_name_a_context_that_the_other_worker_made(both):
    one, other = both
    name = {"user": "context", "character": "레티아"}
    one.post("/v1/turns", params=name, json=LIKES)
    made = one.post("/v1/context", params=name, json={"query": "내가 뭘 좋아하지?"}).json()
    turn = {"text": "반가워", "reply": "고양이 잘 있어요?", "context_id": made["context_id"], "turn_id": "t2"}
    assert other.post("/v1/turns", params=name, json=turn).status_code == 201
    assert other.get("/v1/turns/t2/trace", params=name).json()["gathered"]  # what the context was made from
    strange = {**turn, "turn_id": "t3", "context_id": "nobody-made-this"}
    assert other.post("/v1/turns", params=name, json=strange).status_code == 404
    elsewhere = {"user": "somebody else", "character": "레티아"}
    assert other.post("/v1/turns", params=elsewhere, json=turn).status_code == 404


def test_metrics_are_those_of_both_and_say_whose(both):
    for client in both:
        client.get("/v1/facts", params=SCOPE)
    for client in both:
        lines = client.get("/metrics").text.splitlines()
        asked = [line for line in lines if line.startswith("gieok_requests_total") and '"/v1/facts"' in line]
        assert {line.partition('worker="')[2][0] for line in asked} == {"0", "1"}
        assert sum(line.startswith("# TYPE gieok_requests_total ") for line in lines) == 1


def test_metrics_of_workers_are_one_text():
    one = b'# HELP a An a\n# TYPE a counter\na{b="c"} 1.0\n# HELP d A d\n# TYPE d gauge\nd 2.0\n'
    both = of_workers({1: one, 0: one})
    assert both.decode().splitlines() == [
        *("# HELP a An a", "# TYPE a counter", 'a{worker="0",b="c"} 1.0', 'a{worker="1",b="c"} 1.0'),
        *("# HELP d A d", "# TYPE d gauge", 'd{worker="0"} 2.0', 'd{worker="1"} 2.0'),
    ]


def test_a_webhook_is_known_to_both_as_soon_as_it_is_there(both):
    one, other = both
    with LetterBox() as box:
        made = one.post("/v1/webhooks", json={"url": box.url, "events": ["memory.remembered"]})
        assert made.status_code == 201, made.text
        other.post("/v1/turns", params={"user": "hook", "character": "레티아"}, json=LIKES)
        wait_for(lambda: box.letters)
        assert one.delete(f"/v1/webhooks/{made.json()['id']}").status_code == 204
        told = len(box.letters)
        other.post("/v1/turns", params={"user": "hook2", "character": "레티아"}, json=LIKES)
        assert len(box.letters) == told


@pytest.mark.parametrize(
    ("line", "first"),
    [
        (b"POST /v1/turns?user=a HTTP/1.1", False),
        (b"GET /metrics HTTP/1.1", False),
        (b"POST /mcp HTTP/1.1", False),
        (b"POST /v1/chat?user=a HTTP/1.1", True),
        (b"POST /v1/chat/completions HTTP/1.1", True),
        (b"POST /v1/%63hat/completions HTTP/1.1", True),
        (b"GET / HTTP/1.1", True),
        (b"GET /_nicegui_ws/socket.io/?EIO=4 HTTP/1.1", True),
        (b"GET http://elsewhere/v1/chat HTTP/1.1", False),
        (b"nonsense", False),
        (b"", False),
    ],
)
def test_chats_and_pages_are_for_the_first_worker(line, first):
    assert is_for_the_first(line) is first


def test_the_first_worker_answers_what_is_its_own_whoever_accepted_it(both, running):
    first = running.lines  # every request is logged where it was worked on
    for client in both:
        refused = client.get("/slow/begun")  # no route of the API: the first worker's
        assert refused.json() is False
        assert client.get("/v1/process").json() == min(children(running))
    assert first


def test_large_bodies_and_many_requests_go_through_a_connection_that_was_passed_on(both):
    _, other = both
    for _ in range(3):
        large = other.post("/v1/chat/completions", content=b"x" * 1_000_000)
        assert large.status_code == 400, large.text
        assert large.json()["error"]
    answer = other.get("/somewhere/else")
    assert answer.status_code == 404


def test_an_answer_of_the_first_worker_is_streamed_as_it_comes(both):
    _, other = both
    missing = other.post("/v1/chat", params=SCOPE, json={"text": "안녕"})
    assert missing.status_code in (409, 422, 503), missing.text  # there is no model
    assert "model" in missing.text


def test_a_key_has_one_limit_at_both_and_opens_its_own_scope_alone(tmp_path):
    with gieok.open(tmp_path / "bank.db", embedder="hashing"):
        pass
    made = subprocess.run(
        [sys.executable, "-m", "gieok", "keys", "create", "minsu", "--role", "writer", "--per-minute", "20",
         "--user", "민수", "--character", "레티아", "--bank", str(tmp_path / "bank.db")],
        capture_output=True, check=True, text=True, env={**os.environ, "GIEOK_EMBEDDER": "hashing"},
    )  # fmt: skip
    key = {"Authorization": f"Bearer {made.stdout.strip()}"}
    with (
        served(tmp_path, GIEOK_SERVE_KEYS="always") as server,
        one_of_each(server.address(), headers=key) as both,
    ):
        for client in both:
            assert client.get("/v1/facts", params={"user": "지민", "character": "레티아"}).status_code == 403
        statuses = [client.get("/v1/facts", params=SCOPE).status_code for _ in range(20) for client in both]
        assert statuses.count(200) <= 20
        assert {statuses[-1], statuses[-2]} == {429}


def test_a_worker_that_is_killed_under_load_is_replaced_and_no_acknowledged_turn_is_lost_or_doubled(tmp_path):
    told, among = Told(), scopes(10)

    async def until_replaced(server):
        address = server.address()
        loading = asyncio.create_task(load(address, among, clients=8, seconds=60, told=told))
        while len(told.acknowledged) < 40:
            await asyncio.sleep(0.01)
        before = children(server)
        os.kill(before[1], signal.SIGKILL)
        acknowledged = len(told.acknowledged)
        while len(told.acknowledged) < acknowledged + 60:
            await asyncio.sleep(0.01)
        loading.cancel()
        await asyncio.gather(loading, return_exceptions=True)
        return before

    with served(tmp_path) as server:
        before = asyncio.run(until_replaced(server))
        wait_for(lambda: len(children(server)) == 2)
        assert len(set(children(server)) & set(before)) == 1
        assert any("another one takes its place" in line["message"] for line in server.lines)
        server.process.send_signal(signal.SIGTERM)
        assert server.ends() == 0
    with gieok.open(tmp_path / "bank.db", embedder="hashing") as bank:
        for scope, turn_id in told.acknowledged:
            with bank.store.view(scope) as view:
                assert view.turn(turn_id) is not None, f"{turn_id} is lost"
        kept = bank.info().counts["turns"]
        assert not bank.store.problems()
    assert len(set(told.acknowledged)) == len(told.acknowledged)
    assert len(told.acknowledged) <= kept <= len(told.acknowledged) + told.unsure


def test_a_stop_lets_both_finish_and_a_second_signal_ends_them_at_once(tmp_path):
    with served(tmp_path) as server:
        address = server.address()
        with ThreadPoolExecutor(1) as threads:
            slow = threads.submit(httpx2.get, f"{address}/slow", timeout=60)
            wait_for(lambda: httpx2.get(f"{address}/slow/begun").json())
            server.process.send_signal(signal.SIGTERM)
            wait_for(lambda: refused(address))
            assert server.process.poll() is None
            (tmp_path / "go-on").touch()
            assert slow.result().json() == "done"
        assert server.ends() == 0
        assert [line["message"] for line in server.lines if line["logger"] == "gieok.cli.serve"][-2:] == [
            "stopping",
            "stopped",
        ]
    (tmp_path / "go-on").unlink()
    with served(tmp_path) as server:
        address = server.address()
        with ThreadPoolExecutor(1) as threads:
            threads.submit(refused, address, "/slow")
            wait_for(lambda: httpx2.get(f"{address}/slow/begun").json())
            server.process.send_signal(signal.SIGINT)
            wait_for(lambda: refused(address))
            server.process.send_signal(signal.SIGINT)
            assert server.ends() == 128 + signal.SIGINT


def test_workers_end_with_their_parent(tmp_path):
    with served(tmp_path) as server:
        server.address()
        left = children(server)
        server.process.kill()
        server.ends()
        wait_for(lambda: not any(alive(pid) for pid in left))


def test_workers_that_die_one_after_the_other_end_the_server_with_an_error(tmp_path):
    with served(tmp_path) as server:
        server.address()
        killed = set()
        while server.process.poll() is None:
            for pid in set(children(server)) - killed:
                killed.add(pid)
                with suppress(ProcessLookupError):  # after the fifth the parent ends the others
                    os.kill(pid, signal.SIGKILL)
            sleep(0.02)
        assert server.ends() != 0
        assert "5" in server.said.splitlines()[-1]


def refused(address: str, path: str = "/healthz") -> bool:
    try:
        httpx2.get(f"{address}{path}", timeout=30)
    except httpx2.HTTPError:
        return True
    return False


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True
