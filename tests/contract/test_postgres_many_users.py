"""On a bank of many users, every statement of what users do finds their rows by an index, whatever the plan is for."""

from __future__ import annotations

from collections.abc import Iterator

import psycopg
import pytest

import gieok
from gieok.embedders import HashingEmbedder
from gieok.stores.postgres import parts
from scaling import many_users
from scaling.plans import overheard
from support.postgres import Server

USERS = 2_000
TOLD = 8
EMBEDDER = HashingEmbedder(16)


@pytest.fixture(scope="module", params=[0, 4], ids=["whole", "in parts"])
def crowd(request: pytest.FixtureRequest, server: Server) -> Iterator[str]:
    """The address of a bank of many users."""
    name = server.database()
    location = server.address(name)
    with gieok.open(location, embedder=EMBEDDER) as bank:
        if request.param:
            bank.store.on_its_own(lambda connection: parts.cut(connection, "gieok", request.param))
    with gieok.open(location, embedder=EMBEDDER) as bank:
        many_users.tell(bank, TOLD)
    many_users.multiply(location, TOLD, TOLD, USERS)
    yield location
    server.drop(name)


def test_a_copied_user_is_one_that_the_engine_knows(crowd):
    with gieok.open(crowd, embedder=EMBEDDER) as bank:
        assert bank.info().counts["scopes"] == USERS
        assert bank.info().counts["memories"] == 5 * USERS
        assert bank.store.problems() == []
        copied, told = (bank.scope(user=many_users.user(each), character=many_users.CHARACTER) for each in (1_603, 3))
        assert [fact.content for fact in copied.facts()] == [fact.content for fact in told.facts()]
        assert [hit.text for hit in copied.recall("어디 살아?")] == [hit.text for hit in told.recall("어디 살아?")]


@pytest.mark.parametrize("mode", ["force_custom_plan", "force_generic_plan"])
def test_whatever_a_user_does_no_large_table_is_read_from_end_to_end(crowd, mode):
    with psycopg.connect(crowd) as connection:
        found = connection.execute(
            "SELECT relname FROM pg_class "
            "WHERE relnamespace = 'gieok'::regnamespace AND relkind = 'r' AND reltuples > 300"
        ).fetchall()
    large = {table for (table,) in found}
    with overheard(mode) as plans, gieok.open(crowd, embedder=EMBEDDER) as bank:
        mind = bank.scope(user=many_users.user(700), character=many_users.CHARACTER)
        acts = {
            "recall": lambda: mind.recall("어디 살아?"),
            "context": lambda: mind.context("오늘 뭐 먹을까?"),
            "observe": lambda: mind.observe("나 요즘 매운 짬뽕 좋아해", reply="맛있겠다!", turn_id=mode),
            "correct": lambda: mind.observe("아니, 짬뽕 말고 우동 좋아해", turn_id=f"{mode} again"),
            "facts": lambda: mind.facts(attribute="likes"),
            "history": lambda: mind.history(mind.facts()[0].id),
            "rewind": lambda: mind.rewind(f"{mode} again"),
            "erase": lambda: mind.erase(turn=mode, prove=False),
            "erase all": lambda: bank.erase(mind.key, prove=False),
        }
        whole, generic = {}, {}
        for name, act in acts.items():
            plans.take()
            act()
            told = plans.take()
            assert told, name
            whole[name] = {(plan.name, table) for plan in told for table in plan.whole_tables() & large}
            generic[name] = sum(plan.generic for plan in told)
        assert {name: each for name, each in whole.items() if each} == {}
        if mode == "force_custom_plan" or bank.info().engine.endswith("parts"):  # a bank in parts forces its own
            assert set(generic.values()) == {0}
        else:
            assert all(generic[name] for name in ("recall", "context", "observe", "facts", "erase"))
        plans.take()
        bank.info()
        assert any(plan.whole_tables() & large for plan in plans.take()), "what reads all is noticed"
