"""What must hold, part by part."""

from typing import Final

from holding.condition import Part
from holding.parts.foundation import FOUNDATION
from holding.parts.living import LIVING
from holding.parts.recalling import RECALLING
from holding.parts.serving import SERVING
from holding.parts.understanding import UNDERSTANDING
from holding.parts.with_a_model import WITH_A_MODEL

PARTS: Final[tuple[Part, ...]] = (FOUNDATION, UNDERSTANDING, RECALLING, LIVING, WITH_A_MODEL, SERVING)
