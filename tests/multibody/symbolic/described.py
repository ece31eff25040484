"""Bodies and joints that several files load with elements."""

BODY = {"mass": 2.0, "inertia": [1.0, 1.5, 2.0]}
SPACE = {
    "bodies": {
        "bob": {**BODY, "cog": [0.2, 0.1, -1.0], "points": {"tip": [0.3, 0.4, -1.6]}},
        "weight": {**BODY, "cog": [1.0, -0.5, -1.5]},
        "free": {**BODY, "cog": [2.0, 0.3, 0.5], "points": {"end": [2.5, 0.0, 0.25]}},
    },
    "joints": {
        "hinge": {"type": "floating", "child": "bob"},
        "rail": {
            "type": "cylindrical",
            "parent": "bob",
            "child": "weight",
            "at": [0, 0, -1],
            "axis": [0.6, 0, -0.8],
        },
        "drift": {"type": "spherical", "child": "free", "at": [2, 0, 0]},
    },
    "earth_points": {"anchor": [0.5, 0.25, 1.5]},
}
"""A free body that carries a cylindrical joint; another on a ball."""
