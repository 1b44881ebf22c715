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


def chosen(sessions: Mapping[str, Sequence[Logged]], told: Told, *, goes_back: bool = False) -> tuple[str, Plan] | None:
    """Return the session that `told` goes on with, and how; None: it is a new one.

    `sessions` come in the order of their last turns, oldest first; `goes_back`: they may have begun earlier.
    """
    shown = {each.key for each in told.exchanges if each.text}
    ranked = sorted(
        (
            (sum(turn.key in shown for turn in log), number, label)
            for number, (label, log) in enumerate(sessions.items())
        ),
        reverse=True,
    )
    plans = [
        (label, followed(sessions[label], told, goes_back=goes_back))
        for evidence, _, label in ranked[:_TRIED]
        if evidence
    ]
    likely = [(label, plan) for label, plan in plans if _is_the_same(plan)]
    if likely:
        return max(likely, key=lambda pair: pair[1].matched - pair[1].lost)  # of equals the newer
    newest = list(sessions)[-1] if sessions else None
    if newest is not None and is_first_again(sessions[newest], told):
        return newest, followed(sessions[newest], told)
    return None


def _is_the_same(plan: Plan) -> bool:
    """Whether it is the same talk: little of it goes, or all that the client shows stands in it.

    The latter is a branch. A new chat that begins with the very same exchange has a session of its own by then, which
    loses nothing.
    """
    return plan.matched > 0 and (plan.lost <= plan.matched or plan.strange == 0)
