"""Where the processor's time goes: in observing, recalling, making a context, and serving."""
