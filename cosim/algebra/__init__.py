"""Small vectors, matrices and rotations: the one home of such formulae, importing nothing."""
