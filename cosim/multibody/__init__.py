"""Equations of motion behind one interface."""
