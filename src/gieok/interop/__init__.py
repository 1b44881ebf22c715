"""Ways in and out for what others keep and call: importers, exporters and adapters."""
