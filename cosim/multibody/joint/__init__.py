"""Joint coordinates of a tree: topology, compiled kernels, model."""
