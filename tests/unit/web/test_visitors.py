"""A visitor's page keeps to the mind that it was opened for; the desk belongs to all tabs of the browser."""

from dataclasses import replace
from typing import Any, cast

import gieok
from gieok.web.visitors import Desk, Visitor

MINSU, JIYOUNG = (gieok.Scope(user=user, character="레티아") for user in ("민수", "지영"))


def test_what_is_picked_in_a_page_goes_to_no_other_mind():
    desk = Desk(scope=MINSU)
    visitor = Visitor(bank=cast(Any, None), desk=desk, door=cast(Any, None))
    page = replace(visitor, page=MINSU)
    page.own_desk.pick(["고양이"])
    assert desk.picked == ["고양이"]

    desk.turn_to(JIYOUNG)
    page.own_desk.pick(["강아지"])
    assert (page.scope, visitor.scope) == (MINSU, JIYOUNG)
    assert (desk.picked, page.own_desk.picked) == ([], [])
