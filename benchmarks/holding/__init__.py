"""Everything that must hold, measured one after the other: `make figures`."""
