"""Co-simulation of offshore multiphysics: the multibody core and its orchestrator."""
