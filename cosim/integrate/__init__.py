"""Time: drivers and coupling schemes."""
