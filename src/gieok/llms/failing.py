"""Whatever goes wrong on the way to a model and back, as one of our failures."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final

from gieok.domain.model import Failure
from gieok.errors import ModelFailed

#: What may go well when it is tried again.
PASSING: Final[frozenset[Failure]] = frozenset({"unreachable", "timeout", "server_error"})
_TOO_MANY: Final = 429
_REQUEST_TIMEOUT: Final = 408
_OF_A_MESSAGE: Final = 400  #: characters of what an endpoint says that are told on


class Refusal(Exception):
    """The endpoint answered with an error."""

    def __init__(self, code: int, detail: str, retry_after: str | None = None) -> None:
        super().__init__(code)
        self.code = code
        self.detail = detail
        self.retry_after = retry_after

    def __str__(self) -> str:
        return f"HTTP {self.code}: {self.detail}"

    @property
    def limited(self) -> bool:
        return self.code == _TOO_MANY

    @property
    def about_the_request(self) -> bool:
        """Whether the endpoint does not understand something that was sent."""
        return self.code in (400, 422)


class Unusable(Exception):
    """What came back is no answer."""

    def __init__(self, failure: Failure, detail: str) -> None:
        super().__init__(failure)
        self.failure: Failure = failure
        self.detail = detail

    def __str__(self) -> str:
        return self.detail


def http_library() -> Any:
    """Return the HTTP library that the installed `openai` speaks through: httpx in older ones, httpx2 in newer."""
    import openai

    client = openai.DefaultHttpxClient.__base__
    return importlib.import_module(str(client.__module__))


@contextmanager
def translated(model: str, hushed: Callable[[str], str] = str) -> Iterator[None]:
    """Raise whatever the client, its HTTP library or the reading of an answer raises as `ModelFailed`.

    `hushed` takes secrets out of what is told of it.
    """
    import openai

    http = http_library()
    try:
        yield
    except Refusal as error:
        error.detail = hushed(error.detail)[:_OF_A_MESSAGE]
        raise ModelFailed(_by_code(error.code), model, str(error)) from error
    except Unusable as error:
        error.detail = hushed(error.detail)[:_OF_A_MESSAGE]
        raise ModelFailed(error.failure, model, str(error)) from error
    except (http.TimeoutException, openai.APITimeoutError) as error:
        raise ModelFailed("timeout", model, _said(error)) from error
    except (http.HTTPError, http.StreamError, http.InvalidURL, openai.APIConnectionError, OSError) as error:
        raise ModelFailed("unreachable", model, _said(error)) from error
    except openai.OpenAIError as error:
        raise ModelFailed("refused", model, _said(error)) from error


def _by_code(code: int) -> Failure:
    if code == _TOO_MANY:
        return "rate_limited"
    if code == _REQUEST_TIMEOUT:
        return "timeout"
    return "server_error" if code >= 500 else "refused"


def _said(error: Exception) -> str:
    """Return what the innermost error says: the client's own words for it are "Connection error."."""
    cause = error.__cause__ or error
    return str(cause) or type(cause).__name__
