"""Mooring lines by MoorDyn."""
