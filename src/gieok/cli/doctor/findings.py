"""One finding of the doctor, and what to do about a bank that does not open or a model that fails."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

from gieok.errors import BankUnavailable, DiskFull, GieokError, NewerSchema, NotABank, SettingsError, WrongKey

if TYPE_CHECKING:
    from gieok.domain.model import Failure
    from gieok.settings import Settings

State = Literal["ok", "note", "bad"]
ALLOW: Final = "check the permissions: the file and its folder must be readable and writable"
RESTORE: Final = "restore the file from a backup"
ANOTHER: Final = "name another file by --bank or GIEOK_BANK"
_KOREAN: Final[Mapping[Failure, str]] = {
    "unreachable": "모델 서버에 연결되지 않아요: 서버가 켜져 있는지, llm_url이 맞는지 확인하세요",
    "timeout": "제시간에 답하지 못해요: llm_seconds를 늘리거나 더 작은 모델을 쓰세요",
    "rate_limited": "요청 한도 초과(429)가 이어져요: 요금제의 한도를 확인하거나 deep_extraction이나 director를 끄세요",
    "refused": "서버가 요청을 거절해요: 키와 모델 이름(또는 파일)을 확인하세요 (gieok doctor --ask)",
    "server_error": "모델 서버 안에서 오류가 나요: 서버 로그를 확인하고, 이어지면 다른 모델을 쓰세요",
    "empty": "답이 비어 있어요: 생각만 하다 토큰이 떨어지는 모델일 수 있으니 다른 모델을 써 보세요",
    "too_long": "답이 끝없이 길어져요: 서버의 대화 템플릿(chat template)이 이 모델에 맞는지 확인하세요",
    "broken": "JSON을 제대로 쓰지 못해요: JSON 스키마를 지원하는 서버나 더 큰 모델을 쓰세요",
}
_ENGLISH: Final[Mapping[Failure, str]] = {
    "unreachable": "the endpoint does not answer: is the server running, and is llm_url right?",
    "timeout": "it does not answer in time: raise llm_seconds, or take a smaller model",
    "rate_limited": "it goes on saying 429: look at the limits of your plan, or turn deep_extraction or director off",
    "refused": "it refuses what it is asked: check the key and the model's name or file (gieok doctor --ask)",
    "server_error": "the endpoint breaks inside: look at its log, and take another model if it goes on",
    "empty": "its answers are empty: a model that thinks may run out of tokens first; try another",
    "too_long": "its answers never end: does the server's chat template fit this model?",
    "broken": "it does not write the JSON it is asked for: take an endpoint with JSON schemas, or a larger model",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """What was looked at, what was found, and what to do about it."""

    name: str
    state: State = "ok"  #: note: worth knowing, nothing is wrong
    detail: str
    remedy: str = ""


def remedy(trouble: GieokError, settings: Settings) -> str:
    match trouble:
        case NotABank():
            return _for_another_file(trouble, settings)
        case NewerSchema():
            return "pip install -U gieok"
        case DiskFull():
            return "free some space on its disk"
        case BankUnavailable():
            return _for_an_unreachable_file(trouble)
        case SettingsError():
            return "put the setting right, or leave it out"
    return ANOTHER


def _for_another_file(trouble: NotABank, settings: Settings) -> str:
    import apsw

    source = next(iter(settings.key_from), None)
    named = "GIEOK_KEY" if source in (None, "key") else source
    if isinstance(trouble, WrongKey):
        key = "its key" if source is None else "the key that it was made with"
        return f"set {named} to {key}" if named == "GIEOK_KEY" else f"have {named} give {key}"
    if isinstance(trouble.__cause__, apsw.NotADBError):  # its first bytes were those of a bank
        return RESTORE
    if source is not None:
        return f"leave {named} out; if it is no bank, {ANOTHER}"
    return ANOTHER


def _for_an_unreachable_file(trouble: BankUnavailable) -> str:
    import apsw

    match trouble.__cause__:
        case apsw.CorruptError():
            return RESTORE
        case apsw.BusyError():
            return "end the other program that uses it, or try again later"
        case apsw.IOError():
            return f"check the disk; if it is in order, {RESTORE}"
    return ALLOW


def model_remedy(failure: Failure, language: str) -> str:
    """Return the way out; none for a call that somebody broke off."""
    return (_KOREAN if language == "ko" else _ENGLISH).get(failure, "")
