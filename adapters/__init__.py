"""Adapters between the core and the solvers that load its bodies."""
