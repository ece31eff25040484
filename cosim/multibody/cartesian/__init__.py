"""Fully Cartesian coordinates: a point and three directors per body, constraints between them."""
