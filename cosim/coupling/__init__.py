"""The adapter contract and the manager that gathers all loads."""
