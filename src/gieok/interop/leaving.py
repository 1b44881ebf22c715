"""Alias of `gieok.interop.exporters`, the name in 0.1.0."""

from gieok.interop.exporters import FORMATS, leave

__all__ = ["FORMATS", "leave"]
