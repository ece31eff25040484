"""Implicit midpoint steps that keep energy, momenta and constraints exactly."""
