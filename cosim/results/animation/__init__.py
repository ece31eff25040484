"""A run as an interactive page or a film."""
