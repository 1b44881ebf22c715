"""Scopes: isolation from one another, and lists of scopes."""

from __future__ import annotations

from random import Random

from gieok.domain.scope import Scope
from gieok.domain.server_state import Bounds
from gieok.ports import IndexEntry, MemoryFilter, ScopeSummary, Store, Topic
from gieok.testing.builders import claim, day, entry_for, turn
from gieok.testing.scribe import EVERYTHING, Scribe
from gieok_contract.base import (
    LETIA,
    OTHER_USER,
    SERA,
    VECTORS,
    Contract,
    everything,
    held,
    ids,
    layout_ids,
    near,
    read,
    word_matches,
)
from gieok_contract.search import BROKEN_WORDS, ODD_WORDS

#: Scopes that a careless key would take for one another.
SCOPES = (
    LETIA, SERA, OTHER_USER, Scope(user="민수"), Scope(character="레티아"), Scope(world="아카데미"),
    Scope(user="민수", character="레티아"), Scope(user="민수", world="아카데미"),
    Scope(character="레티아", world="아카데미"), Scope(user="레티아", character="민수", world="아카데미"),
    Scope(user="민수/레티아"), Scope(user="민수 레티아"), Scope(user="민수", character="레티아 아카데미"),
    Scope(user="1"), Scope(user="7"), Scope(user="7x"), Scope(user="1' OR '1'='1"), Scope(user="%"),
)  # fmt: skip
PLAIN_WORDS = ("라면", "비밀", "고양이", "7", "x", "하나")


class Isolation(Contract):
    """Scopes do not see each other."""

    def test_another_character_and_another_user_get_nothing(self, scribe: Scribe) -> None:
        scribe.observe("내 비밀은 라면", id="t1", claims=[claim("likes", "라면", id="c1")])
        for scope in SCOPES:
            if scope == LETIA:
                continue
            with scribe.store.view(scope) as view:
                assert everything(view, words=["비밀", "라면"], moments=[day(9)])["version"] == 0
                assert not any((view.turn("t1"), view.operation_of("t1"), view.history("c1")))
                assert not any((view.refs(["t1/0", "c1"]), view.memories_by_id(["c1"])))
                assert not any((view.memories(EVERYTHING), view.believed_at(day(9))))
                assert not view.memories_about([Topic(subject="user", subject_id="user", values=("라면",))])
                assert not view.times_heard([claim("likes", "라면").saying])
            assert near(scribe.store, "라면", scope) == word_matches(scribe.store, "라면", scope=scope) == []

    def test_the_scopes_that_were_written_to_are_known(self, scribe: Scribe) -> None:
        assert read(scribe.store, LETIA, lambda view: view.existing_scopes(SCOPES)) == frozenset()
        scribe.observe("안녕", id="t1")
        Scribe(scribe.store, SCOPES[12]).observe("안녕", id="t1")
        for scope in (LETIA, SERA):
            with scribe.store.view(scope) as view:
                assert view.existing_scopes(SCOPES) == {LETIA, SCOPES[12]}
                assert view.existing_scopes(SCOPES[1:12]) == view.existing_scopes([]) == frozenset()

    def test_a_cached_value_of_a_view_serves_its_scope_and_version_only(self, scribe: Scribe) -> None:
        scribe.observe("안녕", id="t1")
        Scribe(scribe.store, SERA).observe("안녕", id="t1")
        for scope in (LETIA, SERA):
            with scribe.store.view(scope) as view:
                assert view.cached("name", scope.__str__) == str(scope)
        scribe.observe("잘 지냈어?", id="t2")
        assert read(scribe.store, LETIA, lambda view: view.cached("name", lambda: "anew")) == "anew"

    def test_a_ref_of_another_scope_reads_nothing(self, scribe: Scribe) -> None:
        scribe.observe("내 비밀", "쉿", id="t1", claims=[claim("likes", "비밀", id="c1")])
        Scribe(scribe.store, SERA).observe("세라야 안녕", id="t1")
        with scribe.store.view(LETIA) as view:
            refs = list(view.refs(["t1/0", "t1/1", "c1"]).values())
        with scribe.store.view(SERA) as view:
            own = set(view.refs(["t1/0"]).values())
            assert set(view.items(refs)) <= own
            assert set(view.layout().refs.tolist()) == own

    def test_turns_of_another_scope_do_not_interrupt_the_layout(self, store: Store) -> None:
        ours, theirs = Scribe(store, LETIA), Scribe(store, SERA)
        for number in range(3):
            ours.observe(f"우리 {number}", id=f"t{number}")
            theirs.observe(f"그쪽 {number}", id=f"t{number}")
        with store.view(LETIA) as view:
            assert layout_ids(view) == ["t0/0", "t1/0", "t2/0"]
            assert view.layout().sittings.tolist() == [0, 0, 0]

    def test_scopes_with_the_same_ids_do_not_affect_each_other(self, store: Store) -> None:
        ours, copy = Scribe(store, LETIA), Scribe(store, OTHER_USER)
        for scribe in (ours, copy):
            scribe.observe("고양이 좋아", id="t1", claims=[claim("likes", "고양이", id="c1", content="고양이 좋음")])
        before = read(store, LETIA, lambda view: everything(view, words=["고양이", "좋음"], moments=[day(1)]))

        copy.correct("c1", "강아지 좋음", value="강아지")
        copy.forget("c1")
        copy.rewind("t1")

        after = read(store, LETIA, lambda view: everything(view, words=["고양이", "좋음"], moments=[day(1)]))
        assert after == before
        assert read(store, OTHER_USER, lambda view: view.memories(MemoryFilter())) == []

    def test_every_search_finds_items_of_its_own_scope_only(self, store: Store, rounds: int) -> None:
        dice = Random(20260301)
        words = (*ODD_WORDS, *BROKEN_WORDS, *PLAIN_WORDS)
        kept: dict[Scope, dict[str, tuple[str, ...]]] = {scope: {} for scope in SCOPES}
        for number in range(rounds * 8):
            scope = dice.choice(SCOPES)
            terms = tuple(dice.choices(words, k=dice.randint(1, 4)))
            if dice.random() < 0.15 and kept[scope]:
                _rewind_one(store, scope, dice, kept[scope])
                continue
            text = " ".join(terms).replace("\x00", "") + "말"  # no text with a NUL gets as far as a store
            said = turn(text, id=f"t{number}")
            entry = IndexEntry(terms=terms, vectors=VECTORS.embed([" ".join(terms)]))
            with store.locked(scope) as room:
                room.apply(entry_for(said, index={f"t{number}/0": entry}))
            kept[scope][f"t{number}/0"] = terms
            if number % 10 == 0:
                _check(store, kept, dice)
        _check(store, kept, dice)


def _rewind_one(store: Store, scope: Scope, dice: Random, kept: dict[str, tuple[str, ...]]) -> None:
    item_id = dice.choice(sorted(kept))
    Scribe(store, scope, name=f"{item_id} ").rewind(item_id.removesuffix("/0"))
    del kept[item_id]


def _check(store: Store, kept: dict[Scope, dict[str, tuple[str, ...]]], dice: Random) -> None:
    for scope in SCOPES:
        own = kept[scope]
        asked = dice.choices((*ODD_WORDS, *PLAIN_WORDS), k=3)
        broken = dice.choices(BROKEN_WORDS, k=2)
        with store.view(scope) as view:
            assert set(ids(view, view.dense(VECTORS.vector(asked[0]), 1_000))) <= set(own)
            holding = {item_id for item_id, terms in own.items() if set(terms) & set(asked)}
            words, beginnings = [*asked, *broken], [*asked, *broken, "7", "7x", "라"]
            assert holding <= set(held(view, *view.occurrences(asked)))
            found = held(view, *view.occurrences(words), *view.prefix_occurrences(beginnings), *view.tagged(words))
            assert set(found) <= set(own)
            assert layout_ids(view) == list(own)
            assert len(view.dense(VECTORS.vector("라면"), 1_000)) <= len(view.cosines(VECTORS.vector("라면")))


LORE = Scope(character="레티아", world="아카데미")


def scopes_by_activity(store: Store, size: int, **options: object) -> list[Scope]:
    """Return the scopes of all pages, the latest first."""
    found: list[ScopeSummary] = []
    while page := store.latest_scopes(size, after=found[-1] if found else None, **options):  # type: ignore[arg-type]  # names
        assert len(page) <= size
        found += page
    return [each.scope for each in found]


def scopes_by_name(store: Store, size: int, **options: object) -> list[Scope]:
    """Return the scopes of all pages, by name."""
    found: list[Scope] = []
    while page := store.scope_names(size, after=found[-1] if found else None, **options):  # type: ignore[arg-type]  # names
        assert len(page) <= size
        found += page
    return found


class ScopeLists(Contract):
    """Lists of scopes, page by page."""

    def test_scopes_are_listed_by_latest_activity(self, store: Store) -> None:
        for number, scope in ((3, LETIA), (1, SERA), (2, OTHER_USER)):
            Scribe(store, scope).observe("안녕", claims=[claim("likes", "별")], at=day(number))
        assert scopes_by_activity(store, 10) == [LETIA, OTHER_USER, SERA]
        assert store.latest_scope() == LETIA
        Scribe(store, SERA, name="b").observe("또 왔어", at=day(9))
        assert store.latest_scope() == SERA
        assert {each.scope: each for each in store.latest_scopes(9)} == {each.scope: each for each in store.scopes()}

    def test_siblings_are_listed_by_latest_activity(self, store: Store) -> None:
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

    def test_pages_hold_every_scope_once_even_with_equal_times(self, store: Store) -> None:
        scopes = [Scope(user=f"u{number:02}", character="레티아") for number in range(17)]
        for number, scope in enumerate(scopes):
            Scribe(store, scope).observe("안녕", at=day(1 + number // 5))
        for size in (1, 4, 17, 50):
            found = scopes_by_activity(store, size)
            assert len(found) == len(set(found)) == 17
        assert scopes_by_activity(store, 4) == scopes_by_activity(store, 50)

    def test_a_page_continues_even_if_its_last_scope_changed_or_was_erased(self, store: Store) -> None:
        scopes = [Scope(user=f"u{number}") for number in range(4)]
        for number, scope in enumerate(scopes):
            Scribe(store, scope).observe("안녕", at=day(9 - number))
        _, last = store.latest_scopes(2)
        Scribe(store, last.scope, name="b").observe("또 왔어", at=day(20))
        assert [each.scope for each in store.latest_scopes(9, after=last)] == scopes[2:]
        store.erase(last.scope, day(30))
        assert [each.scope for each in store.latest_scopes(9, after=last)] == scopes[2:]

    def test_a_scope_whose_turns_were_all_rewound_is_still_listed(self, store: Store) -> None:
        scribe = Scribe(store, LETIA)
        scribe.observe("안녕", id="t1", at=day(1))
        scribe.rewind("t1", at=day(2))
        Scribe(store, SERA).observe("안녕", at=day(3))
        assert scopes_by_activity(store, 1) == [SERA, LETIA]

    def test_scopes_are_found_by_words_in_their_names(self, store: Store) -> None:
        for scope in (LETIA, SERA, LORE, Scope(user="Minsu_%", character="레티아")):
            Scribe(store, scope).observe("안녕")
        assert set(scopes_by_activity(store, 1, words=["레티"])) == {
            LETIA,
            LORE,
            Scope(user="Minsu_%", character="레티아"),
        }
        assert scopes_by_activity(store, 9, words=["레티아", "민수"]) == [LETIA]
        assert scopes_by_activity(store, 9, words=["mINSU_%"]) == [Scope(user="Minsu_%", character="레티아")]
        assert scopes_by_activity(store, 9, words=["%세"]) == []

    def test_bounds_limit_every_page(self, store: Store) -> None:
        for scope in (LETIA, SERA, OTHER_USER, LORE, Scope(user="민수")):
            Scribe(store, scope).observe("안녕")
        own = [Bounds(user="민수", world="아카데미")]
        assert set(scopes_by_activity(store, 1, within=own)) == {LETIA, SERA}
        assert store.latest_scope(own) in (LETIA, SERA)
        either = [Bounds(user="지영"), Bounds(character="세라")]
        assert set(scopes_by_activity(store, 1, within=either)) == {OTHER_USER, SERA}
        assert scopes_by_activity(store, 9, within=either, words=["민수"]) == [SERA]
        assert store.latest_scope([Bounds(user="없는 사람")]) is None

    def test_pages_by_name_hold_every_scope_once(self, store: Store) -> None:
        users = (None, "A", "a", "가", "각", "👀", "\U0010ffff")
        scopes = [Scope(user=user, character="레티아", world=world) for user in users for world in (None, "바다")]
        scopes += [Scope(user="가"), Scope(world="바다"), Scope(user="가", world="바다"), Scope(user="가 나")]
        for number, scope in enumerate(scopes):
            Scribe(store, scope).observe("안녕", at=day(1 + number % 3))
        whole = store.scopes()
        names = [each.scope for each in whole]
        assert names == sorted(scopes, key=lambda each: (each.user or "", each.character or "", each.world or ""))
        for size in (1, 4, 50):
            assert scopes_by_name(store, size) == names
        page = store.scopes(3, after=names[2])
        assert page == whole[3:6]
        store.erase(names[5], day(30))
        assert store.scopes(3, after=names[5]) == whole[6:9]

    def test_bounds_limit_the_list_by_name(self, store: Store) -> None:
        for scope in (LETIA, SERA, OTHER_USER, LORE, Scope(user="민수"), Scope(user="민"), Scope(user="민수야")):
            Scribe(store, scope).observe("안녕")
        for size in (1, 9):
            assert scopes_by_name(store, size, within=[Bounds(user="민수")]) == [Scope(user="민수"), LETIA, SERA]
            both = [Bounds(user="지영"), Bounds(user="민수", character="세라"), Bounds(user="민수", world="아카데미")]
            assert scopes_by_name(store, size, within=both) == [LETIA, SERA, OTHER_USER]
            either = [Bounds(user="지영"), Bounds(character="세라")]
            assert scopes_by_name(store, size, within=either) == [SERA, OTHER_USER]
            assert scopes_by_name(store, size, within=[Bounds(user="없는 사람")]) == []
        assert [each.scope for each in store.scopes(within=[Bounds(character="레티아")])] == [LORE, LETIA, OTHER_USER]

    def test_bounds_with_an_empty_name_match_no_scope(self, store: Store) -> None:
        for scope in (LETIA, LORE, Scope(user="민수")):
            Scribe(store, scope).observe("안녕")
        for nobody in (Bounds(user=""), Bounds(character=""), Bounds(user="민수", world="")):
            assert scopes_by_name(store, 9, within=[nobody]) == scopes_by_activity(store, 9, within=[nobody]) == []
            assert store.latest_scope([nobody]) is None
            assert scopes_by_name(store, 9, within=[nobody, Bounds(user="민수", character="레티아")]) == [LETIA]

    def test_characters_are_listed_once_for_each_world(self, store: Store) -> None:
        assert store.characters() == []
        for scope in (LETIA, SERA, OTHER_USER, LORE, Scope(user="민수", character="레티아"), Scope(user="민수")):
            Scribe(store, scope).observe("안녕")
        letia, sera = Scope(character="레티아"), Scope(character="세라", world="아카데미")
        assert store.characters() == [letia, LORE, sera]
        store.erase(SERA, day(30))
        assert store.characters() == [letia, LORE]
