"""Hydrodynamics by Capytaine."""
