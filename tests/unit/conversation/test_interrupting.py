"""A model that need not be waited for."""

from threading import Event

import pytest

from gieok.conversation import Conversation
from gieok.conversation.events import Done, Failed
from gieok.conversation.replies import Interruptible
from gieok.errors import ModelFailed
from support.bit_by_bit import LONGEST, BitByBit


class Watched(BitByBit):
    """One that says when nobody listens to it any more."""

    def __init__(self, *said):
        super().__init__(*said)
        self.over = Event()

    def stream(self, *arguments, **options):
        try:
            yield from super().stream(*arguments, **options)
        finally:
            self.over.set()


def bits(model):
    return model.stream((), most_tokens=9)


def test_it_fails_as_the_model_fails():
    heard = bits(Interruptible(BitByBit("하나", ModelFailed("timeout", "m", "late"))))
    assert next(heard) == "하나"
    with pytest.raises(ModelFailed, match="timeout"):
        next(heard)


def test_who_breaks_off_does_not_wait_for_the_next_bit_and_the_model_is_hung_up_on():
    let_go = Event()
    inner = Watched("하나", let_go, "둘", "셋")
    model = Interruptible(inner)
    heard = bits(model)
    assert next(heard) == "하나"
    model.break_off()
    with pytest.raises(ModelFailed, match="cancelled"):
        next(heard)
    assert not inner.over.is_set()
    let_go.set()
    assert inner.over.wait(LONGEST)
    assert inner.hung_up == 1


def test_a_model_is_not_asked_for_a_reply_that_was_broken_off_before():
    asked = BitByBit("하나")
    model = Interruptible(asked)
    model.break_off()
    with pytest.raises(ModelFailed, match="cancelled"):
        next(bits(model))
    assert asked.seen == []


def test_who_leaves_early_hangs_up():
    let_go = Event()
    inner = Watched("하나", let_go, "둘", "셋")
    heard = bits(Interruptible(inner))
    next(heard)
    heard.close()
    let_go.set()
    assert inner.over.wait(LONGEST)
    assert inner.hung_up == 1


def test_a_turn_that_is_broken_off_is_told_to_its_end(letia):
    let_go = Event()
    model = Interruptible(BitByBit("저도 ", "고양", let_go))
    events = Conversation(letia, model).say("나 고양이 좋아해")
    for _ in range(3):
        next(events)
    model.break_off()
    rest = list(events)
    let_go.set()
    assert isinstance(rest[0], Failed)
    assert rest[0].failure == "cancelled"
    assert isinstance(rest[-1], Done)
    assert (rest[-1].reply, rest[-1].cut_off) == ("저도 고양", True)
