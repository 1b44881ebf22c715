"""Values without what was caught with them: whoever it was said of, since when, and what led up to it."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from gieok.extract.korean.lexicon import lexicon
from gieok.extract.korean.reading import Finding

_FREE: Final = frozenset(
    "likes dislikes hobby habit exercise part_time_job hometown residence workplace school dream skill diet pet".split()
)
#: 하나가 다큐멘터리, 십 년째 곱창, …라고 했는데 생각해보니 규동
_BEFORE: Final = re.compile(
    r"^(?:(?:그중|그\s?중|이중)?\s?하나[가는]|제가|내가|저가|나는|저는|난|전|제일|요즘|요새|이제|지금은?|평소에?|역시|바로|결국"
    r"|(?:[가-힣\d]{1,4}\s)?(?:년|달|개월|주|일|해)째|[가-힣\d]{1,4}(?:년|개월|달)\s?전부터"
    r"|[^\n]{1,40}(?:라고\s했는데|했는데|랬는데|더니|해\s?보니까?|하니까))\s+(?=\S)"
)
_AFTER: Final = re.compile(r"\s(?:뿐|정도|만큼|쪽|아니)$")
_NOTHING: Final = frozenset("새 새로운 다른 요즘 좋아하는 싫어하는 하는 되는 그런 이런 같은".split())
_MOST: Final = 3


def _is_somebody(attribute: str, value: str) -> bool:
    """Whether whoever likes a thing was taken for the thing."""
    return attribute.startswith("favorite.") and value in lexicon().kin | lexicon().others


def tidied(finding: Finding) -> Finding | None:
    """Return `finding` with a value of its own; None where nothing is left of it."""
    if finding.attribute not in _FREE and not finding.attribute.startswith("favorite."):
        return finding
    value = finding.value
    for _ in range(_MOST):
        value = _BEFORE.sub("", value)
    if _AFTER.search(value) or value in _NOTHING or _is_somebody(finding.attribute, value):
        return None
    return finding if value == finding.value else replace(finding, value=value, shown=value, surface=value)
