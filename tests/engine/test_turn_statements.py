"""How often a turn goes to the database: it does not depend on how much the scope remembers."""

import pytest

from gieok.stores.sqlite.connection import SQL, Connection

LINES = ("오늘 {n}번 버스를 탔어", "나 {n}호실 고양이 좋아해", "{n}시에 카페에서 친구를 만났어. 재미있었어!")
MOST = 25  #: statements of a turn without upkeep, with what begins and ends its transactions


@pytest.fixture
def statements(monkeypatch):
    """The statements that ran, by name or as they are; an `executemany` counts once."""
    names = {sql: name for name, sql in SQL.items()}
    ran: list[str] = []

    def counted(method):
        def run(own, sql, values):
            ran.append(names.get(sql, sql.partition("(")[0]))
            return method(own, sql, values)

        return run

    pinned = Connection.pinned

    def counted_pin(own, query, **values):
        if not own.in_transaction:  # else it runs as any other query
            ran.append(query)
        return pinned(own, query, **values)

    monkeypatch.setattr(Connection, "_execute", counted(Connection._execute))
    monkeypatch.setattr(Connection, "_execute_many", counted(Connection._execute_many))
    monkeypatch.setattr(Connection, "pinned", counted_pin)
    return ran


def test_a_turn_takes_few_statements_however_much_is_remembered(letia, statements):
    def most(first: int) -> int:
        counts = []
        for number in range(first, first + 12):
            statements.clear()
            letia.observe(LINES[number % 3].format(n=number), reply="그랬군요.")
            if statements.count("COMMIT") == 1:  # else upkeep had something to do
                counts.append(len(statements))
        return max(counts)

    most(0)
    assert most(12) <= MOST
    for number in range(300):
        letia.remember(
            f"{number}번째 이야기", attribute=("plan", "likes", "event")[number % 3], value=f"이야기 {number}"
        )
    most(400)
    assert most(412) <= MOST
