"""A model's word while something is recalled: waited for no longer than the recall's patience, and never needed."""

from __future__ import annotations

import time
from typing import TypeVar

from gieok.domain.model import Prompt
from gieok.errors import ModelFailed
from gieok.ports import Model
from gieok.recall.patience import Late, Patience

Answer = TypeVar("Answer")


class Counsel:
    """A model during one recall. All that it is asked takes no longer than the patience together."""

    def __init__(self, model: Model, patience: Patience) -> None:
        self._model = model
        self._patience = patience
        self._since = time.monotonic()
        self.troubles: list[str] = []  #: what has to be done without, in words

    def ask(self, prompt: Prompt[Answer]) -> Answer | None:
        """Return the answer; None, and the trouble is noted, where it is late or cannot be used."""
        try:
            return self._patience.call(lambda: self._model.ask(prompt), lambda: ("model", self._since))
        except Late:
            late = f"model {self._model.name!r} did not answer within {self._patience.seconds:g} s"
            self.troubles.append(f"{prompt.task} is off: {late}")
        except ModelFailed as failure:
            self.troubles.append(f"{prompt.task} is off: {failure}")
        return None
