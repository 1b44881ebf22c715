"""Which sitting a client's conversation goes on with, where the client does not say.

To take a new chat for an edited old one would lose memories; to take an edited one for new keeps too much. So in doubt
it is a new one, and sharing a greeting is no evidence.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from gieok.proxy.exchanges import Told
from gieok.proxy.following import Logged, Plan, followed, is_first_again

_TRIED: Final = 3


def chosen(sessions: Mapping[str, Sequence[Logged]], told: Told) -> tuple[str, Plan] | None:
    """Return the session that `told` goes on with, and how; None: it is a new one.

    `sessions` come in the order of their last turns, oldest first.
    """
    shown = {each.key for each in told.exchanges if each.text}
    ranked = sorted(
        (
            (sum(turn.key in shown for turn in log), number, label)
            for number, (label, log) in enumerate(sessions.items())
        ),
        reverse=True,
    )
    for evidence, _, label in ranked[:_TRIED]:
        if not evidence:
            break
        plan = followed(sessions[label], told)
        if plan.matched and plan.lost <= plan.matched:
            return label, plan
    newest = list(sessions)[-1] if sessions else None
    if newest is not None and is_first_again(sessions[newest], told):
        return newest, followed(sessions[newest], told)
    return None
