"""Scopes, leafed through by whose story went on last."""

from __future__ import annotations

from gieok.domain.scope import Scope
from gieok.domain.server_state import Bounds
from gieok.ports import ScopeSummary, Store
from gieok.testing.builders import claim, day
from gieok.testing.scribe import Scribe
from gieok_contract.base import LETIA, OTHER_USER, SERA, Contract

LORE = Scope(character="레티아", world="아카데미")


def leafed(store: Store, size: int, **options: object) -> list[Scope]:
    """Return the scopes of all pages."""
    found: list[ScopeSummary] = []
    while page := store.latest_scopes(size, after=found[-1] if found else None, **options):  # type: ignore[arg-type]  # names
        assert len(page) <= size
        found += page
    return [each.scope for each in found]


def by_name(store: Store, size: int, **options: object) -> list[Scope]:
    """Return the names of all pages."""
    found: list[Scope] = []
    while page := store.scope_names(size, after=found[-1] if found else None, **options):  # type: ignore[arg-type]  # names
        assert len(page) <= size
        found += page
    return found


class ScopeLists(Contract):
    """What a store promises of its scopes."""

    def test_the_scope_whose_story_went_on_last_comes_first(self, store: Store) -> None:
        for number, scope in ((3, LETIA), (1, SERA), (2, OTHER_USER)):
            Scribe(store, scope).observe("안녕", claims=[claim("likes", "별")], at=day(number))
        assert leafed(store, 10) == [LETIA, OTHER_USER, SERA]
        assert store.latest_scope() == LETIA
        Scribe(store, SERA, name="b").observe("또 왔어", at=day(9))
        assert store.latest_scope() == SERA
        assert {each.scope: each for each in store.latest_scopes(9)} == {each.scope: each for each in store.scopes()}

    def test_siblings_are_told_by_whose_story_went_on_last(self, store: Store) -> None:
        here = Scope(user="민수", character="레티아", world="아카데미")
        hers = [Scope(user=user, character="레티아", world="아카데미") for user in ("지우", "하나", "보라")]
        his = [Scope(user="민수", character=character, world="아카데미") for character in ("세라", "유나")]
        elsewhere = [
            Scope(user="민수", character="세라"),
            Scope(user="민수", character="세라", world="바다"),
            Scope(user="지우", character="레티아"),
            Scope(user="지우", character="세라", world="아카데미"),
            Scope(character="레티아", world="아카데미"),
            Scope(world="아카데미"),
        ]
        for number, scope in enumerate([here, *hers, *his, *elsewhere], start=1):
            Scribe(store, scope).observe("안녕", at=day(number))
        with store.view(here) as view:
            assert view.siblings("character", 10) == hers[::-1]
            assert view.siblings("character", 2) == hers[:0:-1]
            assert view.siblings("user_facts", 10) == his[::-1]
            assert view.siblings("none", 10) == []
        with store.view(elsewhere[4]) as view:
            assert view.siblings("character", 10) == view.siblings("user_facts", 10) == []

    def test_pages_hold_every_scope_once_also_those_of_one_moment(self, store: Store) -> None:
        scopes = [Scope(user=f"u{number:02}", character="레티아") for number in range(17)]
        for number, scope in enumerate(scopes):
            Scribe(store, scope).observe("안녕", at=day(1 + number // 5))
        for size in (1, 4, 17, 50):
            found = leafed(store, size)
            assert len(found) == len(set(found)) == 17
        assert leafed(store, 4) == leafed(store, 50)

    def test_a_page_goes_on_where_the_last_one_ended_though_its_scope_is_talked_to_or_erased(
        self, store: Store
    ) -> None:
        scopes = [Scope(user=f"u{number}") for number in range(4)]
        for number, scope in enumerate(scopes):
            Scribe(store, scope).observe("안녕", at=day(9 - number))
        _, last = store.latest_scopes(2)
        Scribe(store, last.scope, name="b").observe("또 왔어", at=day(20))
        assert [each.scope for each in store.latest_scopes(9, after=last)] == scopes[2:]
        store.erase(last.scope, day(30))
        assert [each.scope for each in store.latest_scopes(9, after=last)] == scopes[2:]

    def test_a_scope_of_which_all_was_taken_back_is_still_there(self, store: Store) -> None:
        scribe = Scribe(store, LETIA)
        scribe.observe("안녕", id="t1", at=day(1))
        scribe.rewind("t1", at=day(2))
        Scribe(store, SERA).observe("안녕", at=day(3))
        assert leafed(store, 1) == [SERA, LETIA]

    def test_every_word_stands_in_a_name(self, store: Store) -> None:
        for scope in (LETIA, SERA, LORE, Scope(user="Minsu_%", character="레티아")):
            Scribe(store, scope).observe("안녕")
        assert set(leafed(store, 1, words=["레티"])) == {LETIA, LORE, Scope(user="Minsu_%", character="레티아")}
        assert leafed(store, 9, words=["레티아", "민수"]) == [LETIA]
        assert leafed(store, 9, words=["mINSU_%"]) == [Scope(user="Minsu_%", character="레티아")]
        assert leafed(store, 9, words=["%세"]) == []

    def test_bounds_show_their_own_alone_on_every_page(self, store: Store) -> None:
        for scope in (LETIA, SERA, OTHER_USER, LORE, Scope(user="민수")):
            Scribe(store, scope).observe("안녕")
        own = [Bounds(user="민수", world="아카데미")]
        assert set(leafed(store, 1, within=own)) == {LETIA, SERA}
        assert store.latest_scope(own) in (LETIA, SERA)
        either = [Bounds(user="지영"), Bounds(character="세라")]
        assert set(leafed(store, 1, within=either)) == {OTHER_USER, SERA}
        assert leafed(store, 9, within=either, words=["민수"]) == [SERA]
        assert store.latest_scope([Bounds(user="없는 사람")]) is None

    def test_by_their_names_pages_hold_every_scope_once_with_or_without_what_is_in_it(self, store: Store) -> None:
        users = (None, "A", "a", "가", "각", "👀", "\U0010ffff")
        scopes = [Scope(user=user, character="레티아", world=world) for user in users for world in (None, "바다")]
        scopes += [Scope(user="가"), Scope(world="바다"), Scope(user="가", world="바다"), Scope(user="가 나")]
        for number, scope in enumerate(scopes):
            Scribe(store, scope).observe("안녕", at=day(1 + number % 3))
        whole = store.scopes()
        names = [each.scope for each in whole]
        assert names == sorted(scopes, key=lambda each: (each.user or "", each.character or "", each.world or ""))
        for size in (1, 4, 50):
            assert by_name(store, size) == names
        page = store.scopes(3, after=names[2])
        assert page == whole[3:6]
        store.erase(names[5], day(30))
        assert store.scopes(3, after=names[5]) == whole[6:9]

    def test_bounds_narrow_the_list_by_names_too(self, store: Store) -> None:
        for scope in (LETIA, SERA, OTHER_USER, LORE, Scope(user="민수"), Scope(user="민"), Scope(user="민수야")):
            Scribe(store, scope).observe("안녕")
        for size in (1, 9):
            assert by_name(store, size, within=[Bounds(user="민수")]) == [Scope(user="민수"), LETIA, SERA]
            both = [Bounds(user="지영"), Bounds(user="민수", character="세라"), Bounds(user="민수", world="아카데미")]
            assert by_name(store, size, within=both) == [LETIA, SERA, OTHER_USER]
            either = [Bounds(user="지영"), Bounds(character="세라")]
            assert by_name(store, size, within=either) == [SERA, OTHER_USER]
            assert by_name(store, size, within=[Bounds(user="없는 사람")]) == []
        assert [each.scope for each in store.scopes(within=[Bounds(character="레티아")])] == [LORE, LETIA, OTHER_USER]

    def test_no_scope_lies_within_bounds_that_ask_for_an_empty_name(self, store: Store) -> None:
        for scope in (LETIA, LORE, Scope(user="민수")):
            Scribe(store, scope).observe("안녕")
        for nobody in (Bounds(user=""), Bounds(character=""), Bounds(user="민수", world="")):
            assert by_name(store, 9, within=[nobody]) == leafed(store, 9, within=[nobody]) == []
            assert store.latest_scope([nobody]) is None
            assert by_name(store, 9, within=[nobody, Bounds(user="민수", character="레티아")]) == [LETIA]

    def test_characters_are_told_once_in_each_world(self, store: Store) -> None:
        assert store.characters() == []
        for scope in (LETIA, SERA, OTHER_USER, LORE, Scope(user="민수", character="레티아"), Scope(user="민수")):
            Scribe(store, scope).observe("안녕")
        letia, sera = Scope(character="레티아"), Scope(character="세라", world="아카데미")
        assert store.characters() == [letia, LORE, sera]
        store.erase(SERA, day(30))
        assert store.characters() == [letia, LORE]
