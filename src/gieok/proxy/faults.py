"""What went wrong, as OpenAI's clients expect it: they show `error.message`."""

from __future__ import annotations

import json
from typing import Any, Final

from gieok import errors

_STATUSES: Final[tuple[tuple[type[errors.GieokError], int, str], ...]] = (
    (errors.Forbidden, 403, "permission_error"),
    (errors.ModelFailed, 502, "upstream_error"),
    (errors.SettingsError, 503, "configuration_error"),
    (errors.BankError, 503, "memory_error"),
    (errors.GieokError, 400, "invalid_request_error"),
)
#: The words of such an error may name files.
_NO_BANK: Final = "the bank cannot be read or written now; whoever runs the server finds the reason in its log"


class Fault(Exception):
    """An answer that is not what was asked for; its text names the way out."""

    def __init__(self, status: int, message: str, *, kind: str, code: str) -> None:
        super().__init__(message)
        self.status = status
        self.kind = kind
        self.code = code

    @property
    def body(self) -> bytes:
        error: dict[str, Any] = {"message": str(self), "type": self.kind, "param": None, "code": self.code}
        return json.dumps({"error": error}, ensure_ascii=False).encode()

    @classmethod
    def of(cls, error: errors.GieokError) -> Fault:
        """Return the fault that an error of gieok's is."""
        status, kind = next((status, kind) for each, status, kind in _STATUSES if isinstance(error, each))
        told = _NO_BANK if isinstance(error, errors.BankError) else str(error)
        return cls(status, told, kind=kind, code=type(error).__name__)


def no_character() -> Fault:
    return Fault(
        404,
        'no character is named; ask for the model "gieok/<character>" (or "gieok/<world>/<character>"), send the '
        "header X-Gieok-Character, or use a key that has one",
        kind="invalid_request_error",
        code="character_not_found",
    )


def no_upstream() -> Fault:
    return Fault(
        503,
        'no model is configured to pass this on to; set proxy_url = "http://127.0.0.1:11434/v1" (any OpenAI-compatible '
        'endpoint) or llm = "ollama:qwen3:8b" in gieok.toml, and start gieok again',
        kind="configuration_error",
        code="no_upstream",
    )


def no_model() -> Fault:
    return Fault(
        503,
        'nobody said which model is to answer; set proxy_model in gieok.toml, or ask for "gieok/<character>@<model>"',
        kind="configuration_error",
        code="no_model",
    )


def unreadable() -> Fault:
    return Fault(
        400,
        "the body is no JSON object in UTF-8; send one with model and messages",
        kind="invalid_request_error",
        code="invalid_json",
    )


def unreachable(shown: str, what: str) -> Fault:
    """Return what to tell of an endpoint at `shown` that did not answer."""
    return Fault(
        502,
        f"the model at {shown} {what}; see that it runs there and that proxy_url (or llm) is right",
        kind="upstream_error",
        code="upstream_unreachable",
    )
