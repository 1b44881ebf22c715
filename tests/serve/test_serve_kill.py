"""A server that is killed in the middle of many turns, and started again."""

import asyncio
import signal
import time

import httpx2

import gieok
from serving.load import Told, load, scopes
from support.serve_command import Command

SCOPE = {"user": "민수", "character": "레티아"}


def test_every_acknowledged_turn_is_there_after_a_kill_in_the_middle_of_many(tmp_path):
    told, among = Told(), scopes(10)

    async def until_killed(server, address):
        loading = asyncio.create_task(load(address, among, clients=8, seconds=60, told=told))
        while len(told.acknowledged) < 60:
            await asyncio.sleep(0.01)
        server.process.kill()
        await asyncio.to_thread(server.ends)
        loading.cancel()
        await asyncio.gather(loading, return_exceptions=True)

    with Command(tmp_path) as server:
        asyncio.run(until_killed(server, server.address()))
    with Command(tmp_path) as again:
        address = again.address()
        while httpx2.get(f"{address}/readyz").status_code == 503:  # it loads its dictionaries
            time.sleep(0.1)
        assert httpx2.get(f"{address}/readyz").status_code == 200
        once_more = {"text": "나 고양이 좋아해", "turn_id": "after"}
        assert httpx2.post(f"{address}/v1/turns", params=SCOPE, json=once_more).status_code == 201
        again.process.send_signal(signal.SIGTERM)
        assert again.ends() == 0
    with gieok.open(tmp_path / "bank.db", embedder="hashing") as bank:
        for scope, turn_id in told.acknowledged:
            with bank.store.view(scope) as view:
                assert view.turn(turn_id) is not None, f"{turn_id} is lost"
        kept = bank.info().counts["turns"] - 1
    assert len(told.acknowledged) <= kept <= len(told.acknowledged) + told.unsure
