"""The server: the API, the proxy, access control, health and metrics."""
