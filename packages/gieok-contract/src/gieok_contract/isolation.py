"""Isolation: a scope's memory is its own, whatever is in its words."""

from __future__ import annotations

from random import Random

from gieok.domain.scope import Scope
from gieok.ports import IndexEntry, MemoryFilter, Store, Topic
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
    laid_out,
    near,
    read,
    saying,
)  # fmt: skip
from gieok_contract.keywords import BROKEN_WORDS, ODD_WORDS

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
    """What a store promises about scopes and one another."""

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
                assert not view.heard([claim("likes", "라면").saying])
            assert near(scribe.store, "라면", scope) == saying(scribe.store, "라면", scope=scope) == []

    def test_it_is_known_which_scopes_were_ever_written_to(self, scribe: Scribe) -> None:
        assert read(scribe.store, LETIA, lambda view: view.begun(SCOPES)) == frozenset()
        scribe.observe("안녕", id="t1")
        Scribe(scribe.store, SCOPES[12]).observe("안녕", id="t1")
        for scope in (LETIA, SERA):
            with scribe.store.view(scope) as view:
                assert view.begun(SCOPES) == {LETIA, SCOPES[12]}
                assert view.begun(SCOPES[1:12]) == view.begun([]) == frozenset()

    def test_what_is_kept_of_a_view_serves_its_scope_and_its_version_alone(self, scribe: Scribe) -> None:
        scribe.observe("안녕", id="t1")
        Scribe(scribe.store, SERA).observe("안녕", id="t1")
        for scope in (LETIA, SERA):
            with scribe.store.view(scope) as view:
                assert view.kept("name", scope.__str__) == str(scope)
        scribe.observe("잘 지냈어?", id="t2")
        assert read(scribe.store, LETIA, lambda view: view.kept("name", lambda: "anew")) == "anew"

    def test_a_ref_of_another_scope_reads_nothing(self, scribe: Scribe) -> None:
        scribe.observe("내 비밀", "쉿", id="t1", claims=[claim("likes", "비밀", id="c1")])
        Scribe(scribe.store, SERA).observe("세라야 안녕", id="t1")
        with scribe.store.view(LETIA) as view:
            refs = list(view.refs(["t1/0", "t1/1", "c1"]).values())
        with scribe.store.view(SERA) as view:
            own = set(view.refs(["t1/0"]).values())
            assert set(view.items(refs)) <= own
            assert set(view.layout().refs.tolist()) == own

    def test_the_talk_next_door_does_not_stand_between(self, store: Store) -> None:
        ours, theirs = Scribe(store, LETIA), Scribe(store, SERA)
        for number in range(3):
            ours.observe(f"우리 {number}", id=f"t{number}")
            theirs.observe(f"그쪽 {number}", id=f"t{number}")
        with store.view(LETIA) as view:
            assert laid_out(view) == ["t0/0", "t1/0", "t2/0"]
            assert view.layout().sittings.tolist() == [0, 0, 0]

    def test_a_story_copied_to_another_scope_keeps_its_ids_and_stays_apart(self, store: Store) -> None:
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

    def test_every_search_of_every_scope_finds_its_own_and_only_its_own(self, store: Store, rounds: int) -> None:
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
            found = held(view, *view.occurrences(words), *view.beginnings(beginnings), *view.tagged(words))
            assert set(found) <= set(own)
            assert laid_out(view) == list(own)
            assert len(view.dense(VECTORS.vector("라면"), 1_000)) <= len(view.cosines(VECTORS.vector("라면")))
