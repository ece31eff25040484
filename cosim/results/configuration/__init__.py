"""The configuration of a system drawn with everything named."""
