"""Many threads on one bank."""

from concurrent.futures import ThreadPoolExecutor

from gieok.testing import day

THREADS = 16


def test_sixteen_threads_lose_no_turn(bank, counts):
    each = counts(6, 60)
    minds = [bank.scope(user=f"user-{number % 4}", character="letia") for number in range(THREADS)]

    def talk(number: int) -> None:
        for turn in range(each):
            minds[number].observe(f"나 {number}-{turn} 이야기를 좋아해", reply="그렇군요", turn_id=f"{number}-{turn}")
            assert minds[number].recall(f"{number}-{turn} 이야기", k=3)

    with ThreadPoolExecutor(THREADS) as pool:
        list(pool.map(talk, range(THREADS)))

    for user in range(4):
        mind = bank.scope(user=f"user-{user}", character="letia")
        turns = mind.turns(10_000)
        assert [turn.number for turn in turns] == list(range(1, 4 * each + 1))
        assert {turn.id for turn in turns} == {f"{n}-{t}" for n in range(user, THREADS, 4) for t in range(each)}


def test_a_value_that_sixteen_threads_keep_changing_has_one_current_value(letia, counts):
    changes = counts(64, 320)

    def move(number: int) -> None:
        letia.remember(f"집 {number}에 삶", attribute="residence", value=f"집 {number}", at=day(1 + number))

    with ThreadPoolExecutor(THREADS) as pool:
        list(pool.map(move, range(changes)))

    [home] = letia.facts(attribute="residence", as_of=day(changes + 2))
    assert home.value == f"집 {changes - 1}"
    history = letia.facts(attribute="residence", history=True)
    assert len(history) == changes
    assert [memory.invalid_at for memory in history] == [*(memory.valid_at for memory in history[1:]), None]
