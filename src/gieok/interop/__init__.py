"""Importers, exporters, and adapters that implement the interfaces of other libraries."""
