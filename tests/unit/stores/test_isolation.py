"""No text gets into another scope's index, by the prefix of its terms and by the range of its ids."""

import sys

import apsw
import pytest

from gieok.domain.scope import Scope
from gieok.ports import IndexEntry
from gieok.stores.sqlite.connection import Connection
from gieok.stores.tables.search_index import scoped_terms
from gieok.testing import entry_for, turn

NASTY = [
    "a@{}x비밀",
    "#{}x비밀",
    "💕{}x비밀",
    "c++",
    '"{}x비밀"',
    "a\x00{}x비밀",
    "a\n{}x비밀",
    "a\u180e{}x비밀",
    "a\u3000{}x비밀",
]


def say(store, scope, *terms):
    with store.locked(scope) as room:
        room.apply(entry_for(turn("말", id="t1"), index={"t1/0": IndexEntry(terms=terms, vectors=None)}))


def found(store, scope, *words, prefixes=()):
    with store.view(scope) as view:
        searches = [*view.occurrences(words), *view.prefix_occurrences(prefixes)]
        return len({place for each in searches for place in each.places.tolist()})


def scope(number):
    return Scope(user=f"사람 {number}", character="레티아")


def test_terms_made_to_break_out_stay_where_they_are(store, path):
    for number in range(1, 10):
        say(store, scope(number), *(term.format(other) for term in NASTY for other in range(1, 12)))
    for number in range(1, 10):
        assert found(store, scope(number), "비밀", prefixes=["비"]) == 0
        assert found(store, scope(number), "c++") == 1
    with apsw.Connection(str(path)) as reading:
        terms = reading.execute("SELECT term, doc FROM keyword_instances").fetchall()
    assert all(term.startswith(f"{doc >> 24}x") for term, doc in terms)


@pytest.mark.parametrize(
    ("id", "terms"),
    [((1 << 24) + 3, ["2x비밀", "2x비밀번호"]), (2 << 24 | 999, ["1x비밀"])],
    ids=["the id range holds where the prefix does not", "and the other way round"],
)
def test_a_row_of_another_scope_is_not_found_even_if_it_stands_in_the_index(store, id, terms):
    say(store, scope(1), "라면")
    say(store, scope(2), "김밥")
    store._writer.write(lambda it: it.insert_keywords([(id, terms)]))
    assert found(store, scope(2), "비밀", prefixes=["비밀"]) == found(store, scope(1), "비밀") == 0
    store._writer.write(lambda it: it.run("delete_keywords", id=id))


@pytest.fixture(scope="module")
def connection():
    return Connection(apsw.Connection(":memory:"), "기억")


@pytest.mark.check
def test_a_term_is_one_word_to_the_index_whatever_letters_it_holds(connection):
    for start in range(0, sys.maxunicode + 1, 64):
        terms = scoped_terms(5, [f"앞{chr(point)}7x뒤" for point in range(start, start + 64)])
        assert all(connection.folded(term) for term in terms), hex(start)


@pytest.mark.parametrize("word", ["ΑΒΓ", "Straße", "İstanbul", "ÀÉ", "Ｆｕｌｌ", "ǅa", "ﬃa", "ẞa"])
def test_a_word_is_found_by_itself_in_any_case_it_was_written_in(store, word):
    say(store, scope(1), word)
    assert found(store, scope(1), word) == 1
    assert found(store, scope(1), prefixes=[word[:-1]]) == 1
