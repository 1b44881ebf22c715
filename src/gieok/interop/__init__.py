"""Importers, exporters, and adapters with the calls of other libraries."""
