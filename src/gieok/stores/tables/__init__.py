"""What all stores have in common that keep a bank in tables: rows, views over them, and what is kept in memory.

The SQL stands in each store's own `queries.sql`, under the same names in all; a `Connection` speaks in these names.
"""
