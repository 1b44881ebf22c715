"""What goes over the wire: requests as they must be, and domain values as JSON."""
