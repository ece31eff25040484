"""Equations of bodies and multipliers: sparse, compiled, factorised once and solved often."""
