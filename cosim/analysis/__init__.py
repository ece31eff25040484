"""Statics, linearisation and modes."""
