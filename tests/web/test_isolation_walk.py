"""The walk over the pages: with a key for one scope, no page holds or is sent a word of another."""

import random
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page

import gieok
from gieok.domain.server_state import Bounds
from gieok.web.kit import EXPORT, PATHS
from support.browsing import Locked, visit
from support.walking import Place, leaked, places, shown


@pytest.fixture
def cast(locked: Locked) -> Iterator[list[Place]]:
    """Eight scopes with a story each, and at the end none."""
    cast = places(random.Random(4_321))
    with gieok.open(locked.bank, embedder="hashing") as bank:
        for place in cast:
            mind = bank.mind(place.scope)
            for text in ("나 {} 좋아해", "친구 {}가 오늘 놀러 왔어", "우리 다음에 {}에 같이 가기로 약속하자"):
                mind.observe(text.format(place.word), reply=f"{place.word}라니, 좋네요!")
    yield cast
    with gieok.open(locked.bank, embedder="hashing") as bank:
        for place in cast:
            bank.erase(place.scope, prove=False)


def heard_by(page: Page) -> list[str]:
    """Return a list that grows with all that comes to the page over its sockets."""
    frames: list[str] = []
    page.on("websocket", lambda socket: socket.on("framereceived", lambda sent: frames.append(shown(sent))))
    return frames


def test_no_page_holds_or_is_sent_a_word_of_another_scope(
    page: Page, locked: Locked, cast: list[Place], counts: Callable[[int, int], int]
):
    frames = heard_by(page)
    for place in random.Random(7).sample(cast, counts(2, 8)):
        token = locked.key(role="admin", bounds=(Bounds(**place.params),))
        page.context.clear_cookies()
        page.context.request.post(locked.address("/login"), form={"key": token}, headers={"Origin": locked.url})
        found = ""
        for path in PATHS.values():
            visit(page, locked, path, place.params)
            found += page.content()
        found += "".join(frames)
        frames.clear()
        assert place.tail in found
        assert not leaked(found, place, cast)

        other = next(each for each in cast if each.scope.user != place.scope.user)
        for path in (*PATHS.values(), EXPORT):
            answer = page.context.request.get(locked.address(path, **other.params))
            assert other.tail not in answer.text(), path
