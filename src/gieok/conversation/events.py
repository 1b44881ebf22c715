"""What happens in a turn, in the order in which it happens.

First what the model sees, then its reply bit by bit, then what the character felt, what was remembered and how it moved
the two; at last that the turn is done. All of it is kept by the time `MemoryUpdate` comes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, cast

from gieok.domain.answer import Context, Failure, Observed
from gieok.domain.emotion import Felt
from gieok.domain.state import Move
from gieok.domain.turn import Turn
from gieok.errors import ModelFailed


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextBuilt:
    """What the model is about to see; `context.degraded` names what is missing in it."""

    context: Context


@dataclass(frozen=True, slots=True, kw_only=True)
class Delta:
    """The next bit of the reply, as it is kept: without control characters and broken letters."""

    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Failed:
    """The model gave no reply, or broke off."""

    failure: Failure
    message: str  #: what to tell the user: the trouble and the way out, in the language of the settings
    detail: str = ""  #: what the model's side said of it


@dataclass(frozen=True, slots=True, kw_only=True)
class Emotion:
    """What the character feels after its reply."""

    felt: Felt


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryUpdate:
    """What became of the turn; it is kept."""

    observed: Observed


@dataclass(frozen=True, slots=True, kw_only=True)
class RelationshipUpdate:
    """How the turn moved the two: their relationship, and how they speak to each other."""

    moves: tuple[Move, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Done:
    """The turn is over."""

    turn: Turn
    reply: str  #: "": there is none
    cut_off: bool  #: the reply, or the lack of one, is not what the model would have said in the end


Event = ContextBuilt | Delta | Failed | Emotion | MemoryUpdate | RelationshipUpdate | Done


@dataclass(frozen=True, slots=True, kw_only=True)
class _Words:
    troubles: Mapping[Failure, str]
    nothing_came: str
    broke_off: str


_WORDS: Final[Mapping[str, _Words]] = {
    "ko": _Words(
        troubles={
            "unreachable": "모델에 연결할 수 없어요. 모델 서버가 켜져 있는지, 주소(llm_url)가 맞는지 확인해 주세요.",
            "timeout": "모델이 제때 답하지 않았어요. 잠시 뒤에 다시 해 보거나 llm_seconds 값을 늘려 주세요.",
            "rate_limited": "모델이 요청을 더 받지 않고 있어요. 1분쯤 뒤에 다시 해 주세요.",
            "refused": "모델이 요청을 거절했어요. 키(llm_key)와 모델 이름이나 파일(llm)을 확인해 주세요.",
            "server_error": "모델 서버에 문제가 생겼어요. 잠시 뒤에 다시 해 주세요.",
            "empty": "모델이 빈 답을 보냈어요. 다시 해 주세요.",
            "too_long": "모델의 답이 너무 길어서 끊었어요. 다시 해 주세요.",
            "broken": "모델의 답을 읽을 수 없었어요. 다시 해 주세요.",
            "cancelled": "답을 받다가 그만두었어요. 다시 해 주세요.",
        },
        nothing_came="하신 말씀은 기억해 두었어요.",
        broke_off="여기까지 온 답은 남겨 두었어요.",
    ),
    "en": _Words(
        troubles={
            "unreachable": "The model cannot be reached. See that its server runs and that llm_url is right.",
            "timeout": "The model did not answer in time. Try again in a while, or raise llm_seconds.",
            "rate_limited": "The model takes no more requests for now. Try again in a minute.",
            "refused": "The model refused the request. Check the key (llm_key) and the model's name or file (llm).",
            "server_error": "The model's server is in trouble. Try again in a while.",
            "empty": "The model sent an empty reply. Try again.",
            "too_long": "The model's reply was too long and was cut. Try again.",
            "broken": "The model's reply could not be read. Try again.",
            "cancelled": "The reply was broken off. Try again.",
        },
        nothing_came="What you said is kept.",
        broke_off="What came of the reply is kept.",
    ),
}  # fmt: skip


def failed(trouble: ModelFailed, *, language: str, began: bool) -> Failed:
    """Return the event that tells of `trouble`; `began`: some of the reply had come."""
    words = _WORDS[language]
    failure = cast(Failure, trouble.failure)
    kept = words.broke_off if began else words.nothing_came
    return Failed(failure=failure, message=f"{words.troubles[failure]} {kept}", detail=trouble.detail)
