"""Contract checks for adapters, for this project and for others."""
