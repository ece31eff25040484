"""The case: one description of system, adapters, start, time and output, and its run."""
