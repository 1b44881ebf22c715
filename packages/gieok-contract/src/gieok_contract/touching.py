"""What memories are connected with: whom they tell of, whom they name, what they closed; the weightiest first."""

from __future__ import annotations

from typing import Any

from gieok.domain.memory import Memory
from gieok.ports import Store, Touch
from gieok.testing.builders import day, entry_for, memory
from gieok_contract.base import LETIA, SERA, Contract

USER = ("user", "user")
JIHUN = ("other", "지훈")


def keep(store: Store, *memories: Memory) -> None:
    with store.locked(LETIA) as room:
        room.apply(entry_for(memories=memories))


def touched(store: Store, limit: int = 9, **asked: Any) -> list[Memory]:
    with store.view(LETIA) as view:
        return view.touching(Touch(**{"present": day(2), **asked}), limit)


def ids(found: list[Memory]) -> list[str]:
    return [each.id for each in found]


class Touching(Contract):
    """What a store promises about the surroundings of people and memories."""

    def test_what_is_told_of_somebody_is_found_the_weightiest_first(self, store: Store) -> None:
        keep(
            store,
            memory("하나", id="faint", importance=0.9, strength=0.2),
            memory("둘", id="strong", importance=0.5),
            memory("셋", id="pinned", importance=0.1, pinned=True),
            memory("지훈은 의사임", id="of another", subject="other", subject_id="지훈"),
        )
        found = touched(store, subjects=(USER,))
        assert ids(found) == ["pinned", "strong", "faint"]
        assert ids(touched(store, 2, subjects=(USER,))) == ["pinned", "strong"]
        assert set(ids(touched(store, subjects=(USER, JIHUN)))) == {"faint", "strong", "pinned", "of another"}
        assert touched(store) == touched(store, subjects=(("user", "지훈"),)) == []

    def test_only_what_is_true_and_visible_is_told_of_somebody(self, store: Store) -> None:
        keep(
            store,
            memory("지금", id="now"),
            memory("끝남", id="over", valid_at=day(0), invalid_at=day(1)),
            memory("나중", id="later", valid_at=day(9)),
            memory("아님", id="never", retracted=True),
            memory("잊음", id="forgotten", forgotten_at=day(1)),
            memory("바램", id="faded", faded_at=day(1)),
        )
        assert ids(touched(store, subjects=(USER,))) == ["now"]
        assert set(ids(touched(store, subjects=(USER,), present=day(9)))) == {"now", "later"}
        with store.view(LETIA) as view:
            assert view.relations([USER], day(2)) == {"fact": 1}

    def test_what_is_told_can_be_narrowed_down_to_some_relations(self, store: Store) -> None:
        keep(
            store,
            memory("고양이를 좋아함", id="likes", attribute="likes", value="고양이"),
            memory("개를 좋아함", id="likes too", attribute="likes", value="개", importance=0.4),
            memory("의사임", id="job", attribute="job", value="의사"),
            memory("바다에 다녀옴", id="event", content_type="event"),
        )
        assert ids(touched(store, subjects=(USER,), relations=("likes",))) == ["likes", "likes too"]
        assert set(ids(touched(store, subjects=(USER,), relations=("event", "job")))) == {"event", "job"}
        assert ids(touched(store, subjects=(USER,), relations=())) == []
        assert "event" not in ids(touched(store, subjects=(USER,), without=("event", "summary")))
        with store.view(LETIA) as view:
            assert view.relations([USER], day(2)) == {"likes": 2, "event": 1, "job": 1}
            assert list(view.relations([USER], day(2))) == ["likes", "event", "job"]
            assert view.relations([JIHUN], day(2)) == view.relations([], day(2)) == {}

    def test_a_name_is_found_in_the_words_of_what_is_true(self, store: Store) -> None:
        keep(
            store,
            memory("지훈이랑 바다에 다녀옴", id="named", attribute="event"),
            memory("지훈이랑 싸움", id="over", valid_at=day(0), invalid_at=day(1)),
            memory("100% 수진 이야기", id="another"),
        )
        assert ids(touched(store, names=("지훈",))) == ["named"]
        assert set(ids(touched(store, names=("지훈", "수진")))) == {"named", "another"}
        assert ids(touched(store, names=("지%",))) == []
        assert ids(touched(store, names=("지훈",), relations=())) == ["named"], "relations narrow what is told alone"

    def test_what_a_memory_closed_is_found_though_it_is_past(self, store: Store) -> None:
        keep(
            store,
            memory("서울에 삶", id="old", valid_at=day(0), invalid_at=day(1), closed_by="new"),
            memory("부산에 삶", id="new"),
            memory("대구에 삶", id="forgotten", invalid_at=day(1), closed_by="new", forgotten_at=day(1)),
        )
        assert ids(touched(store, closers=("new",))) == ["old"]
        assert ids(touched(store, closers=("old", "'); --"))) == []

    def test_another_scope_is_not_touched(self, store: Store) -> None:
        keep(store, memory("지훈이랑 친함", id="m"), memory("옛일", id="o", closed_by="m"))
        everything = Touch(present=day(2), subjects=(USER,), names=("지훈",), closers=("m",))
        with store.view(SERA) as view:
            assert view.touching(everything, 9) == []
            assert view.relations([USER], day(2)) == {}
