"""One server: the API, the proxy, its guard, and what its operator wants to see."""
