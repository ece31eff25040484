"""Dimensions, masses and balance of the articulated float; prints the tables of the README.

The platform's ballast is what makes weight equal buoyancy, and the unstretched lengths of the
stays are what holds the legs level in still water::

    python cases/spiderfloat/properties.py
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from math import asinh, hypot, pi

import numpy as np
from scipy.optimize import brentq

RHO, G, DEPTH = 1025.0, 9.80665, 200.0

# Stem, a revolution (radius, z) from keel to deck, m
STEM = ((4.5, -44.0), (4.5, -12.0), (3.0, -6.0), (3.0, 10.0))
SHELL_MASS = 1.0e6  # 35 cm of concrete, bulkheads and transition piece, kg
BALLAST_Z = -39.0  # 10 m of heavy concrete (3 t/m3) at the keel

# NREL 5-MW turbine on the OC3 tower: mass kg, z m, own pitch and yaw inertia kg m2, from
# NREL/TP-500-38060 and NREL/TP-500-47535 as summed in cases/oc3_spar/properties.py
TURBINE = (
    (249_718.0, 43.4, 1.2022e8, 1.8339e6),
    (240_000.0, 89.35, 0.0, 2.6079e6),
    (110_000.0, 90.0, 1.7664e7, 2.0435e7),
)

# One leg along x; all hinges lie at the depth of the legs, m
LEG_Z = -21.5
HINGE_X, LEG_TIP, ARM_ROOT, BUOY_X = 5.0, 39.0, 35.0, 45.0
LEG_DIAMETER, LEG_STRUCTURE = 2.0, 160e3  # concrete tube, 36 cm wall
ARM_DIAMETER, ARM_STRUCTURE = 1.4, 25e3  # steel tube that slides in the leg
FAIRLEAD_X = 38.0

# Buoy, a vertical steel cylinder
BUOY_RADIUS, BUOY_DRAFT, BUOY_TOP = 3.25, 20.0, 8.0
BUOY_MASS, BUOY_COG_Z = 260e3, -8.0

# Stays between stem and leg, (x, z) of both ends and axial stiffness EA: polyester ropes
UPPER = ((3.0, 8.0), (36.0, LEG_Z), 2.0e8)
LOWER = ((4.5, -43.0), (36.0, LEG_Z), 4.0e8)
UPPER_PRETENSION = 1.0e6

# Mooring chain, 90 mm studless, one line from every leg
CHAIN = {"diameter": 0.162, "mass": 161.0, "EA": 6.92e8, "length": 550.0}
ANCHOR_RADIUS = 524.0


@dataclass(frozen=True)
class Solid:
    """Mass kg, centre m, inertia about the centre along x, y, z kg m², submerged volume m³."""

    name: str
    mass: float
    centre: tuple[float, float, float]
    inertia: tuple[float, float, float]
    volume: float
    gravity_scale: float = 1.0

    @property
    def lift(self) -> float:
        """Buoyancy less weight, N; a scaled weight already contains the buoyancy."""
        buoyancy = RHO * self.volume if self.gravity_scale == 1.0 else 0.0
        return G * (buoyancy - self.gravity_scale * self.mass)


def stem_volume() -> float:
    """Below the water, m³."""
    points = [*STEM[:3], (STEM[3][0], 0.0)]
    return sum(
        pi * (z1 - z0) * (a * a + a * b + b * b) / 3.0 for (a, z0), (b, z1) in pairwise(points)
    )


def tube(name: str, x0: float, x1: float, diameter: float, structure: float) -> Solid:
    """A submerged tube along x that carries its own added mass (Ca = 1 across its axis).

    The added mass is the same in all directions here, also along the axis, where a slender
    tube has none; the moment about the axis has none. Weight is that in water.
    """
    length = x1 - x0
    volume = 0.25 * pi * diameter**2 * length
    mass = structure + RHO * volume
    across = mass * length**2 / 12.0
    inertia = (structure * diameter**2 / 6.0, across, across)
    scale = (structure - RHO * volume) / mass
    return Solid(name, mass, (0.5 * (x0 + x1), 0.0, LEG_Z), inertia, volume, scale)


def leg() -> Solid:
    return tube("leg", HINGE_X, LEG_TIP, LEG_DIAMETER, LEG_STRUCTURE)


def arm() -> Solid:
    return tube("arm", ARM_ROOT, BUOY_X, ARM_DIAMETER, ARM_STRUCTURE)


def buoy() -> Solid:
    """A thin-walled cylinder, heavier below."""
    height = BUOY_DRAFT + BUOY_TOP
    across = BUOY_MASS * (BUOY_RADIUS**2 / 2.0 + height**2 / 12.0)
    axial = BUOY_MASS * BUOY_RADIUS**2
    volume = pi * BUOY_RADIUS**2 * BUOY_DRAFT
    return Solid("buoy", BUOY_MASS, (BUOY_X, 0.0, BUOY_COG_Z), (across, across, axial), volume)


@dataclass(frozen=True)
class Pull:
    """Of one mooring line on its fairlead, N: towards the anchor, and down."""

    horizontal: float
    vertical: float


def mooring() -> Pull:
    """Elastic catenary with a part on the sea bed."""
    weight = G * (CHAIN["mass"] - RHO * 0.25 * pi * CHAIN["diameter"] ** 2)
    rise, reach = DEPTH + LEG_Z, ANCHOR_RADIUS - FAIRLEAD_X

    def lifted(H: float) -> float:
        """Length off the bed whose upper end is `rise` above it."""

        def height(s: float) -> float:
            a = H / weight
            return a * (hypot(1.0, s / a) - 1.0) + weight * s * s / (2.0 * CHAIN["EA"]) - rise

        return float(brentq(height, rise, 10.0 * CHAIN["length"]))

    def span(H: float) -> float:
        s, a = lifted(H), H / weight
        return CHAIN["length"] - s + a * asinh(s / a) + H * CHAIN["length"] / CHAIN["EA"] - reach

    H = float(brentq(span, 1e4, 4e6))
    return Pull(H, weight * lifted(H))


def platform() -> Solid:
    """Shell, ballast and turbine; the ballast closes the balance."""
    limbs = 3.0 * (leg().lift + arm().lift + buoy().lift - mooring().vertical)
    mass = RHO * stem_volume() + limbs / G
    ballast = mass - SHELL_MASS - sum(part[0] for part in TURBINE)
    height, radius = STEM[-1][1] - STEM[0][1], STEM[0][0]
    across = SHELL_MASS * (radius**2 / 2.0 + height**2 / 12.0)
    disc = ballast * radius**2 / 4.0
    parts = np.array(
        [
            (SHELL_MASS, 0.5 * (STEM[0][1] + STEM[-1][1]), across, SHELL_MASS * radius**2),
            (ballast, BALLAST_Z, disc, 2.0 * disc),
            *TURBINE,
        ]
    )
    m, z, pitch, yaw = parts.T
    centre = float(m @ z / mass)
    tilt = float(np.sum(pitch + m * (z - centre) ** 2))
    inertia = (tilt, tilt, float(yaw.sum()))
    return Solid("platform", mass, (0.0, 0.0, centre), inertia, stem_volume())


def drag() -> dict[str, tuple[float, ...]]:
    """Coefficients of |v| v, N s²/m² and N m s², in axes along, across and up.

    rho Cd D L / 2 of a cylinder across its axis (Cd = 1.0 tubes, 0.7 stem and buoys), turning with
    L³/32 of that, and Cd = 1 on the bottoms of stem and buoys.
    """
    length = LEG_TIP - HINGE_X
    tube_drag = 0.5 * RHO * LEG_DIAMETER * length
    turn = tube_drag * length**3 / 32.0
    can = 0.5 * RHO * 0.7 * 2.0 * BUOY_RADIUS * BUOY_DRAFT
    stem = 0.5 * RHO * 0.7 * 2.0 * STEM[0][0] * (STEM[2][1] - STEM[0][1])
    return {
        "leg": (0.0, tube_drag, tube_drag, 0.0, turn, turn),
        "buoy": (can, can, 0.5 * RHO * pi * BUOY_RADIUS**2, 0.0, 0.0, 0.0),
        "stem": (stem, stem, 0.5 * RHO * pi * STEM[0][0] ** 2, 0.0, 0.0, 0.0),
    }


@dataclass(frozen=True)
class Stay:
    """Stretched and unstretched length m, stiffness N/m, tension N in still water."""

    length: float
    unstretched: float
    stiffness: float
    tension: float


def stays() -> tuple[Stay, Stay]:
    """Upper and lower stay of one leg; the lower one balances the moments about the hinge."""
    upper_end, lower_end = (_lever(*ends[:2]) for ends in (UPPER, LOWER))
    up = sum(body.lift * (body.centre[0] - HINGE_X) for body in (leg(), arm(), buoy()))
    up -= mooring().vertical * (FAIRLEAD_X - HINGE_X)
    needed = (up + UPPER_PRETENSION * upper_end) / lower_end
    return _stay(*UPPER, UPPER_PRETENSION), _stay(*LOWER, needed)


def _lever(stem: tuple[float, float], end: tuple[float, float]) -> float:
    """Of a stay about the hinge, m."""
    dx, dz = stem[0] - end[0], stem[1] - end[1]
    return abs((end[0] - HINGE_X) * dz - (end[1] - LEG_Z) * dx) / hypot(dx, dz)


def _stay(stem: tuple[float, float], end: tuple[float, float], EA: float, tension: float) -> Stay:
    length = hypot(stem[0] - end[0], stem[1] - end[1])
    unstretched = length / (1.0 + tension / EA)
    return Stay(length, unstretched, EA / unstretched, tension)


def main() -> None:
    """Print the tables of the README."""
    bodies = ((1, platform()), (3, leg()), (3, arm()), (3, buoy()))
    print(f"{'':10}{'n':>2}{'mass t':>10}{'scale':>9}{'z m':>9}{'V m3':>9}{'lift kN':>11}")
    for n, b in bodies:
        print(
            f"{b.name:10}{n:2}{b.mass / 1e3:10.2f}{b.gravity_scale:9.6f}{b.centre[2]:9.4f}"
            f"{b.volume:9.2f}{n * b.lift / 1e3:11.2f}"
        )
    pull = mooring()
    total = sum(n * b.lift for n, b in bodies) - 3.0 * pull.vertical
    print(f"{'mooring':10}{3:2}{'':37}{-3 * pull.vertical / 1e3:11.2f}")
    print(f"{'sum':49}{total / 1e3:11.2f}")
    print(f"\nmooring line: {pull.horizontal / 1e3:.1f} kN to the anchor")
    for name, stay in zip(("upper", "lower"), stays(), strict=True):
        print(
            f"{name} stay: {stay.length:.4f} m, unstretched {stay.unstretched:.4f} m, "
            f"{stay.stiffness:.4e} N/m, {stay.tension / 1e6:.3f} MN"
        )
    for name, values in drag().items():
        print(f"drag of {name}: {', '.join(f'{value:.4g}' for value in values)}")
    for _, b in bodies:
        print(f"{b.name}: mass {b.mass:.1f}, inertia {', '.join(f'{i:.5e}' for i in b.inertia)}")


if __name__ == "__main__":
    main()
