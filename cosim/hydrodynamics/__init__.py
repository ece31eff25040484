"""Hydrodynamic databases and the time-domain loads they give."""
