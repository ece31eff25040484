"""Force elements and weight on plain arrays, for every formulation."""
