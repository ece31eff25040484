"""Gravity, water, waves and current: data and kinematics, no loads."""
